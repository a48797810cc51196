"""When context is reset: the table of the docs, laws, and hostile dialogues."""

import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from demur.errors import InputError
from demur.outcomes.contexts import (
    CONTEXT_RULES,
    NOT_ASKED,
    context_of,
    dialogue_turns,
    in_context,
)
from demur.outcomes.records import Reference

ITEMS = [f"q{number}" for number in range(9)]


@st.composite
def _turns(draw):
    """Interleaved dialogues with contexts of all kinds, also faulty ones."""
    listed = []
    for item in ITEMS[: draw(st.integers(0, len(ITEMS)))]:
        turn = {"item": item}
        turn |= draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "dialogue": st.sampled_from(["d1", "d2"]),
                    "cluster": st.sampled_from(["d2", "d3"]),
                    "class": st.sampled_from(["A", "D", "X", "D"]),
                    "excluded": st.booleans(),
                    "reset": st.sampled_from([False, False, True]),
                    "context": st.lists(st.sampled_from([*ITEMS, "none"]), max_size=2),
                },
            )
        )
        listed.append(turn)
    return listed


def _under(records, rule):
    return in_context(dialogue_turns(records), rule)


def _plain(records, rule):
    return [
        (list(one.given), bool(one.reset), one.is_asked)
        for one in _under(records, rule)
    ]


@given(_turns(), st.sampled_from([*CONTEXT_RULES]))
def test_it_is_what_the_definition_says(records, rule):
    assert _plain(records, rule) == reference.context(records, rule)


@given(_turns())
def test_each_rule_gives_and_asks_no_more_than_the_one_before(records):
    all_of_it, since, alone = (_under(records, rule) for rule in CONTEXT_RULES)
    for one, two, three in zip(all_of_it, since, alone, strict=True):
        assert three.given == ()
        assert one.given[len(one.given) - len(two.given) :] == two.given
        assert three.is_asked <= two.is_asked <= one.is_asked


@given(_turns(), st.randoms(use_true_random=False), st.sampled_from([*CONTEXT_RULES]))
def test_only_the_order_inside_a_dialogue_counts(records, random, rule):
    records = [one for one in records if {"dialogue", "cluster"} & one.keys()]
    of = {one["item"]: one.get("dialogue", one.get("cluster")) for one in records}
    # Whether what is elsewhere comes before or after is one thing: it is not given.
    order = [of[one["item"]] for one in records]
    random.shuffle(order)
    waiting = {name: [r for r in records if of[r["item"]] == name] for name in order}
    shuffled = [waiting[name].pop(0) for name in order]
    before = dict(zip((r["item"] for r in records), _plain(records, rule), strict=True))
    after = dict(
        zip((r["item"] for r in shuffled), _plain(shuffled, rule), strict=True)
    )
    assert before == after


@given(_turns(), st.sampled_from([*CONTEXT_RULES]))
def test_marks_of_a_rule_say_the_same_again(records, rule):
    """What is packed with its resets means the same under the rule that gives most."""
    under = _under(records, rule)
    marked = [
        {**record, "reset": bool(one.reset)}
        for record, one in zip(records, under, strict=True)
    ]
    for again in (rule, "dialogue"):
        for one, two in zip(under, _under(marked, again), strict=True):
            if one.is_asked:
                assert (one.given, two.is_asked) == (two.given, True)


@given(_turns(), st.sampled_from([*CONTEXT_RULES]))
def test_whoever_is_not_asked_has_a_reason(records, rule):
    for one in _under(records, rule):
        assert (one.why in NOT_ASKED, bool(one.reason)) == (not one.is_asked,) * 2
        if one.is_asked and one.turn.label != "A":
            assert {*one.turn.context} <= {*one.given}


# -- the cases of the definition -----------------------------------------------------

FIVE = [
    {"item": "q1", "dialogue": "d", "class": "A"},
    {"item": "q2", "dialogue": "d", "class": "D", "context": ["q1"]},
    {"item": "q3", "dialogue": "d", "class": "X"},
    {"item": "q4", "dialogue": "d", "class": "D", "context": ["q2"]},
    {"item": "q5", "dialogue": "d", "class": "A"},
]


@pytest.mark.parametrize(
    ("rule", "given", "asked"),
    [
        ("dialogue", ["", "q1", "", "q1 q2 q3", "q1 q2 q3 q4"], "q1 q2 q4 q5"),
        ("excluded", ["", "q1", "", "", ""], "q1 q2 q5"),
        ("alone", ["", "", "", "", ""], "q1 q5"),
    ],
)
def test_a_dialogue_of_five(rule, given, asked):
    under = _under(FIVE, rule)
    assert [" ".join(one.given) for one in under] == given
    assert [one.turn.item for one in under if one.is_asked] == asked.split()


LEANS = {"t2": "t1", "t4": "t2", "t5": "t4", "t8": "t9", "t9": "t7"}
NINE = [
    {"item": item, "dialogue": "d", "class": label, "context": LEANS.get(item)}
    for item, label in ((f"t{number}", c) for number, c in enumerate("ADXDDADDD", 1))
]


