"""What other programs and people wrote down, read: the table of its readers.

A reader is a value with options, in the grammar of the comparators. It prints as it is
typed, and parses back; only the file of the one that is named is loaded::

    >>> from demur import logs
    >>> logs.log_reader("acts( user = caller )")
    acts(user=caller)
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from demur.calls import parse_call
from demur.checks import choice
from demur.logs.readers import LogReader as LogReader
from demur.logs.readers import ReadLog as ReadLog

READERS: Final[Mapping[str, str]] = {
    "dialogues": "dialogue_files:DialogueFile",
    "acts": "act_texts:ActText",
    "wizard": "wizard_logs:WizardLog",
    "traces": "agent_traces:AgentTraces",
}
"""The readers by name, each with its file in this room and its class there."""


def log_reader(text: Any, *, where: str = "log", what: str = "the reader") -> LogReader:
    """The reader of a name with options; the inverse of ``str``.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME(OPTION=VALUE, ...)``.
    where, what : str
        For messages: where the text stands, and what it is called there.

    Returns
    -------
    LogReader

    Raises
    ------
    InputError
        If there is no such reader or option, or the text is not of that form.

    Examples
    --------
    >>> from demur import logs
    >>> logs.log_reader("traces(error=declined)").recipe
    'traces(error=declined)'
    >>> logs.log_reader("trace")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: log: the reader must be one of dialogues, acts, ...; got
    'trace'. Did you mean 'traces'?
    """
    if not isinstance(text, str):
        choice(where, what, text, READERS)
    return parse_call(text, READERS, _reader_of, where=where, what=what)


def _reader_of(name: str) -> type[LogReader]:
    file, _, kind = READERS[name].partition(":")
    reader: type[LogReader] = getattr(import_module(f"demur.logs.{file}"), kind)
    return reader
