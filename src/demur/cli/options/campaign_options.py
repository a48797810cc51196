"""The options of ``demur campaign``."""

import argparse
from typing import Final

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Options, Parser

VERBS: Final[dict[str, tuple[str, str, str]]] = {
    "new": (
        "campaign_folder",
        "make the folder of a campaign",
        "season --name 2027 --by text",
    ),
    "team": ("campaign_folder", "take a team in, and make its token", "season alpha"),
    "collect": (
        "campaign_before",
        "take in the sites' questions, labels and meanings",
        "season north=north.jsonl south=south.jsonl",
    ),
    "adjudicate": (
        "campaign_before",
        "write decisions on references back",
        "season decisions.jsonl",
    ),
    "freeze": (
        "campaign_before",
        "reserve the test part, and fix all by hash",
        "season --share 0.5",
    ),
    "pack": (
        "campaign_before",
        "write what is sent out, without the answers",
        "season",
    ),
    "grant": (
        "campaign_folder",
        "give a team further submissions",
        "season alpha --phase test --slots 2",
    ),
    "status": (
        "campaign_folder",
        "phases, teams, quotas, what waits to be scored",
        "season",
    ),
    "verify": (
        "campaign_folder",
        "find whatever was changed, also by receipts",
        "season --receipt receipt.json",
    ),
    "check": (
        "campaign_answers",
        "whether a file of answers is whole, by the pack",
        "season/pack answers.jsonl",
    ),
    "submit": (
        "campaign_answers",
        "hand a file of answers in, for a receipt",
        "season answers.jsonl --team alpha --receipt receipt.json",
    ),
    "withdraw": (
        "campaign_answers",
        "withdraw a submission, which is not erased",
        "season 2 --team alpha",
    ),
    "score": ("campaign_scoring", "judge every submission once, by one rule", "season"),
    "board": ("campaign_scoring", "write the board that may be shown now", "season"),
    "close": ("campaign_scoring", "end the campaign, and show everything", "season"),
    "export": (
        "campaign_export",
        "a bundle for another server, such as Codabench",
        "season --to codabench -o bundle.zip --image demur:latest",
    ),
}
"""The verbs: the file of each, what it does, and an example of what follows it.

The file has ``run_VERB(arguments)`` for its body, which returns the exit code; it is
loaded when one of its verbs is run. ``add_VERB(parser)`` stands below.
"""