@pytest.mark.parametrize(
    ("rule", "cases"),
    [
        ("dialogue", "0 1 excluded 3 4 5 6 later 8"),
        ("excluded", "0 1 excluded reset reset 0 1 later reset"),
        ("alone", "0 alone excluded alone alone 0 alone later alone"),
    ],
)
def test_the_table_of_the_definition(rule, cases):
    """How many turns each is given, or why it is not asked."""
    under = _under(NINE, rule)
    assert " ".join(one.why or str(len(one.given)) for one in under) == cases


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ({"context": "q3"}, "its context 'q3' does not come before it"),
        ({"context": "q4"}, "its context 'q4' does not come before it"),
        ({"context": "q9"}, "its context 'q9' is no item"),
        ({"context": "e1"}, "its context 'e1' is in another dialogue"),
        ({"context": "q1"}, "its context 'q1' lies before a reset"),
        ({"context": "q2"}, "its context 'q2' lies before a reset"),
        ({"class": "D"}, "its context 'q2' lies before a reset"),
        ({"class": "D", "dialogue": "new"}, "it is of class D, and nothing comes"),
        ({"context": "u1", "dialogue": ""}, "its context 'u1' and itself name no"),
        ({"excluded": True, "context": "q9"}, "it is excluded"),
        ({"class": "A", "context": "q9"}, ""),
    ],
)
def test_what_is_not_asked_says_why(last, reason):
    records = [
        {"item": "u1"},
        {"item": "e1", "dialogue": "e"},
        {"item": "q1", "dialogue": "d"},
        {"item": "q2", "dialogue": "d", "excluded": True},
        {"item": "q3", "dialogue": "d"} | last,
        {"item": "q4", "dialogue": "d"},
    ]
    assert _under(records, "excluded")[4].reason.startswith(reason)
    assert bool(reason) == bool(_under(records, "excluded")[4].reason)


def test_what_cannot_be_asked_resets_like_what_is_excluded():
    records = [
        {"item": "q1", "cluster": "d"},
        {"item": "q2", "cluster": "d", "context": "gone"},
        {"item": "q3", "cluster": "d", "context": "q1"},
        {"item": "q4", "cluster": "d", "context": "q3"},
        {"item": "q5", "cluster": "d"},
    ]
    why = [one.why for one in _under(records, "excluded")]
    assert why == ["", "unknown", "reset", "reset", ""]
    assert _under(records, "excluded")[2].reset == "'q2' before it is not asked"
    assert [one.why for one in _under(records, "dialogue")] == [
        "",
        "unknown",
        *[""] * 3,
    ]


def test_circles_are_asked_by_nobody_after_the_first():
    records = [
        {"item": "q1", "dialogue": "d", "context": ["q2"]},
        {"item": "q2", "dialogue": "d", "context": ["q1"]},
        {"item": "q3", "dialogue": "d", "context": ["q3"]},
    ]
    for rule, why in {
        "dialogue": ["later", "", "later"],
        "excluded": ["later", "reset", "later"],
        "alone": ["later", "alone", "later"],
    }.items():
        assert [one.why for one in _under(records, rule)] == why


@pytest.mark.parametrize("cells", [("true", "TRUE"), (1, "1"), (True, " true ")])
def test_marks_of_tables_are_texts(cells):
    turns = dialogue_turns([{"item": 1, "excluded": cells[0], "reset": cells[1]}])
    assert turns[0][4:6] == (True, True)
    assert dialogue_turns([{"item": 1, "excluded": "", "reset": "0"}])[0][4:6] == (
        False,
        False,
    )


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([{"item": "a"}, {"item": "a"}], "record 2: item must be listed once"),
        ([{"cluster": "a"}], "record 1: a turn must have a field item; got cluster"),
        ([{"item": None}], "record 1: item must"),
        ([("f:7", {"item": 1, "excluded": "si"})], "f:7: excluded must be true or f"),
        ([{"item": 1, "reset": 2}], "record 1: reset must be true or false; got 2"),
        ([{"item": 1, "dialogue": ["x"]}], "record 1: dialogue must"),
    ],
)
def test_what_is_no_turn_is_refused(records, said):
    with pytest.raises(InputError) as refused:
        dialogue_turns(records)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("rule", ["all", "", None, 3, ["alone"]])
def test_what_is_no_rule_is_refused(rule):
    with pytest.raises(InputError, match="context must be one of dialogue, excluded, "):
        in_context([], rule)


def test_references_and_their_records_are_the_same_turns():
    extra = {"class": "D", "context": '["q1", "q2"]', "dialogue": 4, "excluded": False}
    one = Reference(item="q3", cluster="ada", input="And?", extra=extra)
    two = {"item": "q3", "cluster": "ada", "input": "And?", **extra}
    assert dialogue_turns([one]) == [
        dialogue_turns([two])[0]._replace(place="record 1")
    ]
    assert dialogue_turns([one])[0].dialogue == "4"


def test_a_context_that_is_no_list_is_one_name():
    assert context_of("[q1") == ("[q1",)
    assert context_of(7) == ("7",)
    assert context_of(float("nan")) == ()
    assert context_of([None, "", "q1"]) == ("q1",)


def test_a_long_dialogue_takes_memory_by_its_length():
    """Of 10,000 turns each has all before it; none holds a copy of them."""
    records = [{"item": number, "dialogue": "d"} for number in range(10_000)]
    turns = dialogue_turns(records)
    tracemalloc.start()
    try:
        under = in_context(turns, "dialogue")
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size < 10_000 * 500
    assert len(under[-1].given) == 9_999
    assert sys.getsizeof(under[-1].before) > 9_999 * 8
