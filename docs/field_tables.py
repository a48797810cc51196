"""Write tables of fields, reasons and other lists on a page, from those of the package.

One of fields stands between ``<!-- fields: RECORD ... -->`` and ``<!-- end of fields
-->``, that of reasons between ``<!-- reasons -->`` and ``<!-- end of reasons -->``, one
of confidences between ``<!-- confidences: chats -->``, or ``estimators``, and
``<!-- end of confidences -->``, that of questions between ``<!-- questions -->`` and
``<!-- end of questions -->``. Run, with ``--check`` to compare::

    python docs/field_tables.py docs/fields.md docs/systems.md docs/which_command.md
"""

import argparse
import re
from pathlib import Path

from demur.cli.topics import TOPICS
from demur.outcomes.fields import FIELDS
from demur.outcomes.reasons import REASONS
from demur.systems.adapters.confidences import (
    ChatConfidence,
    ScoreConfidence,
    confidences,
)

_TABLE = re.compile(
    r"(?P<begin><!-- fields: (?P<records>[a-z ]+) -->\n).*?"
    r"(?P<end><!-- end of fields -->)",
    re.DOTALL,
)
_REASONS = re.compile(r"(<!-- reasons -->\n).*?(<!-- end of reasons -->)", re.DOTALL)
_TOPICS = re.compile(r"(<!-- questions -->\n).*?(<!-- end of questions -->)", re.DOTALL)
_CONFIDENCES = re.compile(
    r"(<!-- confidences: (chats|estimators) -->\n).*?(<!-- end of confidences -->)",
    re.DOTALL,
)


def main() -> int:
    """Write the pages, or with ``--check`` say whether one would change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    changed = 0
    for page in options.pages:
        text = page.read_text("utf-8")
        new = written(text)
        changed += new != text
        if not options.check:
            page.write_text(new, "utf-8")
    return 1 if changed and options.check else 0


def written(text: str) -> str:
    """The text of a page with its tables as they are now."""
    text = _REASONS.sub(lambda match: f"{match[1]}{reasons()}{match[2]}", text)
    text = _TOPICS.sub(lambda match: f"{match[1]}{questions()}{match[2]}", text)
    text = _CONFIDENCES.sub(
        lambda match: f"{match[1]}{confidence_methods(match[2])}{match[3]}", text
    )
    return _TABLE.sub(
        lambda match: f"{match['begin']}{table(match)}{match['end']}", text
    )


def table(match: re.Match[str]) -> str:
    """The fields of some records, in the order of the table."""
    wanted = set(match["records"].split())
    rows = [
        f"| `{name}` | {field.meaning} |"
        for name, field in FIELDS.items()
        if wanted & set(field.of.split())
    ]
    head = ["| field | holds |", "|---|---|"]
    last = "| anything else | kept; usable with `--by` and `--where` |"
    return "\n".join([*head, *rows, last, ""])


def reasons() -> str:
    """The codes of reasons, in the order of the table."""
    head = ["| `reason_code` | says |", "|---|---|"]
    rows = [f"| `{code}` | {meaning} |" for code, meaning in REASONS.items()]
    return "\n".join([*head, *rows, ""])


def questions() -> str:
    """What ``demur help`` tells, in its order."""
    head = ["| question | command | page |", "|---|---|---|"]
    rows = [
        f"| {topic.question} | `demur {topic.command}` | [{name}]({topic.page}.md) |"
        for name, topic in TOPICS.items()
    ]
    return "\n".join([*head, *rows, ""])


def confidence_methods(asked: str) -> str:
    """The confidence methods of chats, as the command spells them, or of estimators."""
    if asked == "chats":
        names = {
            name.replace("_", "-"): method
            for name, method in confidences(ChatConfidence).items()
        }
    else:
        names = confidences(ScoreConfidence)
    head = ["| confidence | what it is |", "|---|---|"]
    rows = [
        f"| `{name}` | {'. '.join(filter(None, (method.help, method.details)))} |"
        for name, method in names.items()
    ]
    return "\n".join([*head, *rows, ""])


if __name__ == "__main__":
    raise SystemExit(main())
