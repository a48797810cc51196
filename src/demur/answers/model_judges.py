"""The comparators ``model`` and ``claims``: which model judges, and by which rubric.

It says only that; `demur.judge` asks the model, since nothing here knows systems.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.answers.comparators import OnlyNamed
from demur.checks import choice
from demur.errors import InputError, ParseError, masked, shown

USUAL_RUBRIC: Final = "same-answer"
CLAIM_RUBRIC: Final = "claim-found"
CUTTING: Final = "cut-claims"
NOT_FOUND: Final = ("wrong", "ungraded")
"""What a claim can be of which the text says nothing."""

_FORM: Final = "be {0}(MODEL@URL) or {0}(MODEL@URL, rubric=RUBRIC)"
_CALL: Final = re.compile(r"\s*(model|claims)\s*\((.*)\)\s*", re.DOTALL)
_PART: Final = re.compile(
    r"\s*(?:(?P<name>[a-z_]+)\s*=\s*)?"
    r"(?P<value>\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s,()\"'][^,()]*?)\s*(?:,|\Z)",
    re.DOTALL,
)
_PLAIN: Final = re.compile(r"[^\s,()\"'][^,()\"']*(?<!\s)")
"""What needs no quotes."""


@dataclass(frozen=True, slots=True, repr=False)
class ModelJudge(OnlyNamed):
    """The comparator that `model` makes.

    Parameters
    ----------
    judge : str
        ``MODEL@URL``, the chat endpoint that judges.
    rubric : str
        The name of a rubric, or its file.
    """

    version: ClassVar[str] = "model/1"
    name: ClassVar[str] = "model"
    does: ClassVar[str] = "It asks the model."
    judge: str
    rubric: str = USUAL_RUBRIC

    def __str__(self) -> str:
        return model_text(masked(self.judge), self.rubric)

    __repr__ = __str__


def model(judge: str, *, rubric: str = USUAL_RUBRIC) -> ModelJudge:
    """The verdict of a model that is shown question, references and answer.

    Rule (``model/1``): what the model replies to the prompt of the rubric, see
    ``docs/judge_models.md``. What it cannot tell, or cannot be asked, is ungraded; an
    answer that it takes as none is unanswered. `demur.JudgeModel` has all options, and
    takes any system.

    Parameters
    ----------
    judge : str
        ``MODEL@URL``, a chat endpoint. A key is taken from the environment, never from
        here.
    rubric : str
        A name of `demur.judge_models.rubrics.RUBRICS`, or a file in TOML.

    Returns
    -------
    ModelJudge

    Raises
    ------
    InputError
        If ``judge`` is no such address.

    Examples
    --------
    >>> from demur import answers
    >>> judge = answers.model("org/gpt@http://localhost:8000/v1", rubric="three-grades")
    >>> judge
    model(org/gpt@http://localhost:8000/v1, rubric=three-grades)
    >>> answers.parse_comparator(str(judge)) == judge
    True
    """
    _check_address("model", judge)
    _check_rubric("model", "rubric", rubric)
    return ModelJudge(judge, rubric)


def _check_address(name: str, judge: Any) -> None:
    has_address = isinstance(judge, str) and re.match(r".+@https?://.", judge)
    if not has_address:
        hint = "URL begins with http:// or https://, as in http://localhost:8000/v1."
        got = masked(shown(judge))
        raise InputError(name, "the judge", "be MODEL@URL", got, hint)


def _check_rubric(name: str, option: str, rubric: Any) -> None:
    if not isinstance(rubric, str) or not rubric.strip():
        need = "be the name of a rubric, or a file"
        raise InputError(name, option, need, shown(rubric))


def model_text(judge: str, rubric: str) -> str:
    """A judge with its rubric as it is typed.

    Examples
    --------
    >>> model_text("a,b@http://host/v1", "same-answer")
    'model("a,b@http://host/v1", rubric=same-answer)'
    """
    return f"model({_quoted(judge)}, rubric={_quoted(rubric)})"


@dataclass(frozen=True, slots=True, repr=False)
class ClaimsJudgedByModel(ModelJudge):
    """The comparator that `claims` makes.

    Parameters
    ----------
    judge : str
        ``MODEL@URL``, the chat endpoint that cuts answers and judges claims.
    rubric : str
        By which a claim is judged.
    cut : str
        How answers are cut into claims.
    not_found : {"wrong", "ungraded"}
        What a claim is of which the text says nothing.
    """

    version: ClassVar[str] = "claims/1"
    name: ClassVar[str] = "claims"
    rubric: str = CLAIM_RUBRIC
    cut: str = CUTTING
    not_found: str = "wrong"

    def __str__(self) -> str:
        judge = masked(self.judge)
        return claims_text(judge, self.rubric, self.cut, self.not_found)

    __repr__ = __str__


def claims(
    judge: str,
    *,
    rubric: str = CLAIM_RUBRIC,
    cut: str = CUTTING,
    not_found: str = "wrong",
) -> ClaimsJudgedByModel:
    """The claims of a long answer, each judged against a text by a model.

    Rule (``claims/1``): the model cuts each answer into claims, and each claim becomes
    a part of the item: supported by the text (right), contradicted (wrong), or not
    found in it (``not_found``). Responses with a column ``part`` are claims already.
    See ``docs/wholes.md``; `demur.ClaimsJudge` has all options, and takes any system.

    Parameters
    ----------
    judge : str
        ``MODEL@URL``, a chat endpoint. A key is taken from the environment.
    rubric : str
        By which a claim is judged: a name, or a file in TOML.
    cut : str
        How answers are cut: ``cut-claims``, or a file in TOML.
    not_found : {"wrong", "ungraded"}
        What a claim is of which the text says nothing. ``ungraded`` is for texts that
        do not say all that is true.

    Returns
    -------
    ClaimsJudgedByModel

    Raises
    ------
    InputError
        If ``judge`` is no such address, or an option is not what it must be.

    Examples
    --------
    >>> from demur import answers
    >>> judge = answers.claims("gpt@http://localhost:8000/v1", not_found="ungraded")
    >>> judge
    claims(gpt@http://localhost:8000/v1, rubric=claim-found, cut=cut-claims,
           not_found=ungraded)
    >>> answers.parse_comparator(str(judge)) == judge
    True
    """
    _check_address("claims", judge)
    _check_rubric("claims", "rubric", rubric)
    _check_rubric("claims", "cut", cut)
    choice("claims", "not_found", not_found, NOT_FOUND)
    return ClaimsJudgedByModel(judge, rubric, cut, not_found)


def claims_text(judge: str, rubric: str, cut: str, not_found: str) -> str:
    """A judge of claims as it is typed.

    Examples
    --------
    >>> claims_text("gpt@http://host/v1", "claim-found", "my.toml", "wrong")
    'claims(gpt@http://host/v1, rubric=claim-found, cut=my.toml, not_found=wrong)'
    """
    options = {"rubric": rubric, "cut": cut, "not_found": not_found}
    listed = (f"{name}={_quoted(value)}" for name, value in options.items())
    return f"claims({_quoted(judge)}, {', '.join(listed)})"


def _quoted(text: str) -> str:
    plain = _PLAIN.fullmatch(text) and text.isprintable()
    return text if plain else json.dumps(text, ensure_ascii=False)


def parse_model(text: str) -> ModelJudge:
    """The judge of a text ``model(MODEL@URL, rubric=RUBRIC)`` or ``claims(...)``.

    What holds a comma or a bracket stands in quotes.

    Raises
    ------
    ParseError
        If it is not of that form.
    InputError
        If an option is not known, or the judge is no address.

    Examples
    --------
    >>> parse_model("model('a,b@https://host:8/v1?x=1', rubric=my.toml)")
    model("a,b@https://host:8/v1?x=...", rubric=my.toml)
    """
    call = _CALL.fullmatch(text)
    name = "claims" if is_claims(text) else "model"
    if call is None:
        raise _misformed(name, text)
    options = ("rubric", "cut", "not_found") if name == "claims" else ("rubric",)
    given: dict[str, str] = {}
    for option, value in _parts(call[2], text, name):
        choice(name, "the option", option, ("judge", *options))
        if option in given:
            need, hint = "be given once", "rubric=RUBRIC names a rubric."
            got = masked(shown(text))
            raise ParseError(name, f"the option {option}", need, got, hint)
        given[option] = value
    if "judge" not in given:
        raise _misformed(name, text)
    if name == "claims":
        return claims(given.pop("judge"), **given)
    return model(given.pop("judge"), **given)


def _misformed(name: str, text: str) -> ParseError:
    got = masked(shown(text))
    return ParseError("by", f"the comparator {name}", _FORM.format(name), got)


def _parts(listed: str, text: str, name: str) -> Iterator[tuple[str, str]]:
    """Names and values; what has no name is the judge."""
    at = 0
    while at < len(listed.rstrip()):
        part = _PART.match(listed, at)
        if part is None:
            raise _misformed(name, text)
        yield part["name"] or "judge", _unquoted(part["value"])
        at = part.end()


def _unquoted(value: str) -> str:
    if value.startswith("'"):
        return value[1:-1]
    if not value.startswith('"'):
        return value
    try:
        unquoted: str = json.loads(value, strict=False)
    except ValueError:  # a path of Windows, say
        return value[1:-1]
    return unquoted


def is_model(text: str) -> bool:
    """Whether a text names the comparator ``model``, or ``claims``.

    Examples
    --------
    >>> is_model("model(gpt@http://host/v1)"), is_model("text")
    (True, False)
    """
    return re.match(r"\s*(?:model|claims)\s*(?:\(|\Z)", text) is not None


def is_claims(text: str) -> bool:
    """Whether a text names the comparator ``claims``.

    Examples
    --------
    >>> is_claims("claims(gpt@http://host/v1)"), is_claims("model(gpt@http://host/v1)")
    (True, False)
    """
    return re.match(r"\s*claims\s*(?:\(|\Z)", text) is not None
