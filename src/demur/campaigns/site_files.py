"""The files of the sites, each read by itself: a broken one stops only itself."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from demur.campaigns.public_parts import ANSWERS
from demur.errors import InputError, shown
from demur.formats import headings, iter_records
from demur.formats.reading import Columns, typed_mapping
from demur.outcomes.contexts import dialogue_turns
from demur.references.merging import CONTRIBUTED, CONTRIBUTOR, Merged, merge

Placed = tuple[str, Mapping[str, Any]]

_NEEDED: Final = ("reference", "references", "sql", "min")

_SITE: Final = re.compile(r"\w[\w.-]*")


@dataclass(frozen=True)
class BrokenSite:
    """A site whose files cannot be used.

    Parameters
    ----------
    site : str
    problem : InputError
        What is wrong, with file and line.
    """

    site: str
    problem: InputError

    @property
    def place(self) -> str:
        """File and line; what stands there may be an answer, and is not said."""
        return self.problem.where

    def __str__(self) -> str:
        return f"{self.site}: {self.problem}"


def check_site(name: str) -> str:
    """Refuse what cannot be the name of a site: it begins items and names files.

    Examples
    --------
    >>> check_site("bbn")
    'bbn'
    >>> check_site("../bbn")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: collect: the name of a site must be of letters, digits, and
    the signs . _ -; got '../bbn'.
    """
    if not _SITE.fullmatch(name):
        need = "be of letters, digits, and the signs . _ -"
        raise InputError("collect", "the name of a site", need, shown(name))
    return name


def read_site(site: str, paths: Sequence[str], columns: Columns = None) -> list[Placed]:
    """The questions of a site, checked as far as merging depends on them.

    Parameters
    ----------
    site : str
        Its name.
    paths : sequence of str
        Its files.
    columns : str or mapping, optional
        What columns are called in them, as for `demur.read_references`.

    Returns
    -------
    list of (place, record)

    Raises
    ------
    InputError
        With file and line.
    """
    placed = [
        (place, _as_contributed(record, site, place))
        for place, record in _with_items(iter_records(*paths, columns=columns), columns)
    ]
    merge_sites({site: placed})
    dialogue_turns(placed)  # refuses marks that are neither true nor false
    return placed


def _with_items(records: Iterable[Placed], columns: Columns) -> Iterator[Placed]:
    """Records of which none lacks the column of items."""
    for place, record in records:
        if "item" not in record:
            answers: Sequence[Sequence[str]] = [_NEEDED]
            if any(name in record for name in ANSWERS):
                answers = []
            raise headings.lacking_columns(
                place,
                [("item",), *answers],
                record,
                records=[record],
                named=typed_mapping(columns),
                kind="reference",
            )
        yield place, record


def merge_sites(sites: Mapping[str, Sequence[Placed]]) -> Merged:
    """The questions of sites as one set, as `demur.merge` puts them together."""
    present = {name for listed in sites.values() for _, one in listed for name in one}
    apart = [name for name in ("subject", "dialogue") if name in present]
    return merge(sites, apart=apart)


def _as_contributed(
    record: Mapping[str, Any], site: str, place: str
) -> Mapping[str, Any]:
    """A record that says of no other site that it comes from there.

    A question of class X, or one that is excluded, needs no answer.
    """
    whose, called = record.get(CONTRIBUTOR), record.get(CONTRIBUTED)
    if whose not in (None, "") and str(whose) != site:
        hint = "A file holds the questions of its site alone."
        raise InputError(place, CONTRIBUTOR, f"be {shown(site)}", shown(whose), hint)
    if whose and called and record.get("item") != f"{site}/{called}":
        need = f"be {shown(f'{site}/{called}')}, as {CONTRIBUTED} says"
        raise InputError(place, "item", need, shown(record.get("item")))
    return without_need(record)


def without_need(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record, marked as not answerable where it is excluded and has no answer.

    Examples
    --------
    >>> without_need({"item": "q1", "class": "x"})
    {'item': 'q1', 'class': 'x', 'answerable': False}
    """
    label = str(record.get("class") or "").strip().upper()
    excluded = label == "X" or record.get("excluded") is True
    if excluded and all(record.get(name) is None for name in ANSWERS):
        return {**record, "answerable": False}
    return record


def plain_site(placed: Iterable[Placed]) -> list[Mapping[str, Any]]:
    """The records of a site without their places."""
    return [record for _, record in placed]
