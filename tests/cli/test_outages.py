"""Requests that failed, through all commands: they are no answers, and no declines."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed, printed_json, run, stderr_of, write_records
from demur.outcomes.reasons import failures_text

LOGS = Path(__file__).parents[1] / "golden/formats"
THREE = "c: 3 of 40 requests failed; out: 40 of 40 requests failed: they are not"
ITEMS = 40
WHY = "status 429: insufficient_quota"

FAILED = {"all": ITEMS, "most": 30, "some": 5, "none": 0}
"""How many items failed, of a system that is alone."""


def responses(failed: int, system: str | None = None) -> list[dict[str, object]]:
    """Responses of which the last failed; of the others the first is not known."""
    records: list[dict[str, object]] = []
    for row in range(ITEMS):
        record: dict[str, object] = {"item": f"q{row}"}
        if system is not None:
            record["system"] = system
        if row >= ITEMS - failed:
            record |= {"response": None, "failed": WHY}
        elif row == 0:
            record |= {"response": None, "kind": "idk"}
        else:
            right = "x" if row % 3 else "y"
            record |= {"response": right, "confidence": row % 7 / 7}
        records.append(record)
    return records


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Outcomes, judged by the command: one system four times; two, one of them out."""
    folder = tmp_path_factory.mktemp("outages")
    references = [{"item": f"q{row}", "reference": "x"} for row in range(ITEMS)]
    asked = write_records(folder / "references.jsonl", references)
    said = {name: responses(failed) for name, failed in FAILED.items()}
    said["two"] = responses(0, "good") + responses(ITEMS, "out")
    said["three"] = responses(3, "c") + said["two"]
    made = {"references": asked}
    for name, records in said.items():
        made[f"said {name}"] = write_records(folder / f"said_{name}.jsonl", records)
        made[name] = str(folder / f"{name}.jsonl")
        printed("judge", made[f"said {name}"], asked, "-o", made[name])
    return made


def commands(files: dict[str, str], name: str) -> dict[str, list[str]]:
    """Every command that reads outcomes, on those of a name."""
    return {
        "judge": ["judge", files[f"said {name}"], files["references"]],
        "curve": ["curve", files[name]],
        "score": ["score", files[name]],
        "choose": ["choose", files[name], "--cost-ratio", "0.3"],
        "prices": ["choose", files[name], "--prices"],
        "items": ["items", files[name]],
    }


COMMANDS = ("judge", "curve", "score", "choose", "prices", "items")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["most", "some"])
def test_the_first_words_say_how_many_failed(command, name, files):
    said = f"{FAILED[name]} of {ITEMS} requests failed: they are not answers. "
    assert printed(*commands(files, name)[command]).startswith(said)
    shown = printed_json(*commands(files, name)[command])
    assert shown["sentence"].startswith(said)


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_said_where_nothing_failed(command, files):
    assert "failed" not in printed(*commands(files, "none")[command])


@pytest.mark.parametrize("command", ["judge", "curve", "score", "items"])
def test_a_system_that_gave_nothing_does_not_decline(command, files):
    said = printed(*commands(files, "all")[command])
    assert said.startswith("40 of 40 requests failed: they are not answers. ")
    assert not re.search("declines|errs on|weighted error is", said)


@pytest.mark.parametrize("command", ["choose", "prices"])
def test_no_cutoff_is_chosen_where_nothing_was_answered(command, files):
    assert "40 of 40 requests failed" in stderr_of(*commands(files, "all")[command])


@pytest.mark.parametrize("command", COMMANDS)
def test_the_one_of_two_that_gave_nothing_is_best_nowhere(command, files):
    said = printed(*commands(files, "two")[command])
    assert said.startswith("out: 40 of 40 requests failed: they are not answers. ")
    assert not re.search(r"out (gives no conf|errs|has the least|is cheapest)", said)
    assert not re.search(r"(?m)^ *[0-9.]+ +inf +out", said)


@pytest.mark.parametrize("rule", [["--cost-ratio", "0.3"], ["--prices"]])
def test_what_failed_among_held_out_items_is_said_too(rule, files):
    def said(name, *held_out):
        return " ".join(printed("choose", files[name], *rule, *held_out).split())

    later = f"On held-out items 30 of {ITEMS} requests failed: they are not answers. "
    both = f"5 of {ITEMS} requests failed: they are not answers. {later}"
    assert said("some", "--held-out", files["most"]).startswith(both)
    assert said("none", "--held-out", files["most"]).startswith(later)
    assert "failed" not in said("none", "--held-out", files["none"])
    half = r"\d+ of 20 requests failed: "
    halves = f"{half}.* On held-out items {half}"
    assert re.match(halves, said("most", "--split", "0.5"))
    words = ["choose", files["none"], *rule, "--held-out", files["most"]]
    assert printed_json(*words)["sentence"].startswith(later)
    err = stderr_of(*words, "--fail-if", "failed > 0", code=1)
    assert "failed is 30, must not be > 0" in err
    words[-1] = files["all"]
    assert (
        "the held-out outcomes must have answers of each system; got none of 'the "
        in (stderr_of(*words))
    )


