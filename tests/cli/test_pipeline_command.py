"""``demur pipeline``: configs, tables, files that are written, gates, wrong usage."""

import json
import re
from pathlib import Path

import pytest

import demur
from builders import printed_json, run, stderr_of

CONFIG = """
dialogues = "d.jsonl"
declines = ["again"]

[[module]]
name = "nlu"
call = "m.py:understand"
version = "1"

[[module]]
name = "dm"
call = "m.py:Manager"
version = "1"
"""

MODULES = """
from helper import ANSWERS

def understand(text):
    if text == "d":
        return None, 0.1
    return "a" if text == "b" else text, 0.5 + len(text) / 10

class Manager:
    def step(self, state, act):
        return ([ANSWERS[act]] if act else ["again"]), state
    def observe(self, state, act, acts):
        return state
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.toml").write_text(CONFIG)
    (tmp_path / "m.py").write_text(MODULES)
    (tmp_path / "helper.py").write_text('ANSWERS = {w: f"re.{w}" for w in "abcd"}\n')
    dialogues = [
        demur.TargetDialogue(
            f"d{n}",
            [
                demur.TargetTurn(
                    input=word,
                    target={"nlu": word, "dm": [f"re.{word}"]},
                    acceptable={"dm": [["re.a"]]} if word == "b" else {},
                    annotations={"human1": {"nlu": "c"}},
                )
                for word in "abcd"
            ],
        )
        for n in range(8)
    ]
    demur.write_dialogues(dialogues, tmp_path / "d.jsonl")
    return tmp_path


def ran(*words, code=0):
    ended = run("pipeline", "p.toml", *words)
    assert ended.code == code, ended.err
    return ended


def shown(*words):
    return printed_json("pipeline", "p.toml", *words)


def test_tables_and_blame_of_all_modules_but_the_last():
    out = ran().out
    assert out.startswith("nlu is most to blame: +50.0 of +50.0 points")
    assert "(strict; 8 dialogues, 32 turns)" in " ".join(out.split())
    assert "Where the loss comes from" in out
    assert "dm replaced" not in out
    assert max(map(len, out.split("\nsignature")[0].split("\n"))) <= 80
    told = shown()
    rows = {(row["source"], row["state"]): row for row in told["rows"]}
    actual = rows["actual", "corrected"]
    assert (actual["strict"]["amount"], actual["strict"]["base"]) == (16, 32)
    assert actual["multiple"]["amount"] == 24
    assert actual["silent"] == 8
    assert rows["human1", "free"]["identical"]["amount"] == 8
    shares = {each["name"]: each["shapley"] for each in told["attribution"]["shares"]}
    assert shares == {"nlu": 0.5, "history": 0.0}
    assert told["compatible"][1]["compatible"] is True


def test_what_a_module_prints_is_no_result(folder):
    text = MODULES.replace(
        '    if text == "d"', '    print("loud")\n    if text == "d"'
    )
    (folder / "m.py").write_text('print("loading")\n' + text)
    for words in ((), ("--sweep", "nlu"), ("--explain", "d1:1")):
        told = ran("--json", *words)
        json.loads(told.out)
        assert "loud" in told.err
        assert "loading" in told.err


def test_files_are_written(folder):
    told = ran("-o", "o.jsonl", "--plot", "p.svg", "--page", "p.html")
    assert told.err.count("wrote") == 3
    outcomes = demur.read_outcomes("o.jsonl")
    assert set(outcomes.systems) == {
        f"{source}, {state}"
        for source in ("nlu=target", "nlu=human1", "actual")
        for state in ("corrected", "free-running")
    }
    assert outcomes.select(system="actual, free-running").mean_credit() == 0.5
    page = (folder / "p.html").read_text()
    assert "demur pipeline p.toml" in page
    assert "Sources in the place of modules" in page
    assert (folder / "p.svg").read_text().startswith("<?xml")


def test_one_turn_one_sweep_and_planted_errors(folder):
    assert "d1:2, corrected state" in ran("--explain", "d1:2").out
    sweep = shown("--sweep", "nlu")
    assert [each["cutoff"] for each in sweep["points"]] == [0.6, None]
    assert (sweep["points"][0]["nonreturn"], sweep["points"][0]["error"]) == (0.25, 0)
    words = (
        "--sweep",
        "nlu",
        "--state",
        "free",
        "--cutoff",
        "0.7",
        "--match",
        "strict",
    )
    grid = shown(*words, "--page", "s.html")
    assert [each["nonreturn"] for each in grid["points"]] == [1, 1]
    planted = shown("--plant", "nlu", "--plot", "q.png")
    assert planted["only_here"] == 32
    assert "human1 in place" in ran("--plant", "nlu", "--source", "human1").out
    assert (folder / "s.html").exists()


def test_options_choose_what_is_run():
    words = ["--json", "--replace", "nlu", "--source", "human1", "--state", "corrected"]
    words += ["--measure", "exact", "--test", "mcnemar", "--cluster", "turn"]
    told = shown(*words, "--target", "reference-run")
    assert {(row["source"], row["state"]) for row in told["rows"]} == {
        ("human1", "corrected"),
        ("actual", "corrected"),
    }
    assert told["measure"] == "exact"
    assert [each["name"] for each in told["attribution"]["shares"]] == ["nlu"]
    assert "target:reference_run" in told["signature"]
    given_ = shown("--explain", "d0:1", "--given", "nlu=human1")
    assert given_["rows"][0]["outputs"]["nlu"] == "c"


def test_dialogues_may_come_from_another_file(folder):
    (folder / "few.jsonl").write_text((folder / "d.jsonl").read_text().split("\n")[0])
    out = ran("--dialogues", "few.jsonl").out
    assert "(strict; 1 dialogue, 4 turns)" in " ".join(out.split())
    twice = ran("--dialogues", "few.jsonl", "--dialogues", "d.jsonl", code=4)
    assert "d.jsonl:1: a dialogue must stand once; got 'd0'" in twice.err


def test_a_cache_is_kept_beside_the_config(folder):
    (folder / "p.toml").write_text('cache = "steps.sqlite"\n' + CONFIG)
    first = ran().out
    assert (folder / "steps.sqlite").exists()
    assert ran("--concurrency", "4").out == first


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("strict < 0.5", 0),
        ("strict < 0.6", 1),
        ("multiple_free < 0.8", 1),
        ("blame_nlu > 0.4", 1),
        ("blame_history > 0.1", 0),
        ("strikt < 0.5", 2),
        ("strict < 0", 2),
        ("blame_dmm > 0", 2),
    ],
)
def test_gates(gate, code):
    told = ran("--fail-if", gate, code=code)
    if code == 1:
        assert f"[--fail-if '{gate}']" in told.err
    if "strikt" in gate:
        assert "Did you mean 'strict'" in told.err
    if code == 2:
        assert not told.out


def test_a_gate_on_a_figure_that_was_not_made_is_no_pass():
    told = ran("--state", "corrected", "--fail-if", "strict_free < 0.1", code=2)
    assert "a figure must be one of strict, multiple" in told.err


@pytest.mark.parametrize(
    "words",
    [
        ["--explain", "d1:2", "--sweep", "nlu"],
        ["--explain", "d1:2", "--fail-if", "strict < 0.5"],
        ["--explain", "d1:2", "--plot", "a.png"],
        ["--sweep", "nlu", "--cutoff", "0.5"],
        ["--sweep", "nlu", "--state", "both"],
        ["--sweep", "nlu", "--source", "human1"],
        ["--plant", "nlu", "--given", "nlu=human1"],
        ["--plant", "nlu", "--source", "a", "--source", "b"],
        ["--given", "nlu"],
        ["--state", "loose"],
        ["--plot", "a.txt"],
        ["-o", "p.toml"],
        ["--concurrency", "0"],
        ["--replicates", "10"],
        ["--replicates", "100", "--level", "0.99"],
    ],
)
def test_wrong_usage_is_one_line_and_reads_nothing(words):
    assert len(ran(*words, code=2).err.strip().splitlines()) == 1


# -- configs ---------------------------------------------------------------------------

NLU = '[[module]]\nname = "nlu"\ncall = "m.py:understand"\n'
DM = '[[module]]\nname = "dm"\ncharacter = "porter"\n'


ODD = """
class Turns:
    def turn(self, text):
        return text

