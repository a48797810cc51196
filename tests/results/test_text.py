"""Tables and sentences as text: how wide they are, and what stands together."""

import pytest

from demur import Column, Table
from demur.metrics.word_alignments import alignment_text
from demur.results.html import table_html
from demur.results.text import (
    cell_text,
    cut,
    decimals,
    p_text,
    rate,
    short_names,
    short_words,
    significant,
    span,
    table,
    table_text,
    width_of,
    wrapped,
)

TOKYO, OSAKA = "東京の予約係", "大阪"


def test_wide_characters_take_two_columns_and_marks_none():
    assert [width_of(text) for text in ("ab", "東京", "e\u0301", "", "ﾃｽ")] == [
        *(2, 4, 1, 0, 2)
    ]


def test_columns_stand_below_each_other_whatever_the_names_are_written_in():
    lines = table(["system", "error"], [[TOKYO, "0.25"], ["a", "0.5"]]).splitlines()
    assert {width_of(line) for line in lines} == {len(TOKYO) * 2 + 2 + 5}
    columns = Column("system"), Column("error", cells="share")
    shown = table_text(Table("", columns, ((OSAKA, 0.25), ("long-name", 0.5))))
    assert {width_of(line) for line in shown.splitlines()} == {9 + 2 + 5}


@pytest.mark.parametrize(
    ("cells", "left"),
    [
        (("ten", "9"), True),
        (("9", "ten"), True),
        (("9", "10"), False),
        (("-1", "+2"), False),
        (("inf", "less than 1"), False),
        (("info", ""), True),
        (("", ""), False),
    ],
)
def test_a_column_of_words_stands_left_and_one_of_numbers_right(cells, left):
    rows = [["a", cell] for cell in cells]
    for line, (_, cell) in zip(
        table(["x", "many words now"], rows).splitlines()[2:], rows, strict=True
    ):
        assert line == (f"a  {cell}" if left else f"a  {cell:>14}").rstrip()


def test_names_are_cut_by_what_they_take_and_stay_different():
    names = [TOKYO * 8, TOKYO * 8 + "二"]
    short = short_names(names)
    assert all(width_of(name) <= 32 for name in short)
    assert len(set(short)) == 2
    assert width_of(short_words(f"{TOKYO * 20} errs least")) < 90


def test_lines_end_before_80_columns():
    text = " ".join([TOKYO, "errs", "less", "than", OSAKA] * 8)
    lines = wrapped(text, "note: ").splitlines()
    assert max(map(width_of, lines)) <= 80
    assert " ".join(line.strip() for line in lines) == f"note: {text}"
    assert wrapped("") == wrapped("", "note: ") == ""


def test_an_interval_stands_beside_what_it_is_of():
    names = "brier", "miscalibration", "discrimination", "uncertainty"
    columns = [Column("system")]
    for name in names:
        columns += [Column(name, cells="share"), Column(f"{name}_interval", "interval")]
    row = "a", *(0.25, "0.2000 to 0.3000") * 4
    for line in table_text(Table("", tuple(columns), (row,))).splitlines():
        heads = line.split()
        assert len(line) <= 80
        for place, head in enumerate(heads):
            assert head != "interval" or heads[place - 1] in names


def test_aligned_words_stand_below_each_other_in_wide_letters_too():
    lines = alignment_text(["東京", "へ"], ["大阪府", "へ"]).splitlines()
    assert width_of(lines[0]) == width_of(lines[1]) == 12 + 6 + 1 + 2


def test_bounds_are_told_from_the_lower_to_the_upper():
    assert span(0.1, 0.25) == "0.100 to 0.250"
    assert span(0.1, 0.10001) == "0.100"


def test_ranges_are_two_columns_of_data_if_one_of_the_cells_is_a_range():
    columns = Column("a", cells="share"), Column("b", cells="share"), Column("c")
    rows = ((0.5, (0.25, 0.75), "x"), ((), 0.5, ""), (None, None, None))
    assert Table("", columns[1:], tuple(row[1:] for row in rows)).to_columns() == {
        "b_low": [0.25, 0.5, None],
        "b_high": [0.75, 0.5, None],
        "c": ["x", "", None],
    }
    assert list(Table("", columns, rows).to_columns()) == [
        *("a_low", "a_high", "b_low", "b_high", "c")
    ]
    assert Table("", columns[:1], ((0.5,), (0.25,))).to_columns() == {"a": [0.5, 0.25]}


