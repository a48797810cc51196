"""Readers of logs are values: they print as typed, and what is wrong is named."""

import pytest

import demur
from builders import python
from demur import logs

READERS = tuple(logs.READERS)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_prints_as_it_is_typed(name):
    assert str(logs.log_reader(f" {name}( )")) == name
    assert logs.log_reader(name) == logs.log_reader(name)


@pytest.mark.parametrize(
    "text", ["acts(modules=asr+dm, user=caller)", "traces(source=target)"]
)
def test_unusual_options_are_printed(text):
    assert str(logs.log_reader(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("trace", "log: the reader must be one of dialogues, .*Did you mean 'traces'"),
        (3, "log: the reader must be one of dialogues"),
        ("acts(user=", r"log: the reader must be NAME or NAME\(OPTION=VALUE"),
        ("acts(users=a)", "acts: the option must be one of .*Did you mean 'user'"),
        ("acts(user)", "acts: the option user must be given once, as OPTION=VALUE"),
        ("dialogues(user=a)", "dialogues: the reader must be given no options"),
        ("traces(error=fine)", "traces: error must be one of failed, declined"),
        (
            "wizard(no_response=0)",
            "wizard: no_response must be one of silence, left_out",
        ),
    ],
)
def test_what_is_no_reader_is_named(text, message):
    with pytest.raises(demur.InputError, match=message):
        logs.log_reader(text)


@pytest.mark.parametrize("name", READERS)
def test_only_the_reader_that_is_named_is_loaded(name):
    code = f"""
import sys
from demur import logs
logs.log_reader({name!r})
files = {{each.partition(":")[0] for each in logs.READERS.values()}}
print(*sorted(file for file in files if f"demur.logs.{{file}}" in sys.modules))
"""
    done = python("-c", code)
    assert done.stdout.split() == [logs.READERS[name].partition(":")[0]], done.stderr
