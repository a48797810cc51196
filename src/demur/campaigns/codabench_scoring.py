"""What runs inside Codabench: one submission, judged by the rules of the campaign.

It is the judging and the rounding of `demur campaign score` and `board`, so a
submission gets the numbers there that it gets here.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from demur.campaigns.board_figures import answered_share, shown_figures, shown_measures
from demur.campaigns.judging_workers import JudgingTask, judged_outcomes
from demur.campaigns.rules import Rules, read_rules
from demur.campaigns.scorer_versions import judging_by
from demur.errors import InputError
from demur.files import new_file
from demur.formats import iter_references

RULES_FILE: Final = "campaign.toml"
REFERENCES_FILE: Final = "references.jsonl"
DATABASES: Final = "databases"
ONE_DATABASE: Final = "database.sqlite"
_OWN: Final = frozenset(("metadata", "metadata.yaml", "metadata.yml"))
"""Files that Codabench may put beside the answers."""


def columns_of(rules: Rules) -> Iterator[tuple[str, str, str]]:
    """The columns of the board: a key, a title, and how they are sorted.

    Examples
    --------
    >>> from demur.campaigns.rules import parse_rules
    >>> rules = parse_rules('''
    ... name = "Flights"
    ... scoring = {by = "cas", measure = "error@0.2"}
    ... [[phases]]
    ... name = "test"
    ... opens = 2027-03-01T00:00:00Z
    ... closes = 2027-03-15T00:00:00Z
    ... ''')
    >>> [key for key, _, _ in columns_of(rules)]
    ['error_at_0_2', 'answered']
    """
    for measure in shown_measures(rules.scoring, rules.board):
        yield _key(measure.name), measure.words, "asc"
    yield "answered", "share of the questions that are answered", "desc"


def score_folder(source: str, target: str) -> None:
    """Judge the submission of ``source/res`` by ``source/ref``, as ``scores.json``.

    Parameters
    ----------
    source, target : str
        The folders that Codabench hands to a scoring program.

    Raises
    ------
    SystemExit
        If the answers are not one whole file; nothing of the references is said.
    """
    references, answers = Path(source, "ref"), Path(source, "res")
    rules = read_rules(references / RULES_FILE)
    try:
        file = _one_file(answers)
        held = list(iter_references(references / REFERENCES_FILE))
        how = judging_by(rules.scoring, _databases(references))
        outcomes = judged_outcomes(JudgingTask(1, str(file), "system"), held, how)
    except InputError:
        whole = "the answers are not one whole file: see demur campaign check"
        raise SystemExit(whole) from None
    measures, digits = shown_measures(rules.scoring, rules.board), rules.board.digits
    figures = shown_figures(outcomes, measures, digits)
    keys = [_key(measure.name) for measure in measures]
    scores = dict(zip(keys, figures, strict=True))
    scores["answered"] = round(answered_share(outcomes), digits)
    # A curve may not reach a rate: Codabench shows a column that is left out as empty.
    scores = {key: value for key, value in scores.items() if value is not None}
    with new_file(Path(target, "scores.json")) as out:
        out.write(json.dumps(scores).encode())


def _one_file(folder: Path) -> Path:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    files = [path for path in files if path.name.lower() not in _OWN]
    if len(files) != 1:
        need = "hold one file of answers"
        raise InputError(str(folder), "the submission", need, str(len(files)))
    return files[0]


def _databases(references: Path) -> Path | None:
    places = (references / name for name in (ONE_DATABASE, DATABASES))
    return next((place for place in places if place.exists()), None)


def _key(measure: str) -> str:
    return measure.replace("@", "_at_").replace(".", "_")
