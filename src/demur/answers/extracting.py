"""Answers taken out of replies: named steps, one after the other, before comparing."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from demur.answers.choices import letter_in
from demur.answers.json_values import unpacked_at
from demur.answers.number_parts import whole_numbers
from demur.answers.reply_forms import (
    TAGGED,
    below_form,
    holds_nothing,
    is_empty_form,
    last_fence,
    marked_answer,
    said_text,
)
from demur.answers.sentences import bare, first_sentence, is_denied
from demur.answers.stated_confidences import answer_end
from demur.answers.written_lists import last_table, listed_texts, without_aside
from demur.answers.written_numbers import written_number
from demur.calls import call_text, parse_call
from demur.errors import InputError, ParseError, shown
from demur.outcomes.reasons import FORMAT, TRUNCATED
from demur.outcomes.thoughts import saying

NOTHING: Final = object()
"""What a step gives that finds no answer of its form."""

EMPTY: Final = object()
"""What a step gives where the form of an answer stands without one."""

_LONGEST: Final = 1_000_000
"""Characters of a reply that is looked at; a longer one stays as it is."""

_OPENINGS: Final = 200
"""Places of a reply at which JSON may begin."""


# -- the sentence of the answer ------------------------------------------------------

_FINAL: Final = re.compile(
    r"(?:^|[.;:!?,(]|\b(?:the|my|our|so|therefore|thus|hence)\b)[\s*_#>-]{0,8}"
    r"(?:(?:final|correct|right|short|best)\s{1,3}){0,2}"
    r"answer\b(?:[ \t]{1,3}(?:to|of|for)\b[^.:\n]{1,80}?)?"
    r"[ \t*_]{0,4}(?:[:\uff1a=]|\b(?:is|are|was|would be)\b[ \t]{0,3}[:\uff1a]?)"
    r"(?:[ \t]{0,3}\b(?:therefore|thus|hence)\b,?)?"
    r"|^[ \t]{0,8}(?:\#{1,6}|\*\*|__)[ \t*_]{0,4}(?:the[ \t])?"
    r"(?:(?:final|correct|short)[ \t]{1,3})?answer[ \t*_]{0,4}$"
    r"|(?:^|\s)\#{4}(?=[ \t]{0,8}[-+\u2212$\u20ac\u00a3]?[\d.])"
    r"|^[ \t]{0,8}\#{4}(?=[ \t]{0,8}(?:[-+\u2212$\u20ac\u00a3\\]?[\d.]|[^\n#]+\s*\Z))",
    re.IGNORECASE | re.MULTILINE,
)
_FORMS: Final = 20
"""How many of the last sentences may only be forms of an answer."""

_LABELS: Final = re.compile(
    r"(?:(?:the\s+)?(?:final\s+)?answer\s*(?:[:=\uff1a]|is\b)\s*)+", re.IGNORECASE
)
_BETWEEN: Final = re.compile(r"[\s*_]*")
_CRIED: Final = re.compile(r"(?<=\d)!+(?=[ \t*_]*\Z)")
"""An exclamation mark that ends a sentence, and is no factorial."""

_BLOCKS: Final = (("```", "```"), ("$$", "$$"), (r"\[", r"\]"))


def _final(text: str) -> Any:
    """What the last sentence says that says what the answer is.

    The form that was asked for is passed over, if there is another such sentence.
    """
    tags = list(TAGGED.finditer(text)) if "</" in text else []
    places = {tag.end(): tag for tag in tags}
    starts = [tag.start() for tag in tags]
    for phrase in _FINAL.finditer(text):
        if is_denied(text, phrase.end()):
            continue  # I do not think that the answer is A
        within = bisect_right(starts, phrase.end()) - 1
        if within < 0 or phrase.end() > tags[within].end():
            places[phrase.end()] = phrase
    ends = sorted(places, reverse=True)[:_FORMS]
    for end in ends:
        place = places[end]
        if place.re is TAGGED:
            answer = bare(place[1]) or place[1].strip()
        else:
            answer = _behind(text, end)
        if not (holds_nothing(answer) or _LABELS.fullmatch(answer)):
            return answer
    if not ends:
        return NOTHING
    first, last = below_form(text, ends[0])
    below = text[first : answer_end(text, first, last, asked=False)]
    return EMPTY if holds_nothing(below) else bare(below)


def _behind(text: str, start: int) -> str:
    """The answer behind the words that say that it is one."""
    while text[start : start + 1].isspace():
        start += 1
    line = text[start:].partition("\n")[0]
    if is_empty_form(line):
        return line.strip()
    between = _BETWEEN.match(text, start)
    if between is not None and "\n" in between[0]:
        start = between.end()  # marks of the label, and the answer on a line below
    for opening, closing in _BLOCKS:
        if text.startswith(opening, start):
            end = text.find(closing, start + len(opening))
            return text[start : end + len(closing)] if end >= 0 else text[start:]
    line = text[start:].partition("\n")[0]
    answer = first_sentence(line[: answer_end(line, 0, len(line), asked=False)])
    return bare(_CRIED.sub("", answer))


# -- marks ---------------------------------------------------------------------------

_BOX: Final = re.compile(r"\\(?:fbox|boxed)\s*(?:\{|(?=\s[^\s{$]))")
_BOXED_FORM: Final = re.compile(
    r"(?:(?:your|the|my|final|short) )*(?:answer|response|letter|choice|option|number)"
    r"(?: here)?",
    re.IGNORECASE,
)
"""Words that stand for an answer where they are all that a box holds."""

_BRACE: Final = re.compile(r"(?<!\\)[{}]")
_WORDING: Final = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s*\{([^{}]*)\}")
_BOLD: Final = re.compile(
    r"(?<!\*)\*\*(?!\*)([^*\n]+)\*\*(?!\*)|(?<!\w)__([^_\n]+)__(?!\w)"
    r"|<(?:b|strong)>([^<\n]+)</(?:b|strong)>"
)
_INLINE: Final = re.compile(r"\s*`{3}([^`\n]+)`{3}\s*")


def _boxed(text: str) -> Any:
    r"""What the last ``\boxed{}`` holds, braces within it counted."""
    ends = _braces(text)
    is_form = False
    for box in reversed(list(_BOX.finditer(text))):
        if not box[0].endswith("{"):
            inner = text[box.end() :].split(maxsplit=1)[0].strip("$.")
        elif box.end() in ends:
            inner = text[box.end() : ends[box.end()]].strip()
            worded = _WORDING.fullmatch(inner)
            inner = worded[1].strip() if worded else inner
        else:
            continue
        if not (holds_nothing(inner) or _BOXED_FORM.fullmatch(inner)):
            return inner
        is_form = True
    return EMPTY if is_form else NOTHING


def _braces(text: str) -> dict[int, int]:
    """Where each brace that is closed begins to hold something, and where that ends."""
    opened: list[int] = []
    ends = {}
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.end())
        elif opened:
            ends[opened.pop()] = brace.start()
    return ends


def _bold(text: str) -> Any:
    """The last text in bold that is no heading: none that a colon ends or follows."""
    is_form = False
    for bold in reversed(list(_BOLD.finditer(text))):
        inner = next(filter(None, bold.groups())).strip()
        after = text[bold.end() : bold.end() + 2].lstrip(" ")
        if inner and not inner.endswith((":", "\uff1a")) and after[:1] not in (":",):
            if not is_empty_form(inner):
                return bare(inner)
            is_form = True
    return EMPTY if is_form else NOTHING


def _fence(text: str) -> Any:
    """The last code fence, also one that is not closed."""
    alone = _INLINE.fullmatch(text)
    if alone is not None:
        return alone[1].strip() or NOTHING
    return last_fence(text, unclosed=True) or NOTHING


# -- structures ----------------------------------------------------------------------


class _NoJson(str):
    """What has the form of JSON but for a name given twice, or NaN; none reads on."""

    __slots__ = ()


def _json(value: Any, field: str) -> Any:
    """The last JSON object or list in a text, or what an object has under a name."""
    values = _parsed(value) if isinstance(value, str) else [value]
    is_form = False
    for parsed in reversed(list(values)):
        if isinstance(parsed, str) and isinstance(value, str):
            return _NoJson(parsed)
        member = _member(parsed, field)
        if member is not NOTHING:
            if not _is_form(member):
                return member
            is_form = True
    return EMPTY if is_form else NOTHING


def _member(value: Any, field: str) -> Any:
    if not field:
        return value if isinstance(value, (dict, list)) else NOTHING
    return value.get(field, NOTHING) if isinstance(value, Mapping) else NOTHING


def _is_form(value: Any) -> bool:
    """Whether a text holds nothing; or an object or list only forms of answers."""
    if isinstance(value, str):
        return holds_nothing(value)
    parts = list(value.values()) if isinstance(value, Mapping) else value
    if not isinstance(parts, list):
        return False
    texts = [part for part in parts if isinstance(part, str)]
    return bool(texts) and all(map(is_empty_form, texts))


def _parsed(text: str) -> Iterator[Any]:
    """The outermost objects and lists that stand in a text as JSON.

    Those that give a name twice, or hold NaN, are left as texts.
    """
    at = 0
    for _ in range(_OPENINGS):
        opening = re.compile(r"[{\[]").search(text, at)
        if opening is None:
            return
        at = opening.end()
        try:
            value, at = unpacked_at(text, opening.start())
        except (ValueError, RecursionError):
            continue
        yield value


_NUMBER: Final = re.compile(
    r"(?<![\w.,/])(?:[-\u2212]?[$\u20ac\u00a3]?|[$\u20ac\u00a3][-\u2212])"
    r"(?:\d{1,3}(?:[ \u00a0\u202f'\u2019]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
    r"(?:[ ]?/[ ]?\d+"
    r"|[ ]?[x\u00d7][ ]?10(?:\^-?\d+|[\u2070-\u207b\u00b9\u00b2\u00b3]+))?"
    r"(?:[ \u00a0]?%|[ \u00a0](?:hundred|thousand|million|billion|trillion|dozen)\b"
    r"|[kKM](?=\W|\Z))?(?!\w)"
)
_TIMES: Final = r"[x\u00d7\u00b7\u00f7+/]|(?<!\*)\*(?!\*)|\\(?:times|cdot|div)\b"
_JOINED_BEFORE: Final = re.compile(
    r"(?:[<>\u2260\u2264\u2265\u221a^]|\\(?:sqrt|[dt]?frac|neq?|leq?|geq?|lt|gt)\b"
    r"|\}(?=\s*\{))[\s{(]*\Z"
    rf"|\d[ )]*(?:{_TIMES}|[ ][-\u2212][ ])\s*\Z|\d:\Z|[-\u2212]\(\Z"
)
_JOINED_BEHIND: Final = re.compile(
    r"!|[ ](?:squared|cubed|factorial|thirds|(?:fif|six|seven|eigh|nin|ten)ths)\b"
    rf"|\^|:\d|[ ]*(?:{_TIMES}|[ ][-\u2212][ ])[ (]*[\d$]"
)
"""What makes a number a part of another one, or a bound of it."""

_BOUND_BEFORE: Final = re.compile(
    r"\b(?:at (?:least|most)|no (?:more|less|fewer) than|up to|over|under|above|below"
    r"|(?:min|max)imum of|twice|double|triple|half(?: of)?"
    r"|doubt (?:that )?it(?:['\u2019]s| is))[ *_$(\[]*\Z",
    re.IGNORECASE,
)
_BOUND_BEHIND: Final = re.compile(
    r"[*_$]*(?:\+(?![ ]*[\d(])|[ ]+or[ ]+(?:more|less|fewer|above|below|higher|lower)\b"
    r"|[ ]+(?:is|are|was|were)(?:n['\u2019]t|[ ]+(?:not|wrong|incorrect|false|too))\b"
    r"|[ ]+(?:less|more|fewer)[ ]+than\b|\?[ ]+No\b)"
)
_ASIDE: Final = re.compile(
    r"[,;:(\n]|\b(?:since|because|as|where|when|if|for|with|so|check)\b", re.IGNORECASE
)
"""What begins an aside, in which an equation is not the answer's."""

