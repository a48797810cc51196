"""Texts: a response is right if it is the same text after named normalisations."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.answers.comparators import DIFFERENT, EQUAL, Match
from demur.answers.nearness import text_distance
from demur.answers.normalisations import Normalisation, normalisation
from demur.answers.values import comparable_text, same
from demur.calls import call_text, unusual
from demur.outcomes.value_kinds import TypedText

_USUAL: Final = Normalisation()


@dataclass(frozen=True, slots=True, repr=False)
class Text:
    """The comparator that `text` makes.

    Parameters
    ----------
    normalise : Normalisation
        Of both sides.
    """

    version: ClassVar[str] = "text/2"
    normalise: Normalisation = _USUAL

    def __str__(self) -> str:
        return call_text("text", unusual(self))

    __repr__ = __str__

    def read(self, value: Any) -> Any:
        """The normalised text; a pair with the given one if nothing is left."""
        given = value if type(value) is str else comparable_text(value)
        text = self.normalise(given)
        if isinstance(given, TypedText):
            return TypedText.called(text, given.kind, given.value)
        if text.strip() or not given.strip():
            return text
        return "", given.strip().casefold()

    def compare(self, response: Any, reference: Any) -> Match:
        """Equal normalised texts match, and equal numbers and flags."""
        if response == reference or same(response, reference):
            return EQUAL
        return DIFFERENT

    def distance(self, response: Any, reference: Any) -> float | None:
        """How little two texts have in common."""
        return text_distance(response, reference)


def text(*, normalise: str = "default") -> Text:
    r"""Equality of texts after named normalisations of both sides.

    Rule (``text/2``): values that are no texts become their JSON text; a text also
    equals a number, a flag or a date that it is read as ("1.0" is 1). Then, in this
    order whatever the order of their names,

    ``quotes``
        One sign for all apostrophes, and one for all quotation marks, however they are
        typed.
    ``nfkc``
        Unicode compatibility form: full-width digits and ligatures become plain.
    ``casefold``
        Unicode case folding (ß becomes ss), with canonically equal texts kept equal.
        The capital I with a dot (U+0130) becomes i. It knows no language: the Turkish
        dotless i (U+0131) is not i.
    ``accents``
        Combining marks of the Latin, Greek and Cyrillic kind are taken off: é becomes
        e and й becomes и. Letters with strokes (ø, ł) and the vowel signs and voicing
        marks of other scripts stay.
    ``punctuation``
        Removed without a space in its place: all Unicode punctuation and the ASCII
        symbols ``$+<=>^`|~``. "1.5" becomes "15": compare numbers by ``number``.
    ``articles``
        The English words a, an and the, in any case, become a space.
    ``whitespace``
        Invisible marks go (direction marks, zero-width and soft hyphens and spaces,
        byte-order marks); runs of white space become one space, outer ones go.

    ``default`` is quotes+nfkc+casefold+whitespace. ``squad`` is
    quotes+casefold+punctuation+articles+whitespace; on ASCII texts it is the
    normalisation of the evaluation script of SQuAD, which beyond ASCII only lowers case
    and leaves punctuation alone. ``exact`` is no normalisation. If only space is left
    of two texts that held more, they are compared as they were, case folded and without
    outer space: "the" is not "a", and "?" is not "!".

    Parameters
    ----------
    normalise : str
        Names of normalisations or bundles, joined by ``+``.

    Returns
    -------
    Text

    Raises
    ------
    InputError
        If a name is unknown.

    Examples
    --------
    >>> from demur.answers import read_all, text, verdict
    >>> def credit(response, reference, **options):
    ...     same = text(**options)
    ...     return verdict(same, response, read_all(same, [(reference, 1)])).credit
    >>> credit(" Straße  12 ", "STRASSE \uff11\uff12")
    1.0
    >>> credit("The cat's here!", "cats here"), credit("1.5", "15")
    (0.0, 0.0)
    >>> squad = {"normalise": "squad"}
    >>> credit("The cat's here!", "cats here", **squad), credit("1.5", "15", **squad)
    (1.0, 1.0)
    >>> credit("the", "a", **squad), credit("?", "!", **squad)
    (0.0, 0.0)
    >>> credit("Café", "cafe"), credit("Café", "cafe", normalise="default+accents")
    (0.0, 1.0)
    >>> credit("Café", "café", normalise="exact"), credit("\u0131s\u0131", "isi")
    (0.0, 0.0)
    >>> text(normalise="whitespace+casefold"), text(normalise="whitespace+nfkc+default")
    (text(normalise=casefold+whitespace), text)
    """
    return Text(normalisation("text", normalise))


def _nearly(reason: str) -> Match:
    return Match(0.0, reason, "differs_in_form")


_NEARLY: Final = {
    (True, False): _nearly("differs only in case"),
    (False, True): _nearly("differs only in outer spaces"),
    (True, True): _nearly("differs only in case and outer spaces"),
}


@dataclass(frozen=True, slots=True, repr=False)
class Label:
    """The comparator that `label` makes."""

    version: ClassVar[str] = "label/2"

    def __str__(self) -> str:
        return "label"

    __repr__ = __str__

    def read(self, value: Any) -> str:
        """The label's text; other JSON values as their JSON text."""
        return comparable_text(value)

    def compare(self, response: str, reference: str) -> Match:
        """Equal texts match; near misses stay wrong, and are named."""
        if response == reference or same(response, reference):
            return EQUAL
        if response.strip().casefold() != reference.strip().casefold():
            return DIFFERENT
        case = response.strip() != reference.strip()
        spaces = response.casefold() != reference.casefold()
        return _NEARLY.get((case, spaces), DIFFERENT)

    def distance(self, response: str, reference: str) -> float | None:
        """How little two labels have in common."""
        return text_distance(response, reference)


def label() -> Label:
    """Exact equality of labels, case and spaces included.

    Rule (``label/2``): two texts are equal if they have the same characters, whether
    Unicode puts them down in one sign or in several (they are composed, NFC). Numbers
    are compared as numbers, flags as flags (True is not 1), dates as dates (as moments
    if they have a time zone), members of an Enum as their values, and a text with one
    of these as what it is read as: the "3" and the "3.0" of a CSV file equal the 3 of a
    JSON file, "007" does not equal 7. Lists and objects are compared by their JSON
    text. A label that differs only in case or outer spaces is wrong, and the reason
    says so.

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
    >>> judged("3.0", 3), judged(True, "True"), judged(3.0, 3)
    ((1.0, 'equal'), (1.0, 'equal'), (1.0, 'equal'))
    >>> judged("007", 7), judged(True, 1)
    ((0.0, 'differs'), (0.0, 'differs'))
    >>> judged("True", "true")
    (0.0, 'differs only in case')
    >>> judged("open_hours ", "open_hours")
    (0.0, 'differs only in outer spaces')
    >>> judged("tickets", "open_hours")
    (0.0, 'differs')
    """
    return Label()
