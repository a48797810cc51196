"""Runs of pipelines against a plain twin, and the laws they obey."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from pipeline_cases import (
    modules,
    pipeline,
    pipeline_of,
    random_dialogues,
    target_dialogues,
)
from reference_pipelines import act_rates, run

CONFIGURATIONS = [
    {},
    {"nlu": "target"},
    {"nlu": "one"},
    {"tracker": "two"},
    {"nlu": "one", "tracker": "two"},
    {"nlu": "target", "tracker": "target"},
    {"policy": "target"},
]


def has_acts(dialogues):
    return any(turn["target"].get("policy") for each in dialogues for turn in each)


def known(dialogues, given_):
    """Whether each source says something of its module."""
    turns = [turn for each in dialogues for turn in each]
    return all(
        any(
            name
            in (turn["target"] if source == "target" else turn["annotations"][source])
            for turn in turns
        )
        for name, source in given_.items()
    )


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    given_=st.sampled_from(CONFIGURATIONS),
    state=st.sampled_from(["corrected", "free"]),
)
def test_outputs_and_rates_are_those_of_the_plain_twin(seed, given_, state):
    plain = random_dialogues(seed)
    if not has_acts(plain) or not known(plain, given_):
        return
    found = demur.run_pipeline(
        pipeline(), target_dialogues(plain), given=given_, state=state
    )
    expected = run(modules(), plain, given_, state)
    for name in ("nlu", "tracker", "policy"):
        ours = found.outputs(name)
        for own, value in zip(ours, expected, strict=True):
            assert own == (None if value is None else value[name])
    rates = act_rates(expected, plain, "policy")
    for match, value in (("strict", found.strict), ("multiple", found.multiple)):
        assert value == pytest.approx(rates[match]["recall"])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), source=st.sampled_from(["target", "one", "two"]))
def test_all_measures_of_a_row_are_those_of_the_plain_twin(seed, source):
    plain = random_dialogues(seed, 3)
    if not has_acts(plain) or not known(plain, {"nlu": source}):
        return
    found = demur.evaluate_pipeline(
        pipeline(), target_dialogues(plain), replace="nlu", sources=[source]
    )
    for state in ("corrected", "free"):
        expected = run(modules(), plain, {"nlu": source}, state)
        rates = act_rates(expected, plain, "policy")
        row = found.row(source, state)
        for measure, pair in row.measures.items():
            for match, rate in pair.items():
                assert rate.share == pytest.approx(rates[match][measure])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), state=st.sampled_from(["corrected", "free"]))
def test_an_outcome_table_adds_up_to_the_rate(seed, state):
    plain = random_dialogues(seed)
    if not has_acts(plain):
        return
    found = demur.run_pipeline(pipeline(), target_dialogues(plain), state=state)
    for match, value in (("strict", found.strict), ("multiple", found.multiple)):
        outcomes = found.outcomes(match)
        columns = outcomes.to_columns()
        right = [float(each == "right") for each in columns["outcome"]]
        credit = np.array(columns.get("credit", right), float)
        weight = np.asarray(outcomes.weight, float)
        assert len(outcomes) == found.items
        assert (credit @ weight) / weight.sum() == pytest.approx(value)
        assert set(outcomes.cluster) <= {
            each.dialogue for each in target_dialogues(plain)
        }


def test_multiple_is_never_below_strict_and_both_states_agree_on_first_turns():
    for seed in range(30):
        plain = random_dialogues(seed, 6, 1)
        if not has_acts(plain):
            continue
        dialogues = target_dialogues(plain)
        runs = [
            demur.run_pipeline(pipeline(), dialogues, state=state)
            for state in ("corrected", "free")
        ]
        assert runs[0].outputs("policy") == runs[1].outputs("policy")
        assert runs[0].strict <= runs[0].multiple


def test_the_order_of_modules_in_the_list_does_not_matter():
    dialogues = target_dialogues(random_dialogues(3))
    first = pipeline()
    nlu, tracker, policy = first.modules
    second = demur.Pipeline.of([tracker, nlu, policy])
    assert second.names == ("nlu", "tracker", "policy")
    a, b = (demur.run_pipeline(each, dialogues) for each in (first, second))
    assert a.outputs("policy") == b.outputs("policy")


def test_a_module_may_stand_in_the_place_of_another():
    dialogues = target_dialogues(random_dialogues(5, gaps=False))
    perfect = demur.as_module(lambda text: text, name="perfect")
    for state in ("corrected", "free"):
        swapped, target = (
            demur.run_pipeline(pipeline(), dialogues, given={"nlu": each}, state=state)
            for each in (perfect, "target")
        )
        assert swapped.outputs("policy") == target.outputs("policy")
        assert swapped.replaced == "nlu by perfect"


def test_an_alternative_with_a_state_follows_the_targets():
    class Remembers:
        """Says how many outputs it has seen that were targets."""

        def step(self, state, given):
            return {"heard": 10 * (state or 0)}, (state or 0) + 1

        def observe(self, state, given, output):
            return (state or 0) + (output["heard"] < 10)

    dialogues = target_dialogues(random_dialogues(8, gaps=False))
    module = demur.as_module(Remembers(), name="remembers")
    found = demur.run_pipeline(pipeline(), dialogues, given={"tracker": module})
    said = found.outputs("tracker")
    numbers = [turn for each in dialogues for turn in range(len(each.turns))]
    assert [each["heard"] for each in said] == [10 * number for number in numbers]


def test_what_a_source_leaves_out_declines_or_breaks_are_three_things():
    turns = [
        demur.TargetTurn(
            input="a",
            target={"nlu": "a", "policy": ["re.a"]},
            annotations={"s": own},
        )
        for own in ({}, {"nlu": None}, {"nlu": demur.Failed("timeout")}, {"nlu": "a"})
    ]
    answers = {"a": ["re.a"]}
    small = pipeline_of(nlu=str.lower, policy=answers.get)
    dialogues = [demur.TargetDialogue("d", turns)]
    found = demur.evaluate_pipeline(
        small, dialogues, replace="nlu", states=["corrected"]
    )
    row = found.row("s")
    assert (row.missing, row.declined, row.failed) == (1, 1, 1)
    assert (row.identical.amount, row.identical.base) == (1, 3)
    assert (row.strict.amount, row.strict.base) == (1, 3)
    assert row.silent == 2
    again = demur.run_pipeline(small, dialogues, given={"nlu": "s"})
    assert (again.missing, again.items, again.failed) == (1, 3, 1)
    assert demur.run_pipeline(small, dialogues).missing == 0
    outcomes = again.outcomes()
    assert outcomes.item.tolist() == ["d:2", "d:3", "d:4"]
    assert outcomes.counts()["unanswered"] == 2
    assert outcomes.column("reason")[1] == "nlu: s failed: timeout"


def test_turns_without_a_target_or_acts_are_left_out_and_counted():
    turns = [
        demur.TargetTurn(input="a", target={"nlu": "a", "policy": ["re.a"]}),
        demur.TargetTurn(input="a", target={"nlu": "a", "policy": []}),
        demur.TargetTurn(input="a", target={"nlu": "a"}),
    ]
    small = pipeline_of(nlu=str.lower, policy=lambda act: [f"re.{act}"])
    found = demur.run_pipeline(small, [demur.TargetDialogue("d", turns)])
    assert (found.items, found.without_target, found.without_acts) == (1, 1, 1)


def test_silence_and_declining_acts_are_no_answers_unless_they_match():
    said = [[], ["say.again"], ["say.again", "x"], ["say.again"], None]
    turns = [
        demur.TargetTurn(input=at, target={"dm": target}, acceptable={"dm": others})
        for at, (target, others) in enumerate(
            [
                (["x"], []),
                (["x"], []),
                (["y"], []),
                (["say.again", "x"], []),
                (["x"], [[]]),
            ]
        )
    ]
    module = demur.as_module(said.__getitem__, name="dm")
    one = demur.Pipeline.of([module], declines=["Say.Again"])
    found = demur.run_pipeline(one, [demur.TargetDialogue("d", turns)])
    strict, multiple = (found.outcomes(match) for match in ("strict", "multiple"))
    codes = strict.to_columns()["outcome"]
    assert codes == ["unanswered", "unanswered", "wrong", "right", "wrong"]
    assert multiple.to_columns()["outcome"][4] == "right"
    assert strict.credit.tolist() == [0, 0, 0, 0.5, 0]


def test_a_reference_run_is_all_right_from_target_inputs():
    for seed in range(20):
        plain = random_dialogues(seed, gaps=False)
        dialogues = target_dialogues(plain)
        found = demur.run_pipeline(
            pipeline(),
            dialogues,
            given={"nlu": "target", "tracker": "target"},
            target="reference_run",
        )
        assert found.strict == 1.0


def test_compatible_from_counts_what_modules_do_with_targets():
    turns = [
        demur.TargetTurn(input=word, target={"nlu": word, "dm": [f"re.{word}"]})
        for word in ("a", "b")
    ]
    small = pipeline_of(nlu=lambda _: "a", dm=lambda act: [f"re.{act}"])
    dialogues = [demur.TargetDialogue("d", turns)]
    found = demur.evaluate_pipeline(small, dialogues, replace="nlu")
    first, second = found.compatible
    assert (first.given, first.compatible, first.identical, first.turns) == (
        (),
        False,
        1,
        2,
    )
    assert first.differs == ("d:2",)
    assert (second.given, second.compatible, second.identical) == (("nlu",), True, 2)


@pytest.mark.parametrize("compare", ["slots", "whole"])
def test_what_is_no_plain_data_is_named_and_not_counted_as_wrong(compare):
    turn = demur.TargetTurn(input="a", target={"dm": ["a"]})
    dialogues = [demur.TargetDialogue("d", [turn])]
    for output in (np.array(["a", "b"]), b"a", [b"a"], object(), bytearray(b"a")):
        module = demur.as_module({"a": output}.get, name="dm", compare=compare)
        with pytest.raises(demur.RunError, match="'dm': an output is no plain data"):
            demur.run_pipeline(demur.Pipeline.of([module]), dialogues)


def test_what_only_goes_on_to_another_module_need_not_be_plain():
    turn = demur.TargetTurn(input="a", target={"dm": ["a"]})
    encoder = demur.as_module(lambda text: np.array([text]), name="encoder")
    dm = demur.as_module(lambda coded: [str(text) for text in coded], name="dm")
    pipeline = demur.Pipeline.of([encoder, dm])
    found = demur.run_pipeline(pipeline, [demur.TargetDialogue("d", [turn])])
    assert found.strict == 1


@pytest.mark.parametrize("kind", ["async def", "generator", "async generator"])
def test_what_is_to_be_waited_for_ends_the_run_by_name(kind):
    async def later(text):
        return [text]

    async def streamed(text):
        yield text

    functions = {
        "async def": (later, "coroutine"),
        "generator": (lambda text: (each for each in text), "generator"),
        "async generator": (streamed, "async_generator"),
    }
    function, called = functions[kind]
    turn = demur.TargetTurn(input="a", target={"dm": ["a"]})
    pipeline = demur.Pipeline.of([demur.as_module(function, name="dm")])
    with pytest.raises(demur.RunError, match=f"'dm' puts out a {called}"):
        demur.run_pipeline(pipeline, [demur.TargetDialogue("d", [turn])])


def test_what_failed_is_not_what_declined():
    turns = [
        demur.TargetTurn(
            input="a",
            target={"nlu": None, "dm": ["again"]},
            acceptable={"dm": [[]]},
            annotations={"broken": {"nlu": demur.Failed("timeout")}},
        )
    ]
    nlu = demur.as_module(lambda text: None, name="nlu")
    dm = demur.as_module({}.__getitem__, name="dm")
    found = demur.evaluate_pipeline(
        demur.Pipeline.of([nlu, dm]), [demur.TargetDialogue("d", turns)], replace="nlu"
    )
    rows = {row.source: row for row in found.rows if row.state == "corrected"}
    identical = {name: row.identical.share for name, row in rows.items()}
    assert identical == {"target": 1, "broken": 0, "actual": 1}
    assert rows["broken"].acceptable.share == 0
    assert rows["actual"].multiple.share == 0, "dm broke, which is no silence"
