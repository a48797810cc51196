"""What a chat endpoint replied: an answer, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from demur.answers.reply_forms import (
    LENGTH,
    MarkedAnswer,
    ended_by,
    kind_of_end,
    marked_answer,
)
from demur.answers.stated_confidences import answer_end
from demur.outcomes.reasons import FORMAT, TRUNCATED
from demur.outcomes.refusals import looks_like_refusal
from demur.outcomes.thoughts import saying
from demur.systems.adapters.reply_shapes import ReplyToken, Said, said_in, token_counts

DONT_KNOW: Final = "I don't know"
"""What a model is asked to say if it has no answer."""

DECLINING: Final = ("idk", "refusal")
"""The kinds of replies by which the model itself declines."""

PLACEHOLDER: Final = "<a short answer>"
"""What stands for the answer in the form of the reply."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What one reply says.

    Parameters
    ----------
    answer : str or None
        None if there is none; ``kind`` says why.
    kind : str or None
        ``idk``, ``refusal``, ``filter``, ``truncated`` or ``format``.
    text : str
        All that was speech.
    span : (int, int)
        Where in the text the answer stands.
    tokens : sequence of ReplyToken
        Empty if the endpoint gives none.
    usage : mapping of str to int
        Numbers of tokens, as far as they are given.
    finish_reason, model : str or None
        As the endpoint says.
    is_call : bool
        Whether it calls a tool; the answer is the call then, as JSON.
    """

    answer: str | None
    kind: str | None
    text: str
    span: tuple[int, int] = (0, 0)
    tokens: Sequence[ReplyToken] = ()
    usage: dict[str, int] = field(default_factory=dict)
    finish_reason: str | None = None
    model: str | None = None
    is_call: bool = False


def read_reply(
    payload: Any, *, asked: bool = False, calls: bool = False, thinks: bool = False
) -> Reply:
    """Read a chat completion, a response, or a message of Anthropic.

    Parameters
    ----------
    payload : mapping
        What the endpoint gave.
    asked : bool
        Whether the model was asked for its confidence.
    calls : bool
        Whether a call of a tool is an answer: the call as JSON.
    thinks : bool
        Whether the model was asked to reason first: only what is marked as the answer
        is one, and none of a reply that was cut off.

    Raises
    ------
    EndpointFailed
        If it is none of these.

    References
    ----------
    OpenAI API reference, "The chat completion object", "The response object".
    Anthropic API reference, "Create a message".

    Examples
    --------
    >>> message = {"content": "Answer: Oslo"}
    >>> read_reply({"choices": [{"message": message, "finish_reason": "stop"}]}).answer
    'Oslo'
    """
    held = said_in(payload)
    text, call = held.text, held.call if calls else None
    marked = marked_answer(text, asked=asked)
    if call is not None:
        marked = MarkedAnswer(call, (len(text), len(text)))
    kind = _kind(text, marked, held, is_call=call is not None)
    if thinks and kind is None and call is None:
        kind = _kind_of_thoughts(marked, held)
    model = payload.get("model")
    return Reply(
        answer=marked.answer if kind is None else None,
        kind=kind,
        text=text or held.refusal or call or "",
        span=marked.span,
        tokens=held.tokens,
        usage=token_counts(payload),
        finish_reason=held.finish if isinstance(held.finish, str) else None,
        model=model if isinstance(model, str) else None,
        is_call=call is not None,
    )


def with_whole_answer(reply: Reply) -> Reply:
    r"""The same reply; if it marks no answer, all that it says is the answer.

    What it says is what stands behind thoughts and before a stated confidence. A reply
    that was cut off has the answer that was begun. None of a label, or of a JSON
    object, without an answer is one.

    Examples
    --------
    >>> message = {"content": "It is Oslo.\nI think.\nConfidence: 0.9"}
    >>> reply = read_reply({"choices": [{"message": message, "finish_reason": "stop"}]})
    >>> reply.answer, with_whole_answer(reply).answer
    (None, 'It is Oslo.\nI think.')
    """
    kind: str | None = reply.kind
    if kind not in (FORMAT, TRUNCATED):
        return reply
    text, (first, last) = reply.text, reply.span
    if first == last:
        speech = saying(text)
        text = speech.blanked(text)
        start = len(text) if speech.is_thinking else speech.spans[0][0]
        if not marked_answer(reply.text).mark:
            first = len(text) - len(text[start:].lstrip())
            end = answer_end(text, first, len(text), asked=False)
            last = first + len(text[first:end].rstrip())
    answer = text[first:last]
    if answer and kind == FORMAT:
        kind = "idk" if looks_like_refusal(answer) else None
    return replace(reply, answer=answer or None, kind=kind, span=(first, last))


def _kind(text: str, marked: MarkedAnswer, reply: Said, *, is_call: bool) -> str | None:
    """Why a reply holds no answer; None if it holds one, or calls a tool."""
    if reply.refusal:
        return "refusal"
    ended = kind_of_end(reply.finish, text, marked)
    if ended is not None:
        return ended
    answer = marked.answer
    if answer is None:
        return marked.kind
    if is_call:
        return None
    if is_dont_know(answer) or looks_like_refusal(answer, bare=marked.mark != "label"):
        return "idk"
    return None


def _kind_of_thoughts(marked: MarkedAnswer, reply: Said) -> str | None:
    """Why an answer among thoughts is none; None if it is one."""
    if ended_by(reply.finish) == LENGTH:
        return TRUNCATED  # it may have been a draft
    return None if marked.mark else FORMAT


def is_dont_know(answer: str) -> bool:
    """Whether an answer is that there is none, in the words that were asked for.

    Examples
    --------
    >>> is_dont_know('"I do not know."'), is_dont_know("None")
    (True, False)
    """
    # Models like the curly apostrophe, which the prompt did not have.
    words = answer.strip(" \t\"'.!*_`").replace("\u2019", "'").casefold()
    return words in ("i don't know", "i do not know", "don't know", "idk")


def verbalised(text: str) -> float | None:
    """The confidence that a reply states, from 0 to 1; None if it cannot be read.

    Examples
    --------
    >>> [verbalised(f"Confidence: {said}") for said in ("85 %", "0,85", "1", "high")]
    [0.85, 0.85, 0.01, None]
    """
    return marked_answer(text, asked=True).confidence
