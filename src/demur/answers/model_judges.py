"""The comparator ``model``: which model judges, and by which rubric.

It says only that; `demur.judge` asks the model, since nothing here knows systems.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from demur.answers.comparators import OnlyNamed
from demur.checks import choice
from demur.errors import InputError, ParseError, masked, shown

USUAL_RUBRIC: Final = "same-answer"

_FORM: Final = "be model(MODEL@URL) or model(MODEL@URL, rubric=RUBRIC)"
_CALL: Final = re.compile(r"\s*model\s*\((.*)\)\s*", re.DOTALL)
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
    has_address = isinstance(judge, str) and re.match(r".+@https?://.", judge)
    if not has_address:
        hint = "URL begins with http:// or https://, as in http://localhost:8000/v1."
        got = masked(shown(judge))
        raise InputError("model", "the judge", "be MODEL@URL", got, hint)
    if not isinstance(rubric, str) or not rubric.strip():
        need = "be the name of a rubric, or a file"
        raise InputError("model", "rubric", need, shown(rubric))
    return ModelJudge(judge, rubric)


def model_text(judge: str, rubric: str) -> str:
    """A judge with its rubric as it is typed.

    Examples
    --------
    >>> model_text("a,b@http://host/v1", "same-answer")
    'model("a,b@http://host/v1", rubric=same-answer)'
    """
    return f"model({_quoted(judge)}, rubric={_quoted(rubric)})"


def _quoted(text: str) -> str:
    plain = _PLAIN.fullmatch(text) and text.isprintable()
    return text if plain else json.dumps(text, ensure_ascii=False)


def parse_model(text: str) -> ModelJudge:
    """The judge of a text ``model(MODEL@URL, rubric=RUBRIC)``.

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
    if call is None:
        raise ParseError("by", "the comparator model", _FORM, masked(shown(text)))
    given: dict[str, str] = {}
    for name, value in _parts(call[1], text):
        choice("model", "the option", name, ("judge", "rubric"))
        if name in given:
            need, hint = "be given once", "rubric=RUBRIC names a rubric."
            got = masked(shown(text))
            raise ParseError("model", f"the option {name}", need, got, hint)
        given[name] = value
    if "judge" not in given:
        raise ParseError("by", "the comparator model", _FORM, masked(shown(text)))
    return model(given.pop("judge"), **given)


def _parts(listed: str, text: str) -> Iterator[tuple[str, str]]:
    """Names and values; what has no name is the judge."""
    at = 0
    while at < len(listed.rstrip()):
        part = _PART.match(listed, at)
        if part is None:
            raise ParseError("by", "the comparator model", _FORM, masked(shown(text)))
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
    """Whether a text names the comparator ``model``.

    Examples
    --------
    >>> is_model("model(gpt@http://host/v1)"), is_model("text")
    (True, False)
    """
    return re.match(r"\s*model\s*(?:\(|\Z)", text) is not None
