"""Baselines: what each gives, against plain counts and cosines."""

import hashlib
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur import Input, InputError, RunError, baselines
from demur.reference_systems import baselines as module

TEXTS = ["light on", "lamp on now", "light off", "who are you"]
LABELS = ["on", "on", "off", None]
LEARNING = (baselines.Majority, baselines.Chance, baselines.Nearest)


def responses(system, *texts):
    return system.respond([Input(k, text) for k, text in enumerate(texts)])


def test_the_majority_answers_all_alike_with_its_share():
    system = baselines.Majority().fit(TEXTS, LABELS)
    found = {(a.response, a.confidence) for a in responses(system, "x", "y")}
    assert found == {("on", 2 / 3)}
    tied = baselines.Majority().fit(["x", "y"], ["b", "a"])
    assert responses(tied, "z")[0].response == "a"


@pytest.mark.parametrize("item", ["q", "7", 7])
def test_a_draw_is_two_numbers_of_a_hash(item):
    system = baselines.Chance(seed=3).fit(["x", "y", "z"], ["a", "b", "b"])
    [answer] = system.respond([Input(item, "x")])
    digest = hashlib.sha256(f"3 {item}".encode()).hexdigest()
    first, second = (int(digest[at : at + 16], 16) / 2**64 for at in (0, 16))
    assert (answer.response, answer.confidence) == ("ab"[first >= 1 / 3], second)


def test_of_equally_near_texts_the_first_answers():
    system = baselines.Nearest().fit(["x", "a b", "b a", "a b"], ["no", "1", "2", "3"])
    assert [a.response for a in responses(system, "a", "b a", "zzz")] == [
        *("1", "1", None)
    ]


def test_several_answers_each_count():
    system = baselines.Majority().fit(["x", "y"], [{"a", "b"}, {"b"}])
    assert responses(system, "z")[0].response == "b"


def test_chance_depends_on_seed_and_item_alone():
    system = baselines.Chance(seed=3).fit(TEXTS, LABELS)
    found = responses(system, *["x"] * 400)
    again = system.respond([Input(k, "other") for k in reversed(range(400))])[::-1]
    assert found == again
    other = responses(baselines.Chance(seed=4).fit(TEXTS, LABELS), *["x"] * 400)
    assert found != other
    share = sum(a.response == "on" for a in found) / 400
    assert abs(share - 2 / 3) < 4 * math.sqrt(2 / 9 / 400)
    assert all(0 <= a.confidence < 1 for a in found)


@given(
    st.lists(st.lists(st.sampled_from("abcd"), max_size=4), min_size=1, max_size=5),
    st.lists(st.sampled_from("abcde"), max_size=4),
)
def test_the_nearest_has_the_highest_cosine(known, asked):
    texts = [" ".join(each) for each in known]
    system = baselines.Nearest().fit(texts, list(range(len(texts))))
    [found] = responses(system, " ".join(asked))
    spread = Counter(word for each in known for word in set(each))

    def vector(said):
        counts = Counter(word for word in said if word in spread)
        return {
            word: n * (math.log(len(known) / spread[word]) + 1)
            for word, n in counts.items()
        }

    def cosine(first, second):
        lengths = [math.hypot(*v.values()) for v in (first, second)]
        inner = sum(first[word] * second.get(word, 0) for word in first)
        return inner / math.prod(lengths) if math.prod(lengths) else 0.0

    likeness = [cosine(vector(asked), vector(each)) for each in known]
    if max(likeness) == 0:
        assert (found.response, found.declined) == (None, True)
    else:
        assert found.confidence == pytest.approx(max(likeness))
        assert likeness[found.response] == pytest.approx(max(likeness))


def test_blocks_change_nothing(monkeypatch):
    system = baselines.Nearest().fit(TEXTS, LABELS)
    whole = responses(system, *TEXTS, "zzz")
    monkeypatch.setattr(module, "_BLOCK", 2)
    assert responses(system, *TEXTS, "zzz") == whole
    assert [a.response for a in whole] == ["on", "on", "off", None, None]


def test_the_silent_decline():
    [answer] = responses(baselines.Silent(), "x")
    assert (answer.response, answer.declined, answer.kind) == (None, True, "idk")


def test_no_confidence_has_a_lower_curve_than_the_ideal_refuser():
    inner = baselines.Chance(seed=1).fit(TEXTS, LABELS)
    items = [str(k) for k in range(200)]
    right = {item: ("on" if int(item) % 3 else "off") for item in items[:150]}
    wise = baselines.IdealRefuser(inner, right)
    references = [
        {"item": item, "reference": right[item]}
        if item in right
        else {"item": item, "answerable": False}
        for item in items
    ]
    curves = {}
    for system in (inner, wise):
        found = system.respond([Input(item, "x") for item in items])
        curves[system.name] = demur.error_return(
            demur.judge(found, references, by="label")
        )
    for rate in (0.0, 0.1, 0.3, 0.5, 0.9):
        best = curves["ideal refuser"].at(nonreturn=rate).error
        assert best <= curves["chance"].at(nonreturn=rate).error + 1e-12
    forced = [each.at(nonreturn=0.0).error for each in curves.values()]
    assert forced[0] == forced[1]


def test_an_ideal_refuser_may_compare_in_its_own_way():
    shouting = demur.as_system(str.upper)
    wise = baselines.IdealRefuser(
        shouting, {0: "on"}, equal=lambda a, b: a.lower() == b.lower()
    )
    assert [a.declined for a in responses(wise, "on", "off")] == [False, True]


def test_without_a_guess_there_is_nothing_to_be_sure_of():
    [answer] = responses(baselines.IdealRefuser(baselines.Silent(), {0: "on"}), "x")
    assert (answer.confidence, answer.declined, answer.failed) == (None, True, None)
    either = baselines.IdealRefuser(demur.as_system(str.lower), {0: ["off", "on"]})
    assert [a.confidence for a in responses(either, "ON")] == [1.0]


def test_what_has_failed_is_no_decline():
    def fails(_):
        raise ValueError("no")

    [answer] = responses(baselines.IdealRefuser(demur.as_system(fails), {}), "x")
    assert (answer.failed, answer.declined) == ("ValueError: no", None)


@pytest.mark.parametrize("kind", LEARNING)
def test_what_cannot_be_learned(kind):
    with pytest.raises(InputError, match="one for each input"):
        kind().fit(["x"], [])
    with pytest.raises(InputError, match="name an answer"):
        kind().fit(["x"], [None])
    with pytest.raises(RunError, match="call fit first"):
        responses(kind(), "x")


@pytest.mark.parametrize("kind", [*LEARNING, baselines.Silent])
def test_baselines_are_systems(kind):
    assert isinstance(kind(), demur.System)
    assert str(kind()).startswith(kind.__name__.lower())
