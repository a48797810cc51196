"""The gates of a file: read, checked, refused in one line with where it stands."""

import pytest

import demur
from builders import refuses, stderr_of
from demur.results.gates import WorseGate

ONE = '[[gate]]\nrun = "a.jsonl"\n'


def read(tmp_path, text):
    path = tmp_path / "demur.toml"
    if isinstance(text, bytes):
        path.write_bytes(text)
    else:
        path.write_text(text, "utf-8")
    return demur.read_gates(path)


def test_all_that_a_gate_may_say(tmp_path):
    found = read(
        tmp_path,
        """
        store = "runs.sqlite"

        [columns."a.csv"]
        item = "id"

        [[gate]]
        run = "a.csv"
        against = "main"
        system = "s"
        require = ["not worse than main by 0.02 @0.1", "error@0.2 <= 0.08"]
        fail_if = ["worse than main", "s worse than main @weight 2", "ungraded > 10"]
        name = "air"
        incomparable = "inconclusive"
        level = 0.99
        """,
    )
    assert found.store == "runs.sqlite"
    assert found.columns == {"a.csv": {"item": "id"}}
    [gate] = found.gates
    assert (gate.name, gate.against, gate.system) == ("air", "main", "s")
    assert (gate.incomparable, gate.level) == ("inconclusive", 0.99)
    claim, figure, worse, weighted, count = (one.gate for one in gate.conditions)
    assert (claim.worse, claim.margin, claim.at) == ("the run", 0.02, 0.1)
    assert (figure.sign, figure.limit) == (">", 0.08)  # what breaks it
    assert (worse.at, worse.margin) == (0.2, None)
    assert (weighted.worse, weighted.weight, weighted.at) == ("s", 2, None)
    assert count.sign == ">"
    assert [one.required for one in gate.conditions] == [True, True, *[False] * 3]
    assert gate.where.endswith("demur.toml:7")


def test_names_are_made_of_what_is_held(tmp_path):
    conditions = 'fail_if = ["wrong > 9"]\n'
    text = f'{ONE}{conditions}{ONE}against = "main"\nsystem = "s"\n{conditions}'
    names = [gate.name for gate in read(tmp_path, text).gates]
    assert names == ["a.jsonl", "s of a.jsonl against main"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "gate must be a list of tables; got none. Begin each gate with [[gate]]"),
        ("\n\n# nothing\n", "gate must be a list of tables; got none"),
        ("[[gate]", "the file must be TOML"),
        ("[[gate]]\nrun = 'a", "the file must be TOML"),
        ("gate = 3", "gate must be a list of tables; got 3"),
        ("gate = []", "gate must be a list of tables; got []"),
        ("gate = [3]", "gate must be a list of tables; got 3"),
        ("[gate]\nrun = 'a'", "gate must be a list of tables"),
        ("[[gates]]\nrun = 'a'", "a key must be one of store, gate, columns"),
        ("[[gate]]\nfail_if = ['wrong > 1']", "toml:1: run must name a file"),
        (f"\n{ONE}", "toml:2: the gate must have conditions"),
        (f"{ONE}fail_if = []", "fail_if must hold a condition, or be left out"),
        (f"{ONE}fail_if = 'wrong > 1'", "fail_if must be a list of texts"),
        (f"{ONE}fail_if = [1]", "fail_if must be a list of texts"),
        (f"{ONE}fail-if = ['wrong > 1']", "Did you mean 'fail_if'"),
        (f"{ONE}fail_if = ['']", "fail_if: the text must read like"),
        (f"{ONE}fail_if = ['wrong > 1', 'wrong > 1']", "hold 'wrong > 1' once"),
        (f"{ONE}fail_if = ['eror@0.2 > 0.1']", "Did you mean 'error'"),
        (f"{ONE}fail_if = ['error@0.2 > 5']", "be one that can be reached"),
        (f"{ONE}require = ['error@0.2 <= 1']", "be one that can be reached"),
        (f"{ONE}fail_if = ['error > 0.1 and wrong > 3']", "a text of its own"),
        (f"{ONE}fail_if = ['broken']", "a figure must be one of"),
        (f"{ONE}require = ['worse than main']", "be a claim, such as not worse than"),
        (f"{ONE}fail_if = ['not worse than main by 0.1']", "stands under require"),
        (f"{ONE}require = ['not worse than main']", "name a margin just where"),
        (f"{ONE}require = ['not worse than main by 0.9 @0.2']", "below 0.8"),
        (f"{ONE}fail_if = ['wrong > 1']\nlevel = 95", "level must be from 0.5"),
        (f"{ONE}fail_if = ['wrong > 1']\nlevel = nan", "level must be from 0.5"),
        (f"{ONE}fail_if = ['wrong > nan']", "fail_if: the text must read like"),
        (f"{ONE}fail_if = ['wrong > 1']\nagainst = 3", "against must be a text"),
        (f"{ONE}fail_if = ['wrong > 1']\nagainst = ' '", "against must be a text"),
        (f"{ONE}fail_if = ['wrong > 1']\nincomparable = 'ok'", "incomparable must be"),
        (f"{ONE}fail_if = ['wrong > 1']\n" * 2, "differ from that of the gate at"),
        (f"store = ''\n{ONE}fail_if = ['wrong > 1']", "store must be the address"),
        (f"{ONE}fail_if = ['wrong > 1']\n[columns]\na = 1", "columns must name files"),
        (b"\xff\xfe[\0[\0", "the file must be UTF-8"),
        (f"store = {'[' * 5000}", "the file must be TOML"),
        (f"store = {'9' * 5000}", "the file must be TOML"),
        ("#" * (17 << 20), "the file must hold at most 16 MiB"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(tmp_path, text, words):
    with pytest.raises(demur.InputError) as problem:
        read(tmp_path, text)
    assert words in str(problem.value)
    assert "\n" not in str(problem.value)
    assert str(tmp_path / "demur.toml") in str(problem.value)
    error = stderr_of("gate", tmp_path / "demur.toml")
    assert error.count("\n") == 1


def test_every_cut_of_a_file_is_read_or_refused_in_one_line(tmp_path):
    text = f"{ONE}against = 'main'\nrequire = ['not worse than main by 0.02 @0.2']\n"
    problems = []
    for end in range(len(text)):
        try:
            read(tmp_path, text[:end])
        except demur.InputError as problem:
            problems.append(str(problem))
    assert len(problems) > 50
    assert not any("\n" in problem for problem in problems)


def test_what_is_no_file_is_refused(tmp_path):
    refuses("be a file that can be read", demur.read_gates, tmp_path)
    refuses("be a file that can be read", demur.read_gates, tmp_path / "no.toml")
    refuses("path", demur.read_gates, 3)


def test_a_system_may_be_called_anything(tmp_path):
    text = f"{ONE}fail_if = ['<b> | worse than main @0.2', 'a b: wrong > 3']\n"
    [gate] = read(tmp_path, text).gates
    claim, count = (one.gate for one in gate.conditions)
    assert isinstance(claim, WorseGate)
    assert claim.worse == "<b> |"
    assert count.system == "a b"