_EXCLAIMED: Final = re.compile(r"!+[*_]*(?:\s*\Z|\s+[A-Z])")
_WORD_BEFORE: Final = re.compile(r"[^\W\d_][\s*]*\Z")

_ARROW: Final = re.compile(r"<[^<>]*>|[-=]>")
"""A tag, or an arrow: what follows it is not said to be less."""


_PARTS: Final = frozenset(["final", "boxed", "bold"])
"""Steps that leave a part which begins with the answer."""

_MARKS: Final = frozenset(["reply", "final", "boxed", "json"])
"""Steps that read a mark, also where another one only held the form of an answer."""


def _number(text: str, *, first: bool = False) -> Any:
    """The last number, as it is written; nothing of a text that is one number.

    If ``first``, it is the first one, or the first behind the last "=".
    """
    if written_number(text) is not None:
        return NOTHING
    numbers = whole_numbers(text, [match.span() for match in _NUMBER.finditer(text)])
    equals = _last_equals(text, numbers) if first else len(text)
    behind = bisect_right([start for start, _ in numbers], equals)
    for start, end in (*numbers[behind:], *reversed(numbers[:behind])):
        if _stands(text, start, end):
            return text[start:end]
    return NOTHING


def _last_equals(text: str, numbers: Sequence[tuple[int, int]]) -> int:
    """The last = behind what is computed from the first number on; -1 if none."""
    equals = text.rfind("=")
    begins = numbers[0][0] if numbers else 0
    return -1 if _ASIDE.search(text, begins, max(equals, begins)) else equals


