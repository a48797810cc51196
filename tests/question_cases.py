"""Questions of three sites, made up: dialogues, subjects, classes, answers, labels."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from builders import json_lines
from demur.campaigns.collecting import CollectedFiles, collect
from demur.campaigns.folder import Campaign
from demur.campaigns.freezing import FreezingRules, freeze
from demur.campaigns.making import make_campaign

SITES = ("bbn", "cmu", "sri")
START = datetime(2027, 1, 1, tzinfo=UTC)
CITIES = ("Aldermoor", "Brinewick", "Corran", "Dunmere", "Eastmere", "Fallowby")


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def site_questions(site: str, *, dialogues: int = 7, turns: int = 5) -> list[dict]:
    """Each dialogue begins with A; others lean on it, or are excluded (X)."""
    draw = random.Random(f"{site} questions")
    return [
        _question(draw, site, dialogue, turn)
        for dialogue in range(1, dialogues + 1)
        for turn in range(1, turns + 1)
    ]


def _question(draw: random.Random, site: str, dialogue: int, turn: int) -> dict:
    label = "A" if turn == 1 else draw.choice("AADDX")
    city, hour = draw.choice(CITIES), draw.randrange(100, 2400)
    record = {
        "item": f"{dialogue}-{turn}",
        "cluster": f"d{dialogue}",
        "subject": f"s{(dialogue + 1) // 2}",
        "class": label,
        "input": f"Which flights leave {city} after {hour // 100} o'clock?",
    }
    if label == "D":
        record["context"] = [f"{dialogue}-{turn - 1}"]
        record["input"] = f"Which of those serve meals, number {turn}?"
    if label == "X":
        return {**record, "why": f"{site} does not know what {dialogue} likes best"}
    number = draw.randrange(10_000, 99_999)
    sql = f"SELECT flight_id FROM flight WHERE leaves > {hour} AND id = {number}"
    return {
        **record,
        "sql": sql,
        "max_sql": sql.replace("flight_id", "flight_id, leaves, arrives"),
        "min": f"(({number}) ({number + 1}))",
        "max": f"(({number} {hour} NIL) ({number + 1} {hour} NIL))",
        "weight": draw.choice((1, 2)),
        "ordered": False,
    }


def labels_of(sites: dict[str, list[dict]]) -> list[dict]:
    """Three annotators: now and then one, seldom two, say something else."""
    draw = random.Random("labels")
    rows = []
    for site, records in sites.items():
        for record in records:
            given = [record["class"]] * 3
            if draw.random() < 0.15:
                given[draw.randrange(3)] = draw.choice("ADX")
            if draw.random() < 0.08:
                given = ["A", "D", "X"]
            rows += [
                {"unit": f"{site}/{record['item']}", "annotator": who, "label": label}
                for who, label in zip(("ann", "bo", "cy"), given, strict=True)
            ]
    return rows


MEANINGS = [
    {"id": "M1", "term": "flight", "meaning": "Named by its flight_id."},
    {"id": "M4", "term": "morning", "meaning": "After 0000 and before 1200."},
]


def write(path: Path, records: list[dict]) -> str:
    path.write_text(json_lines(records), "utf-8")
    return str(path)


def written_sites(folder: Path, sites: dict[str, list[dict]]) -> dict[str, list[str]]:
    return {
        site: [write(folder / f"{site}.jsonl", records)]
        for site, records in sites.items()
    }


def new_campaign(folder: Path) -> Campaign:
    return make_campaign(
        folder / "c", name="Flights 2027", when=START, key="a key of tests"
    )


def collected(
    folder: Path, sites: dict[str, list[dict]] | None = None, labels=None, meanings=None
) -> Campaign:
    """A campaign with the questions of three sites."""
    campaign = new_campaign(folder)
    sites = {site: site_questions(site) for site in SITES} if sites is None else sites
    files = CollectedFiles(
        sites=written_sites(folder, sites),
        labels=[write(folder / "labels.jsonl", labels)] if labels else (),
        meanings={"bbn": [write(folder / "m.jsonl", meanings)]} if meanings else {},
    )
    collect(campaign, files, when=day(1))
    return campaign


def frozen(folder: Path, sites=None, labels=None, **how) -> Campaign:
    campaign = collected(folder, sites, labels)
    freeze(campaign, FreezingRules(**how), when=day(2))
    return campaign


def one_dialogue(*records: dict, **common) -> list[dict]:
    """Records of one dialogue and subject, completed where a field is not given."""
    usual = {"cluster": "d", "subject": "s", "reference": "nowhere at all", **common}
    return [
        {"input": f"Question {n}?", **usual, **one} for n, one in enumerate(records)
    ]
