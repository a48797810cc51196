"""Texts that are no answers: refusals in twenty-one languages, failures of programs."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Final
from unicodedata import normalize

from demur.errors import shown
from demur.outcomes.phrases import NEEDED, Phrases, phrases_of
from demur.outcomes.thoughts import saying

REFUSALS: Final = "refusals"
"""The name by which `judge` is asked to look for them."""

_LONGEST: Final = 400
_QUOTES: Final = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bb\u02bc`\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d"), '"'),
    **dict.fromkeys(map(ord, "\u0142\u0141"), "l"),
    **dict.fromkeys(map(ord, "\u0131\u0130"), "i"),
    0xDF: "ss",
    # Letters of Arabic and marks of Devanagari that writers leave out.
    **dict.fromkeys(map(ord, "\u0623\u0625\u0622"), "\u0627"),
    **dict.fromkeys((0x0640, 0x093C, *range(0x064B, 0x0653)), None),
}
_MARKS: Final = re.compile("[\u0300-\u036f]")
_END: Final = (
    r"(?=\s*(?:[.!?;:,\u2026\u3002\uff01\uff1f\u061f\u060c\u0964\u3001]"
    r"|\s[-\u2013\u2014]|$))"
)
_BETWEEN: Final = r"[\s.,:;!?\u2026\u2013\u2014\u3002\u3001\u060c\u0964-]*"


_QUERY: Final = re.compile(r"\(*select\b")
"""SQL is no refusal in any language, whatever words stand in it."""
_STUTTER: Final = re.compile(r"(\w.{1,39}?)\1{4,}")
"""One piece five times in a row: phrases may take very long over it, and nobody who
declines says so."""

_SHORT: Final = 80
"""Up to so many characters no phrase takes long, and to look for pieces would."""


_PICTURES: Final = re.compile(
    "[\u200d\u20e3\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\ufe0e\ufe0f"
    "\U0001f000-\U0001faff]+"
)
"""Emoji end a clause, as a full stop does."""

_WRAPPING: Final = "\"'*_()[]{}#>$ "
_TAGS_BEFORE: Final = re.compile(
    r"^(?:(?:[<\[]/?\w[\w -]{0,19}[>\]]|\\(?:boxed|text)\{|[$*]+)\s*)+"
)
_TAGS_AFTER: Final = re.compile(r"(?:[<\[]/\w[\w -]{0,19}[>\]]\s*)+$")
_LABEL: Final = re.compile(
    r"(?:(?:the |my )?(?:final |short )?"
    r"(?:answer|response|output|reply|result|sql|query|a)"
    r"|(?:die )?antwort|(?:het )?antwoord|svar(?:et)?|(?:la )?reponse|(?:la )?respuesta"
    r"|(?:la )?risposta|(?:a )?resposta|odpowiedz|odpoved|ответ|відповідь"
    r"|cevap|yanit|(?:ال)?(?:اجابة|جواب)|उत्तर|जवाब|答案|回答|答え|答|답변|정답|답"
    r"|ค\u0e4dาตอบ)\W{0,4}[:=]\W*"
)
_LAST_CLAUSE: Final = re.compile(
    r"(?<=[;:,.!?\u2026\u2013\u2014\u061b])\s+|(?<=\s-)\s"
    r"|(?<=[\u3001\u3002\uff0c\uff0e\uff1a\uff1b])(?=.)"
)
_FEW_WORDS, _SHORT_WORD = 3, 8
_PARTICLES: Final = re.compile("(?:요|까|니|か|吗|呢|么|ไหม|คะ|क्या|क्यों)$")
"""What ends a question that names nothing, in scripts without capitals."""

_ENDS: Final = ".!?\u3002\uff01\uff1f\u061f\u0964\xbf\xa1"
_OPENS: Final = ":;-\u2013\u2014\uff1a\uff1b\u061b"
_WORDS: Final = re.compile(r"\w+")


_SENTENCES: Final = re.compile(
    "(?<=[.!?\u2026])\\s+|(?<=[\u3002\uff01\uff1f\u061f\u0964])\\s*"
)
_CLAUSES: Final = re.compile(
    "[,;:\u2013\u2014\u3001\uff0c\uff1a\uff1b\u060c\u061b]|\\s-\\s"
)

NOTED: Final = frozenset({"da", "en", "hi", "ja", "nl", "no", "ru", "th"})
"""Languages whose patterns are not sure enough to change a verdict: their precision at
first sight is below .95 on all sets of texts together; for Danish, Norwegian and Thai
on the set alone that the maker of their phrases had not seen."""

ALONE: Final = frozenset({"en", "nl", "ru"})
"""Those of them that are sure enough where a text says nothing else: by the sets that
were written without sight of the phrases, but for those that these were mended by."""


def folded(text: str) -> str:
    r"""A text without capitals, accents and differences between quotation marks.

    Examples
    --------
    >>> folded("Je suis d\u00e9sol\u00e9, je n\u2019ai rien")
    "je suis desole, je n'ai rien"
    """
    if text.isascii():
        return text.replace("`", "'").lower()
    # NFKC would take an acute accent that stands for an apostrophe apart.
    text = normalize("NFKC", text.replace("\u00b4", "'")).translate(_QUOTES)
    text = normalize("NFC", _MARKS.sub("", normalize("NFD", text)))
    return text.translate(_QUOTES).lower()


class _Matcher:
    """The phrases of a language, compiled."""

    def __init__(self, phrases: Phrases) -> None:
        def one_of(text: str) -> str:
            # Blanks at the end of a line part alternatives, and stand for nothing.
            lines = (folded(line.strip()) for line in text.strip().split("\n"))
            joined = "|".join(line for line in lines if line)
            return f"(?:{joined})".replace("<end>", _END)

        edge = r"(?!\w)" if phrases.words else ""
        before = rf"(?:{one_of(phrases.before)}{edge}{_BETWEEN}){{0,4}}"
        closed, open_ = one_of(phrases.closed), one_of(phrases.open)
        bare = one_of(phrases.bare)
        self.refuses = re.compile(
            rf"{before}(?:(?P<open>{open_}){edge}|(?P<closed>{closed}){_END})"
        )
        self.bare = re.compile(rf"{before}{bare}{_BETWEEN}")
        self.polite = re.compile(rf"{_BETWEEN}{before}{_BETWEEN}")
        self.guess = re.compile(one_of(phrases.guess))
        self.but = re.compile(one_of(f"{phrases.guess}\n{phrases.but}"))
        self.answers = re.compile(one_of(phrases.answers))

    def says_nothing_else(self, text: str) -> bool:
        """Whether each sentence of a text declines, or is the politeness around it.

        Behind a comma or a dash there may be no more than two words.
        """
        if self.bare.fullmatch(text):
            return True
        sentences = [part for part in _SENTENCES.split(text) if part.strip(_ENDS + " ")]
        declined = False
        for sentence in sentences:
            end = self.refusal_end(sentence, bare=True)
            if end is None:
                if not self.polite.fullmatch(sentence):
                    return False
            elif any(
                len(_WORDS.findall(clause)) > _FEW_WORDS - 1
                or any(map(str.isdigit, clause))
                for clause in _CLAUSES.split(sentence[end:])[1:]
            ):
                return False
            else:
                declined = True
        return declined

    def refusal_end(self, text: str, *, bare: bool) -> int | None:
        """Where the refusal ends that a text is; None if it is none."""
        match = self.refuses.match(text)
        if match is None:
            only = bare and self.bare.fullmatch(text) is not None
            return len(text) if only else None
        goes_on = self.guess if match["open"] else self.but
        start = match.start("open" if match["open"] else "closed")
        answers = goes_on.search(text, match.end()) or self.answers.search(text, start)
        return None if answers else match.end()


@cache
def _matcher(language: str) -> _Matcher:
    return _Matcher(phrases_of(language))


@cache
def _needed(language: str) -> frozenset[str]:
    """Words of which a refusal has one; looked at before patterns are compiled."""
    return frozenset(folded(NEEDED.get(language, "")).split())


_SCRIPTS: Final = (
    # Letters that only the other of both has: Ukrainian i and ye, Russian y and e.
    (re.compile("^(?!.*[\u0456\u0454\u0491]).*[\u0400-\u04ff]"), ("ru",)),
    (re.compile("^(?!.*[\u044b\u044d\u044a]).*[\u0400-\u04ff]"), ("uk",)),
    (re.compile("[\u0e00-\u0e7f]"), ("th",)),
    (re.compile("[\u0600-\u06ff]"), ("ar",)),
    (re.compile("[\u0900-\u097f]"), ("hi",)),
    (re.compile("[\u3040-\u30ff]"), ("ja",)),
    (re.compile("[\uac00-\ud7af]"), ("ko",)),
    (re.compile("[\u4e00-\u9fff]"), ("zh", "ja")),
)
_LATIN: Final = (
    *("en", "de", "fr", "es", "it", "pt", "nl"),
    *("pl", "cs", "sv", "da", "no", "tr"),
)


def _languages(text: str) -> Iterator[str]:
    """Languages of the scripts that a text has, Latin ones last."""
    if not text.isascii():
        for script, languages in _SCRIPTS:
            if script.search(text):
                yield from languages
    yield from _LATIN


def refusal_language(text: str, *, bare: bool = True) -> str | None:
    """The language in which a text declines to answer; None if it does not.

    Parameters
    ----------
    text : str
        What was said.
    bare : bool
        Whether words count that may be labels, too, such as "unknown".

    Examples
    --------
    >>> [refusal_language(text) for text in ("Das weiss ich leider nicht.", "Oslo")]
    ['de', None]
    >>> refusal_language("N/A"), refusal_language("N/A", bare=False)
    ('en', None)
    """
    found = _refusal(text, bare)
    return None if found is None else found[0]


@lru_cache(maxsize=4096)
def _refusal(text: str, bare: bool) -> tuple[str, str] | None:  # noqa: FBT001
    """The language in which a text declines, and the text as it was looked at."""
    text = saying(text).within(text)
    if len(text) > _LONGEST:
        return None
    if not text.isascii():
        text = _PICTURES.sub(" . ", text)
    text = " ".join(text.split())
    plain = folded(text)
    if len(plain) > _SHORT and _STUTTER.search(plain):
        return None
    quoted = plain[:1] == '"' and plain.rstrip(".!")[-1:] != '"'  # somebody else
    if quoted or _QUERY.match(plain):
        return None
    plain = _unwrapped(plain)
    words = _WORDS.findall(plain)
    for language in _languages(plain):
        needed = _needed(language)
        if needed and needed.isdisjoint(words):
            continue
        end = _matcher(language).refusal_end(plain, bare=bare)
        if end is not None:
            answers = _names_something(text, plain[end:])
            return None if answers else (language, plain)
    return None


def _unwrapped(plain: str) -> str:
    """What stands in tags, in quotation marks, in an object, behind "Answer:"."""
    inner = plain
    if not plain[:1].isalnum() or plain[-1:] in "]>":
        inner = _TAGS_AFTER.sub("", _TAGS_BEFORE.sub("", inner))
        inner = inner.strip(_WRAPPING).lstrip(". ")
    if ":" in inner or "=" in inner:
        label = _LABEL.match(inner)
        inner = inner[label.end() :] if label else inner
    return inner.strip(_WRAPPING) or plain.strip(_WRAPPING)


def _names_something(text: str, rest: str) -> bool:
    """Whether a text ends with names or numbers, behind a colon or as a question.

    "I am not sure; Oslo?" and "No information is needed: Oslo." answer, and so does
    "Nothing is known of her youth; she was born in 1650."
    """
    if not rest.strip(" .!?"):
        return False
    if any(letter.isdigit() for letter in rest.partition(";")[2]):
        return True
    *before, tail = _LAST_CLAUSE.split(text)
    words = tail.strip(_WRAPPING + _ENDS).split()
    few = before and 0 < len(words) <= _FEW_WORDS and len(folded(tail)) <= len(rest)
    if not few:
        return False
    asks = any(mark in tail for mark in "?\uff1f\u061f")
    if not any(word != word.swapcase() for word in words):  # a script without capitals
        digits = words[0][0].isdigit()
        asks &= len(words[0]) <= _SHORT_WORD and not _PARTICLES.search(words[-1])
        return asks or (digits and before[-1][-1:] in _OPENS)
    named = all(
        word.strip(_WRAPPING)[:1].isupper() or word[0].isdigit() for word in words
    )
    return named and (asks or before[-1][-1:] in _OPENS)


_BEGINNING: Final = 2_000
"""Pages of errors and tracebacks are told by how they begin."""

_CODE: Final = "[45][0-9]{2}"
_PHRASES: Final = (
    "internal server error|bad gateway|service (?:is )?(?:temporarily )?"
    "unavailable|gateway time-?out|too many requests"
    "|(?:the )?(?:request|connection|read|model|server|api|query|operation|job)? ?"
    "(?:has )?timed? ?-?out|rate[ _-]?limit(?:[ _-]?(?:exceeded|reached|error))?"
    "|(?:api )?(?:quota|rate limit) (?:exceeded|reached)"
    "|(?:connection|network|server|api|unknown|internal) error"
    "|connection (?:reset|refused|aborted|closed)[a-z ]*|(?:cuda )?out of memory"
    "|(?:an? )?(?:unexpected |internal |unknown |server )?error (?:has )?occurr?ed"
    "|something went wrong|(?:the )?(?:model|server|engine|system) (?:is )?"
    "(?:currently )?(?:overloaded|unavailable|down|at capacity)"
    "|upstream (?:connect error|request timeout)|request failed|no response"
)
_NULLS: Final = re.compile(
    r"None|null|NULL|nil|nan|NaN|undefined|<NA>|NaT|\(null\)|\[object Object\]"
    r"|#(?:N/A|REF!|VALUE!|NAME\?|NULL!|NUM!|DIV/0!)"
)
_BEGINNINGS: Final = re.compile(
    r"traceback \(most recent call last\)|<!doctype html|<html\b|<\?xml\b"
    r'|\{\s*"(?:error|errors|error_code|error_message)"\s*:'
    r"|(?:https?|http/[0-9.]+|(?:http )?status(?: code)?|error(?: code)?)"
    rf"[ :=#-]*{_CODE}\b"
    rf"|{_CODE}[ :-]+(?:bad request|unauthori[sz]ed|forbidden|not found)\s*(?:[.!:]|$)"
    rf"|(?:{_CODE}[ :-]+)?(?:(?:(?:i'?m |we'?re )?sorry|oops|apologies)[,.!]* )?"
    rf"(?:{_PHRASES})"
    r"(?=\s*(?:[.!:;,(\u2013\u2014-]|$| (?:while|during|when|with|for|after)\b))"
    r"|(?:fatal |api |server |runtime |parse )?(?:error|exception|fatal)\s*:"
    r"|[\[<({]+ ?(?:blocked|error|failed|failure|time-?out|timed out|filtered|redacted"
    r"|removed|no response|empty|null|none|skipped|truncated|content[_ ]filter\w*"
    r"|api error|request failed)\b[^\[\]<>(){}]{0,60}[\]>)}]+$",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception|Timeout)(?:[:(]|$)"
)


def looks_like_failure(text: str) -> bool:
    """Whether a text is what a program says that failed, and not an answer.

    Examples
    --------
    >>> [looks_like_failure(text) for text in ("HTTP 503", "null", "Oslo", "503")]
    [True, True, False, False]
    >>> looks_like_failure("openai.RateLimitError: Rate limit reached")
    True
    """
    head = text[:_BEGINNING].strip()
    return bool(_NULLS.fullmatch(head) or _BEGINNINGS.match(head) or _NAMED.match(head))


def looks_like_refusal(response: Any, *, bare: bool = True) -> bool:
    """Whether a response is empty, or declines to answer and we are sure of it.

    Where the phrases of a language are less sure, it may say nothing else.

    Examples
    --------
    >>> [looks_like_refusal(text) for text in ["Keine Ahnung.", " ", "Oslo"]]
    [True, True, False]
    >>> looks_like_refusal("I'm sorry, I don't know.")
    True
    >>> looks_like_refusal("I can't give legal advice, but mostly it is a month.")
    False
    """
    if not isinstance(response, str):
        return False
    if not response.strip("\"'`*(). \t\r\n"):
        return bare or not response.strip()
    found = _refusal(response, bare)
    if found is None or looks_like_failure(response):
        return False
    language, plain = found
    if language in ALONE:
        return _matcher(language).says_nothing_else(plain)
    return language not in NOTED


_REFUSES: Final = re.compile(
    r"\b(?:can(?:'?t|not| not)|won'?t|will not|(?:un|not )able to"
    r"|not (?:allowed|permitted|comfortable|going|willing)(?: to| with)?"
    r"|refuse to|rather not)\b"
    r"(?: \w+){0,2}? (?:help|assist|provid(?:e|ing)|comply|fulfil+|generat(?:e|ing)"
    r"|creat(?:e|ing)|writ(?:e|ing)|engag(?:e|ing)|discuss(?:ing)?|offer|give|support"
    r"|shar(?:e|ing)|participate|disclose|do (?:that|this))\b"
)
_REFUSES_OUTRIGHT: Final = re.compile(
    r"\b(?:i|we|to)(?: must| have to| need to|'ll have to)?(?: \w+ly)?"
    r" (?:decline|refuse)\b|\bviolat(?:es?|ing)\b"
    r"|\b(?:our|my|the|content|usage|safety) (?:polic(?:y|ies)|guidelines)\b"
)
_LACKS: Final = re.compile(
    r"\b(?:information|context|passage|text|document|data|details?|sources?|know(?:n|"
    r"ledge)?|certain|accurate|reliable|answer)\b"
)


def refuses_to_answer(text: str) -> bool:
    """Whether a text that declines in English refuses, and does not lack an answer.

    Examples
    --------
    >>> refuses_to_answer("I can't help with that.")
    True
    >>> refuses_to_answer("I can't provide an answer without the passage.")
    False
    """
    plain = folded(text[:_LONGEST])
    if _REFUSES_OUTRIGHT.search(plain):
        return True
    return bool(_REFUSES.search(plain)) and not _LACKS.search(plain)


MOST_LOOKED_AT: Final = 20_000
"""Of more different texts only so many are looked at for a note."""


def refusals_named(texts: Counter[str]) -> Counter[str]:
    """Those of some texts that look like refusals in any language, with their counts.

    Examples
    --------
    >>> refusals_named(Counter({"Ich weiss es nicht.": 2, "Oslo": 3, "": 1}))
    Counter({'Ich weiss es nicht.': 2, '': 1})
    """
    looked_at = islice(texts.items(), MOST_LOOKED_AT)
    refusals = {
        text: count
        for text, count in looked_at
        if not text.strip()
        or (refusal_language(text) is not None and not looks_like_failure(text))
    }
    return Counter(dict(sorted(refusals.items(), key=lambda pair: -pair[1])))


def failures_named(texts: Counter[str]) -> Counter[str]:
    """Those of the first texts that look like failures, the most frequent first.

    Examples
    --------
    >>> failures_named(Counter({"null": 1, "Oslo": 3, "HTTP 503": 2}))
    Counter({'HTTP 503': 2, 'null': 1})
    """
    failures = {
        text: count
        for text, count in islice(texts.items(), MOST_LOOKED_AT)
        if looks_like_failure(text)
    }
    return Counter(dict(sorted(failures.items(), key=lambda pair: -pair[1])))


def such_as(texts: Counter[str]) -> str:
    """Some texts as a note names them, the most frequent first."""
    listed = ", ".join(map(shown, list(texts)[:9]))
    return listed if len(listed) < 80 else shown(texts.most_common(1)[0][0])


def several(count: int, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> several(1, "kind"), several(2, "guess")
    ('1 kind', '2 guesses')
    """
    plural = "es" if noun.endswith("s") else "s"
    return f"{count} {noun}" + ("" if count == 1 else plural)
