"""Letters of multiple choice: what a reply chose, and whether that is what is right."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

from demur.answers.alternatives import Alternatives
from demur.answers.comparators import DIFFERENT, EQUAL, Match
from demur.answers.normalisations import Normalisation
from demur.answers.sentences import is_denied
from demur.answers.values import json_text
from demur.outcomes.reasons import BAD_REFERENCE
from demur.outcomes.records import Reference
from demur.outcomes.values import json_or_text

_LOOKED_AT: Final = 20_000
"""Characters of a reply, from its end, in which a letter is looked for."""

_MARKS: Final = " \t\r\n*_`$\"'"
_ALONE: Final = re.compile(r"(?:option |choice )?[(\[]?([A-Z])[)\].:]*", re.IGNORECASE)
_SEVERAL: Final = re.compile(
    r"[(\[]?[A-Z][)\]]?(?:(?:\s*(?:,|;|&|/|\band\b)\s*)+[(\[]?[A-Z][)\]]?)+\.?"
)
_RUN: Final = re.compile(r"[A-Z]{2,10}")
_WITH_TEXT: Final = re.compile(
    r"(?:(?:[Oo]ption |[Cc]hoice )?(?:[(\[]([A-Za-z])[)\]][*_]*[.:]?|([A-Za-z])[*_]*\)"
    r"|([A-Z])[*_]*(?:[.:]|\s+[-\u2013\u2014]|(?=\s+\()|[ \t]*(?=\n)"
    r"|,?(?=\s+(?:because|since)\b)))"
    r"|([A-HJ-Z])[*_]*,"
    r"(?=\s+(?!(?:or|not|but|maybe|perhaps|if|unless|though)\b)(?:an?\b|\w{2,})))"
    r"[*_]*\s+(?=\S)"
)
_LONE: Final = re.compile(
    r"(?<![\w'\u2019])(?:[B-HJ-Z](?![\w'\u2019])|A(?=[)*_]*(?:[.,;:]|\s*\Z)))"
)
_ON_A_LINE: Final = re.compile(
    r"^[ \t*_(\[]*([A-Z])[*_]*(?:[)\].:,]|[ \t]*$)", re.MULTILINE
)
_LETTER: Final = r"(?:[(\[]([A-Za-z])[)\]]|([B-HJ-Z])(?![\w'\u2019])|([AI]){})"
_GAP: Final = (
    r"[\s*_`$\"']{0,6}"
    r"(?:\b(?:therefore|thus|hence|option|choice|letter)\b[ \t]*){0,2}[*_`$\"']*"
)
_STOPS: Final = (
    r"(?=[)\]*_`$\"']*(?:[.:;!]|\s*\Z|[ \t]*\n|,?\s+(?:because|since|as)\b"
    r"|,\s+(?-i:[A-Z][a-z]|I\s)|\s*(?:,|;|&|/|\band\b|\bor\b)\s*[(\[*]*(?-i:[A-Z])\b))"
)
_IS: Final = (
    r"[*_]*[ \t]*(?:[:\uff1a=]|\b(?:is|(?:would|must|should) be)\b[ \t]*[:\uff1a]?)"
)
_STATED: Final = re.compile(
    rf"(?:\banswer{_IS}"
    r"|\b(?:correct|right|best|final|only|remaining|chosen|my|our|most\s+\w+)\s+"
    rf"(?:option|choice|one|letter|statement){_IS})"
    rf"{_GAP}"
    + _LETTER.format(
        r"(?=[)\]*_`$\"'.:,;]|\s*\Z|\s*\n"
        r"|\s+(?:because|since|as|and|or)\b)"
    ),
    re.IGNORECASE,
)
"""What says of an answer that it is a letter, whatever follows."""

_CHOSEN: Final = re.compile(
    r"(?:^[ \t*_#>]*(?:the\s+)?(?:(?:final|correct)\s+)?answer\b"
    r"|\bit(?:['\u2019]s|\s+is|\s+(?:must|has\s+to)\s+be)\b"
    r"|\b(?:I|we)(?:['\u2019](?:d|ll)|\s+(?:would|will|must|therefore|thus))?\s+"
    r"(?:choose|pick|select|go\s+with|say|think|believe|answer|guess)\b"
    r"(?:\s+(?:that\b|it\s+is\b|it['\u2019]s\b))*"
    r"|\bwhich\s+is\s+(?=option|choice)|\b(?:thus|therefore|hence)\b[:,]?"
    r"|(?:^|[.;:,!]\s)[ \t]*so\b[:,]?"
    r"|(?:^|[.;!]\s)[ \t*_]*(?:correct|right|final)[*_]*:)"
    rf"{_GAP}" + _LETTER.format("") + _STOPS,
    re.IGNORECASE | re.MULTILINE,
)
"""What chooses a letter with which a sentence, or a part of it, ends."""

_CORRECT: Final = re.compile(
    r"(?:[(\[]([A-Z])[)\]]|\b([A-Z])\)?)[*_]*\s+is\s+"
    r"(?:the\s+answer|(?:the\s+)?(?:(?:only|most)\s+)?(?:correct|right|best))\b"
)
_FURTHER: Final = re.compile(
    r"[)\]*_`$\"']*\s*(?:,|;|&|/|\band\b|\bor\b)\s*[(\[*]*[A-Z]\b"
)
_BESIDE: Final = re.compile(r"[)\].:,*_]*[ \t]+([^\n]*)")
_WRONG: Final = re.compile(
    r"[)\]*_]*\s+(?:is|can)(?:n['\u2019]t|\s*not|['\u2019]t)\s+(?:be\s+)?"
    r"(?:the\s+)?(?:right|correct|best|answer)\b"
    r"|[)\]*_]*\s+(?:is|seems?|looks?|appears?|sounds?)\s+(?:to\s+be\s+|very\s+|also\s+)?"
    r"(?:wrong|incorrect|false|ruled\s+out|eliminated|unlikely|impossible)\b"
    r"|[)\]*_]*\s+(?:fails?|contradicts?)\b|[)\]*_.]*\?",
    re.IGNORECASE,
)
_OF_ANOTHER: Final = re.compile(
    r"\b(?:wrong|incorrect|false|bad|worst|least\s+\w+|an|a|another|other|one|possible"
    r"|unlikely|tempting|obvious|first|second|your|their)(?:\s+\w+)?\s+\Z|\bwhy\s+\Z",
    re.IGNORECASE,
)
"""What stands before an answer that is not the one that is given."""

_DOUBT: Final = re.compile(
    r"\b(?:not|never|cannot|neither|nor|no|except|but|unlike(?:ly)?|impossible|wrong"
    r"|incorrect|false|fail\w*|contradict\w*|rul(?:e[sd]?|ing)\s+out|eliminat\w*"
    r"|exclud\w*|reject\w*|doubt\w*|least|worst|think(?:ing)?\s+about|consider\w*"
    r"|compar\w*|look(?:s|ing)?\s+at|check\w*|examin\w*|between|maybe|perhaps|possibly"
    r"|might|may|could|whether|if|suppos\w+|assum\w+|instead|rather|other|versus|vs"
    r"|tempting|why|first)\b|n['\u2019]t\b|\?",
    re.IGNORECASE,
)
"""Words of a sentence that need not choose the letter which it names."""

_PART_OF: Final = 200
"""Characters before and behind a letter that may belong to it."""

_PART: Final = re.compile(r"[.!?;,\n](?:\s|\Z)|\b(?:because|since)\b")
_BRACKETED: Final = re.compile(r"(?<!\w)\(([A-Z])\)(?!\w)")


class ChosenLetter(str):
    """A letter that was taken out of a reply, with the text beside it.

    Parameters
    ----------
    letter : str
    beside : str
        Empty if there is none.
    """

    __slots__ = ("beside",)
    beside: str

    def __new__(cls, letter: str, beside: str = "") -> "ChosenLetter":
        """The letter, as any text."""
        chosen = super().__new__(cls, letter)
        chosen.beside = beside
        return chosen


def letter_in(text: str) -> ChosenLetter | None:
    """The letter that a reply chooses, as a capital; None if it names none, or several.

    Examples
    --------
    >>> [letter_in(text) for text in ("b", "(B)", "B) Rome", "Answer: B.", "A dog")]
    ['B', 'B', 'B', 'B', None]
    >>> letter_in("(A) is too far, so it is (B)"), letter_in("(A) or (B)")
    ('B', None)
    """
    whole = lettered(text)
    if whole is not None and len(whole[0]) == 1:
        return ChosenLetter(next(iter(whole[0])), _line(whole[1]))
    text = text[-_LOOKED_AT:]
    last = _last_named(text)
    if last is not None:
        named = _named(text)
        beside = _BESIDE.match(text, last.end())
        its = _line(beside[1]) if beside else ""
        return ChosenLetter(named[0], its) if len(named) == 1 else None
    matches = list(_BRACKETED.finditer(text))
    bracketed = {match[1] for match in matches}
    if len(bracketed) != 1 or any(_is_doubted(text, match) for match in matches):
        return None
    return ChosenLetter(bracketed.pop())


def _is_doubted(text: str, named: re.Match[str]) -> bool:
    """Whether a letter alone in brackets may stand there without being chosen."""
    start = max(0, named.start() - _PART_OF)
    for end in _PART.finditer(text, start, named.start()):
        start = end.end()
    behind = _PART.search(text, named.end(), named.end() + _PART_OF)
    part = text[start : behind.start() + 1 if behind else named.end() + _PART_OF]
    return _DOUBT.search(part) is not None or _is_ruled_out(text, named)


def _is_ruled_out(text: str, named: re.Match[str]) -> bool:
    """Whether a letter is named to say that it is not right."""
    before = text[max(0, named.start() - 40) : named.start()]
    is_other = _WRONG.match(text, named.end()) or _OF_ANOTHER.search(before)
    return is_other is not None or is_denied(text, named.start())


def _line(text: str) -> str:
    return text.partition("\n")[0].strip(_MARKS + ".")


def _named(text: str) -> list[str]:
    """The letter that the last statement about the answer names, or several."""
    last = _last_named(text)
    if last is None:
        return []
    letters = [next(filter(None, last.groups())).upper()]
    return letters * 2 if _FURTHER.match(text, last.end()) else letters


def _last_named(text: str) -> re.Match[str] | None:
    """The last statement about the answer that names a letter."""
    last = None
    patterns = (_STATED, _CHOSEN, _CORRECT)
    matches = [match for pattern in patterns for match in pattern.finditer(text)]
    for match in sorted(matches, key=lambda match: match.end()):
        letter: str = next(filter(None, match.groups()))
        if _is_ruled_out(text, match):
            continue
        # A small letter without brackets is a word, unless nothing follows it.
        if match[1] or letter.isupper() or not text[match.end() :].strip(_MARKS + "."):
            last = match
    return last


def lettered(text: str) -> tuple[frozenset[str], str] | None:
    """The letters with which a text begins, and the text behind a single one.

    None if it does not begin as a choice does.

    Examples
    --------
    >>> lettered("(b) Rome"), lettered("Rome")
    ((frozenset({'B'}), 'Rome'), None)
    >>> sorted(lettered("A, C and D")[0])
    ['A', 'C', 'D']
    """
    text = text[:_LOOKED_AT].strip(_MARKS)
    alone = _ALONE.fullmatch(text)
    if alone is not None:
        return frozenset(alone[1].upper()), ""
    if _RUN.fullmatch(text) and len(set(text)) == len(text):
        return frozenset(text), ""
    if len(text) < 100 and _SEVERAL.fullmatch(text):
        return frozenset(re.findall(r"\b[A-Z]\b", text)), ""
    with_text = _WITH_TEXT.match(text)
    if with_text is None or _WRONG.match(text, with_text.end() - 1):
        return None
    letter = next(filter(None, with_text.groups())).upper()
    words = text[with_text.end() :]
    if _names_another(words, letter, with_text):
        return None
    return frozenset(letter), words.strip(_MARKS)


def _names_another(words: str, letter: str, with_text: re.Match[str]) -> bool:
    """Whether the text behind a letter names another: (A) is wrong, so it is (B)."""
    others = {*_BRACKETED.findall(words), *_named(words)}
    if with_text[4]:  # A, or rather B
        others.update(_LONE.findall(words.partition("\n")[0]))
    if "\n" in with_text[0]:
        others.update(_ON_A_LINE.findall(words))
    inner = _ALONE.fullmatch(words.strip(_MARKS))
    if inner is not None:
        others.add(inner[1].upper())
    return not others <= {letter}


class ChosenLetters(NamedTuple):
    """What a reference of multiple choice accepts.

    Parameters
    ----------
    letters : frozenset of str
        All of them, and no others.
    texts : mapping of str to str
        The normalised text of each letter, as far as it is known.
    """

    letters: frozenset[str]
    texts: Mapping[str, str]


_BEFORE_TEXT: Final = re.compile(r"[(\[]?([A-Za-z1-9])(?:[)\].:]+\s*|\Z)")
_USUAL: Final = Normalisation()
_NO_REFERENCE: Final = Match(None, "the reference names no letter", BAD_REFERENCE)
_NO_CHOICE: Final = Match(
    None, "the reference names a letter that is none of the choices", BAD_REFERENCE
)
_NO_LETTER: Final = Match(0.0, "names no letter", "not_an_answer")
_JSON: Final = _NO_LETTER._replace(
    reason="names no letter: extract=json(field=NAME) takes it out of JSON"
)
_APART: Final = Match(0.0, "a letter, and the text of another one", "differs")


@dataclass(frozen=True, slots=True, repr=False)
class Letters:
    """The comparator that `letters` makes."""

    version: ClassVar[str] = "letters/1"
    instead: ClassVar[tuple[str, ...]] = ()

    def __str__(self) -> str:
        return "letters"

    __repr__ = __str__

    def read(self, value: Any) -> str:
        """The text of a response."""
        return value if isinstance(value, str) else json_text(value)

    def read_reference(self, reference: Reference) -> Alternatives:
        """The letters of each alternative, with the texts of ``choices``."""
        texts = _texts(reference.extra.get("choices"))
        return tuple(
            (self._chosen(value, texts), weight)
            for value, weight in reference.alternatives
        )

    def _chosen(self, value: Any, texts: Mapping[str, str]) -> "ChosenLetters | Match":
        values = value if isinstance(value, (list, tuple)) else [value]
        letters: set[str] = set()
        for one in values:
            of_one = _indexed(one, texts)
            of_one = of_one or self._letters(self.read(one), texts)
            if isinstance(of_one, Match):
                return of_one
            letters |= of_one or set()
            if not of_one:
                return _NO_REFERENCE
        if texts and not letters <= texts.keys():
            return _NO_CHOICE
        return ChosenLetters(frozenset(letters), texts) if letters else _NO_REFERENCE

    def _letters(self, text: str, texts: Mapping[str, str]) -> frozenset[str] | None:
        """The letters of a text; of the text of a choice its letter.

        A letter that is one of the choices is that one, also if another one's text is
        the same letter.
        """
        bare = _BEFORE_TEXT.match(text.strip(_MARKS))
        letter = bare[1].upper() if bare else ""
        if letter in texts:
            beside = _USUAL(text.strip(_MARKS)[bare.end() :]) if bare else ""
            if beside in ("", texts[letter]):
                return frozenset(letter)
        same = [letter for letter, its in texts.items() if its == _USUAL(text)]
        if len(same) == 1:
            return frozenset(same)
        held = lettered(text)
        return None if held is None else held[0]

    def is_no_guess(self, value: Any) -> bool:  # noqa: ARG002
        """There is no other way than None and NO_ANSWER, which all comparators know."""
        return False

    def compare(self, response: str, reference: ChosenLetters | Match | str) -> Match:
        """Equal letters match, and so does the text of a choice."""
        if isinstance(reference, str):  # given without its record, and so its choices
            reference = self._chosen(reference, {})
        if isinstance(reference, Match):
            return reference
        letters = self._letters(response, reference.texts)
        if letters is None:
            return _JSON if response.lstrip().startswith("{") else _NO_LETTER
        if letters != reference.letters:
            return DIFFERENT
        if isinstance(response, ChosenLetter):
            beside = response.beside
        else:
            beside = (lettered(response) or ("", ""))[1]
        others = {its for key, its in reference.texts.items() if key not in letters}
        return _APART if _USUAL(beside) in others - {""} else EQUAL


def _texts(choices: Any) -> Mapping[str, str]:
    """The normalised texts of choices by their letters; of a list A, B, C and so on."""
    if isinstance(choices, str):  # as a cell of a table has it
        choices = json_or_text(choices)
    if isinstance(choices, Mapping) and choices.keys() == {"text", "label"}:
        named = _labelled(choices["label"], choices["text"])
    elif isinstance(choices, Mapping):
        named = {str(key).upper(): value for key, value in choices.items()}
    elif isinstance(choices, (list, tuple)):
        named = {chr(ord("A") + at): value for at, value in enumerate(choices[:26])}
    else:
        return {}
    return {letter: _USUAL(json_text(value)) for letter, value in named.items()}


def _labelled(labels: Any, texts: Any) -> dict[str, Any]:
    """The choices of two lists of one length, as ARC has them."""
    lists = isinstance(labels, (list, tuple)) and isinstance(texts, (list, tuple))
    if not lists or len(labels) != len(texts):
        return {}
    return {str(label).upper(): text for label, text in zip(labels, texts, strict=True)}


def _indexed(value: Any, texts: Mapping[str, str]) -> frozenset[str] | Match | None:
    """The letter at an index, which counts from 0; None of what is none."""
    if not isinstance(value, int) or isinstance(value, bool) or not texts:
        return None
    if str(value) in texts:  # a label
        return None
    letter = list(texts)[value] if 0 <= value < len(texts) else None
    if any(_is_number(its, value) for key, its in texts.items() if key != letter):
        reason = f"the reference {value} may be an index or the text of a choice"
        return Match(None, f"{reason}: write its letter", BAD_REFERENCE)
    if letter is None:
        reason = (
            f"the reference is the index {value} of {len(texts)} choices, from 0 on"
        )
        return Match(None, reason, BAD_REFERENCE)
    return frozenset([letter])


def _is_number(text: str, value: int) -> bool:
    try:
        return float(text) == value
    except ValueError:
        return False


def letters() -> Letters:
    """Equality of the letters that are chosen, in multiple choice.

    Rule (``letters/1``): a response is read as a letter if it is one ("B", "b", "(B)",
    "B."), or begins with one and goes on with its text ("B) Rome", "(b) Rome", "B.
    Rome", "B: Rome"). Several letters ("A, C", "AC", "A and C") are right if they are
    the same as those of the reference. If the reference has a column ``choices``, a
    list of texts, an object of letters and texts, or one of lists ``label`` and
    ``text``, the text of one choice stands for its letter, and in the reference so does
    its index, a whole number from 0 on that is not the text of another choice. A letter
    beside the text of another choice is wrong. A letter within a sentence is not read:
    the step ``letter`` of ``extract`` takes it out.

    Returns
    -------
    Letters

    Examples
    --------
    >>> import demur
    >>> replies = ["(B)", "b) Rome", "rome", "B) Oslo", "I think it is Rome"]
    >>> outcomes = demur.judge(
    ...     [{"item": "q", "system": str(n), "response": reply}
    ...      for n, reply in enumerate(replies)],
    ...     [{"item": "q", "reference": "B", "choices": ["Oslo", "Rome", "Bern"]}],
    ...     by="letters")
    >>> outcomes.reason.tolist()
    ['equal', 'equal', 'equal', 'a letter, and the text of another one',
     'names no letter']
    """
    return Letters()
