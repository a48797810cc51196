"""The verb that puts results on one page, and the page."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from demur import checks
from demur.arrays import shortest
from demur.checks import decimal_fraction, with_article
from demur.curves.curves import Curve
from demur.curves.of_outcomes import error_return
from demur.curves.rates import sentence_about
from demur.decisions.choice_tables import percent
from demur.errors import InputError, MissingExtra, shown
from demur.figures.curves import curves_picture
from demur.figures.looks import SHARES
from demur.files import new_file
from demur.outcomes.labelling import check_verdicts
from demur.outcomes.parts import named_parts
from demur.outcomes.reasons import with_failures
from demur.outcomes.table import Outcomes
from demur.pages import embedding
from demur.pages.collecting import Explored, ReportOptions, explore
from demur.pages.parts import Source, names_of
from demur.pages.sections import Section, Shown, section
from demur.pages.svg import Canvas, key, stripe
from demur.results import Result, Results, printable, rate
from demur.results.contract import Bundle
from demur.results.html import table_html
from demur.results.pictures import Dots, Line
from demur.statistics.correcting_curves import CorrectedCurve
from demur.version import __version__

BUDGET: Final = 10_000_000
"""Bytes that texts of items may take in a page."""

SCRIPT_PARTS: Final = (
    *("tables", "curves", "rows", "cutoffs", "examples", "filters", "list", "notes"),
    *("links", "controls"),
)
"""The parts of the page's script, in the order in which they run."""

_MOST_ON = 8
_MOST_LED = 3
_NO_TEXTS = (
    "The outcomes hold no questions and answers to show. demur judge writes them; of "
    "another table --columns 'input=question, response=answer' names their columns. In "
    "Python read_outcomes(display=True) reads them."
)


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """A page of results.

    Parameters
    ----------
    title : str
        Of the page.
    lead : tuple of str
        What the page says first.
    path : str or None
        Where it was written.
    size : int
        Bytes.
    sections : tuple of str
        Headings, in their order.
    notes : tuple of str
        What was left out, and why.
    html : str
        The page.
    """

    title: str
    lead: tuple[str, ...]
    path: str | None
    size: int
    sections: tuple[str, ...]
    notes: tuple[str, ...]
    html: str = field(repr=False)

    def __str__(self) -> str:
        where = "a page" if self.path is None else self.path
        listed = ", ".join(self.sections)
        lines = [*self.lead, f"{where}: {self.size:,} bytes; {listed}", *self.notes]
        return "\n".join(map(printable, lines))


