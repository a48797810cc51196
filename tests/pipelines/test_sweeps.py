"""Cutoffs inside a pipeline: against runs of their own, and where errors rise."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import refuses
from pipeline_cases import pipeline_of

HEARD_AS = {"e": "a", "f": "b"}


def sure_pipeline(confidence, reply, **options):
    """An understanding that says each word as it is, but two, with a confidence."""
    return demur.Pipeline.of(
        [
            demur.as_module(
                lambda text: (HEARD_AS.get(text, text), confidence[text]), name="nlu"
            ),
            demur.as_module(reply, name="dm"),
        ],
        **options,
    )


def dialogues_of(words, answer=lambda word: [f"re.{word}"]):
    return [
        demur.TargetDialogue(
            f"d{at}",
            [
                demur.TargetTurn(input=w, target={"nlu": w, "dm": answer(w)})
                for w in each
            ],
        )
        for at, each in enumerate(words)
    ]


def by_hand(confidence, reply, words, cutoff, declines=()):
    """Nonreturn, error and right of all turns at one cutoff."""
    counts = [0, 0, 0]
    for word in words:
        sure = cutoff is not None and confidence[word] >= cutoff
        said = reply(HEARD_AS.get(word, word) if sure else None) or []
        if said == [f"re.{word}"]:
            counts[2] += 1
        elif not said or all(act in declines for act in said):
            counts[0] += 1
        else:
            counts[1] += 1
    return [n / len(words) for n in counts]


def best_by_hand(points, price):
    """The points that are best for the pipeline, and for the module alone."""

    def by_pipeline(point):
        return round(point.error + price * point.nonreturn, 9), point.nonreturn

    def by_module(point):
        on = point.handed_on
        return round(point.module_error + price * (1 - on), 9), -on

    return min(points, key=by_pipeline), min(points, key=by_module)


REPLIES = {
    "silent without": lambda act: act and [f"re.{act}"],
    "guesses without": lambda act: [f"re.{act or 'a'}"],
    "asks again": lambda act: [f"re.{act}"] if act else ["again"],
    "always the same": lambda act: ["re.b"],
}


@settings(max_examples=80, deadline=None)
@given(
    words=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12),
    sure=st.lists(
        st.sampled_from([0.1, 0.5, 0.5, 0.9, -math.inf, math.inf]),
        min_size=6,
        max_size=6,
    ),
    reply=st.sampled_from(sorted(REPLIES)),
)
def test_every_cutoff_is_as_by_hand(words, sure, reply):
    confidence = dict(zip("abcdef", sure, strict=True))
    built = sure_pipeline(confidence, REPLIES[reply], declines=["again"])
    found = demur.sweep_cutoff(
        built, dialogues_of([words]), module="nlu", prices=(0, 0.1, 0.5, 1.0)
    )
    levels = sorted({confidence[word] for word in words})
    assert [each.cutoff for each in found.points] == [*levels, None]
    for point in found.points:
        expected = by_hand(confidence, REPLIES[reply], words, point.cutoff, ["again"])
        ours = [point.nonreturn, point.error, point.right]
        assert ours == pytest.approx(expected)
        assert sum(ours) == pytest.approx(1)
        on = [
            w
            for w in words
            if point.cutoff is not None and confidence[w] >= point.cutoff
        ]
        assert point.handed_on == pytest.approx(len(on) / len(words))
        mistaken = [word for word in on if word in HEARD_AS]
        assert point.module_error == pytest.approx(len(mistaken) / len(words))
    for best in found.best:
        expected = best_by_hand(found.points, best.price)
        assert (best.cutoff, best.module_cutoff) == tuple(p.cutoff for p in expected)
        paid = [p.error + best.price * p.nonreturn for p in expected]
        assert [best.cost, best.module_cost] == pytest.approx(paid)
        assert best.agree == (paid[1] <= paid[0] + 1e-9)
    hull = [found.points[at] for at in found.hull]
    for one, other in pairwise(hull):
        assert one.nonreturn < other.nonreturn
        assert one.error > other.error
    slopes = [
        (one.error - other.error) / (other.nonreturn - one.nonreturn)
        for one, other in pairwise(hull)
    ]
    assert all(first > second for first, second in pairwise(slopes))
    for price in (0.0, 0.1, 0.5, 1.0, 3.0):
        costs = [p.error + price * p.nonreturn for p in found.points]
        hull = [costs[at] for at in found.hull]
        assert min(hull) == pytest.approx(min(costs))


def test_errors_may_rise_with_the_cutoff_and_it_says_so():
    """Without an understanding the reply is a guess, and mostly wrong."""
    confidence = {"a": 0.9, "b": 0.6, "c": 0.3}
    built = sure_pipeline(confidence, REPLIES["guesses without"])
    found = demur.sweep_cutoff(built, dialogues_of(["abc"]), module="nlu")
    errors = [round(each.error, 4) for each in found.points]
    assert errors == [0, 0.3333, 0.6667, 0.6667]
    assert found.rises == 2
    assert all(each.nonreturn == 0 for each in found.points)
    assert found.hull == (0,)
    assert "at 2 cutoffs errors rise as the cutoff does" in found.notes


def test_the_best_cutoff_of_a_module_need_not_be_that_of_the_pipeline():
    """It is never right, but the reply to it is; so the pipeline wants all of it."""
    built = sure_pipeline({"a": 0.9, "b": 0.3}, lambda act: ["ok"] if act else ["no"])
    turns = [
        demur.TargetTurn(input=w, target={"nlu": "other", "dm": ["ok"]}) for w in "ab"
    ]
    found = demur.sweep_cutoff(built, [demur.TargetDialogue("d", turns)], module="nlu")
    for each in found.best:
        assert each.cutoff == 0.3
        assert each.cost == 0
        assert not each.agree or each.module_cost == 0
    cheap = found.best[0]
    assert (cheap.module_cutoff, cheap.module_cost, cheap.agree) == (None, 1.0, False)
    assert "is not the pipeline's" in str(found)


def test_a_free_sweep_of_modules_without_state_is_the_corrected_one():
    confidence = {"a": 0.9, "b": 0.6, "c": 0.3}
    built = sure_pipeline(confidence, REPLIES["silent without"])
    dialogues = dialogues_of(["abc", "ab"])
    exact = demur.sweep_cutoff(built, dialogues, module="nlu")
    grid = demur.sweep_cutoff(
        built, dialogues, module="nlu", state="free", cutoffs=[0.9, 0.3, 0.6]
    )
    for one, other in zip(grid.points, exact.points, strict=True):
        assert one.to_dict() == pytest.approx(other.to_dict())
    assert (exact.exact, grid.exact) == (True, False)
    assert exact.at(0.4) == exact.points[1]
    assert grid.at(0.6).cutoff == 0.6
    refuses("cutoff must be on the grid", grid.at, 0.4)


@pytest.mark.parametrize(
    ("cutoff", "at"), [(-1, 0), (0.3, 0), (0.31, 1), (0.6, 1), (0.7, 2), (None, 2)]
)
def test_a_cutoff_has_the_point_of_the_guesses_that_it_lets_through(cutoff, at):
    built = sure_pipeline({"a": 0.6, "b": 0.3}, REPLIES["silent without"])
    found = demur.sweep_cutoff(built, dialogues_of(["ab"]), module="nlu")
    assert found.at(cutoff) is found.points[at]


def test_nothing_goes_on_at_no_cutoff_however_sure_it_is():
    built = sure_pipeline({"a": math.inf}, REPLIES["silent without"])
    found = demur.sweep_cutoff(
        built, dialogues_of(["a"]), module="nlu", state="free", cutoffs=[-math.inf, 1]
    )
    assert [point.handed_on for point in found.points] == [1, 1, 0]


@pytest.mark.parametrize(("n_points", "n_rows"), [(1, 1), (19, 19), (20, 20), (21, 20)])
@pytest.mark.parametrize("exact", [True, False])
def test_of_many_points_twenty_are_listed(n_points, n_rows, exact):
    points = [
        demur.SweptPoint(at, at / n_points, 0.0, 1 - at / n_points, None, None)
        for at in range(n_points)
    ]
    hull = tuple(range(n_points))
    counts = {"items": 1, "acts": 1, "rises": 0, "recipe": {}, "best": ()}
    of = {"module": "nlu", "state": "corrected", "match": "strict", "exact": exact}
    found = demur.CutoffSweep(points=tuple(points), hull=hull, **of, **counts)
    rows = found.tables()[0].rows
    assert len(rows) == (n_rows if exact else n_points)
    assert (rows[0][0], rows[-1][0]) == ("0", f"{n_points - 1}")


def test_free_running_what_is_withheld_is_forgotten():
    """An understanding held back at the first turn is missing at the second too."""

    class Names:
        def step(self, state, act):
            known = [*(state or []), *([act] if act else [])]
            return ([f"re.{''.join(known)}"] if known else []), known

        def observe(self, state, act, acts):
            return [*(state or []), *([act] if act else [])]

    built = sure_pipeline({"a": 0.2, "b": 0.9}, str)
    built = demur.Pipeline.of([built.modules[0], demur.as_module(Names(), name="dm")])
    turns = [
        demur.TargetTurn(input="a", target={"nlu": "a", "dm": ["re.a"]}),
        demur.TargetTurn(input="b", target={"nlu": "b", "dm": ["re.ab"]}),
    ]
    dialogues = [demur.TargetDialogue("d", turns)]
    corrected = demur.sweep_cutoff(built, dialogues, module="nlu").at(0.5)
    free = demur.sweep_cutoff(
        built, dialogues, module="nlu", state="free", cutoffs=[0.5]
    ).at(0.5)
    assert (corrected.nonreturn, corrected.error, corrected.right) == (0.5, 0, 0.5)
    assert (free.nonreturn, free.error, free.right) == (0.5, 0.5, 0)


def test_other_acceptable_outputs_of_the_module_are_no_errors_of_it():
    built = sure_pipeline({"a": 0.9}, lambda act: ["ok"])
    turns = [
        demur.TargetTurn(
            input="a", target={"nlu": "b", "dm": ["ok"]}, acceptable={"nlu": ["a"]}
        )
    ]
    dialogues = [demur.TargetDialogue("d", turns)]
    for state, cutoffs in (("corrected", None), ("free", [0.9])):
        errors = [
            demur.sweep_cutoff(
                built, dialogues, module="nlu", match=m, state=state, cutoffs=cutoffs
            )
            .points[0]
            .module_error
            for m in ("strict", "multiple")
        ]
        assert errors == [1, 0]


def test_a_module_without_targets_has_no_best_cutoff_of_its_own():
    built = sure_pipeline({"a": 0.9}, REPLIES["silent without"])
    turns = [demur.TargetTurn(input="a", target={"dm": ["re.a"]})]
    found = demur.sweep_cutoff(built, [demur.TargetDialogue("d", turns)], module="nlu")
    assert found.points[0].module_error is None
    assert found.points[0].handed_on is None
    assert found.best[0].module_cost is None
    assert found.best[0].agree
    assert "is not the pipeline's" not in str(found)
    assert demur.plot_pipeline(found)


def test_without_a_grid_it_has_eleven_quantiles_of_the_confidences():
    confidence = {word: at / 100 for at, word in enumerate("abcdefghijklmnopqrstu")}
    built = sure_pipeline(confidence, REPLIES["silent without"])
    dialogues = dialogues_of(["abcdefghijk", "lmnopqrstu"])
    found = demur.sweep_cutoff(built, dialogues, module="nlu", state="free")
    levels = sorted(confidence.values())
    # 21 confidences: each second one, and the least that a tenth reaches.
    expected = [levels[max(0, math.ceil(share / 10 * 21) - 1)] for share in range(11)]
    assert [each.cutoff for each in found.points] == [*expected, None]


def test_a_recorded_module_is_swept_by_recorded_confidences():
    turns = [
        demur.TargetTurn(
            input=word,
            target={"nlu": word, "dm": [f"re.{word}"]},
            annotations={"log": {"nlu": "a"}},
            confidences={"log": {"nlu": sure}},
        )
        for word, sure in (("a", 0.9), ("b", 0.4))
    ]
    built = demur.Pipeline.of(
        [
            demur.recorded_module("log", name="nlu"),
            demur.as_module(REPLIES["silent without"], name="dm"),
        ]
    )
    dialogues = [demur.TargetDialogue("d", turns)]
    for state, cutoffs in (("corrected", None), ("free", [0.4, 0.9])):
        found = demur.sweep_cutoff(
            built, dialogues, module="nlu", state=state, cutoffs=cutoffs
        )
        rates = [(p.cutoff, p.nonreturn, p.error) for p in found.points]
        assert rates == [(0.4, 0, 0.5), (0.9, 0.5, 0), (None, 1, 0)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"module": "dm"}, "module must come before the last one"),
        ({"module": "nul"}, "module must be one of nlu, dm"),
        ({"module": "nlu", "cutoffs": [0.5]}, "cutoffs must be left out in corrected"),
        ({"module": "nlu", "state": "free", "cutoffs": []}, "hold at least one"),
        ({"module": "nlu", "state": "free", "cutoffs": ["x"]}, "be a number;"),
        ({"module": "nlu", "state": "free", "cutoffs": [True]}, "be a number;"),
        ({"module": "nlu", "state": "free", "cutoffs": [math.inf]}, "be finite"),
        ({"module": "nlu", "prices": [-1]}, "a price must be a number from 0"),
    ],
)
def test_wrong_options_are_refused(options, said):
    built = sure_pipeline({"a": 0.5}, REPLIES["silent without"])
    with pytest.raises(demur.InputError, match=said):
        demur.sweep_cutoff(built, dialogues_of(["a"]), **options)


def test_a_guess_without_a_confidence_is_refused():
    built = pipeline_of(nlu=str.lower, dm=REPLIES["silent without"])
    with pytest.raises(demur.InputError, match=r"a guess of nlu \(d0:1\) must have"):
        demur.sweep_cutoff(built, dialogues_of(["a"]), module="nlu")
    turns = [
        demur.TargetTurn(
            input="a",
            target={"dm": ["re.a"]},
            annotations={"log": {"nlu": "a"}},
            confidences={"log": {"nlu": sure}},
        )
        for sure in (0.5, math.nan)
    ]
    last = demur.as_module(REPLIES["silent without"], name="dm")
    built = demur.Pipeline.of([demur.recorded_module("log", name="nlu"), last])
    dialogues = [demur.TargetDialogue("d", turns)]
    with pytest.raises(demur.InputError, match=r"a guess of nlu \(d:2\) must have"):
        demur.sweep_cutoff(built, dialogues, module="nlu")


# -- modules that break --------------------------------------------------------------


def breaking_pipeline():
    """A manager that breaks at one word."""

    def reply(act):
        if act == "b":
            raise ValueError("no such act")
        return act and [f"re.{act}"]

    return sure_pipeline(dict.fromkeys("abe", 0.5), reply)


@pytest.mark.parametrize(
    ("verb", "options", "failed"),
    [
        (demur.sweep_cutoff, {"module": "nlu"}, 2),
        (demur.sweep_cutoff, {"module": "nlu", "state": "free"}, 2),
        (demur.attribute_loss, {}, 2),
        (demur.plant_errors, {"module": "nlu"}, 5),
    ],
)
def test_modules_that_break_are_counted_and_noted(verb, options, failed):
    found = verb(breaking_pipeline(), dialogues_of(["aba", "eb"]), **options)
    assert found.failed == failed
    assert f"turns in which a module broke: {failed}" in found.notes
