"""Completion in a real shell: commands, options, what the files on the line hold."""

import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from builders import printed, run
from demur.cli.file_heads import columns_of, pairs_of, rows_of, systems_of

pytest.importorskip("shtab")

ROWS = [
    {"item": "1", "system": "big bot", "outcome": "right", "topic": "small talk"},
    {"item": "2", "system": "bot", "outcome": "wrong", "further": True},
]
CSV = "id;text column;system\n1;x;large\n2;y;small\n"

BASH = """
source completion.bash
COMP_WORDS=({words})
COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_shtab_demur 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> Path:
    """A folder with files, the script, and the command as the shell would find it."""
    folder = tmp_path_factory.mktemp("shell")
    (folder / "outcomes.jsonl").write_text("".join(json.dumps(r) + "\n" for r in ROWS))
    (folder / "my table.csv").write_text(CSV)
    (folder / "completion.bash").write_text(printed("completion", "bash"))
    command = folder / "demur"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m demur "$@"\n')
    command.chmod(0o755)
    return folder


def proposed(folder: Path, line: str) -> list[str]:
    """What bash proposes at the end of a line."""
    path = f"{folder}:{os.environ['PATH']}"
    typed = re.findall(r"(?:'[^']*'|\\ |\S)+", line) + [""] * line.endswith(" ")
    words = " ".join(map(shlex.quote, typed))  # as they are typed, with their quotes
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH.format(words=words)],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("demur comp", ["completion", "compare"]),
        ("demur curve --plot-s", ["--plot-split"]),
        ("demur curve outcomes.jsonl --how at", ["at_most", "at_least"]),
        ("demur curve out", ["outcomes.jsonl"]),
        ("demur curve outcomes.jsonl --by t", ["topic"]),
        ("demur choose outcomes.jsonl --kinds s", ["system"]),
        ("demur curve outcomes.jsonl --gold f", ["further"]),
        ("demur curve 'my table.csv' --by ", ["id", r"text\ column", "system"]),
        ("demur curve my\\ table.csv --by i", ["id"]),
        ("demur compare outcomes.jsonl --against b", [r"big\ bot", "bot"]),
        ("demur curve outcomes.jsonl --where to", [r"topic=small\ talk"]),
        ("demur curve 'my table.csv' --columns it", ["item=id", "item=system"]),
        ("demur campaign st", ["status"]),
        ("demur metrics words outcomes.jsonl --cluster o", ["outcome"]),
        ("demur curve missing.jsonl --by t", [""]),
    ],
)
def test_bash_proposes(shell, line, words):
    found = proposed(shell, line)
    if "--columns" in line:  # and that of a column whose name has a space
        found = [word for word in found if "\\" not in word]
    assert sorted(found) == sorted(words)


def test_what_is_asked_loads_no_numpy(shell):
    code = (
        "import sys; from demur.cli import main; "
        "main(['completion', 'bash', '--columns-of', 'curve', 'outcomes.jsonl']); "
        "assert 'numpy' not in sys.modules and 'shtab' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=shell, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.split() == b"item system outcome topic further".split()


def test_the_help_does_not_show_what_the_script_asks():
    assert "-of" not in printed("completion", "--help")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_scripts_of_other_shells_are_sound(name, tmp_path):
    script = tmp_path / "script"
    script.write_text(printed("completion", name))
    for what in ("columns", "systems", "pairs", "mappings"):
        assert f"_demur_{what}" in script.read_text()
    if shutil.which(name):
        subprocess.run([name, "-n", str(script)], check=True)


# -- heads of files ----------------------------------------------------------------


def test_heads_of_files_in_several_forms(tmp_path):
    names = ["item", "system", "outcome", "topic", "further"]
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    (tmp_path / "a.json").write_text(json.dumps(ROWS))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "c.tsv").write_text("item\tsystem\n1\tx\n")
    assert columns_of([str(tmp_path / "a.json")]) == names
    assert columns_of([str(tmp_path / "b.jsonl.gz")]) == names
    assert columns_of([str(tmp_path / "c.tsv")]) == ["item", "system"]
    both = [str(tmp_path / "c.tsv"), str(tmp_path / "a.json")]
    assert systems_of(both) == ["x", "big bot", "bot"]
    assert "further=true" in pairs_of(both)


def test_columns_of_a_file_that_only_its_reader_opens(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"item": ["1"], "outcome": ["right"]}), path)
    assert columns_of([str(path)]) == ["item", "outcome"]


def test_a_large_file_is_looked_at_up_to_a_whole_row(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,system\n" + "".join(f"{n},s\n" for n in range(100_000)))
    rows = list(rows_of(str(path)))
    assert 10_000 < len(rows) < 100_000
    assert systems_of([str(path)]) == ["s"]
    assert pairs_of([str(path)]) == ["system=s"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\0\1\2", b"{", b"[[[[", b'{"a": NaN}', b"\xff\xfe\x00", b"a\rb\r"],
)
@pytest.mark.parametrize(
    "ending", [".csv", ".jsonl", ".gz", ".parquet", ".xlsx", ".zst"]
)
def test_broken_files_propose_nothing_that_is_wrong(content, ending, tmp_path):
    path = tmp_path / f"broken{ending}"
    path.write_bytes(content)
    for what in ("columns", "systems", "pairs", "mappings"):
        code, out, err = run("completion", "bash", f"--{what}-of", "curve", path)
        assert (code, err) == (0, "")
        assert re.fullmatch(r"[\w=\n]*", out)
