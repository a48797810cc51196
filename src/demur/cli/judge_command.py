"""``demur judge``: responses and references become outcomes."""

import os
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final, TextIO, TypeVar

from demur import answers, formats
from demur.answers.refusals import NoAnswers
from demur.cli import (
    as_json,
    judge_models_asked,
    reader_may_go,
    say,
    shared,
    show,
)
from demur.cli.options import typed
from demur.cli.shared import WrongUsage
from demur.cli.streams import progress
from demur.curves.curve_kinds import CERTIFIED, CURVE_KINDS
from demur.errors import DemurError, InputError, escaped, masked, shown
from demur.formats.record_reading import ReadRecords
from demur.formats.writing import formula_cells
from demur.judging.judgement import NO_ANSWER
from demur.judging.judging import POLICIES, judge
from demur.judging.one_file import once
from demur.outcomes.fields import KINDS, UNANSWERED
from demur.outcomes.reasons import FAILED
from demur.outcomes.records import Reference, Response
from demur.outcomes.table import Outcomes
from demur.references.adjudicating import adjudicate
from demur.references.adjudications import changed_references, read_adjudications
from demur.results import Bundle, Figure, printable
from demur.results.kinds import FigureKind, count
from demur.sql.databases import Databases
from demur.sql.executed import on_databases
from demur.version import __version__

_LIMITS: Final = ("timeout", "max_rows", "max_memory", "max_lost", "cache", "workers")


def run(arguments: Namespace) -> int:
    """Judge, write, and print counts or one explanation."""
    read = [*arguments.responses, arguments.references, arguments.adjudications]
    kinds = (*CURVE_KINDS, CERTIFIED, *_OF_OUTCOMES)
    shared.check_asked(arguments, kinds, [*read, arguments.db_root], ["output"])
    _check_together(arguments)
    with judge_models_asked.one_run(arguments):
        return _run(arguments)


def _run(arguments: Namespace) -> int:
    by, item = with_databases(arguments), arguments.explain
    options = (*POLICIES, "no_answer", "context", "hide_references")
    options += ("parts",) if arguments.parts else ()
    extraction = arguments.extract or answers.Extraction()
    how = {"by": by, "extract": extraction, **shared.named(arguments, *options)}
    responses: list[Response] = []
    references: list[Reference] = []
    path, adjudicated = arguments.adjudications, None
    adjudications = read_adjudications(path) if path else None
    if arguments.references in arguments.responses:
        _check_columns(arguments)
    of_responses = formats.iter_responses(
        *arguments.responses, **shared.how_read(arguments)
    )
    records = (
        of_responses.through(partial(keeping, item=item, kept=responses)),
        _references(arguments).through(
            partial(keeping, item=item, kept=references, whole=path)
        ),
    )
    with shared.policies_typed(), _in_order(arguments):
        if adjudications is None:
            outcomes = judge(*records, **how)
        else:
            how["weight"] = arguments.weight
            adjudicated = adjudicate(*records, adjudications, **how)
            outcomes = adjudicated.outcomes
    outcomes = shared.with_selection(outcomes, arguments)
    report = _written(outcomes, arguments.output)
    asked = judge_models_asked.say_what_was_asked(by, outcomes, arguments)
    if item is None:
        judged = Judged(outcomes, adjudicated=adjudicated)
        return shared.finish(judged, arguments, report) or asked
    now = changed_references(references, adjudications) if adjudications else references
    judged_by = [reference for reference in now if str(reference.item) == item]
    told_none = NoAnswers(arguments.no_answer)
    why = explained(by, responses, judged_by, told_none, extraction)
    explained_item = explanation(outcomes, item, why)
    if arguments.json:
        show(as_json({"demur": __version__, **explained_item}), report)
    else:
        show(explanation_lines(explained_item), report)
    return 0


