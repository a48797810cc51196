"""Rubrics: what a judge is told to look at, and the verdicts that it may give."""

import hashlib
import json
import os
import string
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from demur import checks
from demur.answers.model_judges import CUTTING
from demur.errors import InputError, shown
from demur.files import small_file
from demur.judge_models.cases import CANNOT_TELL, DECLINED

RUBRICS: Final = (
    *("same-answer", "three-grades", "criteria", "supported"),
    "claim-found",
)
"""The rubrics that are shipped."""

SHOWN_FIELDS: Final = ("question", "references", "text", "response")
"""What a judge can be shown of a case, in this order."""

WITHOUT_CREDIT: Final = (DECLINED, CANNOT_TELL)
"""What a choice may say in place of a credit."""

CRITERION: Final = "criterion"
"""The one placeholder of instructions."""

_FOLDER: Final = Path(__file__).parent / "rubric_files"
_KEYS: Final = {
    "the rubric": ("rubric", "version", "shows", "instructions", "choices", "criteria"),
    "a choice": ("name", "means", "credit", "verdict", "also"),
    "a criterion": ("name", "asks", "weight"),
    "the cutting": ("cutting", "version", "shows", "instructions"),
}
_LONGEST_NAME: Final = 60
_LARGEST_WEIGHT: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class RubricChoice:
    """A verdict that a rubric offers.

    Parameters
    ----------
    name : str
        The word that the judge replies with.
    means : str
        When it is to be chosen.
    credit : float or None
        From 0 to 1; None if it earns none and costs none.
    verdict : str
        ``declined`` or ``cannot_tell`` in place of a credit; else empty.
    also : tuple of str
        Other words that are read as it.
    """

    name: str
    means: str
    credit: float | None = None
    verdict: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Criterion:
    """One of several things that are judged apart.

    Parameters
    ----------
    name : str
        For the reason of a verdict.
    asks : str
        What the judge is told of it.
    weight : float
        Its part of the credit, in proportion to the others.
    """

    name: str
    asks: str
    weight: float = 1.0


