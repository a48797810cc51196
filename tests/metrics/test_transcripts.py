"""Transcripts with times: stm, ctm and TextGrid files, and how words fall."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import printed, printed_json, read_records, run, stderr_of
from demur.metrics.transcripts.joined_by_time import form_of, joined_by_time
from demur.metrics.transcripts.text_grids import read_tier
from demur.metrics.transcripts.timed_texts import is_ctm, is_stm, read_stm

STM = [
    ";; a comment",
    "",
    "2345 A ann 0.10 2.03 <o,f0> uh { huh / hm }",
    "2345 A bob 2.10 3.04 (dog) walking",
    "2345 A ann 3.50 4.59 yes but",
    "2345 B cy 0.00 9.00 IGNORE_TIME_SEGMENT_IN_SCORING",
    "2345 B cy 9.00 12.00 not here",
]
CTM = [
    ";; a comment",
    "2345 a 0.10 0.20 uh 0.9",
    "2345 a 1.00 0.50 hm 0.7",
    "2345 a 2.04 0.02 walking 0.5",
    "2345 a 9.00 0.20 but 0.3",
    "2345 a 3.60 0.20 yes 0.1",
    "2345 B 4.00 0.20 noise 0.1",
]
LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 2.3
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "said"
        xmin = 0
        xmax = 2.3
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 1.5
            text = "the ""cat""
 sat"
        intervals [2]:
            xmin = 1.5
            xmax = 2
            text = ""
        intervals [3]:
            xmin = 2
            xmax = 2.3
            text = "hello"
    item [2]:
        class = "TextTier"
        name = "points"
        xmin = 0
        xmax = 2.3
        points: size = 1
        points [1]:
            number = 1
            mark = "x"
    item [3]:
        class = "IntervalTier"
        name = "heard"
        xmin = 0
        xmax = 2.3
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 1
            text = "the cat"
        intervals [2]:
            xmin = 1
            xmax = 2.3
            text = "sat"
"""
SHORT = """File type = "ooTextFile"
"TextGrid"
0 2.3 <exists> 1
"IntervalTier" "said" 0 2.3 3 ! the names of people are left out
0 1.5 "the ""cat"" sat"
1.5 2 ""
2 2.3 "hello"
"""


def written(tmp_path, **files):
    paths = []
    for name, lines in files.items():
        path = tmp_path / name.replace("_", ".")
        text = lines if isinstance(lines, str) else "\n".join([*lines, ""])
        path.write_text(text, "utf-8")
        paths.append(path)
    return paths


def test_words_fall_into_segments():
    joined = joined_by_time(["r.stm", "h.ctm"], [STM, CTM])
    [heard] = joined.heard
    assert heard.texts == ["uh hm", "walking", "yes but", ""]
    assert heard.confidences == [0.8, 0.5, 0.2, None]
    assert [one.speaker for one in joined.segments] == ["ann", "bob", "ann", "cy"]
    assert joined.segments[0].name == "2345-A-ann-0.10-2.03"
    assert joined.segments[0].place == "r.stm:3"
    said = "\n".join(joined.remarks)
    assert "1 segment of the references left out" in said
    assert "with 1 word of h.ctm" in said
    assert "h.ctm: 2 words outside of all segments count for" in said


def test_the_command_scores_and_writes_them(tmp_path):
    paths = written(tmp_path, r_stm=STM, h_ctm=CTM)
    found = printed_json("metrics", "words", *paths, "-o", tmp_path / "o.jsonl")
    # sclite -D: uh hm | (dog) walking | yes but | not here, deleted
    figures = "wer", "reference_words", "declined", "errors"
    wanted = [0.25, 8, 1, 2]
    shown = [found.get(name, 2) for name in figures]
    assert shown == wanted
    assert "notation:nist" in found["signature"]
    rows = read_records(tmp_path / "o.jsonl")
    assert [row.get("confidence") for row in rows] == [0.8, 0.5, 0.2, None]
    assert {row["cluster"] for row in rows} == {"ann", "bob", "cy"}
    item = "2345-A-bob-2.10-3.04"
    assert "(dog) walking" in printed("metrics", "words", *paths, "--align", item)
    assert "intervals are over 3 speakers" in run("metrics", "words", *paths).err


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), max_size=12),
)
def test_a_word_is_of_the_first_segment_that_ends_after_its_middle(pauses, words):
    ends, time = [], 0
    for pause, lasts in pauses:
        ends.append((time + pause, time + pause + lasts))
        time += pause + lasts
    stm = [f"f 1 s {a}.0 {b}.0 {row}" for row, (a, b) in enumerate(ends)]
    ctm = [f"f 1 {a}.0 {lasts}.0 w{row}" for row, (a, lasts) in enumerate(words)]
    joined = joined_by_time(["r.stm", "h.ctm"], [stm, ctm])
    wanted = [[] for _ in stm]
    place = 0
    for row, (begin, lasts) in sorted(enumerate(words), key=lambda pair: pair[1][0]):
        middle = begin + lasts / 2
        while place < len(stm) - 1 and ends[place][1] <= middle:
            place += 1
        wanted[place].append(f"w{row}")
    assert joined.heard[0].texts == [" ".join(names) for names in wanted]


