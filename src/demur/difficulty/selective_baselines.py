"""The verb for a system that knows nothing but how its values are spread."""

from typing import Final

import numpy as np

from demur.arrays import Floats, Positions
from demur.checks import choice
from demur.errors import InputError, shown
from demur.outcomes.fields import RIGHT, WRONG
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import codes_of
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes, check_outcomes

BASELINES: Final = ("majority", "majority-learned")
FOLDS: Final = 10


def selective_baseline(
    outcomes: Outcomes,
    markable: str,
    *,
    value: str | None = None,
    learned: bool = False,
    seed: int = 0,
) -> Outcomes:
    """A system that gives each markable's most frequent value, as sure as it is so.

    Its error-return curve is what a system has to beat that may decline: answering the
    items first whose markable is easy.

    Parameters
    ----------
    outcomes : Outcomes
        Of any systems; the items of the first are taken.
    markable : str
        The column with what is decided.
    value : str, optional
        The column with the true value; by default the references.
    learned : bool
        Count on other items: ten folds, whole clusters in one. By default the items
        themselves are counted, so that no system that sees only the markable can do
        better. A markable that was never learned has no guess.
    seed : int
        Of the folds.

    Returns
    -------
    Outcomes
        Of one system, "majority" or "majority (learned)".

    Raises
    ------
    InputError
        If a column is not there, or an item has no markable or no value.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[1, 0, 1, 1], reference=["shore", "money", "money", "go"],
    ...     groups={"word": ["bank", "bank", "bank", "run"]})
    >>> curve = demur.error_return(demur.selective_baseline(outcomes, "word"))
    >>> [round(float(rate), 2) for rate in curve.error], curve.system
    ([0.25, 0.0, 0.0], 'majority')
    """
    where = "selective_baseline"
    check_outcomes(where, outcomes)
    choice(where, "markable", markable, list(outcomes.groups))
    _, first = named_parts(outcomes)[0]
    if value is not None:
        choice(where, "value", value, list(outcomes.groups))
    references = first.reference if value is None else first.groups[value]
    if references is None:
        need = "be in the outcomes, as display columns"
        hint = "read_outcomes(display=True) reads them; or name a column of values."
        raise InputError(where, "references", need, "none", hint)
    of = _codes(where, "a markable", first.groups[markable])
    true = _codes(
        where, "a value", np.array([_countable(v) for v in references.tolist()], object)
    )
    fold = _folds(first, seed) if learned else np.zeros(len(first), np.int64)
    chosen, share = _majority(of, true, fold, learned=learned)
    name = "majority (learned)" if learned else "majority"
    guess = chosen >= 0
    return Outcomes(
        item=first.item,
        system=np.full(len(first), name, object),
        outcome=np.where(guess, np.where(chosen == true, RIGHT, WRONG), 2).astype(
            np.uint8
        ),
        confidence=np.where(guess, share, np.nan),
        answerable=first.answerable,
        weight=first.weight,
        cluster=first.cluster,
        groups=first.groups,
        recipe={
            "baseline": name,
            "markable": markable,
            **({} if value is None else {"value": value}),
            **({"folds": str(FOLDS), "seed": str(seed)} if learned else {}),
        },
    )


def _countable(value: object) -> object:
    """A value that can be counted."""
    return value if value is None or isinstance(value, (str, float)) else repr(value)


def _codes(where: str, what: str, column: object) -> Positions:
    codes, names = codes_of(column)
    for number, name in enumerate(names):
        if is_gap(name):
            row = int(np.argmax(codes == number))
            raise InputError(where, f"row {row + 1}", f"have {what}", shown(name))
    return codes


def _folds(outcomes: Outcomes, seed: int) -> Positions:
    units = outcomes.item if outcomes.cluster is None else outcomes.cluster
    codes, names = codes_of(units.tolist())
    drawn: Positions = np.random.default_rng(seed).permutation(len(names)) % FOLDS
    return drawn[codes]


def _majority(
    of: Positions, true: Positions, fold: Positions, *, learned: bool
) -> tuple[Positions, Floats]:
    """The most frequent value of each item's markable and its share; -1 without any."""
    chosen, share = np.full(len(of), -1), np.zeros(len(of))
    width = int(true.max()) + 1
    for number in np.unique(fold):
        asked = fold == number
        counted = ~asked if learned else asked
        pairs = of[counted] * width + true[counted]
        keys, counts = np.unique(pairs, return_counts=True)
        if not len(keys):
            continue
        owner = keys // width  # a key is markable x width + value
        order = np.lexsort((keys % width, -counts, owner))
        first = np.append(True, owner[order][1:] != owner[order][:-1])
        best = order[first]
        sizes = np.bincount(owner, counts)
        place = np.searchsorted(owner[best], of[asked])
        place = np.minimum(place, len(best) - 1)
        known = owner[best][place] == of[asked]
        picked = best[place]
        chosen[asked] = np.where(known, keys[picked] % width, -1)
        share[asked] = np.where(known, counts[picked] / sizes[owner[picked]], 0.0)
    return chosen, share
