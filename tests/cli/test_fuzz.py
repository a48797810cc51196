"""Damaged files through every command: an exit code that was promised, and one line.

A run of some hundred damaged files is one forked process, so that a crash of a library
is seen, and named by the file that caused it.
"""

import csv
import gzip
import io
import json
import os
import random
import re
import resource
import shlex
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from backports import zstd

import demur.cli
from builders import json_lines, parquet, printed, run, storm, write_records
from demur import DemurError, MissingExtra

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")

N_FILES, N_BATCHES = 3200, 8
MEMORY = 400_000_000
"""Bytes that a batch may take beyond what it began with."""

ROWS = 24
SPECIAL = [
    *(b"NaN", b"Infinity", b"1e999", b"-0.0", b"1e-400", b"null", b"true", b'""'),
    *(b"\0", b"\xff", b"\xed\xa0\xbd", b"\\ud83d", b"\xef\xbb\xbf", b"\r", b"\n", b'"'),
    *(b"\x1b[31m", "\u202e".encode(), b"<script>", b"=1+1", b",", b"\t", b"{", b"["),
    *(b"9007199254740993", b"1" * 400, b"[" * 3000, b'{"a":' * 2000, b"\\u0069tem"),
    *(b'"item":1,', b'"correct":true,', b"right", b"wrong", b"(())", b"SELECT 1"),
]


# -- sound files -------------------------------------------------------------------


def outcomes() -> list[dict[str, Any]]:
    draw = random.Random(5)
    return [
        {
            "item": f"q{row}",
            "system": system,
            "outcome": draw.choice(["right", "right", "wrong", "unanswered"]),
            "confidence": round(draw.random(), 2),
            "weight": draw.choice([1, 2]),
            "topic": draw.choice("xyz"),
            "people": draw.choice(["right", "wrong", None]),
        }
        for system in ("a", "b")
        for row in range(ROWS // 2)
    ]


def responses() -> list[dict[str, Any]]:
    return [
        {
            "item": f"q{row}",
            "response": ["Oslo", "", "Rome"][row % 3],
            "confidence": 0.5,
        }
        for row in range(ROWS)
    ]


def references() -> list[dict[str, Any]]:
    return [
        {
            "item": f"q{row}",
            "input": f"Which city {row}?",
            "reference": "Oslo" if row % 2 else "Rome",
            "cluster": f"c{row // 2}",
            "class": "A",
        }
        for row in range(ROWS)
    ]


def annotations() -> list[dict[str, Any]]:
    return [
        {"unit": f"u{row // 3}", "annotator": "abc"[row % 3], "label": "xyx"[row % 2]}
        for row in range(ROWS)
    ]


def lines(records: list[dict[str, Any]]) -> bytes:
    return json_lines(records).encode()


def delimited(records: list[dict[str, Any]], mark: str) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]), delimiter=mark)
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().encode()


FORMATS: dict[str, Callable[[list[dict[str, Any]]], bytes]] = {
    "jsonl": lines,
    "json": lambda records: json.dumps(records, indent=1).encode(),
    "csv": lambda records: delimited(records, ","),
    "tsv": lambda records: delimited(records, "\t"),
    "parquet": lambda records: parquet(
        pyarrow.Table.from_pylist(records), row_group_size=7
    ),
    "jsonl.gz": lambda records: gzip.compress(lines(records)),
    "csv.zst": lambda records: zstd.compress(delimited(records, ",")),
}

