"""Scripts: what each line may be, and errors with file and line."""

from pathlib import Path

import pytest

import demur
from builders import refuses
from demur.reference_systems.script_reader import read_script

HEAD = "name: Echo\n"
TAIL = "rule *\n    say no.idea\nrule nothing\n    say say.again\n"


def test_all_parts_of_a_script():
    text = (
        HEAD
        + "start: outside   # the porch\ncompliance: -1\n\n"
        + "rule knock.* ring at outside if compliance >= -1 and not promised quiet\n"
        + "    go inside\n    compliance +2\n    say come.in\n"
        + "rule offer.quiet\n    promise quiet\n    say thanks\n"
        + "rule ask.all at inside if promised quiet and compliance < 5\n"
        + "    needs quiet\n    forget\n    open list\n"
        + "    next\n    otherwise say done\n"
        + "checklist list\n    ask question.one\n    tell fact.two\n"
        + TAIL
    )
    manager = demur.DialogueManager(read_script(text, "x"))
    assert manager.step(None, "ask.all")[0] == ["no.idea"]
    _, inside = manager.step(None, "ring")
    assert inside["node"] == "inside"
    assert inside["compliance"] == 1
    assert manager.step(inside, "ring")[0] == ["no.idea"]
    _, quiet = manager.step(inside, "offer.quiet")
    said, state = manager.step(quiet, "ask.all")
    assert said == ["question.one"]
    said, state = manager.step(state, "ask.all")
    assert said == ["fact.two"]
    assert manager.step(state, "ask.all")[0] == ["done"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "begin a script with name:"),
        (TAIL, 1, "begin a script with name:"),
        ("name:\n", 1, "name the character"),
        (HEAD + "name: Again\n" + TAIL, 2, "say name once"),
        (HEAD + "colour: red\n" + TAIL, 2, "begin with name:, start:, compliance:"),
        (HEAD + "hello\n" + TAIL, 2, "Lines inside a block are indented"),
        (HEAD + "compliance: much\n" + TAIL, 2, "a whole number"),
        (HEAD + "start: a b\n" + TAIL, 2, "a name of letters"),
        (HEAD + "    say hello\n" + TAIL, 2, "only inside a block"),
        (HEAD + "rule a\n\tsay b\n" + TAIL, 3, "indented by blanks"),
        (HEAD + "rule\n    say b\n" + TAIL, 2, "say what the rule is of"),
        (HEAD + "rule a\n" + TAIL, 2, "followed by indented lines"),
        (HEAD + "rule a\n    shout b\n" + TAIL, 3, "begin with one of say, needs"),
        (HEAD + "rule a\n    say\n" + TAIL, 3, "a speech act"),
        (HEAD + "rule a\n    say two words\n" + TAIL, 3, "a speech act"),
        (HEAD + "rule a$\n    say b\n" + TAIL, 2, "patterns of acts"),
        (HEAD + "rule a if happy\n    say b\n" + TAIL, 2, "conditions such as"),
        (
            HEAD + "rule a if compliance > 3\n    say b\n" + TAIL,
            2,
            "conditions such as",
        ),
        (HEAD + "rule a if not promised\n    say b\n" + TAIL, 2, "conditions such as"),
        (HEAD + "rule a if compliance < x\n    say b\n" + TAIL, 2, "a whole number"),
        (HEAD + "rule a at moon\n    say b\n" + TAIL, 2, "no rule goes there"),
        (HEAD + "rule a if promised p\n    say b\n" + TAIL, 2, "no rule has promise"),
        (HEAD + "rule a\n    needs p\n    say b\n" + TAIL, 3, "no rule has promise"),
        (HEAD + "rule a\n    open l\n    say b\n" + TAIL, 3, "no such checklist"),
        (HEAD + "rule a\n    next now\n    say b\n" + TAIL, 3, "next alone"),
        (HEAD + "rule a\n    say b\n    otherwise say c\n" + TAIL, 4, "after next"),
        (
            HEAD + "rule a\n    next\n    otherwise go c\n" + TAIL,
            4,
            "otherwise say ACT",
        ),
        (HEAD + "rule a\n    next\n" + TAIL, 2, "say something in any case"),
        (HEAD + "rule a\n    forget\n" + TAIL, 2, "say something in any case"),
        (HEAD + "rule a.*\n    say b\nrule a.c\n    say d\n" + TAIL, 4, "of line 2"),
        (HEAD + "checklist l\n    say b\n" + TAIL, 3, "ask ACT"),
        (HEAD + "checklist l\n    ask b\n    tell b\n" + TAIL, 2, "in one checklist"),
        (
            HEAD + "checklist l\n    ask b\nchecklist l\n    ask c\n" + TAIL,
            4,
            "give checklist l once",
        ),
        (HEAD + "heard hm\n    hello\n" + TAIL, 1, "heard by a rule other"),
        (HEAD + "heard a\n    x\nheard a\n    y\n" + TAIL, 4, "give heard a once"),
        (HEAD + "spoken no.idea\n    Eh?\n" + TAIL, 1, "no spoken say.again"),
        (
            HEAD + "spoken no.idea\n    Eh?\nspoken say.again\n    Eh?\n"
            "spoken other\n    Oh\n" + TAIL,
            1,
            "spoken other",
        ),
        (HEAD + "rule nothing\n    say a\n", 1, "a rule * without conditions"),
        (HEAD + "rule *\n    say a\n", 1, "a rule nothing without conditions"),
        (HEAD + "rule * if compliance < 0\n    say a\n", 1, "a rule * without"),
    ],
)
def test_errors_have_file_and_line(tmp_path, text, line, words):
    path = tmp_path / "script.txt"
    path.write_text(text)
    with pytest.raises(demur.InputError) as told:
        demur.read_dialogue_manager(path)
    assert f"{path}:{line}:" in str(told.value)
    assert words in str(told.value)


