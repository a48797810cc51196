"""Tables and sentences as text: how wide they are, and what stands together."""

from demur import Column, Table
from demur.metrics.word_alignments import alignment_text
from demur.results.text import (
    short_names,
    short_words,
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
