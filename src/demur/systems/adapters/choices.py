"""Multiple choice by the log-likelihoods of the choices."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from demur import checks
from demur.errors import InputError, shown


def scored_choices(
    log_likelihoods: Mapping[Any, float], *, lengths: Mapping[Any, float] | None = None
) -> dict[str, Any]:
    """The most likely choice, and the share of it among all.

    A function that returns this is a system: see `demur.as_system`.

    Parameters
    ----------
    log_likelihoods : mapping of choice to float
        Natural logarithms, summed over the tokens of each choice.
    lengths : mapping of choice to float, optional
        Tokens, or characters, of each choice: the log-likelihoods are divided by them.
        Without, longer choices are less likely; with, the guess and the confidences of
        all items may change, so say which you used.

    Returns
    -------
    dict
        ``response``, ``confidence`` (soft-max of the scores) and ``ranking``, pairs of
        choice and share; of equal shares the first choice is the response.

    Raises
    ------
    InputError
        If there are no choices, or a number is not finite or a length not above 0.

    References
    ----------
    lm-evaluation-harness calls the two ways ``acc`` and ``acc_norm``.

    Examples
    --------
    >>> import demur
    >>> told = {"yes": -2.0, "not at all": -3.0}
    >>> demur.scored_choices(told)["response"]
    'yes'
    >>> demur.scored_choices(told, lengths={"yes": 1, "not at all": 3})["response"]
    'not at all'
    """
    where = "scored_choices"
    checks.mapping(where, "log_likelihoods", log_likelihoods)
    choices = list(log_likelihoods)
    if lengths is not None:
        checks.mapping(where, "lengths", lengths)
    if not choices:
        raise InputError(where, "log_likelihoods", "have a choice", "none")
    for choice in choices:
        what, value = f"choice {shown(choice)}", log_likelihoods[choice]
        if not np.isfinite(value):
            raise InputError(where, what, "be finite", shown(value))
        if lengths is not None and not 0 < lengths.get(choice, 0) < np.inf:
            got = shown(lengths.get(choice))
            raise InputError(where, what, "have a length above 0", got)
    scores = np.array([float(log_likelihoods[choice]) for choice in choices])
    if lengths is not None:
        scores /= np.array([float(lengths[choice]) for choice in choices])
    # Less the highest, which changes no share: of long texts all exp(-2000) are 0.
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    order = np.argsort(-shares, kind="stable")
    return {
        "response": choices[order[0]],
        "confidence": float(shares[order[0]]),
        "ranking": [(choices[place], float(shares[place])) for place in order],
    }