@pytest.mark.parametrize("rule", [["--cost-ratio", "0.3"], ["--prices"]])
def test_each_system_that_failed_on_held_out_items_is_named(rule, files, tmp_path):
    records = (
        responses(0, "a") + responses(0, "b"),
        responses(0, "a") + responses(9, "b"),
    )
    for name, said in zip(("chosen", "held"), records, strict=True):
        given = write_records(tmp_path / f"said_{name}.jsonl", said)
        printed("judge", given, files["references"], "-o", tmp_path / f"{name}.jsonl")
    words = ["choose", tmp_path / "chosen.jsonl", *rule]
    said = printed(*words, "--held-out", tmp_path / "held.jsonl")
    assert said.startswith(
        "On held-out items b: 9 of 40 requests failed: they are not answers. "
    )


def test_two_are_not_compared_if_one_gave_nothing(files):
    said = stderr_of("compare", files["two"])
    assert "none of 'out': 40 of 40 requests failed" in said
    three = printed("compare", files["three"])
    assert three.startswith(THREE)
    assert "Of 2 systems" in three
    assert "failed > 0" in stderr_of(
        *("compare", files["three"], "--fail-if", "failed > 0"), code=1
    )


def test_the_page_says_it_first(files, tmp_path):
    for name, first in (
        (
            "all",
            "40 of 40 requests failed: they are not answers. Nothing was answered.",
        ),
        ("most", "30 of 40 requests failed: they are not answers. "),
        ("two", "out: 40 of 40 requests failed: they are not answers. good answers"),
        ("three", f"{THREE} answers. "),
    ):
        page = tmp_path / f"{name}.html"
        assert printed("report", files[name], "-o", page).startswith(first)
        assert first.strip() in page.read_text()


def test_json_counts_them_by_system(files):
    for command in ("judge", "curve", "score"):
        shown = printed_json(*commands(files, "two")[command])
        systems = {one["system"]: one["failed"] for one in shown["systems"]}
        assert systems == {"good": 0, "out": ITEMS}
    shown = printed_json(*commands(files, "most")["choose"])
    assert shown["failed"] == 30
    shown = printed_json("compare", files["three"])
    assert shown["failed"] == {"c": 3, "good": 0, "out": ITEMS}


def test_what_failed_is_of_a_kind_of_its_own(files):
    outcomes = demur.read_outcomes(files["most"])
    kinds = outcomes.kind.tolist()
    assert (kinds.count("failed"), kinds.count("idk")) == (30, 1)
    own = {"item": "q0", "response": None, "failed": WHY, "kind": "timeout"}
    (judged,) = demur.judge([own], [{"item": "q0", "reference": "x"}]).kind
    assert judged == "timeout"


# -- gates ---------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["judge", "curve", "score", "choose", "prices"])
def test_gates_on_what_failed(command, files):
    words = commands(files, "most")[command]
    err = stderr_of(*words, "--fail-if", "failed > 0", code=1)
    assert "failed is 30, must not be > 0" in err
    assert run(*words, "--fail-if", "failed_rate > 0.8").code == 0
    assert run(*words, "--fail-if", "failed_rate > 0.7").code == 1
    assert run(*words, "--fail-if", "failed_rate > 7").code == 2
    assert run(*commands(files, "none")[command], "--fail-if", "failed > 0").code == 0


@pytest.mark.parametrize("command", ["judge", "curve", "score"])
@pytest.mark.parametrize(
    "gate",
    [
        *("error > 0.05", "error@0.2 > 0.05", "error(cutoff=99) > 0.05"),
        *("area > 0.1", "missed > 0.1", "wrong > 3", "nonreturn(error=0.05) > 0.3"),
        *("missed(cutoff=0.5) > 0.1", "certified_error(cutoff=0.5) > 0.1"),
    ],
)
def test_gates_on_what_nobody_answered_pass_nothing(command, gate, files):
    ended = run(*commands(files, "all")[command], "--fail-if", gate)
    assert ended.code == 4
    assert "is undefined" in ended.err


@pytest.mark.parametrize("name", ["error", "certified_error"])
def test_no_gate_passes_beyond_every_confidence(name, files):
    words = ["curve", files["none"], "--fail-if"]
    err = stderr_of(*words, f"{name}(cutoff=99) > 0.05")
    assert f"{name} is undefined: nothing is answered there" in err
    assert run(*words, "nonreturn(cutoff=99) > 0.3").code == 1


