"""The options of ``demur judge``."""

from demur.cli.options import (
    choices,
    databases,
    judge_models,
    shared,
    typed,
)
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur judge``."""
    command.description = (
        "Judge responses against references: right, wrong, unanswered or "
        "ungraded, per item, with reasons."
    )
    command.common = ("--by", "--output", "--extract", "--no-answer", "--columns")
    command.examples = (
        "demur judge responses.jsonl references.jsonl --by label -o outcomes.jsonl",
    )
    command.option(
        f"RESPONSES: files of responses ({choices.READABLE}, compressed too; - is "
        f"standard input); fields: {', '.join(choices.RESPONSE_FIELDS)}",
        nargs="+",
    )
    fields = choices.REFERENCE_FIELDS
    command.option(f"REFERENCES: file of references; fields: {', '.join(fields)}")
    _judging_options(command)
    _policies_options(command)
    command.option(
        "--context: judge what can be asked under this rule of when context is reset, "
        f"as demur run --context does: {choices.listed(choices.CONTEXT_RULES)}; other "
        "questions, such as excluded ones, are left out and counted",
        choices=[*choices.CONTEXT_RULES],
    )
    _adjudications_options(command)
    _tables_options(command)
    _databases_options(command)
    command.option("--explain ITEM: show how one item was judged")
    shared.add_hiding(command)
    shared.add_selection(command, "responses")
    command.part("what is read").option(
        "--reference-columns NAME=PATH: as --columns, of REFERENCES; without it a file "
        "that holds responses and references is read by --columns",
        type=typed.column_names,
    )
    shared.add_result_options(command, "'error@0.2 > 0.05', 'ungraded > 10'")


def _judging_options(command: Parser) -> None:
    command.option(
        f"--by COMPARATOR: {', '.join(choices.COMPARATORS)}, each with its options, "
        "such as text(normalise=squad) or number(relative=0.01); "
        "'model(MODEL@URL, rubric=RUBRIC)' or 'claims(MODEL@URL)' asks a chat endpoint",
        type=typed.comparator,
        usual="text",
    )
    command.option(
        "--extract STEPS: take answers out of responses before comparing, by steps "
        f"joined by +: {', '.join(choices.EXTRACTING_STEPS)}; such as final+boxed or "
        "json(field=answer)",
        type=typed.extraction,
    )
    command.option(
        "-o --output OUTCOMES: write outcomes; the format is told by the ending "
        "(.jsonl .json .csv .tsv .parquet, also .gz .zst; - is standard output); cells "
        "of .csv and .tsv are written as they are, also those that a spreadsheet would "
        "run as formulas, which is said",
        type=typed.target,
    )


def _adjudications_options(command: Parser) -> None:
    part = command.part("changed references, and parts of answers")
    part.option(
        "--parts: with --by slots or tool_call: a row for each part of an answer, a "
        "slot or a call, and for each that it lacks"
    )
    part.option(
        "--adjudications FILE: judge with the references as changed by this file (JSON "
        "Lines: item, by, why, and set or remove), and show whose verdicts that changes"
    )
    part.option(
        "--weight W: with --adjudications: rank systems by the weighted error, a wrong "
        "answer costing W and one not given 1 (default: by right answers)",
        type=typed.positive,
    )


def _policies_options(command: Parser) -> None:
    part = command.part("responses that do not fit")
    part.option(
        "--missing: items without a response",
        choices=["error", "unanswered", "leave_out"],
        usual="error",
    )
    part.option(
        "--unmatched: responses without a reference; wrong is for parts that nobody "
        "asked for, of items that have references",
        choices=["error", "leave_out", "wrong"],
        usual="error",
    )
    part.option(
        "--no-answer PATTERN: responses that count as unanswered: a regular expression "
        "for the whole response, or refusals for what looks like one in one of several "
        "languages, and for empty text; may be repeated",
        several=True,
        type=typed.no_answer,
    )
    part.option(
        "--repeated: several responses to one item",
        choices=["error", "first", "last"],
        usual="error",
    )
    part.option(
        "--unsure: guesses without a confidence where other guesses of the system have "
        "one",
        choices=["error", "lowest"],
        usual="error",
    )


def _tables_options(command: Parser) -> None:
    group = command.add_argument_group("answers that are tables (sql, relation, cas)")
    group.option(
        "--maximum: without max_sql or max in the reference: derived, an answer may "
        "show no more than the reference, and what its SQL names, with names and keys "
        "of what it shows; none, further columns are free (default: derived)",
        choices=choices.TABLE_MAXIMA,
    )
    group.option(
        "--empty: an answer without rows, where the reference has none, either "
        "(default: right)",
        choices=choices.EMPTY_TABLES,
    )


def _databases_options(command: Parser) -> None:
    """Those of queries, and behind them those of a model that judges."""
    group = command.add_argument_group("answers that are SQL (--by sql)")
    databases.add_databases(group, "REFERENCES", or_model=True)
    group.option(
        "--max-rows N: rows that are kept of a result; an answer with more is wrong if "
        "the reference has fewer (default: 1000000)",
        type=typed.count,
    )
    group.option(
        "--max-memory SIZE: for each query, e.g. 500MB (default: 1GiB)",
        type=typed.memory,
    )
    group.option(
        "--max-lost SHARE: how many of the answers may be ungraded because a server "
        "went down; more end the run, which resumes with the same --cache (default: "
        "0.01)",
        type=typed.rate,
    )
    group.option(
        "--workers N: databases asked at a time (default: one for each core)",
        type=typed.count,
    )
    judge_models.add_judge_model(command)
