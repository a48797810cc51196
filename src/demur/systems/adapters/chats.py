"""Chat endpoints: an answer or "I don't know", and how sure."""

import json
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Final
from urllib.parse import urlsplit

from demur import checks
from demur.answers import parse_comparator
from demur.answers.reply_forms import IF_NONE
from demur.errors import InputError, RunError, shown
from demur.outcomes.records import Response
from demur.systems.adapters.chat_prompts import Prompt, Turn
from demur.systems.adapters.chat_replies import DONT_KNOW, Reply, read_reply
from demur.systems.adapters.chat_shapes import ChatShape, shape_of
from demur.systems.adapters.confidences import (
    AGREE_BY,
    NO_CONFIDENCE,
    ChatConfidence,
    confidences,
    names_confidences,
)
from demur.systems.adapters.json_addresses import EndpointFailed, JsonAddress
from demur.systems.adapters.masked_keys import refuse_plain
from demur.systems.adapters.reply_shapes import (
    TOKEN_COUNTS,
    Prices,
    cost_of,
    token_counts,
)
from demur.systems.adapters.request_limits import RequestLimits
from demur.systems.protocol import Input

CHAT: Final = "chat:"
"""How the name of a chat endpoint begins."""

_ASK: Final = "Answer the question."
_MAY_DECLINE: Final = (
    " If you do not know the answer, or nobody can know it, do not guess."
)
_GUESS: Final = " If you are not sure, give your best guess all the same."
_REPLY: Final = "\n\nReply in this form, without anything else:"
_THINK: Final = (
    "\n\nThink step by step first. Then end your reply in this form, with nothing "
    "behind it:"
)
_NONE: Final = f"\n\n{IF_NONE}\nAnswer: {DONT_KNOW}"
_WHOLE: Final = "{prompt}"
"""The template of inputs that are whole prompts."""

_TRY: Final = "Reply with the word yes."

_KEYS: Final = {
    "api.openai.com": "OPENAI_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
}
"""The environment variables that hold keys, by host."""

_WRONG_SETTING: Final = (401, 403, 404)
_NO_KEY: Final = (
    "No key was sent: --key-env NAME names the environment variable that holds it."
)
_NOT_THERE: Final = (
    "See whether the model is known there, and how the address ends: mostly /v1, "
    "/responses or /messages."
)

_OTHERS: Final = 20
"""How many tokens are told at each place, at most, by most endpoints."""


