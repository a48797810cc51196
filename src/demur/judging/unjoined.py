"""What does not join one to one: counted, refused or noted, as the policies say."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from demur.errors import InputError, shown
from demur.judging.join import References, Run
from demur.outcomes.refusals import several

_REFUSED: Final = {
    "unmatched": (
        *("every response", "have a reference", "{} without: {}"),
        "unmatched=leave_out leaves them out.",
    ),
    "repeated": (
        *("an item", "have one response per system, setting and repeat", "{} more: {}"),
        "repeated=first or repeated=last takes one; a column setting or repeat tells "
        "them apart.",
    ),
    "missing": (
        *("every item", "have a response", "none for {}: {}"),
        "missing=unanswered counts them as unanswered, missing=leave_out leaves them "
        "out.",
    ),
}
"""What is refused unless a policy says what becomes of it, and how that is said."""

_OF_PARTS: Final = {
    "unmatched": " unmatched=wrong counts parts that nobody asked for as wrong."
}
"""What is said besides where items have parts."""

_OF_REPEATS: Final = (
    " {} of these {} a response in another repeat: leave_out judges the repeats that "
    "are there, unanswered counts each that is lacking."
)
"""What is said besides where not all items have equally many repeats."""


@dataclass
class Odd:
    """What does not join: how much of it, of whom, and a few for the message."""

    count: int = 0
    repeats: int = 0
    first: list[str] = field(default_factory=list)
    place: str = ""
    by: Counter[str] = field(default_factory=Counter)

    def add(self, item: str, run: Run, place: str, more: str = "") -> None:
        """Count one more."""
        self.count += 1
        self.by[run.label] += 1
        self.place = self.place or place
        if len(self.first) < 3:
            self.first.append(f"{shown(item)}{run}{more}")

    def __str__(self) -> str:
        more = self.count - len(self.first)
        return "; ".join(self.first) + (f"; and {more} more" if more else "")


class Unjoined:
    """Responses without a reference, repeated ones, and items without a response.

    Parameters
    ----------
    policies : mapping of name to str
        What becomes of each.

    Examples
    --------
    >>> odd = Unjoined({"unmatched": "error", "repeated": "last", "missing": "error"})
    >>> odd.add("repeated", "q1", Run(("a", None, None), 0, 1), "row 2")
    >>> odd.refuse("repeated")
    >>> list(odd.notes(lambda by: []))
    ['1 repeated response: the last one counts (repeated=last)']
    """

    def __init__(self, policies: Mapping[str, str]) -> None:
        self._policies = policies
        self._odd = {name: Odd() for name in _REFUSED}
        self.log: Callable[[], str] = str  # how responses were read, once they are

    def add(self, name: str, item: str, run: Run, place: str, more: str = "") -> None:
        """Count one more."""
        self._odd[name].add(item, run, place, more)

    def add_missing(
        self, asked: tuple[str, int], run: Run, place: str, runs: Iterable[Run]
    ) -> None:
        """Count one more item, by its name and number, that lacks a response."""
        item, number = asked
        self.add("missing", item, run, place)
        if self._policies["missing"] == "error":
            same = (run.system, run.setting)
            others = (other for other in runs if (other.system, other.setting) == same)
            answered = any(other.get(number) is not None for other in others)
            self._odd["missing"].repeats += answered

    def count(self, name: str) -> int:
        """How many there are."""
        return self._odd[name].count

    def refuse(self, name: str, *, parts: bool = False) -> None:
        """Refuse what does not join, if the policy says so.

        Raises
        ------
        InputError
            If there is any of it.
        """
        odd = self._odd[name]
        # Unmatched are wrong at most among parts of items that are known.
        if odd.count and self._policies[name] in ("error", "wrong"):
            what, need, got, hint = _REFUSED[name]
            hint += _OF_PARTS.get(name, "") if parts else ""
            if odd.repeats:
                have = "has" if odd.repeats == 1 else "have"
                hint += _OF_REPEATS.format(f"{odd.repeats:,}", have)
            raise InputError(odd.place, what, need, got.format(odd.count, odd), hint)

    def refuse_nothing(self, references: References) -> None:
        """Refuse responses of which none joins.

        Raises
        ------
        InputError
            Always; it says how ids differ, if there are responses.
        """
        odd = self._odd["unmatched"]
        if not odd.count:
            need = "hold at least one response"
            raise InputError("judge", "responses", need, "none")
        got = (
            f"none: the responses have items such as {odd.first[0]} "
            f"({odd.place}), the references such as "
            f"{shown(references.items[0])} ({references.places[0]})"
        )
        hint = "Are both ids of the same column? They are compared as text."
        if odd.first[0].startswith(f"{shown('1')} ") or odd.first[0] == shown("1"):
            hint += (
                " If these are row numbers and both files have one order, type "
                "--reference-columns 'item=row()'."
            )
            reader, _, options = self.log().partition("(")
            if "item=row" in options:
                hint += (
                    f" Else --log '{reader}(item=PATH)' names their ids, such as id."
                )
        what, need = "responses and references", "have items in common"
        raise InputError("judge", what, need, got, hint)

    def notes(self, whose: Callable[[Counter[str]], list[str]]) -> Iterator[str]:
        """How many responses and items did not join, and what became of them."""
        fates = {"leave_out": "left out", "unanswered": "counted as unanswered"}
        words = {
            "unmatched": ("response", " without a reference"),
            "repeated": ("repeated response", ""),
            "missing": ("item", " without a response"),
        }
        for name, (noun, rest) in words.items():
            policy, odd = self._policies[name], self._odd[name]
            if odd.count:
                fate = fates.get(policy, f"the {policy} one counts")
                of_whom = "; ".join((f"{name}={policy}", *whose(odd.by)))
                yield f"{several(odd.count, noun)}{rest}: {fate} ({of_whom})"
