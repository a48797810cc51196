"""A campaign as a bundle of Codabench, which scores answers by the same rules.

The bundle follows the published description of ``competition.yaml``, version 2. Its
scoring program is demur itself, so its container needs an image in which demur is
installed; the hidden references travel as reference data, which only it reads.
"""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from demur.campaigns.codabench_scoring import (
    DATABASES,
    ONE_DATABASE,
    REFERENCES_FILE,
    RULES_FILE,
    columns_of,
)
from demur.campaigns.collecting import databases_root
from demur.campaigns.folder import HIDDEN, PACK, Campaign
from demur.campaigns.freezing import frozen_entry, references_version
from demur.campaigns.rules import Phase
from demur.errors import InputError
from demur.files import new_file

_PROGRAM: Final = """\
# Scores a submission by the rules of the campaign; demur does the work.
import sys

from demur.campaigns.codabench_scoring import score_folder

score_folder(sys.argv[1], sys.argv[2])
"""
_COMMAND: Final = "python3 /app/program/score.py /app/input /app/output"
_TERMS: Final = """\
# Terms

- The questions are answered unseen, and the system is not changed for them.
- An answer is given to every question; none is given by leaving it empty.
- Nothing that is sent in is run. Answers that are SQL run against a copy, to read only.
"""
_FIRST: Final = (1980, 1, 1, 0, 0, 0)
"""The same campaign gives the same bytes: members have the first date that zip has."""


def export_codabench(
    campaign: Campaign, path: str | Path, *, image: str
) -> dict[str, int]:
    """Write the bundle, a zip.

    Parameters
    ----------
    campaign : Campaign
        Frozen and packed.
    path : path
        Of the zip. It holds the hidden references: it is for Codabench alone.
    image : str
        The container in which submissions are scored; demur must be installed there.

    Returns
    -------
    Mapping of str to int
        The members and their sizes in bytes.

    Raises
    ------
    InputError
        If the campaign is not packed, a file cannot be read or written, or the zip
        would lie where a repository of the campaign takes it along.
    """
    _check_not_published(campaign, path)
    members = dict(_members(campaign, image))
    with new_file(path) as file, zipfile.ZipFile(file, "w") as bundle:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, _FIRST)
            info.compress_type = zipfile.ZIP_DEFLATED
            bundle.writestr(info, content)
    return {name: len(content) for name, content in members.items()}


def _check_not_published(campaign: Campaign, path: str | Path) -> None:
    """Refuse a zip in the campaign's folder, but for what git leaves out."""
    folder, target = campaign.path.resolve(), Path(path).resolve()
    if target.is_relative_to(folder) and not target.is_relative_to(folder / HIDDEN):
        need, got = "not lie in the folder of the campaign", "a place within it"
        hint = f"It holds the hidden answers: put it elsewhere, or below {HIDDEN}/."
        raise InputError(str(path), "the bundle", need, got, hint)


def _members(campaign: Campaign, image: str) -> Iterator[tuple[str, bytes]]:
    yield "competition.yaml", _as_yaml(_competition(campaign, image))
    yield "logo.png", _logo()
    yield "terms.md", _TERMS.encode()
    yield "overview.md", _overview(campaign).encode()
    yield "scoring_program/score.py", _PROGRAM.encode()
    yield "scoring_program/metadata.yaml", _as_yaml({"command": _COMMAND})
    yield f"reference_data/{REFERENCES_FILE}", _read(references_version(campaign)[1])
    yield f"reference_data/{RULES_FILE}", campaign.rules.text.encode()
    for name, path in _databases(campaign):
        yield f"reference_data/{name}", _read(path)
    pack = campaign.inside(PACK)
    files = sorted(path for path in pack.rglob("*") if path.is_file())
    if not files:
        need, hint = "be packed before it is exported", "demur campaign pack FOLDER."
        raise InputError(str(pack), "the campaign", need, "no pack", hint)
    for file in files:
        yield f"public_data/{file.relative_to(pack).as_posix()}", _read(file)


