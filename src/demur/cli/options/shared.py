"""Options that many commands have."""

from demur.cli.options import choices, typed
from demur.cli.options.parsing import Options, Parser


def add_whole_options(command: Parser) -> None:
    """What people do with withheld parts, and what a whole without parts is."""
    part = command.part("answers made of parts")
    what = "--people-error RATE: with parts: how often people get a withheld one wrong"
    part.option(what, type=typed.rate)
    what = "--minutes M: with a column part: of people's time for each withheld part"
    part.option(what, type=typed.positive)
    part.option(
        "--without-parts: with a column part: whether an answer without any is "
        "complete and right: if its answerable is false, always, or never (default: "
        "answerable)",
        choices=["answerable", "right", "unanswered"],
    )


def add_region(command: Parser) -> None:
    """``--region``."""
    part = command.part("pictures")
    part.option(
        "--region LOW:HIGH: shade the operating region in the plot, e.g. 0.15:0.25",
        type=typed.region,
    )


def add_level(command: Parser, what: str) -> None:
    """``--level``, and what it is the level of."""
    part = command.part("intervals and draws")
    part.option(f"--level LEVEL: {what}", type=typed.level, usual=0.95)


def add_hiding(command: Parser) -> None:
    """``--hide-references``, for what participants may see."""
    part = command.part("what is shown")
    part.option(
        "--hide-references: write nothing of what would be right: no column, reason or "
        "note that may quote a reference"
    )


def add_seed(command: Parser, what: str) -> None:
    """``--seed``, and what it is the seed of."""
    part = command.part("intervals and draws")
    part.option(f"--seed SEED: {what}", type=typed.whole_number, usual=0)


def add_max_cluster(command: Options, where: str = "") -> None:
    """``--max-cluster``, with where it counts."""
    command.option(
        f"--max-cluster N: {where}the most items that a cluster (a dialogue, say) may "
        "have, also later; recheck --anytime needs it",
        type=typed.count,
    )


def add_selection(command: Parser, what: str) -> None:
    """``--where``, and what it selects."""
    command.part("what is read").option(
        f"--where COL=VALUE: use only the {what} with this value; may be repeated: "
        "any of several values of one column, and all columns",
        several=True,
        type=typed.condition,
    )
    add_reading(command)
    add_max_size(command)


def add_repeated(command: Parser) -> None:
    """``--repeated``, for what is counted item by item."""
    command.part("what is read").option(
        "--repeated: several rows of one item, such as those of a retry: which counts; "
        "equal rows count once",
        choices=["error", "first", "last"],
        usual="error",
    )


def add_reading(command: Parser) -> None:
    """``--log`` and ``--columns``, for files that are not in our form."""
    part = command.part("what is read")
    part.option(
        "--log READER: whose log the files are, with options, such as "
        "'inspect(scorer=match)'; logs of other tools are recognised without it",
        type=typed.item_log,
    )
    part.option(
        "--columns NAME=PATH: what columns are called in the files, such as "
        "'item=id, response=output.text, correct=score >= 0.5'; for one of several "
        "files 'item=id; b.csv: confidence=sure'",
        type=typed.column_names,
    )


def add_max_size(command: Parser) -> None:
    """``--max-size``."""
    part = command.part("what is read")
    part.option(
        "--max-size SIZE: how much a compressed file may hold, and 16 times what may "
        "be one line, such as 20GB (default: 4GiB)",
        type=typed.size,
        default=choices.MAX_SIZE,
    )


def add_engine(command: Parser) -> None:
    """``--engine``, and what it takes."""
    part = command.part("engines")
    part.option(
        "--engine: what counts: rows in memory, DuckDB, which takes folders, globs and "
        "addresses (s3://, https://) too, or Spark (default: DuckDB for these and for "
        "large files, else memory)",
        choices=["memory", "duckdb", "spark"],
    )
    part.option("--master URL: with --engine spark: where the cluster is")
    part.option(
        "--check-items: with an engine: count exactly whether rows are repeated"
    )


def add_picture(command: Parser, what: str, option: str = "--plot") -> None:
    """``--plot``, or another option that names the file of a picture."""
    part = command.part("pictures")
    part.option(f"{option} FILE: {what} (.png .svg .pdf)", type=typed.picture)


def add_json(command: Parser) -> None:
    """``--json``."""
    part = command.part("what is shown")
    part.option("--json: print JSON instead of a table")


def add_result_options(command: Parser, examples: str) -> None:
    """``--json``, ``--wide``, ``--page`` and ``--fail-if``, with examples of gates."""
    add_json(command)
    shown = command.part("what is shown")
    shown.option("--wide: show every column, however wide the lines")
    shown.option(
        "--page HTML: also write the result on one offline page",
        type=typed.page,
    )
    command.part("gates").option(
        f"--fail-if GATE: exit with 1 if the condition holds, e.g. {examples}; may be "
        "repeated",
        several=True,
        type=typed.parsed_gate,
    )
