"""The verb that says how hard a task is before anyone tries it."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats
from demur.checks import check_level
from demur.difficulty.entropies import ESTIMATORS, plug_in
from demur.difficulty.pruning import (
    MarkableCondition,
    parse_condition,
    without_markables,
    without_ranks,
)
from demur.difficulty.task_intervals import (
    baseline_ends,
    drawn_task,
    entropy_ends,
    notes_on,
    true_baseline,
    true_entropy,
)
from demur.difficulty.tasks import MarkableTask, task_of, task_of_counts
from demur.errors import InputError, shown
from demur.results import Column, Figure, FigureKind, Result, Table, count, exactly

FEWEST: Final = 5
"""Of markables with fewer items no corrected entropy is shown."""
STRATA: Final = (0.0, 0.5, 1.0, 2.0, 4.0)
"""Upper ends, in bits, of the strata of items that a report counts; 0 is sure."""
_APART: Final = 0.05
_DILUTED: Final = 0.2


@dataclass(frozen=True, eq=False, repr=False)
class MarkableDifficulty(Result):
    """How hard one markable is.

    Parameters
    ----------
    markable : str
        What is decided, such as a word.
    items, values : int
        How often it is to be decided, and between how many values.
    majority : str
        The most frequent value; of equally frequent ones the first by name.
    baseline : float
        Its share: the accuracy of always taking it.
    entropy : float
        Bits, plug-in.
    chao_shen : float or None
        Bits, corrected for few counts; None below five items.
    """

    markable: str
    items: int
    values: int
    majority: str
    baseline: float
    entropy: float
    chao_shen: float | None

    @property
    def total_bits(self) -> float:
        """Bits of all items."""
        return self.items * self.entropy


@dataclass(frozen=True, eq=False, repr=False)
class Difficulty(Result):
    """How hard a task is: markables, their values, and how these are spread.

    Parameters
    ----------
    items, markables, values : int
        Items; what is decided; pairs of a markable and a value.
    baseline : float
        Proportional baseline: the accuracy of each markable's most frequent value.
    entropy : float
        Task entropy in bits: the mean over items of -log2 of the share of their value.
    true_baseline, true_entropy : float
        The same of the task that these items (or clusters) were drawn from, by the
        jackknife: shares as seen make the one too high and the other too low.
    true_baseline_interval, true_entropy_interval : (float, float) or None
        Of these; None if there are fewer than five items or clusters. The entropy has
        an infinite upper end where most items have a value, or a markable, that no
        other item or cluster has.
    total_bits, perplexity : float
        items x entropy; 2 ** entropy, the number of equally likely values that would be
        as hard.
    chance, prior : float
        The accuracy of drawing one of the markable's values, and of drawing one by its
        share.
    miller_madow, chao_shen, grassberger : float
        Task entropy corrected for few counts; markables with fewer than five items keep
        their own.
    single_valued, few : float
        Shares of the items whose markable has one value, and fewer than five items.
    strata : tuple of (bits, items)
        How many items have so many bits or less, and more than the stratum before; the
        last has no upper end.
    notes, steps : tuple of str
        What a reader must know; how the task was pruned.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        For the signature.
    task : MarkableTask
        The counts that all of this is read off.
    closed : bool
        Whether markables have no other values than those seen.
    """

    KINDS = (
        FigureKind("baseline", "the proportional baseline", better="higher"),
        FigureKind("entropy", "the entropy per item", "bits", most=math.inf),
        FigureKind("true_baseline", "the true baseline, estimated", better="higher"),
        FigureKind(
            *("true_entropy", "the true entropy per item, estimated", "bits"),
            most=math.inf,
        ),
        FigureKind("total_bits", "the bits in all", "bits", most=math.inf),
        FigureKind("perplexity", "the perplexity", "number", least=1.0, most=math.inf),
        FigureKind("chance", "the accuracy of chance", better="higher"),
        FigureKind("prior", "the accuracy of drawing by shares", better="higher"),
        *(
            FigureKind(name, f"the entropy by {words}", "bits", most=math.inf)
            for name, words in (
                ("miller_madow", "Miller and Madow"),
                ("chao_shen", "Chao and Shen"),
                ("grassberger", "Grassberger"),
            )
        ),
        FigureKind("single_valued", "the items of markables with one value"),
        FigureKind("few", "the items of markables with fewer than five"),
        count("items", "items"),
        count("markables", "markables"),
        count("values", "pairs of a markable and a value"),
    )

    items: int
    markables: int
    values: int
    baseline: float
    entropy: float
    true_baseline: float
    true_entropy: float
    true_baseline_interval: tuple[float, float] | None
    true_entropy_interval: tuple[float, float] | None
    total_bits: float
    perplexity: float
    chance: float
    prior: float
    miller_madow: float
    chao_shen: float
    grassberger: float
    single_valued: float
    few: float
    strata: tuple[tuple[float | None, int], ...]
    notes: tuple[str, ...]
    steps: tuple[str, ...]
    level: float
    recipe: dict[str, str] = field(default_factory=dict)
    task: MarkableTask = field(repr=False, compare=False, default=None)  # type: ignore[assignment]
    closed: bool = field(repr=False, default=False)

    @property
    def per_markable(self) -> list[MarkableDifficulty]:
        """Every markable, those with most items first."""
        task = self.task
        n = len(task.markables)
        items, entropy = task.items, plug_in(task.count, task.markable, n)
        corrected = _corrected(task, "Chao-Shen", closed=self.closed)
        values = np.bincount(task.markable, minlength=n)
        best = np.flatnonzero(task.majority)  # one of each markable, in their order
        order = sorted(range(n), key=lambda k: (-items[k], task.markables[k]))
        return [
            MarkableDifficulty(
                markable=task.markables[k],
                items=int(items[k]),
                values=int(values[k]),
                majority=task.values[int(task.value[best[k]])],
                baseline=float(task.share[best[k]]),
                entropy=float(entropy[k]),
                chao_shen=float(corrected[k]) if items[k] >= FEWEST else None,
            )
            for k in order
        ]

    def item_table(self) -> dict[str, Any]:
        """One row for each item, as columns: what every figure here is a mean of.

        Returns
        -------
        mapping of str to array, shape (n_items,)
            ``markable``, ``value``, ``p`` (the share of the value), ``surprisal``
            (bits), ``is_majority``, ``rank`` (1 is the most frequent); ``item`` if
            items have names.
        """
        task, pair = self.task, self.task.pair
        markables = np.array(list(task.markables), object)
        values = np.array(list(task.values), object)
        named = {} if task.item is None else {"item": np.asarray(task.item)}
        return {
            **named,
            "markable": markables[task.markable[pair]],
            "value": values[task.value[pair]],
            "p": task.share[pair],
            "surprisal": task.surprisal[pair],
            "is_majority": task.majority[pair],
            "rank": task.rank[pair],
        }

    def prune(
        self,
        keep: str | Callable[[MarkableDifficulty], bool] | Sequence[str] = (),
        *,
        drop_ranks: Sequence[int] = (),
        order: str = "frequency",
    ) -> "Difficulty":
        """The task without some values, then without some markables, measured again.

        Parameters
        ----------
        keep : str, sequence of str, or function of a `MarkableDifficulty`
            Markables on which these hold stay: ``"majority <= 0.9"`` (the share of
            the most frequent value), ``"entropy > 1"``, ``"items >= 10"``, ``"values
            >= 2"``. Horizontal pruning.
        drop_ranks : sequence of int
            Items whose value has this place go: vertical pruning. It comes first, so
            that both together are diagonal pruning.
        order : {"frequency", "appearance"}
            Places by frequency, ties by name; or by first appearance in the table.

        Returns
        -------
        Difficulty
            Its signature names the steps.

        Raises
        ------
        InputError
            If nothing would be left, or a condition cannot be read.

        Examples
        --------
        >>> import demur
        >>> task = demur.difficulty_of_counts(
        ...     {"bank": {"building": 1, "institution": 2, "shore": 1},
        ...      "run": {"motion": 2, "storm": 1}})
        >>> easier = task.prune(drop_ranks=[3])
        >>> easier.items, round(easier.entropy, 3), easier.steps
        (6, 0.918, ('without values of rank 3 by frequency',))
        """
        task, steps = self.task, list(self.steps)
        if drop_ranks:
            task = without_ranks(task, list(drop_ranks), order)
            listed = ", ".join(map(str, drop_ranks))
            steps.append(f"without values of rank {listed} by {order}")
        if callable(keep):
            task = task.take(self._on(task)._kept_by(keep))
            steps.append(f"markables kept by {getattr(keep, '__name__', 'a function')}")
        elif conditions := _conditions(keep):
            task = without_markables(task, conditions)
            steps += [f"markables with {condition.text}" for condition in conditions]
        return self._on(task, steps)

    def _on(self, task: MarkableTask, steps: Sequence[str] = ()) -> "Difficulty":
        return _measured(task, self.recipe, self.level, closed=self.closed, steps=steps)

    def _kept_by(self, keep: Callable[[MarkableDifficulty], bool]) -> Any:
        kept = {figures.markable for figures in self.per_markable if keep(figures)}
        if not kept:
            raise InputError("prune", "keep", "hold for some markable", "none of them")
        names = self.task.markables
        return np.array([names[k] in kept for k in self.task.markable.tolist()])

    def to_dict(self) -> dict[str, Any]:
        """The task and each markable as plain values."""
        plain = super().to_dict()
        listed = [figures.to_dict() for figures in self.per_markable]
        signature = plain.pop("signature")
        return {**plain, "per_markable": listed, "signature": signature}

    def sentence(self) -> str:
        """What the baseline gets right, and how much is left to decide."""
        share = f"{100 * self.baseline:.3g} % of {self.items} items"
        return (
            f"Always taking the most frequent value is right on {share}; what is left "
            f"to decide is {self.entropy:.3f} bits an item, as much as "
            f"{self.perplexity:.2f} equally likely values."
        )

    def figures(self) -> Iterator[Figure]:
        """All of them; those of the true task with their intervals."""
        for kind in self.KINDS:
            ends = getattr(self, f"{kind.name}_interval", None)
            yield self.figure(kind, getattr(self, kind.name), ends)

    def tables(self) -> tuple[Table, Table, Table]:
        """The task; its markables, those with most bits first; strata of its items."""
        markables = sorted(self.per_markable, key=lambda one: -one.total_bits)
        rows = [
            tuple(getattr(one, column.key) for column in _MARKABLES)
            for one in markables
        ]
        return (
            Table("", TASK_COLUMNS, (self.row(),), key=0),
            Table("Markables, by their bits in all", _MARKABLES, tuple(rows), most=10),
            Table("Items, by the bits of their value", _STRATA, self._strata_rows()),
        )

    def row(self) -> tuple[Any, ...]:
        """The task in one row, under `TASK_COLUMNS`."""
        return tuple(getattr(self, column.key) for column in TASK_COLUMNS)

    def _strata_rows(self) -> tuple[tuple[str, int, float], ...]:
        rows, low = [], ""
        for bits, items in self.strata:
            name = f"more than {low}" if bits is None else f"up to {bits:g}"
            rows.append((name, items, items / self.items))
            low = "" if bits is None else f"{bits:g}"
        return tuple(rows)


_COUNTS: Final = (
    Column("items", cells="count", explained="what is decided, each once"),
    Column("values", cells="count", explained="pairs of a markable and a value"),
)
_BASELINE: Final = Column(
    "baseline", "", "share", "accuracy of each markable's most frequent value"
)
_ENTROPY: Final = Column(
    "entropy", "bits per item", "bits", "of values, given the markable", digits=3
)
_TOTAL: Final = Column("total_bits", "", "bits", "items x bits per item", digits=1)
_CHAO_SHEN: Final = Column(
    "chao_shen", "Chao-Shen", "bits", "bits corrected for few counts", digits=3
)
TASK_COLUMNS: Final = (
    _COUNTS[0],
    Column("markables", cells="count", explained="what items are grouped by"),
    *(_COUNTS[1], _BASELINE),
    Column("true_baseline_interval", "true baseline", "share", "its interval"),
    _ENTROPY,
    Column(
        *("true_entropy_interval", "true bits", "bits"),
        "interval of bits per item of the task that these were drawn from",
        digits=3,
    ),
    Column("true_entropy", "jackknife", "bits", "bits per item, corrected", digits=3),
    _TOTAL,
    Column("perplexity", "", "number", "equally likely values as hard", digits=2),
    _CHAO_SHEN,
    Column("chance", "", "share", "accuracy of drawing one of the values"),
    Column("prior", "", "share", "accuracy of drawing one by its share"),
    Column("miller_madow", "Miller-Madow", "bits", "bits, corrected", wide=True),
    Column("grassberger", "Grassberger", "bits", "bits, corrected", wide=True),
)
_MARKABLES: Final = (
    *(Column("markable"), *_COUNTS, _BASELINE, _ENTROPY, _CHAO_SHEN, _TOTAL),
    Column("majority", "most frequent", wide=True),
)
_STRATA: Final = (
    Column("bits", "bits of an item"),
    Column("items", cells="count", explained="what is decided, each once"),
    Column("share", cells="share", explained="of all items"),
)


def difficulty(
    tokens: Any,
    *,
    markable: str | Sequence[str],
    value: str,
    cluster: str | None = None,
    item: str | None = None,
    closed: bool = False,
    level: float = 0.95,
) -> Difficulty:
    """How hard it is to say which value each item has, given its markable.

    Three figures belong together, since they can disagree: the proportional baseline
    (higher is easier), bits per item and bits in all (higher is harder). A further
    markable that is easier than the others lowers bits per item and raises bits in all.

    Parameters
    ----------
    tokens : dataframe, mapping of column to sequence, or records
        One row for each item.
    markable : str or sequence of str
        The columns that say what is decided, such as lemma and part of speech.
    value : str
        The column with the answer, such as the sense.
    cluster : str, optional
        The column of documents or dialogues, by which intervals are taken.
    item : str, optional
        The column with names of items.
    closed : bool
        Markables have no other values than those in the table: no corrected entropy is
        above log2 of their number.
    level : float
        Of the intervals.

    Returns
    -------
    Difficulty

    Raises
    ------
    InputError
        If a column is not there, or a row has no markable or value.

    References
    ----------
    Porzel and Malaka (2004), "Towards Measuring Scalability in Natural Language
    Understanding Tasks", section 4.

    Examples
    --------
    >>> import demur
    >>> tokens = {"word": ["bank"] * 4 + ["run"] * 3,
    ...           "sense": ["building", *["institution"] * 2, "shore",
    ...                     "storm", "motion", "motion"]}
    >>> found = demur.difficulty(tokens, markable="word", value="sense")
    >>> round(found.baseline, 2), round(found.entropy, 2), round(found.total_bits, 2)
    (0.57, 1.25, 8.75)
    """
    where = "difficulty"
    markable = checks.names(where, "markable", markable)
    for name, column in (("value", value), ("cluster", cluster), ("item", item)):
        if column is not None or name == "value":
            checks.text(where, name, column)
    check_level(where, level)
    checks.truth(where, "closed", closed)
    task = task_of(where, tokens, markable, value, cluster=cluster, item=item)
    recipe = {"markable": ",".join(markable), "value": value}
    recipe |= {} if cluster is None else {"cluster": cluster}
    recipe |= {"closed": "yes"} if closed else {}
    return _measured(task, recipe, level, closed=closed)


def difficulty_of_counts(
    counts: Mapping[str, Mapping[str, int]], *, closed: bool = False
) -> Difficulty:
    """How hard a task is whose values are counted already.

    Parameters
    ----------
    counts : mapping of markable to mapping of value to count
        How often each value of each markable is seen.
    closed : bool
        As for `difficulty`.

    Returns
    -------
    Difficulty
        Its intervals take items as independent.

    Raises
    ------
    InputError
        If a count is not a whole number, or there is none.

    Examples
    --------
    >>> import demur
    >>> found = demur.difficulty_of_counts({"c4": {"b1": 16, "b2": 4, "b3": 4}})
    >>> found.items, round(found.baseline, 3), round(found.entropy, 3)
    (24, 0.667, 1.252)
    """
    checks.mapping("difficulty_of_counts", "counts", counts)
    checks.truth("difficulty_of_counts", "closed", closed)
    for name, values in counts.items():
        checks.mapping("difficulty_of_counts", f"counts of {name}", values)
    task = task_of_counts("difficulty_of_counts", counts)
    recipe = {"from": "counts", **({"closed": "yes"} if closed else {})}
    return _measured(task, recipe, 0.95, closed=closed)


def _conditions(keep: Any) -> list[MarkableCondition]:
    listed = [keep] if isinstance(keep, str) else list(keep)
    for condition in listed:
        if not isinstance(condition, str):
            need = "be conditions such as 'majority <= 0.9', or a function"
            raise InputError("prune", "keep", need, shown(condition))
    return [parse_condition(condition) for condition in listed]


# -- one task --------------------------------------------------------------------------


def _measured(
    task: MarkableTask,
    recipe: Mapping[str, str],
    level: float,
    *,
    closed: bool,
    steps: Sequence[str] = (),
) -> Difficulty:
    n_items, n = len(task), len(task.markables)
    drawn, best = drawn_task(task), task.majority
    sizes = np.bincount(task.markable, minlength=n)
    total = float(task.surprisal @ task.count)
    entropy = total / n_items
    corrected = {
        field: float(_corrected(task, name, closed=closed) @ task.items / n_items)
        for field, name in _CORRECTED.items()
    }
    single = float(task.items[sizes == 1].sum() / n_items)
    few = float(task.items[task.items < FEWEST].sum() / n_items)
    pruned = {"pruned": "; ".join(steps)} if steps else {}
    anew = ("pruned", "level", "items")
    kept = {name: text for name, text in recipe.items() if name not in anew}
    return Difficulty(
        items=n_items,
        markables=n,
        values=len(task.markable),
        baseline=float(task.count[best].sum() / n_items),
        entropy=entropy,
        true_baseline=true_baseline(drawn),
        true_entropy=true_entropy(drawn, closed=closed),
        true_baseline_interval=baseline_ends(drawn, level, closed=closed),
        true_entropy_interval=entropy_ends(drawn, level, closed=closed),
        total_bits=total,
        perplexity=float(2**entropy),
        chance=float((task.items / sizes).sum() / n_items),
        prior=float((task.count * task.share).sum() / n_items),
        **corrected,
        single_valued=single,
        few=few,
        strata=strata_of(task, np.ones(len(task.markable), bool)),
        notes=(
            *_notes(entropy, corrected["chao_shen"], single, few),
            *notes_on(drawn, closed=closed),
        ),
        steps=tuple(steps),
        level=level,
        recipe={**kept, **pruned, "level": exactly(level), "items": str(n_items)},
        task=task,
        closed=closed,
    )


_CORRECTED: Final = {
    "miller_madow": "Miller-Madow",
    "chao_shen": "Chao-Shen",
    "grassberger": "Grassberger",
}


def _corrected(task: MarkableTask, estimator: str, *, closed: bool) -> Floats:
    """Entropies of markables; those with few items keep the plug-in."""
    n = len(task.markables)
    plain = plug_in(task.count, task.markable, n)
    entropies = ESTIMATORS[estimator](task.count, task.markable, n)
    if closed:  # so many values cannot have more bits
        sizes = np.bincount(task.markable, minlength=n)
        entropies = np.minimum(entropies, np.log2(sizes))
    kept: Floats = np.where(task.items < FEWEST, plain, entropies)
    return kept


def strata_of(task: MarkableTask, pairs: Flags) -> tuple[tuple[float | None, int], ...]:
    """The items of some pairs, by their bits in the task."""
    # A share of 1/2 is 1 bit, whatever rounding has made of the logarithm.
    places = np.searchsorted(STRATA, task.surprisal - 1e-12)
    counts = (
        np.bincount(places, task.count * pairs, len(STRATA) + 1).astype(int).tolist()
    )
    return tuple(zip((*STRATA, None), counts, strict=True))


def _notes(entropy: float, chao_shen: float, single: float, few: float) -> list[str]:
    notes = []
    if entropy and abs(chao_shen / entropy - 1) > _APART:
        notes.append(
            f"few counts: corrected by Chao and Shen the entropy is {chao_shen:.3f}, "
            f"not {entropy:.3f}"
        )
    if few > _APART:
        notes.append(
            f"{100 * few:.3g} % of the items are of markables with fewer than {FEWEST}"
        )
    if single == 1:
        notes.append("markables all have one value: there is no choice")
    elif single > _DILUTED:
        notes.append(
            f"diluted: {100 * single:.3g} % of the items are of markables with one "
            "value, which lower bits per item; keep 'values >= 2' leaves them out"
        )
    return notes
