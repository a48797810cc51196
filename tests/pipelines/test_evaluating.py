"""Tables of sources in the place of a module: cells, tests, options, texts."""

import numpy as np
import pytest

import demur
from builders import refuses
from demur.pipelines.pipeline_reports import PipelineReport
from pipeline_cases import pipeline, pipeline_of, random_dialogues, target_dialogues


def evaluated(seed=9, n=30, **options):
    dialogues = target_dialogues(random_dialogues(seed, n, gaps=False))
    options.setdefault("replace", "nlu")
    return demur.evaluate_pipeline(pipeline(), dialogues, **options), dialogues


def shares(dialogues, given_, state="corrected", match="strict"):
    """Credit, target acts and dialogue of each turn that counts."""
    run = demur.run_pipeline(pipeline(), dialogues, given=given_, state=state)
    outcomes = run.outcomes(match).to_columns()
    right = [float(each == "right") for each in outcomes["outcome"]]
    credit = np.array(outcomes.get("credit", right))
    known = {name: at for at, name in enumerate(dict.fromkeys(outcomes["cluster"]))}
    cluster = np.array([known[name] for name in outcomes["cluster"]])
    return credit, np.array(outcomes["weight"]), cluster


def test_source_against_actual_is_a_flip_of_signs_of_dialogues():
    found, dialogues = evaluated()
    for each in found.tests:
        if each.question != "source - actual" or each.state != "corrected":
            continue
        a, weight, cluster = shares(dialogues, {})
        b, _, _ = shares(dialogues, {"nlu": each.source})
        apart = weight * (b - a)
        assert each.difference == pytest.approx(apart.sum() / weight.sum())
        expected = demur.sign_flip(apart, cluster=cluster)
        assert each.p_value == pytest.approx(expected)
        assert each.units == len(set(cluster))


def test_response_against_module_pairs_turns():
    found, dialogues = evaluated()
    [each] = [
        t
        for t in found.tests
        if (t.question, t.source, t.state) == ("response - module", "one", "corrected")
    ]
    run = demur.run_pipeline(pipeline(), dialogues, given={"nlu": "one"})
    apart = [(at, turn) for at, each in enumerate(dialogues) for turn in each.turns]
    cluster: list[int] = []
    outputs = run.outputs("policy")
    differences = []
    for (at, turn), out in zip(apart, outputs, strict=True):
        target = set(turn.target["policy"])
        if not target:
            continue
        same = turn.annotations["one"]["nlu"] == turn.target["nlu"]
        differences.append(len(target & set(out)) / len(target) - same)
        cluster.append(at)
    assert each.items == len(differences)
    assert each.difference == pytest.approx(np.mean(differences))
    codes = np.unique(cluster, return_inverse=True)[1]
    assert each.p_value == pytest.approx(
        demur.sign_flip(np.array(differences), cluster=codes)
    )


def test_holm_is_over_the_sources_of_a_question_and_state():
    found, _ = evaluated()
    for question in {each.question for each in found.tests}:
        family = sorted(
            (t.p_value, t.adjusted)
            for t in found.tests
            if (t.question, t.state) == (question, "free")
        )
        most = 0.0
        for at, (p, adjusted) in enumerate(family):
            most = max(most, min(1.0, p * (len(family) - at)))
            assert adjusted == pytest.approx(most)


def test_mcnemar_is_for_turns_that_stand_alone():
    found, dialogues = evaluated(measure="exact", test="mcnemar", cluster="turn")
    [each] = [
        t
        for t in found.tests
        if (t.question, t.source, t.state) == ("source - actual", "two", "corrected")
    ]
    pair = []
    for given_ in ({}, {"nlu": "two"}):
        outputs = demur.run_pipeline(pipeline(), dialogues, given=given_).outputs(
            "policy"
        )
        turns = [turn for dialogue in dialogues for turn in dialogue.turns]
        pair.append(
            [
                set(out) == set(turn.target["policy"])
                for turn, out in zip(turns, outputs, strict=True)
                if turn.target["policy"]
            ]
        )
    better = sum(b and not a for a, b in zip(*pair, strict=True))
    worse = sum(a and not b for a, b in zip(*pair, strict=True))
    assert each.p_value == pytest.approx(demur.mcnemar_exact(better, worse))
    assert "Turns are taken as independent" in str(found)


@pytest.mark.parametrize("test", ["sign_flip", "wilcoxon"])
def test_exchanging_source_and_actual_turns_the_sign(test):
    dialogues = target_dialogues(random_dialogues(4, 20, gaps=False))
    perfect = demur.as_module(lambda text: text, name="perfect")
    found = demur.evaluate_pipeline(
        pipeline(), dialogues, replace="nlu", sources=[perfect], test=test
    )
    assert found.rows[0].source == "perfect"
    assert (
        found.row("perfect").strict
        == demur.evaluate_pipeline(
            pipeline(), dialogues, replace="nlu", sources=["target"]
        )
        .row("target")
        .strict
    )