class Asks:
    def __init__(self, model):
        self.model = model

async def later(text):
    return text

def one_by_one(text):
    yield text

def raw(text):
    return text.encode()
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("later", "module 'nlu' puts out a coroutine (async def): call it by a func"),
        ("one_by_one", "module 'nlu' puts out a generator: give a list of what it"),
        ("raw", "module 'nlu': an output is no plain data (bytes: b'a'): give texts"),
    ],
)
def test_odd_outputs_end_the_run_by_name(folder, name, said):
    (folder / "odd.py").write_text(ODD)
    config = CONFIG.replace("m.py:understand", f"odd.py:{name}")
    (folder / "p.toml").write_text(config)
    told = ran(code=4)
    assert said in told.err
    assert told.out == ""


def test_a_log_gates_nothing_that_is_not_defined(folder):
    (folder / "p.toml").write_text(
        CONFIG.replace('call = "m.py:Manager"\nversion = "1"', 'source = "log"')
    )
    lines = (folder / "d.jsonl").read_text()
    lines = lines.replace('"human1":{', '"log":{"dm":["re.a"]},"human1":{')
    (folder / "d.jsonl").write_text(lines)
    told = ran("--fail-if", "blame_nlu > 0.9", "-o", "o.jsonl", code=4)
    assert "blame_nlu is undefined: dm is recorded and cannot react" in told.err
    assert told.out.startswith("The blame of nlu, history and dm is not defined: dm is")
    assert set(demur.read_outcomes("o.jsonl").systems) == {
        *("actual, corrected", "actual, free-running")
    }
    assert "module 'dm' must run, to react" in ran("--sweep", "nlu", code=4).err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_config_without_an_end_is_named():
    said = stderr_of("pipeline", "/dev/zero")
    assert "/dev/zero: the file must hold at most 16 MiB" in said


