"""What is asked of the store is in the signature of what it tells."""

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import demur
import signature_cases
from builders import graded
from demur.outcomes.parts import stacked
from signature_cases import Calls

_FOLDER = TemporaryDirectory(prefix="demur-signatures-")
STORE = Path(_FOLDER.name) / "runs.sqlite"
NOW = datetime(2027, 3, 1, tzinfo=UTC)


def _kept() -> None:
    with demur.Store(STORE, make=True) as store:
        for every, n_items in ((3, 60), (4, 60), (5, 59), (2, 60)):
            tables = [
                graded(
                    [number % (every + more) > 0 for number in range(n_items)],
                    [number / n_items for number in range(n_items)],
                    system=system,
                )
                for more, system in enumerate("ab")
            ]
            tags = ["even"] if every % 2 == 0 else []
            store.keep(stacked(tables), when=NOW, tags=tags)


_kept()

CALLS = [
    Calls(
        demur.history,
        {},
        {
            "tag": ["even"],
            "system": ["a", "b"],
            "at": [0.5, 0.1],
            "of": ["own", "forced"],
            "items": ["common"],
            "level": [0.9],
        },
        (STORE,),
    ),
    Calls(
        demur.diff_runs,
        {"a": 1, "b": 2},
        {
            "a": [2, 3],
            "b": [4, "even", 3],
            "at": [0.5],
            "of": ["own", "forced"],
            "items": ["common"],
            "level": [0.9],
        },
        (STORE,),
    ),
]


def figures(result: demur.Result) -> str:
    plain = result.to_dict()
    return repr({name: held for name, held in plain.items() if name != "signature"})


@signature_cases.one_change_each(CALLS)
def test_what_is_asked_is_in_the_signature(calls, name, value):
    signature_cases.check_signatures(calls, name, value, figures)


@signature_cases.each_verb(CALLS)
def test_every_argument_is_tried(verb, tried):
    signature_cases.check_all_tried(verb, tried, {"store"})


@pytest.mark.parametrize("calls", CALLS, ids=["history", "diff_runs"])
def test_signatures_tell_the_verb(calls):
    assert "|history:" in demur.history(STORE).signature
    assert signature_cases.called(calls).signature
