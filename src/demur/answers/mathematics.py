"""Mathematical expressions: in LaTeX or as they are typed, equal by what they mean."""

import logging
import re
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final

from demur.answers.comparators import EQUAL, Match
from demur.answers.values import comparable_text
from demur.errors import extra_module, shown
from demur.outcomes.reasons import BAD_REFERENCE

_EXTRA: Final = "math"
_LONGEST: Final = 20_000
"""Characters of a text that is read."""

_SECONDS: Final = 3
"""For reading one expression, and for comparing two."""

_MARKED: Final = re.compile(r"\$|\\\(|\\\[|\\boxed|\\fbox")
_SIGNS: Final = str.maketrans(
    {
        **{"\u03c0": r"\pi ", "\u00d7": r"\times ", "\u00b7": r"\cdot "},
        **{"\u2264": r"\le ", "\u2265": r"\ge ", "\u221e": r"\infty "},
        **{"\u2212": "-", "\u2013": "-", "\u00b0": r"^{\circ}", "\u222a": r"\cup "},
        **{"\u00b2": "^2", "\u00b3": "^3", "\u00bd": r"\frac{1}{2}"},
    }
)
_TYPED: Final = (
    (re.compile(r"(?:\u221a|\bsqrt)\s*\(([^()]*)\)"), r"\\sqrt{\1}"),
    (re.compile(r"\u221a\s*(\w+)"), r"\\sqrt{\1}"),
    (re.compile(r"\*\*"), "^"),
    (re.compile(r"\*"), r"\\cdot "),
    (re.compile(r"(?<!\\)\bpi\b"), r"\\pi "),
    (re.compile(r"(?<!\\)\b(sin|cos|tan|log|ln|exp|infty)\b"), r"\\\1 "),
)
_PROSE: Final = re.compile(r"(?<![\\a-zA-Z])(?!and\b|or\b)[^\W\d_]{2,}")
_WORDING: Final = re.compile(
    r"\\(?:text|mathrm|mbox)\s*\{[^{}]*\}|\\[a-zA-Z]+\*?|\{\w+\}"
)
_BOLD: Final = re.compile(r"(?<!\S)\*\*([^*]+)\*\*(?!\w)")


@dataclass(frozen=True, slots=True, repr=False)
class Mathematics:
    """The comparator that `math` makes."""

    version: ClassVar[str] = "math/1"

    def __str__(self) -> str:
        return "math"

    __repr__ = __str__

    def read(self, value: Any) -> str:
        """A value as text."""
        return value if isinstance(value, str) else comparable_text(value)

    def compare(self, response: str, reference: str) -> Match:
        """Expressions match if SymPy shows that they are equal."""
        asked = _of_reference(reference)
        if not asked:
            return Match(None, "the reference is no expression", BAD_REFERENCE)
        given = _parsed(_typed(response))
        if not given:
            return Match(0.0, "no expression", "not_an_answer")
        same = _verifier().verify(asked, given, timeout_seconds=_seconds())
        return EQUAL if same else Match(0.0, f"read as {shown(given[0])}", "differs")


def _verifier() -> Any:
    """The library that reads and compares expressions."""
    library = extra_module("math_verify", _EXTRA, "the comparator math")
    logger = logging.getLogger("math_verify")
    if not logger.handlers:  # what cannot be read is said by the verdict
        logger.addHandler(logging.NullHandler())
    return library


def _seconds() -> int | None:
    """How long one step may take; signals end it, which only the main thread has."""
    is_main = threading.current_thread() is threading.main_thread()
    return _SECONDS if is_main else None


def _parsed(text: str) -> list[Any]:
    if len(text) > _LONGEST or not text.strip("$ \t\r\n"):
        return []
    seconds = _seconds() or 0
    expressions: list[Any] = _verifier().parse(
        text, fallback_mode="no_fallback", parsing_timeout=seconds
    )
    return expressions


@lru_cache(maxsize=1024)
def _of_reference(text: str) -> list[Any]:
    return _parsed(text if _MARKED.search(text) else f"${_typed(text).strip('$')}$")


def _typed(text: str) -> str:
    r"""A text that is an expression and nothing else, as LaTeX; else as it is.

    Examples
    --------
    >>> _typed("5*sqrt(2)"), _typed("It is 5.")
    ('$5\\cdot \\sqrt{2}$', 'It is 5.')
    """
    inner = _BOLD.sub(r"\1", text).strip().rstrip(".")
    if not inner or _MARKED.search(inner) or "\n" in inner:
        return text
    for form, latex in _TYPED:
        inner = form.sub(latex, inner)
    inner = inner.translate(_SIGNS)
    return text if _PROSE.search(_WORDING.sub("", inner)) else f"${inner}$"


def math() -> Mathematics:
    r"""Equality of mathematical expressions, in LaTeX or as they are typed.

    Rule (``math/1``): a response is right if `math-verify` (an extra: ``pip install
    "demur[math]"``) finds it equal to the reference, by value and for all values of its
    variables: numbers, fractions, roots, polynomials, sets, tuples, intervals,
    matrices, equations. It looks for the last ``\boxed{}``, then for what stands
    between dollars, then for a number. What is an expression as a whole is read
    without marks, too: "5√2", "5*sqrt(2)", "(x+3)*(x-3)". ``2^{10}`` is 1024, and
    ``x^2-9`` is ``(x-3)(x+3)``: the form does not count.

    Reading and comparing may take three seconds each in the main thread, and what takes
    longer is wrong; there is no such limit in other threads.

    Returns
    -------
    Mathematics

    Raises
    ------
    MissingExtra
        When it compares, if the extra is not installed.

    References
    ----------
    H. Kydlíček and others, "Math-Verify" (2025), Apache 2.0.

    Examples
    --------
    >>> from demur import answers
    >>> answers.math()
    math
    """
    return Mathematics()