_ANSWERS = "ANSWERS: JSON Lines with item and response, also .gz .zst"


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur campaign``."""
    command.description = (
        "A campaign in a folder: questions collected and sent out, answers checked, "
        "taken and scored, boards shown. Whatever happens is in its log."
    )
    command.examples = ("demur campaign new season --name 2027",)
    verbs = command.add_subparsers(
        dest="verb", metavar="VERB", required=True, title="verbs"
    )
    for name, (_, summary, example) in VERBS.items():
        parser = verbs.add_parser(name, help=summary)
        parser.description = summary[0].upper() + summary[1:] + "."
        parser.examples = (f"demur campaign {name} {example}",)
        if command.words is None or name in command.words:
            globals()[f"add_{name}"](parser)
        parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)


def add_folder(parser: Parser) -> None:
    """``FOLDER``."""
    parser.option("FOLDER: of the campaign")


def add_now(parser: Options) -> None:
    """``--now``, in place of the clock."""
    parser.option(
        "--now MOMENT: take this for now, in UTC, such as 2027-03-01T12:00:00Z "
        "(default: the clock); may be repeated, and must be if it is years after all "
        "that was logged",
        type=typed.moment,
        several=True,
    )


def add_credentials(parser: Options) -> None:
    """``--team`` and ``--token``."""
    parser.option("--team NAME: which team you are", required=True)
    parser.option(
        f"--token TOKEN: what it was given (default: {choices.TOKEN} of the "
        "environment, which others on the machine do not see)"
    )


# -- the folder, and its teams ---------------------------------------------------------


def add_new(parser: Parser) -> None:
    """The arguments of ``demur campaign new``."""
    parser.option("FOLDER: to be made", type=typed.new_folder)
    parser.option("--name NAME: of the campaign", required=True)
    parser.option("--by COMPARATOR: how answers are judged", usual="cas")
    parser.option(
        "--key TEXT: with which hidden files are hashed in the log (default: one at "
        "random)"
    )
    add_now(parser)


def add_team(parser: Parser) -> None:
    """The arguments of ``demur campaign team``."""
    add_folder(parser)
    parser.option("NAME: of the team, as boards show it")
    parser.option(
        "--contributor SITE: whose questions are the team's own, so that they are "
        "counted apart"
    )
    parser.option(
        "--token TOKEN: what it will be known by (default: one at random, which is "
        "printed once and not kept)"
    )
    parser.option("--renew: it is there already, and has lost its token")
    add_now(parser)


def add_grant(parser: Parser) -> None:
    """The arguments of ``demur campaign grant``."""
    add_folder(parser)
    parser.option("TEAM: which team")
    parser.option("--slots N: how many further submissions", type=typed.count, usual=1)
    parser.option("--phase NAME: in which phase", required=True)
    parser.option(
        "--day DAY: beyond the quota of this UTC day, too, such as 2027-03-02",
        type=typed.day,
    )
    add_now(parser)


def add_status(parser: Parser) -> None:
    """The arguments of ``demur campaign status``."""
    add_folder(parser)
    add_now(parser)
    shared.add_result_options(parser, "'n_waiting > 0'")


def add_verify(parser: Parser) -> None:
    """The arguments of ``demur campaign verify``."""
    add_folder(parser)
    parser.option(
        "--receipt FILE: of a submission; may be repeated. It shows whether entries "
        "were cut off the end of the log",
        several=True,
    )
    shared.add_json(parser)


# -- before answers come ---------------------------------------------------------------


def add_collect(parser: Parser) -> None:
    """The arguments of ``demur campaign collect``."""
    add_folder(parser)
    parser.option(
        "SITE=FILE: the questions of a site with their answers; all other sites stay "
        "as they were collected before",
        nargs="*",
        dest="sites",
    )
    parser.option(
        "--labels FILE: classes that annotators gave: unit, annotator, label; may be "
        "repeated",
        several=True,
    )
    parser.option(
        "--meanings SITE=FILE: what a site means by words: id, meaning, term; may be "
        "repeated",
        several=True,
    )
    parser.option(
        "--reference-columns NAME=PATH: what columns are called in the files of sites, "
        "such as 'item=id, input=question, reference=answer'",
        type=typed.column_names,
    )
    parser.option("--all: a broken file of one site stops all sites")
    _add_rest(parser)


def add_adjudicate(parser: Parser) -> None:
    """The arguments of ``demur campaign adjudicate``."""
    add_folder(parser)
    parser.option(
        "DECISIONS: files of adjudications, as of demur judge --adjudications; "
        "before freezing they may set the class of a disputed question",
        nargs="+",
        dest="decisions",
    )
    _add_rest(parser)


def add_freeze(parser: Parser) -> None:
    """The arguments of ``demur campaign freeze``."""
    add_folder(parser)
    parser.option(
        "--by COLUMN: questions with the same value stay on one side; may be repeated "
        f"(default: {' and '.join(choices.KEPT_TOGETHER)}, where questions have them, "
        "else item)",
        action="append",
    )
    parser.option(
        "--share SHARE: of the questions, reserved for the test; 1 for all of them",
        type=typed.rate,
        usual=choices.TEST_SHARE,
    )
    parser.option(
        "--stratify COLUMN: aim at that share of each value of this column, such as "
        "class"
    )
    shared.add_seed(parser, "of the draw")
    shared.add_json(parser)
    add_now(parser)


def add_pack(parser: Parser) -> None:
    """The arguments of ``demur campaign pack``."""
    add_folder(parser)
    parser.option(
        "-o --output DIR: new, empty, or with a former pack, which is replaced "
        "(default: pack in FOLDER)"
    )
    parser.option(
        "--with FILE: send this file as well, such as the database; it is searched, "
        "too; may be repeated",
        several=True,
        dest="further",
    )
    parser.option(
        "--allow ITEM: somebody has looked at this item, and its line tells nothing; "
        "may be repeated",
        several=True,
    )
    shared.add_json(parser)
    add_now(parser)


def _add_rest(parser: Parser) -> None:
    parser.option(
        "--db-root DIR: the folder of the databases (default: databases of "
        "campaign.toml, else that of each file; also DEMUR_DB_ROOT)"
    )
    shared.add_json(parser)
    add_now(parser)


# -- what teams do ---------------------------------------------------------------------


def add_check(parser: Parser) -> None:
    """The arguments of ``demur campaign check``."""
    parser.option("PACK: the folder that was sent out")
    parser.option(_ANSWERS)
    shared.add_json(parser)


def add_submit(parser: Parser) -> None:
    """The arguments of ``demur campaign submit``."""
    add_folder(parser)
    parser.option(_ANSWERS)
    add_credentials(parser)
    parser.option(
        "--system NAME: what answered (default: what the file says, else the team)"
    )
    parser.option("--receipt FILE: where the receipt goes, as JSON; keep it")
    shared.add_json(parser)
    add_now(parser)


def add_withdraw(parser: Parser) -> None:
    """The arguments of ``demur campaign withdraw``."""
    add_folder(parser)
    parser.option("NUMBER: of the submission", type=typed.count)
    add_credentials(parser)
    add_now(parser)


# -- what becomes of the answers -------------------------------------------------------


def add_score(parser: Parser) -> None:
    """The arguments of ``demur campaign score``."""
    add_folder(parser)
    parser.option(
        "--workers N: processes that judge at a time", type=typed.count, usual=2
    )
    parser.option(
        "--time-limit SECONDS: for a submission; what takes longer has failed "
        "(default: 600)",
        type=typed.seconds,
        default=choices.SCORING_LIMIT,
    )
    parser.option("--retry-failed: try those that failed again")
    add_now(parser)
    shared.add_result_options(parser, "'failed > 0'")


def add_board(parser: Parser) -> None:
    """The arguments of ``demur campaign board``."""
    add_folder(parser)
    parser.option(
        "--version N: by this version of the scorer and the references (default: the "
        "newest)",
        type=typed.count,
    )
    shared.add_json(parser)
    parser.option("--wide: show every column, however wide the lines")
    add_now(parser)


def add_close(parser: Parser) -> None:
    """The arguments of ``demur campaign close``."""
    add_folder(parser)
    shared.add_json(parser)
    parser.option("--wide: show every column, however wide the lines")
    add_now(parser)


# -- another server --------------------------------------------------------------------


def add_export(parser: Parser) -> None:
    """The arguments of ``demur campaign export``."""
    add_folder(parser)
    parser.option(
        "--to SERVER: whose bundle it is", choices=["codabench"], required=True
    )
    parser.option("-o --output FILE: where the bundle goes, a .zip", required=True)
    parser.option(
        "--image IMAGE: the container that scores; demur must be installed in it",
        required=True,
    )
