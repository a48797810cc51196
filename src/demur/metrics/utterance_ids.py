"""Ids of utterances in text files, at the end of lines (trn) or in front (Kaldi)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demur.errors import InputError, shown

_FORMS: Final = ("end with", "begin with")
_LONG: Final = 6
"""Signs of an id without a hyphen, so that "2nd" and "mp3" are words."""


@dataclass(frozen=True)
class Utterances:
    """Lines of text by the ids of their utterances.

    Parameters
    ----------
    form : {"end with", "begin with"}
        Where lines have their ids: as sclite writes them, or as Kaldi does.
    texts : dict of id to text
        In the order of the lines, without the ids.
    """

    form: str
    texts: dict[str, str]


def utterances_of(lines: Sequence[str]) -> Utterances | None:
    """Lines by their ids, if each that is not blank has one of its own; else None.

    An id has a digit, or a sign such as ``-``, so that "(laughs)" is none.

    Examples
    --------
    >>> utterances_of(["the cat sat (spk1-001)", "(spk1-002)"]).texts
    {'spk1-001': 'the cat sat', 'spk1-002': ''}
    >>> utterances_of(["spk1-001 the cat sat", "spk1-002"]).form
    'begin with'
    >>> utterances_of(["the cat sat", "hello"]) is None
    True
    """
    written = [line.strip() for line in lines if line.strip()]
    for form in _FORMS:
        texts: dict[str, str] = {}
        for line in written:
            name, text = _at_end(line) if form == "end with" else _in_front(line)
            if not name or name in texts:
                break
            texts[name] = text
        # The first word of a single line may be anything.
        fewest = 1 if form == "end with" else 2
        if fewest <= len(texts) == len(written):
            return Utterances(form, texts)
    return None


def _at_end(line: str) -> tuple[str, str]:
    text, _, rest = line.rpartition("(")
    name = rest.removesuffix(")")
    signs = any(sign in "-_" or sign.isdigit() for sign in name)
    sound = signs and name != rest and not any(sign.isspace() for sign in name)
    return (name if sound else "", text.strip())


def _in_front(line: str) -> tuple[str, str]:
    name, *rest = line.split(None, 1)
    digits = any(sign.isdigit() for sign in name)
    long = len(name) >= _LONG and not name.isdigit()
    sound = digits and ("-" in name or "_" in name or long)
    return (name if sound else "", rest[0] if rest else "")


def joined_utterances(
    names: Sequence[str], files: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[str]]] | None:
    """Texts of several files joined by the ids in their lines.

    Parameters
    ----------
    names : sequence of str
        Of the files, for messages.
    files : sequence of sequence of str
        Their lines, the references first.

    Returns
    -------
    (ids, texts) or None
        Texts of each file in the order of the references; None if no file has ids.

    Raises
    ------
    InputError
        If one file has ids and another has none, or others.

    Examples
    --------
    >>> files = [["a (x-1)", "b (x-2)"], ["b (x-2)", "c (x-1)"]]
    >>> joined_utterances(["r.trn", "h.trn"], files)
    (['x-1', 'x-2'], [['a', 'b'], ['c', 'b']])
    """
    read = [utterances_of(lines) for lines in files]
    known = [its for its in read if its is not None]
    if not known:
        return None
    leading = known[0]
    first = names[read.index(leading)]
    for name, its in zip(names, read, strict=True):
        if its is None or its.form != leading.form:
            example = shown(next(iter(leading.texts)))
            need = f"{leading.form} ids, as those of {first} do ({example})"
            hint = "Give all files with ids or none; a table with ref and hyp has none."
            raise InputError(name, "the lines", need, "lines without", hint)
        _check_alike(name, its, first, leading)
    ids = list(leading.texts)
    return ids, [[its.texts[key] for key in ids] for its in known]


def _check_alike(name: str, its: Utterances, first: str, leading: Utterances) -> None:
    hint = "An utterance that was not recognised stands with its id alone."
    for lacking, those, other in (
        (name, leading.texts.keys() - its.texts.keys(), first),
        (first, its.texts.keys() - leading.texts.keys(), name),
    ):
        if those:
            need = f"be those of {other}"
            got = f"none for {shown(min(those))}"
            raise InputError(lacking, "the ids of the utterances", need, got, hint)