@pytest.mark.parametrize("text", [LONG, SHORT])
def test_text_grids_are_read_long_and_short(text):
    lines = text.split("\n")
    found = read_tier("a.TextGrid", lines, "said")
    intervals = [(one.begin, one.end, one.text) for one in found]
    assert intervals == [(0, 1.5, 'the "cat" sat'), (2, 2.3, "hello")]
    assert form_of("a.txt", lines, is_reference=True) == "TextGrid"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_grids_are_scored(tmp_path, encoding):
    grid = tmp_path / "r.TextGrid"
    grid.write_bytes(SHORT.replace('""cat""', "çat").encode(encoding))
    other = tmp_path / "h.TextGrid"
    other.write_text(LONG.replace("cat", "çat"), "utf-8")
    ctm = ["any 1 0.2 0.1 the", "any 1 0.5 0.1 çat", "any 1 1.0 0.1 sat"]
    [words] = written(tmp_path, h_ctm=ctm)
    asked = "metrics", "words", grid
    assert "1 error on 4 words" in printed(*asked, words)
    # A tier of the other name is not in the reference, which has one alone.
    [same] = written(tmp_path, s_TextGrid=LONG.replace('"said"', '"heard2"'))
    refuses_tier = stderr_of(*asked, same, "--tier", "heard")
    assert "the tier 'heard' must be one interval tier; got said" in refuses_tier
    assert "got said, heard. Name it" in stderr_of(*asked, other)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"r_stm": STM, "h_trn": ["uh (s-1)"]}, "h.trn: the hyp.* have times, as"),
        ({"r_trn": ["uh (s-1)"], "h_ctm": CTM}, "r.trn: .* segments with times, as"),
        ({"r_ctm": CTM, "h_ctm": CTM}, "r.ctm: the references .* words alone"),
        ({"r_stm": ["f 1 s 0.0 x"], "h_ctm": CTM}, "r.stm:1: the line must have rec"),
        ({"r_stm": ["f 1 s 2.0 1.0 a"], "h_ctm": CTM}, "r.stm:1: the end of the seg"),
        ({"r_stm": ["f 1 s nan 1 a"], "h_ctm": CTM}, "r.stm:1: the line must have"),
        ({"r_stm": [STM[2]] * 2, "h_ctm": CTM}, "r.stm:2: .* first in .*r.stm:1"),
        ({"r_stm": STM, "h_ctm": ["f 1 0.0 0.1"]}, "h.ctm:1: the line must have"),
        ({"r_stm": STM, "h_ctm": ["2345 A 0.0 -0.1 a"]}, "h.ctm:1: the seconds of"),
        ({"r_stm": STM, "h_ctm": ["9 A 0.0 0.1 a"]}, "h.ctm:1: the rec.* got '9 a'"),
        ({"r_stm": STM, "h_ctm": ["2345 A * * <ALT_BEGIN>"]}, "h.ctm:1: .* be a word"),
        ({"r_TextGrid": SHORT[:90], "h_ctm": CTM}, "r.TextGrid:4: .* end of the file"),
        ({"r_TextGrid": "", "h_ctm": CTM}, "r.TextGrid:1: the file type must be"),
        ({"r_TextGrid": SHORT, "h_ctm": CTM}, "h.ctm:7: the recording of .* be one"),
    ],
)
def test_what_is_not_so_is_refused(tmp_path, files, words):
    paths = written(tmp_path, **files)
    assert re.search(words, stderr_of("metrics", "words", *paths))


def test_files_are_known_by_their_lines():
    digits = ["5 5 5 1 2 3 4", "5 5 6 1 2 3 5"]
    assert not is_ctm(digits)
    assert not is_stm(digits)
    assert joined_by_time(["r.txt", "h.txt"], [digits, digits]) is None
    numbers = ["f 1 0.5 0.5 7 0.9"]
    assert form_of("r.txt", numbers, is_reference=True) == "stm"
    assert form_of("h.txt", numbers, is_reference=False) == "ctm"
    assert form_of("h.ctm.gz", [], is_reference=False) == "ctm"