def report(  # noqa: PLR0913
    results: Any,
    *,
    path: str | Path | None = None,
    title: str = "",
    compare: Sequence[tuple[str, str]] = (),
    against: str | None = None,
    by: str | Sequence[str] = (),
    gold: str | None = None,
    at: float | None = None,
    max_text: int = BUDGET,
    source: Source = Source(),  # noqa: B008  (frozen)
) -> Report:
    """One offline HTML page of results, with everything it needs inside.

    Outcomes come first, with controls: which systems are shown, a cutoff to move, the
    items on both sides of it, two systems item by item. Their curves, comparisons with
    bands, scores, prices, calibration and contrasts follow as sections. Other results
    have a section each, with their sentence, pictures, tables and notes; neighbours of
    one kind share one. Choices of cutoffs are said before all else, and the page opens
    at the best of them.

    Parameters
    ----------
    results : Outcomes, result, or iterable of these
        Any results of this package; at most one of them may be `Outcomes`.
    path : str or Path, optional
        Where to write the page, whole or not at all.
    title : str
        Of the page.
    compare : sequence of pairs of str
        Systems whose difference and bands are computed; by default the first two by
        area.
    against : str, optional
        A system to compare with every other one.
    by : str or sequence of str
        Columns whose values have curves of their own.
    gold : str, optional
        The column with people's verdicts on a part of the items: a section with the
        errors that they correct, as `demur.corrected_curve` does.
    at : float, optional
        The nonreturn at which systems are compared and the page opens; 0.2 by default,
        and a page with choices opens at the one that is best by its rule.
    max_text : int
        Bytes that texts of items may take; the page says what is left out.
    source : Source
        The files, if commands are to be named beside the numbers.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        If there is nothing to show, or a thing is no result.
    MissingExtra
        If jinja2 is not installed.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     system=["a"] * 6, correct=[1, 1, 0, 1, 0, 1], confidence=[6, 5, 4, 3, 2, 1])
    >>> page = demur.report([outcomes, demur.choose(outcomes, cost_ratio=0.5)])
    >>> page.sections[0], page.html[:15]
    ('Chosen cutoffs', '<!DOCTYPE html>')
    """
    by, compare = tuple(checks.names("report", "by", by)), tuple(_pairs(compare))
    if against is not None:
        checks.text("report", "against", against)
    listed = _listed(results)
    tables = [result for result in listed if isinstance(result, Outcomes)]
    _check_labelled(tables)
    others = [Shown(result) for result in listed if not isinstance(result, Outcomes)]
    chosen = [shown for shown in others if shown.kind == "Choice"] if tables else []
    opens = _opening_rate(tables[0], chosen) if chosen and at is None else None
    at = _USUAL_RATE if at is None else at
    decimal_fraction("report", "at", at)
    explored: Explored | None = None
    words, notes = None, _further_notes(results)
    if tables:
        wanted = ReportOptions(compare, against, by, float(at), gold, opens)
        explored = explore(tables[0], wanted)
        words, notes = _texts(explored, tables[0], max_text)
        printed = [Shown(tables[0])] if source.typed and not source.files else []
        rest = [shown for shown in others if shown not in chosen]
        others = [*printed, *chosen, *explored.results, *rest]
        looks = {name: index for index, name in enumerate(explored.names)}
        source = replace(source, looks=looks)
    sections = [*_sections(others, source)]
    title = title or _title(explored, sections)
    lead = _lead(explored, chosen)
    html = _page(title, explored, sections, (words, notes, lead))
    written = html.encode("utf-8")
    _write(path, written)
    return Report(
        title=title,
        lead=tuple(lead),
        path=None if path is None else str(path),
        size=len(written),
        sections=tuple(part.heading for part in sections),
        notes=tuple(dict.fromkeys(notes)),
        html=html,
    )


def _texts(
    explored: Explored, outcomes: Outcomes, max_text: int
) -> tuple[Any, list[str]]:
    """What the page's script reads, and the notes on it."""
    words, cut_notes = embedding.explored_words(explored, max_text)
    notes = [*explored.notes, *cut_notes, *outcomes.notes]
    if outcomes.input is None and outcomes.response is None:
        notes.append(_NO_TEXTS)
    return words, notes


def _opening_rate(outcomes: Outcomes, chosen: Sequence[Shown]) -> float:
    """The nonreturn of the best cutoff that was chosen, on the items of the page."""
    from demur.decisions.ranked_choices import Choices

    result = chosen[0].result
    choice: Any = result.ranked[0] if isinstance(result, Choices) else result
    part = dict(named_parts(outcomes)).get(choice.system)
    if part is None:
        need, got = f"hold the system {shown(choice.system)}", "no such system"
        hint = "Its cutoff was chosen on other outcomes."
        raise InputError("report", "the outcomes", need, got, hint)
    if choice.cutoff is None:
        return 1.0
    return error_return(part).at(cutoff=choice.cutoff).nonreturn


_USUAL_RATE: Final = 0.2


def _write(path: Any, written: bytes) -> None:
    if path is None:
        return
    checks.path("report", path)
    with new_file(path) as file:
        file.write(written)


def _pairs(compare: Any) -> list[tuple[str, str]]:
    """The systems to compare, two names each."""
    pairs = []
    for both in checks.listed("report", "compare", compare):
        if len(checks.names("report", "each of compare", both)) != 2:
            need = "be two names of systems"
            raise InputError("report", "each of compare", need, shown(both))
        pairs.append((both[0], both[1]))
    return pairs


