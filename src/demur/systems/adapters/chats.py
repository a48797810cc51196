"""Chat endpoints of the OpenAI shape: an answer or "I don't know", and how sure."""

import hashlib
import ipaddress
import json
import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from demur import checks
from demur.answers import Comparator, parse_comparator
from demur.errors import InputError, RunError, shown
from demur.outcomes.records import Response
from demur.systems.adapters.chat_replies import (
    DONT_KNOW,
    Reply,
    answer_log_probabilities,
    read_reply,
    verbalised,
)
from demur.systems.adapters.json_addresses import (
    EndpointFailed,
    JsonAddress,
    address_parts,
)
from demur.systems.protocol import Input

CONFIDENCES: Final = ("mean_logprob", "sum_logprob", "verbalised", "agreement", "none")
"""How sure a model is of its answer, by name."""

_OF_TOKENS: Final = ("mean_logprob", "sum_logprob")

CHAT: Final = "chat:"
"""How the name of a chat endpoint begins."""

_ASK: Final = "Answer the question."
_MAY_DECLINE: Final = (
    " If you do not know the answer, or nobody can know it, do not guess."
)
_GUESS: Final = " If you are not sure, give your best guess all the same."
_FORM: Final = (
    "\n\nReply in this form, without anything else:\nAnswer: <a short answer>"
)
_SURE: Final = (
    "\nConfidence: <how likely it is that your answer is right, from 0 to 100> %"
)
_NONE: Final = f"\n\nIf you have no answer, reply:\nAnswer: {DONT_KNOW}"
_TRY: Final = "Reply with the word yes."

_OURS: Final = ("model", "messages", "logprobs", "n", "stream")
_WRONG_SETTING: Final = (401, 403, 404)
_MILLION: Final = 1_000_000


