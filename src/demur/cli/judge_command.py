"""``demur judge``: responses and references become outcomes."""

import argparse
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from typing import Any, Final, TextIO, TypeVar

from demur import answers, formats
from demur.answers.refusals import NoAnswers
from demur.answers.sql_results import MAXIMA
from demur.cli.shared import (
    add_databases,
    add_result_options,
    add_selection,
    comparator,
    count,
    finish,
    how_read,
    memory,
    no_answer,
    output_of,
    rate,
    target,
)
from demur.cli.streams import as_json, progress, reader_may_go, say, show
from demur.cli.usage import WrongUsage, check_outputs
from demur.curves.rates import CURVE_KINDS, OUTCOMES_KINDS
from demur.errors import InputError
from demur.formats.reading import READABLE
from demur.formats.writing import formula_cells
from demur.judging.judging import NO_ANSWER, judge
from demur.outcomes.fields import names_of
from demur.outcomes.records import Reference, Response
from demur.outcomes.table import Outcomes
from demur.references.adjudicating import Adjudicated, adjudicate
from demur.references.adjudications import (
    changed_references,
    read_adjudications,
)
from demur.results import Bundle, Figure, printable
from demur.sql.databases import Databases
from demur.sql.executed import on_databases
from demur.version import __version__

_LIMITS: Final = ("timeout", "max_rows", "max_memory", "max_lost", "cache", "workers")