def _listed(results: Any) -> list[Result]:
    given: Any = [results] if isinstance(results, Result) else results
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        hint = "demur.read_outcomes reads a file."
        need = "be outcomes and results of demur"
        raise InputError("report", "results", need, shown(given), hint)
    listed: list[Any] = []
    for result in given:
        several = getattr(result, "results", result)
        parted = isinstance(several, (list, tuple)) and not isinstance(several, Results)
        listed += _listed(list(several)) if parted else [result]
    for result in listed:
        if not isinstance(result, Result):
            hint = "Verbs of demur return results; read_outcomes reads outcomes."
            got = with_article(type(result).__name__)
            raise InputError("report", "results", "be results of demur", got, hint)
    if not listed:
        hint = "Give outcomes, curves, comparisons, ..."
        raise InputError("report", "results", "hold at least one", "none", hint)
    if sum(isinstance(result, Outcomes) for result in listed) > 1:
        hint = "One table may hold many systems: read_outcomes takes several files."
        raise InputError("report", "results", "hold one Outcomes", "several", hint)
    return listed


def _check_labelled(tables: Sequence[Outcomes]) -> None:
    """Raise `InputError` where a page would take unlabelled answers for wrong ones."""
    hint = "demur curve, choose and compare estimate errors from the labelled ones."
    check_verdicts("report", hint, *tables)


def _further_notes(results: Any) -> list[str]:
    """What a result says of its parts that none of them says."""
    if not isinstance(results, Bundle):
        listed = results if isinstance(results, (list, tuple)) else ()
        return [note for result in listed for note in _further_notes(result)]
    known = {note for part in results.results for note in part.notes}
    return [note for note in results.notes if note not in known]


def _title(explored: Explored | None, sections: Sequence[Section]) -> str:
    """What was measured."""
    if explored is None:
        return ", ".join(dict.fromkeys(section.heading for section in sections))
    names = names_of(explored.names)
    if len(names) == 1:
        return f"How {names[0]} answers and declines"
    return f"{len(names)} systems that may decline"


# -- sections --------------------------------------------------------------------------


def _sections(listed: Sequence[Shown], source: Source) -> Iterator[Section]:
    """Neighbours of one heading share a section."""
    neighbourhoods = groupby(listed, key=lambda shown: shown.heading)
    for number, (_, neighbours) in enumerate(neighbourhoods, 1):
        yield section(list(neighbours), source, f"section{number}")


# -- the page --------------------------------------------------------------------------


def _page(
    title: str,
    explored: Explored | None,
    sections: Sequence[Section],
    explored_data: tuple[Any, Sequence[str], Sequence[str]],
) -> str:
    try:
        from jinja2 import Environment
        from markupsafe import Markup
    except ImportError:
        raise MissingExtra("report", "A report") from None
    home = files("demur.pages")
    template, style = (
        home.joinpath(name).read_text("utf-8")
        for name in ("page.html.jinja", "page.css")
    )
    script = _script(home.joinpath("script"))
    words, notes, lead = explored_data
    environment = Environment(autoescape=True, trim_blocks=True)
    filled: str = environment.from_string(template).render(
        title=printable(title),
        lead=[printable(line).replace(" %", "\u00a0%") for line in lead],
        explored=None if explored is None else _explored(explored, Markup),
        sections=[_marked(part, Markup) for part in sections],
        notes=[printable(note) for note in dict.fromkeys(notes)],
        data=Markup(embedding.as_data(words)),
        style=Markup(style),
        script=Markup(script),
        style_hash=_digest(style),
        script_hash=_digest(script),
        version=__version__,
    )
    return filled


