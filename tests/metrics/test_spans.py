"""Spans are paired as by a slow plain way, whatever overlaps."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.metrics.measuring_spans import Span, _count_types, _matched

SPANS = st.lists(
    st.tuples(st.sampled_from("xy"), st.integers(0, 8), st.integers(1, 4)).map(
        lambda span: (span[0], span[1], span[1] + span[2])
    ),
    max_size=7,
)


def plain(first: list[Span], second: list[Span]) -> tuple[float, ...]:
    """Round by round the first that is left, over all pairs."""
    same, words, kinds, halves = by_rounds(first, second, (0, 1, 2, 3))
    of_type = same + by_rounds(first, second, (0, 2))[2]
    return same, same + words, same + words + (kinds + halves) / 2, of_type


def by_rounds(first: list[Span], second: list[Span], taken: Sequence[int]) -> list[int]:
    left, right, counts = list(first), list(second), [0, 0, 0, 0]
    rounds = (
        lambda a, b: a == b,
        lambda a, b: a[1:] == b[1:],
        lambda a, b: a[0] == b[0] and a[1] < b[2] and b[1] < a[2],
        lambda a, b: a[1] < b[2] and b[1] < a[2],
    )
    for number in taken:
        test = rounds[number]
        for span in list(left):
            partner = next((other for other in right if test(span, other)), None)
            if partner is not None:
                left.remove(span)
                right.remove(partner)
                counts[number] += 1
    return counts


@given(SPANS, SPANS)
def test_spans_are_paired_as_by_all_pairs(first, second):
    assert _matched(first, second) == plain(first, second)
    types: dict[str, list[int]] = {}
    _count_types(types, first, second)
    for kind, (true, given_, right) in types.items():
        of_kind = [[s for s in side if s[0] == kind] for side in (first, second)]
        assert [true, given_] == [len(side) for side in of_kind]
        assert right == plain(*of_kind)[0]


def test_long_sentences_take_few_steps():
    """Each span meets those near it alone."""
    met = []

    class Counted(tuple):
        def __getitem__(self, place):
            met.append(place)
            return tuple.__getitem__(self, place)

    n = 3000
    first = [Counted(("x", 3 * k, 3 * k + 2)) for k in range(n)]
    second = [Counted(("y", 3 * k + 1, 3 * k + 3)) for k in range(n)]
    assert _matched(first, second) == (0, 0, n / 2, 0)
    assert len(met) < 100 * n


def test_a_pair_of_other_types_takes_nothing_from_the_way_type():
    found = demur.span_scores(
        references=[[["b", 0, 4]]], hypotheses=[[["b", 1, 2], ["a", 0, 4]]]
    )
    assert {each.match: each.right for each in found.scores} == {
        "strict": 0,
        "exact": 1,
        "partial": 1,
        "type": 1,
    }
