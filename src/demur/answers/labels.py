"""Labels: a response is right if it is the very same label."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.answers.comparators import DIFFERENT, EQUAL, Match
from demur.answers.values import json_text

_NEARLY: Final = {
    (True, False): Match(0.0, "differs only in case"),
    (False, True): Match(0.0, "differs only in outer spaces"),
    (True, True): Match(0.0, "differs only in case and outer spaces"),
}


@dataclass(frozen=True, slots=True, repr=False)
class Label:
    """The comparator that `label` makes."""

    version: ClassVar[str] = "label/1"

    def __str__(self) -> str:
        return "label"

    __repr__ = __str__

    def read(self, value: Any) -> str:
        """The label's text; other JSON values as their JSON text."""
        return json_text(value)

    def compare(self, response: str, reference: str) -> Match:
        """Equal texts match; near misses stay wrong, and are named."""
        if response == reference:
            return EQUAL
        if response.strip().casefold() != reference.strip().casefold():
            return DIFFERENT
        case = response.strip() != reference.strip()
        spaces = response.casefold() != reference.casefold()
        return _NEARLY.get((case, spaces), DIFFERENT)


def label() -> Label:
    """Exact equality of labels, case and spaces included.

    Rule (``label/1``): two texts are equal if they have the same characters; any other
    JSON value is compared by its JSON text (`demur.answers.values.json_text`), so that
    the "3" of a CSV file equals the 3 of a JSON file, and "true" equals true. A label
    that differs only in case or outer spaces is wrong, and the reason says so.

    Returns
    -------
    Label

    Examples
    --------
    >>> from demur.answers import label, read_all, verdict
    >>> def judged(response, reference):
    ...     found = verdict(label(), response, read_all(label(), [(reference, 1)]))
    ...     return found.credit, found.reason
    >>> judged("open_hours", "open_hours")
    (1.0, 'equal')
    >>> judged("3", 3), judged(True, "true"), judged(3.0, 3)
    ((1.0, 'equal'), (1.0, 'equal'), (1.0, 'equal'))
    >>> judged("True", "true")
    (0.0, 'differs only in case')
    >>> judged("open_hours ", "open_hours")
    (0.0, 'differs only in outer spaces')
    >>> judged("tickets", "open_hours")
    (0.0, 'differs')
    """
    return Label()
