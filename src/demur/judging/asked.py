"""Which questions are judged under a rule of context, and what is left out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from demur.errors import InputError
from demur.outcomes.context_rules import RULE_COLUMN
from demur.outcomes.contexts import (
    check_rule,
    dialogue_turns,
    in_context,
    not_asked_note,
)
from demur.outcomes.records import (
    Reference,
    Response,
    as_reference,
    as_response,
    item_text,
    with_place,
)
from demur.outcomes.refusals import several


class AskedQuestions:
    """The references of questions that can be asked under a rule.

    Parameters
    ----------
    references : iterable of Reference or mapping
        Of all turns, in the order in which each dialogue was held. Those that are not
        asked need no acceptable answer.
    rule : str
        One of `demur.outcomes.contexts.CONTEXT_RULES`.

    Raises
    ------
    InputError
        If a reference is no turn, or none can be asked.

    Examples
    --------
    >>> asked = AskedQuestions([
    ...     {"item": "q1", "cluster": "d", "reference": "Oslo"},
    ...     {"item": "q2", "cluster": "d", "class": "X"}], "excluded")
    >>> [reference.item for reference in asked.references]
    ['q1']
    >>> list(asked.of([{"item": "q2", "response": "?"}]))
    []
    >>> for note in asked.notes():
    ...     print(note)
    context=excluded: 1 of 2 questions left out (excluded: 1)
    1 response to questions that are not asked: left out
    """

    def __init__(
        self, references: Iterable[Reference | Mapping[str, Any]], rule: str
    ) -> None:
        listed = [
            _placed(record, f"references: record {number}")
            for number, record in enumerate(references, 1)
        ]
        check_rule("judge", rule)
        self.rule = rule
        self._under = in_context(dialogue_turns(listed), rule)
        self._left_out = {one.turn.item for one in self._under if not one.is_asked}
        if listed and len(self._left_out) == len(listed):
            got = not_asked_note(self._under, rule, "left out")
            need = "hold a question that can be asked"
            raise InputError("judge", "references", need, got)
        # Turns of a dialogue lean on each other: they are resampled together.
        named = any(reference.cluster is not None for reference in listed)
        self.references = [
            reference if named else replace(reference, cluster=one.turn.dialogue)
            for reference, one in zip(listed, self._under, strict=True)
            if one.is_asked
        ]
        self._of: Counter[str] = Counter()
        self._otherwise: Counter[str] = Counter()

    def of(
        self, responses: Iterable[Response | Mapping[str, Any]]
    ) -> Iterator[Response]:
        """The responses to these questions, and to strangers; others are counted."""
        for number, record in enumerate(responses, 1):
            place, _ = with_place(record, f"responses: record {number}")
            response = as_response(record, place)
            if item_text(response.item, place) in self._left_out:
                self._of[str(response.system or "no name")] += 1
                continue
            rule = str(response.extra.get(RULE_COLUMN) or self.rule)
            self._otherwise[rule] += rule != self.rule
            yield replace(response, place=place)

    def notes(self) -> Iterator[str]:
        """What was left out, once all responses have been taken."""
        if note := not_asked_note(self._under, self.rule, "left out"):
            yield note
        for rule, n_responses in sorted((+self._otherwise).items()):
            many = several(n_responses, "response")
            yield f"{many} asked under context={rule}, judged under {self.rule}"
        if self._of:
            many = several(self._of.total(), "response")
            whose = [f"{system}: {n}" for system, n in sorted(self._of.items())]
            of_each = f" ({', '.join(whose)})" if len(whose) > 1 else ""
            yield f"{many} to questions that are not asked: left out{of_each}"


def _placed(record: Reference | Mapping[str, Any], place: str) -> Reference:
    reference = as_reference(record, place, otherwise=True)
    return reference if reference.place else replace(reference, place=place)
