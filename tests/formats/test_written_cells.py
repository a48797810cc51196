"""Tables as spreadsheets export them: decimal commas, per cent, ja, Windows-1252."""

from pathlib import Path

import pytest

import demur

FOLDER = Path(__file__).parents[1] / "golden/formats/spreadsheets"
GERMAN = "item=Nr, response=Antwort, correct=richtig, confidence=Sicherheit"
ENGLISH = "item=id, response=answer"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.*[vt]")), ids=lambda p: p.name)
def test_a_table_is_read_as_it_was_exported(path: Path) -> None:
    german = path.name not in ("english_percent.csv", "pandas_to_csv_index.csv")
    outcomes = demur.read_outcomes(path, columns=GERMAN if german else ENGLISH)
    counts = outcomes.counts()
    assert [counts[name] for name in ("right", "wrong", "unanswered")] == [4, 2, 2]
    assert outcomes.confidence is not None
    assert outcomes.confidence[[1, 6]].tolist() == [0.8, 0.075]


FAULTY = {
    "datum_und_fehler.xlsx": ":Tabelle1:5: Sicherheit must be a value; got the error",
    "formel_ohne_wert.xlsx": ":Tabelle1:2: richtig must have a value; got a formula wi",
}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.xlsx")), ids=lambda p: p.name)
def test_a_workbook_is_read_or_its_fault_named(path: Path) -> None:
    columns = ENGLISH if path.name == "pandas_to_excel.xlsx" else GERMAN
    if path.name in FAULTY:
        with pytest.raises(demur.InputError) as caught:
            demur.read_outcomes(path, columns=columns)
        assert FAULTY[path.name] in str(caught.value)
        return
    if path.name == "hundert_mal.xlsx":
        columns = columns.replace("Sicherheit", "percent(Sicherheit)")
    outcomes = demur.read_outcomes(path, columns=columns)
    counts = outcomes.counts()
    assert [counts[name] for name in ("right", "wrong", "unanswered")] == [4, 2, 2]
    assert outcomes.confidence is not None
    assert outcomes.confidence[[1, 6]].tolist() == [0.8, 0.075]


def test_a_workbook_that_is_cut_off_is_named(tmp_path: Path) -> None:
    data = (FOLDER / "text_komma.xlsx").read_bytes()
    for size in range(4, len(data), 300):
        path = tmp_path / "cut.xlsx"
        path.write_bytes(data[:size])
        with pytest.raises(demur.DemurError):
            demur.read_outcomes(path, columns=GERMAN)


def test_notes_say_how_cells_were_read() -> None:
    path = FOLDER / "excel_de_cp1252.csv"
    notes = " ".join(demur.read_outcomes(path, columns=GERMAN).notes)
    for words in ("Windows-1252", "ja is true, nein is false", "97% is 0.97"):
        assert words in notes


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (("95%", "0.2"), ":2: confidence must be a number; got '95%'. Write a fract"),
        (("0.2", "95%"), ":3: confidence must be a number; got '95%'"),
        (("0,95", "0.2"), ":2: confidence must be a number; got '0,95'. Write a decim"),
        (("1,234", "2,345"), ":2: confidence must be a number; got '1,234'"),
    ],
)
def test_cells_that_may_mean_two_things_are_refused(
    tmp_path: Path, cells: tuple[str, str], message: str
) -> None:
    path = tmp_path / "o.csv"
    path.write_text(f"item;correct;confidence\na;1;{cells[0]}\nb;0;{cells[1]}\n")
    with pytest.raises(demur.InputError) as caught:
        demur.read_outcomes(path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("header", "mapping"),
    [
        (
            "Nr;Frage;Erwartet;Antwort;Sicherheit;richtig",
            "item=Nr, response=Antwort, correct=richtig, confidence=Sicherheit, "
            "reference=Erwartet, input=Frage",
        ),
        (
            "custom_id;answer;score",
            "item=custom_id, response=answer, correct=score >= 0.5",
        ),
        ("prediction;passed", "item=row(), response=prediction, correct=passed"),
    ],
)
def test_the_whole_mapping_is_proposed(
    tmp_path: Path, header: str, mapping: str
) -> None:
    path = tmp_path / "o.csv"
    path.write_text(f"{header}\n{';'.join('1' for _ in header.split(';'))}\n")
    with pytest.raises(demur.InputError) as caught:
        demur.read_outcomes(path)
    assert f"--columns '{mapping}'" in str(caught.value)
    assert len(demur.read_outcomes(path, columns=mapping)) == 1


def test_a_folder_of_a_data_set_is_named(tmp_path: Path) -> None:
    (tmp_path / "dataset_info.json").write_text("{}")
    with pytest.raises(demur.InputError, match="load_from_disk"):
        demur.read_outcomes(tmp_path)


def workbook_of(path: Path, *rows: list) -> Path:
    book = pytest.importorskip("openpyxl").Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_rows_below_an_empty_one_are_not_lost(tmp_path: Path) -> None:
    header, rows = ["item", "correct"], [["q1", "ja"], ["q2", "nein"]]
    path = workbook_of(tmp_path / "a.xlsx", header, *rows, [], ["q3", "ja"])
    with pytest.raises(demur.InputError) as caught:
        demur.read_outcomes(path)
    assert ":4: the row must hold values; got none, and 1 row like" in str(caught.value)
    summed = workbook_of(tmp_path / "b.xlsx", header, *rows, [], ["all: 2"])
    outcomes = demur.read_outcomes(summed)
    assert len(outcomes) == 2
    assert "1 row below the first empty one is not read" in map(str, outcomes.notes)