def test_cells_have_counts_and_intervals_over_dialogues():
    found, dialogues = evaluated(n=40)
    for row in found.rows:
        assert row.identical.base == sum(len(each.turns) for each in dialogues)
        for rate in (row.identical, row.acceptable, row.strict, row.multiple):
            assert rate.share == pytest.approx(rate.amount / rate.base)
            assert 0 <= rate.low <= rate.share <= rate.high <= 1
        assert row.strict.base == row.acts
        assert row.strict.amount <= row.multiple.amount
        assert row.identical.amount <= row.acceptable.amount
    outputs = found.to_frame("polars", table="Outputs of nlu (turns)")
    row = found.row("one")
    told = outputs.filter(
        (outputs["source"] == "one") & (outputs["state"] == row.state)
    )
    assert told["identical_count"].to_list() == [row.identical.amount]
    assert told["turns"].to_list() == [row.identical.base]
    assert f"{100 * row.identical.share:.1f} %" in str(found)


def test_given_modules_are_replaced_in_every_row():
    found, dialogues = evaluated(given={"tracker": "target"})
    credit, weight, _ = shares(dialogues, {"nlu": "one", "tracker": "target"})
    assert found.row("one").strict.amount == pytest.approx((credit * weight).sum())
    assert "In every row tracker by target." in found.notes


def test_notes_of_several_modules_name_the_one_that_is_replaced():
    one, _ = evaluated(given={"tracker": "target"})
    other, _ = evaluated(replace="tracker")
    note = "In every row tracker by target."
    assert note in PipelineReport((one,)).notes
    assert f"nlu replaced: {note}" in PipelineReport((one, other)).notes


def test_a_source_that_never_says_anything_has_no_precision_and_no_test_of_it():
    turns = [
        demur.TargetTurn(
            input="a",
            target={"nlu": "a", "dm": ["re.a"]},
            annotations={"mute": {"nlu": None}},
        )
    ] * 3
    built = pipeline_of(nlu=str.lower, dm=lambda act: act and [f"re.{act}"])
    dialogues = [demur.TargetDialogue(f"d{n}", turns) for n in range(6)]
    found = demur.evaluate_pipeline(
        built, dialogues, replace="nlu", measure="precision", states=["corrected"]
    )
    mute = found.row("mute")
    assert (mute.strict.amount, mute.strict.base, mute.strict.share) == (0, 0, None)
    against = [t.source for t in found.tests if t.question == "source - actual"]
    assert against == ["target"]
    silent = demur.Pipeline.of(
        [demur.as_module(lambda _: None, name="nlu"), built.modules[1]]
    )
    found = demur.evaluate_pipeline(
        silent, dialogues, replace="nlu", measure="precision", states=["corrected"]
    )
    assert not [t for t in found.tests if t.question == "source - actual"]
    assert "-" in str(found)


def test_garbage_is_neither_target_nor_acceptable_nor_silence():
    turns = [
        demur.TargetTurn(
            input="a", target={"nlu": "a", "dm": ["x"]}, acceptable={"dm": [[]]}
        )
    ]
    built = pipeline_of(nlu=str.lower, dm=lambda _: [{"a": 1}])
    dialogues = [demur.TargetDialogue("d", turns)]
    found = demur.evaluate_pipeline(built, dialogues, replace="nlu")
    row = found.row("actual")
    for measure in ("recall", "precision", "exact"):
        for match in ("strict", "multiple"):
            rate = row.measures[measure][match]
            assert (rate.amount, rate.base) == (0, 1)
    assert row.silent == 0


def test_notes_say_what_the_target_is_and_what_was_run_once():
    wizard, _ = evaluated(n=8)
    reference, _ = evaluated(n=8, target="reference_run")
    said = "The target is what the pipeline itself puts out from target inputs."
    assert said not in wizard.notes
    assert said in reference.notes
    assert not any("stochastic" in note for note in wizard.notes)
    coin = demur.as_module(lambda _: "a", name="coin", stochastic=True)
    dialogues = target_dialogues(random_dialogues(1, 8, gaps=False))
    found = demur.evaluate_pipeline(
        pipeline(), dialogues, replace="tracker", given={"nlu": coin}
    )
    assert "A module is stochastic, and each turn was run once." in found.notes


