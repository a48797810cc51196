"""The verb about coreference: clusters of mentions as the scorers of CoNLL count."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats
from demur.checks import check_level, choice, text, truth
from demur.errors import InputError, shown
from demur.metrics.coreference.clusters import (
    Clusters,
    clusters_of,
    without_repeats,
    without_singletons,
)
from demur.metrics.coreference.link_counts import (
    CONLL,
    FIGURES,
    MEASURES,
    conll,
    document_sums,
)
from demur.metrics.coreference.overlaps import overlaps_of
from demur.metrics.counted_items import (
    answered_of,
    two_sides,
)
from demur.metrics.counted_items import (
    clusters_of as documents_together,
)
from demur.metrics.precision_recall import score_figures, score_kinds, score_rows
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import NamedColumns, unpacked
from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Table,
    count,
    exactly,
    with_noun,
)
from demur.results.text import interval_text
from demur.statistics.ratio_tests import cluster_interval
from demur.statistics.ratios import Ends
from demur.statistics.units import FEWEST_UNITS, too_few, unit_sums


@dataclass(frozen=True, eq=False, repr=False)
class CoreferenceScore(Result):
    """Precision, recall and F of one measure.

    Parameters
    ----------
    measure : {"mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc"}
        As the scorers of CoNLL call it.
    precision, recall, f : float or None
        None if nothing is given, nothing is true, or either: of MUC, if no cluster has
        two mentions.
    precision_interval, recall_interval, f_interval : (float, float) or None
        Over documents, or clusters of them.
    f_answered : float or None
        Of the documents that were not declined.
    """

    SAYS = "By {measure} precision is {precision}, recall {recall}, and F {f}."

    measure: str
    precision: float | None
    recall: float | None
    f: float | None
    precision_interval: Ends
    recall_interval: Ends
    f_interval: Ends
    f_answered: float | None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CoreferenceScores(Result):
    """Clusters of mentions of one system against the true ones.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    documents, declined : int
        All; those without clusters because the system declined: all of their true
        mentions are missing.
    true, given : int
        Mentions of the references and of the hypotheses.
    conll : float or None
        The mean F of MUC, B-cubed and CEAF by entities; None if one has no value.
    conll_interval : (float, float) or None
        Over documents, or clusters of them.
    conll_answered : float or None
        Of the documents that were not declined.
    scores : tuple of CoreferenceScore
        One for each measure.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    """

    KINDS = (
        FigureKind("conll", "mean F of MUC, B-cubed and CEAF-e", better="higher"),
        *score_kinds({measure: f"by {measure}" for measure in MEASURES}),
        count("documents", "documents"),
        count("declined", "documents that were declined", better="lower"),
    )

    system: str
    documents: int
    declined: int
    true: int
    given: int
    conll: float | None
    conll_interval: Ends
    conll_answered: float | None
    scores: tuple[CoreferenceScore, ...]
    level: float
    recipe: dict[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = field(default=(), repr=False)

    def score(self, measure: str) -> CoreferenceScore:
        """The score by one measure."""
        scores = {score.measure: score for score in self.scores}
        return scores[choice("coreference_scores", "measure", measure, scores)]

    def sentence(self) -> str:
        """The mean of CoNLL and how sure it is, with the three that it is made of."""
        name = f"{self.system}: of" if self.system else "Of"
        declined = f", {self.declined} declined" if self.declined else ""
        head = (
            f"{name} {with_noun(self.true, 'mention')} in "
            f"{with_noun(self.documents, 'document')}{declined}, and {self.given} given"
        )
        if self.conll is None:
            return f"{head}, some have no links or clusters: there is no mean of CoNLL."
        muc, mentions, entities = (self.score(measure).f or 0.0 for measure in CONLL)
        return (
            f"{head}: the mean F of CoNLL is {self.conll:.3f}"
            f"{interval_text(self.conll_interval, self.level)}, of MUC {muc:.3f}, "
            f"B-cubed {mentions:.3f} and CEAF-e {entities:.3f}."
        )

    def figures(self) -> Iterator[Figure]:
        """The mean of CoNLL; F, precision and recall of each measure, as "f muc"."""
        kinds = {kind.name: kind for kind in self.KINDS}
        yield self.figure(kinds["conll"], self.conll, self.conll_interval)
        for name, value, ends in score_figures(self.scores, "measure"):
            yield self.figure(kinds[name], value, ends)
        for name in ("documents", "declined"):
            yield self.figure(kinds[name], getattr(self, name))

    def tables(self) -> tuple[Table]:
        """Measures one below the other, and the mean of CoNLL."""
        rows = score_rows(self.system, self.scores, _COLUMNS)
        mean = (self.conll, self.conll_interval, self.conll_answered)
        rows.append((self.system, "conll", None, None, *mean))
        return (Table("", _COLUMNS, tuple(rows), key=2),)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, what declined documents do, and why there is no value."""
        notes = [*self.left_out]
        if self.declined:
            notes.append(
                f"{self.declined} of {self.documents} documents are declined, and "
                "their mentions are missing"
            )
        undefined = [score.measure for score in self.scores if score.f is None]
        if undefined:
            notes.append(
                f"nothing is true or given that {', '.join(undefined)} could count; "
                "other scorers print 0 there"
            )
        return tuple(notes)