def _script(home: Any) -> str:
    """The script of the page: its parts, in one function of their own."""
    parts = (home.joinpath(f"{name}.js").read_text("utf-8") for name in SCRIPT_PARTS)
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _marked(section: Section, markup: Any) -> dict[str, Any]:
    """A section for the template: pictures and tables are markup, all else is text."""
    return {
        "heading": printable(section.heading),
        "sentence": printable(section.sentence),
        "pictures": [markup(picture) for picture in section.pictures],
        "tables": [
            {
                "title": printable(table.title),
                "rows": len(table.rows),
                "html": markup(table_html(table, most=len(table.rows), styled=False)),
            }
            for table in section.tables
        ],
        "explained": printable(section.explained),
        "notes": [printable(note) for note in section.notes],
        "signatures": [printable(line) for line in section.signatures],
        "source": [printable(line) for line in section.source],
    }


def _lead(explored: Explored | None, chosen: Sequence[Shown] = ()) -> list[str]:
    """The first words of the page: what was asked, answered; cutoffs before all."""
    if explored is None:
        return []
    sentences = "\n".join(shown.result.sentence() for shown in chosen)
    corrected = [
        shown.result.sentence()
        for shown in explored.results
        if isinstance(shown.result, CorrectedCurve)
    ]
    ranked = len(explored.names) > 2 and any(c.ladder for c in explored.curves)
    failed = {curve.system: (curve.failed, curve.items) for curve in explored.curves}
    first = explored.curves.sentence() if ranked else _lead_of_best(explored)
    if not ranked:
        first = with_failures(failed, first)
    compared = [pair.verdict for pair in explored.pairs if not pair.picked_of]
    if len(compared) > 1:  # one of several tests would look as if it were the only one
        compared = []
    return [*sentences.splitlines(), first, *corrected[:_MOST_LED], *compared]


def _lead_of_best(explored: Explored) -> str:
    """What the system does that errs least where the page opens."""
    best = explored.order[0]
    curve, name = explored.curves[best], names_of(explored.names)[best]
    if curve.gave_nothing:
        return "Nothing was answered."
    if curve.ladder is None:
        decided = curve.operating_point
        return sentence_about(
            name,
            f"{{}} gets {percent(decided.right or 0)} of {curve.items:,} items "
            f"right and {percent(decided.error or 0)} wrong, and does not answer "
            f"{percent(decided.nonreturn)}.",
        )
    vertex = embedding.opening_vertex(curve.nonreturn, explored.at)
    forced, error, silent = (
        percent(float(value))
        for value in (curve.error[0], curve.error[vertex], curve.nonreturn[vertex])
    )
    words = f"{{}} answers {forced} of {curve.items:,} items wrongly"
    words += " if it gives every guess"
    words += f", and {error} if {silent} are not answered." if vertex else "."
    return sentence_about(name, words)


def _explored(explored: Explored, markup: Any) -> dict[str, Any]:
    """The first screen as it is without JavaScript: at the opening cutoff."""
    names = names_of(explored.names)
    on = explored.order[:_MOST_ON]
    picture = _canvas(explored.curves, names)
    for number, group in enumerate(explored.groups):
        for index, curve in enumerate(group.curves):
            if curve is not None and curve.ladder is not None:
                corner = curve.corners
                extra = f' data-system="{index}" data-group="{number}" display="none"'
                picture.line(corner.nonreturn, corner.error, index, extra)
    drawn = str(picture).replace(
        "<svg ", f'<svg data-highest="{picture.y_range[1]}" ', 1
    )
    shown_first = next((i for i in on if explored.curves[i].ladder is not None), on[0])
    return {
        "picture": markup(drawn),
        "names": names,
        "at": f"{explored.at:.4g}",
        "on": on,
        "searched": _searched(explored),
        "signs": [markup(key(index)) for index in range(len(names))],
        "groups": [
            printable(f"{group.column} = {group.value}") for group in explored.groups
        ],
        **_opening(explored, shown_first, names, markup),
    }