@pytest.mark.parametrize(
    ("compare", "counted", "noted"),
    [("slots", 1, True), ("slots(none=value)", 2, False)],
)
def test_acts_that_are_left_out_as_empty_are_counted(compare, counted, noted):
    turns = [
        demur.TargetTurn(
            input="a", target={"nlu": "a", "dm": [["bye", "none"], ["ask", "area"]]}
        )
    ]
    built = demur.Pipeline.of(
        [
            demur.as_module(str.lower, name="nlu"),
            demur.as_module(lambda _: [["ask", "area"]], name="dm", compare=compare),
        ]
    )
    found = demur.evaluate_pipeline(
        built, [demur.TargetDialogue("d", turns)], replace="nlu"
    )
    assert found.row("actual").acts == counted
    said = "1 target acts of dm have the value none or dontcare"
    assert any(note.startswith(said) for note in found.notes) == noted


def test_a_module_is_not_stochastic_unless_it_is_said():
    assert not demur.Module(name="m", step=lambda state, x: (x, state)).stochastic


def test_outcomes_of_all_sources_compare():
    found, _ = evaluated(n=40)
    outcomes = found.outcomes(state="free")
    assert outcomes.systems == ("target", "one", "two", "actual")
    shared = demur.compare(outcomes.select(system="one"), outcomes.select(system="two"))
    assert shared is not None
    refuses("match must be one of strict", found.outcomes, "strikt")


def test_a_source_of_which_nothing_counts_has_an_empty_row_and_no_outcomes():
    turns = [
        demur.TargetTurn(input="a", target={"nlu": "a", "dm": ["re.a"]}),
        demur.TargetTurn(
            input="a", target={"nlu": "a"}, annotations={"rare": {"nlu": "a"}}
        ),
    ]
    built = pipeline_of(nlu=str.lower, dm=lambda act: [f"re.{act}"])
    found = demur.evaluate_pipeline(
        built, [demur.TargetDialogue("d", turns)], replace="nlu"
    )
    row = found.row("rare")
    assert (row.items, row.strict.share, row.identical.base) == (0, None, 1)
    assert found.outcomes().systems == ("target", "actual")
    assert "rare" in str(found)


def test_a_row_as_json_has_what_the_contract_says():
    found, _ = evaluated(sources=["one"])
    told = found.to_dict()
    assert told["module"] == "nlu"
    names = {"source", "state", "items", "acts", "identical", "acceptable", "strict"}
    assert names | {"multiple"} <= set(told["rows"][0])
    assert {"tests", "signature"} <= set(told)
    assert "runs" not in told


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"replace": "nul"}, "replace must be one of nlu, tracker, policy"),
        ({"replace": "policy"}, "replace must come before the last one"),
        ({"sources": ["three"]}, "a source of nlu must be one of target, one, two"),
        ({"sources": ["one", "one"]}, "sources must stand once each"),
        ({"sources": {"actual": "one"}}, "not be called actual"),
        ({"given": {"nlu": "one"}}, "given must not hold nlu"),
        ({"given": {"tracker": "x"}}, "a source of tracker must be one of"),
        ({"states": "free"}, "states must be a list"),
        ({"states": ["fre"]}, "Did you mean 'free'"),
        ({"measure": "f1"}, "measure must be one of"),
        ({"test": "t"}, "test must be one of"),
        ({"cluster": "word"}, "cluster must be one of"),
        ({"target": "gold"}, "target must be one of wizard, reference_run"),
        ({"test": "mcnemar"}, "mcnemar must have measure"),
        (
            {
                "test": "mcnemar",
                "measure": "exact",
                "cluster": "turn",
                "running": demur.Running(repeats=2),
            },
            "mcnemar must stand with one run",
        ),
        ({"test": "wilcoxon", "measure": "precision"}, "wilcoxon must have measure"),
        ({"level": 2}, "level must be"),
        ({"replicates": 3}, "replicates must be at least"),
    ],
)
def test_wrong_options_are_refused(options, said):
    refuses(said, evaluated, n=3, **options)


def test_pipelines_without_targets_or_dialogues_are_refused():
    turns = [demur.TargetTurn(input="a", annotations={"one": {"nlu": "a"}})]
    with pytest.raises(demur.InputError, match="'policy' must have targets with acts"):
        demur.run_pipeline(pipeline(), [demur.TargetDialogue("d", turns)])
    with pytest.raises(demur.InputError, match="dialogues must hold at least one"):
        demur.run_pipeline(pipeline(), [])
    two = [demur.TargetDialogue("d", turns)] * 2
    with pytest.raises(demur.InputError, match="each dialogue must have a name of its"):
        demur.run_pipeline(pipeline(), two)