def test_a_choice_to_answer_nothing_has_no_error_to_hold(files):
    words = ["choose", files["none"], "--max-error", "0.0001", "--fail-if"]
    assert printed_json(*words[:-1])["cutoff"] is None
    assert "nothing is answered" in stderr_of(*words, "error > 0.05")


def test_a_target_of_all_items_is_not_held_by_an_outage(tmp_path):
    old = [
        {"item": f"a{row}", "outcome": "right", "confidence": row / 100}
        for row in range(100)
    ]
    new = [{"item": f"b{row}", "correct": None, "kind": "failed"} for row in range(100)]
    lock = str(tmp_path / "lock.json")
    before = write_records(tmp_path / "old.jsonl", old)
    printed("choose", before, "--max-error", "0.1", "--lock", lock)
    now = write_records(tmp_path / "new.jsonl", new)
    said = printed("recheck", lock, now)
    assert said.startswith("100 of 100 requests failed: they are not answers. ")
    assert "is not tested" in said
    assert printed_json("recheck", lock, now)["systems"][0]["error"] is None
    err = stderr_of("recheck", lock, now, "--fail-if", "broken", code=1)
    assert "not tested, nothing is answered" in err
    assert run("recheck", lock, now, "--fail-if", "error > 0.1").code == 4
    assert run("recheck", lock, now, "--fail-if", "failed > 0").code == 1


def test_what_failed_is_known_of_a_system_without_a_cutoff(files, tmp_path):
    words = [*commands(files, "two")["choose"], "--fail-if"]
    assert "out: failed is 40" in stderr_of(*words, "failed > 0", code=1)
    assert run(*words, "failed > 40").code == 0
    assert run(*words, "out: failed_rate > 0.9").code == 1
    err = stderr_of(*words, "out: error > 0.9")
    why = "out answered nothing: 40 of 40 requests failed."
    assert f"out: error is undefined: {why}" in err
    assert ".." not in err
    silent = [{"item": f"q{n}", "system": "mute", "correct": None} for n in range(4)]
    mute = write_records(tmp_path / "mute.jsonl", silent)
    both = ["choose", files["two"], mute, "--where", "system=good"]
    both += ["--where", "system=mute", "--cost-ratio", "0.3", "--fail-if"]
    assert run(*both, "failed > 0").code == 0


def test_no_gate_on_differences_passes_while_a_system_gave_nothing(files):
    words = ["compare", files["three"], "--fail-if"]
    for gate in ("difference > 0.7", "area > 0.9", "p_value < 0.0001"):
        err = stderr_of(*words, gate)
        assert "is undefined: no answers to compare, 40 of 40 requests failed" in err
    assert run(*words, "good less c: difference > 0.7").code == 0
    assert run(*words, "failed > 40").code == 0


# -- laws ----------------------------------------------------------------------------

_KINDS = st.sampled_from([None, "idk", "failed", "timeout"])


@given(st.lists(st.tuples(st.sampled_from([True, False, None]), _KINDS), min_size=1))
def test_kinds_of_what_is_silent_add_up(rows):
    correct, kinds = zip(*rows, strict=True)
    outcomes = demur.Outcomes.from_arrays(correct=correct, kind=kinds)
    (curve,) = demur.curve_by(outcomes)
    silent = np.array([value is None for value in correct])
    others = sum(kind != "failed" for kind, no in zip(kinds, silent, strict=True) if no)
    assert curve.failed + others == curve.totals.unanswered
    assert curve.failed == outcomes.failed.sum() == curve.kinds.get("failed", 0)
    assert curve.gave_nothing == (silent.all() and "failed" in kinds)


def test_of_many_systems_the_worst_is_named():
    failed = {f"s{n}": (n, 10) for n in range(6)}
    assert failures_text(failed) == (
        "15 of 60 requests failed, in 5 of 6 systems, most of all in s5 (5 of 10): "
        "they are not answers."
    )
    assert failures_text({"a": (0, 3)}) == ""


def test_what_failed_was_not_declined_by_a_system_without_confidences(tmp_path):
    rows = [{"item": "q0", "outcome": "right"}]
    lost = {"outcome": "unanswered", "kind": "failed"}
    rows += [{"item": f"f{n}", **lost} for n in range(3)]
    said = printed("curve", write_records(tmp_path / "bare.jsonl", rows))
    assert "it does not answer 0.750 of the inputs" in " ".join(said.split())
    assert "it declines" not in said


def test_logs_of_other_tools_say_it_too():
    said = printed("curve", LOGS / "promptfoo/facts.json")
    assert said.startswith("model-a: 1 of 10 requests failed: they are not answers. ")
    counted_wrong = ["--log", "promptfoo(error=wrong)"]
    said = printed("curve", LOGS / "promptfoo/facts.json", *counted_wrong)
    assert "they are not answers" not in said