_REFERENCE: Final = (*names_of("reference"), *names_of("acceptable"))


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur judge``."""
    command.description = (
        "Judge responses against references: right, wrong, unanswered or "
        "ungraded, per item, with reasons."
    )
    command.add_argument(
        "responses",
        nargs="+",
        metavar="RESPONSES",
        help=f"files of responses ({READABLE}, compressed too; - is standard input); "
        f"fields: {', '.join(names_of('response'))}",
    )
    command.add_argument(
        "references",
        metavar="REFERENCES",
        help=f"file of references; fields: {', '.join(_REFERENCE)}",
    )
    command.add_argument(
        "--by",
        default="text",
        type=comparator,
        metavar="COMPARATOR",
        help=f"{', '.join(answers.COMPARATORS)}, each with its options, such as "
        "text(normalise=squad) or number(relative=0.01) (default: %(default)s)",
    )
    command.add_argument(
        "-o",
        "--output",
        type=target,
        metavar="OUTCOMES",
        help="write outcomes; the format is told "
        "by the ending (.jsonl .json .csv .tsv .parquet, also .gz .zst; - is standard "
        "output); cells of .csv and .tsv are written as they are, also those that a "
        "spreadsheet would run as formulas, which is said",
    )
    _policies_options(command)
    _adjudications_options(command)
    _databases_options(command)
    command.add_argument(
        "--explain", metavar="ITEM", help="show how one item was judged"
    )
    add_selection(command, "responses")
    add_result_options(command, "'error@0.2 > 0.05', 'ungraded > 10'")


def _policies_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--missing",
        default="error",
        choices=["error", "unanswered", "leave_out"],
        help="items without a response (default: %(default)s)",
    )
    command.add_argument(
        "--unmatched",
        default="error",
        choices=["error", "leave_out"],
        help="responses without a reference (default: %(default)s)",
    )
    command.add_argument(
        "--no-answer",
        action="append",
        type=no_answer,
        default=[],
        metavar="PATTERN",
        help="responses that count as unanswered: a regular expression for the whole "
        "response, or refusals for what looks like one in English, and for empty text; "
        "may be repeated",
    )
    command.add_argument(
        "--repeated",
        default="error",
        choices=["error", "first", "last"],
        help="several responses to one item (default: %(default)s)",
    )
    command.add_argument(
        "--unsure",
        default="error",
        choices=["error", "lowest"],
        help="guesses without a confidence where other guesses of the system have one "
        "(default: %(default)s)",
    )


def _adjudications_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--adjudications",
        metavar="FILE",
        help="judge with the references as changed by this file (JSON Lines: item, by, "
        "why, and set or remove), and show whose verdicts that changes",
    )


def _databases_options(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("answers that are SQL (--by sql)")
    add_databases(group, "REFERENCES")
    group.add_argument(
        "--max-rows",
        type=count,
        metavar="N",
        help="rows that are kept of a result; an answer with more is wrong if the "
        "reference has fewer (default: 1000000)",
    )
    group.add_argument(
        "--max-memory",
        type=memory,
        metavar="SIZE",
        help="for each query, e.g. 500MB (default: 1GiB)",
    )
    group.add_argument(
        "--max-lost",
        type=rate,
        metavar="SHARE",
        help="how many of the answers may be ungraded because a server went down; more "
        "end the run, which resumes with the same --cache (default: 0.01)",
    )
    group.add_argument(
        "--workers",
        type=count,
        metavar="N",
        help="databases asked at a time (default: one for each core)",
    )
    group.add_argument(
        "--maximum",
        choices=MAXIMA,
        help="without max_sql or max in the reference: derived, an answer may show no "
        "more than what the canonical SQL names, and names and keys of what it shows; "
        "none, further columns are free (default: derived)",
    )


def run(arguments: Namespace) -> int:
    """Judge, write, and print counts or one explanation."""
    output = output_of(arguments, (*CURVE_KINDS, *OUTCOMES_KINDS))
    if arguments.explain and (output.gates or output.page):
        must, hint = "come without --fail-if and --page", "It is about one item."
        raise WrongUsage("judge", "--explain", must, "both", hint)
    read = [*arguments.responses, arguments.references, arguments.adjudications]
    written = {"--output": arguments.output, "--page": output.page}
    check_outputs("judge", written, [*read, arguments.db_root])
    by = with_databases(arguments)
    responses: list[Response] = []
    references: list[Reference] = []
    item = arguments.explain
    again = Rejudging(arguments.adjudications) if arguments.adjudications else None
    outcomes = (again or judge)(
        keeping(
            formats.iter_responses(*arguments.responses, **how_read(arguments)),
            item,
            responses,
        ),
        keeping(
            formats.iter_references(arguments.references, max_size=arguments.max_size),
            item,
            references,
            whole=again,
        ),
        by=by,
        missing=arguments.missing,
        unmatched=arguments.unmatched,
        repeated=arguments.repeated,
        unsure=arguments.unsure,
        no_answer=arguments.no_answer,
    )
    report = _written(outcomes, arguments.output)
    if item is None:
        adjudicated = again.adjudicated if again else None
        return finish(Judged(outcomes, adjudicated=adjudicated), output, report)
    now = again.changed(references) if again else references
    judged_by = [reference for reference in now if str(reference.item) == item]
    why = explained(by, responses, judged_by, NoAnswers(arguments.no_answer))
    explained_item = explanation(outcomes, item, why)
    if output.json:
        show(as_json({"demur": __version__, **explained_item}), report)
    else:
        show(explanation_lines(explained_item), report)
    return 0


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
    limits = {name: getattr(arguments, name) for name in _LIMITS}
    given = {name: value for name, value in limits.items() if value is not None}
    by, root, maximum = arguments.by, arguments.db_root, arguments.maximum
    if not isinstance(by, answers.Sql):
        options = [*(["db_root"] if root else []), *given]
        options += ["maximum"] if maximum else []
        if options:
            name = "--" + options[0].replace("_", "-")
            raise WrongUsage("judge", name, "be given with --by sql", f"--by {by}")
        return by

    databases = Databases(
        root=root or os.environ.get("DEMUR_DB_ROOT") or None,
        progress=progress("queries"),
        **given,
    )
    return on_databases(replace(by, maximum=maximum) if maximum else by, databases)


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
) -> dict[tuple[str, ...], str]:
    """What a comparator that explains itself says of each guess, by its key."""
    explanations: dict[tuple[str, ...], str] = {}
    if not isinstance(comparator, answers.Explainer) or not references:
        return explanations
    for response in responses:
        guess = response.response
        if guess is None or response.error or not references[0].answerable:
            continue
        if guess == NO_ANSWER or _is_no_guess(comparator, guess) or told_none(guess):
            continue
        key = _key(response.system, response.setting, response.repeat)
        text = comparator.explain(guess, references[0])
        explanations[key] = (
            f"{explanations[key]}\n{text}" if key in explanations else text
        )
    return explanations


def _is_no_guess(comparator: Any, guess: Any) -> bool:
    """Whether a guess says, as the comparator reads it, that there is none."""
    reads = isinstance(comparator, answers.ReferenceReader)
    return reads and comparator.is_no_guess(guess)


def _key(*parts: Any) -> tuple[str, ...]:
    return tuple("" if part is None else str(part) for part in parts)


def explanation(
    outcomes: Outcomes, item: str, explanations: dict[tuple[str, ...], str]
) -> dict[str, Any]:
    """The item, and what became of each system's guess, and why."""
    rows = [row for row, name in enumerate(outcomes.item) if str(name) == item]
    if not rows:
        hint = "Item ids are compared as text, capitals and blanks included."
        got = repr(item)
        raise InputError(
            "judge", "--explain", "name an item that was judged", got, hint
        )
    columns = {name: [each[row] for row in rows] for name, each in _shown(outcomes)}
    shared = {
        name
        for name, values in columns.items()
        if name not in _OF_GUESSES and all(value == values[0] for value in values)
    }
    executed = explanations and outcomes.recipe.get("comparator", "").startswith("sql/")
    # The explanations have the queries.
    asked = _fields(columns, 0, shared - _ASKED if executed else shared)
    judged = [
        _fields(columns, index, columns.keys() - shared) for index in range(len(rows))
    ]
    keys = [_key(*key) for key in zip(*_keys(outcomes, rows), strict=True)]
    for each, key in zip(judged, keys, strict=True):
        if key in explanations:
            each["explanation"] = explanations[key]
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
        *("system", "setting", "repeat", "outcome", "credit"),
        *("confidence", "declined", "kind", "reason", "reason_code", "response"),
    }
)