@names_confidences(ChatConfidence)
class ChatSystem:
    """A language model behind a chat endpoint, as a system.

    The model is asked for an answer, or to say that it does not know. A reply without
    an answer has a ``kind``: ``idk``, ``refusal``, ``filter``, ``truncated`` (cut off
    before the answer was there) or ``format`` (not in the form that was asked for).
    A reply that calls tools has the call as its answer, as JSON.
    Each response holds, as further columns, the ``reply`` as it was, ``finish_reason``,
    ``prompt_tokens``, ``completion_tokens``, ``seconds``, the ``model`` that replied,
    and with prices the ``cost``.

    Parameters
    ----------
    model : str
        As the endpoint calls it.
    url : str
        Of the endpoint, such as ``http://localhost:8000/v1`` for chat completions. If
        it ends in ``/responses`` or ``/messages``, the Responses API or the messages of
        Anthropic are spoken.
    name : str
        Of the system; by default the model.
    confidence : str
        CONFIDENCES. Whether the endpoint gives log-probabilities is tried before
        anything is asked.
    samples : int
        For ``agreement`` and ``semantic_entropy``.
    agree_by : str
        The comparator that says whether two answers agree, with options, such as
        ``"text(normalise=casefold)"``.
    may_decline : bool
        False asks for a guess in any case.
    think : bool
        Whether the model is asked to reason before the line of its answer.
    instructions : str, optional
        What stands before the form of the reply, in place of "Answer the question."
    template : str, optional
        A text with fields such as ``{question}``, ``{choices}`` and ``{context}``,
        which inputs with these fields fill.
    system_role : str, optional
        What the model is told in the role of the system.
    examples : iterable of mapping
        Turns before the question, each of an ``input`` and its ``response``, with a
        ``confidence`` where replies state one.
    whole_prompts : bool
        Whether inputs are whole prompts: nothing is said beside them, neither
        instructions nor a form of the reply.
    parameters : mapping, optional
        Of the request, such as ``{"temperature": 0, "max_tokens": 200}``.
    prices : (float, float) or (float, float, float), optional
        Of a million tokens of input, of output, and of input that the service had kept;
        without the third it costs what other input does.
    key_env : str, optional
        The environment variable that holds the key; ``OPENAI_API_KEY`` for
        api.openai.com, ``ANTHROPIC_API_KEY`` for api.anthropic.com, none for others.
        Keys are never shown or kept.
    headers : mapping of str to str, optional
        Further ones, such as ``{"api-key": "env:AZURE_KEY"}``. They are never shown.
    token_rate : float, optional
        How many tokens are asked for a minute, at most, as far as that can be known.
    budget : float, optional
        What all requests may cost, by the prices. No request is sent that could pass it
        if it cost as much as the dearest before it.
    timeout, retries, cache, rate
        As in `HttpSystem`.

    Raises
    ------
    InputError
        If an argument is not what it must be, or the endpoint cannot give the
        confidence.

    References
    ----------
    OpenAI API reference, "Create chat completion". Wang et al. (2023),
    "Self-consistency improves chain of thought reasoning in language models", for
    agreement; Tian et al. (2023), "Just ask for calibration", for stated numbers.
    """

    def __init__(  # noqa: PLR0913  (options are independent of each other)
        self,
        model: str,
        url: str,
        *,
        name: str = "",
        confidence: str = "verbalised",
        samples: int = 5,
        agree_by: str = AGREE_BY,
        may_decline: bool = True,
        think: bool = False,
        instructions: str | None = None,
        template: str | None = None,
        system_role: str | None = None,
        examples: Iterable[Mapping[str, Any]] = (),
        whole_prompts: bool = False,
        parameters: Mapping[str, Any] | None = None,
        prices: Sequence[float] | None = None,
        key_env: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 120.0,
        retries: int = 4,
        cache: str | os.PathLike[str] | None = None,
        rate: float | None = None,
        token_rate: float | None = None,
        budget: float | None = None,
    ) -> None:
        self.model, self.name, self.confidence = model, name or model, confidence
        self._method = _method(confidence, samples, agree_by)
        self._shape, address = shape_of(url)
        self.parameters = _parameters(parameters, self._shape, self._method)
        self.prices = _prices(prices)
        asked = bool(self._method.form)
        self._read = partial(read_reply, asked=asked, calls=True, thinks=think)
        form = (_THINK if think else _REPLY) + self._method.whole_form
        asks = _instructions(instructions, form, may_decline=may_decline)
        asks = "" if whole_prompts else asks
        around: dict[str, Any] = {"system_role": system_role, "examples": examples}
        around["template"] = _WHOLE if whole_prompts else template
        self._prompt = Prompt(asks, states_confidence=asked, **around)
        sent = {**self._shape.headers(_key(address, key_env)), **(headers or {})}
        how: dict[str, Any] = {"timeout": timeout, "retries": retries, "cache": cache}
        how["limits"] = _limits(self.prices, rate, token_rate, budget)
        self._address = JsonAddress(address, headers=sent, **how)
        if self._method.of_tokens and not self._shape.for_tokens:
            raise self._without_tokens(f"{self._shape.path}, which has none")
        self._tried = not self._method.of_tokens
        self._trying = threading.Lock()
        self.from_cache: set[Any] = set()

    def __str__(self) -> str:
        parameters = json.dumps(self.parameters, sort_keys=True)
        query = f", query={self._address.query}" if self._address.query else ""
        return (
            f"chat({self.model}@{self._address}, confidence={self._method}, "
            f"instructions={self._prompt.digest}, parameters={parameters}{query})"
        )

    __repr__ = __str__

    def close(self) -> None:
        """Close all connections that are not in use."""
        self._address.close()

    def check(self, inputs: Sequence[Input]) -> None:
        """Refuse inputs that cannot be asked, before any is.

        Raises
        ------
        InputError
            With the item, and what to do.
        """
        self._prompt.check(inputs, self._method.check_question)

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """Ask; what could not be had has failed, with its reason.

        Raises
        ------
        InputError
            If an input cannot be asked, or the endpoint gives no log-probabilities,
            and they are needed.
        RunError
            If it refuses the key, or does not know the model.
        """
        with self._trying:  # of several threads one tries, and the others wait for it
            if not self._tried:
                self._try()
                self._tried = True
        return [self._answer(question) for question in inputs]

    def _answer(self, question: Input) -> Response:
        blank, sent = question.answered(self.name), self._address.sent_here
        turns = self._prompt.turns(question)
        asked = turns[-1].text
        exchanges: list[tuple[Reply, float]] = []
        try:
            first = question.repeat * self._method.samples
            for sample in range(first, first + self._method.samples):
                exchanges.append(self._exchanged(turns, sample))
            replies = [reply for reply, _ in exchanges]
            if then := self._method.asked_then(replies):
                turns = self._prompt.turns_then(question, then)
                exchanges.append(self._exchanged(turns, question.repeat))
                replies.append(exchanges[-1][0])
            answer = self._method.answered(blank, replies, asked)
        except EndpointFailed as problem:
            answer = replace(blank, failed=str(problem))
            if problem.code == "content_filter":  # as Azure says it, with status 400
                answer = replace(blank, kind="filter")
        else:
            if self._address.sent_here == sent:
                self.from_cache.add(question.item)
        return replace(answer, extra={**answer.extra, **self._spent(exchanges)})

    def _spent(self, exchanges: Sequence[tuple[Reply, float]]) -> dict[str, Any]:
        """What these replies cost, also where another one of the item has failed."""
        if not exchanges:
            return {}
        replies = [reply for reply, _ in exchanges]
        seconds = sum(seconds for _, seconds in exchanges)
        counts = {
            name: sum(reply.usage[name] for reply in replies)
            for name in TOKEN_COUNTS
            if all(name in reply.usage for reply in replies)
        }
        spent = {"model": replies[0].model, "seconds": round(seconds, 4), **counts}
        if self.prices is not None:
            costs = [cost_of(reply.usage, self.prices) for reply in replies]
            known = [cost for cost in costs if cost is not None]
            if len(known) == len(costs):
                spent["cost"] = sum(known)
        return spent

    # -- asking ------------------------------------------------------------------------

    def _exchanged(self, turns: Sequence[Turn], sample: int = 0) -> tuple[Reply, float]:
        shape = self._shape
        payload = {"model": self.model, **shape.asked(turns)}
        payload |= {**shape.fixed, **self.parameters}
        if self._method.of_tokens:
            payload |= shape.for_tokens
        if self._method.of_others:
            payload = {"top_logprobs": _OTHERS, **payload}
        try:
            return self._address.ask(payload, self._read, sample)
        except EndpointFailed as problem:
            if problem.status not in _WRONG_SETTING:
                raise
            raise self._refused(problem) from None

    def _try(self) -> None:
        """See with one short request whether there are log-probabilities.

        Raises
        ------
        InputError
            If there are none.
        """
        try:
            reply, _ = self._exchanged([Turn("user", (_TRY,))])
            got = "" if reply.tokens else "a reply without any"
            if self._method.of_others and not any(one.others for one in reply.tokens):
                got = "a reply without those of other tokens (top_logprobs)"
        except EndpointFailed as problem:
            # Only an endpoint that answers can say that it has no log-probabilities.
            if problem.status is None or problem.status >= 500:
                raise self._refused(problem) from None
            got = str(problem)
        if got:
            raise self._without_tokens(got)

    def _without_tokens(self, got: str) -> InputError:
        need = "come from an endpoint that gives log-probabilities of tokens"
        methods = confidences(ChatConfidence).values()
        free = [method.name for method in methods if not method.of_tokens]
        free.remove(NO_CONFIDENCE.name)
        hint = f"{checks.names_shown(free)} need none."
        if self._method.of_others:
            hint += """ If it tells fewer: --parameters '{"top_logprobs": 5}'."""
        what = f"the confidence {self.confidence}"
        return InputError(f"{self.model}@{self._address}", what, need, got, hint)

    def _refused(self, problem: EndpointFailed) -> RunError:
        hint = _NOT_THERE if problem.status == 404 else ""
        if problem.status == 401 and not self._address.sends_key:
            hint = _NO_KEY
        where = f"{self.model}@{self._address}"
        return RunError(f"{where}: {problem!s}" + (f". {hint}" if hint else ""))


