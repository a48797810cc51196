"""Hidden references changed by adjudications: logged, and then in place of the old."""

import os
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from demur import formats
from demur.campaigns.folder import REFERENCES, Campaign, file_sha256
from demur.errors import InputError
from demur.outcomes.records import plain_reference
from demur.references.adjudications import (
    Adjudication,
    changed_references,
    hash_of,
    side_effects,
)

NEXT: Final = "hidden/references.next.jsonl"
"""New references, until the log has them."""

KEPT: Final = "hidden/adjudications"


def adjudicate_references(
    campaign: Campaign, adjudications: Iterable[Adjudication], *, when: datetime
) -> list[str]:
    """Change disputed references; who has changed which, and why, is kept beside them.

    The log gets the hash of the new references, and the items; not what is right. All
    submissions are judged again by the next scoring.

    Parameters
    ----------
    campaign : Campaign
    adjudications : iterable of Adjudication
    when : datetime
        In UTC.

    Returns
    -------
    list of str
        What else the changes do, such as a maximum that goes with its answer.

    Raises
    ------
    InputError
        If an item is unknown, or the references are not those of the log.
    """
    listed = list(adjudications)
    if not listed:
        need = "hold at least one"
        raise InputError("campaign score", "the adjudications", need, "none")
    checked_references(campaign)
    references = list(formats.iter_references(campaign.inside(REFERENCES)))
    changed = list(changed_references(references, listed))
    with campaign.log.locked():
        number = 1 + sum(1 for _ in campaign.events("adjudicated"))
        kept = f"{KEPT}/{number:04}.jsonl"
        campaign.inside(kept).parent.mkdir(parents=True, exist_ok=True)
        formats.write_records([one.to_dict() for one in listed], campaign.inside(kept))
        formats.write_records(
            [plain_reference(reference) for reference in changed],
            campaign.inside(NEXT),
        )
        files = {REFERENCES: file_sha256(campaign.inside(NEXT))}
        facts = {"number": number, "hash": hash_of(listed), "files": files}
        facts["items"] = sorted({one.item for one in listed})
        campaign.append("adjudicated", when=when, **facts)
        os.replace(campaign.inside(NEXT), campaign.inside(REFERENCES))
    return list(side_effects(references, listed))


def checked_references(campaign: Campaign) -> str:
    """The SHA-256 of the hidden references, which must be what the log says last.

    What a killed adjudication has logged and not yet put in place is put there.

    Raises
    ------
    InputError
        If they were never frozen, or have changed since.
    """
    known = [
        entry.files[REFERENCES]
        for entry in campaign.entries
        if REFERENCES in entry.files
    ]
    where = str(campaign.path / REFERENCES)
    if not known:
        need, hint = "be frozen before anything is scored", "demur campaign freeze."
        raise InputError(where, "the references", need, "none in the log", hint)
    digest = file_sha256(campaign.inside(REFERENCES))
    later = campaign.inside(NEXT)
    if digest != known[-1] and later.exists() and file_sha256(later) == known[-1]:
        os.replace(later, campaign.inside(REFERENCES))
        return known[-1]
    if digest != known[-1]:
        need = f"be those of the log, SHA-256 {known[-1][:12]}..."
        hint = "demur campaign score --adjudications FILE changes and logs them."
        raise InputError(where, "the references", need, f"{digest[:12]}...", hint)
    return digest