@pytest.mark.parametrize(
    "rules",
    [
        "rule a.*\n    say b\nrule a.b c\n    say d\n",
        "rule a at in\n    go in\n    say b\nrule a\n    say d\n",
        "rule a at in\n    go in\n    say b\nrule a at start\n    say d\n",
        "rule a if compliance < 0\n    say b\nrule a\n    say d\n",
        "rule n*\n    say b\n",
        "rule a\n    promise p\n    say b\nrule b\n    needs p\n",
        "rule a\n    open l\n    next\n    otherwise say b\n"
        "checklist l\n    tell b\n    ask c\nheard a\n    x\n",
    ],
)
def test_rules_that_can_be_reached(rules):
    read_script(HEAD + rules + TAIL, "x")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("rule b.* a.*\n    say b\nrule a.c\n    say d\n", "of line 2"),
        ("rule nothing a\n    say b\n", "nothing; "),
        ("rule a\n    say b\nrule a at start\n    say d\n", "of line 2"),
        ("rule * at start\n    say b\n", ""),
    ],
)
def test_rules_that_cannot_be_reached(rules, words):
    if words == "":
        refuses("a rule [*] without", read_script, HEAD + rules + TAIL[22:], "x")
        return
    refuses("be reached", read_script, HEAD + rules + TAIL, "x")


@pytest.mark.parametrize(
    ("compliance", "act"), [(-1, "low"), (0, "middle"), (1, "middle"), (2, "high")]
)
def test_conditions_at_their_borders(compliance, act):
    rules = (
        f"compliance: {compliance}\nrule a if compliance < 0\n    say low\n"
        "rule a if compliance >= 2\n    say high\nrule a\n    say middle\n"
    )
    manager = demur.DialogueManager(read_script(HEAD + rules + TAIL, "x"))
    assert manager.step(None, "a")[0] == [act]


def test_what_a_script_need_not_say():
    manager = demur.DialogueManager(read_script(HEAD + TAIL, "x"))
    start = manager.start()
    assert (start["node"], start["compliance"], start["open"]) == ("start", 0, [])
    assert len(manager.script.digest) == 8


def test_the_script_of_the_documentation_is_one():
    page = Path(__file__).parents[2] / "docs" / "dialogue_managers.md"
    script = page.read_text("utf-8").partition("```text\n")[2].partition("```")[0]
    manager = demur.DialogueManager(read_script(script, "docs"))
    assert manager.step(None, "knock")[0] == ["come.in"]
    assert manager.heard == {"knock": ("knock knock", "is anybody there")}


def test_odd_files(tmp_path):
    path = tmp_path / "script.txt"
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + TAIL).replace("\n", "\r\n").encode())
    assert demur.read_dialogue_manager(path).name == "Echo"
    path.write_bytes(b"name: \xff\n")
    refuses("UTF-8", demur.read_dialogue_manager, path)
    refuses("file that can be read", demur.read_dialogue_manager, tmp_path / "absent")
