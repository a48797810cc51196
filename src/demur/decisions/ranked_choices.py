"""The cutoffs of several systems by one rule: who does best by what was asked."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from demur.curves.curve_kinds import FAILURES, failures_figures
from demur.decisions.choice_tables import base_words, percent, price_words
from demur.decisions.choices import Choice
from demur.outcomes.reasons import with_failures
from demur.results import Contender, Figure, Results, Standings
from demur.results.several import NO_COMMON_ITEM, common_items, items_note
from demur.results.text import decimals, significant

_UNTESTED: Final = "Whether that is luck is not tested here: demur compare does."

_UNTESTED_COMMON: Final = (
    "Whether that is luck, or the items, which differ, is not tested here: demur "
    "compare --items common does."
)


class Choices(Results[Choice]):
    """The choices of several systems by one rule, each on its own data.

    Parameters
    ----------
    results : iterable of Choice
        In the order of the data.
    without : mapping of str to str
        Systems for which no cutoff can be chosen, and why.
    failed : mapping of system to (int, int)
        How many of its items failed, of how many; of the choices alone if left out.

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
    failed: Mapping[str, tuple[int, int]] = MappingProxyType({})

    @property
    def ranked(self) -> list[Choice]:
        """The choices, the best by the rule first."""
        return sorted(self, key=_rank)

    def sentence(self) -> str:
        """Who does best by the rule, who follows, and what is promised."""
        failed = self.failed or {choice.system: choice.failures for choice in self}
        judged = [(one.system, one.held_out) for one in self]
        held_out = {name: one.failures for name, one in judged if one is not None}
        return with_failures(failed, self._advice(), held_out=held_out)

    def _advice(self) -> str:
        if len(self) == 1:
            return self[0].advice()
        first = self.ranked[0]
        where = "" if first.held_out is None else "On held-out items "
        ranking = self._ranking()
        lines = [f"{where}{self._best(ranking)}{self._silent()}."]
        if first.cutoff is not None and len(ranking.best) < len(self):
            lines[0] += f" {self._untested()}"
        certified = next(
            (choice for choice in self if choice.found and choice.certainty), None
        )
        if certified is not None:
            lines.append(certified.certified_words(" for each system by itself"))
            lines.append(self._together(certified.certainty or 0.0))
        return "\n".join(lines)

    def _together(self, certainty: float) -> str:
        """What is promised of the one that is run because it answers most."""
        risk, together = 1 - certainty, max(1 - len(self) * (1 - certainty), 0.0)
        held = f"this holds with certainty {together:.3g} only"
        most = _words_of(self.ranked[0], "answers most")
        return (
            f"Of the one that is run because it {most} "
            f"{held if together else 'nothing is promised'}; a certainty of "
            f"{1 - risk / len(self):.4g} for each keeps {certainty:g}."
        )

    @property
    def _kind(self) -> str:
        """By which number they are ranked: see `_WORDS`."""
        first = self.ranked[0]
        if first.judged.cost is not None:
            return "cost"
        if first.judged.scored is not None:
            return "score"
        return "error" if first.target is None else "answered"

    def _ranking(self) -> Standings:
        """The systems by the number of the rule that ranks them."""
        kind, named = self._kind, self.ranked[0].judged.scored
        higher = kind == "answered" or (named is not None and not named.is_cost)
        return Standings(
            [Contender(choice.system, *_ends(choice, kind)) for choice in self.ranked],
            better="higher" if higher else "lower",
            shown=_SHOWN.get(kind, _percent),
        )

    def _best(self, ranking: Standings) -> str:
        """Which system does best, and which follows."""
        kind, first = self._kind, self.ranked[0]
        if kind == "answered" and first.cutoff is None:
            none = f"None of the {len(self)} systems can answer anything"
            return f"{none} with {_asked(first)}"
        rule, has = _rule(first, kind), (_words_of(first, _HAS[kind]), "{} {}")
        who = f"{ranking.who(*self._words(kind))}{rule}"
        if self._common_items() == 0:
            return f"{NO_COMMON_ITEM}{rule}: {ranking.listed(*has)}"
        if not ranking.known:
            return f"{who}: {ranking.rivals_text(*has)}, as ungraded answers are"
        value = _words_of(first, _VALUES[kind]).format(ranking.value)
        by_people = ""
        if any(choice.judged.corrected is not None for choice in self):
            by_people = f", as people's verdicts in {first.gold} correct it"
        if len(ranking.best) > 1:
            return f"{who}: {value.replace('its', 'their')} each{by_people}"
        rates = _rates(first)
        follows = ranking.follows(_words_of(first, _FOLLOWS[kind]))
        words = f"{value} ({rates})" if kind in _SHOWN else rates
        return f"{who}: {words}{by_people}{follows}"

    def _words(self, kind: str) -> tuple[str, str, str]:
        named = self.ranked[0].judged.scored
        name = "" if named is None else named.name
        first = self.ranked[0]
        one, two, shared = (
            _words_of(first, words).format(name) for words in _WORDS[kind]
        )
        return one, two, shared

    def _untested(self) -> str:
        common = self._common_items()
        if common is None:
            return _UNTESTED
        return "" if common == 0 else _UNTESTED_COMMON

    def _silent(self) -> str:
        """How many systems answer nothing, unless the best one is among them."""
        silent = sum(choice.cutoff is None for choice in self)
        if not silent or self.ranked[0].cutoff is None:
            return ""
        return f"; for {silent} of the {len(self)} systems the choice is silence"

    def figures(self) -> Iterator[Figure]:
        """The figures of all; of a system without a choice only what failed."""
        yield from super().figures()
        known = {
            name: self.failed[name] for name in self.without if name in self.failed
        }
        yield from failures_figures(known)
        for name, why in self.without.items():
            for kind in Choice.KINDS:
                if name not in known or kind not in FAILURES:
                    reason = why.removesuffix(".")
                    yield Figure(kind, None, of=name, why_undefined=reason)

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of each, who has no cutoff or choice, and if items are the same."""
        found_none = [one for one in self if one.why and len(self) > 1]
        notes = [f"{one.system}: no cutoff: {one.why}" for one in found_none]
        notes += [*super().notes, *self.without.values()]
        different = items_note(self._common_items(), "which is best")
        return (*notes, *([different] if different else []))

    def _common_items(self) -> int | None:
        items = (choice.items for choice in self)
        return common_items([choice.tolist() for choice in items if choice is not None])

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
    error = _error(judged)
    if choice.target is not None:
        return float(not choice.found), judged.nonreturn, error
    return error, judged.nonreturn


def _error(judged: Choice) -> float:
    """The error as people's verdicts correct it, if they do."""
    return judged.error if judged.corrected is None else judged.corrected.value


