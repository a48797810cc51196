"""``demur curve`` of answers that are made of parts."""

import pytest

from builders import printed, printed_json, stderr_of, write_records


@pytest.fixture
def agent(tmp_path):
    path = tmp_path / "agent.jsonl"
    rows = [
        ("run1", "pay", "right", 0.9),
        ("run1", "book", "wrong", 0.4),
        ("run2", "pay", "right", 0.8),
        ("run2", "book", "right", 0.6),
        ("run3", None, "unanswered", None),
    ]
    names = ("item", "part", "outcome", "confidence")
    write_records(path, [dict(zip(names, row, strict=True)) for row in rows])
    return str(path)


def test_wholes_stand_below_parts(agent):
    text = printed("curve", agent, "--at", "0.25", "--minutes", "2")
    assert "0.000 of the wholes of the system hold a wrong part" in " ".join(
        text.split()
    )
    assert "Wholes\n" in text
    assert "1 of the wholes have no parts" in " ".join(text.split())
    plain = printed_json("curve", agent, "--at", "0.25", "--people-error", "0.1")
    wholes = plain["systems"][0]["wholes"]
    assert (wholes["wholes"], wholes["parts"]) == (3, 4)
    [point] = wholes["at"]
    assert (point["cutoff"], point["whole_error"]) == (0.6, 0.0)
    assert point["error_with_people"] == pytest.approx(0.1 / 3)


@pytest.mark.parametrize(("rule", "n_complete"), [("right", 2), ("unanswered", 1)])
def test_an_answer_without_parts_is_right_by_the_named_rule(agent, rule, n_complete):
    plain = printed_json("curve", agent, "--at", "0", "--without-parts", rule)
    wholes = plain["systems"][0]["wholes"]
    assert wholes["at"][0]["complete"] == pytest.approx(n_complete / 3)
    assert f"without_parts:{rule}" in wholes["signature"]


def test_gates_on_wholes(agent):
    assert printed("curve", agent, "--fail-if", "whole_error@0.25 > 0.02")
    broken = stderr_of("curve", agent, "--fail-if", "whole_error@0 > 0.02", code=1)
    assert "whole_error@0 is 0.333" in broken


def test_what_needs_parts_says_so(tmp_path):
    write_records(tmp_path / "items.jsonl", [{"item": "a", "outcome": "right"}])
    path = str(tmp_path / "items.jsonl")
    for option in (
        ["--minutes", "2"],
        ["--without-parts", "right"],
        ["--fail-if", "whole_error > 0.02"],
    ):
        said = stderr_of("curve", path, *option, code=2)
        assert "must come with answers that have a column part; got none" in said


def test_an_engine_refuses_parts_and_memory_reads_them(agent):
    said = stderr_of("curve", agent, "--engine", "duckdb", code=4)
    assert "the column part must be read into memory" in said
    assert "Wholes" in printed("curve", agent, "--engine", "memory")


def test_a_sketch_of_parts_is_read_again(agent, tmp_path):
    """Parts of one item have hashes of their own."""
    sketch = str(tmp_path / "agent.sketch")
    stderr_of("sketch", agent, "-o", sketch, code=0)
    [counted] = printed_json("curve", sketch, "--at", "0.25")["systems"]
    [rows] = printed_json("curve", agent, "--at", "0.25")["systems"]
    for name in ("items", "right", "wrong", "unanswered"):
        assert counted[name] == rows[name]


def test_a_certificate_says_that_it_is_of_parts(agent):
    text = printed("choose", agent, "--max-error", "0.5", "--certainty", "0.5")
    assert "each part counts as an item here, and promises are of parts" in " ".join(
        text.split()
    )


def test_runs_keep_their_parts(agent, tmp_path, monkeypatch):
    monkeypatch.setenv("DEMUR_STORE", str(tmp_path / "runs.db"))
    printed("keep", agent)
    [kept] = printed_json("curve", "kept:1")["systems"]
    [rows] = printed_json("curve", agent)["systems"]
    assert kept["wholes"]["at"] == rows["wholes"]["at"]


def test_a_column_part_of_responses_stays(tmp_path):
    responses, references = tmp_path / "r.jsonl", tmp_path / "g.jsonl"
    write_records(responses, [{"item": "a", "response": "x", "part": "p"}])
    write_records(references, [{"item": "a", "reference": "x", "part": "p"}])
    output = str(tmp_path / "o.jsonl")
    printed("judge", str(responses), str(references), "--by", "text", "-o", output)
    assert '"part":"p"' in (tmp_path / "o.jsonl").read_text()


def test_what_is_not_known_of_people_passes_no_gate(agent):
    gate = "whole_error_with_people@0.25 > 0.02"
    said = stderr_of("curve", agent, "--fail-if", gate, code=4)
    assert "how often people err (people_error) is not given" in said