class ChatSystem:
    """A language model behind an endpoint of the OpenAI shape, as a system.

    The model is asked for an answer, or to say that it does not know. A reply without
    an answer has a ``kind``: ``idk``, ``refusal``, ``filter``, ``truncated`` (cut off
    before the answer was there) or ``format`` (not in the form that was asked for).
    Each response holds, as further columns, the ``reply`` as it was, ``finish_reason``,
    ``prompt_tokens``, ``completion_tokens``, ``seconds``, the ``model`` that replied,
    and with prices the ``cost``.

    Parameters
    ----------
    model : str
        As the endpoint calls it.
    url : str
        Of the endpoint, such as ``http://localhost:8000/v1``.
    name : str
        Of the system; by default the model.
    confidence : {"mean_logprob", "sum_logprob", "verbalised", "agreement", "none"}
        ``mean_logprob`` and ``sum_logprob`` are over the natural log-probabilities of
        the tokens of the answer alone; the sum falls with each token, so it prefers
        short answers. ``verbalised`` is the number that the model states, as a
        fraction; one that cannot be read is none. ``agreement`` asks ``samples`` times,
        answers what most of them say, and gives their share. Whether the endpoint gives
        log-probabilities is tried before anything is asked.
    samples : int
        For ``agreement``.
    agree_by : str
        The comparator that says whether two answers agree, with options, such as
        ``"text(normalise=casefold)"``.
    may_decline : bool
        False asks for a guess in any case.
    instructions : str, optional
        What stands before the form of the reply, in place of "Answer the question."
    parameters : mapping, optional
        Of the request, such as ``{"temperature": 0, "max_tokens": 200}``.
    prices : (float, float), optional
        Of a million tokens of input and of output.
    key_env : str, optional
        The environment variable that holds the key; ``OPENAI_API_KEY`` for
        api.openai.com, none for others. Keys are never shown or kept.
    headers : mapping of str to str, optional
        Further ones, such as ``api-key`` of Azure. They are never shown.
    timeout, retries, cache
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
        agree_by: str = "text(normalise=casefold+punctuation)",
        may_decline: bool = True,
        instructions: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        prices: tuple[float, float] | None = None,
        key_env: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 120.0,
        retries: int = 4,
        cache: str | os.PathLike[str] | None = None,
    ) -> None:
        checks.choice("as_system", "confidence", confidence, CONFIDENCES)
        self.model, self.name, self.confidence = model, name or model, confidence
        least = 2 if confidence == "agreement" else 1
        checks.whole("as_system", "samples", samples, least)
        self.samples, self.prices = samples, _prices(prices)
        self.agree_by: Comparator = parse_comparator(agree_by)
        self.parameters = _parameters(parameters, confidence)
        asked = _ASK if instructions is None else instructions.strip()
        asked += _MAY_DECLINE if may_decline else _GUESS
        asked += _FORM + (_SURE if confidence == "verbalised" else "")
        self.instructions = asked + (_NONE if may_decline else "")
        address = _chat_address(url)
        self._key = _key(address, key_env)
        sent = dict(headers or {})
        self._secrets = [each for each in (self._key, *sent.values()) if each]
        if self._key:
            sent["Authorization"] = f"Bearer {self._key}"
        self._address = JsonAddress(
            address, timeout=timeout, retries=retries, headers=sent, cache=cache
        )
        self._tried = confidence not in _OF_TOKENS
        self._trying = threading.Lock()

    def __str__(self) -> str:
        how = self.confidence
        if how == "agreement":
            how = f"agreement(samples={self.samples}, by={self.agree_by})"
        told = hashlib.sha256(self.instructions.encode()).hexdigest()[:8]
        given = json.dumps(self.parameters, sort_keys=True)
        return (
            f"chat({self.model}@{self._address}, confidence={how}, "
            f"instructions={told}, parameters={given})"
        )

    def close(self) -> None:
        """Close all connections that are not in use."""
        self._address.close()

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """Ask; what could not be had has failed, with its reason.

        Raises
        ------
        InputError
            If the endpoint gives no log-probabilities, and they are needed.
        RunError
            If it refuses the key, or does not know the model.
        """
        with self._trying:
            if not self._tried:
                self._try()
                self._tried = True
        return [self._answer(each) for each in inputs]

    def _answer(self, asked: Input) -> Response:
        blank = asked.answered(self.name)
        try:
            if self.confidence == "agreement":
                return self._most_agreed(blank, asked.input)
            reply, seconds = self._ask(asked.input)
            sure = None if reply.answer is None else self._sure(reply)
        except EndpointFailed as problem:
            if problem.code == "content_filter":  # as Azure says it, with status 400
                return replace(blank, kind="filter")
            return replace(blank, failed=self._without_key(str(problem)))
        return replace(
            blank,
            response=reply.answer,
            confidence=sure,
            declined=reply.kind in ("idk", "refusal"),
            kind=reply.kind,
            extra={
                "reply": reply.text,
                "finish_reason": reply.finish_reason,
                **self._spent([reply], seconds),
            },
        )

    def _sure(self, reply: Reply) -> float | None:
        if self.confidence == "verbalised":
            return verbalised(reply.text)
        if self.confidence == "none":
            return None
        found = answer_log_probabilities(reply)
        return sum(found) / (len(found) if self.confidence == "mean_logprob" else 1)

    def _most_agreed(self, blank: Response, question: Any) -> Response:
        """What most of the samples say; a sample without an answer agrees with none."""
        asked = [self._ask(question, sample) for sample in range(self.samples)]
        replies = [reply for reply, _ in asked]
        groups: list[tuple[Any, list[str]]] = []
        for reply in replies:
            if reply.answer is not None:
                self._add(groups, reply.answer)
        ranked = sorted(groups, key=lambda group: -len(group[1]))
        silent = [reply.kind for reply in replies if reply.answer is None]
        extra = {
            "replies": [reply.text for reply in replies],
            **self._spent(replies, sum(seconds for _, seconds in asked)),
        }
        if not ranked:
            kind = max(silent, key=silent.count)
            declined = kind in ("idk", "refusal")
            return replace(blank, kind=kind, declined=declined, extra=extra)
        shares = [(said[0], len(said) / self.samples) for _, said in ranked]
        return replace(
            blank,
            response=shares[0][0],
            confidence=shares[0][1],
            declined=len(silent) > len(ranked[0][1]),
            ranking=tuple(shares),
            extra=extra,
        )

    def _add(self, groups: list[tuple[Any, list[str]]], answer: str) -> None:
        """Add an answer to the first group that it agrees with."""
        value = self.agree_by.read(answer)
        for first, said in groups:
            if self.agree_by.compare(value, first).credit == 1:
                said.append(answer)
                return
        groups.append((value, [answer]))

    def _spent(self, replies: Sequence[Reply], seconds: float) -> dict[str, Any]:
        counts = {
            name: sum(reply.usage[name] for reply in replies)
            for name in ("prompt_tokens", "completion_tokens")
            if all(name in reply.usage for reply in replies)
        }
        found = {"model": replies[0].model, "seconds": round(seconds, 4), **counts}
        if self.prices is not None and len(counts) == len(self.prices):
            paid = zip(self.prices, counts.values(), strict=True)
            found["cost"] = sum(price * count for price, count in paid) / _MILLION
        return found

    # -- asking ------------------------------------------------------------------------

    def _ask(self, question: Any, sample: int = 0) -> tuple[Reply, float]:
        text = question
        if not isinstance(question, str):
            text = json.dumps(question, ensure_ascii=False)
        # In one message: some models take none of the system.
        asked = f"{self.instructions}\n\nQuestion: {text}"
        return self._exchanged([{"role": "user", "content": asked}], sample)

    def _exchanged(
        self, messages: list[dict[str, str]], sample: int = 0
    ) -> tuple[Reply, float]:
        payload = {"model": self.model, "messages": messages, **self.parameters}
        if self.confidence in _OF_TOKENS:
            payload["logprobs"] = True
        try:
            return self._address.ask(payload, read_reply, sample)
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
            reply, _ = self._exchanged([{"role": "user", "content": _TRY}])
            got = "" if reply.tokens else "a reply without any"
        except EndpointFailed as problem:
            if problem.status is None or problem.status >= 500:
                raise self._refused(problem) from None
            got = self._without_key(str(problem))
        if got:
            need = "come from an endpoint that gives log-probabilities of tokens"
            hint = "verbalised and agreement need none."
            what = f"the confidence {self.confidence}"
            raise InputError(f"{self.model}@{self._address}", what, need, got, hint)

    def _refused(self, problem: EndpointFailed) -> RunError:
        where = f"{self.model}@{self._address}"
        return RunError(f"{where}: {self._without_key(str(problem))}")

    def _without_key(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
        return text


# -- arguments -----------------------------------------------------------------------


def _prices(prices: Any) -> tuple[float, float] | None:
    if prices is None:
        return None
    with suppress(TypeError, ValueError):
        read, said = (float(each) for each in prices)
        if 0 <= read < float("inf") and 0 <= said < float("inf"):
            return read, said
    need = "be two numbers from 0: a million tokens of input, and of output"
    raise InputError("as_system", "prices", need, shown(prices))


def _parameters(given: Mapping[str, Any] | None, confidence: str) -> dict[str, Any]:
    found = dict(given or {})
    for name in _OURS:
        if name in found:
            need = f"leave {', '.join(_OURS)} to demur"
            raise InputError("as_system", "parameters", need, name)
    if confidence == "agreement" and found.get("temperature") == 0:
        need = "have a temperature above 0 for agreement"
        hint = "At 0 all samples say the same, whatever the model knows."
        raise InputError("as_system", "parameters", need, "0", hint)
    return found


def _chat_address(url: str) -> str:
    """The address to post to, of that of the endpoint."""
    parts = address_parts(url)
    path = parts.path.rstrip("/")
    if not path.endswith("/chat/completions"):
        path += "/chat/completions"
    return urlunsplit(parts._replace(path=path))


def _key(url: str, key_env: str | None) -> str:
    """The key of the environment; never sent where others could read it."""
    parts = urlsplit(url)
    if key_env is None:
        if parts.hostname != "api.openai.com":
            return ""
        key_env = "OPENAI_API_KEY"
    key = os.environ.get(key_env, "").strip()
    if not key:
        need, hint = "hold the key", f"Set {key_env} in the environment."
        raise InputError("as_system", key_env, need, "nothing", hint)
    if parts.scheme != "https" and not _is_here(parts.hostname or ""):
        need = "be https where a key is sent"
        raise InputError("as_system", "url", need, f"{parts.scheme}://{parts.hostname}")
    return key


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
