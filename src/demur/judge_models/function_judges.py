"""What judges cases: whatever a user hands over as a judge, made one."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from demur import answers
from demur.errors import InputError, problem_text, shown
from demur.judge_models.asking import JudgeModel
from demur.judge_models.cases import (
    CANNOT_TELL,
    FAILED_VERDICT,
    PARTLY,
    RIGHT_VERDICT,
    WRONG_VERDICT,
    Asking,
    CaseJudge,
    JudgeCase,
    JudgeVerdict,
)
from demur.systems.protocol import System


class FunctionJudge:
    """A function as a judge of cases; what it raises for one costs that one.

    Parameters
    ----------
    function : callable
        Of a `JudgeCase` and an `Asking`. It returns a `JudgeVerdict`, True or False, a
        credit from 0 to 1, or None if it cannot tell.

    Examples
    --------
    >>> judge = FunctionJudge(lambda case, asking: "Oslo" in case.response)
    >>> [verdict.code for verdict in judge.verdicts([
    ...     JudgeCase("In Oslo."), JudgeCase(7)])]
    ['right', 'failed']
    """

    def __init__(self, function: Callable[[JudgeCase, Asking], Any]) -> None:
        self.function = function

    def __str__(self) -> str:
        name = getattr(self.function, "__qualname__", type(self.function).__qualname__)
        return f"function({name})"

    __repr__ = __str__

    def verdicts(
        self, cases: Sequence[JudgeCase], asking: Asking | None = None
    ) -> list[JudgeVerdict]:
        """One verdict for each case."""
        asking = Asking() if asking is None else asking
        return [self._verdict(case, asking) for case in cases]

    def _verdict(self, case: JudgeCase, asking: Asking) -> JudgeVerdict:
        try:
            given = self.function(case, asking)
        except Exception as problem:  # noqa: BLE001  (whatever the user's code raises)
            return JudgeVerdict(None, FAILED_VERDICT, problem_text(problem))
        return _verdict_of(given)


def _verdict_of(given: Any) -> JudgeVerdict:
    if isinstance(given, JudgeVerdict):
        return given
    if given is None:
        return JudgeVerdict(None, CANNOT_TELL)
    number = isinstance(given, (bool, int, float, np.bool_, np.number))
    if not number or not 0 <= given <= 1:
        need = "return a verdict, True, False, a credit from 0 to 1, or None"
        raise InputError("check_judge", "the judge", need, shown(given))
    credit = float(given)
    code = {0.0: WRONG_VERDICT, 1.0: RIGHT_VERDICT}.get(credit, PARTLY)
    return JudgeVerdict(credit, code)


def as_case_judge(judge: Any) -> CaseJudge:
    """A judge of cases from what is one, a system, its name, or a function.

    Examples
    --------
    >>> str(as_case_judge(lambda case, asking: True))
    'function(<lambda>)'
    >>> str(as_case_judge("model(m@http://localhost:1/v1)"))
    'model(m@http://localhost:1/v1, rubric=same-answer)'
    """
    if isinstance(judge, CaseJudge):
        return judge
    if isinstance(judge, System):
        return JudgeModel(judge)
    if callable(judge):
        return FunctionJudge(judge)
    named = answers.parse_comparator(judge) if isinstance(judge, str) else judge
    is_claims = isinstance(named, answers.ClaimsJudgedByModel)
    if isinstance(named, answers.ModelJudge) and not is_claims:
        return JudgeModel(named.judge, named.rubric)
    need = "have verdicts(cases, asking), or be a function of a case and an asking"
    hint = "Also a system, or 'model(MODEL@URL)'."
    raise InputError("check_judge", "the judge", need, shown(judge), hint)
