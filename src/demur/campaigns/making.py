"""A new folder of a campaign, with rules to be filled in."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from demur.campaigns.chain import Log, make_log
from demur.campaigns.folder import KEY, LOG, RULES, Campaign
from demur.campaigns.moments import moment_text
from demur.checks import filled
from demur.errors import InputError, shown
from demur.files import new_folder

_RULES: Final = """\
# The rules of this campaign. Whatever changes here is logged with the next step.
name = {name}

[scoring]
by = {by}                   # how answers are judged, as demur judge --by
# missing, unmatched, no_answer, databases: as the options of demur judge
measure = "error@0.2"        # what ranks: "error" (the systems' own decisions),
                             # "error@RATE" (at that share not answered), or
                             # "weighted_error"
weight = 2                   # of a wrong answer, for "weighted_error"
context = "excluded"         # when the context of a dialogue is reset

[board]
rates = [0.2]                # an open board shows the error at these rates
digits = 2                   # decimals of each, as a share: 2 are whole percents
most_gain = 0.05             # what may be learnt beyond guessing, share of the items
# ladder = 0.02              # a number changes only if it is better by this much
show = "best"                # of a team's submissions, or "last"
# accepts = ["leak"]         # a board that gives away more than most_gain

[[phases]]
name = "test"
opens = {opens}  # UTC
closes = {closes}  # the first second that is too late
submissions = 5              # valid ones of a team in this phase
per_day = 2                  # and in a UTC day
# grace = 300                # seconds in which late answers are taken, and noted

# [[phases]] may follow one another, each after the one before is over.
"""

_README: Final = """\
# {title}

A campaign in a folder: questions go out, answers come back, and one rule scores all.

- `campaign.toml`: the rules.
- `log.jsonl`: whatever happened, in order. Lines are only added, and each holds the
  hash of the line before. Do not edit it: `demur campaign verify .` finds any change.
- `questions/`: what the sites contributed, without answers.
- `hidden/`: the answers, and a key. They are in no pack, and git leaves them out:
  back them up.
- `pack/`: what is sent to the teams.
- `submissions/`: the answers of the teams, as they came, by number.
- `verdicts/`, `boards/`: what scoring made of them, by version.

Begin with `demur campaign --help`; `demur campaign status .` says where it stands.
"""

_IGNORED: Final = """\
# The hidden answers stay out of the repository; so do verdicts, which tell as much.
hidden/
verdicts/
*.token
*.part
"""

_FOLDERS: Final = ("questions", "hidden", "submissions", "verdicts", "boards")


def make_campaign(
    path: str | os.PathLike[str],
    *,
    name: str,
    when: datetime,
    key: str,
    by: str = "cas",
) -> Campaign:
    """A new folder of a campaign.

    Parameters
    ----------
    path : path
        Not there yet, or an empty folder.
    name : str
    when : datetime
        In UTC; the first phase of the rules opens a week later.
    key : str
        Drawn at random: with it hidden files are hashed, and nobody who has it not can
        tell from a hash what is in them.
    by : str
        How answers are judged.

    Raises
    ------
    InputError
        If the folder holds something, or the name is none.
    """
    filled("make_campaign", "name", name)
    filled("make_campaign", "key", key)
    if not name.isprintable():
        need = "be a name on one line"
        raise InputError("make_campaign", "name", need, shown(name))
    opens = when.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    opens += timedelta(days=7)
    rules = _RULES.format(
        name=_toml_text(name),
        by=_toml_text(by),
        opens=moment_text(opens),
        closes=moment_text(opens + timedelta(days=14)),
    )
    with new_folder(path) as folder:
        for part in _FOLDERS:
            (folder / part).mkdir()
        (folder / RULES).write_text(rules, "utf-8")
        (folder / "README.md").write_text(_README.format(title=name), "utf-8")
        (folder / ".gitignore").write_text(_IGNORED, "utf-8")
        (folder / "hidden").chmod(0o700)
        (folder / KEY).write_text(f"{key}\n", "utf-8")
        make_log(folder / LOG)
        Log(folder / LOG).append("made", when=when, name=name)
    return Campaign(Path(path))


def _toml_text(text: str) -> str:
    """A text as TOML has it, which is as JSON has it."""
    import json

    return json.dumps(text, ensure_ascii=False)
