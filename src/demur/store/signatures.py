"""How verdicts came about, as the signature of `demur judge` tells it beside a file."""

import re
from typing import Final

from demur.errors import ParseError, shown
from demur.outcomes.table import Outcomes
from demur.store.comparable import is_judging_known

_PARTS: Final = re.compile(r"\|(?=[a-z_]+:)")
_HINT: Final = "It is what demur judge printed when it wrote the file."


def judged_as(outcomes: Outcomes, signature: str) -> Outcomes:
    """Outcomes with the recipe of the signature that was given with their file.

    A file of outcomes holds rows alone. What a signature says is believed, but that it
    is about as many items.

    Parameters
    ----------
    outcomes : Outcomes
        As read from the file, all of it.
    signature : str
        Of `demur.judge`.

    Returns
    -------
    Outcomes

    Raises
    ------
    ParseError
        If it is no signature, says no comparator, or is of another number of items.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(correct=[1, 0])
    >>> text = "demur:0.1.0|by:text|comparator:text/2|missing:error|items:2"
    >>> judged_as(outcomes, text).recipe["comparator"]
    'text/2'
    """
    pairs = [part.partition(":") for part in _PARTS.split(signature.strip())]
    recipe = {name: value for name, _, value in pairs}
    if "demur" not in recipe or not is_judging_known(recipe):
        need, got = "be the signature of a judge", shown(signature)
        raise ParseError("keep", "the signature", need, got, _HINT)
    items = recipe.pop("items", "none")
    del recipe["demur"]
    if items != str(len(outcomes)):
        need = f"be of {len(outcomes)} items, as the outcomes are"
        raise ParseError("keep", "the signature", need, items, _HINT)
    return outcomes.with_recipe(**recipe)