_ASKED = frozenset(["db", "sql", "sqls", "max_sql", "max_sqls"])


def _shown(outcomes: Outcomes) -> list[tuple[str, list[Any]]]:
    """Columns in the order of reading: what was given, then what became of it."""
    columns = list(outcomes.to_columns().items())
    last = [column for column in columns if column[0] == "reason"]
    return [column for column in columns if column[0] != "reason"] + last


def _keys(outcomes: Outcomes, rows: list[int]) -> list[list[Any]]:
    columns = (outcomes.system, outcomes.setting, outcomes.repeat)
    return [
        [None] * len(rows) if column is None else [column[row] for row in rows]
        for column in columns
    ]


def _fields(
    columns: dict[str, list[Any]], index: int, names: Set[str]
) -> dict[str, Any]:
    return {
        name: values[index]
        for name, values in columns.items()
        if name in names and values[index] is not None
    }


class Rejudging:
    """Stands in for `demur.judge`, and remembers what adjudications have changed.

    Parameters
    ----------
    path : str
        The file of adjudications.
    """

    def __init__(self, path: str) -> None:
        self._adjudications = read_adjudications(path)
        self._found: Adjudicated | None = None

    def __call__(self, responses: Any, references: Any, **how: Any) -> Outcomes:
        """Judge with the references as they are and as changed; give the latter."""
        adjudicated = adjudicate(responses, references, self._adjudications, **how)
        self._found = adjudicated
        return adjudicated.outcomes

    def changed(self, references: Iterable[Reference]) -> Iterator[Reference]:
        """References as they are after the changes."""
        return changed_references(references, self._adjudications)

    @property
    def adjudicated(self) -> Adjudicated | None:
        """What has changed; None before anything is judged."""
        return self._found


class Judged(Bundle):
    """Outcomes, with what adjudications changed; gates take them as curves."""

    main: Outcomes

    def figures_for(self, gate: Any) -> Iterator[Figure]:
        """Those of the curves of the outcomes."""
        from demur.curves.of_outcomes import named_curve
        from demur.decisions.judged_curves import JudgedCurves
        from demur.outcomes.parts import named_parts

        parts = named_parts(self.main)
        curves = [named_curve(name, part) for name, part in parts]
        return JudgedCurves(curves, parts=[part for _, part in parts]).figures_for(gate)

    def to_dict(self) -> dict[str, Any]:
        """The counts, of each system too; what was adjudicated under its key."""
        further = {key: one.to_dict() for key, one in self.further.items()}
        return {
            "items": len(self.main),
            **self.main.counts(),
            "systems": [
                {
                    "system": name,
                    "items": len(part),
                    **part.counts(),
                    "mean_credit": part.mean_credit(),
                }
                for (name,), part in self.main.parts(["system"])
            ],
            "comparator": self.main.recipe.get("comparator", ""),
            "notes": list(self.notes),
            "signature": self.main.signature,
            **further,
        }
