"""Records that hold lists of their parts, in files and as mappings."""

import json

import pytest

import demur
from builders import printed, refuses, write_records

WHOLES = [
    {"item": "r0", "cluster": "d", "parts": []},
    {
        "item": "r1",
        "cluster": "d",
        "parts": [
            {"part": "pay", "correct": True, "confidence": 0.4, "tool": "x"},
            {"part": "book", "correct": False, "confidence": 0.3, "tool": "y"},
        ],
    },
    {"item": "r2", "cluster": "e", "parts": [{"part": "pay", "correct": None}]},
]
FLAT = [
    {"item": "r0", "cluster": "d", "part": None, "correct": None},
    *({"item": "r1", "cluster": "d", **part} for part in WHOLES[1]["parts"]),
    {"item": "r2", "cluster": "e", "part": "pay", "correct": None},
]


def columns(path):
    return demur.read_outcomes(path, groups=None).to_columns()


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_a_list_of_parts_is_as_a_row_for_each(tmp_path, order):
    flat = {
        item: [one for one in FLAT if one["item"] == item]
        for item in ("r0", "r1", "r2")
    }
    rows = [row for number in order for row in flat[f"r{number}"]]
    nested = write_records(tmp_path / "n.jsonl", [WHOLES[k] for k in order])
    assert columns(nested) == columns(write_records(tmp_path / "f.jsonl", rows))
    array = tmp_path / "n.json"
    array.write_text(json.dumps([WHOLES[k] for k in order]))
    assert columns(str(array)) == columns(nested)


def test_the_curve_reads_wholes_of_a_nested_file(tmp_path):
    nested = write_records(tmp_path / "n.jsonl", WHOLES)
    assert "Wholes" in printed("curve", nested)


def test_outcomes_may_be_named_too(tmp_path):
    wholes = [
        {"item": "r0", "parts": []},
        {"item": "r1", "parts": [{"part": "p", "outcome": "right"}]},
    ]
    nested = write_records(tmp_path / "n.jsonl", wholes)
    assert columns(nested)["outcome"] == ["unanswered", "right"]
    silent = write_records(tmp_path / "s.jsonl", wholes[:1])
    assert columns(silent)["outcome"] == ["unanswered"]


def test_responses_and_references_hold_lists_of_parts(tmp_path):
    said = [
        {
            "item": "r1",
            "parts": [{"part": "a", "response": 5}, {"part": "b", "response": 7}],
        },
        {"item": "r0", "parts": []},
    ]
    asked = [
        {"item": "r1", "input": "?", "parts": [{"part": "b", "reference": 7}]},
        {"item": "r0", "parts": []},
    ]
    asked[0]["parts"].append({"part": "a", "reference": 6})
    plain = demur.judge(said, asked, by="number")
    read = demur.judge(
        demur.read_responses(write_records(tmp_path / "r.jsonl", said)),
        demur.read_references(write_records(tmp_path / "g.jsonl", asked)),
        by="number",
    )
    table = plain.to_columns()
    assert table == read.to_columns()
    assert table["part"] == ["a", "b", None]
    assert table["outcome"] == ["wrong", "right", "unanswered"]
    assert table["answerable"] == [True, True, False]


def test_a_column_called_parts_stays_where_a_record_speaks_for_itself(tmp_path):
    records = [{"item": "q", "correct": True, "parts": [{"part": "a"}]}]
    path = write_records(tmp_path / "o.jsonl", records)
    assert demur.read_outcomes(path).part is None
    said = [{"item": "q", "response": "x", "parts": ["a"]}]
    outcomes = demur.judge(said, [{"item": "q", "reference": "x"}])
    assert outcomes.part is None


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            [{"part": "a", "correct": True}, {"correct": True}],
            ":1, part 2: a part must",
        ),
        (
            [{"part": "a", "correct": 1}, {"part": "b", "correct": "x"}],
            ":1, part 2: corr",
        ),
        (
            [{"part": "a", "correct": True}] * 2,
            "must be given once; got item 'r1', part",
        ),
        (
            [{"part": "a", "item": "r9", "correct": 1}],
            "part 1: item must be that of the",
        ),
    ],
)
def test_faults_name_the_line_and_the_part(tmp_path, parts, message):
    path = write_records(tmp_path / "bad.jsonl", [{"item": "r1", "parts": parts}])
    refuses(message, demur.read_outcomes, path)


def test_lint_tells_parts_apart_and_adjudications_are_of_wholes():
    asked = [
        {"item": "r1", "part": part, "input": "Plan it", "reference": part}
        for part in ("pay", "book")
    ]
    assert not demur.lint(asked).findings
    findings = demur.lint([*asked, asked[0]]).findings
    assert [(one.item, one.check) for one in findings] == [
        ("r1, part pay", "item-repeated")
    ]
    said = [{**one, "response": "x"} for one in asked]
    changes = [{"item": "r1", "by": "Ada", "why": "so", "set": {"reference": "x"}}]
    refuses("references must have no parts", demur.adjudicate, said, asked, changes)
