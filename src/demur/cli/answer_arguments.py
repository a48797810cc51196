"""Arguments of the commands about answers and their references."""

import argparse

from demur.cli.argument_types import (
    condition,
    count,
    count_gate,
    folder,
    names,
    record_file,
    record_target,
    seconds,
    seed,
    share,
    weights,
)


def add_score(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", epilog: str
) -> argparse.ArgumentParser:
    """``demur score``."""
    command = commands.add_parser(
        "score",
        help="right, wrong and not answered per group, and the weighted error",
        description="Counts and the weighted error of each system, by its own "
        "decisions to answer, and which system is best at which weight.",
        epilog=epilog,
    )
    command.add_argument(
        "outcomes", nargs="+", metavar="OUTCOMES", help="files of outcomes"
    )
    command.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="GROUP",
        help="a row for each value of this column, such as class; may be repeated",
    )
    command.add_argument(
        "--weights",
        type=weights,
        default=[2.0],
        metavar="W,W",
        help="what a wrong answer costs, if an answer not given costs 1; several with "
        "commas (default: 2)",
    )
    command.add_argument(
        "--leave-out",
        action="append",
        default=[],
        type=condition,
        metavar="COL=VALUE",
        help="do not score the outcomes with this value, even if answered; may be "
        "repeated (any suffices)",
    )
    command.add_argument(
        "--seed", type=seed, default=0, help="of intervals (default: %(default)s)"
    )
    return command


def add_adjudications(command: argparse.ArgumentParser) -> None:
    """Of ``demur judge``: changed references."""
    command.add_argument(
        "--adjudications",
        metavar="FILE",
        help="judge with the references as changed by this file (JSON Lines: item, by, "
        "why, and set or remove), and show whose verdicts that changes",
    )


def add_databases(command: argparse.ArgumentParser) -> None:
    """Of ``demur judge --by sql``: databases, and what a query may take."""
    group = command.add_argument_group("answers that are SQL (--by sql)")
    group.add_argument(
        "--db-root",
        metavar="DIR",
        help="the folder that db of the references starts from (default: that of "
        "REFERENCES), or one database for all: a file, or postgresql://USER@HOST/NAME; "
        "also read from the environment variable DEMUR_DB_ROOT",
    )
    group.add_argument(
        "--timeout",
        type=seconds,
        metavar="SECONDS",
        help="for each query (default: 30)",
    )
    group.add_argument(
        "--max-rows",
        type=count,
        metavar="N",
        help="results with more rows are ungraded (default: 1000000)",
    )
    group.add_argument(
        "--cache",
        type=folder,
        metavar="DIR",
        help="keep results here; an interrupted run resumes",
    )
    group.add_argument(
        "--workers",
        type=count,
        metavar="N",
        help="databases asked at a time (default: one for each core)",
    )
    group.add_argument(
        "--maximum",
        choices=("given", "derived"),
        help="derived: an answer may show no columns but those that the canonical SQL "
        "names, unless the reference has max_sql or max (default: given)",
    )


def add_reserve(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", epilog: str
) -> argparse.ArgumentParser:
    """``demur reserve``."""
    command = commands.add_parser(
        "reserve",
        help="keep whole subjects or dialogues back for the test",
        description="Cut references into training and test, so that no subject (or "
        "dialogue, or whatever --by names) is in both.",
        epilog=epilog,
    )
    command.add_argument(
        "references", nargs="+", metavar="REFERENCES", help="files of references"
    )
    command.add_argument(
        "--by",
        action="append",
        required=True,
        metavar="COLUMN",
        help="items with the same value stay together; may be repeated (any suffices)",
    )
    command.add_argument(
        "--share",
        type=share,
        default=0.3,
        metavar="SHARE",
        help="of the items, reserved for the test (default: %(default)s)",
    )
    command.add_argument(
        "--stratify",
        metavar="COLUMN",
        help="aim at that share of each value of this column, such as class",
    )
    command.add_argument(
        "--train",
        type=record_file,
        required=True,
        metavar="FILE",
        help="where the references for training go (.jsonl, also .gz .zst)",
    )
    command.add_argument(
        "--test",
        type=record_file,
        required=True,
        metavar="FILE",
        help="where the reserved references go (.jsonl, also .gz .zst)",
    )
    command.add_argument(
        "--seed", type=seed, default=0, help="of the draw (default: %(default)s)"
    )
    return command


def add_merge(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", epilog: str
) -> argparse.ArgumentParser:
    """``demur merge``."""
    command = commands.add_parser(
        "merge",
        help="put the references of several contributors into one file",
        description="Merge challenge sets: every reference is kept and says who "
        "contributed it; equal questions and conflicting references are reported.",
        epilog=epilog,
    )
    command.add_argument(
        "references",
        nargs="+",
        metavar="REFERENCES",
        help="files of references, one for each contributor",
    )
    command.add_argument(
        "-o",
        "--output",
        type=record_target,
        required=True,
        metavar="FILE",
        help="where the merged references go (.jsonl, also .gz .zst), or - for "
        "standard output; the report then goes to standard error",
    )
    command.add_argument(
        "--contributors",
        type=names,
        metavar="NAME,NAME",
        help="names of the contributors, one for each file (default: the files' names)",
    )
    command.add_argument(
        "--apart",
        action="append",
        default=[],
        metavar="COLUMN",
        help="a further column, such as subject, whose values are of one contributor "
        "each and are kept apart like those of cluster; may be repeated",
    )
    return command


def add_lint(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", epilog: str
) -> argparse.ArgumentParser:
    """``demur lint``."""
    command = commands.add_parser(
        "lint",
        help="look for what is wrong with references",
        description="Check references before systems are judged by them: answers, "
        "SQL and its results, agreed meanings, context, signs against class A.",
        epilog=epilog,
    )
    command.add_argument(
        "references", nargs="+", metavar="REFERENCES", help="files of references"
    )
    _add_running(command)
    command.add_argument(
        "--meanings",
        metavar="FILE",
        help="what was agreed on the meaning of words: records with id and meaning",
    )
    command.add_argument(
        "--signs",
        metavar="FILE",
        help="signs against class A: records with id, pattern, suggests, why "
        "(default: some for English)",
    )
    command.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=count_gate,
        metavar="GATE",
        help="exit with 1 if the condition holds, e.g. 'findings > 0', "
        "'tie-at-limit > 0'; may be repeated",
    )
    return command


def _add_running(command: argparse.ArgumentParser) -> None:
    """Where the SQL of references runs, for how long, and what is kept."""
    command.add_argument(
        "--db-root",
        metavar="DIR",
        help="the folder that db of the references starts from (default: that of "
        "their file), or one database for all: a file, or postgresql://USER@HOST/NAME; "
        "also read from the environment variable DEMUR_DB_ROOT",
    )
    command.add_argument(
        "--timeout",
        type=seconds,
        default=30.0,
        metavar="SECONDS",
        help="for each query (default: %(default)s)",
    )
    command.add_argument(
        "--cache", type=folder, metavar="DIR", help="folder that keeps results"
    )
