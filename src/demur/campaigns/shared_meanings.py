"""What words mean, as several sites have agreed on it, in one list."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from demur.errors import shown
from demur.references.findings import Finding
from demur.references.stipulations import Stipulation

CONFLICTING: Final = "conflicting-meaning"
"""The check: one word that has two meanings at two sites."""

RENAMED: Final = "renamed-meaning"
"""The check: one id that stands for two things at two sites."""


@dataclass(frozen=True)
class SharedMeanings:
    """The stipulations of all sites.

    Parameters
    ----------
    stipulations : tuple of Stipulation
        What several sites say in the same words is there once.
    renamed : mapping of site to mapping of id to id
        Ids that stand for two things are kept apart as ``SITE/ID``.
    findings : tuple of Finding
        The checks are "conflicting-meaning" and "renamed-meaning".
    """

    stipulations: tuple[Stipulation, ...]
    renamed: Mapping[str, Mapping[str, str]]
    findings: tuple[Finding, ...]


def merge_meanings(sites: Mapping[str, Sequence[Stipulation]]) -> SharedMeanings:
    """One list of the stipulations of several sites.

    A word has two meanings if two sites each say of it what the other does not; blanks
    and capitals make no difference.

    Parameters
    ----------
    sites : mapping of site to sequence of Stipulation
        As `demur.read_stipulations` gives them.

    Returns
    -------
    SharedMeanings

    Examples
    --------
    >>> bbn = [Stipulation("M4", "Before 1200.", term="morning")]
    >>> sri = [Stipulation("M7", "Before 1100.", term="morning")]
    >>> merged = merge_meanings({"bbn": bbn, "sri": sri})
    >>> len(merged.stipulations)
    2
    >>> print(merged.findings[0])
    M7: conflicting-meaning: 'morning' means 'Before 1100.' at sri (M7) and 'Before
    1200.' at bbn (M4)
    """
    apart = _ids_apart(sites)
    renamed: dict[str, dict[str, str]] = {site: {} for site in sites}
    kept: dict[Any, Stipulation] = {}
    for site, listed in sites.items():
        for number, one in enumerate(listed):
            if one.id in apart:
                renamed[site][one.id] = f"{site}/{one.id}"
                one = replace(one, id=f"{site}/{one.id}")
            # What one site says twice stays twice, for lint to find.
            again = sum(_same(one, other) for other in listed[:number])
            kept.setdefault((one.id, _content(one), again), one)
    findings = (*_renamed(apart), *_conflicts(sites, renamed))
    return SharedMeanings(tuple(kept.values()), renamed, findings)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _content(one: Stipulation) -> tuple[str, str]:
    return _plain(one.term), _plain(one.meaning)


def _same(one: Stipulation, other: Stipulation) -> bool:
    return one.id == other.id and _content(one) == _content(other)


def _ids_apart(
    sites: Mapping[str, Sequence[Stipulation]],
) -> dict[str, list[str]]:
    """Ids that stand for several things, with the sites that use them, if several."""
    contents: dict[str, set[tuple[str, str]]] = {}
    users: dict[str, dict[str, None]] = {}
    for site, listed in sites.items():
        for one in listed:
            contents.setdefault(one.id, set()).add(_content(one))
            users.setdefault(one.id, {})[site] = None
    several = (name for name in users if len(contents[name]) > 1)
    return {name: list(users[name]) for name in several if len(users[name]) > 1}


def _renamed(apart: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    for name, sites in apart.items():
        text = f"stands for different things at {' and '.join(sites)}; kept as "
        text += " and ".join(f"{site}/{name}" for site in sites)
        yield Finding(name, RENAMED, text)


def _conflicts(
    sites: Mapping[str, Sequence[Stipulation]],
    renamed: Mapping[str, Mapping[str, str]],
) -> Iterator[Finding]:
    """Words of which two sites say different things, each against the first such."""
    words: dict[str, dict[str, dict[str, Stipulation]]] = {}
    for site, listed in sites.items():
        for one in listed:
            for word in filter(None, map(_plain, one.term.split(","))):
                meanings = words.setdefault(word, {}).setdefault(site, {})
                meanings.setdefault(_plain(one.meaning), one)
    for word, of_site in words.items():
        before: list[tuple[str, dict[str, Stipulation]]] = []
        for site, meanings in of_site.items():
            other = next((pair for pair in before if _differ(meanings, pair[1])), None)
            if other is None:
                before.append((site, meanings))
                continue
            here = next(one for text, one in meanings.items() if text not in other[1])
            there = next(one for text, one in other[1].items() if text not in meanings)
            names = [
                renamed[whose].get(one.id, one.id)
                for whose, one in ((site, here), (other[0], there))
            ]
            text = (
                f"{shown(word)} means {shown(here.meaning)} at {site} ({names[0]}) "
                f"and {shown(there.meaning)} at {other[0]} ({names[1]})"
            )
            yield Finding(names[0], CONFLICTING, text, here.place)


def _differ(here: Mapping[str, Any], there: Mapping[str, Any]) -> bool:
    return bool(here.keys() - there.keys()) and bool(there.keys() - here.keys())
