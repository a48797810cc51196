"""A model that judges, as the options say, and what is said of its requests."""

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from demur import answers
from demur.cli import BAD_INPUT, FINE, chats_asked, say, shared
from demur.cli.options.choices import GIVE_UP
from demur.cli.shared import WrongUsage
from demur.cli.streams import progress
from demur.errors import InputError
from demur.outcomes.reasons import JUDGE_FAILED
from demur.outcomes.refusals import several
from demur.outcomes.table import Outcomes

_OPTIONS: Final = (
    *("confidence", "samples", "agree_by", "system_role", "parameters", "prices"),
    *("cached_price", "budget", "token_rate", "key_env", "header", "rate"),
)
"""Options of a model alone, as the adapter of chats knows them."""

_OF_SQL: Final = ("db_root", "max_rows", "max_memory", "max_lost", "workers")
_USUAL: Final = {"concurrency": 1, "give_up": GIVE_UP}


def refuse_options(by: Any, arguments: Namespace) -> None:
    """Refuse options of a model where another comparator judges.

    Raises
    ------
    WrongUsage
        With the first of them.
    """
    known = shared.named(arguments, *_OPTIONS)
    given = [name for name, value in known.items() if chats_asked.is_given(value)]
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
        if chats_asked.is_given(getattr(arguments, name)):
            option, need = shared.option_name(name), "be given with --by sql"
            raise WrongUsage("judge", option, need, f"--by {by}")
    cache, journal = _cache(arguments), _journal(arguments)
    if journal is not None and _holds_replies(journal):
        say(f"going on with the verdicts that {journal} has kept")
    kept = cache if journal is None else str(journal)
    judge = judge_model("judge", by, arguments, kept)
    if isinstance(by, answers.ClaimsJudgedByModel):
        return AnnouncedClaims(judge)
    return AnnouncedJudge(judge)


class AnnouncedJudge:
    """A judge that says what it will ask, and does not see, before the first request.

    Parameters
    ----------
    judge : JudgeModel
        Who is asked; all else that it has is here, too.
    """

    def __init__(self, judge: Any) -> None:
        self._judge = judge

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    def __str__(self) -> str:
        return str(self._judge)

    def verdicts(self, cases: Sequence[Any], asking: Any = None) -> Any:
        """Those of the judge."""
        from demur.judge_models.comparing import not_shown

        n_requests = len(self._judge.requests(cases, asking))
        say(
            f"{several(len(cases), 'different answer')} to judge: at most "
            f"{several(n_requests, 'request')}, and none for replies that are kept"
        )
        for note in not_shown(self._judge.rubric, cases):
            say(note)
        return self._judge.verdicts(cases, asking)


class AnnouncedClaims(AnnouncedJudge):
    """A judge of claims that says what it will ask, before answers are cut and after.

    Parameters
    ----------
    judge : ClaimsJudge
        Who is asked; all else that it has is here, too.
    """

    def cut(self, cases: Sequence[Any]) -> Any:
        """The claims that the judge cuts answers into."""
        if cases:
            n_requests = len(self._judge.cutting_requests(cases))
            say(
                f"{several(len(cases), 'answer')} to cut into claims: at most "
                f"{several(n_requests, 'request')}, and then one for each claim"
            )
        return self._judge.cut(cases)


@contextmanager
def one_run(arguments: Namespace) -> Iterator[None]:
    """Let no other run write the journal meanwhile, where there is one.

    Raises
    ------
    InputError
        If another run does, or it cannot be a file.
    """
    is_asked = isinstance(arguments.by, answers.ModelJudge)
    journal = _journal(arguments) if is_asked else None
    if journal is None:
        yield
        return
    file = _locked(journal)
    try:
        yield
    finally:
        if not _holds_replies(journal):
            _remove(journal)
        os.close(file)


def _locked(journal: Path) -> int:
    """The journal, opened so that no other run may write it.

    Raises
    ------
    InputError
        If another run does, or it cannot be a file.
    """
    from demur.systems.journals import lock_journal

    if journal.exists() and not journal.is_file():
        need = "be a file, or not there"
        raise InputError(str(journal), "the journal", need, "something else")
    try:
        file = os.open(journal, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as problem:
        need, got = "be a file that can be written", problem.strerror or str(problem)
        raise InputError(str(journal), "the journal", need, got) from None
    try:
        lock_journal(file, journal)
    except InputError:
        os.close(file)
        raise
    return file


def _holds_replies(journal: Path) -> bool:
    """Whether a journal keeps any reply; also if that cannot be told."""
    import sqlite3

    if not journal.exists() or not journal.stat().st_size:
        return False
    try:
        with closing(sqlite3.connect(journal)) as file:
            return file.execute("select 1 from answers limit 1").fetchone() is not None
    except sqlite3.Error:
        return True


def _remove(journal: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):  # not there, or still open on Windows
            Path(f"{journal}{ending}").unlink()


def judge_model(
    command: str, by: answers.ModelJudge, arguments: Namespace, cache: str | None
) -> Any:
    """The judge of a command, with the options of `add_arguments` and ``--timeout``."""
    from demur.judge_models.asking import JudgeModel
    from demur.judge_models.claim_judges import ClaimsJudge

    given = shared.named(arguments, *_OPTIONS, "timeout")
    options = {
        name: value for name, value in given.items() if chats_asked.is_given(value)
    }
    made, further = JudgeModel, {}
    if isinstance(by, answers.ClaimsJudgedByModel):
        made, further = ClaimsJudge, {"cut": by.cut, "not_found": by.not_found}
    return made(
        by.judge,
        by.rubric,
        **further,
        concurrency=arguments.concurrency,
        give_up=arguments.give_up or None,
        progress=progress("prompts"),
        cache=cache,
        **chats_asked.chat_options(command, options),
    )


def _cache(arguments: Namespace) -> str | None:
    """The file that is to keep replies; None if they stay beside the outcomes.

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
        if journal is not None:
            _remove(journal)
        return FINE
    again = "the same command asks again for these alone"
    keeps = journal is not None and by.asked
    kept = f": {journal} keeps the others, and {again}" if keeps else ""
    say(f"answers ungraded since the judge could not be had: {failed:,}{kept}")
    return BAD_INPUT if 2 * failed > len(outcomes) else FINE