def _databases(campaign: Campaign) -> Iterator[tuple[str, Path]]:
    """The databases that were frozen, as the scoring program finds them."""
    root = databases_root(campaign)
    if root is None:
        return
    if "://" in str(root):
        need, got = "lie in files, to travel with a bundle", "a server"
        raise InputError(str(campaign.path), "databases", need, got)
    if Path(root).is_file():
        yield ONE_DATABASE, Path(root)
        return
    for name in frozen_entry(campaign).facts["databases"]:
        yield f"{DATABASES}/{name}", Path(root, name)


def _competition(campaign: Campaign, image: str) -> Mapping[str, Any]:
    """What ``competition.yaml`` says."""
    rules = campaign.rules
    return {
        "version": 2,
        "title": rules.name,
        "description": f"Right, wrong or none; ranked by {rules.scoring.measure}.",
        "image": "logo.png",
        "terms": "terms.md",
        "docker_image": image,
        "make_programs_available": False,
        "make_input_data_available": False,
        "enable_detailed_results": False,
        "can_participants_make_submissions_public": False,
        "pages": [{"title": "Overview", "file": "overview.md"}],
        "phases": [_phase(number, phase) for number, phase in enumerate(rules.phases)],
        "tasks": [
            {
                "index": 0,
                "name": rules.name,
                "description": "The hidden questions.",
                "scoring_program": "scoring_program",
                "reference_data": "reference_data",
            }
        ],
        "leaderboards": [
            {
                "title": "Results",
                "key": "main",
                "submission_rule": "Force_Last",
                "columns": list(_columns(campaign)),
            }
        ],
    }


def _phase(index: int, phase: Phase) -> Mapping[str, Any]:
    limits = {
        "max_submissions": phase.submissions,
        "max_submissions_per_day": phase.per_day,
    }
    return {
        "index": index,
        "name": phase.name,
        "start": f"{phase.opens:%Y-%m-%d %H:%M:%S}",
        "end": f"{phase.closes:%Y-%m-%d %H:%M:%S}",
        "accepts_only_result_submissions": True,
        "hide_output": True,
        "hide_prediction_output": True,
        "hide_score_output": True,
        "public_data": "public_data",
        "tasks": [0],
        **{name: limit for name, limit in limits.items() if limit is not None},
    }


def _columns(campaign: Campaign) -> Iterator[Mapping[str, Any]]:
    for index, (key, title, sorting) in enumerate(columns_of(campaign.rules)):
        yield {
            "index": index,
            "key": key,
            "title": title,
            "sorting": sorting,
            "precision": campaign.rules.board.digits + 2,
        }


def _overview(campaign: Campaign) -> str:
    board = campaign.rules.board
    rates = ", ".join(f"{rate:g}" for rate in board.rates)
    return (
        f"# {campaign.rules.name}\n\n"
        "Download the public data, answer each question of `questions.jsonl`, and send "
        "in one zip with one file of answers: JSON Lines with `item`, `response` (null "
        "where there is none) and, if your system has it, `confidence`.\n\n"
        f"The board shows the error where these shares are not answered: {rates}.\n"
        "`demur campaign check PACK ANSWERS` tells whether your file is whole.\n"
    )


def _as_yaml(table: Mapping[str, Any]) -> bytes:
    """A table as YAML, of which JSON in plain letters is a part."""
    return (json.dumps(table, indent=2) + "\n").encode("ascii")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        got = error.strerror or str(error)
        hint = "demur campaign freeze and pack come before the export."
        raise InputError(str(path), "the file", "be readable", got, hint) from None


def _logo(side: int = 64) -> bytes:
    """A square with a falling line, errors against what is not answered, as PNG."""
    rows = [
        bytes(0x1F if abs(x - y) < 4 else 0xF4 for x in range(side))
        for y in range(side)
    ]
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    chunks = (b"IHDR", header), (b"IDAT", pixels), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data))
        + name
        + data
        + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
