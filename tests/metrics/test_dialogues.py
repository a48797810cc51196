"""Slots, discourse measures, costs and performance: golden cases, laws, bad tables."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed, printed_json, refuses, run, stderr_of, write_records
from demur import InputError, UndefinedRate
from nlu_cases import case

# -- states --------------------------------------------------------------------------


def golden():
    told = case("higashinaka_13")["input"]
    return {
        "ref": told["reference"],
        "hyp": told["hypothesis"],
        "ref_act": told["reference_acts"],
        "hyp_act": told["hypothesis_acts"],
        "dialogue": ["d"] * 4,
    }, told["slots"]


def test_golden_discourse_measures():
    table, slots = golden()
    wanted = case("higashinaka_13")["expected"]
    found = demur.discourse_measures(table, slots=slots)
    printed = [value for name, value in wanted.items() if name[0].isdigit()]
    assert [each.value for each in found.measures] == pytest.approx(printed, abs=1e-6)
    own = demur.discourse_measures(table, slots=slots, update_prior="own")
    counts = wanted["update_counts_own_prior"]
    assert own.value("8 update deletion error rate") == pytest.approx(
        counts["update_deletion_error_rate"]
    )
    assert own.value("6 update precision") == counts["update_precision"]
    modern = demur.slot_scores(table, slots=slots)
    joint = wanted["modern"]["joint_goal_accuracy"]
    assert modern.value("joint goal accuracy") == joint
    assert modern.value("average goal accuracy") == pytest.approx(
        wanted["modern"]["average_goal_accuracy_macro"]
    )
    assert modern.value("relative slot accuracy") == pytest.approx(
        wanted["modern"]["relative_slot_accuracy"], abs=1e-6
    )


def test_golden_slot_error_rate():
    one = case("slot_error_rate_makhoul")
    n = one["input"]
    ref = {f"c{k}": "v" for k in range(n["C"])} | {f"s{k}": "v" for k in range(n["S"])}
    ref |= {f"d{k}": "v" for k in range(n["D"])}
    hyp = {f"c{k}": "v" for k in range(n["C"])} | {f"s{k}": "w" for k in range(n["S"])}
    hyp |= {f"i{k}": "v" for k in range(n["I"])}
    found = demur.slot_scores(hypotheses=[hyp], references=[ref])
    assert found.value("slot error rate") == one["expected"]["SER"]
    assert found.value("slot precision") == one["expected"]["P"]
    assert found.value("slot recall") == one["expected"]["R"]


state = st.dictionaries(st.sampled_from("abc"), st.sampled_from("uv"), max_size=3)
turns = st.lists(st.tuples(state, state), min_size=1, max_size=8)


@given(turns, st.sampled_from(["system", "own"]), st.integers(1, 3))
def test_the_three_identities(rows, prior, size):
    table = {
        "ref": [ref for ref, _ in rows],
        "hyp": [hyp for _, hyp in rows],
        "dialogue": [k // size for k in range(len(rows))],
    }
    found = demur.discourse_measures(table, slots="abc", update_prior=prior)
    value = [None, *(each.value for each in found.measures)]
    assert sum(value[1:5]) == pytest.approx(1)
    if any(table["ref"]):
        assert value[11] + value[12] + value[13] == pytest.approx(1)
    if value[6] is not None:
        assert value[6] + value[7] + value[9] == pytest.approx(1)
    # By plain counts, slot by slot:
    ok = sum(ref.get(s) == hyp.get(s) for ref, hyp in rows for s in "abc")
    assert value[1] == pytest.approx(ok / (3 * len(rows)))
    before = [{} if k % size == 0 else rows[k - 1][1] for k in range(len(rows))]
    changed = [
        (ref.get(s) == hyp.get(s))
        for (ref, hyp), old in zip(rows, before, strict=True)
        for s in "abc"
        if hyp.get(s) != old.get(s)
    ]
    assert value[6] == (pytest.approx(np.mean(changed)) if changed else None)
    joint = demur.slot_scores(table).value("joint goal accuracy")
    assert joint == np.mean([ref == hyp for ref, hyp in rows])


def test_empty_values_are_a_policy():
    ref, hyp = [{"area": "none", "food": "dontcare"}], [{"food": "thai"}]
    found = demur.slot_scores(hypotheses=hyp, references=ref)
    assert found.value("slot error rate") == 1.0
    assert (
        demur.slot_scores(hypotheses=hyp, references=ref, none="value").value(
            "slot error rate"
        )
        == 1.0
    )
    free = demur.slot_scores(hypotheses=hyp, references=ref, dontcare="empty")
    assert free.value("slot error rate") is None
    assert "dontcare is empty" in free.signature
    assert (
        demur.slot_scores(hypotheses=[{}], references=ref, none="empty").value(
            "slot recall"
        )
        == 0
    )


def test_a_declined_turn_keeps_the_state_before():
    table = {
        "ref": [{"a": "u"}, {"a": "u", "b": "v"}],
        "hyp": [{"a": "u"}, None],
        "dialogue": ["d", "d"],
    }
    table["ref"] += [{"a": "v"}, {"a": "v"}]
    table["hyp"] += [None, {"a": "v"}]
    table["dialogue"] += ["e", "e"]
    found = demur.slot_scores(table)
    assert found.declined == 2
    assert found.value("slot recall") == pytest.approx(3 / 5)
    table = {name: own[:2] for name, own in table.items()}
    found = demur.slot_scores(table)
    assert found.declined == 1
    assert found.value("slot recall") == pytest.approx(2 / 3)
    [joint] = [each for each in found.measures if each.name == "joint goal accuracy"]
    assert (joint.value, joint.answered) == (0.5, 1.0)
    assert found.outcomes().counts()["unanswered"] == 1


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"ref": [3], "hyp": [{}]}, "row 1: ref must be an object"),
        ({"ref": [{}] * 3, "hyp": [{}] * 3, "dialogue": [1, 2, 1]}, "stand together"),
        ({"ref": [], "hyp": []}, "at least one"),
        ({"ref": [{}] * 2, "hyp": [{}] * 2, "system": ["x", "y"]}, "one system"),
        ({"ref": [{}]}, "hyp"),
    ],
)
def test_states_that_are_none(table, words):
    refuses(words, demur.slot_scores, table)


def test_turns_as_outcomes_and_rates_by_dialogue():
    table = {
        "ref": [{"a": "u", "b": "v"}, {"a": "u"}, {}, {"a": "u", "b": "v", "c": "w"}],
        "hyp": [{"a": "u", "b": "x"}, {"a": "u", "c": "y"}, {"c": "y"}, {"a": "u"}],
        "dialogue": ["d", "d", "e", "f"],
    }
    found = demur.slot_scores(table)
    columns = found.outcomes().to_columns()  # the third turn has no slot to fill
    assert columns["credit"] == pytest.approx([1 / 2, 0, 1 / 3])
    assert columns["weight"] == [2, 1, 3]
    rates = found.by_dialogue
    assert rates["slot error rate"].tolist()[::2] == pytest.approx([2 / 3, 2 / 3])
    assert np.isnan(rates["slot error rate"][1])  # an insertion on no slots
    assert rates["slot precision"].tolist() == pytest.approx([2 / 4, 0, 1])
    assert rates["joint goal accuracy"].tolist() == [0, 0, 0]
    assert rates["relative slot accuracy"].tolist() == pytest.approx([1 / 2, 0, 1 / 3])
    average = rates["average goal accuracy"]
    assert average[[0, 2]].tolist() == pytest.approx([3 / 4, 1 / 3])
    assert np.isnan(average[1])
    (table_,) = found.tables()
    assert "by_dialogue" not in found.to_dict()
    assert len(table_.rows) == len(found.measures)


def test_slots_that_are_not_there():
    two = {"hypotheses": [{}], "references": [{"c": "u"}]}
    refuses("be among a, b", demur.slot_scores, **two, slots=["a", "b"])
    refuses("empty", demur.slot_scores, hypotheses=[{}], references=[{}], none="wild")


# -- costs ---------------------------------------------------------------------------

LOG = [
    {"dialogue": "d1", "speaker": "system", "start": 0, "end": 2, "event": ""},
    {"dialogue": "d1", "speaker": "user", "start": 2, "end": 5, "score": 0.5},
    {"dialogue": "d1", "speaker": "user", "start": 5, "end": 9, "event": "Time-out"},
    {"dialogue": "d2", "speaker": "user", "start": 1, "end": 4, "score": 0.9},
    {"dialogue": "d2", "speaker": "user", "start": 4, "end": 5, "event": "barge_in"},
]


def test_costs_are_counted_by_dialogue():
    found = demur.dialogue_costs(LOG)
    costs = {each.name: each for each in found.costs}
    assert (costs["turns"].mean, costs["user turns"].total) == (2.5, 4)
    assert found.by_dialogue["seconds"].tolist() == [9, 4]
    assert found.by_dialogue["recognition score"].tolist() == [0.5, 0.9]
    assert costs["timeout"].share == pytest.approx(1 / 5)
    assert found.by_dialogue["barge-in"].tolist() == [0, 1]
    assert (found.dialogues, found.turns) == (2, 5)
    told = [{"dialogue": "d", "seconds": 2}, {"dialogue": "d", "seconds": 3.5}]
    assert demur.dialogue_costs(told).by_dialogue["seconds"].tolist() == [5.5]


def test_costs_that_are_alike_are_each_named_and_scores_have_no_sum():
    found = demur.dialogue_costs(LOG)
    ends = "0.200 of the turns end in each of timeout, barge-in ("
    assert ends in found.sentence()
    costs = {each.name: each for each in found.costs}
    assert costs["recognition score"].total is None
    said = costs["recognition score"].sentence()
    assert said == "The recognition score of a dialogue is 0.7 on average."
    assert str(costs["turns"]).startswith("A dialogue has 2.5 turns on average, 5 in")
    assert "end in timeout (" in demur.dialogue_costs(LOG[:3]).sentence()


def test_notes_say_where_there_is_no_interval():
    log = [{"dialogue": f"d{row}", "seconds": "" if row else 1} for row in range(5)]
    turns = {
        **{"ref": [{"a": "u"}, {}] * 4, "hyp": [{"a": "v"}, {}] * 4},
        "dialogue": [*"ppqqrrss"],
    }
    spans = {"references": ["B-x"] * 4 + ["O"], "hypotheses": ["B-x"] * 4 + ["O"]}
    alone = {"ref": turns["ref"], "hyp": turns["hyp"]}
    every = "no interval: fewer than 5"
    for found, words in (
        (demur.dialogue_costs(log[:4]), f"{every} dialogues count"),
        (demur.dialogue_costs(log), "no interval of seconds: fewer than 5 dialogues"),
        (demur.slot_scores(turns), f"{every} dialogues count"),
        (demur.slot_scores(alone), "no interval of slot error rate, slot precision,"),
        (demur.discourse_measures(turns), f"{every} dialogues count"),
        (demur.span_scores(**spans), f"{every} sentences count"),
    ):
        assert words in "\n".join(found.notes)
    for found in (
        demur.dialogue_costs([{"dialogue": name} for name in "abcde"]),
        demur.span_scores(references=["B-x"] * 5, hypotheses=["B-x"] * 5),
        demur.span_scores(references=["O"], hypotheses=["O"]),
    ):
        assert "no interval" not in "\n".join(found.notes)


def test_costs_of_what_is_not_there():
    log = [
        {"dialogue": "a", "speaker": "System ", "start": 1, "end": 1, "score": 0.5},
        {"dialogue": "a", "speaker": "user", "start": None, "end": 4, "score": 0.75},
        {"dialogue": "b", "speaker": "user", "start": 5, "end": None, "score": None},
        {"dialogue": "c", "speaker": "other", "start": 0, "end": 3, "score": 0.5},
    ]
    found = demur.dialogue_costs(log)
    shown = {name: list(map(str, of)) for name, of in found.by_dialogue.items()}
    assert shown == {
        "dialogue": [*"abc"],
        "turns": ["2.0", "1.0", "1.0"],
        "user turns": ["1.0", "1.0", "0.0"],
        "system turns": ["1.0", "0.0", "0.0"],
        "seconds": ["3.0", "nan", "3.0"],
        "recognition score": ["0.625", "nan", "0.5"],
    }
    costs = {cost.name: cost for cost in found.costs}
    assert (costs["seconds"].mean, costs["seconds"].total) == (3.0, 6.0)
    assert costs["recognition score"].mean == pytest.approx((0.625 + 0.5) / 2)
    assert {cost.share for cost in found.costs} == {None}
    for missing in ("start", "end"):
        part = [{name: row[name] for name in row if name != missing} for row in log]
        assert "seconds" not in demur.dialogue_costs(part).by_dialogue
    nothing = [{"dialogue": "a", "score": None}]
    [_, score] = demur.dialogue_costs(nothing).costs
    assert (score.mean, score.total, score.interval) == (None, None, None)
    refuses("at least one", demur.dialogue_costs, {"dialogue": []})


@pytest.mark.parametrize(
    ("events", "most"),
    [
        (["help", "help", "timeout"], "; 0.667 of the turns end in help ("),
        (
            ["help", "timeout", ""],
            "; 0.333 of the turns end in each of timeout, help (",
        ),
        (["", "", ""], "A dialogue takes 3 turns ("),
    ],
)
def test_the_sentence_on_costs_names_the_events_that_are_most(events, most):
    rows = [{"dialogue": "d", "event": event} for event in events]
    assert most in demur.dialogue_costs(rows).sentence()


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"dialogue": "d", "event": "yawn"}, "timeout, rejection, help"),
        ({"dialogue": "d", "score": "high"}, "score must be a number"),
        ({"dialogue": "d", "start": 3, "end": 1}, "be after start"),
        ({"dialogue": "d", "seconds": float("inf")}, "be finite"),
        ({"dialogue": "d", "seconds": 10**400}, "be finite"),
        ({"turn": 1}, "have dialogue"),
    ],
)
def test_logs_that_are_none(row, words):
    refuses(words, demur.dialogue_costs, [row])


# -- performance ---------------------------------------------------------------------


def walker():
    told = case("paradise_table5_regression")["input"]
    return {
        name: [row[place] for row in told["rows"]]
        for place, name in enumerate(told["columns"])
    }


def test_golden_performance_function():
    wanted = case("paradise_table5_regression")["expected"]
    for predictors, method in (
        (["kappa", "rep"], "all"),
        (["kappa", "utt", "rep"], "significant"),
    ):
        found = demur.paradise(walker(), "US", predictors, by="agent", method=method)
        weights = {each.name: each.weight for each in found.predictors}
        assert weights == pytest.approx(
            {"kappa": wanted["coef_kappa"], "rep": wanted["coef_rep"]}, abs=1e-6
        )
        assert found.r_squared == pytest.approx(wanted["r2"], abs=1e-6)
        assert found.groups == pytest.approx(
            {"A": wanted["mean_performance_A"], "B": wanted["mean_performance_B"]},
            abs=1e-6,
        )
    assert found.dropped == {"utt": "not significant"}
    full = demur.paradise(walker(), "US", ["kappa", "utt", "rep"])
    [utterances] = [each for each in full.predictors if each.name == "utt"]
    assert round(utterances.inflation, 1) == 9.1


def test_golden_kappas_of_the_paper():
    for name in ("paradise_kappa_agentA", "paradise_kappa_agentB"):
        one = case(name)
        key = np.array(one["input"]["key_column_sums"])
        agreed = one["input"].get("P_A", one["expected"].get("P_A"))
        if "diagonal" in one["input"]:
            agreed = sum(one["input"]["diagonal"]) / key.sum()
        chance = float(((key / key.sum()) ** 2).sum())
        kappa = (agreed - chance) / (1 - chance)
        assert chance == pytest.approx(one["expected"]["P_E"])
        assert kappa == pytest.approx(one["expected"]["kappa"], abs=1e-5)


def test_the_thirteen_measures_depend_on_each_other():
    rng = np.random.default_rng(0)
    rows = {"ref": [], "hyp": [], "ref_act": [], "hyp_act": [], "dialogue": []}
    for dialogue in range(60):
        ref, hyp, skill = {}, {}, rng.random()
        for _ in range(6):
            act = {str(rng.choice(list("abcde"))): str(rng.integers(3))}
            said = (
                act
                if rng.random() < skill
                else {str(rng.choice(list("abcde"))): str(rng.integers(3))}
            )
            ref, hyp = ref | act, hyp | said
            for name, value in zip(rows, (ref, hyp, act, said, dialogue), strict=True):
                rows[name].append(value)
    found = demur.discourse_measures(rows)
    measures = {name: np.nan_to_num(own) for name, own in found.by_dialogue.items()}
    names = list(measures)
    time = 10 + 20 * measures["5 slot error rate"] + rng.normal(size=60)
    table = {**measures, "time": time}
    whole = demur.paradise(table, "time", names)
    given_ = [name for name, why in whole.dropped.items() if "given" in why]
    assert len(given_) == 3
    assert whole.r_squared_held_out < whole.r_squared
    kept = demur.paradise(table, "time", names, method="aic")
    assert len(kept.predictors) < len(whole.predictors)
    assert kept.r_squared_held_out > 0.8


def test_held_out_dialogues_had_no_part():
    rng = np.random.default_rng(1)
    noise = {f"x{k}": rng.normal(size=20) for k in range(10)}
    table = {**noise, "y": rng.normal(size=20)}
    found = demur.paradise(table, "y", list(noise))
    assert found.r_squared > 0.3
    assert found.r_squared_held_out < 0.2
    # By hand, one row at a time:
    x = np.column_stack(list(noise.values()))
    said = []
    for k in range(20):
        rest = np.arange(20) != k
        design = np.column_stack([np.ones(19), x[rest]])
        beta = np.linalg.lstsq(design, table["y"][rest], rcond=None)[0]
        said.append(beta[0] + x[k] @ beta[1:])
    y = table["y"]
    wanted = 1 - ((y - said) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    assert found.r_squared_held_out == pytest.approx(wanted)
    assert found.rmse_held_out == pytest.approx(np.sqrt(((y - said) ** 2).mean()))


def test_support_vectors_say_about_the_same():
    pytest.importorskip("sklearn")
    found = demur.paradise(walker(), "US", ["kappa", "rep"], method="svr")
    weights = [each.weight for each in found.predictors]
    assert weights == pytest.approx([0.4, -0.78], abs=0.1)
    assert found.predictors[0].p_value is None


@pytest.mark.parametrize(
    ("columns", "error", "words"),
    [
        ({"y": [1, 2, 3, 4], "x": [1, 1, 1, 1]}, InputError, "vary; got none"),
        ({"y": [1, 1, 1, 1], "x": [1, 2, 3, 4]}, InputError, "vary over three"),
        ({"y": [1, 2, None, 4], "x": [1, 2, 3, 4]}, InputError, "row 3: y must be"),
        ({"y": [1, 2, 3], "x": [1, 5, 3], "z": [2, 9, 1]}, UndefinedRate, "at least 4"),
    ],
)
def test_regressions_that_are_none(columns, error, words):
    with pytest.raises(error, match=words):
        demur.paradise(columns, "y", [name for name in columns if name != "y"])


def test_a_cost_without_spread_is_dropped_by_name():
    table = walker() | {"help": [0] * 16}
    found = demur.paradise(table, "US", ["kappa", "rep", "help"])
    assert found.dropped == {"help": "no spread"}


# -- commands ------------------------------------------------------------------------


def rows_of(columns):
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def test_a_target_does_not_predict_itself():
    asked = "US", ["kappa", "US"]
    words = "predictors must be others than the target; got US"
    refuses(words, demur.paradise, walker(), *asked)


def test_the_gates_of_the_help_can_be_asked(tmp_path):
    table, _ = golden()
    turns = write_records(tmp_path / "turns.jsonl", rows_of(table))
    log = write_records(tmp_path / "log.jsonl", LOG)
    text = tmp_path / "text.txt"
    text.write_text("so it is\nit is so\n", "utf-8")
    for words, code in (
        (("discourse", turns), 1),
        (("costs", log), 0),
        (("perplexity", text, "--train", text), 0),
    ):
        shown = " ".join(printed("metrics", words[0], "--help").split())
        [gate] = re.findall("e.g. '([^']+)'; may be", shown)
        assert run("metrics", *words, "--fail-if", gate).code == code


def test_commands_show_what_the_verbs_find(tmp_path):
    table, _ = golden()
    path = write_records(tmp_path / "turns.jsonl", rows_of(table))
    shown = printed_json("metrics", "discourse", path)
    assert shown["measures"][4]["value"] == pytest.approx(0.571429, abs=1e-6)
    asked = ["metrics", "discourse", path, "--update-prior", "own"]
    printed(*asked, "--fail-if", "8 update deletion error rate > 0.3")
    stderr_of("metrics", "slots", path, "--fail-if", "slot error rate > 0.5", code=1)
    log = write_records(tmp_path / "log.jsonl", LOG)
    words = " ".join(printed("metrics", "costs", log).split())
    assert "(2 dialogues, 5 turns)" in words
    path = write_records(tmp_path / "dialogues.jsonl", rows_of(walker()))
    asked = ["--target", "US", "--predictors", "kappa,rep", "--by", "agent"]
    said = printed("metrics", "paradise", path, *asked)
    assert "-0.776" in said
    assert re.search(r"^B +\+0\.438$", said, re.MULTILINE)


@pytest.mark.parametrize(("n", "words"), [(1, "1 turn is dec"), (2, "2 turns are dec")])
def test_one_turn_is_declined_and_two_are(n, words):
    turns = {"hypotheses": [None] * n, "references": [{"a": "1"}] * n}
    assert words in demur.slot_scores(**turns).notes[0]


def test_acts_of_turns_are_asked_for_and_named_in_errors():
    turn = {"ref": {"a": "1"}, "hyp": {"a": "1"}}
    needs = "10 speech understanding rate: needs the columns ref_act and hyp_act"
    assert needs in demur.discourse_measures([turn]).notes
    with_acts = turn | {"ref_act": {"a": "1"}, "hyp_act": {"a": "1"}}
    assert needs not in demur.discourse_measures([with_acts]).notes
    bare = with_acts | {"hyp_act": "inform"}
    refuses("hyp_act must be an object", demur.discourse_measures, [bare])
