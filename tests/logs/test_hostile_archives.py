"""Archives that are damaged or made to fill the memory: named, and no file is made."""

import io
import json
import struct
import warnings
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import demur

SMALL = 1 << 20
"""The most that may be unpacked here; a member may be a sixteenth of it."""

HEAD = json.dumps({"status": "success", "eval": {"task": "t", "model": "m"}})
BOMB = b'{"id": 1, "x": "' + b"a" * (SMALL // 8) + b'"}'
QUERIES = json.dumps({"q1": "SELECT 1", "q2": "null"})

Members = Iterable[tuple[str, str | bytes]]


def sample(name: str, value: str = "C") -> str:
    held = {"id": name, "epoch": 1, "scores": {"match": {"value": value}}}
    return json.dumps({**held, "output": {"completion": "x"}})


def member(name: str, value: str = "C") -> tuple[str, str]:
    return f"samples/{name}_epoch_1.json", sample(name, value)


INSPECT = [("header.json", HEAD), member("q1"), member("q2", "I")]
EHRSQL = [("prediction.json", QUERIES)]


def archive(members: Members, packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The members as an archive, names that are there twice too."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", packed) as made:
        warnings.simplefilter("ignore")
        for name, data in members:
            made.writestr(name, data)
    return file.getvalue()


def workbook(rows: str = "", sheet: str = "sheet1.xml") -> bytes:
    """A workbook of two columns and a row, and more rows as XML."""
    named = "".join(
        f'<c r="{column}1" t="inlineStr"><is><t>{name}</t></is></c>'
        for column, name in (("A", "item"), ("B", "correct"))
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packages = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return archive(
        [
            (
                "[Content_Types].xml",
                f'<Types xmlns="{packages}/content-types">'
                f'<Override PartName="/xl/workbook.xml" '
                f'ContentType="{kind}.sheet.main+xml"/></Types>',
            ),
            (
                "_rels/.rels",
                f'<Relationships xmlns="{packages}/relationships"><Relationship '
                f'Id="r" Type="{kinds}/officeDocument" Target="xl/workbook.xml"/>'
                "</Relationships>",
            ),
            (
                "xl/workbook.xml",
                f'<workbook xmlns="{main}" xmlns:r="{kinds}"><sheets>'
                '<sheet name="A" sheetId="1" r:id="s"/></sheets></workbook>',
            ),
            (
                "xl/_rels/workbook.xml.rels",
                f'<Relationships xmlns="{packages}/relationships"><Relationship '
                f'Id="s" Type="{kinds}/worksheet" Target="{sheet}"/></Relationships>',
            ),
            (
                f"xl/{sheet}",
                f'<worksheet xmlns="{main}"><sheetData><row r="1">{named}</row>'
                '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>1</v></c></row>'
                f"{rows}</sheetData></worksheet>",
            ),
        ]
    )


KINDS: dict[str, bytes] = {
    "inspect": archive(INSPECT),
    "ehrsql": archive(EHRSQL),
    "workbook": workbook(),
}


def rows(data: bytes, **options: Any) -> int:
    return len(list(demur.iter_records(io.BytesIO(data), **options)))


def refusal(data: bytes, **options: Any) -> str:
    with pytest.raises(demur.DemurError) as caught:
        rows(data, **options)
    message = str(caught.value)
    assert message.startswith("stream: ") or message.startswith("stream:A: ")
    assert message.isprintable()
    return message


def patched(data: bytes, at: int, size: str, value: int, local: int = -1) -> bytes:
    """The archive with a field of the last member changed in its directory."""
    changed = bytearray(data)
    struct.pack_into(size, changed, changed.rfind(b"PK\x01\x02") + at, value)
    if local >= 0:
        struct.pack_into(size, changed, changed.rfind(b"PK\x03\x04") + local, value)
    return bytes(changed)


def test_archives_are_read() -> None:
    assert {kind: rows(data) for kind, data in KINDS.items()} == {
        **{"inspect": 2, "ehrsql": 2, "workbook": 1}
    }


@pytest.mark.parametrize("kind", KINDS)
def test_archives_that_are_cut_off(kind: str) -> None:
    data = KINDS[kind]
    for length in (4, 30, len(data) // 2, len(data) - 30, len(data) - 1):
        message = refusal(data[:length])
        assert "must be a whole, readable zip archive" in message


@pytest.mark.parametrize("kind", KINDS)
def test_members_that_are_encrypted(kind: str) -> None:
    assert "is encrypted" in refusal(patched(KINDS[kind], 8, "<H", 1, 6))


@pytest.mark.parametrize("kind", KINDS)
def test_members_with_other_content_than_their_checksum(kind: str) -> None:
    message = refusal(patched(KINDS[kind], 16, "<I", 12345))
    assert "must be a whole, readable zip archive" in message


@pytest.mark.parametrize("kind", KINDS)
def test_members_compressed_in_ways_that_nobody_knows(kind: str) -> None:
    assert "compression" in refusal(patched(KINDS[kind], 10, "<H", 77, 8))


# -- bombs -------------------------------------------------------------------------

BOMBS = {
    "a sample": archive([*INSPECT, ("samples/q9_epoch_1.json", BOMB)]),
    "a header": archive([("header.json", BOMB), *INSPECT[1:]]),
    "a prediction": archive([("prediction.json", BOMB)]),
    "an archive in it": archive([("prediction.json", archive([("a", BOMB * 9)] * 80))]),
    "a sheet": workbook(f'<row r="3"><c r="A3"><v>{"1" * len(BOMB)}</v></c></row>'),
    "a sheet by another name": workbook(" " * len(BOMB), sheet="sheet1.dat"),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_member_holds_no_more_than_is_allowed(kind: str) -> None:
    message = refusal(BOMBS[kind], max_size=SMALL)
    assert "a member must hold at most 65,536 bytes; got more" in message


def test_summaries_hold_no_more_than_is_allowed() -> None:
    data = archive([*INSPECT, ("summaries.json", b"[" + b" " * len(BOMB))])
    with pytest.raises(demur.InputError, match=r"summaries\.json: a member must hold"):
        demur.read_outcomes(io.BytesIO(data), max_size=SMALL)


def test_all_members_together_hold_no_more_than_is_allowed() -> None:
    text = sample("q") + " " * (SMALL // 20)
    many = [(f"samples/q{n}_epoch_1.json", text) for n in range(30)]
    message = refusal(archive([INSPECT[0], *many]), max_size=SMALL)
    assert "the unpacked archive must hold at most 1,048,576 bytes" in message


def test_a_member_that_says_it_is_small() -> None:
    data = patched(BOMBS["a sample"], 24, "<I", 1000)
    assert "samples/q9_epoch_1.json" in refusal(data, max_size=SMALL)


def test_members_that_lie_over_one_another() -> None:
    data = archive([*INSPECT, member("q3"), member("q4")])
    first = data.find(b"PK\x03\x04", 4)
    message = refusal(patched(data, 42, "<I", first))
    assert "must be a whole, readable zip archive" in message


@pytest.mark.parametrize(
    "row",
    [
        '<row r="1000000000000"><c r="A1"><v>1</v></c></row>',
        "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(3, 40)),
    ],
)
def test_a_sheet_that_is_large_by_few_words(row: str) -> None:
    message = refusal(workbook(row), max_size=SMALL)
    assert message.startswith("stream:A: a sheet must hold at most 65,536 bytes")


def test_entities_in_a_workbook_are_not_followed() -> None:
    members = zipfile.ZipFile(io.BytesIO(KINDS["workbook"]))
    held = {name: members.read(name) for name in members.namelist()}
    named = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hosts">]>'
    sheet = held["xl/sheet1.xml"].replace(b"<t>item</t>", b"<t>&x;</t>")
    data = archive({**held, "xl/sheet1.xml": named + sheet}.items())
    assert "must be a whole workbook (.xlsx)" in refusal(data)


# -- names -------------------------------------------------------------------------

CLIMBING = [
    *("../../x_epoch_1.json", "/x_epoch_1.json", "samples/../../x_epoch_1.json"),
    *("samples\\..\\x_epoch_1.json", "C:\\x_epoch_1.json", "samples//x_epoch_1.json"),
]


def test_names_that_climb_are_never_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    named = [(name, sample(f"c{n}")) for n, name in enumerate(CLIMBING)]
    path = folder / "log.eval"
    path.write_bytes(archive([*INSPECT, *named]))
    items = demur.read_outcomes(path).item.tolist()
    assert items == ["q1", "q2", "c2", "c5"]  # those that are called samples/
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [path]


def test_links_are_not_followed() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("header.json", HEAD)
        link = zipfile.ZipInfo("samples/q1_epoch_1.json")
        link.external_attr = 0o120777 << 16
        made.writestr(link, "/etc/hosts")
    assert "samples/q1_epoch_1.json: the text must be JSON" in refusal(file.getvalue())


def test_of_members_with_one_name_the_last_is_read_as_by_inspect() -> None:
    outcomes = demur.read_outcomes(
        io.BytesIO(archive([*INSPECT, member("q1", "I")])), log="inspect"
    )
    assert outcomes.counts()["wrong"] == 2


def test_names_that_no_terminal_should_see_are_escaped() -> None:
    data = archive([INSPECT[0], ("samples/\x1b[2J_epoch_1.json", b"{")])
    assert r"\x1b" in refusal(data)


def test_many_members_are_no_matter() -> None:
    more = [(f"other/{n}", b"") for n in range(2000)]
    assert rows(archive([*INSPECT, *more])) == 2


def test_samples_that_the_summaries_leave_out_are_read() -> None:
    for summaries in ([], [{"id": "q1", "epoch": 1, "scores": {"match": "C"}}]):
        data = archive([*INSPECT, ("summaries.json", json.dumps(summaries))])
        outcomes = demur.read_outcomes(io.BytesIO(data))
        assert (outcomes.counts()["right"], len(outcomes)) == (1, 2)