def test_the_picture_has_parts_and_wholes_beside_each_other(agent, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "agent.svg"
    printed("curve", agent, "--people-error", "0.1", "--at", "0.2", "--plot", str(path))
    drawn = path.read_text()
    assert "wrong parts (share of all parts)" in drawn
    assert "wholes with a wrong part (share of all wholes)" in drawn
    assert drawn.count("parts withheld (share of all parts)") == 2


def test_a_page_lists_every_part_and_shows_wholes(agent, tmp_path):
    pytest.importorskip("jinja2")
    path = tmp_path / "page.html"
    stderr_of("report", agent, "-o", str(path), code=0)
    page = path.read_text()
    assert ">Wholes</h2>" in page
    assert "wholes with a wrong part (share of all wholes)" in page
    listed = '"items":["run1, pay","run1, book","run2, pay","run2, book","run3"]'
    assert listed in page
    assert '"clusters":{"names":["run1","run2","run3"]' in page


# -- choose and recheck --------------------------------------------------------------


@pytest.fixture
def runs(tmp_path):
    """Runs of three actions whose least sure is wrong in every tenth; later ones."""
    for name, wrong in (("old", 10), ("new", 9)):
        rows = [
            {
                "item": f"{name}{run}",
                "part": f"p{place}",
                "outcome": "wrong" if not place and not run % wrong else "right",
                "confidence": 0.5 + 0.1 * place + run % 7 / 100,
            }
            for run in range(200)
            for place in range(3)
        ]
        write_records(tmp_path / f"{name}.jsonl", rows)
    return tmp_path


CERTIFIED = ("--max-error", "0.02", "--certainty", "0.95", "--of", "wholes")


def test_a_cutoff_of_wholes_is_chosen_locked_and_checked(runs):
    old, new, lock = (str(runs / name) for name in ("old.jsonl", "new.jsonl", "l.json"))
    text = " ".join(printed("choose", old, *CERTIFIED, "--lock", lock).split())
    assert "at most 2 % of wholes hold a wrong part that is returned" in text
    assert "of them, are taken as independent" in text
    assert "promises are of parts" not in text
    chosen = printed_json("choose", old, *CERTIFIED)
    assert (chosen["of"], chosen["target"]) == ("wholes", 0.02)
    assert chosen["cutoff"] == pytest.approx(0.6)
    assert chosen["nonreturn"] == pytest.approx(1 / 3, abs=0.001)
    assert chosen["wholes"]["touched"] == 1
    text = " ".join(printed("recheck", lock, new, "--fail-if", "broken").split())
    assert "The target 0.02 holds: 0 % of all wholes hold a wrong part" in text
    assert "How far confidences have moved, part by part" in text
    [check] = printed_json("recheck", lock, new)["systems"]
    assert (check["of"], check["items"], check["answered"]) == ("wholes", 200, 200)


def test_gates_on_choices_and_checks_of_wholes(runs):
    old, new, lock = (str(runs / name) for name in ("old.jsonl", "new.jsonl", "l.json"))
    how = ("--nonreturn", "0.1", "--of", "wholes")
    broken = stderr_of("choose", old, *how, "--fail-if", "error > 0.02", code=1)
    assert "error is" in broken
    assert printed("choose", old, *CERTIFIED, "--fail-if", "nonreturn > 0.5")
    printed("choose", old, "--max-error", "0.1", "--of", "wholes", "--lock", lock)
    broken = stderr_of("recheck", lock, new, "--fail-if", "error > 0.02", code=1)
    assert "error is" in broken


def test_held_out_wholes(runs):
    old, new = (str(runs / name) for name in ("old.jsonl", "new.jsonl"))
    text = printed("choose", old, *CERTIFIED, "--held-out", new)
    assert "judged on 200 held-out wholes" in text
    assert printed("choose", old, *CERTIFIED, "--split", "0.5", "--by", "part")


@pytest.mark.parametrize(
    ("options", "message", "code"),
    [
        (("--balance",), "the rule must be one of max_error, cost_ratio", 4),
        (("--cost-ratio", "0.1", "--certainty", "0.9"), "come with --max-error", 2),
        (("--prices",), "must come alone", 2),
        (("--max-error", ".1", "--certainty", ".9", "--plan"), "must come alone", 2),
        (("--max-error", ".1", "--gold", "part"), "gold must be left out", 4),
        (("--max-error", ".1", "--engine", "duckdb"), "read into memory", 4),
    ],
)
def test_what_makes_no_sense_of_wholes_is_refused(runs, options, message, code):
    said = stderr_of(
        "choose", str(runs / "old.jsonl"), *options, "--of", "wholes", code=code
    )
    assert message in " ".join(said.split())
