"""The cutoffs of several systems by one rule: who does best by what was asked."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from demur.decisions.choice_tables import base_words, percent, price_words
from demur.decisions.choices import Choice
from demur.results import Figure, Results
from demur.results.gates import NAMELESS, Gate

_UNTESTED = "Whether that is luck is not tested here: demur compare does."


class Choices(Results[Choice]):
    """The choices of several systems by one rule, each on its own data.

    Parameters
    ----------
    results : iterable of Choice
        In the order of the data.
    without : mapping of str to str
        Systems for which no cutoff can be chosen, and why.

    Examples
    --------
    >>> import demur
    >>> correct = {"a": [1, 1, 0, 1], "b": [1, 0, 0, 1]}
    >>> both = demur.Choices(
    ...     demur.choose(
    ...         demur.Outcomes.from_arrays(
    ...             system=name, correct=right, confidence=[4, 3, 2, 1]),
    ...         max_error=0.1)
    ...     for name, right in correct.items())
    >>> print(both.sentence()[:64])
    a answers most with an error over all items of at most 0.1: 0 %
    >>> both.to_frame("polars")["system"].to_list()
    ['a', 'b']
    """

    without: Mapping[str, str] = MappingProxyType({})

    @property
    def ranked(self) -> list[Choice]:
        """The choices, the best by the rule first."""
        return sorted(self, key=_rank)

    def sentence(self) -> str:
        """Who does best by the rule, who follows, and what is promised."""
        if len(self) == 1:
            return self[0].sentence()
        first, second = self.ranked[:2]
        where = "" if first.held_out is None else "On held-out items "
        best = _best(first, second, len(self))
        lines = [f"{where}{best}{self._silent()}."]
        if first.cutoff is not None:
            lines[0] += f" {_UNTESTED}"
        certified = next((each for each in self if each.found and each.certainty), None)
        if certified is not None:
            lines.append(certified.certified_words(" for each system by itself"))
        return "\n".join(lines)

    def _silent(self) -> str:
        """How many systems answer nothing, unless the best one is among them."""
        silent = sum(each.cutoff is None for each in self)
        if not silent or self.ranked[0].cutoff is None:
            return ""
        return f"; for {silent} of the {len(self)} systems the choice is silence"

    def figures(self) -> Iterator[Figure]:
        """The figures of all; none is defined of a system without a choice."""
        yield from super().figures()
        for name, why in self.without.items():
            for kind in Choice.KINDS:
                yield Figure(kind, None, of=name, why_undefined=why)

    def figures_for(self, gate: Gate) -> Iterator[Figure]:
        """All figures, those that are not there too."""
        del gate
        return self.figures()

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of each, who has no choice, and whether the items are the same."""
        notes = [*super().notes, *self.without.values()]
        different = self._different_items()
        return (*notes, *([different] if different else []))

    def _different_items(self) -> str:
        given = {id(each.items): each.items for each in self if each.items is not None}
        sets = [set(items.tolist()) for items in given.values()]
        common = set.intersection(*sets) if sets else set()
        if all(len(items) == len(common) for items in sets):
            return ""
        return (
            f"systems are judged on different items, {len(common)} of them in common: "
            "which is best may be owed to the items, not to the system"
        )

    def to_dict(self) -> dict[str, Any]:
        """All choices under one key, and the systems without one."""
        plain = super().to_dict()
        return plain | ({"without": self.without} if self.without else {})


def _rank(choice: Choice) -> tuple[float, ...]:
    """Smaller is better by the rule."""
    judged = choice.judged
    if judged.cost is not None:
        return judged.cost, judged.nonreturn
    if judged.score is not None and judged.scored is not None:
        sign = 1 if judged.scored.is_cost else -1
        return sign * judged.score, judged.nonreturn
    if choice.target is not None:
        return float(not choice.found), judged.nonreturn, judged.error
    return judged.error, judged.nonreturn


def _best(first: Choice, second: Choice, n_systems: int) -> str:
    """Which system does best, and which follows."""
    best, follows = first.judged, second.judged
    names = first.system or NAMELESS, second.system or NAMELESS
    if best.cost is not None and follows.cost is not None:
        price = price_words(best.cost_ratio or 0.0)
        return (
            f"{names[0]} pays least where {price}: its cost is {best.cost:.4g} per "
            f"item ({_rates(first)}); {names[1]} follows with {follows.cost:.4g}"
        )
    if best.scored is not None and best.score is not None:
        return (
            f"{names[0]} has the best {best.scored.name}: {best.score:.3f} "
            f"({_rates(first)}); {names[1]} follows with {follows.score:.3f}"
        )
    if first.target is not None:
        return _answers_most(first, second, names, n_systems)
    return (
        f"{names[0]} errs least by this rule ({first.rule}): {_rates(first)}; "
        f"{names[1]} follows with {percent(follows.error)} wrong"
    )


def _answers_most(
    first: Choice, second: Choice, names: tuple[str, str], n_systems: int
) -> str:
    kind = "" if first.certainty is None else "certified "
    asked = f"a {kind}error {base_words(first.of)} of at most {first.target:g}"
    if not kind:
        asked = asked.replace("a error", "an error")
    if first.cutoff is None:
        return f"None of the {n_systems} systems can answer anything with {asked}"
    return (
        f"{names[0]} answers most with {asked}: {_rates(first)}; {names[1]} "
        f"follows with {percent(second.judged.answered)} answered"
    )


def _rates(choice: Choice) -> str:
    """The rates of a choice in brackets of a sentence."""
    judged = choice.judged
    error = judged.error if judged.corrected is None else judged.corrected.value
    where = choice.words().removeprefix("answer ")
    return (
        f"{percent(error)} of all items wrong, {percent(judged.answered)} answered, "
        f"{where}"
    )
