"""The tokens of a query, cut by sqlglot, with how deep in brackets each stands."""

import re
from typing import Final, NamedTuple

LONGEST: Final = 10_000
"""A text of more characters is not cut into tokens."""

_WORD: Final = re.compile(r"\S+")
_TEXTS: Final = frozenset({"STRING", "NATIONAL_STRING", "RAW_STRING", "HEREDOC_STRING"})


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


def tokens_of(sql: str, dialect: str = "sqlite") -> list[Token]:
    """The tokens of a query without blanks and comments.

    Parameters
    ----------
    sql : str
        Any text.
    dialect : str
        Of SQL, as sqlglot names it.

    Returns
    -------
    list of Token
        None at all if the text is longer than `LONGEST`, or cannot be cut.

    Examples
    --------
    >>> [(token.text, token.depth) for token in tokens_of("f('a b') -- c")]
    [('f', 0), ('(', 0), ("'a b'", 1), (')', 0)]
    """
    if len(sql) > LONGEST:
        return []
    import sqlglot

    try:
        cut = sqlglot.tokenize(sql, read=dialect)
    except sqlglot.errors.SqlglotError:
        return []
    tokens, depth = list[Token](), 0
    for token in cut:
        text = sql[token.start : token.end + 1]
        kind = _kind(token.token_type.name, text)
        depth -= text == ")"
        if kind == "word":  # such as ORDER BY
            for word in _WORD.finditer(text):
                start = token.start + word.start()
                tokens.append(Token(kind, word.group(), start, depth))
        else:
            tokens.append(Token(kind, text, token.start, depth))
        depth += text == "("
    return tokens


def _kind(name: str, text: str) -> str:
    if name in _TEXTS:
        return "text"
    if name in ("IDENTIFIER", "NUMBER"):
        return "name" if name == "IDENTIFIER" else "number"
    return "word" if text[0].isalpha() or text[0] == "_" else "mark"
