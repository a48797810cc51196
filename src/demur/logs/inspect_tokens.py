"""What the tokens of a reply in a log of Inspect say of how sure its answer is."""

import re
from dataclasses import replace
from typing import Any

from demur.logs.confidences import product_of
from demur.systems.adapters.answer_tokens import answer_log_probabilities
from demur.systems.adapters.chat_replies import Reply, read_reply, with_whole_answer
from demur.systems.adapters.json_addresses import EndpointFailed


def token_confidence(
    content: Any, logprobs: Any, answer: Any, *, whole: bool
) -> float | None:
    """The product of the probabilities of the tokens of an answer.

    Parameters
    ----------
    content : str or list
        What the message says.
    logprobs : mapping or None
        Those of the reply, as Inspect and chat completions have them.
    answer : str or None
        What the scorer took for the answer. Its tokens are those where it stands last;
        if it does not stand there, those of what the reply marks as its answer, or all.
    whole : bool
        Whether all that was said is the answer.

    Returns
    -------
    float or None
        None if a token of the answer has no log-probability.

    Examples
    --------
    >>> said = [("It is ", -2.0), ("Oslo", -0.5), (".", -0.25)]
    >>> logprobs = {"content": [{"token": t, "logprob": p} for t, p in said]}
    >>> [round(token_confidence("It is Oslo.", logprobs, answer, whole=False), 3)
    ...  for answer in ("Oslo", None)]
    [0.607, 0.064]
    """
    if not isinstance(logprobs, dict) or not logprobs.get("content"):
        return None
    message = {"message": {"content": content}, "logprobs": logprobs}
    try:
        reply = read_reply({"choices": [message]})
        span = (0, len(reply.text)) if whole else _span(reply, answer)
        return product_of(answer_log_probabilities(replace(reply, span=span)))
    except EndpointFailed:
        return None


def _span(reply: Reply, answer: Any) -> tuple[int, int]:
    """Where the answer stands in a reply."""
    sought = answer.strip() if isinstance(answer, str) else ""
    if sought:
        places = [*re.finditer(rf"(?<!\w){re.escape(sought)}(?!\w)", reply.text)]
        if places:
            return places[-1].span()
    first, last = with_whole_answer(reply).span
    return (first, last) if first < last else (0, len(reply.text))
