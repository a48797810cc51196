"""The tokens of a query, with how deep in brackets each stands."""

import re
from typing import Final, NamedTuple

LONGEST: Final = 10_000
"""A text of more characters is not cut into tokens."""

# What is not closed goes on to the end, so that any text is read once.
_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<text>'(?:[^']|'')*+(?:'|\Z))
    |(?P<name>"(?:[^"]|"")*+(?:"|\Z)|`[^`]*(?:`|\Z)|\[[^\]]*(?:\]|\Z))
    |(?P<word>[^\W\d]\w*)
    |(?P<number>\d+(?:\.\d*)?|\.\d+)
    |(?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """One token.

    Parameters
    ----------
    kind : str
        text (in single quotes), name (in other quotes), word, number or mark.
    text : str
        As it stands in the query.
    start : int
        Where.
    depth : int
        Brackets around it.
    """

    kind: str
    text: str
    start: int
    depth: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)

    @property
    def upper(self) -> str:
        """A word in capitals; nothing for what is no word."""
        return self.text.upper() if self.kind == "word" else ""


def tokens_of(sql: str) -> list[Token]:
    """The tokens of a query without blanks and comments; none if it is too long.

    Parameters
    ----------
    sql : str
        Any text, of at most `LONGEST` characters.

    Examples
    --------
    >>> [(each.text, each.depth) for each in tokens_of("f('a b') -- c")]
    [('f', 0), ('(', 0), ("'a b'", 1), (')', 0)]
    """
    if len(sql) > LONGEST:
        return []
    found, depth = [], 0
    for match in _TOKEN.finditer(sql):
        kind, text = match.lastgroup or "", match.group()
        if kind == "blank":
            continue
        depth -= text == ")"
        found.append(Token(kind, text, match.start(), depth))
        depth += text == "("
    return found