# What is damaged, and the commands that read it; DAMAGED and OUT stand for paths.
COMMANDS: dict[str, list[str]] = {
    "outcomes": [
        "curve DAMAGED --json --at 0.1,0.5 --by topic",
        "curve DAMAGED --intervals --calibration --target 0.5",
        "curve DAMAGED --json --fold topic",
        "score DAMAGED --json --by topic --leave-out topic=x",
        "choose DAMAGED --json --max-error 0.2 --certainty 0.8",
        "choose DAMAGED --cost-ratio 0.3 --split 0.5 --by topic",
        "choose DAMAGED --prices --split 0.5",
        "choose DAMAGED --max-error 0.5 --lock OUT.json",
        "compare DAMAGED --items common --json",
        "curve DAMAGED --contrast --json",
        "difficulty DAMAGED --rasch",
        "score DAMAGED --score reliability-score(c=2)",
        "choose DAMAGED --score omniscience-index",
        "choose DAMAGED --plan --max-error 0.3 --certainty 0.8",
        "choose DAMAGED --plan --max-error 0.3 --certainty 0.8 --of answered",
        "report DAMAGED --by topic -o OUT.html",
        "recheck LOCK DAMAGED --json",
        "judges DAMAGED --gold topic --json",
        "judges DAMAGED --gold people --items common --most-error 0.5 -o OUT.csv",
        "sample DAMAGED --budget 9 --for judge -o OUT.jsonl --sheet OUT.csv --json",
        "sample DAMAGED --budget 9 --for cutoff --where system=a -o OUT.parquet "
        "--sheet OUT.jsonl",
        "keep DAMAGED --store OUT.sqlite --tag main --json",
    ],
    "sheet": ["sample DRAWN --labels DAMAGED -o OUT.jsonl --json"],
    "lock": ["recheck DAMAGED OUTCOMES --json", "recheck DAMAGED OUTCOMES --anytime"],
    "responses": [
        "judge DAMAGED REFERENCES --json --missing unanswered --unmatched leave_out",
        "judge DAMAGED REFERENCES --by number --repeated first -o OUT.csv",
        "judge DAMAGED REFERENCES --no-answer refusals --explain q1",
        "run DAMAGED REFERENCES -o OUT.jsonl --replace",
        "check-judge DAMAGED REFERENCES --by 'model(m@http://localhost:1)' --dry-run",
    ],
    "references": [
        "judge RESPONSES DAMAGED --json --unmatched leave_out --missing leave_out",
        "judge RESPONSES DAMAGED --by sql",
        "check-judge RESPONSES DAMAGED --by 'model(m@http://localhost:1)' --dry-run",
        "run RESPONSES DAMAGED -o OUT.jsonl --replace --json",
        "run RESPONSES DAMAGED -o OUT.jsonl --replace --context alone",
        "judge RESPONSES DAMAGED --context excluded --missing leave_out --json",
        "judge RESPONSES DAMAGED --by cas -o OUT.parquet",
        "keep --responses RESPONSES --references DAMAGED --by text --store OUT.sqlite "
        "--unmatched leave_out --missing leave_out",
        "lint DAMAGED --json",
        "merge DAMAGED REFERENCES -o OUT.jsonl --json --contributors x,y",
        "reserve DAMAGED --by cluster --train OUT.1.jsonl --test OUT.2.jsonl --json",
    ],
    "adjudications": ["judge RESPONSES REFERENCES --adjudications DAMAGED --json"],
    "signs": ["lint REFERENCES --signs DAMAGED --json"],
    "meanings": ["lint REFERENCES --meanings DAMAGED"],
    "annotations": [
        "agree DAMAGED --json",
        "agree DAMAGED --metric nominal --resample annotator",
    ],
    "tokens": [
        "difficulty DAMAGED --markable word --value sense --cluster doc --json",
        "difficulty DAMAGED --markable word,doc --value sense --keep 'items >= 2'",
        "difficulty DAMAGED --markable word --value sense --method naive-bayes "
        "--words beside --folds 3 --version 'less: drop 2' --plot OUT.svg",
        "metrics perplexity DAMAGED --train DAMAGED --text word --cluster doc --json",
        "metrics oov DAMAGED --vocabulary DAMAGED --json",
        "metrics grammar DAMAGED --json",
    ],
    "probabilities": [
        "difficulty DAMAGED --information --by kind --cluster doc --json",
    ],
    "failures": [
        "metrics decisive-step DAMAGED --json -o OUT.jsonl",
        "metrics decisive-step DAMAGED --tolerance 3",
    ],
    "utterances": [
        "metrics words DAMAGED --json -o OUT.jsonl",
        "metrics words DAMAGED --reading letters --align q1",
        "metrics labels DAMAGED --json -o OUT.csv",
        "metrics spans DAMAGED --scheme bioes",
        "metrics sets DAMAGED --json -o OUT.jsonl",
        "metrics coreference DAMAGED --json",
        "metrics coreference DAMAGED DAMAGED --remove-singletons",
    ],
    "concepts": [
        "metrics concepts DAMAGED --json -o OUT.jsonl",
        "metrics concepts DAMAGED --order bag --value-insensitive yes",
        "metrics slots DAMAGED --json",
        "metrics discourse DAMAGED --none value",
    ],
    "dialogues": [
        "pipeline CONFIG --dialogues DAMAGED --json --replicates 50",
        "pipeline CONFIG --dialogues DAMAGED --sweep nlu --plot OUT.svg",
        "pipeline CONFIG --dialogues DAMAGED --plant nlu --page OUT.html",
        "pipeline CONFIG --dialogues DAMAGED --explain d1:2 --state free",
        "pipeline CONFIG --dialogues DAMAGED --match multiple -o OUT.csv",
    ],
    "turns": [
        "metrics costs DAMAGED --json",
        "metrics paradise DAMAGED --target seconds --predictors score --method aic",
    ],
}