def _searched(explored: Explored) -> str:
    """What the search looks through: names of items, and the texts that there are."""
    fields = {"input": "questions", "reference": "references", "response": "responses"}
    fields["reason"] = "reasons"
    listed = ["names of items"] + [
        words
        for name, words in fields.items()
        if any(getattr(part, name) is not None for part in explored.parts)
    ]
    return ", ".join(listed)


def _canvas(curves: Sequence[Curve], names: Sequence[str]) -> Canvas:
    """Lines and operating points alone, each with the number of its system."""
    picture = curves_picture(curves, labels=names, missed=False)
    (panel,) = picture.panels
    marks = tuple(
        mark
        for mark in panel.marks
        if isinstance(mark, Line) or (isinstance(mark, Dots) and not mark.hollow)
    )
    short = replace(panel.y, label="error (share of all inputs)")  # fits on a phone
    plain = replace(panel, marks=marks, note="", y=short)
    words = picture.title, picture.description
    return Canvas("explore-plot", *words, plain, (640, 330), tagged=True)


def _of_thousand(shares: Sequence[float]) -> list[int]:
    """Whole numbers that add up to 1,000, as near to the shares as can be.

    Examples
    --------
    >>> _of_thousand([1 / 3, 1 / 3, 1 / 3])
    [334, 333, 333]
    """
    exact = [1000 * share for share in shares]
    whole = [int(each + 1e-9) for each in exact]
    rest = sorted(range(len(shares)), key=lambda i: (whole[i] - exact[i], i))
    for i in rest[: 1000 - sum(whole)]:
        whole[i] += 1
    return whole


def _opening(
    explored: Explored, first: int, names: Sequence[str], markup: Any
) -> dict[str, Any]:
    """The bar and the table at the nonreturn at which the page opens."""
    rows = []
    for index in explored.order:
        cutoff, values = _standing(explored.curves[index], explored.at)
        cells = [{"text": cutoff, "value": cutoff}]
        cells += [{"text": rate(value), "value": repr(value)} for value in values]
        rows.append({"system": index, "name": names[index], "cells": cells})
    shares = _shares(explored.curves[first], explored.at)
    words = {name: share_words for name, (share_words, *_) in SHARES.items()}
    if explored.curves[first].ladder is None:
        decided = "by its own decisions"
        why = "because it failed" if explored.curves[first].gave_nothing else decided
        words["no_guess"] = f"not answered, {why}"
    return {
        "bar_of": names[first],
        "now": rows,
        "stripe": markup(stripe(list(shares.items()))),
        "shares": [
            {"name": name, "words": words[name], "count": f"{count:,}", "share": share}
            for (name, share), count in zip(
                shares.items(), _of_thousand(list(shares.values())), strict=True
            )
        ],
    }


_RATES: Final = ("nonreturn", "error", "right", "missed", "ungraded")


def _standing(curve: Curve, at: float) -> tuple[str, list[float]]:
    """Where a system stands when the page opens: its cutoff in words, and its rates."""
    if curve.ladder is None:
        decided = curve.operating_point
        cutoff = "failed" if curve.gave_nothing else "own decisions"
        return cutoff, [float(getattr(decided, key) or 0) for key in _RATES]
    vertex = embedding.opening_vertex(curve.nonreturn, at)
    silent = vertex == len(curve.cutoff) - 1
    cutoff = "never answer" if silent else f"{shortest(curve.cutoff[vertex])}"
    return cutoff, [float(getattr(curve, key)[vertex]) for key in _RATES]


def _shares(curve: Curve, at: float) -> dict[str, float]:
    """What becomes of all items there; without a curve, by the system's decisions."""
    if curve.ladder is None:
        decided = curve.operating_point
        return dict.fromkeys(SHARES, 0.0) | {
            "right": float(decided.right or 0),
            "error": float(decided.error or 0),
            "no_guess": decided.nonreturn,
            "ungraded": float(decided.ungraded or 0),
        }
    vertex = embedding.opening_vertex(curve.nonreturn, at)
    return {name: float(getattr(curve.split, name)[vertex]) for name in SHARES}
