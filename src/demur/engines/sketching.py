"""The verb that counts outcomes for elsewhere: numbers travel, items do not."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from demur import checks
from demur.curves import blocks as blocks_
from demur.curves.blocks import Blocks, Cut
from demur.curves.counted import (
    FEWEST_BLOCKS,
    MOST_BLOCKS,
    CountedPart,
    CountingEngine,
    Counts,
    first_cuts,
)
from demur.curves.counted_outcomes import CountedOutcomes
from demur.engines.memory import MemoryEngine
from demur.engines.sketches import Sketch, part_table
from demur.errors import InputError, shown
from demur.outcomes.table import Outcomes, check_outcomes, part_name


def sketch(
    outcomes: Outcomes | CountedOutcomes,
    *,
    by: str | Sequence[str] = (),
    blocks: int | None = None,
    like: Sketch | None = None,
    least_count: int = 0,
    hashes: bool = True,
) -> Sketch:
    """Count outcomes for others, who put their curve together without the items.

    Parameters
    ----------
    outcomes : Outcomes or CountedOutcomes
        Judged responses of any number of systems.
    by : str or sequence of str
        Columns whose values cut the items into groups.
    blocks : int, optional
        About how many blocks of confidences there are, if there are more different
        ones. Left out: every confidence has its own up to 1,048,576 different ones, and
        more are cut into about 65,536 blocks.
    like : Sketch, optional
        Confidences are cut as in this one, so that all ends of blocks stay exact. Its
        `least_count` holds here too.
    least_count : int
        Blocks are put together until each has so many guesses.
    hashes : bool
        Whether hashes of some items are kept, so that items in two sketches are seen.
        Whoever can guess the name of an item can find out by them whether it is there.

    Returns
    -------
    Sketch
        Counts by system, setting, group and confidence.

    Raises
    ------
    InputError
        If labels are missing for a part of the rows, or a part has fewer guesses than
        `least_count`.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2", "q3"], correct=[1, 0, 1], confidence=[0.9, 0.9, 0.4])
    >>> demur.sketch(outcomes).n_blocks
    2
    """
    _check_arguments(blocks, like, least_count)
    if like is not None:
        least_count = max(least_count, like.least_count)
    groups = checks.names("sketch", "by", by)
    if "item" in groups:
        raise InputError("sketch", "by", "name no items", "item", "Counts travel.")
    engine = (
        outcomes.engine
        if isinstance(outcomes, CountedOutcomes)
        else MemoryEngine(_rows(outcomes))
    )
    counts = Counts(engine, groups)
    if any(part.unlabelled for part in counts.parts):
        raise _unlabelled()
    counts.cuts = (
        first_cuts(engine, counts.parts, blocks)
        if like is None
        else _cuts_like(like, engine, counts.parts)
    )
    counted = [counts.blocks(place) for place in range(len(counts.parts))]
    if least_count:
        pairs = zip(counts.parts, counted, strict=True)
        counted = [_coarser(part, held, least_count) for part, held in pairs]
    identity = engine.identity()
    parts = tuple(replace(part, notes=()) for part in counts.parts)
    return Sketch(
        items=sum(part.totals.items for part in counts.parts),
        by=tuple(counts.parts[0].group),
        fields=identity.fields,
        data=identity.data or (_hash_of_counts(parts, counted),),
        least_count=int(least_count),
        hashes=identity.hashes if hashes else (),
        cuts=tuple(counts.cuts),
        parts=parts,
        clusters=counts.clusters,
        blocks=tuple(counted),
        recipe=outcomes.recipe,
    )


def _hash_of_counts(parts: Sequence[CountedPart], counted: Sequence[Blocks]) -> str:
    """What stands for the data where items have no names: all that was counted."""
    texts = []
    for part, blocks in zip(parts, counted, strict=True):
        amounts = (blocks.low, blocks.high, blocks.amounts)
        hashed = hashlib.sha256(b"".join(amount.tobytes() for amount in amounts))
        table = part_table(part, None, len(blocks))
        texts.append(json.dumps(table, sort_keys=True) + hashed.hexdigest())
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:32]


def _cuts_like(
    like: Sketch, engine: CountingEngine, parts: Sequence[CountedPart]
) -> Sequence[Cut]:
    """The cuts of a sketch, up to the ends of what an engine has."""
    apart = not like.cuts or any(not cut.width for cut in like.cuts)
    if apart:  # that may be too many here
        return first_cuts(engine, parts)
    low, high = like.cuts[0].low, like.cuts[-1].high
    outer = (Cut(-np.inf, low, np.inf), Cut(high, np.inf, np.inf))
    cuts = [*outer[: low > -np.inf], *like.cuts, *outer[1:][: high < np.inf]]
    return blocks_.up_to_ends(cuts, engine.ends(), MOST_BLOCKS)


def _rows(outcomes: Outcomes) -> Outcomes:
    """Rows in memory that all have a verdict."""
    check_outcomes("sketch", outcomes)
    if outcomes.label_weight is not None:
        raise _unlabelled()
    return outcomes


def _unlabelled() -> InputError:
    need, got = "have a verdict for every row", "labels of a part"
    hint = "Labels that were drawn are weighed by rows, which do not travel."
    return InputError("sketch", "outcomes", need, got, hint)


def _check_arguments(blocks: int | None, like: Sketch | None, least_count: int) -> None:
    if blocks is not None:
        checks.whole("sketch", "blocks", blocks, FEWEST_BLOCKS)
    if like is not None:
        checks.of_kind("sketch", "like", like, Sketch)
        if blocks is not None:
            need, got = "come without blocks", f"{blocks} blocks"
            raise InputError("sketch", "like", need, got)
    checks.whole("sketch", "least_count", least_count)


def _coarser(part: CountedPart, blocks: Blocks, least: int) -> Blocks:
    """Blocks of so many guesses; a part that has fewer is refused."""
    guesses = part.totals.items - part.totals.unanswered
    if guesses < least:
        name = part_name(part.system, part.group) or "the nameless system"
        hint = "Take fewer groups, or leave those rows out (--where)."
        need = f"have at least {least} guesses each"
        raise InputError(
            "sketch", "the parts", need, f"{guesses} of {shown(name)}", hint
        )
    return blocks_.coarser(blocks, least)