@pytest.mark.parametrize(
    ("cells", "value", "digits", "text"),
    [
        ("share", None, None, "-"),
        ("share", float("nan"), None, "-"),
        ("share", (0.25, 0.5), None, "0.250 to 0.500"),
        ("share", (0.25, 0.25001), None, "0.250"),
        ("share", 0.25, 1, "0.2"),
        ("difference", 0.25, None, "+0.2500"),
        ("difference", -0.25, 2, "-0.25"),
        ("percent", 0.125, None, "12.5 %"),
        ("percent", 0.125, 0, "12 %"),
        ("p", 0.0009, None, "< 0.001"),
        ("p", 0.001, None, "0.001"),
        ("p", 1.0, None, "1"),
        ("number", 12345.6, None, "1.235e+04"),
        ("number", 12345.6, 2, "12345.60"),
        ("count", 3.0, None, "3"),
        ("count", 2.5, None, "2.5"),
        ("value", 0.1, None, "0.1"),
        ("text", True, None, "yes"),
        ("text", False, None, "no"),
        ("text", "a\nb", None, r"a\nb"),
    ],
)
def test_cells_are_written_by_what_they_hold(cells, value, digits, text):
    assert cell_text(value, Column("x", cells=cells, digits=digits)) == text


@pytest.mark.parametrize(
    ("line", "length", "short"),
    [
        ("abcdefgh", 8, "abcdefgh"),
        ("abcdefghi", 8, "abc…fghi"),
        ("abcdefghi", 7, "ab…ghi"),
        ("東京東京", 8, "東京東京"),
        ("東京東京東", 8, "東…京東"),
    ],
)
def test_a_line_that_is_cut_keeps_its_beginning_and_its_end(line, length, short):
    assert cut(line, length) == short


def test_columns_fill_80_places_and_an_interval_stays_with_its_number():
    def blocks(*widths, key=1, intervals=()):
        columns = tuple(
            Column(f"{at}interval" if at in intervals else f"{at}", title="x" * width)
            for at, width in enumerate(widths)
        )
        text = table_text(Table("", columns, (("1",) * len(widths),), key))
        heads = [block.split("\n")[0] for block in text.split("\n\n")]
        return [list(map(len, head.split())) for head in heads]

    assert blocks(30, 48) == [[30, 48]]  # two blanks between them
    assert blocks(30, 23, 23) == [[30, 23, 23]]
    assert blocks(30, 23, 24) == [[30, 23], [30, 24]]
    assert blocks(30, 90, 5) == [[30, 90], [30, 5]]
    assert blocks(10, 20, 22, 20, key=2) == [[10, 20, 22, 20]]
    assert blocks(10, 20, 22, 23, key=2) == [[10, 20, 22], [10, 20, 23]]
    assert blocks(30, 20, 12, 12, intervals=[3]) == [[30, 20, 12, 12]]
    assert blocks(30, 20, 12, 13, intervals=[3]) == [[30, 20], [30, 12, 13]]
    assert blocks(30, 20, 12, 13) == [[30, 20, 12], [30, 13]]


def test_what_is_left_out_of_a_long_table_is_said():
    columns = (Column("row", cells="count"),)
    for n, words in (
        (2, ""),
        (3, "\n... and 1 more rows"),
        (9, "\n... and 7 more rows"),
    ):
        text = table_text(Table("", columns, tuple((at,) for at in range(n)), most=2))
        assert text == "row\n---\n  0\n  1" + words


def test_numbers_have_three_decimals_or_four_digits_and_more_where_asked():
    assert [decimals(2 / 3), decimals(2 / 3, 2)] == ["0.667", "0.66667"]
    assert [significant(2000 / 3), significant(2000 / 3, 2)] == ["666.7", "666.667"]
    assert [rate(None), rate(0.0005), rate(1)] == ["-", "0.001", "1.000"]
    assert [p_text(p) for p in (0.0009, 0.001, 0.0456, 1)] == [
        *("p < 0.001", "p = 0.001", "p = 0.046", "p = 1")
    ]


def test_a_table_of_a_notebook_says_on_which_side_cells_stand():
    columns = Column("name", explained="who"), Column("n", cells="count")
    rows = tuple((f"<{at}>", at) for at in range(3))
    styled = table_html(Table("T", columns, rows))
    assert styled == table_html(Table("T", columns, rows), styled=True)
    assert '<th scope="col" style="text-align: left" title="who">name</th>' in styled
    assert (
        '<th scope="row" style="text-align: left"><bdi>&lt;0&gt;</bdi></th>' in styled
    )
    assert '<td style="text-align: right"><bdi>2</bdi></td>' in styled
    plain = table_html(Table("", columns, rows), styled=False)
    assert '<th scope="col" class="text" title="who">name</th>' in plain
    assert "<td><bdi>2</bdi></td>" in plain
    assert "caption" not in plain
    for n, more in ((60, 0), (61, 1)):
        usual = table_html(Table("", columns[1:], ((0,),) * n))
        assert usual.count("<tr>") == 61
        assert ("... and 1 more rows" in usual) == more
    for most, more in ((2, "... and 1 more rows"), (3, ""), (4, "")):
        cut_short = table_html(Table("", columns, rows), most=most)
        assert cut_short.count("<tr>") == 1 + min(most, 3)
        assert ("more rows" in cut_short) == bool(more)
        assert more in cut_short
