"""Options that many commands have."""

from demur.cli.options import choices, typed
from demur.cli.parsing import Options


def add_whole_options(command: Options) -> None:
    """What people do with withheld parts, and what a whole without parts is."""
    what = "--people-error RATE: with parts: how often people get a withheld one wrong"
    command.option(what, type=typed.rate)
    what = "--minutes M: with a column part: of people's time for each withheld part"
    command.option(what, type=typed.positive)
    command.option(
        "--without-parts: with a column part: whether an answer without any is "
        "complete and right: if its answerable is false, always, or never (default: "
        "answerable)",
        choices=["answerable", "right", "unanswered"],
    )


def add_region(command: Options) -> None:
    """``--region``."""
    command.option(
        "--region LOW:HIGH: shade the operating region in the plot, e.g. 0.15:0.25",
        type=typed.region,
    )


def add_level(command: Options, what: str) -> None:
    """``--level``, and what it is the level of."""
    command.option(f"--level LEVEL: {what}", type=typed.level, usual=0.95)


def add_hiding(command: Options) -> None:
    """``--hide-references``, for what participants may see."""
    command.option(
        "--hide-references: write nothing of what would be right: no column, reason or "
        "note that may quote a reference"
    )


def add_seed(command: Options, what: str) -> None:
    """``--seed``, and what it is the seed of."""
    command.option(f"--seed SEED: {what}", type=typed.whole_number, usual=0)


def add_max_cluster(command: Options, where: str = "") -> None:
    """``--max-cluster``, with where it counts."""
    command.option(
        f"--max-cluster N: {where}the most items that a cluster (a dialogue, say) may "
        "have, also later; recheck --anytime needs it",
        type=typed.count,
    )


def add_selection(command: Options, what: str) -> None:
    """``--where``, and what it selects."""
    command.option(
        f"--where COL=VALUE: use only the {what} with this value; may be repeated: "
        "any of several values of one column, and all columns",
        several=True,
        type=typed.condition,
    )
    add_reading(command)
    add_max_size(command)


def add_reading(command: Options) -> None:
    """``--log`` and ``--columns``, for files that are not in our form."""
    command.option(
        "--log READER: whose log the files are, with options, such as "
        "'inspect(scorer=match)'; logs of other tools are recognised without it",
        type=typed.item_log,
    )
    command.option(
        "--columns NAME=PATH: what columns are called in the files, such as "
        "'item=id, response=output.text, correct=score >= 0.5'",
        type=typed.column_names,
    )


def add_max_size(command: Options) -> None:
    """``--max-size``."""
    command.option(
        "--max-size SIZE: how much a compressed file may hold, and 16 times what may "
        "be one line, such as 20GB (default: 4GiB)",
        type=typed.size,
        default=choices.MAX_SIZE,
    )


def add_engine(command: Options) -> None:
    """``--engine``, and what it takes."""
    command.option(
        "--engine: what counts: rows in memory, DuckDB, which takes folders, globs and "
        "addresses (s3://, https://) too, or Spark (default: DuckDB for these and for "
        "large files, else memory)",
        choices=["memory", "duckdb", "spark"],
    )
    command.option("--master URL: with --engine spark: where the cluster is")
    command.option(
        "--check-items: with an engine: count exactly whether rows are repeated"
    )


def add_picture(command: Options, what: str, option: str = "--plot") -> None:
    """``--plot``, or another option that names the file of a picture."""
    command.option(f"{option} FILE: {what} (.png .svg .pdf)", type=typed.picture)


def add_json(command: Options) -> None:
    """``--json``."""
    command.option("--json: print JSON instead of a table")


def add_result_options(command: Options, examples: str) -> None:
    """``--json``, ``--wide``, ``--page`` and ``--fail-if``, with examples of gates."""
    add_json(command)
    command.option("--wide: show every column, however wide the lines")
    command.option(
        "--page HTML: also write the result on one offline page",
        type=typed.page,
    )
    command.option(
        f"--fail-if GATE: exit with 1 if the condition holds, e.g. {examples}; may be "
        "repeated",
        several=True,
        type=typed.parsed_gate,
    )
