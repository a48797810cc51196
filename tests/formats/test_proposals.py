"""What is proposed for a file that is refused: each can be typed, and is read then."""

import json
import re
import shlex

import pytest

import demur
from builders import run, stderr_of

ROWS = [{"item": "q1", "correct": True}, {"item": "q2", "correct": False}]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def refused(tmp_path, name, text, *words, command="curve"):
    """A file of that text, and the line that refuses it."""
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path, stderr_of(command, path, *words)


def typed(line):
    """The options that a line proposes, as a shell hands them on."""
    return [shlex.split(way) for way in re.findall(r"--columns '[^']*'", line)]


def counts(path, *words):
    """Right, wrong and unanswered, by the command that was typed."""
    done = run("curve", path, *words, "--json")
    assert done.code == 0, done.err
    [system] = json.loads(done.out)["systems"]
    return system["right"], system["wrong"], system["unanswered"]


# -- other columns -----------------------------------------------------------------

HEADERS = {
    "english.csv": (
        "id,question,model_answer,gold,score,prob\n1,a,b,b,1,0.8\n2,a,c,b,0,0.4\n",
        "item=id, response=model_answer, correct=score >= 0.5, confidence=prob, "
        "reference=gold, input=question",
    ),
    "german.csv": (
        "Nr;Frage;Antwort;Erwartet;Richtig;Konfidenz\n1;a;b;b;ja;0,8\n2;a;c;b;nein;0,4\n",
        "item=Nr, response=Antwort, correct=Richtig, confidence=Konfidenz, "
        "reference=Erwartet, input=Frage",
    ),
    "order.csv": (
        "Frage;Modellantwort;Bewertung;Sicherheit\na;b;richtig;80 %\nb;c;falsch;53 %\n",
        "item=row(), response=Modellantwort, correct=Bewertung, confidence=Sicherheit, "
        "input=Frage",
    ),
    "nested.jsonl": (
        lines(
            {
                "custom_id": name,
                "output": {"message": {"content": "x"}},
                "score": {"passed": passed, "logprob": -0.2},
            }
            for name, passed in (("a", True), ("b", False))
        ),
        "item=custom_id, response=output.message.content, correct=score.passed, "
        "confidence=exp(score.logprob)",
    ),
    "classes.csv": (
        "text,label,predicted_label,confidence_score,is_correct\n"
        "a,x,x,0.9,True\nb,y,x,0.4,False\n",
        "item=row(), response=predicted_label, correct=is_correct, "
        "confidence=confidence_score, reference=label",
    ),
    "epochs.csv": (
        "prompt_id,model,epoch,completion,verdict,avg_logprob\n"
        "p1,m,1,a,PASS,-0.1\np1,m,2,b,FAIL,-0.5\n",
        "item=prompt_id, system=model, repeat=epoch, response=completion, "
        "correct=cases(verdict, PASS=right, FAIL=wrong), confidence=exp(avg_logprob)",
    ),
    "grades.jsonl": (
        lines(
            {
                "sample": {"id": at},
                "prediction": {"text": "a", "p": 0.3},
                "grade": grade,
            }
            for at, grade in enumerate("CI")
        ),
        "item=sample.id, response=prediction.text, "
        "correct=cases(grade, C=right, I=wrong), confidence=prediction.p",
    ),
    "folds.csv": (
        "y_true,y_pred,proba,correct\n1,1,0.9,1\n0,1,0.4,0\n",
        "item=row(), response=y_pred, confidence=proba, reference=y_true",
    ),
    "marks.csv": (
        "Lfd. Nr.;Ausgabe;Urteil;Wahrscheinlichkeit in %\n"
        "1;a;\u2713;90\n2;b;\u2717;40\n",
        "item=Lfd. Nr., response=Ausgabe, correct=cases(Urteil, \u2713=right, "
        "\u2717=wrong), confidence=Wahrscheinlichkeit in %",
    ),
    "risks.jsonl": (
        lines(
            {"task_id": name, "result": name, "uncertainty": 0.2}
            for name in ("pass", "fail")
        ),
        "item=task_id, correct=cases(result, pass=right, fail=wrong), "
        "confidence=complement(uncertainty)",
    ),
    "judged.json": (
        json.dumps(
            [
                {"qid": "a", "judge": {"correct": True}, "conf": "90%"},
                {"qid": "b", "judge": {"correct": False}, "conf": "40%"},
            ],
            indent=1,
        ),
        "item=qid, correct=judge.correct, confidence=percent(conf)",
    ),
    "levels.jsonl": (
        lines(
            {"uuid": level, "ok": level == "high", "certainty": level}
            for level in ("high", "low")
        ),
        "item=uuid, correct=ok, confidence=cases(certainty, high=4, low=2)",
    ),
    "hits.csv": (
        "Modell;Vorhersage;Wahrheit;Treffer;p\nm1;a;a;1;0,9\nm1;b;a;0;0,2\n",
        "item=row(), system=Modell, response=Vorhersage, correct=Treffer, "
        "confidence=p, reference=Wahrheit",
    ),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_file_with_other_columns_is_read_as_is_proposed(name, tmp_path):
    text, mapping = HEADERS[name]
    path, line = refused(tmp_path, name, text)
    assert typed(line) == [["--columns", mapping]]
    assert ("row() numbers rows" in line) == ("row()" in mapping)
    assert counts(path, "--columns", mapping) == (1, 1, 0)


def test_what_is_typed_already_is_proposed_with_the_rest(tmp_path):
    text = HEADERS["english.csv"][0]
    _, line = refused(tmp_path, "a.csv", text, "--columns", "item=question")
    assert "'item=question, response=model_answer, correct=score >= 0.5," in line
    _, line = refused(tmp_path, "b.csv", "id,v\n1,PASS\n")
    assert typed(line) == [["--columns", "item=id, correct=COLUMN"]]
    assert "COLUMN is the one that says what is right." in line


def test_answers_that_nobody_has_judged_are_judged_as_is_proposed(
    tmp_path, monkeypatch
):
    text = "id,answer,expected,confidence\n1,a,a,0.5\n2,a,b,0.6\n"
    path, line = refused(tmp_path, "a.csv", text)
    judging, then = re.search(r"demur (judge .*) && demur (.*)\.", line).groups()
    assert shlex.split(judging)[:3] == ["judge", str(path), str(path)]
    monkeypatch.chdir(tmp_path)
    assert run(*shlex.split(judging)).out.startswith("2 outcomes: 1 right, 1 wrong")
    assert run(*shlex.split(then)).code == 0
    line = stderr_of("judge", path, path)
    assert typed(line) == [
        ["--columns", "item=id, response=answer, reference=expected"]
    ]


def test_scores_beyond_1_are_no_credits_unasked(tmp_path):
    path, line = refused(tmp_path, "a.csv", "id,Score\n1,85\n2,20\n")
    assert typed(line) == [["--columns", "item=id, correct=Score >= LIMIT"]]
    assert "be compared to a number; got 'LIMIT'" in stderr_of(
        "curve", path, *typed(line)[0]
    )


@pytest.mark.parametrize(
    ("text", "mapping"),
    [
        (
            "id;Antwort;Score;Korrekt\n1;a;0,9;WAHR\n2;b;0,8;FALSCH\n",
            "item=id, response=Antwort, correct=Korrekt, confidence=Score",
        ),
        (
            "id,score,passed,prob\n1,0.9,1,0.7\n2,0.8,0,0.6\n",
            "item=id, correct=passed, confidence=prob",
        ),
        ("id,score,passed\n1,4,1\n2,5,0\n", "item=id, correct=passed"),
        ("id,score,passed\n1,1,1\n2,0,0\n", "item=id, correct=passed"),
        ("id,score,correct\n1,0.9,1\n2,0.8,0\n", "item=id, confidence=score"),
        ("id,score\n1,0.9\n2,-0.8\n", "item=id, correct=score >= LIMIT"),
        ("id,score\n1,\n2,\n", "item=id, correct=score >= LIMIT"),
        ("id,score\n1,0.9\n2,0.4\n", "item=id, correct=score >= 0.5"),
        (
            "id,score\n1,good\n2,bad\n",
            "item=id, correct=cases(score, good=right, bad=wrong)",
        ),
    ],
)
def test_a_verdict_goes_before_a_score_which_is_read_by_its_values(
    text, mapping, tmp_path
):
    path, line = refused(tmp_path, "a.csv", text)
    assert typed(line) == [["--columns", mapping]]
    if "LIMIT" not in mapping:
        assert sum(counts(path, *typed(line)[0])) == 2


def test_names_with_commas_and_brackets_are_reached_in_quotes(tmp_path):
    text = '"Frage, ID";"Korrekt (ja/nein)";"Konf. [%]"\n1;ja;90\n2;nein;80\n'
    path, line = refused(tmp_path, "a.csv", text)
    expected = 'item="Frage, ID", correct="Korrekt (ja/nein)", confidence="Konf. [%]"'
    assert typed(line) == [["--columns", expected]]
    for columns in (
        expected,
        expected.replace('"Konf. [%]"', 'percent("Konf. [%]")'),
        expected.replace('"Konf. [%]"', 'or( "Konf. [%]" , -inf)'),
        'item=row(), correct="Konf. [%]" >= 85, confidence="Konf. [%]"',
        'item=row(), correct=cases("Korrekt (ja/nein)", ja=right, nein=wrong)',
    ):
        assert counts(path, "--columns", columns) == (1, 1, 0)


def test_a_quote_within_a_word_is_a_quote(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('item;size\n1;5"\n2;6"\n', "utf-8")
    columns = 'correct=cases(size, 5"=right, 6"=wrong)'
    assert counts(path, "--columns", columns) == (1, 1, 0)


def test_references_are_named_by_their_own_option(tmp_path):
    responses = tmp_path / "responses.csv"
    responses.write_text("item,response\n1,a\n")
    references = tmp_path / "references.csv"
    references.write_text("Nr;Musterl\u00f6sung;answerable\n1;a;PASS\n", "utf-8")
    words = ()
    for columns in (
        "answerable=cases(answerable, PASS=true, FAIL=false)",
        "answerable=cases(answerable, PASS=true, FAIL=false), item=Nr, "
        "reference=Musterl\u00f6sung",
    ):
        line = stderr_of("judge", responses, references, *words)
        words = "--reference-columns", columns
        assert f"Type --reference-columns '{columns}'." in line
    assert run("judge", responses, references, *words).code == 0


@pytest.mark.parametrize(
    ("held", "mapping"),
    [
        ({"Musterl\u00f6sung": "a"}, "item=id, reference=Musterl\u00f6sung"),
        ({"expected": "a"}, "item=id, reference=expected"),
        ({"gold": "a", "answer": "b"}, "item=id, reference=gold"),
        ({"answer": "a"}, "item=id, reference=answer"),
        ({"Antwort": "a"}, "item=id, reference=Antwort"),
        ({"answers": ["a", "b"]}, "item=id, references=answers"),
        (
            {"Question": "which?", "answers": ["a", "b"]},
            "item=id, references=answers, input=Question",
        ),
    ],
)
def test_all_columns_of_references_are_proposed_at_once(held, mapping, tmp_path):
    responses = tmp_path / "responses.csv"
    responses.write_text("item,response\n1,a\n")
    references = tmp_path / "references.jsonl"
    references.write_text(lines([{"id": "1", **held}]), "utf-8")
    line = stderr_of("judge", responses, references)
    assert f"Type --reference-columns '{mapping}'." in line
    words = "--reference-columns", mapping
    done = run("judge", responses, references, *words)
    assert "1 outcome: 1 right" in done.out + done.err


# -- rows within an object ---------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "taken"),
    [
        ({"results": ROWS}, ".results[]"),
        ({"version": 3, "results": {"rows": ROWS, "n": 2}}, ".results.rows[]"),
        ({row["item"]: row for row in ROWS}, "to_entries[] | {item: .key} + .value"),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_jq_takes_rows_out_of_an_object(held, taken, indent, tmp_path):
    _, line = refused(tmp_path, "a.json", json.dumps(held, indent=indent))
    assert f"jq -c '{taken}' FILE > rows.jsonl makes lines." in line


def test_nothing_is_taken_out_of_what_holds_no_rows(tmp_path):
    for text in ('{\n"foo": 1,\n"bar": {"x": 2}\n}', '{"a": [1, 2]}', '{"a": []}'):
        assert "jq" not in refused(tmp_path, "a.json", text)[1]


@pytest.mark.parametrize("orient", ["list", "dict"])
def test_columns_in_place_of_rows_are_written_as_rows(orient, tmp_path):
    frame = pytest.importorskip("pandas").DataFrame(ROWS)
    path, line = refused(tmp_path, "a.json", json.dumps(frame.to_dict(orient)))
    assert "df.to_json(FILE, orient='records', lines=True) writes rows." in line
    frame.to_json(path, orient="records", lines=True)
    assert counts(path) == (1, 1, 0)


# -- values written otherwise ------------------------------------------------------

WORDS = [
    ("\u2713", "\u2717"),
    ("PASS", "FAIL"),
    ("C", "I"),
    ("T", "F"),
    ("Y", "N"),
    ("ok", "error"),
    ("\u662f", "\u5426"),
]
READ_IN_CELLS = [("ja", "nein"), ("WAHR", "FALSCH"), ("Oui", "Non"), ("yes", "no")]


@pytest.mark.parametrize(("right", "wrong"), [*WORDS, *READ_IN_CELLS])
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_words_of_verdicts_are_named_with_what_to_type(right, wrong, ending, tmp_path):
    rows = [("q1", right), ("q2", wrong), ("q3", None), ("q4", right)]
    text = "item;correct\n" + "".join(f"{item};{word or ''}\n" for item, word in rows)
    if ending == "jsonl":
        text = lines({"item": item, "correct": word} for item, word in rows)
    elif (right, wrong) in READ_IN_CELLS:
        (tmp_path / "a.csv").write_text(text, "utf-8")
        assert counts(tmp_path / "a.csv") == (2, 1, 1)
        return
    path, line = refused(tmp_path, f"a.{ending}", text)
    assert f"got '{right}'" in line
    words = f"correct=cases(correct, {right}=right, {wrong}=wrong)"
    assert typed(line) == [["--columns", words]]
    assert counts(path, "--columns", words) == (2, 1, 1)


def test_all_words_of_a_column_are_proposed_wherever_they_stand(tmp_path):
    text = "id;v\n1;ja\n2;\u2713\n3;nein\n4;P\n5;C\n6;N\n7;huh\n"
    _, line = refused(tmp_path, "a.csv", text, "--columns", "item=id, correct=v")
    cases = (  # by meaning, not as the words happen to come: engines read in any order
        "C=right, ja=right, \u2713=right, P=0.5, nein=wrong, N=unanswered, huh=MEANING"
    )
    assert typed(line) == [["--columns", f"item=id, correct=cases(v, {cases})"]]
    assert "MEANING is right, wrong, unanswered or a credit from 0 to 1." in line
    known = cases.replace("MEANING", "unanswered")
    columns = f"item=id, correct=cases(v, {known})"
    assert counts(tmp_path / "a.csv", "--columns", columns) == (4, 1, 2)


@pytest.mark.parametrize(
    ("values", "forms", "read"),
    [
        (["53%", "20 %"], ["percent(confidence)"], [0.53, 0.2]),
        (["53%", 0.2], ["number(confidence)"], [0.53, 0.2]),
        (["0,53", "0,2"], ["number(confidence)"], [0.53, 0.2]),
        (["0.5", "0.25"], ["number(confidence)"], [0.5, 0.25]),
        (["1,234", "2"], ["number(confidence)"] * 2, [1.234, 2]),
        (["1.234,5", "1 234"], ["thousands(confidence)"], [1234.5, 1234]),
        (["high", "low"], ["cases(confidence, high=4, low=2)"], [4, 2]),
    ],
)
def test_confidences_are_named_with_what_to_type(values, forms, read, tmp_path):
    rows = [{**row, "confidence": v} for row, v in zip(ROWS, values, strict=True)]
    path, line = refused(tmp_path, "a.jsonl", lines(rows))
    assert f"got {values[0]!r}" in line
    ways = typed(line)
    assert len(ways) == len(forms)
    assert ways[0] == ["--columns", f"confidence={forms[0]}"]
    outcomes = demur.read_outcomes(path, columns=ways[0][1])
    assert outcomes.confidence.tolist() == read


def test_a_number_of_two_readings_is_named_with_both(tmp_path):
    path, line = refused(tmp_path, "a.csv", 'item,correct,confidence\n1,1,"1,234"\n')
    assert line.endswith(
        "got '1,234'. Type --columns 'confidence=number(confidence)' for 1.234, or "
        "--columns 'confidence=thousands(confidence)' for 1234.\n"
    )
    for (_, columns), value in zip(typed(line), (1.234, 1234), strict=True):
        assert demur.read_outcomes(path, columns=columns).confidence == [value]


def test_numbers_out_of_range_are_named_with_what_they_may_be(tmp_path):
    _, line = refused(tmp_path, "a.csv", "item,correct\n1,85\n2,20\n")
    assert typed(line) == [
        ["--columns", "correct=percent(correct)"],
        ["--columns", "correct=correct >= LIMIT"],
    ]
    _, line = refused(tmp_path, "b.csv", "item,correct\n1,3\n2,2\n")
    assert typed(line) == [["--columns", "correct=correct >= LIMIT"]]


def test_nothing_is_proposed_that_could_not_be_typed(tmp_path):
    for value in ("it's", "a, b", "a=b", "(x)"):
        row = {"item": "q1", "correct": value}
        assert typed(refused(tmp_path, "a.jsonl", lines([row]))[1]) == []
    many = [{"item": at, "correct": f"grade {at}"} for at in range(20)]
    assert typed(refused(tmp_path, "a.jsonl", lines(many))[1]) == []


# -- forms -------------------------------------------------------------------------


def test_an_outcome_that_is_named_stands_in_place_of_correct(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines({**row, "v": "x"} for row in ROWS))
    assert counts(path, "--columns", "outcome=cases(v, x=ungraded)") == (0, 0, 0)


@pytest.mark.parametrize("form", ["or()", "or(sure)", "or(, 1)"])
def test_or_needs_a_column_and_a_value(form, tmp_path):
    _, line = refused(
        tmp_path, "a.jsonl", lines(ROWS), "--columns", f"confidence={form}"
    )
    assert "or() must be given a column and a value" in line


# -- guesses without a confidence --------------------------------------------------

UNSURE = "id,ok,sure\nq1,1,0.5\nq2,0,\nq3,,\n"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("curve", ()),
        ("choose", ("--cost-ratio", "0.3")),
        ("items", ("--cutoff", "0.4")),
    ],
)
def test_a_lacking_confidence_is_filled_as_is_proposed(command, words, tmp_path):
    columns = "--columns", "item=id, correct=ok, confidence=sure"
    path, line = refused(tmp_path, "a.csv", UNSURE, *words, *columns, command=command)
    assert "unsure" not in line
    [way] = typed(line)
    assert way == ["--columns", "item=id, correct=ok, confidence=or(sure, -inf)"]
    assert run(command, path, *words, *way).code == 0


def test_a_lacking_confidence_is_ranked_lowest_where_it_is_judged(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [{"item": 1, "response": 1, "confidence": 1}, {"item": 2, "response": 1}]
    path.write_text(lines({**row, "reference": 1} for row in rows))
    assert "judge with --unsure lowest" in stderr_of("judge", path, path)
    assert run("judge", path, path, "--unsure", "lowest").code == 0


def test_what_does_not_join_is_told_with_options_where_they_are_typed(tmp_path):
    said, asked = tmp_path / "a.jsonl", tmp_path / "gold.jsonl"
    said.write_text(lines([{"item": 1, "response": 1}, {"item": 1, "response": 2}]))
    asked.write_text(lines([{"item": n, "reference": 1} for n in (1, 2)]))
    told = stderr_of("judge", said, asked)
    assert "--repeated first or --repeated last takes one" in told
    told = stderr_of("judge", said, asked, "--repeated", "first")
    assert "--missing unanswered counts them" in told
    assert "=" not in told


def test_in_python_the_least_confidence_is_given():
    with pytest.raises(demur.InputError, match=r"Give one \(-inf: the least sure\)"):
        demur.Outcomes.from_arrays(correct=[1, 0], confidence=[0.5, None])
    demur.Outcomes.from_arrays(correct=[1, 0], confidence=[0.5, float("-inf")])


# -- rows of one key ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "field"),
    [
        ("epoch", "repeat"),
        ("run_id", "repeat"),
        ("promptName", "setting"),
        ("model", "system"),
        ("example_id", "item"),
    ],
)
def test_rows_of_one_key_are_told_apart_as_is_proposed(column, field, tmp_path):
    text = f"id,correct,{column}\nq1,1,a\nq1,0,b\n"
    path, line = refused(tmp_path, "a.csv", text, "--columns", "item=id")
    assert f"They differ in {column} ('a', 'b'), outcome ('right', 'wrong')." in line
    [way] = typed(line)
    assert f"{field}={column}" in way[1].split(", ")
    assert len(demur.read_outcomes(path, columns=way[1])) == 2


def test_a_column_that_has_another_name_here_is_named_once(tmp_path):
    text = "id,ok,answer,p\nq1,1,a,0.5\nq1,0,b,0.5\n"
    mapping = "item=id, correct=ok, response=answer, confidence=p"
    _, line = refused(tmp_path, "a.csv", text, "--columns", mapping)
    assert "answer ('a', 'b'), outcome ('right', 'wrong')." in line
    assert "response (" not in line


def test_a_field_that_is_taken_is_not_proposed_again(tmp_path):
    rows = ["id,correct,run,seed", "q1,1,1,a", "q1,0,1,b", "q1,1,2,a"]
    mapping = "item=id, repeat=run"
    _, line = refused(tmp_path, "a.csv", "\n".join(rows), "--columns", mapping)
    assert "They differ in seed ('a', 'b')" in line
    assert typed(line) == []


def test_rows_that_are_the_same_are_called_so(tmp_path):
    text = "item,correct,response\nq1,1,a\nq1,1,a\n"
    _, line = refused(tmp_path, "a.csv", text)
    assert "Both rows are the same: leave one out." in line
    _, line = refused(tmp_path, "a.csv", text.replace("1,a\nq1,1,a", "1,a\nq1,1,b"))
    assert "They differ in response ('a', 'b')." in line
    assert typed(line) == []


def test_rows_read_once_are_not_called_the_same(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,correct,prompt\nq1,1,a\nq1,1,b\n")
    once = pytest.raises(demur.InputError, match="Of a file that is named")
    with path.open("rb") as file, once:
        demur.read_outcomes(file)


def test_one_text_of_two_intents_is_told_apart_as_is_proposed(tmp_path):
    sure = {"name": "greet", "confidence": 0.9}
    rows = [
        {"text": "hi", "intent": intent, "intent_prediction": sure}
        for intent in ("greet", "bye")
    ]
    path, line = refused(
        tmp_path, "a.json", json.dumps(rows), "--log", "rasa(threshold=0.5)"
    )
    assert "They differ in intent ('greet', 'bye')" in line
    way = shlex.split(re.search(r"--log '.*'", line)[0])
    assert way == ["--log", "rasa(threshold=0.5, item=text_and_intent)"]
    assert counts(path, *way) == (1, 1, 0)


# -- forms over forms --------------------------------------------------------------


def test_the_meanings_that_were_typed_are_mended_where_they_stand(tmp_path):
    text = "item,grade\nq1,good\nq2,poor\nq3,none\n"
    mapping = "correct=cases(grade, good=PASS, poor=FAIL, none=unanswered)"
    path, line = refused(tmp_path, "a.csv", text, "--columns", mapping)
    assert "cases(cases(" not in line
    [way] = typed(line)
    assert counts(path, *way) == (1, 1, 1)


def test_a_meaning_that_only_its_user_knows_is_asked_for_once(tmp_path):
    text = "item,grade\nq1,good\nq2,poor\n"
    mapping = "correct=cases(grade, good=right, poor=MEANING)"
    _, line = refused(tmp_path, "a.csv", text, "--columns", mapping)
    assert typed(line) == []
    assert "MEANING is right, wrong, unanswered or a credit" in line


def test_no_form_is_proposed_that_cannot_be_read(tmp_path):
    text = "item,correct,sure\nq1,1,low\nq2,0,\n"
    mapping = "confidence=or(sure, high)"
    path, line = refused(tmp_path, "a.csv", text, "--columns", mapping)
    assert all(counts(path, *way) for way in typed(line))


# -- answers by item ---------------------------------------------------------------


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("command", ["curve", "judge"])
def test_answers_by_item_lead_to_their_reader(command, indent, tmp_path):
    for answer, reader in (("Oslo", "squad2(data=FILE)"), ("select 1", "ehrsql(")):
        held = json.dumps({"q1": answer, "q2": ""}, indent=indent)
        words = [tmp_path / "a.json"] if command == "judge" else []
        _, line = refused(tmp_path, "a.json", held, *words, command=command)
        assert f"type demur {command}" in line
        assert f" --log '{reader}" in line
        assert "jq" not in line
    other = json.dumps({"first": "Oslo", "second": "Rome"}, indent=indent)
    assert "squad2" not in refused(tmp_path, "a.json", other)[1]


def test_an_empty_verdict_beside_an_answer_is_asked_for_and_told(tmp_path):
    rows = [
        "1;Rome;90 %;richtig",
        "2;Oslo;80 %;",
        "3;Lima;70 %;falsch",
        "4;;;keine Antwort",
    ]
    text = "Nr;Antwort;Sicherheit;Bewertung\n" + "\n".join(rows) + "\n"
    path, line = refused(tmp_path, "a.csv", text)
    words = "richtig=right, falsch=wrong, keine Antwort=unanswered"
    cases = f"cases(Bewertung, {words}, =MEANING)"
    columns = f"item=Nr, response=Antwort, outcome={cases}, confidence=Sicherheit"
    assert typed(line) == [["--columns", columns]]
    assert "unlabelled (not judged yet)" in line
    for meaning, expected in (("unlabelled", 1), ("unanswered", 0)):
        known = columns.replace("=MEANING", f"={meaning}")
        outcomes = demur.read_outcomes(path, columns=known)
        assert outcomes.counts()["ungraded"] == expected
    silent = f"correct=cases(Bewertung, {words})"
    found = demur.read_outcomes(
        path, columns=f"item=Nr, response=Antwort, {silent}, confidence=Sicherheit"
    )
    told = [note for note in found.notes if "no verdict" in str(note)]
    assert len(told) == 1
    assert str(told[0]).startswith(
        "1 row has an answer and a confidence, but no verdict: counted as not answered."
    )


def test_a_refusal_without_a_verdict_is_no_answer_without_a_note():
    outcomes = demur.Outcomes.from_arrays(
        correct=[True, None, None],
        confidence=[0.9, 0.2, 0.1],
        response=["Rome", "I don't know.", ""],
    )
    assert not [note for note in outcomes.notes if "no verdict" in str(note)]


# -- words that are not typed yet, and guesses without a confidence -----------------


def test_all_words_without_a_meaning_are_named_at_once(tmp_path):
    path = tmp_path / "typo.csv"
    path.write_text("item,grade\n1,right\n2,wrogn\n3,rihgt\n4,fail\n")
    typed = "correct=cases(grade, right=right, wrong=wrong)"
    line = stderr_of("curve", path, "--columns", typed)
    cases = "right=right, wrong=wrong, fail=wrong, rihgt=MEANING, wrogn=MEANING"
    assert f"'correct=cases(grade, {cases})'" in line
    assert line.rstrip().endswith(
        "MEANING is right, wrong, unanswered or a credit from 0 to 1."
    )


def test_a_guess_without_a_confidence_is_part_of_the_first_proposal(tmp_path):
    path = tmp_path / "gap.csv"
    path.write_text("id,answer,verdict,sure\n1,a,right,0.9\n2,b,wrong,\n3,,skip,\n")
    line = stderr_of("curve", path)
    assert "confidence=or(sure, -inf)" in line
    assert "for the least sure" in line
    [way] = typed(line)
    assert counts(path, *way) == (1, 1, 1)


def test_a_confidence_that_only_silence_lacks_is_proposed_as_it_is(tmp_path):
    path = tmp_path / "full.csv"
    path.write_text("id,answer,verdict,sure\n1,a,right,0.9\n2,b,wrong,0.2\n3,,skip,\n")
    assert "confidence=sure" in stderr_of("curve", path)


LINES = (
    {"question": "1 + 1?", "answer": "2", "expected": "2", "score": 0.9},
    {"question": "2 + 2?", "answer": "5", "expected": "4", "score": 0.4},
    {"question": "3 + 3?", "answer": "I don't know.", "expected": "6", "score": 0.2},
)


def test_a_score_beside_an_answer_and_the_right_one_is_no_verdict(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.jsonl").write_text(lines(LINES))
    line = stderr_of("choose", "log.jsonl", "--max-error", "0.4", "--lock", "a b.json")
    judging, then = re.search(r"demur (judge .*) && demur (.*?)\. row", line).groups()
    assert "--no-answer refusals" in judging
    assert "confidence=score" in judging
    assert then == "choose judged.jsonl --max-error 0.4 --lock 'a b.json'"
    done = run(*shlex.split(judging))
    assert done.out.startswith("3 outcomes: 1 right, 1 wrong, 1 unanswered")
    assert run(*shlex.split(then)).code == 0


def test_a_score_of_0_or_1_is_a_verdict(tmp_path):
    graded = ({**line, "score": int(line["score"] > 0.5)} for line in LINES)
    _, line = refused(tmp_path, "log.jsonl", lines(graded))
    assert "correct=score >= 0.5" in line


def test_a_score_beside_a_confidence_is_a_verdict(tmp_path):
    rows = ({**line, "prob": 0.5} for line in LINES)
    _, line = refused(tmp_path, "log.jsonl", lines(rows))
    assert "correct=score >= 0.5, confidence=prob" in line


@pytest.mark.parametrize("name", ["Ticket", "Ticket-ID", "Chat ID", "#", "Vorgang"])
def test_a_column_of_names_is_proposed_and_not_the_number_of_rows(tmp_path, name):
    text = f"{name},Question,Answer,Correct\nT1,a b?,x,1\nT2,c d?,y,0\nT3,e f?,z,1\n"
    _, line = refused(tmp_path, "a.csv", text)
    assert f"'item={name}, " in line


def test_names_that_are_repeated_are_told_and_not_hidden(tmp_path):
    rows = "".join(f"C{n},why {n}?,yes,{n % 2}\n" for n in range(20))
    path, line = refused(
        tmp_path, "a.csv", f"Chat ID,Question,Answer,Correct\n{rows}C3,why 3?,no,1\n"
    )
    [way] = typed(line)
    assert "item=Chat ID" in way[1]
    assert "Item 'C3' has rows that differ: --repeated last" in line
    assert "C3" in stderr_of("curve", path, *way)
    assert counts(path, *way, "--repeated", "last") == (10, 10, 0)


@pytest.mark.parametrize(
    "header", ["answer,verdict", "score,verdict", "How well?,verdict"]
)
def test_answers_and_numbers_are_no_names(tmp_path, header):
    _, line = refused(tmp_path, "a.csv", f"{header}\n0.1,yes\n0.2,no\n0.3,yes\n")
    assert "item=row()" in line


def test_own_words_for_verdicts_do_not_hide_that_confidences_are_missing(tmp_path):
    text = "id;Antwort;Urteil;Konfidenz\n1;a;passt;0,9\n2;b;passt nicht;\n3;;nichts;\n"
    _, line = refused(tmp_path, "a.csv", text)
    assert "confidence=or(Konfidenz, -inf)" in line


@pytest.mark.parametrize("word", ["-", "n/a", "NaN", "\u2013"])
def test_a_word_for_no_number_is_taken_out_of_a_confidence(tmp_path, word):
    rows = f"id,answer,verdict,sure\n1,a,right,0.9\n2,b,wrong,{word}\n3,,skip,{word}\n"
    path, line = refused(tmp_path, "na.csv", rows)
    assert f"confidence=or(number(empty(sure, {word})), -inf)" in line
    [way] = typed(line)
    assert counts(path, *way) == (1, 1, 1)
    own = rows.replace("id,", "item,").replace("verdict,sure", "correct,confidence")
    own = own.replace("right", "1").replace("wrong", "0").replace("skip", "")
    _, line = refused(tmp_path, "own.csv", own)
    assert f"confidence=number(empty(confidence, {word}))" in line


def test_how_sure_in_per_cent_is_proposed(tmp_path):
    rows = (
        "id,Customer question,answer,ok,How sure (%)\n1,a?,x,yes,73%\n2,b?,y,no,20%\n"
    )
    path, line = refused(tmp_path, "a.csv", rows)
    assert 'confidence="How sure (%)", input=Customer question' in line
    [way] = typed(line)
    assert counts(path, *way) == (1, 1, 0)


def test_a_blank_among_words_is_nothing(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('item,correct,sure\n1,1,high\n2,0,low\n3,," "\n')
    way = ("--columns", "confidence=cases(sure, high=2, low=1)")
    assert counts(path, *way) == (1, 1, 1)
