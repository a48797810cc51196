"""Words about answers made of parts, as somebody reads them for the first time."""

import json
import re
import shlex
from itertools import pairwise

import numpy as np
import pytest

import demur
from builders import printed, stderr_of


def table(n_wholes=300, seed=0, wrong=0.05):
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(n_wholes), 3)
    return demur.Outcomes.from_arrays(
        item=[f"r{number}" for number in item],
        part=["find", "book", "pay"] * n_wholes,
        correct=rng.random(len(item)) >= wrong,
        confidence=rng.random(len(item)).round(3),
        groups={"tool": ["a", "b", "c"] * n_wholes},
    )


def test_where_nothing_can_be_promised_no_part_is_returned():
    choice = demur.choose(table(), max_error=1e-4, certainty=0.95, of="wholes")
    assert choice.cutoff is None
    assert choice.sentence().startswith("Return no part.")
    assert choice.choice == "return no part"


def test_a_cost_of_wholes_is_made_of_columns_that_are_shown():
    said = str(demur.choose(table(), cost_ratio=0.2, of="wholes"))
    assert "r x nonreturn" not in said
    assert "cost: whole error + r x withheld" in " ".join(said.split())


def test_held_out_wholes_are_no_items():
    choice = demur.choose(table(), max_error=0.1, of="wholes")
    judged = choice.with_held_out(table(seed=1))
    said = " ".join(str(judged).split())
    assert "On held-out wholes" in said
    assert "held-out items" not in said


def test_a_target_of_wholes_begins_a_sentence():
    outcomes = table()
    kept = demur.lock(outcomes, demur.choose(outcomes, max_error=0.1, of="wholes"))
    said = str(demur.recheck(kept, table(seed=1)))
    assert said.startswith("The target 0.1 ")
    assert "declined on the new items" not in " ".join(said.split())


def test_who_wants_a_promise_for_each_kind_of_part_is_sent_to_kinds():
    with pytest.raises(demur.InputError, match="--kinds tool"):
        demur.choose(table(), max_error=0.1, certainty=0.9, of="wholes", each="tool")


def test_a_curve_of_parts_does_not_speak_of_inputs():
    said = " ".join(str(demur.error_return(table())).split())
    assert "% of the parts, the system errs on" in said
    assert "of all parts" in said
    assert "inputs" not in said


def test_a_choice_among_parts_says_how_wholes_are_promised():
    notes = " ".join(demur.choose(table(), max_error=0.05, certainty=0.9).notes)
    assert "--of wholes" in notes


# -- what is proposed for files ------------------------------------------------------


def refused(path, text):
    path.write_text(text, "utf-8")
    return stderr_of("curve", path)


def typed(line):
    [words] = re.findall(r"--columns ('[^']*')", line)
    return ["--columns", *shlex.split(words)]


ROWS_OF_PARTS = {
    "runs.csv": (
        "run_id,step,tool_name,confidence,ok\n"
        "r1,1,pay,80%,yes\nr1,2,search,70%,no\nr2,1,pay,90%,yes\nr3,,,,\n",
        "item=run_id, part=step, ",
    ),
    "claims.csv": (
        "question;claim_no;claim;score;verdict\n"
        "q1;1;a;0.9;yes\nq1;2;b;0.5;no\nq2;1;a;0.7;yes\n",
        "item=question, part=claim_no, ",
    ),
    "felder.csv": (
        "Dokument;Feld;Konfidenz;Richtig\n"
        "d1;Datum;0,9;ja\nd1;Summe;0,5;nein\nd2;Datum;0,7;ja\n",
        "item=Dokument, part=Feld, ",
    ),
}


@pytest.mark.parametrize("name", ROWS_OF_PARTS)
def test_rows_that_are_parts_are_proposed_as_parts(name, tmp_path):
    text, mapping = ROWS_OF_PARTS[name]
    path = tmp_path / name
    words = typed(refused(path, text))
    assert words[1].startswith(mapping)
    assert "Wholes" in printed("curve", path, *words)


def test_rows_that_are_items_are_proposed_without_parts(tmp_path):
    text = "run_id,step,score,passed\nr1,1,0.8,yes\nr2,2,0.7,no\nr3,1,0.9,yes\n"
    words = typed(refused(tmp_path / "runs.csv", text))
    assert "part=" not in words[1]


def test_a_list_in_each_record_is_proposed_as_parts(tmp_path):
    total = {"name": "total", "confidence": 0.9, "ok": True}
    rows = [
        {"doc": "d1", "fields": [total, {**total, "name": "date"}]},
        {"doc": "d2", "fields": []},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    line = refused(tmp_path / "forms.jsonl", text)
    assert "[0]" not in line
    named = "{part: .name, correct: .ok, confidence: .confidence}"
    made = f"{{item: .doc, parts: [.fields[] | {named}]}}"
    assert f"jq -c '{made}' FILE > parts.jsonl" in line


def test_an_outcome_in_other_words_is_mapped_as_is_proposed(tmp_path):
    path = tmp_path / "runs.csv"
    text = "item,confidence,outcome\na,0.9,ok\nb,0.5,failed\nc,0.4,\n"
    words = typed(refused(path, text))
    assert words[1] == "outcome=cases(outcome, ok=right, failed=wrong, =MEANING)"
    words[1] = words[1].replace("MEANING", "unanswered")
    printed("curve", path, *words)


# -- tables --------------------------------------------------------------------------


def test_wide_tables_of_wholes_repeat_what_tells_rows_apart():
    curves = demur.whole_curve_by(
        table(), by="tool", at=[0.1, 0.2], people_error=0.01, minutes=1
    )
    lines = str(curves).splitlines()
    heads = [head for head, rule in pairwise(lines) if rule.startswith("---")]
    assert len(heads) > 1
    assert all(re.match(r"tool +withheld", head) for head in heads)


def test_groups_that_tear_wholes_are_not_asked_for_the_name_of_the_whole():
    said = " ".join(str(demur.whole_curve_by(table(), by="tool")).split())
    assert "parts of one whole are in several groups" in said
    assert "is item the name of the whole?" not in said


def test_labels_of_wholes_go_to_wholes():
    outcomes = table(900)
    kept = demur.lock(outcomes, demur.choose(outcomes, max_error=0.1, of="wholes"))
    new = table(500, seed=2).to_columns() | {"outcome": ["unlabelled"] * 1500}
    del new["tool"]
    drawn = demur.sample(
        demur.Outcomes.from_columns(new), lock=kept, purpose="recheck", budget=200
    )
    said = " ".join(str(drawn).split())
    assert "wholes: of which a part needs a label" in said
    assert "items that a drawn one" not in said
