"""What Python shows of a result: the answer, on one line."""

from typing import Any

import demur
from builders import graded

NAMES = [f"intent-bert-version-{number}" for number in range(11, 17)]


def system(name: str, errs: int) -> demur.Outcomes:
    right = [k % errs > 0 for k in range(60)]
    return graded(right, range(60), system=name)


SYSTEMS = [system(name, 3 + k) for k, name in enumerate(NAMES)]
TOGETHER = demur.Outcomes.from_arrays(
    item=[*range(60)] * 6,
    system=[name for name in NAMES for _ in range(60)],
    correct=[k % (3 + errs) > 0 for errs in range(6) for k in range(60)],
    confidence=[*range(60)] * 6,
)


def test_a_comparison_shows_the_difference_whatever_the_names_are():
    found = demur.compare(*SYSTEMS[:2])
    assert found.difference is not None
    low, high = found.difference.low, found.difference.high
    told = f"difference={found.difference.value:.4g} [{low:.4g}, {high:.4g}]"
    assert f"a='{NAMES[0]}', b='{NAMES[1]}', {told}" in repr(found)
    long = demur.compare(system("x" * 300, 3), system("y" * 300, 4))
    assert told in repr(long)
    assert len(repr(long)) <= 140


def test_a_difference_shows_its_interval_and_its_p_value():
    difference: Any = demur.compare(*SYSTEMS[:2]).difference
    for name in ("value", "low", "high", "p_value"):
        assert f"{name}={float(f'{getattr(difference, name):.4g}')}" in repr(difference)


def test_many_results_show_their_answer_and_cut_no_word():
    curves = demur.curve_by(TOGETHER)
    assert repr(curves).startswith(f"Curves(At nonreturn 0.2 {NAMES[-1]} errs least")
    pairs = demur.compare_all(SYSTEMS)
    assert repr(pairs).startswith(f"Comparisons(Of 6 systems {NAMES[-1]} errs least")
    for shown in (repr(curves), repr(pairs)):
        assert len(shown) <= 140
        words = shown.partition("(")[2].removesuffix(")").removesuffix(" ...")
        assert f"{words} " in " ".join(
            f"{curves.sentence()} {pairs.sentence()}".split()
        )
    few = pairs[:1]
    assert repr(few) == f"Comparisons({pairs[0]!r})"