def _check_together(arguments: Namespace) -> None:
    if arguments.weight is not None and not arguments.adjudications:
        hint = "demur score --weights and demur compare --weight weigh outcomes."
        need = "come with --adjudications"
        raise WrongUsage("judge", "--weight", need, "none", hint)
    if arguments.parts and arguments.adjudications:
        raise WrongUsage("judge", "--parts", "come without --adjudications", "both")
    if arguments.explain and (arguments.fail_if or arguments.page):
        need, hint = "come without --fail-if and --page", "It is about one item."
        raise WrongUsage("judge", "--explain", need, "both", hint)
    if arguments.explain and arguments.hide_references:
        need, hint = "come without --hide-references", "It shows the reference."
        raise WrongUsage("judge", "--explain", need, "both", hint)


def _check_columns(arguments: Namespace) -> None:
    """Refuse one file of both that lacks columns of responses, before references are.

    What is proposed then has the columns of both, for ``--columns``.
    """
    how = shared.named(arguments, "max_size", "log", "columns")
    if arguments.references != "-":
        responses = formats.iter_responses(arguments.references, **how)
        next(responses, None)
        responses.close()


@contextmanager
def _in_order(arguments: Namespace) -> Iterator[None]:
    """Say so where columns are missing because the files stand in the other order."""
    try:
        yield
    except InputError as problem:
        files = (arguments.references, arguments.responses[0])
        if problem.what != "the columns" or "-" in files or not _are_swapped(*files):
            raise
        hint = "RESPONSES come first, then REFERENCES: swap the files."
        raise problem.with_hint(hint) from None


def _are_swapped(references: str, responses: str) -> bool:
    """Whether the one file has responses alone, and the other references alone."""
    try:
        first, second = map(_columns_of, (references, responses))
    except DemurError:
        return False
    wanted = {"reference", "references", "sql", "sqls", "min", "max"}
    is_said = "response" in first and "response" not in second
    return is_said and bool(wanted & second) and not wanted & first


def _columns_of(path: str) -> set[str]:
    records = formats.iter_records(path)
    _, record = next(records, ("", {}))
    records.close()
    return {*record}


def _references(arguments: Namespace) -> ReadRecords[Reference]:
    """References as they are read; of one file of both, one row for each item."""
    references = formats.iter_references(
        arguments.references,
        **_references_read(arguments),
        with_excluded=arguments.context is not None,
    )
    if arguments.references not in arguments.responses:
        return references
    return references.through(partial(once, repeated=arguments.repeated))


def _references_read(arguments: Namespace) -> dict[str, Any]:
    """How references are read: as the responses, if they stand in the same file."""
    how = shared.named(arguments, "max_size", "log", "columns")
    if arguments.references in arguments.responses:
        return how
    return how | {"log": None, "columns": arguments.reference_columns}


def _written(outcomes: Outcomes, target: str | None) -> TextIO:
    """Write outcomes if asked to; where the report goes."""
    if target == "-":
        with reader_may_go(sys.stdout):
            formats.write_outcomes(outcomes, sys.stdout)
        return sys.stderr
    if target:
        formats.write_outcomes(outcomes, target)
        cells = formula_cells(outcomes, target)
        if cells:
            say(
                f"{target}: {cells} cells begin with =, +, @ or a tab; a spreadsheet "
                "would run them as formulas"
            )
    return sys.stdout


def with_databases(arguments: Namespace) -> Any:
    """The comparator of ``--by``; with its databases, if it needs any.

    Raises
    ------
    WrongUsage
        If there are options for databases, and it needs none.
    """
    limits = shared.named(arguments, *_LIMITS)
    given = {name: value for name, value in limits.items() if value is not None}
    by, root = _of_tables(arguments), arguments.db_root
    if isinstance(by, answers.ModelJudge):
        return judge_models_asked.judge_of(by, arguments)
    judge_models_asked.refuse_options(by, arguments)
    if not isinstance(by, answers.Sql):
        options = [*(["db_root"] if root else []), *given]
        if options:
            name = shared.option_name(options[0])
            raise WrongUsage("judge", name, "be given with --by sql", f"--by {by}")
        return by

    if arguments.cache:
        _check_folder(arguments.cache)
    databases = Databases(
        root=root or os.environ.get("DEMUR_DB_ROOT") or None,
        progress=progress("queries"),
        **given,
    )
    return on_databases(by, databases)