@dataclass(frozen=True)
class Rubric:
    """What a judge is told; `read_rubric` reads one.

    Parameters
    ----------
    name : str
    version : int
        Another one may give other verdicts.
    instructions : str
        What the judge is told before it is shown anything.
    choices : tuple of RubricChoice
        The verdicts that it may give.
    shows : tuple of str
        What it is shown of a case: some of `SHOWN_FIELDS`.
    criteria : tuple of Criterion
        If there are any, each is judged in a request of its own, and ``{criterion}``
        in the instructions is what it asks.

    Examples
    --------
    >>> import demur
    >>> str(demur.read_rubric("same-answer"))[:14]
    'same-answer/1/'
    """

    name: str
    version: int
    instructions: str
    choices: tuple[RubricChoice, ...]
    shows: tuple[str, ...] = ("question", "references", "response")
    criteria: tuple[Criterion, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Eight digits that change with anything that the judge is told."""
        content = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:8]

    def __str__(self) -> str:
        return f"{self.name}/{self.version}/{self.digest}"


def read_rubric(rubric: "str | os.PathLike[str] | Rubric") -> Rubric:
    """The rubric of a name, or of a file in TOML.

    Parameters
    ----------
    rubric : str, path or Rubric
        A name of `RUBRICS`, or a file; see ``docs/judge_models.md`` for its form.

    Returns
    -------
    Rubric

    Raises
    ------
    InputError
        If there is none of this name, or the file is not what it must be: what is
        wrong in one line, with the file and what to do.

    Examples
    --------
    >>> import demur
    >>> rubric = demur.read_rubric("three-grades")
    >>> [choice.name for choice in rubric.choices]
    ['correct', 'incorrect', 'not attempted', 'cannot tell']
    """
    if isinstance(rubric, Rubric):
        return _of_table(_table_of(rubric), "judge: the rubric")
    if not isinstance(rubric, (str, os.PathLike)) or not os.fspath(rubric):
        need = f"be one of {', '.join(RUBRICS)}, a file in TOML or a Rubric"
        raise InputError("judge", "rubric", need, shown(rubric))
    name = os.fspath(rubric)
    if name in RUBRICS:
        return _rubric_of(_FOLDER / f"{name}.toml", name)
    path = Path(name)
    if not _is_file(path):
        hint = checks.did_you_mean(name, RUBRICS) or "A file is named by its path."
        need = f"be one of {', '.join(RUBRICS)}, or a file in TOML"
        raise InputError("judge", "rubric", need, shown(name), hint)
    return _rubric_of(path, name)


@dataclass(frozen=True)
class ClaimCutting:
    """What a model is told that cuts answers into claims; `read_cutting` reads one.

    Parameters
    ----------
    name : str
    version : int
        Another one may give other claims.
    instructions : str
        What the model is told before it is shown anything.
    shows : tuple of str
        What it is shown of a case: some of `SHOWN_FIELDS`.

    Examples
    --------
    >>> str(read_cutting("cut-claims"))[:13]
    'cut-claims/1/'
    """

    name: str
    version: int
    instructions: str
    shows: tuple[str, ...]

    def __str__(self) -> str:
        content = json.dumps(asdict(self), sort_keys=True)
        digest = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:8]
        return f"{self.name}/{self.version}/{digest}"


def read_cutting(cut: "str | os.PathLike[str]") -> ClaimCutting:
    """How answers are cut into claims, by its name or by its file in TOML.

    Parameters
    ----------
    cut : str or path
        ``cut-claims``, or a file; see ``docs/wholes.md`` for its form.

    Returns
    -------
    ClaimCutting

    Raises
    ------
    InputError
        If there is none of this name, or the file is not what it must be.

    Examples
    --------
    >>> read_cutting("cut-claims").shows
    ('question', 'response')
    """
    need = f"be {CUTTING}, or a file in TOML"
    if not isinstance(cut, (str, os.PathLike)) or not os.fspath(cut):
        raise InputError("claims", "cut", need, shown(cut))
    where = os.fspath(cut)
    path = Path(where)
    if where == CUTTING:
        path = Path(__file__).parent / "cutting_files" / f"{CUTTING}.toml"
    if not _is_file(path):
        hint = "A file is named by its path."
        raise InputError("claims", "cut", need, shown(where), hint)
    table = _table_of_file(path, where)
    _check_keys(table, where, "the cutting")
    instructions = _text(table.get("instructions"), where, "instructions").strip()
    _check_placeholders(instructions, where, has_criteria=False)
    return ClaimCutting(
        name=_text(table.get("cutting"), where, "cutting", _LONGEST_NAME),
        version=_version(table.get("version"), where),
        instructions=instructions,
        shows=_shows(table.get("shows"), where),
    )


def _table_of(rubric: Rubric) -> dict[str, Any]:
    """What a file with the same rubric would hold, so that one code checks both."""
    where = "judge: the rubric"
    choices = checks.all_of_kind(where, "choices", rubric.choices, RubricChoice)
    criteria = checks.all_of_kind(where, "criteria", rubric.criteria, Criterion)
    return {
        "rubric": rubric.name,
        "version": rubric.version,
        "instructions": rubric.instructions,
        "shows": [*rubric.shows],
        "choices": [
            {
                **{"name": choice.name, "means": choice.means, "also": [*choice.also]},
                **({} if choice.credit is None else {"credit": choice.credit}),
                **({"verdict": choice.verdict} if choice.verdict else {}),
            }
            for choice in choices
        ],
        "criteria": [asdict(criterion) for criterion in criteria],
    }


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long for one
        return False


def _rubric_of(path: Path, where: str) -> Rubric:
    return _of_table(_table_of_file(path, where), where)


def _table_of_file(path: Path, where: str) -> dict[str, Any]:
    """What a file in TOML holds, once it can be read and is one."""
    try:
        text = small_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        need, got = "be text in UTF-8", f"other bytes at {problem.start}"
        raise InputError(where, "a rubric", need, got, "Save it as UTF-8.") from None
    except OSError as problem:
        need, got = "be a file that can be read", problem.strerror or str(problem)
        raise InputError(where, "a rubric", need, got) from None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # also of very long numbers
        got = " ".join(str(problem).split())
        hint = "demur ships rubrics that can be copied; see docs/judge_models.md."
        raise InputError(where, "a rubric", "be TOML", got, hint) from None


def _of_table(table: dict[str, Any], where: str) -> Rubric:
    """A rubric of what its file holds, checked."""
    _check_keys(table, where, "the rubric")
    name = _text(table.get("rubric"), where, "rubric", _LONGEST_NAME)
    version = _version(table.get("version"), where)
    instructions = _text(table.get("instructions"), where, "instructions").strip()
    criteria = _criteria(table.get("criteria", []), where)
    _check_placeholders(instructions, where, has_criteria=bool(criteria))
    return Rubric(
        name=name,
        version=version,
        instructions=instructions,
        choices=_choices(table.get("choices"), where),
        shows=_shows(table.get("shows"), where),
        criteria=criteria,
    )


def _version(value: Any, where: str) -> int:
    if type(value) is not int or value < 1:
        need, hint = "be a whole number from 1", "Raise it with each change."
        raise InputError(where, "version", need, shown(value), hint)
    return value


def _check_keys(table: Any, where: str, what: str) -> None:
    """Refuse a key that means nothing: it may be a key misspelt."""
    if not isinstance(table, Mapping):
        raise InputError(where, what, "be a table", shown(table))
    known = _KEYS[what]
    for key in table:
        if key not in known:
            hint = checks.did_you_mean(key, known) or "Take it out."
            need = f"have no keys but {', '.join(known)}"
            raise InputError(where, what, need, shown(key), hint)


def _text(value: Any, where: str, what: str, longest: int | None = None) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(where, what, "be a text", _got(value))
    if longest is not None and (len(value) > longest or not value.isprintable()):
        need = f"be one line of at most {longest} characters"
        raise InputError(where, what, need, shown(value))
    return value.strip()


def _got(value: Any) -> str:
    return "none" if value is None else shown(value)


def _shows(value: Any, where: str) -> tuple[str, ...]:
    """The fields that are shown, in the one order that there is."""
    if not isinstance(value, list) or not value:
        need = f"be a list of some of {', '.join(SHOWN_FIELDS)}"
        raise InputError(where, "shows", need, _got(value))
    for name in value:
        checks.choice(where, "a field of shows", name, SHOWN_FIELDS)
    if "response" not in value:
        need, hint = "hold response", "It is what is judged."
        raise InputError(where, "shows", need, shown(value), hint)
    return tuple(name for name in SHOWN_FIELDS if name in value)


def _choices(value: Any, where: str) -> tuple[RubricChoice, ...]:
    if not isinstance(value, list) or not value:
        need = "be tables [[choices]], one for each verdict"
        raise InputError(where, "choices", need, _got(value))
    choices = tuple(_choice(table, where) for table in value)
    names: dict[str, str] = {}
    for choice in choices:
        if plain_word(choice.name) in names:
            need, got = "have a word of its own", f"{shown(choice.name)} twice"
            raise InputError(where, "a choice", need, got)
        for word in (choice.name, *choice.also):
            if names.setdefault(plain_word(word), choice.name) != choice.name:
                need, hint = "stand for one choice", "Take it out of one of them."
                raise InputError(where, f"the word {shown(word)}", need, "two", hint)
    credits_ = {choice.credit for choice in choices} - {None}
    if len(credits_) < 2:
        need = "earn different credits, such as 1 and 0"
        got = ", ".join(f"{credit:g}" for credit in credits_ if credit is not None)
        raise InputError(where, "the choices", need, got or "none")
    return choices


def _choice(table: Any, where: str) -> RubricChoice:
    _check_keys(table, where, "a choice")
    name = _text(table.get("name"), where, "the name of a choice", _LONGEST_NAME)
    what = f"the choice {shown(name)}"
    if not plain_word(name):
        raise InputError(where, what, "hold a letter or a digit", shown(name))
    means = _text(table.get("means"), where, f"what {shown(name)} means")
    also = table.get("also", [])
    if not isinstance(also, list) or not all(isinstance(word, str) for word in also):
        need = "be a list of words"
        raise InputError(where, f"{what}: also", need, shown(also))
    for word in also:
        if not plain_word(word):
            need = "hold a letter or a digit each"
            raise InputError(where, f"{what}: also", need, shown(word))
    credit, verdict = table.get("credit"), table.get("verdict")
    if (credit is None) == (verdict is None):
        need = "have either credit or verdict"
        got = "both" if verdict is not None else "neither"
        hint = f"credit is from 0 to 1, verdict {' or '.join(WITHOUT_CREDIT)}."
        raise InputError(where, what, need, got, hint)
    if verdict is not None:
        checks.choice(where, f"{what}: verdict", verdict, WITHOUT_CREDIT)
        return RubricChoice(name, means, verdict=verdict, also=tuple(also))
    if not _is_number(credit) or not 0 <= credit <= 1:
        need = "be a number from 0 to 1"
        raise InputError(where, f"{what}: credit", need, shown(credit))
    return RubricChoice(name, means, credit=float(credit), also=tuple(also))


def _criteria(value: Any, where: str) -> tuple[Criterion, ...]:
    if not isinstance(value, list):
        need = "be tables [[criteria]]"
        raise InputError(where, "criteria", need, shown(value))
    criteria: list[Criterion] = []
    for table in value:
        _check_keys(table, where, "a criterion")
        name = _text(table.get("name"), where, "the name of a criterion", _LONGEST_NAME)
        asks = _text(table.get("asks"), where, f"what {shown(name)} asks")
        weight = table.get("weight", 1)
        if not _is_number(weight) or not 0 < weight <= _LARGEST_WEIGHT:
            what = f"the weight of {shown(name)}"
            need = "be a number above 0"
            need += f" and at most {_LARGEST_WEIGHT:,}"
            hint = "What an answer should not hold is asked as what it does not hold."
            raise InputError(where, what, need, shown(weight), hint)
        if name in [one.name for one in criteria]:
            need = "have a name of its own"
            raise InputError(where, "a criterion", need, f"{shown(name)} twice")
        criteria.append(Criterion(name, asks, float(weight)))
    return tuple(criteria)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _check_placeholders(text: str, where: str, *, has_criteria: bool) -> None:
    """Refuse placeholders that nothing fills; what is judged stands in fences."""
    hint = "What shows names stands below the instructions. {{ is a brace."
    need = f"hold no placeholder but {{{CRITERION}}}"
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as problem:
        raise InputError(where, "instructions", need, str(problem), hint) from None
    names = {name for _, name, _, _ in parts if name is not None}
    for name in sorted(names - {CRITERION}):
        raise InputError(where, "instructions", need, f"{{{name}}}", hint)
    if any(name and (form or how) for _, name, form, how in parts):
        raise InputError(where, "instructions", need, "one with a format", hint)
    if has_criteria and not names:
        need = f"hold {{{CRITERION}}} where there are criteria"
        raise InputError(where, "instructions", need, "none", "One is asked at a time.")
    if names and not has_criteria:
        need = f"have criteria to fill {{{CRITERION}}}"
        raise InputError(where, "the rubric", need, "none", "Write [[criteria]].")


def plain_word(text: str) -> str:
    """A word as it is compared: small letters, without marks around and within it.

    Examples
    --------
    >>> plain_word("**Not_Attempted.**"), plain_word("(A)"), plain_word("can't tell")
    ('not attempted', 'a', "can't tell")
    """
    text = text.replace("_", " ").replace("\u2019", "'").casefold()
    words = "".join(one if one.isalnum() or one == "'" else " " for one in text)
    return " ".join(word.strip("'") for word in words.split() if word.strip("'"))