def test_the_module_with_a_state_of_the_docs_runs(folder):
    page = Path(__file__).resolve().parents[2] / "docs" / "pipelines.md"
    [policy] = re.findall(r"```python\n(class Policy.*?)```", page.read_text(), re.S)
    hears = "def understand(text):\n    return 'whq' if 'who' in text.lower() else None"
    (folder / "bot.py").write_text(f"{hears}\n\n\n{policy}")
    modules = (("nlu", "understand"), ("dm", "Policy"))
    tables = (f'[[module]]\nname="{n}"\ncall="bot.py:{call}"\n' for n, call in modules)
    (folder / "p.toml").write_text('dialogues="dialogues.jsonl"\n' + "".join(tables))
    turn = {"input": "Who was it?", "target": {"nlu": "whq", "dm": ["refuse"]}}
    dialogue = {"dialogue": "d1", "turns": [turn, turn | {"input": "Hm."}]}
    (folder / "dialogues.jsonl").write_text(json.dumps(dialogue))
    assert ran().out.startswith("nlu is most to blame: +50.0 of +50.0 points")


def test_help_names_the_configs_that_run_code():
    assert "cmd:PROGRAM" in run("pipeline", "--help").out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "module must be a list of tables"),
        ("a = [", "the config must be TOML"),
        ("dialogue = 'x'\n" + NLU, "a name must be one of dialogues"),
        (NLU, "dialogues must name a file"),
        ("dialogues = 3\n" + NLU, "dialogues must be a text or texts"),
        ('dialogues = "none.jsonl"\n' + NLU, "none.jsonl"),
        ('dialogues = "d.jsonl"\nform = "x"\n' + NLU, "form must be one of dialogues"),
        (
            'dialogues = "d.jsonl"\nrepeats = 0\n' + NLU,
            "repeats must be a whole number",
        ),
        ('dialogues = "d.jsonl"\ncache = 3\n' + NLU, "cache must be a text"),
        ('dialogues = "d.jsonl"\nmodule = [3]', "module 1: it must be a table"),
        ("[[module]]\nname = 'a'\n", "module 1: it must have one of call"),
        (NLU + 'url = "http://a"\n', "must have one of call.* got call, url"),
        (NLU + "inputz = 3\n", "Did you mean 'inputs'"),
        (
            NLU + 'compare = "containes"\n',
            r"p.toml: module 1 \(nlu\): compare must be slots .with or without "
            "options., whole or contains; got 'containes'. Did you mean 'contains'?",
        ),
        (
            NLU + 'compare = "slots(nome=value)"\n',
            r"p.toml: module 1 \(nlu\): compare: the option must be .* mean 'none'",
        ),
        (
            NLU + 'inputs = ["dm"]\n' + DM + 'inputs = ["nlu"]\n',
            "not wait for one anoth",
        ),
        (NLU + "stochastic = 1\n", "stochastic must be true or false"),
        (NLU + 'timeout = "x"\n', "timeout must be seconds"),
        (NLU + 'state = "body"\n', "state must not stand with call"),
        (NLU.replace("m.py", "n.py"), "call must name a file that is there"),
        (NLU.replace(":understand", ""), "call must be FILE.py:NAME"),
        (NLU.replace("understand", "undrstand"), "Did you mean 'understand'"),
        (
            NLU.replace("m.py:understand", "bad.py:x"),
            "bad.py must run without an error",
        ),
        (DM.replace("porter", "porterr"), "character must be one of porter"),
        ('[[module]]\nname = "a"\nscript = "none.txt"\n', "none.txt"),
        (
            '[[module]]\nname = "a"\nsource = "x"\nversion = "1"\n',
            "not stand with sour",
        ),
        (
            'dialogues = "d.jsonl"\n[[module]]\nname = "dm"\nsource = "x"\n',
            "of dm must be",
        ),
        (
            NLU.replace("m.py:understand", "odd.py:Turns"),
            r"module 1 \(nlu\): call must name a function, or what has step.*replayed",
        ),
        (
            NLU.replace("m.py:understand", "odd.py:Asks"),
            r"module 1 \(nlu\): call must name a class that is made without",
        ),
        (
            NLU.replace('call = "m.py:understand"', 'system = "cmd:"'),
            r"module 1 \(nlu\): system must name a program",
        ),
        (
            NLU.replace('call = "m.py:understand"', 'url = "x"'),
            r"module 1 \(nlu\): url must be an address",
        ),
    ],
)
def test_what_is_no_config_is_named(folder, text, said):
    (folder / "bad.py").write_text("1 / 0\n")
    (folder / "odd.py").write_text(ODD)
    (folder / "p.toml").write_text(text)
    told = ran("--explain", "d1:1", code=4)
    *notes, refused = told.err.strip().splitlines()
    assert re.search(said, refused)
    assert all(note.startswith("demur: not used: ") for note in notes)