def _check_folder(cache: str) -> None:
    """Refuse a ``--cache`` that is no folder, where results of queries are kept."""
    try:
        typed.folder(cache)
    except ArgumentTypeError:
        need = "be a folder that can be written to"
        got = escaped(masked(repr(cache)))  # whole: it names a place
        raise WrongUsage("judge", "--cache", need, got) from None


def _of_tables(arguments: Namespace) -> Any:
    """The comparator of ``--by``, with what other options say of tables."""
    by, maximum, empty = arguments.by, arguments.maximum, arguments.empty
    if not (maximum or empty):
        return by
    if not isinstance(by, answers.Sql | answers.Relational | answers.Cas):
        name = "--maximum" if maximum else "--empty"
        need = "be given with --by sql, relation or cas"
        raise WrongUsage("judge", name, need, f"--by {by}")
    settings = replace(by.settings, empty=empty) if empty else by.settings
    return replace(by, settings=settings, maximum=maximum or by.maximum)


_Record = TypeVar("_Record", Response, Reference)


def keeping(
    records: Iterable[_Record],
    item: str | None,
    kept: list[_Record],
    *,
    whole: object = None,
) -> Iterator[_Record]:
    """The same records, while those of one item are kept, or all if asked for one."""
    for record in records:
        if item is not None and (whole or str(record.item) == item):
            kept.append(record)
        yield record


def explained(
    comparator: Any,
    responses: list[Response],
    references: list[Reference],
    told_none: Callable[[Any], bool],
    extraction: answers.Extraction,
) -> dict[tuple[str, ...], str]:
    """What was read of each guess, and what the comparator says of it, by its key."""
    explanations: dict[tuple[str, ...], str] = {}
    of_part = {_key(reference.part): reference for reference in references}
    explainer = comparator if isinstance(comparator, answers.Explainer) else None
    reader: Any = (
        comparator if isinstance(comparator, answers.ReferenceReader) else None
    )
    for response in responses:
        guess = response.response
        reference = of_part.get(_key(response.part))
        if guess is None or response.error or reference is None:
            continue
        guess, trace, kind = extraction.read(guess)
        lines = [f"{step} reads {shown(read)}" for step, read in trace]
        if kind is not None:
            lines = [f"{extraction} reads no answer: {kind}"]
        elif extraction.steps and not trace:
            lines = [f"{extraction} reads nothing: compared as it stands"]
        is_none = guess is None or guess == NO_ANSWER or told_none(guess)
        is_none = is_none or (reader is not None and reader.is_no_guess(guess))
        if explainer is not None and reference.answerable and not is_none:
            lines.append(explainer.explain(guess, reference))
        if lines:
            key = _key(*map(partial(getattr, response), _OF_ROW))
            known = [explanations[key]] if key in explanations else []
            explanations[key] = "\n".join([*known, *lines])
    return explanations


_OF_ROW: Final = ("part", "system", "setting", "repeat")


def _key(*parts: Any) -> tuple[str, ...]:
    return tuple("" if part is None else str(part) for part in parts)


