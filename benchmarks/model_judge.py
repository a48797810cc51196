"""A small real model as a judge: how often it is right, and how much it can tell.

``python benchmarks/model_judge.py MODEL@URL [N]`` has a chat endpoint, such as a small
model served on this machine, judge N (30) capitals: once the right one in other words,
once another capital. For each rubric it prints how many right answers the judge calls
right (sensitivity), how many wrong ones it calls wrong (specificity), how many it
leaves untold, and how many verdicts are other ones when the choices are turned.
"""

import sys
from typing import Any

from chat_confidences import CAPITALS

import demur

SHAPES = ("{}", "It is {}.", "The capital is {}, I believe.")


def cases(count: int) -> list[tuple[bool, demur.JudgeCase]]:
    """Answers with whether they are right, the right and a wrong one in turn."""
    pairs = list(CAPITALS.items())[:count]
    made = []
    for number, (country, capital) in enumerate(pairs):
        other = pairs[(number + 7) % len(pairs)][1]
        for is_right, place in ((True, capital), (False, other)):
            answer = SHAPES[number % len(SHAPES)].format(place)
            question = f"What is the capital of {country}?"
            made.append(
                (is_right, demur.JudgeCase(answer, question, ((capital, 1.0),)))
            )
    return made


def row(judge: demur.JudgeModel, count: int) -> str:
    """The figures of one judge."""
    known = cases(count)
    listed = [case for _, case in known]
    plain = judge.verdicts(listed)
    told = [at for at, verdict in enumerate(plain) if verdict.credit is not None]
    turned = judge.verdicts([listed[at] for at in told], demur.Asking(turned=True))
    counts: dict[str, Any] = {"right": [0, 0], "wrong": [0, 0]}
    for (is_right, _), verdict in zip(known, plain, strict=True):
        kind = counts["right" if is_right else "wrong"]
        kind[0] += verdict.credit == (1.0 if is_right else 0.0)
        kind[1] += 1
    untold = sum(verdict.credit is None for verdict in plain)
    both = [
        (plain[at].credit, other.credit)
        for at, other in zip(told, turned, strict=True)
        if other.credit is not None
    ]
    changed = sum(one != other for one, other in both)
    sure = sum(verdict.confidence is not None for verdict in plain)
    return (
        f"| `{judge.rubric.name}` | {counts['right'][0]} of {counts['right'][1]} | "
        f"{counts['wrong'][0]} of {counts['wrong'][1]} | {untold} of {len(plain)} | "
        f"{changed} of {len(both)} | {sure} |"
    )


def main() -> None:
    """Print a table."""
    target, count = sys.argv[1], int((*sys.argv[2:], 30)[0])
    print(
        "| rubric | right called right | wrong called wrong | untold | turned | sure |"
    )
    print("|---|---|---|---|---|---|")
    parameters = {"temperature": 0, "max_tokens": 60}
    for rubric in ("same-answer", "three-grades"):
        judge = demur.JudgeModel(target, rubric, parameters=parameters)
        print(row(judge, count), flush=True)


if __name__ == "__main__":
    main()