_F: Final = "of precision and recall; of blanc the mean of two F, of conll of three"
_COLUMNS: Final = (
    Column("system"),
    Column("measure", explained="as the scorers of CoNLL call them; lea by Moosavi"),
    Column("precision", cells="share", explained="right / given"),
    Column("recall", cells="share", explained="right / true"),
    Column("f", "F", "share", _F),
    Column("f_interval", "interval", "share", "of F, over documents"),
    Column("f_answered", "", "share", "F of documents that were not declined"),
)


def coreference_scores(
    table: Any = None,
    *,
    hypotheses: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
    keep_singletons: bool = True,
    system: str = "",
    level: float = 0.95,
) -> CoreferenceScores:
    """MUC, B-cubed, CEAF, LEA, BLANC and the mean of CoNLL, of clusters of mentions.

    They are counted as the reference scorer of CoNLL (v8.01) does, over all documents:
    mentions are the same if they begin and end alike, and those that one side alone has
    count as they stand. A mention that stands twice on a side counts where it stands
    first.

    Parameters
    ----------
    table : table, optional
        With columns ``ref`` and ``hyp`` and maybe ``item``, ``cluster`` (documents that
        belong together) and ``declined``, as `read_coreference` gives. Or both of the
        next two are given by name.
    hypotheses : sequence, optional
        For each document its clusters, as in the references; None where the system
        declined.
    references : sequence, optional
        For each document its clusters: lists of mentions, each [first word, last word],
        or a name.
    keep_singletons : bool
        Whether clusters of one mention count.
    system : str
        Its name; "" if there is one alone.
    level : float
        Of the intervals.

    Returns
    -------
    CoreferenceScores

    Raises
    ------
    InputError
        If there is a mention that is none, or a reference is missing.

    References
    ----------
    Pradhan et al. (2014), Scoring Coreference Partitions of Predicted Mentions: A
    Reference Implementation; Moosavi and Strube (2016) for LEA.

    Examples
    --------
    The worked example of Pradhan et al. (2014):

    >>> import demur
    >>> key, response = [[*"abc"], [*"defg"]], [[*"ab"], [*"cd"], [*"fghi"]]
    >>> scores = demur.coreference_scores(hypotheses=[response], references=[key])
    >>> [(score.measure, round(score.f, 3)) for score in scores.scores[1:5]]
    [('muc', 0.4), ('bcub', 0.455), ('ceafm', 0.533), ('ceafe', 0.52)]
    """
    where = "coreference_scores"
    check_level(where, level)
    truth(where, "keep_singletons", keep_singletons)
    text(where, "system", system)
    further = "item", "system", "cluster", "declined"
    sides = two_sides(where, table, hypotheses, references, further)
    answered = answered_of(sides, sides.columns["hyp"])
    true, left_out = _clusters(sides, "ref", None, keep_singletons=keep_singletons)
    given, more = _clusters(sides, "hyp", answered, keep_singletons=keep_singletons)
    left_out += more
    sums = document_sums(overlaps_of(true, given))
    together = documents_together(sides)
    weight = sums["mentions"][:, 1] + sums["mentions"][:, 3]
    scoring = _Scoring(answered, together, weight, level)
    mean = scoring.of(np.column_stack([sums[name] for name in CONLL]), conll)
    if few := scoring.few_units():
        left_out.append(f"no interval: {few}")
    return CoreferenceScores(
        system=system,
        documents=len(sides),
        declined=int((~answered).sum()),
        true=int(sums["mentions"][:, 1].sum()),
        given=int(sums["mentions"][:, 3].sum()),
        conll=mean.value,
        conll_interval=mean.interval,
        conll_answered=mean.answered,
        scores=tuple(_score(name, sums[name], scoring) for name in MEASURES),
        level=level,
        recipe={
            "measure": "coreference",
            "singletons": "kept" if keep_singletons else "removed",
            "repeated": "first",
            "declined": "missing",
            "level": exactly(level),
            "n": str(len(sides)),
        },
        left_out=tuple(left_out),
    )


