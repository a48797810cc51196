"""References with alternatives and optional words, scored as sclite scores them."""

import tracemalloc
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed, refuses
from demur.metrics import alternatives

words = st.sampled_from("abcd")
references = st.recursive(
    words | st.builds("({})".format, words) | st.just("@"),
    lambda parts: st.lists(
        st.lists(parts, min_size=1, max_size=2), min_size=1, max_size=3
    ),
    max_leaves=8,
)


def written(part):
    if isinstance(part, str):
        return part
    return "{ " + " / ".join(" ".join(map(written, one)) for one in part) + " }"


def readings(part):
    """Each way to read a part: words, optional words left out, and how many @."""
    if part == "@":
        return [((), 0, 1)]
    if isinstance(part, str):
        whole = [((part.strip("()"),), 0, 0)]
        return [*whole, ((), 1, 0)] if part[0] == "(" else whole
    return [way for one in part for way in joined(one)]


def joined(parts):
    for ways in product(*map(readings, parts)):
        yield (
            tuple(word for way in ways for word in way[0]),
            sum(way[1] for way in ways),
            sum(way[2] for way in ways),
        )


def cost(first, second):
    """Errors and sclite's cost of the cheapest alignment with the fewest errors."""
    row = [(j, 3 * j) for j in range(len(second) + 1)]
    for word in first:
        last, row = row, [(row[0][0] + 1, row[0][1] + 3)]
        for j, heard in enumerate(second):
            wrong = word != heard
            steps = [(last[j], wrong, 4 * wrong), (last[j + 1], 1, 3), (row[j], 1, 3)]
            row.append(min((n + m, c + d) for (n, c), m, d in steps))
    return row[-1]


@pytest.mark.parametrize(("most", "part"), [(0, 1), (0, 256), (32, 256)])
@given(st.lists(references, min_size=1, max_size=3), st.lists(words, max_size=5))
def test_the_reading_with_the_fewest_errors_is_chosen(most, part, parts, heard):
    with patch.multiple(alternatives, _MOST_PATHS=most, _PART=part):
        choice = alternatives.chosen(
            "here", " ".join(map(written, parts)), heard, str.split
        )
    costs = {}
    for way, left_out, nothing in joined(parts):
        errors, price = cost(way, heard)
        whole = errors, round(price + 2 * left_out + nothing / 1000, 3)
        key = way, left_out
        costs[key] = min(costs.get(key, whole), whole)
    chosen = tuple(choice.words), len(choice.left_out)
    assert costs[chosen] == min(costs.values())
    assert len(choice.elements) == len(choice.words)
    assert choice.elements == sorted(choice.elements)
    assert all(number < choice.n_elements for number in choice.elements)


@pytest.mark.parametrize(
    ("reference", "heard", "wanted"),
    [
        # sclite -D -s of SCTK 2.4.12: errors, and words of the reference.
        ("i've { um / uh / @ } as far as", "i've as fur as", (1, 4)),
        ("a (b) c", "a c", (0, 3)),
        ("x {a/b}y z", "x b y z", (0, 4)),
        ("x { a b / { c / d e } f }", "x d e f", (0, 4)),
        ("a (b) c", "a x c", (1, 3)),
        ("and/or she- %hesitation", "and/or she hes", (2, 3)),
        ("{ and/or / b }", "and/or", (1, 1)),
        ("(b)", "b", (0, 1)),
        ("{ (b) / c }", "", (0, 1)),
        ("b (c) d", "b e", (1, 3)),
        ("{ { d / @ } / g f } g d", "f g d", (1, 4)),
    ],
)
def test_what_sclite_counts(reference, heard, wanted):
    found = demur.word_errors(
        references=[reference], hypotheses=[heard], notation="nist"
    )
    assert (found.wer.errors, found.wer.units) == wanted


def test_the_alignment_shows_what_was_chosen():
    found = demur.word_errors(
        references=["I { am / 'm } (so) (very) here"],
        hypotheses=["I 'm really here now"],
        notation="nist",
    )
    assert found.alignment(0).splitlines() == [
        "reference   I 'm (so) very   here ***",
        "hypothesis  I 'm **** really here now",
        "                      S           I",
    ]
    assert (found.wer.errors, found.wer.units) == (2, 5)
    assert any("1 here (sclite -D)" in note for note in found.notes)


