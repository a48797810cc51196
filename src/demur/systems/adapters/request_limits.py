"""How fast requests may be sent, and how much they may cost; shared by all threads."""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from demur import checks
from demur.errors import RunError

_MINUTE: Final = 60.0
_LEAST: Final = 1e-9
"""Of a limit: nothing could ever be sent under one of 0."""

_SOON: Final = 0.05
"""Seconds until it is asked again whether a request may be sent."""


def _none(_: Any) -> None:
    return None


class RequestLimits:
    """Says of each request when it may be sent, and learns what the answers cost.

    What an answer will take is not known before. Tokens are reckoned with as many as
    answers had on average, money with the dearest answer so far; until there is one,
    requests go one by one.

    Parameters
    ----------
    requests, tokens : float, optional
        A minute.
    budget : float, optional
        For all requests together.
    tokens_of, cost_of : callable
        From an answer to its tokens, and to its cost; None if they cannot be told.
    clock : callable
        Seconds.

    Raises
    ------
    InputError
        If a limit is not above 0.
    """

    def __init__(
        self,
        *,
        requests: float | None = None,
        tokens: float | None = None,
        budget: float | None = None,
        tokens_of: Callable[[Any], float | None] = _none,
        cost_of: Callable[[Any], float | None] = _none,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        limits = {"rate": requests, "token_rate": tokens, "budget": budget}
        for name, limit in limits.items():
            if limit is not None:
                checks.number("as_system", name, limit, low=_LEAST)
        self._requests, self._tokens, self._budget = requests, tokens, budget
        self._tokens_of, self._cost_of, self._clock = tokens_of, cost_of, clock
        self._lock = threading.Lock()
        self._free_at = self._tokens_free_at = self._last_end = -float("inf")
        self._reckoned: deque[float] = deque()
        self._n_answers, self._n_tokens = 0, 0.0
        self._spent, self._dearest, self._is_unpriced = 0.0, 0.0, False

    def wait(self) -> float:
        """Seconds until a request may be sent; with 0 it is as good as sent.

        Raises
        ------
        RunError
            If the budget would be passed, and no answer is under way.
        """
        with self._lock:
            now = self._clock()
            seconds = max(self._free_at, self._tokens_free_at) - now
            if seconds > 0:
                return seconds
            learns = self._tokens is not None or self._budget is not None
            if learns and not self._n_answers and self._reckoned:
                return _SOON
            if self._budget is not None and self._passes(self._budget):
                # What has just come is still on its way to the journal.
                if self._reckoned or now - self._last_end < _SOON:
                    return _SOON
                raise RunError(self._why())
            self._begin(now)
            return 0.0

    def ended(self, answer: Any = None) -> None:
        """Take note of an answer, or of a request that has none."""
        with self._lock:
            reckoned, self._last_end = self._reckoned.popleft(), self._clock()
            tokens = None if answer is None else self._tokens_of(answer)
            if self._tokens is not None:
                more = (tokens or 0.0) - reckoned
                self._tokens_free_at += more * _MINUTE / self._tokens
            if answer is None:
                return
            self._n_answers += 1
            self._n_tokens += tokens or 0.0
            cost = self._cost_of(answer)
            self._is_unpriced |= cost is None
            self._spent += cost or 0.0
            self._dearest = max(self._dearest, cost or 0.0)

    def _begin(self, now: float) -> None:
        usual = self._n_tokens / self._n_answers if self._n_answers else 0.0
        self._reckoned.append(usual)
        if self._requests is not None:
            self._free_at = now + _MINUTE / self._requests
        if self._tokens is not None:
            self._tokens_free_at = now + usual * _MINUTE / self._tokens

    def _passes(self, budget: float) -> bool:
        reckoned = (len(self._reckoned) + 1) * self._dearest
        return self._is_unpriced or self._spent + reckoned > budget * (1 + 1e-9)

    def _why(self) -> str:
        if self._is_unpriced:
            return "the budget cannot be kept: an answer gives no numbers of tokens"
        return (
            f"the budget of {self._budget:,} may be passed: {self._spent:,.6g} is "
            f"spent, and the dearest answer cost {self._dearest:,.6g}. What was "
            "answered is kept; with a larger budget the run goes on"
        )
