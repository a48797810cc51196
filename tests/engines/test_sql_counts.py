"""Conditions of counting queries: shortcuts select the same rows as the long form."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.curves import counted, counted_curves
from demur.curves.blocks import Cut
from demur.engines import memory_pairs, sql_counts

duckdb: Any = pytest.importorskip("duckdb", reason="DuckDB is not installed")


@given(
    st.lists(st.integers(-40, 40), min_size=9, max_size=20, unique=True),
    st.sampled_from([2.0**-30, 0.25, 1.0, 8.0]),
    st.lists(st.floats(allow_nan=False), max_size=20),
)
def test_a_list_of_blocks_holds_what_their_ends_say(places, width, further):
    """Also at the ends themselves, beside them, and for -0.0 and infinity."""
    cuts = [Cut(place * width, (place + 1) * width) for place in sorted(places)]
    ends = np.array([[cut.low, cut.high] for cut in cuts]).ravel()
    beside = [np.nextafter(ends, -np.inf), np.nextafter(ends, np.inf)]
    values = np.concatenate([ends, *beside, further, [-0.0, np.inf, -np.inf]])
    inside = [any(cut.low <= value < cut.high for cut in cuts) for value in values]
    condition = sql_counts.in_cuts(cuts)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE rows_ (confidence_ DOUBLE)")
        rows = [[value] for value in values.tolist()]
        connection.executemany("INSERT INTO rows_ VALUES (?)", rows)
        told = connection.execute(f"SELECT {condition} FROM rows_").fetchall()
    assert [bool(one) for (one,) in told] == inside


def test_ends_that_are_lost_beside_the_width_are_no_list():
    cuts = [Cut(place * 1.0, place + 1.0) for place in range(0, 20, 2)]
    assert " IN " in sql_counts.in_cuts(cuts)
    cuts[0] = Cut(1e-300, 1.0)
    assert " IN " not in sql_counts.in_cuts(cuts)


@pytest.mark.parametrize("far", [True, False])
def test_cuts_without_gaps_are_one_condition(far):
    """Where they hold all confidences, whether there is one is asked alone."""
    cuts = [Cut(0.0, 0.5, 0.25), Cut(0.5, 1.0)]
    told = sql_counts.in_cuts(cuts, (0.0, 1.0 if far else 0.75))
    assert (told == "confidence_ IS NOT NULL") is not far


def test_few_passes_do(tmp_path, monkeypatch):
    """A sample tells that confidences are many: they are not counted beforehand."""
    monkeypatch.setattr(counted, "MOST_APART", 1 << 8)
    path, rng = tmp_path / "answers.csv", np.random.default_rng(1)
    rows = [f"{i},{rng.random()},{i % 3 > 0:d}" for i in range(5000)]
    path.write_text("\n".join(["item,confidence,correct", *rows]))
    answers = demur.count_outcomes(str(path), engine="duckdb")
    asked, columns = [], answers.engine.connection.columns

    def listen(query: str) -> Any:
        asked.append(query)
        return columns(query)

    monkeypatch.setattr(answers.engine.connection, "columns", listen)
    monkeypatch.setattr(answers.engine.connection, "rows", _unwanted(answers))
    curve = demur.error_return(answers)
    curve.area()
    assert len(asked) == 2  # a sample and the blocks
    point = curve.at(nonreturn=0.3)
    assert len(asked) == 3
    assert point == demur.error_return(demur.read_outcomes(path)).at(nonreturn=0.3)


def _unwanted(answers: Any) -> Any:
    """Ask as before, but refuse to count different confidences."""
    rows = answers.engine.connection.rows

    def ask(query: str) -> Any:
        assert "distinct_" not in query, query
        return rows(query)

    return ask


def test_confidences_of_any_size_stand_in_their_blocks(tmp_path, monkeypatch):
    """Also where a width is so much greater than the end of its cut that it is lost."""
    monkeypatch.setattr(counted, "MOST_APART", 1 << 8)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 1 << 10)
    share = np.random.default_rng(2).random(20_000)
    small, great = share * 1e-300, share * 1e300
    sure = np.where(share < 0.5, small, np.where(share < 0.9, great, 1 + share))
    rows = demur.Outcomes.from_arrays(correct=share < 0.7, confidence=sure)
    demur.write_outcomes(rows, tmp_path / "answers.parquet")
    answers = demur.count_outcomes(tmp_path / "answers.parquet", engine="duckdb")
    curve, known = demur.error_return(answers), demur.error_return(rows)
    area, wanted = curve.area(), known.area().value
    assert area.low <= wanted <= area.high
    assert curve.at(nonreturn=0.55) == known.at(nonreturn=0.55)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_confidences_near_the_end_of_all_floats_are_refused_by_name(
    tmp_path, monkeypatch, engine
):
    """Widths and ends of their blocks would be infinite; each apart they count."""
    share = np.random.default_rng(2).random(2_000)
    sure = np.where(share < 0.5, -1, 1) * (0.9 + share / 10) * 1.79e308
    rows = demur.Outcomes.from_arrays(correct=share < 0.7, confidence=sure)
    path = tmp_path / "answers.parquet"
    demur.write_outcomes(rows, path)
    known = demur.error_return(rows).at(nonreturn=0.55)
    counted_apart = demur.error_return(demur.count_outcomes(path, engine=engine))
    assert counted_apart.at(nonreturn=0.55) == known
    monkeypatch.setattr(counted, "MOST_APART", 1 << 8)
    with pytest.raises(demur.InputError, match=r"confidence must be .* Divide all by"):
        demur.error_return(demur.count_outcomes(path, engine=engine))
    smaller = demur.Outcomes.from_arrays(
        correct=share < 0.7,
        confidence=np.where(sure == sure.max(), np.inf, sure / 2.0**64),
    )
    demur.write_outcomes(smaller, path)
    curve = demur.error_return(demur.count_outcomes(path, engine=engine))
    assert curve.at(nonreturn=0.55).error == known.error


def test_many_cuts_take_no_pass_each(monkeypatch):
    passes, floor = [], np.floor

    def passed(value: Any) -> Any:
        passes.append(len(value))
        return floor(value)

    monkeypatch.setattr(np, "floor", passed)
    ends = [*map(float, range(0, 1001, 2))]
    cuts = [Cut(*pair, 1.0) for pair in itertools.pairwise(ends)]
    value = np.arange(0, 1000, 0.25)
    cells = memory_pairs.cells_of(value, cuts)
    assert (cells == floor(value)).all()
    assert len(passes) == 1


@pytest.mark.parametrize(("tiny", "most"), [(1e-300, 0), (1e-306, 100)])
def test_tiny_confidences_are_not_cut_number_by_number(
    tmp_path, monkeypatch, tiny, most
):
    """Each end that is a number of its own is a condition that each row is tried on."""
    monkeypatch.setattr(counted, "MOST_APART", 1 << 8)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 1 << 10)
    monkeypatch.setattr(counted, "MOST_ENDS", 50)
    monkeypatch.setattr(counted_curves, "MOST_MORE", 1 << 10)
    share = np.random.default_rng(2).random(20_000)
    sure = np.where(share < 0.5, share * tiny, share * 1e300)
    rows = demur.Outcomes.from_arrays(correct=share * 1e4 % 1 < 0.7, confidence=sure)
    demur.write_outcomes(rows, tmp_path / "answers.parquet")
    answers, asked = demur.count_outcomes(tmp_path / "answers.parquet"), []
    count = answers.engine.count

    def listen(by: Any, cuts: Any) -> Any:
        asked.append(sum(cut.width == np.inf for cut in cuts))
        return count(by, cuts)

    monkeypatch.setattr(answers.engine, "count", listen)
    area = demur.error_return(answers).area()
    assert area.low <= demur.error_return(rows).area().value <= area.high
    assert max(asked) <= most, asked
