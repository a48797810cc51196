"""The tokens of an answer, and what an endpoint says that might have stood there."""

import math
import re
from collections.abc import Iterable
from typing import Final

from demur.systems.adapters.chat_replies import Reply
from demur.systems.adapters.json_addresses import EndpointFailed
from demur.systems.adapters.reply_shapes import ReplyToken

_LETTER: Final = re.compile(r"[\W_]*([A-Z])[\W_]*")
_CHOSEN: Final = re.compile(r"[\W_]*([A-Z])(?!\w)")
_LABEL: Final = re.compile(r"(?:^|(?<=\s))[(\[]?([A-Z])[)\].:](?=\s)", re.MULTILINE)


def answer_tokens(reply: Reply) -> list[ReplyToken]:
    """The tokens that the answer is made of, and no others.

    Raises
    ------
    EndpointFailed
        If there are none, one has no log-probability, or they are not of this text.
    """
    first, last = reply.span
    tokens = _tokens_of(reply, first, last)
    if not tokens or any(_is_unknown(token.logprob) for token in tokens):
        raise EndpointFailed("no log-probability for a token of the answer")
    return tokens


def answer_log_probabilities(reply: Reply) -> list[float]:
    """The log-probabilities of the tokens that the answer is made of.

    Raises
    ------
    EndpointFailed
        If there are none, or they are not of this text.
    """
    return [
        token.logprob for token in answer_tokens(reply) if token.logprob is not None
    ]


def _tokens_of(reply: Reply, start: int, stop: int) -> list[ReplyToken]:
    """The tokens of a part of the text; one may hold more than the part."""
    if not reply.tokens:
        raise EndpointFailed("no log-probabilities of tokens came with the reply")
    whole = b"".join(token.text for token in reply.tokens)
    text = reply.text.encode("utf-8", "replace")
    # Reasoning may stand before the text, and tokens that are never shown after it.
    offset = 0 if whole.startswith(text) else whole.rfind(text)
    if offset < 0:
        raise EndpointFailed("the tokens of the reply are not those of its text")
    first, last = (
        offset + len(reply.text[:end].encode("utf-8", "replace"))
        for end in (start, stop)
    )
    tokens = []
    at = 0
    for token in reply.tokens:
        # A token may hold the end of the blank before the answer, or half a letter.
        if at < last and at + len(token.text) > first:
            tokens.append(token)
        at += len(token.text)
    return tokens


def _is_unknown(logprob: float | None) -> bool:
    return logprob is None or math.isnan(logprob)


def chosen_letter(answer: str) -> str | None:
    """The letter that an answer begins with, as one of several choices.

    Examples
    --------
    >>> [chosen_letter(said) for said in ("B", "(B) Oslo", "b", "Bergen")]
    ['B', 'B', None, None]
    """
    letter = _CHOSEN.match(answer)
    return letter[1] if letter else None


def offered_letters(text: str) -> str:
    """The letters of the choices that a question lists; none if there are not two.

    The longest row of labels that begins with A: ``A.``, ``A)``, ``A:``, ``(A)``.

    Examples
    --------
    >>> offered_letters("Vitamin A. Which? (A) retinol (B) biotin")
    'AB'
    """
    labels = _LABEL.findall(text)
    rows = [
        _row_of_labels(labels[place:])
        for place, label in enumerate(labels)
        if label == "A"
    ]
    longest = max(rows, key=len, default="")
    return longest if len(longest) > 1 else ""


def _row_of_labels(labels: Iterable[str]) -> str:
    row = ""
    for label in labels:
        if label == chr(ord("A") + len(row)):
            row += label
    return row


def letter_shares(
    reply: Reply, letters: str, *, least: float = 0.0
) -> dict[str, float]:
    """How probable each letter is, among the letters, where the reply has its letter.

    Parameters
    ----------
    reply : Reply
        If its answer begins with no letter, its first token is the place.
    letters : str
        Each a letter that could have stood there; marks and blanks in its token count
        as nothing.
    least : float
        What all letters together must have of the place.

    Returns
    -------
    dict of str to float
        They add up to 1; empty if the endpoint tells of none there, or of too little.
    """
    start, stop = reply.span
    chosen = _CHOSEN.match(reply.text, start, stop)
    blank = len(reply.text) - len(reply.text.lstrip())
    first = blank if chosen is None else chosen.start(1)
    if first == len(reply.text):
        return {}
    [token] = _tokens_of(reply, first, first + 1)[:1]
    mass = dict.fromkeys(letters, 0.0)
    for text, probability in alternatives(token).items():
        letter = _LETTER.fullmatch(text.decode("utf-8", "replace"))
        if letter is not None and letter[1] in mass:
            mass[letter[1]] += probability
    total = sum(mass.values())
    if not total or total < least:
        return {}
    return {letter: mass[letter] / total for letter in letters}


def alternatives(token: ReplyToken) -> dict[bytes, float]:
    """The probabilities of the tokens that could have stood in a place, as far as told.

    Examples
    --------
    >>> alternatives(ReplyToken(b"a", math.log(0.25), ((b"b", math.log(0.5)),)))
    {b'b': 0.5, b'a': 0.25}
    """
    known = (*token.others, (token.text, token.logprob))
    return {
        text: math.exp(min(logprob, 0.0))
        for text, logprob in known
        if logprob is not None and not math.isnan(logprob)
    }


def token_entropy(token: ReplyToken) -> float:
    """The entropy of a place, in bits; what is not told counts as one token.

    So it is at most the entropy of all tokens.
    """
    known = [share for share in alternatives(token).values() if share > 0]
    rest = 1 - sum(known)
    if rest > 1e-9:  # what rounding leaves is nothing
        known.append(rest)
    return -sum(share * math.log2(share) for share in known) + 0.0
