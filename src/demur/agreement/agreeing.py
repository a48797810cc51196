"""The verb that says how far annotators agree."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import Any, Final

from demur import checks
from demur.agreement import kappas
from demur.agreement.alphas import LabelCounts, cells_of, disagreement
from demur.agreement.annotations import Annotations, as_annotations, with_numbers
from demur.agreement.disagreements import (
    AnnotatorAgreement,
    LabelAgreement,
    UnitDisagreement,
    by_annotator,
    by_label,
    coincidences,
    units_first,
)
from demur.agreement.distances import METRICS, NUMERIC, Metric
from demur.agreement.intervals import (
    LEAST,
    RESAMPLED,
    Interval,
    Statistic,
    alpha_of,
    clusters_of,
    jackknife,
    score_ends,
)
from demur.agreement.judges import KINDS as OF_JUDGES
from demur.agreement.judges import (
    POSITIVE,
    PREVALENCE_NOTE,
    UNWEIGHTED_NOTE,
    JudgeRates,
    Turned,
    judge_rates,
    judges_tables,
    positive_label,
    turned_round,
    turned_sentences,
    weights_differ,
)
from demur.agreement.unit_parts import UnitParts, alpha_parts
from demur.checks import check_level, choice
from demur.errors import InputError, shown
from demur.results import Column, Figure, FigureKind, Result, Table, with_noun
from demur.results.gates import Gate
from demur.results.text import interval_text

OF_SETS: Final = ("nominal", "jaccard", "masi", "masi-dkpro")
"""The metrics that a report on sets has, since one alone says little."""

UNITS_FIRST: Final = 10
DRAWN: Final = 12


@dataclass(frozen=True, eq=False, repr=False)
class Coefficient(Result):
    """One coefficient of agreement.

    Parameters
    ----------
    name : str
        Such as ``alpha nominal`` or ``kappa (Cohen)``.
    value : float or None
        1 is full agreement, 0 what chance gives; None if it is undefined.
    interval : (float, float) or None
        None if it is undefined.
    observed, expected : float or None
        Disagreement, of alpha.
    undefined : str
        Why there is no value, or no interval.
    """

    SAYS = "The {name} is {value}."

    name: str
    value: float | None
    interval: tuple[float, float] | None = None
    observed: float | None = None
    expected: float | None = None
    undefined: str = ""


def coefficient_kind(name: str) -> FigureKind:
    """The kind of a coefficient: 1 is full agreement, 0 what chance gives."""
    return FigureKind(name, name, "number", least=LEAST, better="higher")


_KAPPAS: Final = (
    *("kappa", "kappa (Cohen)", "kappa (Cohen, mean of pairs)", "kappa (Fleiss)"),
    *("kappa (PARADISE*", "pi (Scott)"),
)


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Result):
    """How far annotators agree, and on what they do not.

    Parameters
    ----------
    metric : str
        Of the first alpha, by which the rest is looked at.
    coefficients : tuple of Coefficient
        Alphas by metric, then kappas.
    units, compared : int
        Units, and those with two labels or more, which alone count.
    labels, annotators : int
        Labels that were given in all, and by how many.
    by_label, by_annotator, units_first : tuple
        Who disagrees, on what, and which units to look at first.
    judges : tuple of JudgeRates
        Each annotator against the key, if there is one, over all units and by group.
    turned : tuple of Turned
        Groups whose order a judge turns round.
    coincidences : tuple of (label, shares)
        The twelve most frequent labels; the shares are chances of the same labels, in
        this order, if another annotator of the unit gave this one.
    notes : tuple of str
        What a reader must know.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    """

    KINDS = (
        *map(coefficient_kind, ["alpha", *(f"alpha {name}" for name in METRICS)]),
        *map(coefficient_kind, _KAPPAS),
        *OF_JUDGES,
    )

    metric: str
    coefficients: tuple[Coefficient, ...]
    units: int
    compared: int
    labels: int
    annotators: int
    by_label: tuple[LabelAgreement, ...]
    by_annotator: tuple[AnnotatorAgreement, ...]
    units_first: tuple[UnitDisagreement, ...]
    judges: tuple[JudgeRates, ...] = ()
    turned: tuple[Turned, ...] = ()
    coincidences: tuple[tuple[Any, tuple[float, ...]], ...] = ()
    notes: tuple[str, ...] = ()
    level: float = 0.95
    recipe: dict[str, str] = field(default_factory=dict)

    @property
    def alpha(self) -> float | None:
        """Krippendorff's alpha by the first metric; None if it is undefined."""
        return self.coefficients[0].value

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of alpha."""
        return self.coefficients[0].interval

    def value(self, name: str) -> float | None:
        """A coefficient by name, such as ``alpha jaccard``.

        Raises
        ------
        InputError
            If there is none of that name.
        """
        known = {one.name: one.value for one in self.coefficients}
        return known[choice("agreement", "the coefficient", name, known)]

    def sentence(self) -> str:
        """Alpha, how sure it is, and of how many labels."""
        first = self.coefficients[0]
        of = (
            f"{with_noun(self.annotators, 'annotator')}, "
            f"{with_noun(self.labels, 'label')}, {self.compared} of "
            f"{with_noun(self.units, 'unit')} with two labels or more"
        )
        if first.value is None:
            answer = f"is undefined: {first.undefined} ({of})"
        else:
            ends = interval_text(first.interval, self.level)
            answer = f"is {first.value:.3f}{ends}; {of}"
        start = f"Krippendorff's {first.name} {answer}."
        return "\n".join([start, *turned_sentences(self.turned)])

    def to_dict(self) -> dict[str, Any]:
        """As plain values, with what scripts read at the top."""
        ends = None if self.interval is None else list(self.interval)
        return {"alpha": self.alpha, "interval": ends, **super().to_dict()}

    def figures(self) -> Iterator[Figure]:
        """Each coefficient by its name, and the first one as alpha."""
        first, *_ = self.coefficients
        for name, one in [("alpha", first), *((c.name, c) for c in self.coefficients)]:
            kind = next((kind for kind in self.KINDS if kind.covers(name)), None)
            yield self.figure(
                kind or coefficient_kind(name),
                *(one.value, one.interval),
                name=name,
                why_undefined=one.undefined,
            )

    def figures_for(self, gate: Gate) -> Iterator[Figure]:
        """The figures, that of Cohen as kappa, and those of each judge."""
        for figure in self.figures():
            yield figure
            if gate.name == "kappa" and figure.called.startswith("kappa (Cohen"):
                yield replace(figure, kind=coefficient_kind("kappa"), name="kappa")
        for judge in (one for one in self.judges if one.group is None):
            for kind in OF_JUDGES:
                value, low, high = getattr(judge, kind.name) or (None, None, None)
                yield self.figure(kind, value, (low, high), of=judge.judge)

    def tables(self) -> list[Table]:
        """Coefficients; labels and annotators; judges; units to look at first."""
        coefficients = ("name", "value", "interval", "observed", "expected")
        labels = ("label_text", "count", "agreed", "confused_text", "confused_share")
        annotators = ("annotator", "count", "distance", "alpha_without")
        units = [
            (str(one.unit), one.distance, one.labels_text) for one in self.units_first
        ]
        return [
            Table("", _COEFFICIENTS, _rows(self.coefficients, coefficients)),
            Table("Labels", _LABELS, _rows(self.by_label, labels), most=_MOST_LABELS),
            Table("Annotators", _ANNOTATORS, _rows(self.by_annotator, annotators)),
            *judges_tables(self.judges, self.turned),
            Table(f"Units to look at first, by {self.metric}", _UNITS, tuple(units)),
        ]


def _rows(results: Sequence[Result], names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(map(attrgetter(*names), results))


_COEFFICIENTS: Final = (
    Column("coefficient"),
    Column(
        *("value", "", "number", "1 is full agreement, 0 what chance gives"), digits=3
    ),
    Column("interval", cells="number", explained="of the value", digits=3),
    Column("observed", cells="number", explained="disagreement as it is", digits=3),
    Column("expected", cells="number", explained="disagreement by chance", digits=3),
)
_LABELS: Final = (
    Column("label"),
    Column("given", cells="count", explained="times, to units with two labels or more"),
    Column("agreed", cells="share", explained="chance that another one says so too"),
    Column("confused_with", "else mostly"),
    Column("confused", "share", "share", "chance that another one says that instead"),
)
_ANNOTATORS: Final = (
    Column("annotator"),
    Column("labels", cells="count", explained="that were given"),
    Column("distance", cells="number", explained="mean, to others' labels", digits=3),
    Column("alpha_without", cells="number", explained="of the others alone", digits=3),
)
_UNITS: Final = (
    Column("unit"),
    Column("unit_distance", "between labels", "number", "mean distance", digits=3),
    Column("labels"),
)
_MOST_LABELS: Final = 20


def agreement(  # noqa: PLR0913  (options are independent of each other)
    annotations: Any,
    metric: Metric | Sequence[Metric] | None = None,
    *,
    annotators: Sequence[str] | None = None,
    key: str | None = None,
    by: str | None = None,
    positive: Any = None,
    resample: str | None = None,
    level: float = 0.95,
) -> Agreement:
    """How far annotators agree: alpha, kappas, and where they do not.

    Parameters
    ----------
    annotations : any
        A mapping of annotator to labels, lists of labels, integer codes, a long table
        (unit, annotator, label, and maybe cluster and label_weight) or a wide one, as
        records or as any dataframe; see `demur.Annotations`. None and NaN are no label.
        A unit with one label has nothing to compare. A label_weight is how many units a
        labelled one stands for; it counts in shares of judges.
    metric : str, callable or several of them, optional
        ``nominal``, ``ordinal``, ``interval``, ``ratio``; for sets ``jaccard``,
        ``masi`` (Passonneau 2006), ``masi-dkpro``, ``passonneau2004``; or a function of
        two labels that gives their distance, 0 for equal ones. By default nominal, and
        for sets nominal, jaccard and both MASIs, since alpha depends much on it.
    annotators : sequence of str, optional
        Only these; of a wide table, the columns that are annotators.
    key : str, optional
        The annotator who is taken for right: the others are its judges. It gives
        their sensitivity and specificity, precision, negative predictive value and F,
        and the kappa of PARADISE.
    by : str, optional
        A column of groups, such as ``system``: judges are looked at in each.
    positive : any, optional
        The label that says yes; by default right, yes, true, correct or 1.
    resample : {"unit", "cluster", "annotator"}, optional
        What intervals are about: other units, other clusters of them (the default where
        there are clusters), or other annotators.
    level : float
        Share of intervals that hold the truth.

    Returns
    -------
    Agreement

    Raises
    ------
    InputError
        If the annotations or an argument are not what they must be.

    References
    ----------
    Krippendorff (2011), "Computing Krippendorff's alpha-reliability"; Passonneau
    (2006), "Measuring agreement on set-valued items (MASI)", LREC.

    Examples
    --------
    >>> import demur
    >>> found = demur.agreement({"ann": ["a", "a", "b", "b", None],
    ...                    "bob": ["a", "b", "b", "b", "a"]})
    >>> round(found.alpha, 4), found.compared
    (0.5333, 4)
    >>> found.units_first[0].labels
    {'ann': 'a', 'bob': 'b'}
    """
    if annotators is not None:
        annotators = checks.names("agreement", "annotators", annotators)
    annotations, metrics = _with_metrics(
        as_annotations(annotations, annotators, by), metric
    )
    check_level("agreement", level)
    resample = _resampled(annotations, resample)
    yes, judges = _judges(annotations, key, (by, positive), level)
    cells = cells_of(annotations)
    about = _About(annotations, cells, resample, level)
    coefficients = [_alpha(about, name) for name in metrics]
    coefficients += _kappas(about, key)
    asked = {
        "key": key,
        "by": by,
        "annotators": ", ".join(annotators) if annotators else None,
        **(_of_judges(annotations, yes) if judges else {}),
    }
    return Agreement(
        metric=_name(metrics[0]),
        coefficients=tuple(coefficients),
        **_looked_at(annotations, cells, metrics[0]),
        judges=judges,
        turned=tuple(turned_round(judges)),
        notes=(
            *annotations.notes,
            *_notes(annotations, cells),
            *_reasons(coefficients),
            *([PREVALENCE_NOTE] if judges else ()),
        ),
        level=level,
        recipe={
            "agreement": "+".join(map(_name, metrics)),
            "resample": resample,
            "level": str(level),
            **{name: text for name, text in asked.items() if text is not None},
            "units": str(len(annotations.units)),
        },
    )


def _of_judges(annotations: Annotations, yes: Any) -> dict[str, str]:
    """What the rates of judges depend on."""
    weighted = {"labels": "weighted"} if weights_differ(annotations) else {}
    return {"positive": str(yes), **weighted}


def _looked_at(
    annotations: Annotations, cells: LabelCounts, metric: Metric
) -> dict[str, Any]:
    """Counts, and who disagrees on what by one metric."""
    first = disagreement(cells, annotations.labels, metric)
    return {
        "units": len(annotations.units),
        "compared": len(cells.units),
        "labels": len(annotations),
        "annotators": len(annotations.annotators),
        "by_label": by_label(annotations, cells),
        "by_annotator": by_annotator(annotations, cells, metric),
        "units_first": units_first(annotations, cells, first, UNITS_FIRST),
        "coincidences": coincidences(annotations, cells, DRAWN),
    }


def _resampled(annotations: Annotations, resample: str | None) -> str:
    """What is drawn again: clusters, if there are any and nothing else is asked for."""
    clustered = annotations.cluster is not None
    chosen = resample or ("cluster" if clustered else "unit")
    choice("agreement", "resample", chosen, RESAMPLED)
    if chosen == "cluster" and not clustered:
        need, hint = "have clusters", "A column cluster says which units go together."
        raise InputError("agreement", "the annotations", need, "none", hint)
    return chosen


def _judges(
    annotations: Annotations,
    key: str | None,
    asked: tuple[str | None, Any],
    level: float,
) -> tuple[Any, tuple[JudgeRates, ...]]:
    """The label that says yes, and the others against the key, if there is one."""
    by, positive = asked
    if key is None:
        if by is not None or positive is not None:
            need, hint = "come with key", "Name the annotator who is taken for right."
            raise InputError("agreement", "by and positive", need, "none", hint)
        return None, ()
    choice("agreement", "key", key, list(annotations.annotators))
    if positive is None and not {*POSITIVE} & {*annotations.labels}:
        return None, ()
    yes = positive_label(annotations, positive)
    return yes, judge_rates(annotations, key, yes, level)


def _with_metrics(
    annotations: Annotations, metric: Any
) -> tuple[Annotations, list[Metric]]:
    """The metrics that are asked for, and the annotations as they read them."""
    if metric is None:
        return annotations, list(OF_SETS) if annotations.are_sets else ["nominal"]
    alone = isinstance(metric, str) or callable(metric)
    several = [metric] if alone else checks.listed("agreement", "metric", metric)
    if not several:
        raise InputError("agreement", "metric", "be one at least", shown(metric))
    if any(isinstance(name, str) and name in NUMERIC for name in several):
        annotations = with_numbers(annotations)
    return annotations, several


def _name(metric: Metric) -> str:
    named = getattr(metric, "__name__", type(metric).__name__)
    return metric if isinstance(metric, str) else named


@dataclass(frozen=True)
class _About:
    """Annotations, and what their intervals are about."""

    annotations: Annotations
    cells: LabelCounts
    resample: str
    level: float

    def interval(self, parts: UnitParts, statistic: Statistic | None) -> Interval:
        """The interval of a defined coefficient.

        Parameters
        ----------
        parts : UnitParts
            What its units add.
        statistic : callable or None
            The coefficient of other annotations; None if it is of two annotators.
        """
        if self.resample != "annotator":
            units = self.cells.units
            cluster = clusters_of(self.annotations, units, self.resample)
            return score_ends(parts, cluster, self.level)
        if statistic is None:
            return None, "it is of two annotators, so none can be left out"
        return jackknife(self.annotations, statistic, self.level)


def _alpha(about: _About, metric: Metric) -> Coefficient:
    cells, labels = about.cells, about.annotations.labels
    apart = disagreement(cells, labels, metric)
    interval, why = None, apart.undefined
    if apart.alpha is not None:
        parts = alpha_parts(cells, labels, metric, apart)
        interval, why = about.interval(parts, alpha_of(metric))
    return Coefficient(
        name=f"alpha {_name(metric)}",
        value=apart.alpha,
        interval=interval,
        observed=apart.observed,
        expected=apart.expected,
        undefined=why,
    )


_Measure = Callable[[Annotations, LabelCounts], kappas.Kappa]


def _kappas(about: _About, key: str | None) -> list[Coefficient]:
    """Those of nominal labels, each with its reason if it is undefined."""
    names = about.annotations.annotators
    mean = "" if len(names) <= 2 else ", mean of pairs"
    of_all: dict[str, _Measure] = {f"kappa (Cohen{mean})": kappas.cohen}
    if len(names) == 2:
        of_all["pi (Scott)"] = kappas.scott
    of_all["kappa (Fleiss)"] = kappas.fleiss
    listed = [_kappa(about, *named, of_all=True) for named in of_all.items()]
    if key is not None:
        listed += [
            _kappa(about, f"kappa (PARADISE, key {key}, {judge})", measure)
            for judge in names
            if judge != key
            for measure in [partial(kappas.paradise, key=key, judge=judge)]
        ]
    return listed


def _kappa(
    about: _About, name: str, measure: _Measure, *, of_all: bool = False
) -> Coefficient:
    """A kappa; ``of_all`` is what any number of annotators has."""
    one = measure(about.annotations, about.cells)
    interval, why = None, one.undefined
    if one.parts is not None:
        again = (lambda kept: measure(kept, cells_of(kept)).value) if of_all else None
        interval, why = about.interval(one.parts, again)
    return Coefficient(name=name, value=one.value, interval=interval, undefined=why)


def _reasons(coefficients: Sequence[Coefficient]) -> list[str]:
    """Why a coefficient, or its interval, is undefined; the sentence says the first."""
    return [
        f"{one.name}: {one.undefined}"
        for place, one in enumerate(coefficients)
        if one.undefined and (place or one.value is not None)
    ]


def _notes(annotations: Annotations, cells: LabelCounts) -> tuple[str, ...]:
    notes = []
    alone = len(annotations.units) - len(cells.units)
    if alone:
        notes.append(
            f"{alone} of {len(annotations.units)} units have fewer than two labels"
        )
    numbers = bool(annotations.labels) and isinstance(
        annotations.labels[0], (int, float)
    )
    if numbers and len(annotations.labels) > 2:
        listed = ", ".join(NUMERIC)
        notes.append(f"labels are numbers: if their order counts, name {listed}")
    if weights_differ(annotations):
        notes.append(UNWEIGHTED_NOTE)
    return tuple(notes)