def _ends(choice: Choice, kind: str) -> tuple[float, float]:
    """The number that ranks a choice; its bounds, as ungraded answers leave it open."""
    judged = choice.judged
    if kind == "answered":
        return judged.answered, judged.answered
    if judged.scored is not None and judged.score is not None:
        best = judged.left_open * (-1 if judged.scored.is_cost else 1)
        low, high = sorted((judged.score, judged.score + best))
        return low, high
    worst = _error(judged) if judged.cost is None else judged.cost
    return worst - (judged.left_open if judged.corrected is None else 0.0), worst


def _percent(rate: float, more: int) -> str:
    return f"{100 * rate:.{3 + more}g} %" if more else percent(rate)


_WORDS: Final = {
    "cost": ("pays least", "pay least", "the least cost"),
    "score": ("has the best {}", "have the best {}", "the best {}"),
    "answered": ("answers most", "answer most", "the greatest share answered"),
    "error": ("errs least", "err least", "the least error"),
}
"""What the best does, by the number that ranks; what two do, what more share."""

_SHOWN: Final = {"cost": significant, "score": decimals}
_VALUES: Final = {
    "cost": "its cost is {} per item",
    "score": "{}",
    "answered": "{} answered",
    "error": "{} of all items wrong",
}
_HAS: Final = {
    "cost": "{} costs {} per item",
    "score": "{} has {}",
    "answered": "{} answers {}",
    "error": "{} errs on {} of all items",
}
_FOLLOWS: Final = {
    "cost": " with {}",
    "score": " with {}",
    "answered": " with {} answered",
    "error": " with {} wrong",
}


def _rule(choice: Choice, kind: str) -> str:
    """What was asked of all, behind what the best does."""
    if kind == "cost":
        ratio = choice.judged.cost_ratio or 0.0
        return f" where {price_words(ratio, choice.of)}"
    if kind == "answered":
        return f" with {_asked(choice)}"
    return f" by this rule ({choice.rule})" if kind == "error" else ""


def _asked(choice: Choice) -> str:
    kind = "" if choice.certainty is None else "certified "
    kind = "simulated " if choice.simulated else kind
    asked = f"a {kind}error {base_words(choice.of)} of at most {choice.target:g}"
    return asked if kind else asked.replace("a error", "an error")


def _rates(choice: Choice) -> str:
    """The rates of a choice in brackets of a sentence."""
    judged = choice.judged
    error = _error(judged)
    where = choice.words().removeprefix("answer ").removeprefix("return parts ")
    wrong = _words_of(choice, "of all items wrong")
    answered = _words_of(choice, "{} answered").format(percent(judged.answered))
    return f"{percent(error)} {wrong}, {answered}, {where}"


_OF_WHOLES: Final = {
    "of all items wrong": "of all wholes hold a wrong part",
    "errs on {} of all items": "has a wrong part in {} of all wholes",
    "per item": "per whole",
    "answers most": "returns most parts",
    "answer most": "return most parts",
    "the greatest share answered": "the greatest share returned",
    "{} answers {}": "{} returns {} of the parts",
    "{} answered": "{} of the parts returned",
    "with {} wrong": "with {}",
}


def _words_of(choice: Choice, words: str) -> str:
    """Words about items, or about wholes and parts if the error is one of wholes."""
    if choice.wholes is not None:
        for of_items, of_wholes in _OF_WHOLES.items():
            words = words.replace(of_items, of_wholes)
    return words