def _stands(text: str, start: int, end: int) -> bool:
    """Whether a number is said for itself, and neither denied nor a bound."""
    before = _ARROW.sub(" ", text[max(0, start - 40) : start])
    joined = _JOINED_BEFORE.search(before) or _JOINED_BEHIND.match(text, end)
    if _EXCLAIMED.match(text, end) and _WORD_BEFORE.search(before):
        joined = None  # It is 5!
    bound = _BOUND_BEFORE.search(before) or _BOUND_BEHIND.match(text, end)
    return not (joined or bound or is_denied(text, start))


# -- steps ---------------------------------------------------------------------------


def _reply(text: str) -> Any:
    """What a chat is taken to answer; `EMPTY` if it marks an answer and gives none."""
    marked = marked_answer(text)
    if marked.answer is None:
        return EMPTY if marked.mark else NOTHING
    return marked.answer


def _or_nothing(read: Any) -> Any:
    return NOTHING if read is None else read


READERS: Final[dict[str, Callable[[str], Any]]] = {
    "reply": _reply,
    "final": _final,
    "boxed": _boxed,
    "bold": _bold,
    "letter": lambda text: letter_in(text) or NOTHING,
    "number": _number,
    "aside": lambda text: _or_nothing(without_aside(text)),
    "list": lambda text: _or_nothing(listed_texts(text)),
    "fence": _fence,
    "json": lambda text: _json(text, ""),
    "table": lambda text: _or_nothing(last_table(text)),
}
"""The steps there are; what each reads is said in `extraction`."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an extraction.

    Parameters
    ----------
    name : str
        One of `READERS`.
    field : str
        Of ``json``: the name under which the answer stands; empty for all of it.

    Examples
    --------
    >>> str(Step("json", "answer")), Step("json", "answer")('{"answer": 3}')
    ('json(field=answer)', 3)
    """

    name: str
    field: str = ""

    def __str__(self) -> str:
        return call_text(self.name, {"field": self.field} if self.field else {})

    def __call__(self, value: Any, *, of_part: bool = False) -> Any:
        """What the step reads in a value; `NOTHING` if it finds none.

        The value may be a part that a step of `_PARTS` has left.
        """
        if isinstance(value, str) and len(value) > _LONGEST:
            return NOTHING
        if self.name == "number" and of_part and isinstance(value, str):
            return _number(value, first=True)
        if self.name == "json":
            return _json(value, self.field)
        return READERS[self.name](value) if isinstance(value, str) else NOTHING