# -- arguments -----------------------------------------------------------------------


def _method(confidence: str, samples: int, agree_by: str) -> ChatConfidence:
    """The method of this name, with its options."""
    methods = confidences(ChatConfidence)
    checks.choice("as_system", "confidence", confidence, methods)
    checks.whole("as_system", "samples", samples, 1)
    options: dict[str, Any] = {
        "samples": samples,
        "agree_by": parse_comparator(agree_by),
    }
    method = methods[confidence]
    return replace(method, **{name: options[name] for name in method.options})


def _prices(prices: Any) -> Prices | None:
    if prices is None:
        return None
    with suppress(TypeError, ValueError):
        of_input, of_output, *of_cached = (float(price) for price in prices)
        [of_cached_input] = of_cached or [of_input]
        if all(0 <= price < inf for price in (of_input, of_output, of_cached_input)):
            return of_input, of_output, of_cached_input
    need = "be two or three numbers from 0: a million tokens of input, of output, "
    need += "and of input that was kept"
    raise InputError("as_system", "prices", need, shown(prices))


def _limits(
    prices: Prices | None,
    rate: float | None,
    token_rate: float | None,
    budget: float | None,
) -> RequestLimits:
    """The limits of requests, by what is read off the answers."""
    if budget is not None and prices is None:
        need = "come with prices of tokens"
        raise InputError("as_system", "budget", need, "none")

    def tokens_of(answer: Any) -> float:
        counts = token_counts(answer)
        return counts.get("prompt_tokens", 0) + counts.get("completion_tokens", 0)

    def paid(answer: Any) -> float | None:
        return None if prices is None else cost_of(token_counts(answer), prices)

    return RequestLimits(
        requests=rate,
        tokens=token_rate,
        budget=budget,
        tokens_of=tokens_of,
        cost_of=paid,
    )


def _instructions(given: str | None, form: str, *, may_decline: bool) -> str:
    """What the model is told to do, and in which form to reply."""
    text = _ASK if given is None else given.strip()
    if may_decline:
        return text + _MAY_DECLINE + form + _NONE
    return text + _GUESS + form


def _parameters(
    given: Mapping[str, Any] | None, shape: ChatShape, method: ChatConfidence
) -> dict[str, Any]:
    parameters = dict(given or {})
    for name in shape.reserved:
        if name in parameters:
            need = f"leave {', '.join(shape.reserved)} to demur"
            raise InputError("as_system", "parameters", need, name)
    method.check(parameters)
    return parameters


def _key(url: str, key_env: str | None) -> str:
    """The key of the environment; never sent where others could read it."""
    parts = urlsplit(url)
    if key_env is None:
        key_env = _KEYS.get(parts.hostname or "")
        if key_env is None:
            return ""
    key = os.environ.get(key_env, "").strip()
    if not key:
        need, hint = "hold the key", f"Set {key_env} in the environment."
        raise InputError("as_system", key_env, need, "nothing", hint)
    refuse_plain(url, key_env)
    return key