def test_a_config_that_is_not_there():
    assert "none.toml: the config must be a file" in stderr_of("pipeline", "none.toml")


def test_other_kinds_of_modules_and_dialogues(folder):
    (folder / "t.txt").write_text(
        "user: hi\n~ greet.hello\nporter: Hello.\n~ greet.back\n"
    )
    (folder / "rows.jsonl").write_text(
        '{"dialogue": "d1", "turn": 1, "source": "log", "module": "nlu", '
        '"output": "greet.hello"}\n'
    )
    (folder / "p.toml").write_text(
        'dialogues = ["t.txt"]\nform = "acts"\nannotations = "rows.jsonl"\n'
        '[[module]]\nname = "nlu"\nsource = "log"\n' + DM
    )
    told = shown("--state", "corrected")
    assert [row["source"] for row in told["rows"]] == ["target", "actual"]
    assert all(row["strict"]["share"] == 1 for row in told["rows"])


def test_one_module_is_run_as_it_is(folder):
    (folder / "p.toml").write_text(
        'dialogues = "d.jsonl"\n[[module]]\nname = "nlu"\ncall = "m.py:understand"\n'
    )
    out = ran("-o", "o.jsonl").out
    assert out.startswith("as it is, corrected state: 50.0 % of the target acts")
    told = json.loads(ran("--json", "--fail-if", "strict_free < 0.6", code=1).out)
    assert [each["strict"] for each in told["runs"]] == [0.5, 0.5]
    assert demur.read_outcomes("o.jsonl").systems == (
        "actual, corrected",
        "actual, free-running",
    )


def test_the_attribution_may_be_left_out():
    told = shown("--no-attribution")
    assert "attribution" not in told
    words = ("--no-attribution", "--fail-if", "blame_nlu > 0")
    assert "must be one of strict" in ran(*words, code=2).err


def test_what_a_module_lacks_is_said_before_it_is_run(folder):
    lines = (folder / "d.jsonl").read_text().replace('"dm"', '"dn"')
    (folder / "d.jsonl").write_text(lines)
    told = ran(code=4)
    assert "module 'dm' must have targets with acts" in told.err


def test_a_changed_module_is_compared_with_the_one_before(folder):
    told = ran("-o", "old.jsonl").err
    assert told.endswith(
        "demur: demur compare old.jsonl OTHER --where 'system=actual, free-running'\n"
    )
    (folder / "p.toml").write_text(CONFIG.replace("m.py:understand", "n.py:all"))
    (folder / "n.py").write_text("def all(text): return text\n")
    ran("-o", "new.jsonl")
    system = "system=actual, free-running"
    found = printed_json("compare", "old.jsonl", "new.jsonl", "--where", system)
    assert (found["a"], found["b"]) == (
        "actual, free-running, old",
        "actual, free-running, new",
    )
    line = "demur compare old.jsonl new.jsonl --where 'system=actual, free-running'\n"
    assert line not in run("compare", "old.jsonl", "new.jsonl", "--where", system).err
    assert line in run("compare", "old.jsonl", "new.jsonl").err
    assert "demur compare" not in run("compare", "old.jsonl").err
    config = run("compare", "p.toml", "new.toml")
    assert (config.code, config.err.count("\n")) == (4, 1)
    assert "Run each with demur pipeline -o: demur pipeline p.toml -o p." in config.err
    again = run("compare", "old.jsonl", "old.jsonl", "--where", system)
    assert again.code == 4
    assert "the systems must differ in name" in again.err