# -- clusters of a side ----------------------------------------------------------------


def _read(table: NamedColumns, column: str, answered: Flags) -> list[Clusters]:
    """The clusters of each document as they stand; none where it is declined."""
    clusters: list[Clusters] = []
    for row, given in enumerate(answered.tolist()):
        value, place = table.columns[column][row], table.place(row)
        if not given:
            clusters.append([])
            continue
        if is_gap(value):
            need, hint = "have clusters", "Of a document without clusters: []."
            raise InputError(place, column, need, shown(value), hint)
        clusters.append(clusters_of(place, column, unpacked(place, column, value)))
    return clusters


def _clusters(
    table: NamedColumns, side: str, answered: Flags | None, *, keep_singletons: bool
) -> tuple[list[Clusters], list[str]]:
    """Clusters without repeats and maybe singletons, and notes on what is left out."""
    answered = np.ones(len(table), bool) if answered is None else answered
    repeats = singletons = 0
    kept = []
    for document in _read(table, side, answered):
        clusters, more = without_repeats(document)
        repeats += more
        if not keep_singletons:
            clusters, alone = without_singletons(clusters)
            singletons += alone
        kept.append(clusters)
    name = _SIDES[side]
    notes = {
        f"{with_noun(repeats, 'mention')} of {name} stand again, in another cluster or "
        "the same, and count where they stand first": repeats,
        f"{with_noun(singletons, 'cluster')} of one mention left out of "
        f"{name}": singletons,
    }
    return kept, [note for note, many in notes.items() if many]


_SIDES: Final = {"ref": "the references", "hyp": "the hypotheses"}


# -- figures with intervals ------------------------------------------------------------


@dataclass(frozen=True)
class _CoreferenceFigure:
    """A figure of all documents, its interval, and that of those answered."""

    value: float | None
    interval: Ends
    answered: float | None


@dataclass(frozen=True, eq=False)
class _Scoring:
    """Which documents are answered, belong together, and what they weigh."""

    answered: Flags
    together: Any
    weight: Floats
    level: float

    def of(
        self, sums: Floats, figure: Callable[[Floats], Floats]
    ) -> _CoreferenceFigure:
        """A figure of sums, shape (n_documents, n_sums)."""
        value = _defined(figure(sums.sum(axis=0)))
        answered = _defined(figure(sums[self.answered].sum(axis=0)))
        units = np.column_stack([self._units(column) for column in sums.T])
        interval = None
        # A document that has all there is of a kind cannot be left out.
        if value is not None and not np.isnan(figure(units.sum(axis=0) - units)).any():
            weight = self._units(self.weight)
            interval = cluster_interval(
                units, figure, self.level, weight=weight, share=True
            )
        return _CoreferenceFigure(value, interval, answered)

    def _units(self, amounts: Floats) -> Floats:
        """Sums over documents that belong together, of those that have mentions."""
        sums: Floats = unit_sums(amounts, self.together)
        return sums[unit_sums(self.weight, self.together) > 0]

    def few_units(self) -> str:
        """Why there are no intervals; "" if there may be."""
        n_units = len(self._units(self.weight))
        if not 0 < n_units < FEWEST_UNITS:
            return ""
        return too_few(n_units, clustered=self.together is not None)


def _defined(value: Floats) -> float | None:
    return None if np.isnan(value) else float(value)


def _score(measure: str, sums: Floats, scoring: _Scoring) -> CoreferenceScore:
    names = "precision", "recall", "f"
    values = [scoring.of(sums, figure) for figure in FIGURES[measure]]
    named: dict[str, Any] = {}
    for name, value in zip(names, values, strict=True):
        named |= {name: value.value, f"{name}_interval": value.interval}
    return CoreferenceScore(measure, f_answered=values[-1].answered, **named)
