"""Which modules broke: in how many turns, of which run, and what was raised first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from demur.arrays import Flags
from demur.pipelines.engine import FREE, STATE_WORDS
from demur.pipelines.turn_parts import RanTurn
from demur.results import Result


@dataclass(frozen=True, eq=False, repr=False)
class BrokenModule(Result):
    """A module that broke, in the run in which it did so most often.

    Parameters
    ----------
    name : str
    turns, items : int
        Turns that count in which it broke, and all that count.
    replaced : str
        Which modules were replaced by what in this run; empty if none was.
    state : {"corrected", "free"}
    first : str
        The first of these turns, as ``DIALOGUE:TURN``.
    why : str
        What it raised there.
    as_it_is : int or None
        Turns in which it broke where the pipeline was run as it is, free-running if it
        was run so; None if something was replaced in all runs.
    """

    SAYS = "{name} broke in {turns} turns, first at {first}: {why}."

    name: str
    turns: int
    items: int
    replaced: str
    state: str
    first: str
    why: str
    as_it_is: int | None = None

    def sentence(self) -> str:
        """How often, in which state, what was raised, and what follows."""
        how = STATE_WORDS[self.state]
        if self.replaced:
            how += f", {self.replaced}"
        turns, count = f"{self.turns:,} turns", "count"
        if self.turns == 1:
            turns, count = "1 turn", "counts"
        says = (
            f"{self.name} broke in {turns} of {self.items:,} ({how}), which {count} as "
            f"wrong; first at {self.first}: {self.why}."
        )
        if self.as_it_is == 0:
            says += (
                f" As the pipeline is ({STATE_WORDS[FREE]}), it does not break: see "
                "whether the targets have the form of what the modules put out."
            )
        return says


class RunOf(NamedTuple):
    """What came out of a run in which some modules were replaced.

    Parameters
    ----------
    replaced : str
        Which modules by what; empty if none was.
    state : {"corrected", "free"}
    places : sequence of str
        ``DIALOGUE:TURN`` of each turn.
    turns : sequence of RanTurn or None
        Of all repeats, one after the other.
    counted : array of bool, shape (n_rows,)
        The turns that count.
    """

    replaced: str
    state: str
    places: Sequence[str]
    turns: Sequence[RanTurn | None]
    counted: Flags


def broken_modules(runs: Iterable[RunOf]) -> tuple[BrokenModule, ...]:
    """The modules that broke in any of the runs, those that broke most often first."""
    runs = sorted(runs, key=lambda run: run.state != FREE)
    counts = [Counter(name for _, name, _ in _breaks(run)) for run in runs]
    as_it_is = next((at for at, run in enumerate(runs) if not run.replaced), None)
    broken = []
    for name in dict.fromkeys(name for of_run in counts for name in of_run):
        at = max(range(len(runs)), key=lambda at: counts[at][name])
        run = runs[at]
        row, why = next((row, why) for row, of, why in _breaks(run) if of == name)
        broken.append(
            BrokenModule(
                name=name,
                turns=counts[at][name],
                items=int(run.counted.sum()),
                replaced=run.replaced,
                state=run.state,
                first=run.places[row % len(run.places)],
                why=why,
                as_it_is=None if as_it_is is None else counts[as_it_is][name],
            )
        )
    return tuple(sorted(broken, key=lambda module: -module.turns))


def broken_words(broken: Sequence[BrokenModule]) -> str:
    """What is said of all of them behind the first sentence; nothing if none broke."""
    return " ".join(module.sentence() for module in broken)


def _breaks(run: RunOf) -> Iterator[tuple[int, str, str]]:
    """The rows that count in which a module broke, with its name and what it raised."""
    rows = zip(run.turns, run.counted.tolist(), strict=True)
    for row, (turn, counts) in enumerate(rows):
        if counts and turn is not None:
            for name, why in turn.failed.items():
                yield row, name, why


def failed_notes(failed: int) -> tuple[str, ...]:
    """That modules broke in so many turns; nothing if in none.

    Examples
    --------
    >>> failed_notes(2), failed_notes(0)
    (('turns in which a module broke: 2',), ())
    """
    return (f"turns in which a module broke: {failed:,}",) if failed else ()
