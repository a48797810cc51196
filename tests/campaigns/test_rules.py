"""The rules of a campaign: every key is known, every moment in UTC, phases in order."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from builders import refuses, storm
from demur.campaigns.moments import day_of, moment, next_day
from demur.campaigns.rules import Phase, parse_rules, read_rules
from demur.errors import InputError

WHOLE = """
name = "Flights 2027"
withdrawn_counts = false
[scoring]
by = "cas"
measure = "error@0.2"
weight = 3
context = "alone"
no_answer = ["idk"]
[board]
rates = [0.1, 0.2]
digits = 3
most_gain = 0.01
ladder = 0.02
[[phases]]
name = "practice"
opens = 2027-02-01T00:00:00Z
closes = 2027-02-15T00:00:00Z
[[phases]]
name = "test"
opens = 2027-03-01T00:00:00+00:00
closes = 2027-03-15T00:00:00Z
submissions = 5
per_day = 2
grace = 60
"""


def changed(old: str, new: str) -> str:
    assert old in WHOLE
    return WHOLE.replace(old, new)


def test_all_keys_are_read():
    rules = parse_rules(WHOLE)
    assert (rules.name, rules.withdrawn_counts) == ("Flights 2027", False)
    assert (rules.scoring.by, rules.scoring.weight) == ("cas", 3.0)
    assert (rules.scoring.rate, rules.scoring.no_answer) == (0.2, ("idk",))
    assert (rules.board.rates, rules.board.ladder) == ((0.1, 0.2), 0.02)
    assert [phase.name for phase in rules.phases] == ["practice", "test"]
    assert rules.phases[1].ends - rules.phases[1].closes == timedelta(minutes=1)
    assert rules.text == WHOLE


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("weight = 3", "wieght = 3", r"\[scoring\].*wieght.*mean 'weight'"),
        ("digits = 3", "digit = 3", r"\[board\].*Did you mean 'digits'"),
        ("per_day", "perday", "phase 2: a key must .*Did you mean 'per_day'"),
        ('name = "Flights 2027"', 'nmae = "x"', "Did you mean 'name'"),
        ('name = "Flights 2027"', "", "name must be a name on one line"),
        ('name = "Flights 2027"', r'name = "a\nb"', "name on one line"),
        ('by = "cas"', "", r"\[scoring\]: by must be there"),
        ('by = "cas"', "by = 3", "by must be a text"),
        ("error@0.2", "error@1.2", "measure must be .error."),
        ("error@0.2", "rihgt", "measure must be .error."),
        ('context = "alone"', 'context = "alnoe"', "Did you mean 'alone'"),
        ("weight = 3", "weight = -1", "weight must be a number"),
        ("weight = 3", "weight = true", "weight must be a number"),
        ("rates = [0.1, 0.2]", "rates = 0.2", "rates must be a list"),
        ("rates = [0.1, 0.2]", "rates = [2]", "each of rates"),
        ("digits = 3", "digits = 0", "digits must be a whole number"),
        ("digits = 3", "digits = 7", "digits must be at most 6"),
        ("per_day = 2", "per_day = 0", "per_day must be a whole number from 1"),
        ("per_day = 2", "per_day = 1.5", "per_day must be a whole number"),
        ("grace = 60", "grace = -1", "grace must be a whole number from 0"),
        ("2027-03-15T00:00:00Z", "2027-03-15T00:00:00", "say that it is in UTC"),
        ("2027-03-15T00:00:00Z", "2027-03-15T00:00:00+01:00", "closes must be in UTC"),
        ("2027-03-15T00:00:00Z", "2027-03-15", "closes must be a date with a time"),
        ("2027-03-15T00:00:00Z", "2027-03-15T00:00:00.5Z", "a whole second"),
        ("2027-03-15T00:00:00Z", '"soon"', "closes must be a date with a time"),
        ("2027-03-15T00:00:00Z", "2027-03-01T00:00:00Z", "closes must be after"),
        ("2027-03-15T00:00:00Z", "2027-02-28T00:00:00Z", "closes must be after"),
        ("2027-02-15T00:00:00Z", "2027-03-01T00:00:01Z", "phase 2: a phase must not"),
        ('name = "test"', 'name = "practice"', "a name of its own"),
        ("2027-02-01", "2027-05-01", "closes must be after"),
        ("[board]", "[bored]", "Did you mean 'board'"),
        ("[board]\n", "[board\n", "the rules must be TOML"),
        ("withdrawn_counts = false", 'withdrawn_counts = "no"', "True or False"),
    ],
)
def test_what_makes_no_sense_is_refused(old, new, message):
    refuses(message, parse_rules, changed(old, new))


def test_phases_in_the_wrong_order_are_refused():
    first, _, rest = WHOLE.partition("[[phases]]")
    before, _, after = rest.partition("[[phases]]")
    refuses(
        "in order of time", parse_rules, f"{first}[[phases]]{after}[[phases]]{before}"
    )


def test_a_grace_that_reaches_into_the_next_phase_is_refused():
    text = changed("2027-02-15T00:00:00Z", "2027-03-01T00:00:00Z\ngrace = 1")
    refuses("not open before 'practice' is over", parse_rules, text)
    parse_rules(changed("2027-02-15T00:00:00Z", "2027-03-01T00:00:00Z"))


def test_a_campaign_without_phases_is_refused():
    refuses("phases must be a list", parse_rules, WHOLE.partition("[[phases]]")[0])
    text = WHOLE.partition("[[phases]]")[0].replace(
        "[scoring]", "phases = 3\n[scoring]"
    )
    refuses("phases must be a list", parse_rules, text)


def test_a_phase_is_open_to_the_second():
    phase = parse_rules(WHOLE).phases[0]
    second = timedelta(seconds=1)
    assert not phase.is_open(phase.opens - second)
    assert phase.is_open(phase.opens)
    assert phase.is_open(phase.closes - second)
    assert not phase.is_open(phase.closes)
    graced = Phase("test", phase.opens, phase.closes, grace=2)
    assert graced.is_open(phase.closes + second)
    assert not graced.is_open(phase.closes + 2 * second)


def test_a_mark_of_utf_8_is_no_part_of_the_rules(tmp_path):
    path = tmp_path / "campaign.toml"
    path.write_bytes(b"\xef\xbb\xbf" + WHOLE.encode())
    assert read_rules(path).name == "Flights 2027"
    path.write_bytes(b"name = '\xff'")
    refuses("be UTF-8", read_rules, path)
    refuses("be a file that can be read", read_rules, tmp_path / "none.toml")
    refuses("be a file that can be read", read_rules, tmp_path)


def test_days_are_those_of_utc():
    late = datetime(2027, 3, 1, 23, 59, 59, tzinfo=UTC)
    assert (day_of(late), day_of(late + timedelta(seconds=1))) == (
        "2027-03-01",
        "2027-03-02",
    )
    assert next_day(late) == late + timedelta(seconds=1)
    assert moment("x", "now", "2028-02-29T00:00:00Z").day == 29
    for text in ("2027-02-29T00:00:00Z", "", "now", "12:00", "2027-03-01T24:61:00Z"):
        refuses("be a date with a time", moment, "x", "now", text)


VALUES = ["3", "-1", "1.5", "nan", "inf", '"x"', "[]", "{}", "true", "12:00:00"]
VALUES += [
    "2027-03-01",
    "2027-03-01T00:00:00",
    '""',
    "[[]]",
    '["a"]',
    "1e400",
    "9" * 99,
]


@pytest.mark.parametrize("seed", storm(range(2_000), sample=80))
def test_damaged_rules_are_read_or_refused_in_a_line(seed):
    draw = random.Random(seed)
    lines = WHOLE.split("\n")
    for _ in range(draw.randrange(1, 3)):
        at = draw.randrange(len(lines))
        key, equals, _ = lines[at].partition("= ")
        other = draw.choice(lines)
        cut = lines[at][: draw.randrange(len(lines[at]) + 1)]
        changed = key + equals + draw.choice(VALUES) if equals else other
        lines[at] = draw.choice([changed, cut, other])
    try:
        rules = parse_rules("\n".join(lines))
    except InputError as error:
        assert str(error).startswith("campaign.toml")  # noqa: PT017
        assert str(error).isprintable()  # noqa: PT017
    else:
        assert rules.name
        assert rules.phases