class Extracted(NamedTuple):
    """What an extraction made of a reply.

    Parameters
    ----------
    value : any
        What is compared; None if the reply holds no answer.
    trace : list of (str, any)
        The steps that found an answer, each with what it left.
    kind : {"truncated", "format"} or None
        Why there is no answer: the reply ends within thoughts, or repeats the form.
    """

    value: Any
    trace: list[tuple[str, Any]]
    kind: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Extraction:
    """Steps that take an answer out of a reply; made by `extraction`.

    Parameters
    ----------
    steps : tuple of Step
        In the order in which they are applied.

    Examples
    --------
    >>> reply = "First 3 + 4. The answer is **7**."
    >>> extraction("final")(reply), extraction("boxed")(reply)
    ('7', 'First 3 + 4. The answer is **7**.')
    """

    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        return "+".join(map(str, self.steps))

    __repr__ = __str__

    def __call__(self, value: Any) -> Any:
        """The answer in a reply; the reply if no step finds one."""
        return self.read(value).value

    def read(self, reply: Any) -> Extracted:
        r"""What the steps read in a reply, one after the other.

        Examples
        --------
        >>> extraction("final+boxed+bold").read(r"The answer is $\boxed{7}$.").trace
        [('final', '\\boxed{7}'), ('boxed', '7')]
        >>> extraction("final").read("<think>The answer is 7. Wait")
        Extracted(value=None, trace=[], kind='truncated')
        """
        if not self.steps:
            return Extracted(reply, [])
        value = said_text(reply)
        value = reply if value is None else value
        if isinstance(value, str) and len(value) <= _LONGEST:
            speech = saying(value)
            inner = speech.within(value)
            if speech.is_thinking or (speech.has_thought and not inner.strip()):
                return Extracted(None, [], TRUNCATED)
            value = inner if inner.strip() else value
        trace: list[tuple[str, Any]] = []
        is_form = False
        for step in self.steps:
            if isinstance(value, _NoJson) or (is_form and step.name not in _MARKS):
                continue
            read = step(value, of_part=any(name in _PARTS for name, _ in trace))
            is_form = read is EMPTY or (is_form and read is NOTHING)
            if read is not EMPTY and read is not NOTHING:
                value = read
                trace.append((str(step), value))
        if isinstance(value, str):
            value = str(value) if isinstance(value, _NoJson) else value
            is_form |= holds_nothing(value) if trace else is_empty_form(value)
        return Extracted(None, [], FORMAT) if is_form else Extracted(value, trace)


