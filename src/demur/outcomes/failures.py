"""Texts that stand where an answer was to be, because something failed."""

import re
from collections import Counter
from itertools import islice
from typing import Final

_LONGEST: Final = 2_000
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
    rf"|(?:https?|http/[0-9.]+|(?:http )?status(?: code)?|error(?: code)?)[ :=#-]*{_CODE}\b"
    rf"|{_CODE}[ :-]+(?:bad request|unauthori[sz]ed|forbidden|not found)\s*(?:[.!:]|$)"
    rf"|(?:{_CODE}[ :-]+)?(?:(?:(?:i'?m |we'?re )?sorry|oops|apologies)[,.!]* )?(?:{_PHRASES})"
    r"(?=\s*(?:[.!:;,(\u2013\u2014-]|$| (?:while|during|when|with|for|after|on your)\b))"
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
    head = text[:_LONGEST].strip()
    return bool(
        _NULLS.fullmatch(head) or _BEGINNINGS.match(head) or _NAMED.match(head)
    )


def failures_named(texts: Counter[str], most: int) -> Counter[str]:
    """Those of the first texts that look like failures, the most frequent first.

    Examples
    --------
    >>> failures_named(Counter({"null": 1, "Oslo": 3, "HTTP 503": 2}), 100)
    Counter({'HTTP 503': 2, 'null': 1})
    """
    failures = {
        text: count
        for text, count in islice(texts.items(), most)
        if looks_like_failure(text)
    }
    return Counter(dict(sorted(failures.items(), key=lambda pair: -pair[1])))
