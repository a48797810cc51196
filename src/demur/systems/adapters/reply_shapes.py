"""What a reply holds, in the three shapes that chat endpoints speak."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from demur.answers.reply_forms import said_text
from demur.errors import shown
from demur.systems.adapters.json_addresses import (
    EndpointFailed,
    error_of,
    quoted,
)


class ReplyToken(NamedTuple):
    """A token of a reply.

    Parameters
    ----------
    text : bytes
    logprob : float or None
        The natural logarithm of its probability; None if it is not told.
    others : tuple of (bytes, float)
        Tokens that could have stood there, with theirs, as far as they are told.
    """

    text: bytes
    logprob: float | None
    others: tuple[tuple[bytes, float], ...] = ()


class Said(NamedTuple):
    """What one reply holds, whatever its shape.

    Parameters
    ----------
    text : str
        All that was said; thoughts that stand apart are left out.
    refusal : str
        What stands in the place of a refusal.
    finish : str or None
        Why it ended, as chat completions say it.
    tokens : sequence of ReplyToken
    calls : sequence of dict
        Calls of tools, each with ``name`` and ``arguments``.
    """

    text: str
    refusal: str = ""
    finish: str | None = None
    tokens: Sequence[ReplyToken] = ()
    calls: Sequence[Mapping[str, Any]] = ()

    @property
    def call(self) -> str | None:
        """The calls as JSON: one by itself, several in a list; None without any."""
        if not self.calls:
            return None
        several = [dict(call) for call in self.calls]
        one_or_all = several[0] if len(several) == 1 else several
        return json.dumps(one_or_all, ensure_ascii=False, sort_keys=True)


_FAULTS: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def said_in(payload: Any) -> Said:
    """What a chat completion, a response, or a message of Anthropic holds.

    Raises
    ------
    EndpointFailed
        If it is none of these.

    Examples
    --------
    >>> block = {"type": "text", "text": "Oslo"}
    >>> said_in({"role": "assistant", "content": [block]}).text
    'Oslo'
    """
    try:
        if not isinstance(payload, dict) or "choices" in payload:
            reply = _of_chat(payload)
        elif "output" in payload:
            reply = _of_response(payload)
        elif isinstance(payload.get("content"), list):
            reply = _of_message(payload)
        else:
            reply = _of_chat(payload)
    except _FAULTS:
        message, code = error_of(payload)
        got = quoted(message) if message else shown(payload)
        raise EndpointFailed(f"no chat completion: {got}", code=code) from None
    if not isinstance(reply.text, str):
        raise EndpointFailed(f"no chat completion: content is {shown(reply.text)}")
    return reply


TOKEN_COUNTS: Final = ("prompt_tokens", "completion_tokens", "cached_tokens")
"""Numbers of tokens, as responses call them."""


def token_counts(payload: Any) -> dict[str, int]:
    """Numbers of tokens, as far as they are given.

    ``prompt_tokens`` holds the ``cached_tokens``, which the service had kept. Anthropic
    counts them apart.

    Examples
    --------
    >>> token_counts({"usage": {"input_tokens": 3, "cache_read_input_tokens": 40}})
    {'prompt_tokens': 43, 'cached_tokens': 40}
    """
    usage = payload.get("usage") if isinstance(payload, dict) else None
    counts: dict[str, int] = {}
    if not isinstance(usage, dict):
        return counts
    for names, total in _COUNTED:
        given = [usage[name] for name in names if _is_count(usage.get(name))]
        if _is_count(usage.get(names[0])):
            counts[total] = sum(given)
    if not _is_count(usage.get("cache_read_input_tokens")):
        for place in ("prompt_tokens_details", "input_tokens_details"):
            inside = usage.get(place)
            if isinstance(inside, dict) and _is_count(inside.get("cached_tokens")):
                counts["cached_tokens"] = inside["cached_tokens"]
    return counts


Prices = tuple[float, float, float]
"""Of a million tokens of input, of output, and of input that the service had kept."""

_MILLION: Final = 1_000_000


def cost_of(counts: Mapping[str, int], prices: Prices) -> float | None:
    """What these numbers of tokens cost; None if they are not all there.

    Examples
    --------
    >>> counts = {"prompt_tokens": 40, "completion_tokens": 10, "cached_tokens": 20}
    >>> cost_of(counts, (1, 10, 0.5))
    0.00013
    """
    if not counts.keys() >= {"prompt_tokens", "completion_tokens"}:
        return None
    cached = counts.get("cached_tokens", 0)
    of_input, of_output, of_cached = prices
    paid = of_input * (counts["prompt_tokens"] - cached) + of_cached * cached
    return (paid + of_output * counts["completion_tokens"]) / _MILLION


_COUNTED: Final = (
    (("prompt_tokens",), "prompt_tokens"),
    (
        ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"),
        "prompt_tokens",
    ),
    (("completion_tokens",), "completion_tokens"),
    (("output_tokens",), "completion_tokens"),
    (("cache_read_input_tokens",), "cached_tokens"),
)
"""What is added up for each number of a reply, if the first of them is there."""


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


# -- shapes --------------------------------------------------------------------------


def _of_chat(payload: Any) -> Said:
    choice = payload["choices"][0]
    message = choice["message"]
    text, refusal = message.get("content") or "", message.get("refusal") or ""
    if isinstance(text, list):  # parts, of which thoughts are not said
        refusal = refusal or _joined(text, "refusal", "refusal")
        text = said_text(text) or ""
    calls = [
        _call(call["function"]["name"], call["function"].get("arguments"))
        for call in message.get("tool_calls") or ()
    ]
    tokens = _tokens((choice.get("logprobs") or {}).get("content"))
    return Said(text, str(refusal), choice.get("finish_reason"), tokens, calls)


_INCOMPLETE: Final = {"max_output_tokens": "length"}
"""Why a response is incomplete, as chat completions say it."""


def _of_response(payload: Any) -> Said:
    """What an object of the Responses API says, which may hold several messages."""
    if payload.get("status") == "failed":
        problem = payload.get("error") or {}
        message = str(problem.get("message") or "failed")
        raise EndpointFailed(f"no response: {quoted(message)}")
    items = payload["output"]
    parts = [
        part
        for item in items
        if item.get("type") == "message"
        for part in item["content"]
    ]
    texts = [part for part in parts if part.get("type") == "output_text"]
    reason = (payload.get("incomplete_details") or {}).get("reason")
    return Said(
        text=_joined(parts, "output_text", "text"),
        refusal=_joined(parts, "refusal", "refusal"),
        finish=_INCOMPLETE.get(reason, reason) if reason else "stop",
        tokens=[token for part in texts for token in _tokens(part.get("logprobs"))],
        calls=[
            _call(item["name"], item.get("arguments"))
            for item in items
            if item.get("type") == "function_call"
        ],
    )


_STOPPED: Final = {
    **dict.fromkeys(("end_turn", "stop_sequence", "pause_turn"), "stop"),
    **dict.fromkeys(("max_tokens", "model_context_window_exceeded"), "length"),
    "tool_use": "tool_calls",
}
"""Why a message of Anthropic ended, as chat completions say it."""


def _of_message(payload: Any) -> Said:
    """What a message of Anthropic says; its thoughts are blocks of their own."""
    blocks, reason = payload["content"], payload.get("stop_reason")
    return Said(
        text=_joined(blocks, "text", "text"),
        finish=_STOPPED.get(reason, reason),
        calls=[
            _call(block["name"], block.get("input"))
            for block in blocks
            if block.get("type") == "tool_use"
        ],
    )


def _joined(parts: Sequence[Any], kind: str, name: str) -> str:
    return "".join(part[name] for part in parts if part.get("type") == kind)


def _call(name: str, arguments: Any) -> dict[str, Any]:
    """A call of a tool; arguments that are no JSON stay as they are."""
    if isinstance(arguments, str):
        with suppress(ValueError):
            arguments = json.loads(arguments or "{}")
    return {"name": name, "arguments": {} if arguments is None else arguments}


def _tokens(listed: Any) -> tuple[ReplyToken, ...]:
    tokens = [*(listed or ())]
    # A special token has no bytes; where none has any, they are not written.
    written = any(token.get("bytes") != [] for token in tokens)
    return tuple(
        ReplyToken(
            _token_text(token, written=written),
            _logprob(token),
            tuple(
                (_token_text(other, written=written), logprob)
                for other in token.get("top_logprobs") or ()
                if (logprob := _logprob(other)) is not None
            ),
        )
        for token in tokens
    )


def _token_text(token: Any, *, written: bool) -> bytes:
    # The text of a token that ends within a letter is not its own; its bytes are.
    given = token.get("bytes") if written else None
    # Of a number, bytes() would make as many zeros.
    return token["token"].encode() if given is None else bytes([*given])


def _logprob(token: Any) -> float | None:
    logprob = token.get("logprob")
    return None if logprob is None else float(logprob)
