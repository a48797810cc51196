"""A model that cuts answers into claims, and judges each of them by a text."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from demur import checks
from demur.answers.model_judges import CLAIM_RUBRIC, CUTTING, NOT_FOUND, claims_text
from demur.errors import InputError
from demur.judge_models.asking import JudgeModel, prompt_key
from demur.judge_models.cases import CANNOT_TELL, JudgeCase, JudgeVerdict
from demur.judge_models.claim_lists import listed_claims
from demur.judge_models.prompts import cutting_prompt, shown_value
from demur.judge_models.replies import failed_verdict
from demur.judge_models.rubrics import Rubric, read_cutting, read_rubric
from demur.systems.protocol import RepeatedInput

_NOT_FOUND: Final = "not found"
"""The choice of a rubric that `not_found` is about."""


class ClaimsJudge(JudgeModel):
    """A judge of claims: a model that cuts answers into them, and judges each.

    Each claim is judged in a request of its own, so that its verdict hangs on no other
    claim, is kept by itself, and is asked for once however many answers hold it.

    Parameters
    ----------
    system : System, or what `as_system` takes
        As for `JudgeModel`.
    rubric : str, path or Rubric
        By which a claim is judged.
    cut : str or path
        How answers are cut: ``cut-claims``, or a file in TOML.
    not_found : {"wrong", "ungraded"}
        What a claim is of which the text says nothing.
    **options
        As for `JudgeModel`.

    Raises
    ------
    InputError
        If the rubric or an option is not what it must be.

    Examples
    --------
    A function in the place of a model:

    >>> import demur
    >>> def reply(prompt):
    ...     if prompt.startswith("You cut"):
    ...         return '["Oslo is a city.", "Oslo is in Denmark."]'
    ...     answer = prompt.rpartition("<<<ANSWER")[2]
    ...     return "Answer: " + ("contradicted" if "Denmark" in answer else "supported")
    >>> outcomes = demur.judge(
    ...     [{"item": "q1", "response": "Oslo is a city in Denmark."}],
    ...     [{"item": "q1", "text": "Oslo is the largest city of Norway."}],
    ...     by=demur.ClaimsJudge(reply, name="toy"))
    >>> outcomes.part.tolist(), outcomes.groups["finding"].tolist()
    (['1', '2'], ['supported', 'contradicted'])
    """

    def __init__(
        self,
        system: Any,
        rubric: str | os.PathLike[str] | Rubric = CLAIM_RUBRIC,
        *,
        cut: str | os.PathLike[str] = CUTTING,
        not_found: str = "wrong",
        **options: Any,
    ) -> None:
        super().__init__(system, rubric, **options)
        self.cutting = read_cutting(cut)
        self.not_found = checks.choice("claims", "not_found", not_found, NOT_FOUND)
        self._typed_cut = os.fspath(cut)
        if not_found == "ungraded":
            self.rubric = _without_credit(read_rubric(rubric))

    def __str__(self) -> str:
        return claims_text(self.name, self._typed, self._typed_cut, self.not_found)

    @property
    def recipe(self) -> dict[str, str]:
        """What decides: the system as it is asked, the rubric, and the cutting."""
        return {**super().recipe, "cut": str(self.cutting)}

    def cutting_requests(self, cases: Iterable[JudgeCase]) -> set[str]:
        """The prompts that cutting these answers takes.

        Examples
        --------
        >>> import demur
        >>> judge = demur.ClaimsJudge(lambda prompt: "[]", name="none")
        >>> cases = [demur.JudgeCase(text) for text in ("Oslo", "Rome", "Rome")]
        >>> len(judge.cutting_requests(cases))
        2
        """
        return {cutting_prompt(case, self.cutting) for case in cases}

    def cut(self, cases: Sequence[JudgeCase]) -> list[tuple[str, ...] | JudgeVerdict]:
        """The claims of answers, in the order of these.

        Parameters
        ----------
        cases : sequence of JudgeCase

        Returns
        -------
        list of (tuple of str, or JudgeVerdict)
            Where there are no claims to be had, the verdict that says why:
            ``cannot_tell`` or ``failed``.

        Raises
        ------
        RunError
            If too many requests fail one after another, or the budget is spent. What
            was answered is kept.
        """
        prompts = [cutting_prompt(case, self.cutting) for case in cases]
        asked = {prompt_key(text, 0): text for text in prompts}
        replies = {
            str(reply.item): reply
            for reply in self._replies_to(
                [RepeatedInput(key, text, 0) for key, text in asked.items()]
            )
        }
        self.asked += sum(not reply.failed for reply in replies.values())
        claims_of: list[tuple[str, ...] | JudgeVerdict] = []
        for case, prompt in zip(cases, prompts, strict=True):
            reply = replies[prompt_key(prompt, 0)]
            if reply.failed:
                claims_of.append(failed_verdict(reply.failed))
                continue
            claims = listed_claims(reply, shown_value(case.response))
            if isinstance(claims, str):
                claims_of.append(JudgeVerdict(None, CANNOT_TELL, claims))
            else:
                claims_of.append(claims)
        return claims_of


def _without_credit(rubric: Rubric) -> Rubric:
    """The rubric by which what is not found earns nothing and costs nothing.

    Raises
    ------
    InputError
        If it has no such choice.
    """
    if _NOT_FOUND not in [choice.name for choice in rubric.choices]:
        need = f"have a choice {_NOT_FOUND!r}, which not_found=ungraded is about"
        got = ", ".join(choice.name for choice in rubric.choices)
        raise InputError("claims", f"the rubric {rubric.name}", need, got)
    choices = (
        replace(choice, credit=None, verdict=CANNOT_TELL)
        if choice.name == _NOT_FOUND
        else choice
        for choice in rubric.choices
    )
    return replace(rubric, choices=tuple(choices))
