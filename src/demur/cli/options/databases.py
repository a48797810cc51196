"""Options of commands that run queries: where, and for how long."""

from demur.cli.options import typed
from demur.cli.options.parsing import Options


def add_databases(command: Options, whose: str, *, or_model: bool = False) -> None:
    """``--db-root``, ``--timeout``, ``--cache``: where SQL runs, and for how long.

    The latter two are also those of a model, where one may be asked in place of it.
    """
    command.option(
        f"--db-root DIR: the folder that db of the references starts from (default: "
        f"that of {whose}), or one database for all: a file, or "
        "postgresql://USER@HOST/NAME; also read from the environment variable "
        "DEMUR_DB_ROOT"
    )
    of_model = ", or each request to a model (default: 120)" if or_model else ""
    command.option(
        f"--timeout SECONDS: for each query (default: 30){of_model}",
        type=typed.seconds,
    )
    in_file = ", or in this file what a model replies" if or_model else ""
    command.option(
        f"--cache DIR: keep results here{in_file}; an interrupted run resumes",
        type=str if or_model else typed.folder,
    )
