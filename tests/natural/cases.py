"""The table of natural inputs: areas, each with its cases.

A case has a name that stays, an action (what a user types, as a call or as a command
line with its files) and every end that is acceptable: ``gives`` right figures,
``noted`` with words that a note must hold, ``refused`` with words that the message must
hold. The expectations were written before the code was touched, from the documentation
alone; none is changed because the code disagrees, and none is removed.

To add one, write a line in the file of its area. A case that does not come true today
is listed in ``not_yet.py``, and leaves it when it does.
"""

from __future__ import annotations

from natural import (
    confidences,
    declining,
    dressed,
    empty_and_missing,
    item_identity,
    joined_files,
    joins,
    languages,
    learned_languages,
    token_rows,
    typed_labels,
    typed_values,
    wrong_kinds,
    wrong_records,
)
from natural.ends import Case

AREAS: dict[str, tuple[Case, ...]] = {
    "typed labels": (*typed_labels.CASES, *typed_values.CASES),
    "wrong kinds": (
        *wrong_kinds.CASES,
        *wrong_records.CASES,
        *dressed.CASES,
        *token_rows.CASES,
        *joined_files.CASES,
    ),
    "joins": joins.CASES,
    "languages": (*languages.CASES, *learned_languages.CASES),
    "empty and missing": empty_and_missing.CASES,
    "confidence as written": confidences.CASES,
    "declined": declining.CASES,
    "item identity": item_identity.CASES,
}
CASES: dict[str, Case] = {one.name: one for cases in AREAS.values() for one in cases}
