"""What is read is what was meant: natural inputs, and none of them silently wrong."""

from __future__ import annotations

import contextlib
import warnings
from pathlib import Path

import pytest

import demur
from natural.asking import shown_of
from natural.cases import AREAS, CASES
from natural.ends import Case, Refusal, Shown
from natural.not_yet import NOT_YET


def end_of(case: Case, folder: Path) -> Shown | Refusal:
    with contextlib.chdir(folder), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            shown = shown_of(case.action())
        except demur.DemurError as error:
            return Refusal(str(error))
        except Exception as error:  # noqa: BLE001 (a raw error is an end like others)
            return Refusal(f"{type(error).__name__}: {error}", by_house=False)
    if isinstance(shown, Refusal):
        return shown
    further = "\n".join(str(one.message) for one in warned)
    return Shown(shown.figures, f"{shown.notes}\n{further}".strip())


def failure(case: Case, shown: Shown | Refusal) -> str:
    """One line: silently wrong, right but without its note, or refused amiss."""
    wanted = "; or ".join(str(end) for end in case.ends)
    if isinstance(shown, Refusal):
        kind = "refused amiss" if shown.by_house else "raw error"
        return f"{case.name}: {kind}: {shown.message.strip()!r}; wanted {wanted}"
    names = {name for end in case.ends for name in end.figures}
    figures = {name: shown.figures.get(name, "absent") for name in sorted(names)}
    unsaid = not any(end.figures and not end.words for end in case.ends) and any(
        end.figures and end.fits(shown) for end in case.ends
    )
    kind = "unsaid" if unsaid else "silently wrong"
    return f"{case.name}: {kind}: {figures} {shown.notes!r}; wanted {wanted}"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            one,
            id=name,
            marks=[pytest.mark.xfail(raises=AssertionError, strict=True)]
            if name in NOT_YET
            else [],
        )
        for name, one in CASES.items()
    ],
)
def test_natural_inputs_are_never_silently_wrong(case: Case, tmp_path: Path) -> None:
    shown = end_of(case, tmp_path)
    assert any(end.allows(shown) for end in case.ends), failure(case, shown)


def test_the_table_keeps_its_size() -> None:
    names = [one.name for cases in AREAS.values() for one in cases]
    assert len(set(names)) == len(names) >= 200
    assert set(names) >= NOT_YET