def test_letters_are_read_inside_of_the_notation():
    found = demur.word_errors(
        references=["Well, { GONNA / going to } (Uh) go."],
        hypotheses=["well going to go"],
        notation="nist",
        reading="letters",
    )
    assert (found.wer.errors, found.wer.units) == (0, 5)


def test_without_the_notation_signs_are_words():
    sides = {"references": ["a { b / c }"], "hypotheses": ["a b"]}
    found = demur.word_errors(**sides)
    assert (found.wer.errors, found.wer.units) == (4, 6)
    assert any("signs count as words" in note for note in found.notes)
    assert "notation" not in found.recipe
    plain = {"references": ["a b c"], "hypotheses": ["a x"]}
    both = [demur.word_errors(**plain, notation=how) for how in alternatives.NOTATIONS]
    assert both[0].wer == both[1].wer


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a { b", "an open {"),
        ("a } b", "'}'"),
        ("a { b / } c", "an empty alternative"),
        ("a { } c", "an empty alternative"),
        ("{" * 3000, "an open {"),
        ("(b){ a }", "'.b.{'"),
    ],
)
def test_braces_must_match(text, fault):
    sides = {"references": ["a", text], "hypotheses": ["a", "b"]}
    refuses(f"row 2.*got {fault}", demur.word_errors, **sides, notation="nist")


def test_many_alternatives_are_quick_to_choose_from():
    text = " ".join(["{ a / b } (c) d"] * 60)
    choice = alternatives.chosen("here", text, ["b", "d"] * 60, str.split)
    assert choice.words == ["b", "d"] * 60
    assert len(choice.left_out) == 60


def test_many_alternatives_are_chosen_from_in_parts():
    text = " ".join(f"{{ a{n} / b c / @ }}" for n in range(400))
    heard = [f"a{n}" for n in range(400)]
    tracemalloc.start()
    try:
        choice = alternatives.chosen("here", text, heard, str.split)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert choice.words == heard
    assert most < 4e6


def test_two_recognisers_may_choose_other_words():
    reference = ["well { going to / gonna } go (now) and then stop"] * 12
    heard = {
        "a": ["well going to go now and then stop"] * 12,
        "b": ["well gonna go and then halt"] * 12,
    }
    both = [
        demur.word_errors(
            references=reference, hypotheses=texts, notation="nist", system=name
        )
        for name, texts in heard.items()
    ]
    assert [one.wer.units for one in both] == [12 * 8, 12 * 7]
    compared = demur.compare_words(*both)
    assert compared.difference == pytest.approx(1 / 7)
    assert (compared.segments.segments, compared.segments.mean) == (12, 1.0)
    assert compared.bootstrap[0] <= 1 / 7 <= compared.bootstrap[1]
    plain = demur.word_errors(references=reference, hypotheses=heard["a"])
    refuses("read alike", demur.compare_words, both[0], plain)


def test_trn_files_are_read_so_and_others_are_not(tmp_path):
    files = {
        "r.trn": "a { b / c } (s-1)\n(uh) d (s-2)\n",
        "h.trn": "a c (s-1)\nd (s-2)\n",
        "r.kaldi": "s-1 a { b / c }\ns-2 (uh) d\n",
        "h.kaldi": "s-1 a c\ns-2 d\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    trn = "metrics", "words", tmp_path / "r.trn", tmp_path / "h.trn"
    kaldi = "metrics", "words", tmp_path / "r.kaldi", tmp_path / "h.kaldi"
    assert "0 errors on 4 words" in printed(*trn)
    assert "5 errors on 8 words" in printed(*trn, "--notation", "as-written")
    assert "5 errors on 8 words" in printed(*kaldi)
    assert "0 errors on 4 words" in printed(*kaldi, "--notation", "nist")


def test_what_is_read_as_nothing_is_not_called_empty():
    sides = {"references": ["{ @ / q }", "a b", ""], "hypotheses": ["", "a b", "x"]}
    found = demur.word_errors(**sides, notation="nist")
    said = "\n".join(found.notes)
    assert found.empty_references == 2
    assert "1 reference is empty: words heard there are inserted" in said
    assert "1 reference is read as nothing, as @ allows; outcomes leave" in said
    plain = demur.word_errors(references=["", "a"], hypotheses=["x", "a"])
    assert not any("@" in note for note in plain.notes)