def explanation(
    outcomes: Outcomes, item: str, explanations: dict[tuple[str, ...], str]
) -> dict[str, Any]:
    """The item, and what became of each system's guess, and why."""
    table = outcomes.to_columns()
    if "reason" in table:
        table["reason"] = table.pop("reason")  # read last
    records = [
        {name: column[row] for name, column in table.items()}
        for row, name in enumerate(outcomes.item)
        if str(name) == item
    ]
    if not records:
        hint = "Item ids are compared as text, capitals and blanks included."
        if "context" in outcomes.recipe:
            hint += " What --context leaves out is not judged."
        need = "name an item that was judged"
        raise InputError("judge", "--explain", need, repr(item), hint)
    first = records[0]
    common = {
        name
        for name, value in first.items()
        if name not in _OF_GUESSES and all(one[name] == value for one in records)
    }
    executed = explanations and outcomes.recipe.get("comparator", "").startswith("sql/")
    # The explanations have the queries.
    asked = _fields(first, common - _ASKED if executed else common)
    judged = []
    for record in records:
        fields = _fields(record, record.keys() - common)
        key = _key(*map(record.get, _OF_ROW))
        if key in explanations:
            fields["explanation"] = explanations[key]
        judged.append(fields)
    return {"fields": asked, "judged": judged}


def explanation_lines(explanation: dict[str, Any]) -> str:
    """The explanation for people: the item first, and a paragraph for each guess."""
    parts = [explanation["fields"], *explanation["judged"]]
    return "\n\n".join(
        "\n".join(line for field in part.items() for line in _field_lines(*field))
        for part in parts
    )


def _field_lines(name: str, value: Any) -> Iterator[str]:
    if name == "reason_code":  # for programs: the reason stands beside it
        return
    if name != "explanation":
        yield f"{name}: {printable(str(value))}"
        return
    yield "explanation:"
    for line in value.split("\n"):
        yield f"  {printable(line)}"


_OF_GUESSES = frozenset(
    {
        *("part", "system", "setting", "repeat", "outcome", "credit"),
        *("confidence", "declined", "kind", "reason", "reason_code", "response"),
    }
)

_ASKED = frozenset(["db", "sql", "sqls", "max_sql", "max_sqls"])


def _fields(record: dict[str, Any], names: Set[str]) -> dict[str, Any]:
    return {
        name: value
        for name, value in record.items()
        if name in names and value is not None
    }


_OF_OUTCOMES: Final = (
    FigureKind("mean_credit", "the credit of all answers / items", better="higher"),
    *(
        count(kind, f"unanswered items of kind {kind}", better="lower")
        for kind in KINDS
        if kind != FAILED
    ),
)
"""What gates may hold of outcomes beside what they hold of their curves."""


def _value(kind: FigureKind, outcomes: Outcomes) -> float | None:
    if kind.name == "mean_credit":
        return outcomes.mean_credit()
    none = outcomes.outcome == UNANSWERED
    kinds = outcomes.kind
    return 0 if kinds is None else int((kinds[none] == kind.name).sum())


class Judged(Bundle):
    """Outcomes, with what adjudications changed; gates take them as curves."""

    main: Outcomes

    def figures_for(self, gate: Any) -> Iterator[Figure]:
        """Those of the curves of the outcomes, and counts of why there is no answer."""
        from demur.curves.of_outcomes import named_curve
        from demur.decisions.judged_curves import JudgedCurves
        from demur.outcomes.parts import named_parts

        parts = named_parts(self.main)
        for kind in _OF_OUTCOMES:
            if kind.name == gate.name:
                return (Figure(kind, _value(kind, of), of=name) for name, of in parts)
        curves = [named_curve(name, part) for name, part in parts]
        judged = JudgedCurves(curves, parts=[part for _, part in parts])
        return judged.figures_for(gate)

    def to_dict(self) -> dict[str, Any]:
        """The counts, of each system too; what was adjudicated under its key."""
        further = {key: one.to_dict() for key, one in self.further.items()}
        return {
            "items": len(self.main),
            **self.main.counts(),
            "failed": int(self.main.failed.sum()),
            "systems": [
                {
                    "system": name,
                    "items": len(part),
                    **part.counts(),
                    "failed": int(part.failed.sum()),
                    "mean_credit": part.mean_credit(),
                }
                for (name,), part in self.main.parts(["system"])
            ],
            "comparator": self.main.recipe.get("comparator", ""),
            "notes": list(self.notes),
            "signature": self.main.signature,
            **further,
        }
