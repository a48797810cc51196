"""Hashes of hidden files tell nothing to who has the pack and the log."""

import itertools
import json
from hashlib import sha256
from pathlib import Path

import pytest

from demur.campaigns.collecting import CollectedFiles, collect
from demur.campaigns.folder import KEY, REFERENCES, Campaign, file_sha256
from demur.campaigns.freezing import FreezingRules, freeze
from demur.campaigns.making import make_campaign
from demur.campaigns.packing import pack
from demur.campaigns.verifying import verify
from demur.errors import InputError
from question_cases import START, day, write

N = 6
ITEMS = [
    {"item": f"q{n}", "input": f"Is {n} odd?", "reference": "no" if n % 2 else "yes"}
    for n in range(2 * N)
]


def campaign_of(folder: Path) -> Campaign:
    made = make_campaign(
        folder / "c", name="Few", when=START, key="a key of tests", by="label"
    )
    sites = {"site": [write(folder / "q.jsonl", ITEMS)]}
    collect(made, CollectedFiles(sites=sites, labels=(), meanings={}), when=day(1))
    freeze(made, FreezingRules(share=0.5, by=("item",)), when=day(2))
    pack(made, when=day(3))
    return made


def logged(campaign: Campaign) -> set[str]:
    """All texts in the log that may be hashes."""
    text = (campaign.path / "log.jsonl").read_text("utf-8")
    return {word for word in text.split('"') if len(word) == 64}


def test_references_are_not_found_by_trying_all(tmp_path):
    campaign = campaign_of(tmp_path)
    right = (campaign.path / REFERENCES).read_text("utf-8")
    lines = [json.loads(line) for line in right.splitlines()]
    tried = set()
    for answers in itertools.product(("yes", "no"), repeat=N):
        text = right
        for one, answer in zip(lines, answers, strict=True):
            whole = json.dumps(one, separators=(",", ":"))
            other = json.dumps({**one, "reference": answer}, separators=(",", ":"))
            assert whole in text
            text = text.replace(whole, other)
        tried.add(text)
    assert len(tried) == 2**N
    assert right in tried
    assert not {sha256(text.encode()).hexdigest() for text in tried} & logged(campaign)
    key = (campaign.path / KEY).read_bytes().strip()
    assert file_sha256(campaign.path / REFERENCES, key) in logged(campaign)


def test_no_hidden_file_is_logged_by_its_plain_hash(tmp_path):
    campaign = campaign_of(tmp_path)
    hidden = [path for path in (campaign.path / "hidden").rglob("*") if path.is_file()]
    assert len(hidden) > 3
    assert not {file_sha256(path) for path in hidden} & logged(campaign)


@pytest.mark.parametrize("key", [None, "", "another"])
def test_without_the_key_nothing_hidden_is_verified(tmp_path, key):
    campaign = campaign_of(tmp_path)
    assert not verify(campaign.path).findings
    if key is None:
        (campaign.path / KEY).unlink()
    else:
        (campaign.path / KEY).write_text(key)
    findings = verify(campaign.path).findings
    assert {finding.check for finding in findings} == {"changed"}
    if not key:
        with pytest.raises(InputError, match="the key must be there"):
            campaign.digests(REFERENCES)
