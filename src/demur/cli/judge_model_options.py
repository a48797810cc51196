"""``demur judge --by 'model(...)'``: its options, and what is said of its requests."""

from argparse import Namespace
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from demur import answers
from demur.cli import BAD_INPUT, FINE, Parser, chat_options, say, shared, typed
from demur.cli.shared import WrongUsage
from demur.cli.streams import progress
from demur.outcomes.reasons import JUDGE_FAILED
from demur.outcomes.table import Outcomes

_GIVE_UP: Final = 20  # as `demur.systems.running.GIVE_UP`, which loads more than this
_OPTIONS: Final = (
    *("confidence", "samples", "agree_by", "system_role", "parameters", "prices"),
    *("cached_price", "budget", "token_rate", "key_env", "header", "rate"),
)
"""Options of a model alone, as the adapter of chats knows them."""

_OF_SQL: Final = ("db_root", "max_rows", "max_memory", "max_lost", "workers")
_USUAL: Final = {"concurrency": 1, "give_up": _GIVE_UP}


def add_arguments(command: Parser) -> None:
    """The options of ``demur judge`` for a model that judges."""
    group = command.add_argument_group("a model that judges (--by 'model(...)')")
    chat_options.add_concurrency(group)
    chat_options.add_give_up(group, _GIVE_UP, "requests to the judge")
    chat_options.add_header(group, "the judge")
    chat_options.add_rate(group, "the judge")
    group.option(
        "--confidence METHOD: how sure the judge is of a verdict, as in demur run "
        "(default: verbalised)",
        type=typed.chat_confidence,
    )
    chat_options.add_samples(group)
    chat_options.add_system_role(group)
    chat_options.add_parameters(group)
    chat_options.add_key(group)


def refuse_options(by: Any, arguments: Namespace) -> None:
    """Refuse options of a model where another comparator judges.

    Raises
    ------
    WrongUsage
        With the first of them.
    """
    known = shared.named(arguments, *_OPTIONS)
    given = [name for name, value in known.items() if chat_options.is_given(value)]
    usual = shared.named(arguments, *_USUAL)
    given += [name for name, value in usual.items() if value != _USUAL[name]]
    if given:
        option, need = shared.option_name(given[0]), "be given with --by 'model(...)'"
        raise WrongUsage("judge", option, need, f"--by {by}")


def judge_of(by: answers.ModelJudge, arguments: Namespace) -> Any:
    """The judge of ``--by``, with what other options say of it.

    Raises
    ------
    WrongUsage
        If an option is of databases, or comes without another that it needs.
    InputError
        If the rubric or the address is not what it must be.
    """
    for name in _OF_SQL:
        if chat_options.is_given(getattr(arguments, name)):
            option, need = shared.option_name(name), "be given with --by sql"
            raise WrongUsage("judge", option, need, f"--by {by}")
    return judge_model("judge", by, arguments, _cache(arguments))


def judge_model(
    command: str, by: answers.ModelJudge, arguments: Namespace, cache: str | None
) -> Any:
    """The judge of a command, with the options of `add_arguments` and ``--timeout``."""
    from demur.judge_models.asking import JudgeModel

    given = shared.named(arguments, *_OPTIONS, "timeout")
    options = {
        name: value for name, value in given.items() if chat_options.is_given(value)
    }
    return JudgeModel(
        by.judge,
        by.rubric,
        concurrency=arguments.concurrency,
        give_up=arguments.give_up or None,
        progress=progress("prompts"),
        cache=cache,
        **chat_options.chat_options(command, options),
    )


def _cache(arguments: Namespace) -> str | None:
    """Where replies are kept: as is said, else beside the outcomes for the while.

    Raises
    ------
    WrongUsage
        If that cannot be a file, or is one that is read.
    """
    named: str | None = arguments.cache
    if named:
        read = [*arguments.responses, arguments.references]
        outputs = {"--output": arguments.output, "--cache": named}
        shared.check_outputs("judge", outputs, read)
        return named
    journal = _journal(arguments)
    if journal is not None and journal.exists() and _holds_replies(journal):
        say(f"going on with the verdicts that {journal} has kept")
    return None if journal is None else str(journal)


def _holds_replies(journal: Path) -> bool:
    """Whether anything was kept before the last run ended; it may have been refused."""
    from demur.systems.adapters.kept_answers import KeptAnswers

    with closing(KeptAnswers(journal)) as kept:
        return len(kept) > 0


def _journal(arguments: Namespace) -> Path | None:
    from demur.systems.journals import JOURNAL

    output = arguments.output
    if arguments.cache or not output or output == "-":
        return None
    return Path(f"{output}{JOURNAL}")


def say_what_was_asked(by: Any, outcomes: Outcomes, arguments: Namespace) -> int:
    """How many replies there were, what they took, and whether the judge failed.

    The journal goes, unless something is to be asked again.

    Returns
    -------
    int
        The exit code: 0, or that of bad input if most answers have no verdict since the
        judge could not be had.
    """
    if not hasattr(by, "verdicts"):
        return FINE
    journal = _journal(arguments)
    spent = [f"{round(value, 6):,} {name}" for name, value in by.spent.items()]
    took = f"; spent: {', '.join(spent)}".replace("_", " ") if spent else ""
    before = f", {by.kept:,} of them kept from before" if by.kept else ""
    say(f"prompts that the judge replied to: {by.asked:,}{before}{took}")
    codes = outcomes.reason_code
    failed = 0 if codes is None else int((codes == JUDGE_FAILED).sum())
    if not failed:
        for ending in ("", "-wal", "-shm") if journal is not None else ():
            with suppress(FileNotFoundError):
                Path(f"{journal}{ending}").unlink()
        return FINE
    again = "the same command asks again for these alone"
    kept = f": {journal} keeps the others, and {again}" if journal is not None else ""
    say(f"answers ungraded since the judge could not be had: {failed:,}{kept}")
    return BAD_INPUT if 2 * failed > len(outcomes) else FINE
