"""The verb that judges: responses and references, joined by item, become outcomes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from demur import answers
from demur.answers.refusals import NoAnswers
from demur.checks import choice, of_kind, series
from demur.errors import InputError
from demur.judge_models.cases import CaseJudge
from demur.judging.asked import AskedQuestions
from demur.judging.by_models import (
    by_model,
    judgement_of,
    parts_of,
    with_verdict_columns,
)
from demur.judging.join import References
from demur.judging.joined_parts import JoinedParts
from demur.judging.judgement import Judgement
from demur.judging.readings import shallow
from demur.judging.taken_apart import TakenApart
from demur.outcomes.context_rules import RULE_COLUMN
from demur.outcomes.frames import records_of
from demur.outcomes.nested_parts import of_parts
from demur.outcomes.records import Reference, Response, as_reference, as_response
from demur.outcomes.repeated_keys import repeat_notes
from demur.outcomes.table import Outcomes
from demur.sql.databases import Databases
from demur.sql.executed import on_databases

POLICIES: Final[dict[str, tuple[str, ...]]] = {
    "missing": ("error", "unanswered", "leave_out"),
    "unmatched": ("error", "leave_out", "wrong"),
    "repeated": ("error", "first", "last"),
    "unsure": ("error", "lowest"),
}
"""What may be done about items that do not join one to one, and gaps in confidence."""


def judge(  # noqa: PLR0913  (policies are independent of each other)
    responses: Iterable[Response | Mapping[str, Any]],
    references: Iterable[Reference | Mapping[str, Any]],
    *,
    by: str | answers.Comparator | CaseJudge | Callable[..., Any] = "text",
    databases: Databases | str | Path | None = None,
    missing: Literal["error", "unanswered", "leave_out"] = "error",
    unmatched: Literal["error", "leave_out", "wrong"] = "error",
    repeated: Literal["error", "first", "last"] = "error",
    unsure: Literal["error", "lowest"] = "error",
    no_answer: str | Iterable[str] = (),
    extract: str | answers.Extraction | None = None,
    context: Literal["dialogue", "excluded", "alone"] | None = None,
    hide_references: bool = False,
    parts: bool = False,
) -> Outcomes:
    """Decide for each response: right, wrong, no answer, or impossible to say.

    Responses and references are joined by their item (compared as text), never by
    position. No guess (None, or the text NO_ANSWER) and a response that ``failed`` are
    unanswered; one with an ``error`` is wrong, and so is any guess where the reference
    is not answerable. An empty ``error`` or ``failed`` is none. The comparator decides
    on the rest; what it cannot decide is ungraded.

    Parameters
    ----------
    responses : iterable of Response or mapping, or any dataframe
        What the systems said; read once, one at a time.
    references : iterable of Reference or mapping, or any dataframe
        What would be right; one for each item.
    by : str, comparator or callable
        "label", "text", "text(normalise=squad)", "number(relative=0.01)", "cas",
        "relation(mode=bag)", "sql", "model(MODEL@URL)", ...; what the functions of
        `demur.answers` make; a `JudgeModel`, or another judge with ``verdicts``; or
        a function of the values of a response and of one acceptable answer that returns
        True or False, a credit from 0 to 1, or None if it cannot judge. The best
        alternative counts. A function with an argument ``question``, or with three
        arguments without a default, gets the question too. It may be ``async``; 16
        calls are open at a time then. What it raises leaves that one answer ungraded.
    databases : Databases, or its root as str or Path, optional
        For "sql": where queries run, and what each may take. All queries run before
        the first verdict.
    missing : {"error", "unanswered", "leave_out"}
        Items to which a system has no response (for each setting and repeat).
    unmatched : {"error", "leave_out", "wrong"}
        Responses to items that have no reference. With "wrong" a part that nobody asked
        for, of an item that has references, is wrong; other such items are refused.
    repeated : {"error", "first", "last"}
        Several responses of one system to one item in one setting and repeat.
    unsure : {"error", "lowest"}
        Guesses without a confidence where other guesses of the system have one; the
        lowest are withheld first, as if the confidence were -infinity.
    no_answer : str, or iterable of str
        Responses that count as unanswered: regular expressions that the whole response
        must match, or "refusals" for what looks like a refusal in one of seventeen
        languages, and for empty text. What equals its reference stays right.
        Without it such responses are judged as guesses; a note counts those that were
        not right.
    extract : str or Extraction, optional
        Steps that take the answer out of each response before it is compared, joined by
        ``+``: "final+boxed", "json(field=answer)"; see `demur.answers.extraction`. A
        note counts what each step read; the outcomes keep the responses whole.
    context : {"dialogue", "excluded", "alone"}, optional
        The rule of when context is reset, by which the systems were asked: questions
        that cannot be asked under it, such as excluded ones (class X), are left out
        with the responses to them, and counted. References are then in the order of
        their ``dialogue`` (else ``cluster``), which is their cluster if none is named;
        outcomes have the column context_rule.
    hide_references : bool
        Make outcomes that may be handed to participants: without references and what
        only they say (of their further columns class, subject and contributor stay),
        each reason no more than its class, and without the notes that may quote one.
    parts : bool
        Make a row of each part of an answer, where ``by`` is "slots" or "tool_call": a
        slot, an act, a call. It is right if the reference has it; what the reference
        has and the answer lacks is unanswered. A confidence may be an object of names
        of parts and numbers, or a list of numbers in the order of the answer.

    Returns
    -------
    Outcomes
        One row per response, in their order, with a reason for each verdict; further
        columns of responses and references as groups. Its recipe holds the comparator
        and the policies, its notes what was left out or ignored.

    Raises
    ------
    InputError
        If there are no responses or references, or none in common; if items do not
        join as the policies demand; if a record or an argument is not what it must be.
    RunError
        If a function given as ``by`` raises something on all answers, or a model that
        judges fails too often in a row, or its budget is spent.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.judge(
    ...     [{"item": "q2", "response": "The Rhine"}, {"item": "q1", "response": None}],
    ...     [{"item": "q1", "reference": "Oslo"}, {"item": "q2", "references": [
    ...         "Danube", {"value": "rhine", "weight": 0.5}]}],
    ...     by="text(normalise=squad)")
    >>> outcomes
    Outcomes(2 rows, 1 system: 1 right, 0 wrong, 1 unanswered, 0 ungraded)
    >>> outcomes.reason.tolist()
    ['alternative 2 of 2, credit 0.5', 'no guess']
    >>> outcomes.recipe["by"], outcomes.recipe["comparator"]
    ('text(normalise=squad)', 'text/2')

    Answers that are SQL, by what they return:

    >>> import sqlite3, tempfile
    >>> file = tempfile.NamedTemporaryFile(suffix=".sqlite")
    >>> made = sqlite3.connect(file.name)
    >>> _ = made.execute("CREATE TABLE fare (flight TEXT, cents INTEGER)")
    >>> _ = made.execute("INSERT INTO fare VALUES ('AA 17', 12900), ('DL 8', 9900)")
    >>> made.commit(); made.close()
    >>> queries = ["SELECT cents, flight FROM fare", "SELECT price FROM fare"]
    >>> outcomes = demur.judge(
    ...     [{"item": "q1", "system": system, "response": query}
    ...      for system, query in zip("ab", queries)],
    ...     [{"item": "q1", "sql": "SELECT flight FROM fare WHERE cents > 0"}],
    ...     by="sql", databases=file.name)
    >>> outcomes.reason.tolist()
    ['equal', 'sql error: no such column: price']
    """
    policies = dict(zip(POLICIES, (missing, unmatched, repeated, unsure), strict=True))
    _check_flags(hide_references, parts, repeated)
    read = (responses, references)
    responses, references = _records(*read, policies, no_answer)
    asked = None if context is None else AskedQuestions(references, context)
    if asked is not None:
        responses, references = asked.of(responses), asked.references
    extraction = answers.extraction(extract)
    told_none = NoAnswers(no_answer)
    judge_model = by_model(by, told_none)
    comparator = on_databases(judge_model or answers.comparator(by), databases)
    apart = TakenApart(comparator) if parts else None
    preparer = comparator if isinstance(comparator, answers.Preparer) else None
    joined = JoinedParts()
    if judge_model is None or not judge_model.makes_parts:
        responses, references = joined.both(responses, references)
    if preparer is not None:
        responses, references = _listed(responses, references)
    known = References(references, getattr(comparator, "instead", ()))
    joined.check(known, parts=parts)
    how = (policies, told_none, extraction, joined, apart)
    responses = parts_of(judge_model, responses, references, how)
    if preparer is not None:
        preparer.prepare(_read(responses, extraction), references)  # type: ignore[arg-type]
    judgement = judgement_of(judge_model)(comparator, known, *how)
    judgement.odd.log = lambda: getattr(read[0], "recipe", {}).get("log", "")
    judgement.readings.is_of_log = lambda: "log" in getattr(read[0], "recipe", {})
    del references, known  # a list of them may go now
    outcomes = _judged(judgement, responses)
    if hide_references:
        outcomes = judgement.hidden(outcomes)
    outcomes = with_verdict_columns(outcomes, judge_model, joined, extraction)
    outcomes = _marked(outcomes, asked)
    return _noted(outcomes, read, preparer, hide_references=hide_references)


def _records(
    responses: Any, references: Any, policies: Mapping[str, str], no_answer: Any
) -> tuple[Any, Any]:
    """Responses and references, one record for each part."""
    responses, references = records_of(responses), records_of(references)
    _check((responses, references), policies, no_answer)
    return of_parts(responses, "response"), of_parts(references, "reference")


def _noted(
    outcomes: Outcomes,
    read: tuple[Any, Any],
    preparer: answers.Preparer | None,
    *,
    hide_references: bool,
) -> Outcomes:
    """The outcomes with how all was read and judged."""
    recipe, notes = _how_read(*read)
    notes = [*repeat_notes(outcomes), *notes]
    if preparer is not None:
        recipe = {**recipe, **preparer.recipe}
        notes += [] if hide_references else preparer.notes
    recipe = {**outcomes.recipe, **recipe}
    return replace(outcomes, recipe=recipe, notes=(*outcomes.notes, *notes))


def _check_flags(hide_references: bool, parts: bool, repeated: str) -> None:  # noqa: FBT001
    """Refuse flags that are none, and what cannot be done with parts of answers."""
    of_kind("judge", "hide_references", hide_references, bool)
    of_kind("judge", "parts", parts, bool)
    if parts and hide_references:
        need, hint = "come without hide_references", "Parts that are lacking show it."
        raise InputError("judge", "parts", need, "both", hint)
    if parts and repeated == "last":
        raise InputError("judge", "repeated", "be error or first with parts", repeated)


def _judged(judgement: Judgement, responses: Iterable[Any]) -> Outcomes:
    """The table of all responses, judged one by one."""
    for number, record in enumerate(responses, 1):
        place = getattr(record, "place", "") or f"responses: record {number}"
        judgement.add(as_response(record, place), place)
    judgement.check()
    return judgement.outcomes()


def _marked(outcomes: Outcomes, asked: AskedQuestions | None) -> Outcomes:
    """The outcomes with the rule of context, in their recipe and on each row."""
    if asked is None:
        return outcomes
    column = np.full(len(outcomes), asked.rule, object)
    column.setflags(write=False)
    return replace(
        outcomes,
        groups={**outcomes.groups, RULE_COLUMN: column},
        recipe={**outcomes.recipe, "context": asked.rule},
        notes=(*outcomes.notes, *asked.notes()),
    )


def _check(records: Any, policies: Mapping[str, str], no_answer: Any) -> None:
    """Refuse arguments that are not what they must be, before anything is read."""
    for name, choices in POLICIES.items():
        choice("judge", name, policies[name], choices)
    hint = "demur.read_responses and demur.read_references read files; records are "
    hint += "[{'item': ..., 'response': ...}, ...], and the like of references."
    for name, listed in zip(("responses", "references"), records, strict=True):
        series("judge", name, listed, hint)
    if not isinstance(no_answer, str):
        series("judge", "no_answer", no_answer)


def _read(responses: Any, extraction: answers.Extraction) -> Any:
    """Responses with the answers that are compared, for who must see all of them."""
    if not extraction.steps:
        return map(shallow, responses)
    return [
        shallow(replace(response, response=extraction(response.response)))
        for response in responses
    ]


def _how_read(responses: Any, references: Any) -> tuple[dict[str, str], list[str]]:
    """How records of files were read, if they say so; those of references by name."""
    read = getattr(responses, "recipe", {})
    of_references = getattr(references, "recipe", {})
    recipe = {
        **read,
        **{
            f"reference_{name}": text
            for name, text in of_references.items()
            if text != read.get(name)
        },
    }
    notes = [*getattr(responses, "notes", ())]
    notes += [n for n in getattr(references, "notes", ()) if n not in notes]
    return recipe, notes


def _listed(
    responses: Iterable[Response | Mapping[str, Any]],
    references: Iterable[Reference | Mapping[str, Any]],
) -> tuple[list[Response], list[Reference]]:
    known = [
        as_reference(record, f"references: record {number}", otherwise=True)
        for number, record in enumerate(references, 1)
    ]
    read = [
        as_response(record, f"responses: record {number}")
        for number, record in enumerate(responses, 1)
    ]
    return read, known
