"""Golden cases of difficulty and the classic measures, and the words of MASC."""

import json
from pathlib import Path

import pandas
import pytest

import demur

CASES = json.loads(
    (Path(__file__).parent / "golden" / "nlu_metric_cases.json").read_text("utf-8")
)["cases"]


def case(name):
    """One case by its name."""
    [found] = [each for each in CASES if each["id"] == name]
    return found


def cases(metric):
    """The cases of a measure, as parameters of a test."""
    found = [each for each in CASES if each["metric"] == metric]
    return [pytest.param(each, id=each["id"]) for each in found]


WHOLE = ["values >= 2", "items >= 10"]
FILTERS = {
    "all": [],
    "ambiguous_min10": [{"keep": WHOLE}],
    "horizontal_majority_le_.9": [{"keep": WHOLE}, {"keep": "majority <= 0.9"}],
    "vertical_drop_rank3": [{"keep": WHOLE}, {"drop_ranks": [3]}],
    "diagonal": [{"keep": WHOLE}, {"drop_ranks": [3], "keep": "majority >= 0.6"}],
}
_SEEN = {}


def masc(data, name):
    """The difficulty of a version of MASC."""
    if "all" not in _SEEN:
        path = data / "wsd_masc_noad" / "tokens.tsv.gz"
        frame = pandas.read_csv(path, sep="\t", quoting=3, dtype=str, na_filter=False)
        _SEEN["all"] = demur.difficulty(
            frame, markable=["lemma", "pos"], value="sense", cluster="doc"
        )
    found = _SEEN["all"]
    for step in FILTERS[name]:
        found = found.prune(**step)
    return found