SOUND: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "outcomes": outcomes,
    "responses": responses,
    "references": references,
    "adjudications": lambda: [
        {"item": "q1", "by": "me", "why": "because", "set": {"reference": "Rome"}}
    ],
    "signs": lambda: [
        {"id": "S1", "pattern": "city", "suggests": "D", "why": "names a city"}
    ],
    "meanings": lambda: [{"id": "M1", "meaning": "a city is a town"}],
    "annotations": annotations,
    "sheet": lambda: [
        {"key": f"r000{k}", "verdict": "right" if k % 3 else "no", "note": "=1+1"}
        for k in range(1, 10)
    ],
    "tokens": lambda: [
        {"word": "ab"[k % 2], "sense": "xyz"[k % 3], "beside": "the", "doc": k // 3}
        for k in range(24)
    ],
    "utterances": lambda: [
        {
            "item": f"q{k}",
            "ref": "B-x O",
            "hyp": "B-x O" if k % 3 else None,
            "cluster": f"s{k // 4}",
            "confidence": k / 20 if k % 3 else None,
        }
        for k in range(18)
    ],
    "probabilities": lambda: [
        {"item": k, "p_with": 0.9, "p_without": 0.05 * (k + 1), "kind": "ab"[k % 2]}
        | {"doc": k // 3}
        for k in range(12)
    ],
    "failures": lambda: [
        {"item": f"q{k}", "ref": {"agent": "Web", "step": k}}
        | {"hyp": {"agent": "Web", "step": k * k % 7} if k % 4 else None}
        for k in range(12)
    ],
    "concepts": lambda: [
        {
            "dialogue": k // 3,
            "ref": [["city", "Rome"], ["yes", "yes"]],
            "hyp": [["city", "Oslo"]] if k % 4 else None,
        }
        for k in range(12)
    ],
    "dialogues": lambda: [
        {
            "dialogue": f"d{k}",
            "turns": [
                {
                    "input": word,
                    "target": {"nlu": word, "dm": [[word, "y"], ["slot", "x"]]},
                    "acceptable": {"dm": [[[word, "y"]]]},
                    "annotations": {"s": {"nlu": "a"}, "t": {"nlu": None}},
                    "confidences": {"s": {"nlu": 0.5}},
                    "failed": {"u": {"nlu": "timeout"}},
                    "changes": [{"what": "inserted", "why": "x"}],
                }
                for word in "ab"
            ],
        }
        for k in range(4)
    ],
    "turns": lambda: [
        {
            "dialogue": k // 2,
            "speaker": "user",
            "seconds": k * k % 7,
            "score": k % 5 / 5,
            "event": "help" if k % 6 == 0 else "",
        }
        for k in range(20)
    ],
}


CONFIG = """
dialogues = "d.jsonl"

[[module]]
name = "nlu"
call = "m.py:nlu"

[[module]]
name = "dm"
call = "m.py:nlu"
"""


# -- damage ------------------------------------------------------------------------


WORDS = [b"item", b"confidence", b"outcome", b"reference", b"0."]


def damaged(data: bytes, draw: random.Random) -> bytes:
    """The bytes with one to three faults."""
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        at = draw.randrange(len(data) + 1)
        to = min(len(data), at + draw.choice([1, 2, 8, 60]))
        rows = data.split(b"\n")
        row = draw.randrange(len(rows))
        special = draw.choice(SPECIAL)
        faults = [
            data[:at] + bytes([draw.randrange(256)]) + data[at + 1 :],
            data[:at] + data[to:],
            data[:at],
            data[:at] + special + data[at:],
            data[:at] + special + data[to:],
            b"\n".join([*rows[:row], rows[row], *rows[row:]]),
            b"\n".join([*rows[:row], *rows[row + 1 :]]),
            data.replace(draw.choice(WORDS), draw.choice([b"x", b"", special]), 1),
            data + data[at:to],
        ]
        data = draw.choice(faults)
    return data


def cases(batch: int) -> Iterator[tuple[str, list[str], bytes]]:
    """Damaged files: their endings, the words of the command, their bytes."""
    draw = random.Random(batch)
    lock = Path("lock.json").read_bytes()
    for _ in range(N_FILES // N_BATCHES):
        kind = draw.choice([*COMMANDS, "outcomes", "responses", "references"])
        ending = "json" if kind == "lock" else draw.choice(list(FORMATS))
        sound = lock if kind == "lock" else FORMATS[ending](SOUND[kind]())
        if "." in ending and draw.random() < 0.5:  # within, not the compression
            packed = ending.partition(".")[2]
            pack = gzip.compress if packed == "gz" else zstd.compress
            plain = FORMATS[ending.partition(".")[0]](SOUND[kind]())
            data = pack(damaged(plain, draw))
        else:
            data = damaged(sound, draw)
        yield ending, shlex.split(draw.choice(COMMANDS[kind])), data


# -- what must hold ----------------------------------------------------------------


def fault(words: list[str], data: bytes, ending: str, seen: list[Exception]) -> str:
    """What is wrong with how a command took a file; nothing if all is well."""
    seen.clear()
    code, out, err = run(*words)
    if code == 4 and not seen and "most inputs failed" in err:
        return ""  # a run of recorded responses, of which most are cut off
    if code == 4:
        return refusal_fault(err, seen)
    if code:
        return f"exit code {code}: {err[:300]}"
    if "--json" in words:
        shown = json.loads(out)
        return count_fault(words, shown) or rows_fault(words, shown, data, ending)
    return ""


def refusal_fault(err: str, seen: list[Exception]) -> str:
    said = [line for line in err.splitlines() if not line.startswith("demur: wrote")]
    if len(said) != 1 or not said[0].startswith("demur: ") or not said[0].isprintable():
        return f"not one line: {err[:300]!r}"
    error = seen[-1] if seen else None
    if isinstance(error, MissingExtra) or not isinstance(error, DemurError):
        return f"an odd error: {error!r}"
    if len(said[0]) > 1000:
        return f"a line of {len(said[0])} characters"
    if hasattr(error, "hint") and not error.hint:
        return f"no hint: {said[0]}"
    return ""


def count_fault(words: list[str], shown: dict[str, Any]) -> str:
    """Whether right, wrong, unanswered and ungraded are all items there are."""
    systems = shown.get("systems", shown.get("scores", ()))
    for each in [shown, *systems] if isinstance(systems, list) else [shown]:
        names = ("right", "wrong", "unanswered", "ungraded")
        if "items" in each and all(name in each for name in names):
            total = sum(each[name] for name in names)
            if total != each["items"]:
                return f"{total} outcomes of {each['items']} items"
    if words[0] == "reserve" and "train" in shown:
        sides = shown["train"]["items"] + shown["test"]["items"]
        if not shown["signature"].endswith(f"items:{sides}"):
            return f"{sides} items of {shown['signature']}"
    return ""


def rows_fault(
    words: list[str], shown: dict[str, Any], data: bytes, ending: str
) -> str:
    """Whether all rows of a file are items of a curve, or said to be equal to one."""
    if words[0] != "curve":
        return ""
    rows = rows_in(data, ending)
    items = sum(each["items"] for each in shown["systems"])
    equal = re.search(r'"([\d,]+) rows? says? the same', json.dumps(shown))
    items += int(equal[1].replace(",", "")) if equal else 0
    return "" if rows is None or rows == items else f"{items} items of {rows} rows"


def rows_in(data: bytes, ending: str) -> int | None:
    """Rows that a file holds, as another reader sees it; None where it cannot say."""
    kind, _, packed = ending.partition(".")
    try:
        if packed:
            data = (gzip.decompress if packed == "gz" else zstd.decompress)(data)
        if kind == "parquet":
            return int(pyarrow.parquet.read_metadata(io.BytesIO(data)).num_rows)
        text = data.decode("utf-8-sig")
        if text.lstrip()[:1] == "[":
            return len(json.loads(text))
        if text.lstrip()[:1] == "{":
            return sum(bool(line.strip()) for line in text.split("\n"))
        mark = "\t" if kind == "tsv" else ","
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
        return sum(any(cell.strip() for cell in row) for row in rows) - 1
    except Exception:  # noqa: BLE001  (what it cannot read, it cannot count)
        return None


def run_batch(batch: int, report: int) -> None:
    """Take all files of a batch, and write what is wrong to a pipe."""
    seen: list[Exception] = []
    explain = demur.cli._explain

    def remembered(error: Exception, argv: Sequence[str]) -> tuple[str, int]:
        seen.append(error)
        return explain(error, argv)

    demur.cli._explain = remembered
    begun = 0
    for number, (ending, words, data) in enumerate(cases(batch)):
        path = Path(f"damaged.{ending}")
        path.write_bytes(data)
        places = {"DAMAGED": str(path), "OUTCOMES": "o.jsonl", "LOCK": "lock.json"}
        places["DRAWN"] = "drawn.jsonl"
        places |= {"CONFIG": "c.toml", "RESPONSES": "r.jsonl", "REFERENCES": "g.jsonl"}
        named = [places.get(word, word.replace("OUT.", "out.")) for word in words]
        os.write(report, f"> {number} {' '.join(named)}\n".encode())
        said = fault(named, data, ending, seen)
        if said:
            path.rename(f"kept-{number}.{ending}")
            os.write(report, f"{said}\n".encode("utf-8", "backslashreplace"))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        if number == 40:
            begun = peak  # all modules are loaded
        if begun and peak - begun > MEMORY:
            os.write(report, f"{(peak - begun) / 1e6:.0f} MB more\n".encode())
            return


@pytest.mark.parametrize("batch", storm(range(N_BATCHES), sample=2))
def test_damaged_files(
    batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_records(Path("o.jsonl"), outcomes())
    write_records(Path("r.jsonl"), responses())
    write_records(Path("g.jsonl"), references())
    Path("m.py").write_text("def nlu(text): return text, 0.5\n")
    Path("c.toml").write_text(CONFIG)
    unweighted = [{**each, "weight": 1} for each in outcomes()]
    write_records(Path("u.jsonl"), unweighted)
    printed("choose", "u.jsonl", "--max-error", "0.5", "--lock", "lock.json")
    words = ("--budget", "9", "--for", "cutoff", "--sheet", "s.csv")
    printed("sample", "r.jsonl", "-o", "drawn.jsonl", *words)
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the fork does not have
        child = os.fork()
    if not child:
        code = 1
        try:
            os.close(reading)
            signal.alarm(240)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            run_batch(batch, writing)
            code = 0
        except BaseException as problem:  # noqa: BLE001  (it is told to the parent)
            os.write(writing, f"{problem!r}\n".encode())
        finally:
            os._exit(code)  # else the child would go on as a second pytest
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as report:
        told = report.read().splitlines()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, f"ended with {status} at {told[-1:]}"
    at = [row for row, line in enumerate(told) if not line.startswith("> ")]
    faults = [f"{told[row - 1]}: {told[row]}" for row in at]
    assert not faults, "\n".join([f"{len(faults)} in {tmp_path}", *faults[:40]])
    assert len(told) == N_FILES // N_BATCHES
