"""From outcomes of judges to what arrangements are shown, and people's labels apart."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from demur.errors import InputError, shown
from demur.judge_models.arrangements import UNDECIDED, JudgePanel
from demur.judge_models.decided_errors import PeopleLabels
from demur.judge_models.judging_judges import VERDICT
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED
from demur.outcomes.labelling import check_all_rows, label_weights
from demur.outcomes.parts import check_rows, in_item_order, keys_of, sample_of
from demur.outcomes.table import Outcomes
from demur.outcomes.verdict_words import losses_of_people

_WHERE: Final = "arrange_judges"

Int8 = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class JudgesAndPeople:
    """What judges say of the same answers, and what people say of some.

    Parameters
    ----------
    panel : JudgePanel
        All that arrangements are shown.
    labels : PeopleLabels
        By which they are judged.
    parts : dict of str to Outcomes
        The outcomes of each judge, the answers in one order.
    """

    panel: JudgePanel
    labels: PeopleLabels
    parts: dict[str, Outcomes]


def judges_and_people(outcomes: Outcomes) -> JudgesAndPeople:
    """Outcomes of judges, one panel of verdicts and the labels of people.

    Parameters
    ----------
    outcomes : Outcomes
        As `demur.judge_outcomes` makes them.

    Raises
    ------
    InputError
        If there is no column of verdicts, the judges have other answers, or what people
        say cannot be so for two judges.

    Examples
    --------
    >>> import demur
    >>> judged = demur.Outcomes.from_arrays(
    ...     outcome=["right", "wrong"], groups={"people": ["wrong", None]})
    >>> both = judges_and_people(demur.judge_outcomes({"a": judged}, gold="people"))
    >>> both.panel.verdict.tolist(), both.labels.verdict.tolist()
    ([[1, 0]], [0, -1])
    """
    check_rows(_WHERE, outcomes)
    if VERDICT not in outcomes.groups or outcomes.setting is not None:
        need = f"be those of judges, with a column {VERDICT} and no setting"
        hint = "demur.judge_outcomes (demur judges -o) makes them."
        raise InputError(_WHERE, "the outcomes", need, repr(outcomes), hint)
    parts = _aligned(outcomes)
    first = next(iter(parts.values()))
    verdict = np.array([_verdicts(name, part) for name, part in parts.items()])
    people = _people(parts, verdict)
    check_all_rows(_WHERE, first)
    sample = sample_of(first)
    if sample.weight is not None:
        need, got = "have equal weights", "different ones"
        hint = "How many answers a label stands for is said by label_weight."
        raise InputError(_WHERE, "the answers", need, got, hint)
    labelled = people >= 0
    label_weights(_WHERE, first, labelled)  # refuses what cannot be one
    panel = JudgePanel(
        tuple(parts),
        verdict,
        np.array([_confidences(part) for part in parts.values()]),
        np.array([_states(part) for part in parts.values()]),
    )
    labels = PeopleLabels(people, first.label_weight, sample.cluster)
    return JudgesAndPeople(panel, labels, parts)


def _aligned(outcomes: Outcomes) -> dict[str, Outcomes]:
    """The rows of each judge, all in the order of the answers' names."""
    parts: dict[str, Outcomes] = {}
    first: list[tuple[str, str]] = []
    for name in outcomes.systems:
        part = in_item_order(outcomes.select(system=name))
        keys = keys_of(part)
        first = first or keys
        if keys != first:
            alone = sorted({*keys} ^ {*first}, key=str)
            need, got = "have the same answers", f"{len(alone)} that one of them lacks"
            got += f", such as {shown(alone[0][0])}" if alone else ""
            hint = "demur.judge_outcomes(..., items='common') keeps what all have."
            who = f"{next(iter(parts))} and {name}"
            raise InputError(_WHERE, who, need, got, hint)
        parts[name] = part
    return parts


def _verdicts(judge: str, part: Outcomes) -> Int8:
    """1 right, 0 not right, `UNDECIDED` where the judge cannot tell."""
    loss, given = losses_of_people(judge, part.groups[VERDICT].tolist(), VERDICT)
    given &= part.outcome != UNANSWERED
    lacking = ~given & (part.outcome != UNANSWERED)
    if lacking.any():
        row = int(np.argmax(lacking))
        need = "be there for every answer that the judge could tell"
        got, hint = f"none for {shown(str(part.item[row]))}", "Else it is unanswered."
        raise InputError(judge, VERDICT, need, got, hint)
    return np.where(given, 1 - loss, UNDECIDED).astype(np.int8)


def _people(parts: dict[str, Outcomes], verdict: Int8) -> Int8:
    """What people say, from whether each judge is right; `UNDECIDED` where nothing."""
    people = np.full(verdict.shape[1], UNDECIDED, np.int8)
    for (name, part), says in zip(parts.items(), verdict, strict=True):
        graded = (part.outcome != UNANSWERED) & (part.outcome != UNGRADED)
        agrees = part.outcome == RIGHT
        by_this = np.where(agrees, says, 1 - says).astype(np.int8)
        apart = graded & (people >= 0) & (people != by_this)
        if apart.any():
            item = shown(str(part.item[int(np.argmax(apart))]))
            need = "follow from one verdict of people"
            got = f"others for {item} with {name} than with the judges before"
            hint = "demur.judge_outcomes makes them of one column."
            raise InputError(_WHERE, "outcomes of judges", need, got, hint)
        people = np.where(graded, by_this, people)
    return people


def _confidences(part: Outcomes) -> npt.NDArray[np.float64]:
    if part.confidence is None:
        return np.full(len(part), -np.inf)
    given = np.asarray(part.confidence, np.float64)
    return np.where(np.isnan(given), -np.inf, given)


def _states(part: Outcomes) -> bool:
    """Whether a judge gives confidences."""
    return part.confidence is not None and not bool(np.isnan(part.confidence).all())
