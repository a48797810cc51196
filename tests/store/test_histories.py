"""``demur.history`` and ``demur.diff_runs``: what they say of runs that were kept."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import numpy as np
import pytest

import demur
import reference
from demur.comparisons.own_decisions import own_difference
from demur.figures import picture_of
from demur.results.pictures import Dots, Level, Line
from reference import Row

BEGIN = datetime(2027, 1, 1, tzinfo=UTC)


def outcomes(seed, n_items=120, *, factor=1.0, shuffled=False, **columns):
    """A run of one system; the references of items are their numbers."""
    random = np.random.default_rng(seed)
    base = np.random.default_rng(99).random(n_items)
    rows = {
        "item": [f"q{number}" for number in range(n_items)],
        "correct": random.random(n_items) >= 0.3 * factor * (1 - base),
        "confidence": np.clip(base + random.normal(0, 0.15, n_items), 0, 1),
        "reference": [str(number) for number in range(n_items)],
    } | columns
    rows = {name: values for name, values in rows.items() if values is not None}
    order = random.permutation(n_items) if shuffled else np.arange(n_items)
    listed = {
        name: [values[row] for row in order] if not isinstance(values, str) else values
        for name, values in rows.items()
    }
    return demur.Outcomes.from_arrays(**listed)


def keep_all(store, runs, tags=()):
    for day, run in enumerate(runs):
        borne = tags[day : day + 1]
        store.keep(run, when=BEGIN + timedelta(days=day), tags=borne)


@pytest.fixture
def opened(tmp_path):
    with demur.Store(tmp_path / "runs.sqlite", make=True) as store:
        yield store


def rows_of(table: demur.Outcomes) -> list[Row]:
    return [
        Row(str(outcome), confidence)
        for outcome, confidence in zip(table.outcome, table.confidence, strict=True)
    ]


def test_values_are_those_of_the_slow_twin(opened):
    runs = [outcomes(seed, 40) for seed in range(4)]
    keep_all(opened, runs)
    for at in (0.2, 0.55):
        points = demur.history(opened, at=at).points
        wanted = [
            float(reference.run_error(rows_of(run), Fraction(str(at)))) for run in runs
        ]
        assert [point.error for point in points] == pytest.approx(wanted)


def test_the_interval_is_that_of_the_run_by_itself(opened):
    runs = [outcomes(seed) for seed in range(3)]
    keep_all(opened, runs)
    for point, run in zip(demur.history(opened, at=0.3).points, runs, strict=True):
        alone = demur.interval(run, "error", at=0.3)
        assert (point.error, point.low, point.high) == pytest.approx(
            (alone.value, alone.low, alone.high)
        )


def test_a_jump_is_marked_and_the_rows_may_be_in_any_order(opened, tmp_path):
    runs = [outcomes(seed, factor=1 + 2 * (seed >= 8)) for seed in range(16)]
    keep_all(opened, runs)
    history = demur.history(opened)
    (mark,) = history.marks
    assert (mark.verdict, mark.since) == ("worse", 1)
    assert 9 <= mark.run <= 12
    assert "worse in run" in history.sentence()
    with demur.Store(tmp_path / "other.sqlite", make=True) as other:
        mixed = [
            outcomes(seed, factor=1 + 2 * (seed >= 8), shuffled=True)
            for seed in range(16)
        ]
        keep_all(other, mixed)
        assert demur.history(other).points == history.points


def test_a_line_by_itself_is_that_line_among_others(opened, tmp_path):
    for seed in range(10):
        both = demur.Outcomes.from_columns(
            {
                name: [*one, *two]
                for (name, one), two in zip(
                    outcomes(seed, system="a").to_columns().items(),
                    outcomes(50 + seed, system="b").to_columns().values(),
                    strict=True,
                )
            }
        )
        opened.keep(both, when=BEGIN + timedelta(days=seed))
    together = demur.history(opened)
    assert together.systems == ("a", "b")
    alone = demur.history(opened, system="b")
    points = [point for point in together.points if point.system == "b"]
    with demur.Store(tmp_path / "b.sqlite", make=True) as other:
        keep_all(other, [outcomes(50 + seed, system="b") for seed in range(10)])
        elsewhere = demur.history(other).points
    for one, other, third in zip(points, alone.points, elsewhere, strict=True):
        plain = one.to_dict() | {"line": 1}
        assert plain == other.to_dict() == third.to_dict()


def test_order_is_that_of_keeping(opened):
    """Names and tags that sort otherwise change nothing."""
    runs = [outcomes(seed, system="z") for seed in range(4)]
    keep_all(opened, runs, tags=["z", "y", "x", "w"])
    points = demur.history(opened).points
    assert [point.run for point in points] == [1, 2, 3, 4]
    assert [point.tags for point in points] == [("z",), ("y",), ("x",), ("w",)]


def test_other_references_begin_another_line(opened):
    others = [str(2 * number) for number in range(120)]
    runs = [outcomes(seed) for seed in range(3)]
    runs += [outcomes(seed, reference=others) for seed in range(3, 6)]
    keep_all(opened, [*runs, outcomes(9)])
    history = demur.history(opened)
    assert [point.line for point in history.points] == [1, 1, 1, 2, 2, 2, 1]
    assert [point.verdict for point in history.points][3] == "first"
    assert history.points[3].change is None
    assert [line.runs for line in history.lines] == [(1, 2, 3, 7), (4, 5, 6)]
    text = history.to_text()
    assert "other references from here: not compared with the runs above" in text
    assert "as in run 3 from here: compared with such runs" in text
    assert any("references: those of run 3 and run 4" in note for note in history.notes)
    marks = picture_of(history).panels[0].marks
    lines = [mark for mark in marks if isinstance(mark, Line) and mark.name is not None]
    assert [len(mark.x) for mark in lines if mark.style == "system"] == [4, 3]
    assert [mark.words for mark in marks if isinstance(mark, Level)] == [
        "other references"
    ]
    shapes = {mark.shape for mark in marks if isinstance(mark, Dots) and not mark.words}
    assert shapes == {"o", "s"}


def test_a_system_with_other_items_is_not_compared(opened):
    first = outcomes(1, 60)
    keep_all(opened, [first, outcomes(2, 59), outcomes(3, 60)])
    history = demur.history(opened)
    assert [point.line for point in history.points] == [1, 2, 1]
    assert history.points[2].since == 1
    assert history.lines[1].short == "other items"


def test_own_decisions_without_confidences(opened):
    declined = [number % 10 == 0 for number in range(120)]
    keep_all(
        opened, [outcomes(seed, confidence=None, declined=declined) for seed in (1, 2)]
    )
    history = demur.history(opened)
    assert history.lines[0].number == "own error"
    first, second = (opened.outcomes(run) for run in (1, 2))
    point = history.points[1]
    test = own_difference(first, second)
    assert point.change == pytest.approx(test.value)
    assert point.p_value <= test.p_value + 1e-12  # which also asks Student's t
    assert point.nonreturn == pytest.approx(0.1)
    forced = demur.history(opened, of="forced")
    assert forced.points[0].error >= history.points[0].error
    asked = demur.history(opened, at=0.2)
    assert {point.why for point in asked.points} == {"no confidences"}
    assert asked.to_text()


def test_clusters_are_tested_as_wholes(opened):
    """Ten dialogues in which all turns fail together are ten, not a hundred."""
    cluster = [f"d{number // 10}" for number in range(120)]

    def run(wrong_dialogues):
        right = [number // 10 >= wrong_dialogues for number in range(120)]
        how = {"correct": right, "confidence": None}
        return outcomes(0, cluster=cluster, **how)

    keep_all(opened, [run(0), run(4)])
    alone = [outcomes(0, correct=[n >= 10 * k for n in range(120)]) for k in (0, 4)]
    clustered = demur.history(opened).points[1]
    assert clustered.verdict == "not shown"
    assert clustered.p_value == pytest.approx(2 / 2**4)
    assert demur.mcnemar_exact(0, 40) < 1e-10
    keep_all(opened, alone)
    assert demur.history(opened, of="own").points[3].verdict == "worse"


def test_what_cannot_be_computed_is_said(opened):
    few = outcomes(1, 4)
    silent = outcomes(
        2, 120, outcome=["unanswered"] * 60 + ["right"] * 60, correct=None
    )
    keep_all(opened, [few, few, outcomes(3), silent])
    history = demur.history(opened, at=0.2)
    assert [point.verdict for point in history.points] == [
        "first",
        "not tested",
        "first",
        "no figure",
    ]
    assert history.points[3].why == "begins at nonreturn 0.5"
    assert any("too few items" in note for note in history.notes)
    assert any("no figure of run 4" in note for note in history.notes)
    assert any("a higher --at" in note and "--of own" in note for note in history.notes)


def test_responses_judged_anew_stand_where_they_were_given(opened):
    keep_all(opened, [outcomes(1), outcomes(2)])
    others = [str(2 * number) for number in range(120)]
    again = outcomes(1, reference=others)
    opened.keep(again, when=BEGIN + timedelta(days=90), judged_from=1)
    last = demur.history(opened).points[-1]
    assert (last.run, last.when, last.line) == (3, BEGIN, 2)


def test_what_is_asked_for_must_be_there(opened):
    with pytest.raises(demur.InputError, match="demur keep puts runs into it"):
        demur.history(opened)
    keep_all(opened, [outcomes(1, system="a")], tags=["main"])
    with pytest.raises(demur.InputError, match=r"the tag 'mian'; got 1 others, .*main"):
        demur.history(opened, tag="mian")
    with pytest.raises(demur.InputError, match="left out with a rate"):
        demur.history(opened, at=0.2, of="own")
    with pytest.raises(demur.InputError, match="of must be one of own, forced"):
        demur.history(opened, of="mine")


def test_gates_and_json(opened):
    keep_all(opened, [outcomes(seed, factor=1 + 3 * (seed > 4)) for seed in range(9)])
    history = demur.history(opened)
    figures = {figure.called: figure for figure in history.figures()}
    assert figures["changes"].value == len(history.marks) == 1
    assert figures["worse"].value in (0.0, 1.0)
    assert figures["error"].value == history.points[-1].error
    plain = json.loads(json.dumps(history.to_dict()))
    assert len(plain["points"]) == 9
    assert plain["points"][0]["when"] == "2027-01-01T00:00:00Z"
    assert history.to_frame().shape[0] == 9


def test_pictures_of_one_run_and_of_many(opened):
    keep_all(opened, [outcomes(1)], tags=["a" * 80])
    single = picture_of(demur.history(opened)).panels[0]
    words = [mark.words for mark in single.marks if isinstance(mark, Dots)]
    assert max(len(text) for row in words for text in row) <= 20
    keep_all(opened, [outcomes(seed, 30) for seed in range(2, 110)])
    many = picture_of(demur.history(opened, tag=None)).panels[0]
    assert [mark for mark in many.marks if isinstance(mark, Dots) and mark.hollow]


# -- from one run to another -----------------------------------------------------------


def test_diff_of_two_runs(opened):
    keep_all(opened, [outcomes(1), outcomes(2, factor=3)])
    changes = demur.diff_runs(opened, 1, 2)
    first, second = (opened.outcomes(run) for run in (1, 2))
    compared = demur.compare(first, second, at=0.2)
    (number,) = changes.numbers
    assert (number.a, number.b) == pytest.approx((compared.error_a, compared.error_b))
    assert number.p_value == pytest.approx(compared.difference.p_value)
    for row in changes.verdicts:
        before, after = row.what.split(" → ")
        moved = (first.outcome == before) & (second.outcome == after)
        assert row.items == moved.sum()
        assert row.first == tuple(first.item[moved][:5].tolist())
    assert not changes.data
    assert not changes.parts


def test_diff_of_other_data_compares_only_if_asked(opened):
    references = [str(number + (number < 10)) for number in range(120)]
    keep_all(opened, [outcomes(1), outcomes(2, 119)])
    keep_all(opened, [outcomes(3, reference=references)])
    changes = demur.diff_runs(opened, 1, 2)
    assert [(row.what, row.items, row.first) for row in changes.data] == [
        ("gone", 1, ("q119",))
    ]
    (number,) = changes.numbers
    assert (number.p_value, number.why) == (None, "other data")
    (number,) = demur.diff_runs(opened, 1, 2, items="common").numbers
    assert number.p_value is not None
    assert number.items == 119
    changes = demur.diff_runs(opened, 1, 3, items="common")
    assert [(row.what, row.items) for row in changes.data] == [("other reference", 10)]
    assert changes.numbers[0].items == 110


def test_runs_that_were_judged_otherwise_are_never_tested(opened):
    for version in ("1", "2"):
        run = outcomes(int(version)).with_recipe(comparator=f"cas/{version}")
        opened.keep(run, when=BEGIN)
    changes = demur.diff_runs(opened, 1, 2, items="common")
    assert [(part.name, part.a, part.b) for part in changes.parts] == [
        ("comparator", "cas/1", "cas/2")
    ]
    assert changes.numbers[0].why == "judged otherwise"
    assert [line.short for line in demur.history(opened).lines] == [
        "",
        "other comparator",
    ]


def test_runs_kept_late_stand_where_they_belong(opened, tmp_path):
    """A run of a day before, kept today, is not the newest and marks nothing."""
    runs = [outcomes(seed, factor=1.0 if seed < 6 else 2.8) for seed in range(12)]
    keep_all(opened, [*runs[:3], *runs[4:]])
    with demur.Store(tmp_path / "late.sqlite", make=True) as late:
        order = [0, 1, 2, *range(4, 12), 3]
        for day in order:
            late.keep(runs[day], when=BEGIN + timedelta(days=day))
        told = demur.history(late)
    with demur.Store(tmp_path / "in_time.sqlite", make=True) as in_time:
        keep_all(in_time, runs)
        expected = demur.history(in_time)
    assert [point.run for point in told.points] == [1, 2, 3, 12, *range(4, 12)]
    assert told.lines[0].runs == (1, 2, 3, 12, *range(4, 12))
    told_of = [(p.when, p.verdict, p.p_value, p.change) for p in told.points]
    assert told_of == [
        (p.when, p.verdict, p.p_value, p.change) for p in expected.points
    ]
    assert told.newest("").run == 11
    (line,) = (mark for mark in picture_of(told).panels[0].marks if is_system(mark))
    assert [*line.x] == sorted(line.x)


def is_system(mark):
    return isinstance(mark, Line) and mark.style == "system"


def test_a_series_judged_anew_is_in_order_of_its_days(opened):
    """A reference is mended on day 4; the days before are judged anew after day 5."""
    mended = [str(2 * number) for number in range(120)]
    for day in range(6):
        references = {"reference": mended} if day > 3 else {}
        opened.keep(outcomes(day, **references), when=BEGIN + timedelta(days=day))
    for day in range(4):
        again = outcomes(day, reference=mended)
        when = BEGIN + timedelta(days=90 + day)
        opened.keep(again, when=when, judged_from=day + 1)
    told = demur.history(opened)
    assert [point.run for point in told.points] == [1, 2, 3, 4, 7, 8, 9, 10, 5, 6]
    assert [line.runs for line in told.lines] == [(1, 2, 3, 4), (7, 8, 9, 10, 5, 6)]
    assert told.to_text().count("from here") == 1
    assert told.newest("").run == 6


def test_a_tag_of_all_runs_is_said_once(opened):
    for day, tags in enumerate((["main"], ["main", "v2"], ["main"])):
        opened.keep(outcomes(day), when=BEGIN + timedelta(days=day), tags=tags)
    text = demur.history(opened).to_text()
    assert text.count("main") == 1
    assert "note: all runs are tagged main" in text
    assert text.count("v2") == 1


def test_a_small_p_that_is_no_mark_is_explained(opened):
    keep_all(opened, [outcomes(1), outcomes(2)])
    told = demur.history(opened)
    near = replace(told.points[1], p_value=4e-5, tested_at=3.2e-5)
    text = replace(told, points=(told.points[0], near)).to_text()
    assert "p < 0.001 is no mark in run 2: p is 4e-05, and it is tested at" in text
    assert "is no mark" not in told.to_text()


def test_signs_of_broken_lines_name_their_systems(opened):
    for day, items in enumerate((None, [f"new{number}" for number in range(120)])):
        other = (
            {"item": items * 2}
            if items
            else {"item": [f"q{n}" for n in range(120)] * 2}
        )
        columns = outcomes(day)
        both = demur.Outcomes.from_arrays(
            system=["a"] * 120 + ["b"] * 120,
            correct=[*(columns.outcome == "right")] * 2,
            confidence=[*columns.confidence] * 2,
            **other,
        )
        opened.keep(both, when=BEGIN + timedelta(days=day))
    signs = picture_of(demur.history(opened)).panels[0].signs
    words = [sign.words for sign in signs if "from run" in sign.words]
    assert words == ["a from run 2: other items", "b from run 2: other items"]


def test_where_hardly_an_answer_is_left_nothing_is_tested(opened):
    """One of ten answers: of lines without a change 30 % had a mark."""
    keep_all(opened, [outcomes(seed, 10) for seed in range(4)])
    found = demur.history(opened, at=0.9)
    assert [point.verdict for point in found.points] == ["first", *["not tested"] * 3]
    assert "too few answers are left at that rate (1)" in found.points[1].why
    assert demur.history(opened, at=0.5).points[1].verdict == "not shown"
    assert demur.history(opened, of="own").points[1].verdict == "not shown"


def test_other_references_are_those_that_the_data_hash_tells_apart(opened):
    listed = [[float("nan")] * 120, [1] * 120, [True] * 120]
    for references in (listed[0], *listed):
        keep_all(opened, [outcomes(1, reference=references)])
    assert demur.diff_runs(opened, 1, 2).data == ()
    (row,) = demur.diff_runs(opened, 3, 4).data
    assert (row.what, row.items) == ("other reference", 120)
    common = demur.diff_runs(opened, 3, 4, items="common").numbers[0]
    assert (common.p_value, common.why) == (None, "no common items")


def test_copies_of_a_run_are_no_evidence(opened):
    """Each night is kept four times: the marks are those of nights kept once."""
    runs = [outcomes(seed, factor=1.0 if seed < 6 else 2.8) for seed in range(12)]
    keep_all(opened, [run for run in runs for _ in range(4)])
    told = demur.history(opened)
    assert [p.verdict for p in told.points if p.run % 4 != 1] == ["not tested"] * 36
    once = [p for p in told.points if p.run % 4 == 1]
    with demur.Store(opened.name.replace(".sqlite", "2.sqlite"), make=True) as single:
        keep_all(single, runs)
        expected = demur.history(single).points
    assert [p.verdict for p in once] == [p.verdict for p in expected]
    assert [p.p_value for p in once] == [p.p_value for p in expected]
    assert "not tested, as the answers are those of the run before: run 2, 3" in str(
        told
    )


def test_a_return_to_an_earlier_version_is_tested(opened):
    """Answers as in a run before the last are a change back."""
    good, bad = outcomes(1, factor=1.0), outcomes(2, factor=2.8)
    keep_all(opened, [good, bad, good])
    assert [p.verdict for p in demur.history(opened).points][1:] == ["worse", "better"]
