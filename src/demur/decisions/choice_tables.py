"""Choices as text for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demur import results
from demur.results import printable

if TYPE_CHECKING:
    from demur.decisions.choices import Choice

NEVER = "never answer"
"""What the choice of silence is called; it belongs to no system."""

SAME_DATA = (
    "chosen and judged on the same data: the error is too good by an unknown amount; "
    "give held-out data for an honest figure"
)


def choices_table(
    chosen: Sequence["Choice"], judged: Sequence["Choice | None"] = ()
) -> str:
    """What is promised, and one row for each cutoff with what it does.

    With the rates on held-out outcomes, if there are any.
    """
    judged = judged or [None] * len(chosen)
    header = ["system", "cutoff", "answered", "error of all", "error of answered"]
    header += ["nonreturn", "missed", "bound"]
    held_out = any(other is not None for other in judged)
    corrected = any(choice.gold is not None for choice in chosen)
    if corrected:
        header.append("corrected error")
    if held_out:
        header += ["held-out nonreturn", "held-out error", "held-out of answered"]
        header += ["held-out corrected"] if corrected else []
    rows = []
    for choice, other in zip(chosen, judged, strict=True):
        shares = choice.answered, choice.error, choice.error_answered
        rates = *shares, choice.nonreturn, choice.missed, choice.bound
        row = [choice.system or results.NONE, _cutoff_text(choice)]
        row += map(results.rate, rates)
        row += [_corrected_text(choice)] if corrected else []
        if other is not None:
            later = other.nonreturn, other.error, other.error_answered
            row += map(results.rate, later)
            row += [_corrected_text(other)] if corrected else []
        elif held_out:
            row += [results.NONE] * (4 if corrected else 3)
        rows.append(row)
    lines = [printable(line) for line in _notes(chosen, judged)]
    first = "\n".join(printable(line) for line in choice_sentences(chosen))
    return f"{first}\n\n{results.table(header, rows)}\n\n" + "\n".join(lines)


def _notes(chosen: Sequence["Choice"], judged: Sequence["Choice | None"]) -> list[str]:
    notes = dict.fromkeys(note for choice in chosen for note in choice.notes)
    if any(other is not None for other in judged):
        notes.pop(SAME_DATA, None)
        notes |= dict.fromkeys(
            note for other in judged if other is not None for note in other.notes
        )
    risks = [
        f"{choice.system + ': ' if choice.system else ''}{risk.what}: at most "
        f"{risk.bound:.4g} (target {risk.target:g})"
        for choice in chosen
        for risk in choice.risks
    ]
    scores = [
        f"{choice.system + ': ' if choice.system else ''}{choice.scored.name}"
        f" at the cutoff: {choice.score:.3f}"
        for choice in (*chosen, *(other for other in judged if other is not None))
        if choice.scored is not None
    ]
    return [
        f"rule: {chosen[0].rule}",
        *scores,
        *risks,
        *(f"note: {note}" for note in notes),
        f"signature: {chosen[0].signature}",
    ]


def choice_sentences(chosen: Sequence["Choice"]) -> list[str]:
    """What was chosen, in words, and what is promised about it."""
    said = [_chosen(choice) for choice in chosen] if len(chosen) <= FEW else []
    first = next((choice for choice in chosen if choice.found), None)
    return [*said, "Nothing is promised." if first is None else _promise(first)]


FEW = 3
"""Of so many systems each choice is said in words; of more, the table says it."""


def _chosen(choice: "Choice") -> str:
    name = f"{choice.system}: " if choice.system else ""
    if not choice.found:
        return f"{name}no cutoff could be found."
    if choice.cutoff is None:
        return f"{name}never answer."
    if choice.corrected is not None:
        return (
            f"{name}answer at a confidence of {choice.cutoff} or more: "
            f"{percent(choice.answered)} of the items are answered, "
            f"{percent(choice.corrected.value)} of all items wrongly as people's "
            f"verdicts in {choice.gold} correct it."
        )
    wrong = (
        ""
        if choice.error_answered is None
        else f", and {percent(choice.error_answered)} of the answers given are wrong"
    )
    return (
        f"{name}answer at a confidence of {choice.cutoff} or more: "
        f"{percent(choice.answered)} of the items are answered, "
        f"{percent(choice.error)} of all items wrongly{wrong}."
    )


def _promise(choice: "Choice") -> str:
    """What is promised and what is not."""
    if choice.target is not None and choice.certainty is None and choice.gold:
        return (
            f"The corrected error {_base(choice.of)} is at most {choice.target:g}; "
            "nothing is promised of other data."
        )
    if choice.target is None:
        return "These are rates of this data; nothing is promised of other data."
    if choice.certainty is None:
        return (
            f"The error {_base(choice.of)} is at most {choice.target:g} on this data; "
            "nothing is promised of other data."
        )
    other = "answered" if choice.of == "all" else "all"
    promised = f"the true error {_base(choice.of)} is at most {choice.target:g}"
    if choice.risks:
        parts = [f"{risk.what} at most {risk.target:g}" for risk in choice.risks]
        promised = f"all of these hold together: {'; '.join(parts)}"
    rests = (
        AS_THEY_STAND
        if choice.gold is None
        else f"It rests on people's verdicts alone, those in {choice.gold}."
    )
    return (
        f"Promised, with certainty {choice.certainty:g}: {promised}. Nothing is "
        f"promised of the error {_base(other)}. {rests}"
    )


AS_THEY_STAND = (
    "The promise takes the verdicts as they stand: if a judge who errs gave them, name "
    "the column with people's verdicts (gold)."
)


def _corrected_text(choice: "Choice") -> str:
    found = choice.corrected
    if found is None:
        return results.NONE
    ends = f"{results.rate(found.low)} to {results.rate(found.high)}"
    return f"{results.rate(found.value)} ({ends})"


def _base(of: str) -> str:
    return "over all items" if of == "all" else "among the answers given"


def percent(rate: float) -> str:
    """A rate in per cent, as precise as people read it.

    Examples
    --------
    >>> percent(0.0312), percent(0.5), percent(0.0)
    ('3.1 %', '50 %', '0 %')
    """
    return f"{100 * rate:.3g} %" if rate >= 0.1 or not rate else f"{100 * rate:.2g} %"


def _cutoff_text(choice: "Choice") -> str:
    if not choice.found:
        return "none found"
    return NEVER if choice.cutoff is None else str(choice.cutoff)