def test_nothing_heard_is_declined(tmp_path):
    paths = written(tmp_path, r_stm=STM, h_ctm=[])
    assert printed_json("metrics", "words", *paths)["declined"] == 4


def test_some_words_without_confidence():
    joined = joined_by_time(["r.stm", "h.ctm"], [STM, [*CTM, "2345 B 10.0 1.0 a NA"]])
    assert joined.heard[0].confidences is None
    assert "h.ctm: 1 of 7 words without confidence" in joined.remarks[-1]


def test_segments_that_overlap_are_counted():
    stm = ["f 1 a 0.0 2.0 x", "f 1 b 1.0 3.0 y", "f 2 b 1.0 3.0 y"]
    joined = joined_by_time(["r.stm", "h.ctm"], [stm, ["f 1 1.2 0.2 x"]])
    assert joined.heard[0].texts == ["x", "", ""]
    assert "1 segment begins before another ends" in joined.remarks[1]


@pytest.mark.parametrize(
    "sign", ["ignore_time_segment_in_scoring", "Ignore_Time_Segment_In_Scoring"]
)
def test_a_gap_is_left_out_in_small_letters_too(sign):
    stm = [f"f 1 inter_segment_gap 0.0 5.0 <o,,unknown> {sign}", "f 1 a 5.0 8.0 b c d"]
    ctm = ["f 1 1.0 0.1 x", "f 1 5.1 0.1 b"]
    joined = joined_by_time(["r.stm", "h.ctm"], [stm, ctm])
    assert [one.text for one in joined.segments] == ["b c d"]
    assert joined.heard[0].texts == ["b"]
    assert "1 segment of the references left out" in "\n".join(joined.remarks)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("<o,f0,female>\thello", "hello"),
        ("<o,f0,female>\tso the cat", "so the cat"),
        ("<o, f0, male> so the cat", "so the cat"),
        ("<o,,> a, b> c", "a, b> c"),
        ("<o, so the cat", "so the cat"),
        ("<o,f0,female>", ""),
    ],
)
def test_labels_end_at_blanks_and_tabs(written, text):
    [segment] = read_stm("r.stm", [f"f 1 ann 5.0 8.0 {written}"])
    assert segment.text == text


def grid(*times):
    parts = " ".join(
        f'{begin!r} {end!r} "w{row}"' for row, (begin, end) in enumerate(times)
    )
    return f"""File type = "ooTextFile"
"TextGrid"
0 20000 <exists> 1
"IntervalTier" "said" 0 20000 {len(times)}
{parts}
"""


def test_late_intervals_have_names_of_their_own(tmp_path):
    [path] = written(
        tmp_path, r_TextGrid=grid((10000.01, 10000.03), (10000.03, 10000.05))
    )
    assert "0 errors on 2 words" in printed("metrics", "words", path, path)
    [one, other] = read_tier("r.TextGrid", path.read_text().split("\n"))
    assert (one.name, other.name) == ("10000.01-10000.03", "10000.03-10000.05")


def test_rounded_sums_do_not_overlap():
    times = [(row * 0.3, row * 0.3 + 0.3) for row in range(100)]
    assert any(after[0] < before[1] for before, after in itertools.pairwise(times))
    lines = grid(*times).split("\n")
    joined = joined_by_time(["r.TextGrid", "h.TextGrid"], [lines, lines])
    assert joined.segments[3].name == "0.9-1.2"
    assert not any("before another ends" in remark for remark in joined.remarks)


def test_an_interval_ends_behind_its_begin(tmp_path):
    [path] = written(tmp_path, r_TextGrid=grid((0, 1), (0, -1)))
    refused = stderr_of("metrics", "words", path, path)
    assert "r.TextGrid:5: the end of the interval must be at its begin" in refused
    assert "got -1 after 0" in refused


def test_a_word_stands_no_earlier_than_one_that_begins_before_it():
    stm = ["f 1 a 0.0 10.0 x", "f 1 a 10.0 12.0 y"]
    ctm = ["f 1 0.0 22.0 long", "f 1 1.0 0.2 short"]
    joined = joined_by_time(["r.stm", "h.ctm"], [stm, ctm])
    # As in sclite, which takes the words of a segment from those that are left.
    assert joined.heard[0].texts == ["", "long short"]
    assert joined.remarks[1:] == [
        "h.ctm: 1 word counts for a later segment than by time, behind a long word "
        "that begins before, as in sclite"
    ]