def extraction(steps: "str | Extraction | None" = None) -> Extraction:
    r"""The extraction that names of steps stand for; the inverse of ``str``.

    Each step is applied to what the one before it left. One that finds no answer of
    its form leaves all as it is. Nothing within thoughts, such as before
    ``</think>``, is looked at; a reply that ends within them holds no answer, and
    neither does one that only repeats the form ("Answer: <your answer>"). Steps read
    English words and common marks:

    ``reply``
        The answer as `demur run` reads it: in a JSON object, in ``<answer>`` tags,
        behind "Answer:" on a line of its own, or all of one line; without a confidence.
    ``final``
        The rest of the last sentence such as "The answer is X", "Final answer: X" or
        "#### X", without its full stop, and without marks and quotes around it; the
        line below a heading "Answer"; or what stands in ``<answer>`` tags.
    ``boxed``
        The last ``\boxed{X}``, with braces in it.
    ``bold``
        The last text in bold that is no heading before a colon.
    ``letter``
        The letter of "B", "(B)", "B) text", "Answer: B." or "I choose B", or the only
        one that stands in brackets; a capital. One that is ruled out, or only
        mentioned ("think about option A"), is none.
    ``number``
        The last number, with its currency, per cent sign or size ("2 million"); of
        what ``final``, ``boxed`` or ``bold`` left the first, or the first behind the
        last "=" of what is computed from it. Numbers that are denied or bounds ("not
        5", "at least 5") or within others ("5^2", "12:05", "5 squared") are passed
        over; "2 hours 30 minutes", dates and "5 or 6" are taken whole. What is one
        number as a whole, as `number` with ``written=point`` reads it, stays.
    ``aside``
        What stands before brackets at the end: "Paris" of "Paris (the capital)". They
        stay if they hold a doubt or another answer ("Paris (or Lyon)").
    ``list``
        A list of texts: lines with bullets or numbers, lines, or the parts of "a, b and
        c" or "a; b", also behind "They are" or a colon. For `multiset`.
    ``fence``
        The last code fence.
    ``json``
        The last JSON object or list; ``json(field=NAME)`` what it has under a name. One
        that gives a name twice, or holds NaN, is left as a text for good.
    ``table``
        The rows of the last Markdown table, without its head: numbers as numbers,
        and empty cells, ``NULL`` and the like as nothing.

    Parameters
    ----------
    steps : str, Extraction or None
        Names joined by ``+``; None for none.

    Returns
    -------
    Extraction

    Raises
    ------
    InputError, ParseError
        If it names what is no step, or not as a step is written.

    Examples
    --------
    >>> from demur import answers
    >>> read = answers.extraction("final+letter")
    >>> read("Rome lies in Italy. So the answer is (B)."), str(read)
    ('B', 'final+letter')
    >>> answers.extraction("json(field=answer)")('Sure: {"answer": 3}')
    3
    >>> answers.extraction("table")("| a | b |\n|---|---|\n| x | 1 |")
    [['x', 1]]
    """
    if steps is None or isinstance(steps, Extraction):
        return steps or Extraction()
    given: Any = steps  # which is only promised
    if not isinstance(given, str) or not given.strip():
        need = f"be names of steps joined by + ({', '.join(READERS)})"
        raise InputError("judge", "extract", need, shown(given))
    parts = re.split(r"\+(?![^()]*\))", steps)
    try:
        read = tuple(
            parse_call(part, READERS, _maker, where="judge", what="the step of extract")
            for part in parts
        )
    except InputError as error:
        raise _with_writing(error, steps) from None
    names = [str(step) for step in read]
    for name in names:
        if names.count(name) > 1:
            need = "name each step once"
            raise ParseError("judge", "extract", need, shown(steps))
    return Extraction(read)


_MEMBER: Final = re.compile(r"json[\s(.:=\[/$'\"]+(\w+)[)\]'\"]*")


def _with_writing(error: InputError, steps: str) -> InputError:
    """The error, with how the steps are written that were meant."""
    member = _MEMBER.fullmatch(steps.strip())
    several = [part.strip() for part in re.split(r"[,;|>\s]+", steps)]
    if member is not None:
        meant = f"json(field={member[1]})"
    elif len(several) > 1 and all(part in READERS for part in several):
        meant = "+".join(several)
    else:
        return error
    return error.with_hint(f"It is written '{meant}' (--extract '{meant}').")


def _maker(name: str) -> Callable[..., Step]:
    if name == "json":
        return lambda field="": Step("json", field)
    return lambda: Step(name)
