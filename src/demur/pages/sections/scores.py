"""Scores: counts by own decisions, weighted errors, and named scores."""

from collections.abc import Sequence

from demur.comparisons.score_results import Score, Scores, group_label
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.results import NONE, rate, span


def section(listed: Sequence[Scores], source: Source) -> Section:
    """Right, wrong and not answered, weighed, per system and group."""
    scores = [score for each in listed for score in each.scores]
    names = names_of([score.system for score in scores])
    return Section(
        heading="Scores",
        sentence=_sentence(listed[0]),
        grids=(_rates(scores, names), _weighed(scores, names)),
        notes=distinct([each.notes for each in listed]),
        signatures=distinct([[each.signature] for each in listed]),
        source=source.line("score", "demur.score(outcomes)"),
    )


def _sentence(scores: Scores) -> str:
    usual = scores.scores[0].weighted[0].weight
    best = next(
        (
            each.systems
            for each in scores.best
            if not each.group and each.start <= usual < each.end
        ),
        (),
    )
    if not best:
        return "Counts and weighted errors, by each system's own decisions."
    return (
        f"If a wrong answer costs as much as {usual:g} answers not given, "
        f"{' and '.join(name or 'the system' for name in best)} stands first by its "
        "own decisions."
    )


def _rates(scores: Sequence[Score], names: Sequence[str]) -> PageTable:
    rows = tuple(
        (
            name,
            group_label(score.group),
            str(score.items),
            *map(rate, (score.right_rate, score.error, score.nonreturn)),
            rate(score.ungraded_rate),
            str(score.correct_declines),
        )
        for score, name in zip(scores, names, strict=True)
    )
    header = ("system", "group", "items", "right", "wrong", "not answered", "ungraded")
    caption = "Shares of all items, by own decisions"
    return PageTable(caption, (*header, "correct declines"), rows)


def _weighed(scores: Sequence[Score], names: Sequence[str]) -> PageTable:
    header = ["system", "group"]
    header += [f"weighted error, weight {each.weight:g}" for each in scores[0].weighted]
    header += [each.name for each in scores[0].named]
    rows = tuple(
        (
            name,
            group_label(score.group),
            *(
                span(each.low, each.high)
                + (
                    f" {NONE}"
                    if each.interval is None
                    else f" [{each.interval[0]:.3f}, {each.interval[1]:.3f}]"
                )
                for each in score.weighted
            ),
            *(span(each.low, each.high) for each in score.named),
        )
        for score, name in zip(scores, names, strict=True)
    )
    return PageTable("Linear scores, by own decisions", tuple(header), rows)