def test_a_target_that_is_no_set_of_acts_is_named():
    turns = [demur.TargetTurn(input="a", target={"policy": [{"a": 1}]})]
    with pytest.raises(
        demur.InputError, match="turn 1: a target of policy must be acts"
    ):
        demur.run_pipeline(pipeline(), [demur.TargetDialogue("d", turns)])


# -- one turn --------------------------------------------------------------------------


def test_a_turn_is_explained_source_by_source():
    turns = [
        demur.TargetTurn(
            input=word,
            target={"nlu": word, "dm": [f"re.{word}"]},
            acceptable={"dm": [["fine"]]},
            annotations={"s": {"nlu": "b"}, "t": {"nlu": "c"}, "u": {"nlu": None}},
            changes=[demur.TurnChange("reordered", "was late")],
        )
        for word in "ab"
    ]
    answers = {"a": ["re.a"], "b": ["fine"], "c": ["re.a", "x"], "d": ["x"]}
    built = pipeline_of(nlu=lambda _: "d", dm=answers.get)
    dialogues = [demur.TargetDialogue("d:1", turns)]
    found = demur.explain_turn(built, dialogues, "d:1:1")
    assert [(row.source, row.match) for row in found.rows] == [
        ("", "wrong"),
        ("target", "target"),
        ("s", "acceptable"),
        ("t", "in part"),
        ("u", "no answer"),
    ]
    text = " ".join(str(found).split())
    assert "changed from the log reordered: was late" in text
    assert 'also acceptable ["fine"]' in text
    assert demur.explain_turn(built, dialogues, "d:1:2").turn == "d:1:2"
    for turn, said in (
        ("d:1", "a dialogue must be one of d:1"),
        ("d:1:3", "must be from 1 to 2"),
        ("d:1:0", "must be from 1 to 2"),
        ("d:1:x", "must be from 1 to 2"),
        ("1", "must be DIALOGUE:TURN"),
    ):
        refuses(said, demur.explain_turn, built, dialogues, turn)


@pytest.mark.parametrize(
    ("target", "acceptable", "said", "match"),
    [
        ({}, [], ["x"], "no target"),
        ({"dm": []}, [], ["x"], "no target"),
        ({"dm": None}, [], ["x"], "wrong"),
        ({"dm": None}, [], [], "target"),
        ({"dm": None}, [["x"]], ["x"], "acceptable"),
        ({"dm": ["x"]}, [], [{"a": {}}], "wrong (no set of acts)"),
        ({"dm": ["x"]}, [["y"]], ["x"], "target"),
        ({"dm": ["x"]}, [["y"]], ["y"], "acceptable"),
        ({"dm": ["x"]}, [["y"]], ["y", "z"], "in part"),
        ({"dm": ["x"]}, [], ["z"], "wrong"),
        ({"dm": ["x"]}, [], [], "no answer"),
    ],
)
def test_what_a_match_is_called(target, acceptable, said, match):
    others = {"dm": acceptable} if acceptable else {}
    turn = demur.TargetTurn(input="a", target=target, acceptable=others)
    built = pipeline_of(dm=lambda _: said)
    other = demur.TargetTurn(input="a", target={"dm": ["x"]})
    dialogues = [demur.TargetDialogue("d", [turn, other])]
    assert demur.explain_turn(built, dialogues, "d:1").rows[0].match == match


@pytest.mark.parametrize("letters", [47, 48, 49])
def test_outputs_are_shown_in_48_letters(letters):
    turn = demur.TargetTurn(input="a", target={"dm": ["x"]})
    built = pipeline_of(dm=lambda _: letters * "y")
    found = demur.explain_turn(built, [demur.TargetDialogue("d", [turn])], "d:1")
    [[_, shown, _]] = found.tables()[1].rows
    assert shown == (letters * "y" if letters <= 48 else 45 * "y" + "...")


def test_tables_with_the_same_numbers_stand_once_where_there_is_little_room():
    turns = [
        demur.TargetTurn(input=word, target={"nlu": word, "dm": [f"re.{word}"]})
        for word in "abc"
    ]
    parts = pipeline_of(nlu=lambda text: "a", dm=lambda act: [f"re.{act}"])
    dialogues = [demur.TargetDialogue("d1", turns)]
    found = demur.evaluate_pipeline(parts, dialogues, replace="nlu")
    text = str(found)
    assert "replaced: recall, precision and exact alike" in text
    assert text.count("Responses with nlu replaced") == 1
    assert text.count("P_strict") == 3  # the table, what it is, and the note
    assert "of multiple" not in text
    assert len(found.tables()) == 5
    assert found.to_text(wide=True).count("Responses with nlu replaced") == 3
