"""Sketches: counts that travel without items, and are put together elsewhere."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from builders import printed, printed_json
from demur import InputError, Outcomes, ParseError, Sketch, UndefinedRate, cli
from demur.curves import blocks as blocks_
from demur.curves.counted import Counts
from demur.curves.counted_curves import curve_of
from demur.curves.of_outcomes import Curves
from demur.engines.merging import SketchEngine, merged, read_sketches
from demur.engines.sketch_checks import is_sketch
from demur.engines.sketches import read_sketch
from demur.figures.curves import curves_panel
from demur.results.pictures import Dots

NAMES = ("right", "wrong", "unanswered", "ungraded")


def random_table(seed: int, n_items: int = 0, *, fine: bool = True) -> dict[str, Any]:
    """Columns of a table with ties, weights, credits, and all outcomes."""
    rng = np.random.default_rng(seed)
    n_items = n_items or int(rng.integers(8, 120))
    chances = [0.5, 0.3, *(rng.choice([0, 0.1], 2))]
    outcome = rng.choice(NAMES, n_items, p=np.array(chances) / sum(chances))
    confidence = rng.beta(2, 1, n_items) if fine else rng.integers(-3, 4, n_items) / 4
    if rng.random() < 0.3:
        confidence[rng.random(n_items) < 0.1] = rng.choice([np.inf, -np.inf])
    if rng.random() < 0.3:
        confidence = np.round(confidence, 2)
    confidence = confidence.astype(float)
    confidence[outcome == "unanswered"] = np.nan
    table = {
        "item": np.array([f"q{n}" for n in range(n_items)]),
        "outcome": outcome,
        "confidence": confidence,
    }
    if rng.random() < 0.4:
        table["weight"] = rng.choice([0.5, 1.0, 2.25], n_items)
    if rng.random() < 0.4:
        table["credit"] = np.where(outcome == "right", rng.choice([0.5, 1], n_items), 0)
    if rng.random() < 0.4:
        table["declined"] = rng.random(n_items) < 0.2
    if rng.random() < 0.3:
        may_be_right = np.isin(outcome, ["right", "ungraded"])
        table["answerable"] = may_be_right | (rng.random(n_items) < 0.7)
    return table


def outcomes_of(table: dict[str, Any], rows: Any = slice(None)) -> Outcomes:
    given = {name: values[rows] for name, values in table.items()}
    return Outcomes.from_arrays(**given)


def shards(table: dict[str, Any], seed: int) -> list[Outcomes]:
    """Two to four tables, each with some of the rows, and none without a guess."""
    rng = np.random.default_rng(seed)
    n_items, n_shards = len(table["item"]), int(rng.integers(2, 5))
    where = rng.integers(0, n_shards, n_items)
    return [outcomes_of(table, where == shard) for shard in np.unique(where)]


def put_together(parts: list[Outcomes], **how: Any) -> Sketch:
    sketches = [demur.sketch(part, **how) for part in parts]
    return merged(sketches, [f"{at}.sketch" for at in range(len(sketches))])


def sketched_curve(sketch: Sketch) -> demur.Curve:
    return curve_of(Counts(SketchEngine(sketch)), 0)


def plain(curve: demur.Curve) -> dict[str, Any]:
    table = curve.to_dict()
    return {name: value for name, value in table.items() if name != "signature"}


# -- the same numbers ------------------------------------------------------------------


@pytest.mark.parametrize("fine", [False, True])
def test_sketches_of_parts_give_the_curve_of_the_whole_table(fine):
    for seed in range(60):
        table = random_table(seed, fine=fine)
        whole = demur.error_return(outcomes_of(table))
        curve = sketched_curve(put_together(shards(table, seed)))
        assert type(curve) is demur.Curve
        assert plain(curve) == plain(whole), seed
        assert curve.crossing == whole.crossing


def test_of_blocks_the_ends_are_exact_and_the_rest_has_bounds_that_hold():
    inside = 0
    for seed in range(500):
        table = random_table(seed)
        whole = demur.error_return(outcomes_of(table))
        halves = [outcomes_of(table, slice(at, None, 2)) for at in (0, 1)]
        curve = sketched_curve(put_together(halves, blocks=16))
        known_at, true_at = curve.vertices, whole.vertices
        places = np.searchsorted(true_at.cutoff[:-1], known_at.cutoff[:-1])
        for name in ("nonreturn", "error", "missed", "right", "ungraded"):
            at_ends = getattr(known_at, name)[:-1].tolist()
            assert at_ends == getattr(true_at, name)[places].tolist()
        cutoff = (
            float(known_at.cutoff[seed % max(len(places), 1)]) if len(places) else 0
        )
        there = whole.at(cutoff=cutoff).to_dict() if len(places) else None
        assert there is None or curve.at(cutoff=cutoff).to_dict() == there
        for rate in np.random.default_rng(seed).random(3).round(3).tolist():
            known, true = curve.at(nonreturn=rate), whole.at(nonreturn=rate)
            if known.error is not None or true.error is None:
                assert known.bounds == true.bounds, (seed, rate)
                assert known.missed == true.missed
                continue
            inside += 1
            low, high = true.bounds
            assert known.bounds[0] <= low <= high <= known.bounds[1], (seed, rate)
            assert (known.missed, known.right, known.ungraded) == (None,) * 3
        area, exact = curve.area(), whole.area()
        assert area.low <= exact.low + 1e-12
        assert exact.high <= area.high + 1e-12
        assert curve.forced_choice_error == whole.forced_choice_error
        assert curve.operating_point.to_dict() == whole.operating_point.to_dict()
        if curve.crossing is not None:
            assert curve.crossing == pytest.approx(whole.crossing, abs=1e-12)
    assert inside > 500


def test_bounds_are_as_tight_as_the_worst_and_the_best_table_of_such_counts():
    correct = np.array([1, 1, 0, 0, 1, 0, 1, 1, 0, 1], bool)
    item = [f"q{n}" for n in range(10)]
    known = []
    for order in (np.sort(correct), np.sort(correct)[::-1]):  # errors last, and first
        confidence = np.arange(10) / 16 + 0.01
        table = Outcomes.from_arrays(item=item, correct=order, confidence=confidence)
        sketch = demur.sketch(table, least_count=10)
        known.append(demur.error_return(table).at(nonreturn=0.3).error)
        point = sketched_curve(sketch).at(nonreturn=0.3)
        assert point.error is None
        assert point.bounds == (0.1, 0.4)
    assert sorted(known) == [0.1, 0.4]


def test_inside_of_a_block_cutoffs_and_errors_are_refused_and_the_next_ends_given():
    table = Outcomes.from_arrays(
        confidence=np.linspace(0.01, 0.99, 60), correct=[1, 0, 1] * 20
    )
    curve = sketched_curve(demur.sketch(table, least_count=20))
    first, second = curve.vertices.cutoff[:2].tolist()
    with pytest.raises(UndefinedRate, match=r"inside of a block .* known are"):
        curve.at(cutoff=first + 0.01)
    assert curve.at(cutoff=second).cutoff == second
    with pytest.raises(UndefinedRate, match="how='at_most' takes the next cutoff"):
        curve.at(error=0.15)
    point = curve.at(error=0.15, how="at_most")
    assert point.error <= 0.15
    assert point.cutoff in curve.vertices.cutoff
    assert "errs on" in curve.answer(0.2)
    assert " to " in curve.answer(0.2)
    assert "has no guess" not in curve.answer(0.2)


def test_what_is_shown_of_a_sketch_says_what_is_known():
    table = random_table(5, 80)
    notes = SketchEngine(demur.sketch(outcomes_of(table), blocks=16)).notes
    assert "at their ends is exact" in notes[-1]
    assert not SketchEngine(demur.sketch(outcomes_of(table))).notes


def test_weights_in_other_units_are_put_in_one():
    one = {"item": ["a", "b"], "correct": [1, 0], "confidence": [0.9, 0.8]}
    other = {"item": ["c", "d"], "correct": [0, 1], "confidence": [0.9, 0.7]}
    whole = {name: [*one[name], *other[name]] for name in one}
    for weights in ([2, 2], [0.5, 0.25]), ([1, 3], [0.1, 0.1]), ([1 / 3] * 2, [1, 1]):
        tables = [
            Outcomes.from_arrays(**columns, weight=weight)
            for columns, weight in zip((one, other), weights, strict=True)
        ]
        weight = [*weights[0], *weights[1]]
        wanted = demur.error_return(Outcomes.from_arrays(**whole, weight=weight))
        curve = sketched_curve(put_together(tables))
        assert curve.vertices.error == pytest.approx(wanted.vertices.error, abs=1e-12)


def test_weights_that_no_unit_fits_are_refused():
    tables = [
        Outcomes.from_arrays(
            item=[f"{name}{n}" for n in range(400)],
            correct=[1, 0] * 200,
            weight=weight * 200,
        )
        for name, weight in (("a", [1 / 3, 2 / 3]), ("b", [0.1, 0.7]))
    ]
    with pytest.raises(InputError, match="weights must have a common unit"):
        put_together(tables)


def test_groups_are_added_up_to_fewer_groups():
    table = random_table(11, 90, fine=False)
    table["topic"], table["level"] = (
        np.array([f"{name}{n % k}" for n in range(90)])
        for name, k in (("t", 3), ("l", 2))
    )
    groups = {name: table.pop(name) for name in ("topic", "level")}
    outcomes = Outcomes.from_arrays(**table, groups=groups)
    sketch = demur.sketch(outcomes, by=["topic", "level"])
    for by in ((), ("level",), ("topic",), ("level", "topic")):
        counts = Counts(SketchEngine(sketch), by)
        curves = [plain(curve_of(counts, part)) for part in range(len(counts.parts))]
        wanted = [plain(curve) for curve in demur.curve_by(outcomes, by=by)]
        for curve in (*curves, *wanted):
            curve.pop("system")
            curve.pop("group", None)
        assert sorted(curves, key=str) == sorted(wanted, key=str)
    with pytest.raises(InputError, match="by must be among those of the sketch"):
        Counts(SketchEngine(sketch), ["topics"])


def test_a_second_site_cuts_like_the_first():
    parts = [outcomes_of(random_table(seed, 300)) for seed in (1, 2)]
    parts = [p for p in parts if p.confidence is not None]
    first = demur.sketch(parts[0], blocks=64)
    second = demur.sketch(parts[1], like=first)
    (width,) = {cut.width for cut in first.cuts if cut.width < np.inf}
    assert {cut.width for cut in second.cuts if cut.width < np.inf} == {width}
    ends = {*zip(first.blocks[0].low, first.blocks[0].high, strict=True)}
    for low, high in zip(second.blocks[0].low, second.blocks[0].high, strict=True):
        assert (low, high) in ends or not any(a < high and low < b for a, b in ends)


def test_a_sketch_like_another_has_blocks_of_at_least_as_many_guesses():
    parts = [outcomes_of(random_table(seed, 300)) for seed in (1, 2)]
    first = demur.sketch(parts[0], least_count=10)
    for given, held in ((0, 10), (4, 10), (20, 20)):
        second = demur.sketch(parts[1], like=first, least_count=given)
        assert second.least_count == held
        assert (second.blocks[0].guesses >= held).all()


def test_cutoffs_that_are_known_are_shown_and_others_name_those_around(tmp_path):
    table = Outcomes.from_arrays(
        correct=[0, 1, 1, 0, 1, 1], confidence=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    )
    demur.sketch(table, least_count=2).write(tmp_path / "a.sketch")
    counted = demur.count_outcomes(tmp_path / "a.sketch")
    blocks = counted.counts().blocks(0)
    known = [*blocks.low.tolist(), 0.9]
    wanted, found = (demur.at_cutoffs(one, known) for one in (table, counted))
    for a, b in zip(wanted, found, strict=True):
        assert (a.error, a.nonreturn, a.right) == (b.error, b.nonreturn, b.right)
        assert (a.error_interval, a.answered) == (b.error_interval, b.answered)
    low, high = float(blocks.low[1]), float(blocks.high[1])
    with pytest.raises(UndefinedRate, match=f"known are {low!r} and {high!r}"):
        demur.at_cutoffs(counted, (low + high) / 2)


# -- few guesses, and hashes -----------------------------------------------------------


def test_blocks_have_at_least_so_many_guesses():
    for seed in range(60):
        table = outcomes_of(random_table(seed, 120))
        fine, coarse = demur.sketch(table), demur.sketch(table, least_count=10)
        (blocks,), (before,) = coarse.blocks, fine.blocks
        assert (blocks.guesses >= 10).all()
        assert (
            blocks.amounts.sum(axis=0).tolist() == before.amounts.sum(axis=0).tolist()
        )
        whole = demur.error_return(table)
        curve = sketched_curve(coarse)
        for cutoff in blocks.low.tolist():
            assert curve.at(cutoff=cutoff).error == whole.at(cutoff=cutoff).error
        assert "at least 10 guesses" in coarse.notes[-1]


def test_a_part_with_fewer_guesses_is_refused_by_name():
    outcomes = Outcomes.from_arrays(
        correct=[1, 0, 1], confidence=[1, 2, 3], groups={"ward": ["x", "x", "<b>"]}
    )
    with pytest.raises(
        InputError, match="at least 2 guesses each; got 1 of 'ward = <b>"
    ):
        demur.sketch(outcomes, by="ward", least_count=2)


def test_a_sketch_holds_no_item_and_no_note_of_rows(tmp_path):
    outcomes = Outcomes.from_arrays(
        item=["patient-7", "patient-9"], correct=[1, 0], confidence=[0.5, 0.7]
    )
    path = tmp_path / "a.sketch"
    demur.sketch(outcomes).write(path)
    assert b"patient" not in path.read_bytes()
    hashes = json.loads(path.read_text().splitlines()[0])["hashes"]
    assert len(hashes) == 2
    demur.sketch(outcomes, hashes=False).write(path)
    assert json.loads(path.read_text().splitlines()[0])["hashes"] == []
    assert "cannot be seen" in read_sketch(path).notes[0]


def test_the_same_rows_are_refused_in_any_order_and_shared_items_are_seen():
    table = random_table(2, 50)
    first = demur.sketch(outcomes_of(table), hashes=False)
    again = demur.sketch(outcomes_of(table, slice(None, None, -1)), hashes=False)
    with pytest.raises(InputError, match=r"b: the sketch must be other data; .* as a"):
        merged([first, again], ["a", "b"])
    some, others = (
        demur.sketch(outcomes_of(table, rows)) for rows in (slice(30), slice(29, 50))
    )
    with pytest.raises(
        InputError, match=r"b: the items .* than those of a; got 1 of 21"
    ):
        merged([some, others], ["a", "b"])


def test_items_of_other_systems_are_others_and_mere_numbers_say_nothing():
    how = {"correct": [1, 0], "confidence": [1, 2]}
    named = [
        demur.sketch(Outcomes.from_arrays(item=["a", "b"], system=[s] * 2, **how))
        for s in "xy"
    ]
    assert len(merged(named, ["x", "y"]).parts) == 2
    numbered = [
        demur.sketch(Outcomes.from_arrays(correct=c, confidence=[1, 2]))
        for c in ([1, 0], [1, 1])
    ]
    assert merged(numbered, ["x", "y"]).hashes == ()


def test_a_share_of_items_that_two_large_sketches_have_is_seen():
    rng = np.random.default_rng(0)
    correct = rng.random(20_000) < 0.8
    tables = [
        Outcomes.from_arrays(
            item=[f"q{n}" for n in range(start, start + 20_000)], correct=correct
        )
        for start in (0, 19_800)
    ]
    with pytest.raises(InputError, match="of 4096 that were looked at in both"):
        put_together(tables)


# -- what does not belong together -----------------------------------------------------


def changed(outcomes: Outcomes, **recipe: str) -> Sketch:
    return demur.sketch(outcomes.with_recipe(**recipe))


def test_other_readings_and_other_groups_are_refused_by_name():
    one, two = (
        Outcomes.from_arrays(
            item=[item], correct=[1], confidence=[1], groups={"topic": ["x"]}
        )
        for item in "ab"
    )
    for first, second, text in [
        (
            changed(one, where="a=b"),
            changed(two, where="a=c"),
            r"\(where\) must be 'a=b'",
        ),
        (
            changed(one, log="x"),
            demur.sketch(two),
            r"\(log\) must be 'x', .*; got none",
        ),
        (demur.sketch(one), changed(two, log="x"), r"\(log\) must not be there"),
        (demur.sketch(one, by="topic"), demur.sketch(two), "be cut by topic, as 1.sk"),
    ]:
        with pytest.raises(InputError, match=text) as problem:
            merged([first, second], ["1.sketch", "2.sketch"])
        assert str(problem.value).startswith("2.sketch: ")


def test_a_system_has_confidences_everywhere_or_nowhere():
    one = Outcomes.from_arrays(item=["a"], correct=[1], confidence=[1])
    two = Outcomes.from_arrays(item=["b"], correct=[1])
    silent = Outcomes.from_arrays(item=["c"], correct=[None])
    with pytest.raises(InputError, match=r"1.sketch: guesses of '' must have confid"):
        put_together([one, two])
    assert put_together([one, silent]).parts[0].totals.unanswered == 1


def test_sketches_put_together_can_be_put_together_again(tmp_path):
    tables = shards(random_table(9, 200), 9)
    first, *others = [demur.sketch(table) for table in tables]
    path = tmp_path / "others.sketch"
    merged(others, [str(n) for n in range(len(others))]).write(path)
    both = merged([first, read_sketch(path)], ["a", "b"])
    assert plain(sketched_curve(both)) == plain(sketched_curve(put_together(tables)))
    with pytest.raises(InputError, match="must be other data"):
        merged([both, others[0]], ["a", "b"])


def test_labels_of_a_part_are_refused():
    outcomes = Outcomes.from_arrays(
        outcome=["right", "ungraded"],
        confidence=[1, 2],
        label_weight=[2, np.nan],
        reason_code=[None, "unlabelled"],
    )
    with pytest.raises(InputError, match="a verdict for every row"):
        demur.sketch(outcomes)


# -- files -----------------------------------------------------------------------------


@pytest.fixture
def written(tmp_path: Path) -> Path:
    table = random_table(7, 40)
    outcomes = Outcomes.from_arrays(**table, groups={"topic": ["x", "<b>\x1b"] * 20})
    path = tmp_path / "a.sketch"
    demur.sketch(outcomes, by="topic").write(path)
    return path


def test_a_file_gives_the_sketch_back(written):
    sketch = read_sketch(written)
    again = written.with_name("b.sketch")
    sketch.write(again)
    assert again.read_bytes() == written.read_bytes()
    assert is_sketch(written)
    assert not is_sketch(written.with_name("none"))
    assert read_sketches(written).to_dict() == sketch.to_dict()


def test_infinities_and_long_decimals_come_back(tmp_path):
    values = [-np.inf, -0.0, 1e-310, 0.1 + 0.2, 1.7e308, np.inf]
    outcomes = Outcomes.from_arrays(correct=[1, 0] * 3, confidence=values)
    demur.sketch(outcomes).write(tmp_path / "a")
    blocks = read_sketch(tmp_path / "a").blocks[0]
    assert blocks.low.tolist() == values
    assert blocks.single.all()


def test_a_file_that_is_cut_off_anywhere_is_refused_on_one_line(written):
    data = written.read_bytes()
    for end in range(0, len(data), 29):
        written.write_bytes(data[:end])
        with pytest.raises(ParseError) as problem:
            read_sketch(written)
        assert "\n" not in str(problem.value)
        assert str(problem.value).startswith(f"{written}:")


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def block(place: int, value: Any) -> Callable[[list[Any]], None]:
    """Set a number of the second block of the first part."""

    def damage(lines: list[Any]) -> None:
        lines[3][place] = value

    return damage


def key(line: int, name: str, value: Any) -> Callable[[list[Any]], None]:
    def damage(lines: list[Any]) -> None:
        lines[line][name] = value

    return damage


def twice(lines: list[Any]) -> None:
    second = next(n for n, line in enumerate(lines[2:], 2) if isinstance(line, dict))
    lines[second]["group"] = lines[1]["group"]


DAMAGES: dict[str, tuple[Callable[[list[Any]], None], int, str]] = {
    "version": (key(0, "demur-sketch", 2), 1, "demur-sketch must be 1; got 2"),
    "negative": (block(3, -1), 4, "counts of a block must be whole numbers from 0"),
    "huge": (block(6, 2**62), 4, "whole numbers from 0 to below 2**62"),
    "half": (block(2, 0.5), 4, "whole numbers"),
    "flag": (block(2, True), 4, "whole numbers"),
    "totals": (block(2, 30), 0, "of '' must be"),
    "NaN": (block(0, math.nan), 4, "the line must be JSON"),
    "text": (block(0, "nan"), 4, "ends of a block must be numbers"),
    "order": (block(0, -9.0), 4, "the block must lie above the one before"),
    "turned": (block(1, -9.0), 4, "the block must begin at or below its end"),
    "repeated part": (twice, 0, "the parts must be different ones"),
    "absent": (lambda lines: lines[1].pop("totals"), 2, "'totals' must be there"),
    "further": (key(1, "more", 1), 2, "'more' must not be there"),
    "no count": (key(0, "items", "4"), 1, "items must be a whole number"),
    "other items": (
        lambda lines: lines[0].update(items=41, hashes=[]),
        0,
        "items must be 40",
    ),
    "few parts": (key(0, "parts", 1), 0, "'end' must be there"),
    "many parts": (key(0, "parts", 2**61), 0, "'system' must be there"),
    "unit": (key(1, "unit", "1/0"), 2, "unit must be a fraction above 0"),
    "no group": (key(1, "group", {}), 0, "groups of a part must be those of the head"),
    "cuts": (key(0, "cuts", [[1, 0, 1]]), 1, "rising ends"),
    "end": (lambda lines: lines[-1].update(end=3), 0, "the lines above"),
    "list": (lambda lines: lines.__setitem__(0, [1]), 1, "head of a sketch of demur"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_sketch_is_refused_by_file_and_line(name, written):
    damage, line, text = DAMAGES[name]
    lines = lines_of(written)
    damage(lines)
    written.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(ParseError) as problem:
        read_sketch(written)
    said = str(problem.value)
    assert text in said
    assert "\n" not in said
    place = said.removeprefix(f"{written}:").partition(":")[0]
    assert int(place) == line if line else int(place) > 0


def test_markup_and_marks_in_names_are_shown_as_they_are(written):
    lines = lines_of(written)
    second = next(n for n, line in enumerate(lines[2:], 2) if isinstance(line, dict))
    lines[second]["totals"]["items"] += 1
    written.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(ParseError) as problem:
        read_sketch(written)
    assert "\x1b" not in str(problem.value)
    assert "\x1b" not in read_sketches_text(written)


def read_sketches_text(path: Path) -> str:
    outcomes = Outcomes.from_arrays(
        correct=[1, 0], confidence=[1, 2], groups={"topic": ["\x1b[31m", "x"]}
    )
    demur.sketch(outcomes, by="topic").write(path)
    return read_sketch(path).to_text()


def test_lines_without_end_are_not_read_to_the_end(tmp_path):
    path = tmp_path / "a.sketch"
    path.write_bytes(b'{"demur-sketch": 1, "recipe": "' + b"x" * (1 << 24))
    with pytest.raises(ParseError, match="hold at most"):
        read_sketch(path)
    path.write_bytes(b"[" * 100_000 + b"\n")
    with pytest.raises(ParseError, match="be JSON"):
        read_sketch(path)
    with pytest.raises(ParseError, match="be a file that can be read"):
        read_sketch(tmp_path)


def test_single_blocks_at_the_ends_of_the_numbers_stay_apart_from_others():
    amounts = np.ones((1, 8), np.int64)
    listed = [
        blocks_.Blocks(np.array([low]), np.array([high]), amounts)
        for low, high in [
            (-np.inf, -np.inf),
            (0, 0),
            (0.0, 0.5),
            (0.5, 0.5),
            (2, np.inf),
        ]
    ]
    blocks = blocks_.joined(
        [*listed, blocks_.Blocks(*2 * [np.array([np.inf])], amounts)]
    )
    assert blocks.low.tolist() == [-np.inf, 0, 0.5, 2]
    assert blocks.high.tolist() == [-np.inf, 0.5, 0.5, np.inf]
    assert blocks.of("right").tolist() == [1, 2, 1, 2]


# -- the command -----------------------------------------------------------------------


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Outcomes]:
    """Files of outcomes at two places, and all of them together."""
    monkeypatch.chdir(tmp_path)
    table = random_table(4, 80)
    groups = {"ward": np.array(["x", "y"] * 40)}
    tables = {}
    for name, rows in {"a": slice(50), "b": slice(50, 80), "both": slice(80)}.items():
        given = {key: values[rows] for key, values in table.items()}
        cut = {key: values[rows] for key, values in groups.items()}
        tables[name] = Outcomes.from_arrays(**given, groups=cut)
        demur.write_outcomes(tables[name], f"{name}.jsonl")
    return tables


@pytest.mark.usefixtures("places")
def test_the_command_counts_and_curve_puts_together():
    for name in "ab":
        text = printed(
            "sketch", f"{name}.jsonl", "-o", f"{name}.sketch", "--by", "ward"
        )
        assert "items in 2 parts" in text
    for options in ([], ["--by", "ward"], ["--at", "0.1,0.5", "--how", "at_most"]):
        systems = printed_json("curve", "a.sketch", "b.sketch", *options)["systems"]
        wanted = printed_json("curve", "both.jsonl", *options)["systems"]
        for system in (*systems, *wanted):
            system.pop("signature")
        assert sorted(systems, key=str) == sorted(wanted, key=str)


@pytest.mark.usefixtures("places")
def test_blocks_that_are_not_exact_are_said_and_gates_see_their_bounds():
    printed("sketch", "a.jsonl", "-o", "a.sketch", "--blocks", "16")
    printed("sketch", "b.jsonl", "-o", "b.sketch", "--like", "a.sketch")
    text = printed("curve", "a.sketch", "b.sketch")
    assert "what is said of cutoffs at their ends is exact" in " ".join(text.split())
    assert cli.main(["curve", "a.sketch", "--fail-if", "error@0.2 > 0.7"]) == 0
    assert cli.main(["curve", "a.sketch", "--fail-if", "error@0.2 > 0.0001"]) == 1


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("curve a.sketch a.sketch", "the sketch must be other data"),
        ("curve a.sketch b.jsonl", "b.jsonl: the file must be a sketch, as a.sketch"),
        ("curve a.sketch --where ward=x", "--where must come without sketches"),
        ("curve a.sketch --engine duckdb", "--engine must come without sketches"),
        ("curve a.sketch --by ward", "by must be among those of the sketch, no column"),
        ("sketch a.sketch -o c.sketch", "demur curve puts sketches together"),
        ("sketch a.jsonl -o c.jsonl", "does not end like outcomes"),
        ("sketch a.jsonl -o a.sketch --blocks 3", "whole number from 16 upwards"),
        ("sketch a.jsonl -o a.sketch --like a.jsonl", "head of a sketch of demur"),
        ("sketch a.jsonl -o a.sketch --like a.sketch", "not be a file that is read"),
        ("sketch a.jsonl -o c --like a.sketch --blocks 20", "not allowed with"),
        ("sketch a.jsonl -o c --by ward --least-count 90", "at least 90 guesses each"),
    ],
)
@pytest.mark.usefixtures("places")
def test_what_does_not_fit_is_refused_in_one_line(words, text, capsys):
    assert cli.main(["sketch", "a.jsonl", "-o", "a.sketch"]) == 0
    capsys.readouterr()
    try:
        code = cli.main(words.split())
    except SystemExit as problem:
        code = problem.code
    said = capsys.readouterr().err
    assert code in (2, 4)
    assert text in said
    assert said.count("\n") == 1


@pytest.mark.usefixtures("places")
def test_notes_of_rows_are_told_here_and_do_not_travel(capsys):
    words = ["sketch", "a.jsonl", "-o", "a.sketch", "--where", "ward=x"]
    assert cli.main(words) == 0
    assert (
        "25 of 50 rows selected by ward=x (this stays here)" in capsys.readouterr().err
    )
    assert "25 of 50" not in Path("a.sketch").read_text()


# -- decisions -------------------------------------------------------------------------


def of_sketches(parts: list[Outcomes], **how: Any) -> demur.CountedOutcomes:
    return demur.CountedOutcomes(SketchEngine(put_together(parts, **how)))


RULES = [
    {"max_error": 0.1},
    {"cost_ratio": 0.4},
    {"nonreturn": 0.3},
    {"max_error": 0.2, "certainty": 0.8},
    {"max_error": 0.3, "certainty": 0.8, "of": "answered"},
]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_cutoffs_chosen_on_exact_sketches_are_those_chosen_on_rows(rule):
    for seed in range(8):
        table = random_table(seed, 150)
        for name in ("weight", "credit", "answerable", "declined"):
            table.pop(name, None)
        counted = of_sketches(shards(table, seed))
        choice = demur.choose(counted, **rule).to_dict()
        wanted = demur.choose(outcomes_of(table), **rule).to_dict()
        choice.pop("signature")
        wanted.pop("signature")
        assert choice == wanted


@pytest.mark.parametrize("rule", RULES[:1] + RULES[3:], ids=str)
def test_on_blocks_a_known_cutoff_is_chosen_that_answers_no_more_than_may_be(rule):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        confidence = rng.random(400)
        table = {
            "item": np.array([f"q{n}" for n in range(400)]),
            "confidence": confidence,
            "correct": rng.random(400) < 0.5 + 0.5 * confidence,
        }
        counted = of_sketches(shards(table, seed), blocks=32)
        choice, whole = (
            demur.choose(outcomes, **rule) for outcomes in (counted, outcomes_of(table))
        )
        if whole.cutoff is None:
            assert choice.cutoff is None
            continue
        assert choice.nonreturn >= whole.nonreturn
        if choice.cutoff is not None:
            ends = counted.counts().blocks(0).low
            assert choice.cutoff in ends
            exact = demur.error_return(outcomes_of(table)).at(cutoff=choice.cutoff)
            assert choice.error == exact.error


def test_what_takes_rows_is_refused_of_sketches():
    clustered = [
        Outcomes.from_arrays(
            item=[f"{name}{n}" for n in range(40)],
            correct=[1, 0, 1, 1] * 10,
            confidence=np.linspace(0, 1, 40),
            cluster=[f"{name}{n // 4}" for n in range(40)],
        )
        for name in "ab"
    ]
    with pytest.raises(InputError, match="got 20 clusters"):
        demur.choose(of_sketches(clustered), max_error=0.5, certainty=0.8)


def test_a_lock_whose_cutoff_is_not_known_in_a_sketch_is_refused():
    rng = np.random.default_rng(1)
    table = {
        "item": np.array([f"q{n}" for n in range(400)]),
        "confidence": rng.random(400),
        "correct": rng.random(400) < 0.8,
    }
    rows = outcomes_of(table)
    lock = demur.lock(rows, demur.choose(rows, max_error=0.1))
    exact, coarse = of_sketches([rows]), of_sketches([rows], blocks=16)
    assert demur.recheck(lock, exact).error == demur.recheck(lock, rows).error
    with pytest.raises(UndefinedRate, match=r"recheck: .* inside of a block"):
        demur.recheck(lock, coarse)
    kept = demur.lock(coarse, demur.choose(coarse, max_error=0.1))
    assert demur.recheck(kept, coarse).error <= 0.1


def test_a_reading_inside_of_a_block_is_dotted_on_the_line_and_its_reason_is_said():
    counted = []
    for name, seed in (("a", 20), ("b", 21)):
        rng = np.random.default_rng(seed)
        table = Outcomes.from_arrays(
            item=[f"q{n}" for n in range(200)],
            system=[name] * 200,
            confidence=np.linspace(0.01, 0.99, 200),
            correct=rng.random(200) < 0.7,
        )
        counted.append(demur.sketch(table, blocks=16))
    outcomes = demur.CountedOutcomes(SketchEngine(merged(counted, "ab")))
    curves = Curves(demur.curve_by(outcomes), at=(0.33,))
    assert "as the insides of blocks, missing guesses" in curves.sentence()
    for curve in curves:
        low, high = curve.at(nonreturn=0.33).bounds
        dots = [mark for mark in curves_panel(curve, at=0.33).marks if is_dot(mark)]
        assert [low <= dot.y[0] <= high for dot in dots] == [True]
        assert low > 0


def is_dot(mark: Any) -> bool:
    return isinstance(mark, Dots) and mark.x[0] == 0.33


def numbers_in(value: Any) -> list[float]:
    """All numbers in plain values, in their order."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        return [number for one in value for number in numbers_in(one)]
    return [float(value)] if isinstance(value, (int, float)) else []


@pytest.mark.parametrize("options", ["--intervals --at 0.1,0.4", "--band dkw"])
def test_intervals_are_those_of_rows_where_each_confidence_is_apart(
    options, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    table = {
        name: values
        for name, values in random_table(4, 120).items()
        if name in ("item", "outcome", "confidence")
    }
    demur.write_outcomes(outcomes_of(table), "all.jsonl")
    for number in (0, 1):
        sketch = demur.sketch(outcomes_of(table, slice(number, None, 2)))
        sketch.write(f"{number}.sketch")
    words = options.split()
    (system,) = printed_json("curve", "0.sketch", "1.sketch", *words)["systems"]
    (wanted,) = printed_json("curve", "all.jsonl", *words)["systems"]
    key = "intervals" if "--intervals" in words else "band"
    for one, other in zip(
        *(numbers_in(of[key]) for of in (system, wanted)), strict=True
    ):
        assert one == pytest.approx(other, abs=1e-12)
    assert len(numbers_in(wanted[key])) > 9
    demur.sketch(outcomes_of(table), blocks=16).write("coarse.sketch")
    assert cli.main(["curve", "coarse.sketch", *words, "--json"]) == 4
