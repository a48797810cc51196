"""Items are the same if their ids are, not because they stand in the same place."""

from __future__ import annotations

from typing import Any

import pandas as pd

import demur
from natural.asking import judged, lines, shell
from natural.ends import Shown, case, gives, noted, refused


def tokens(senses: list[str], word: str) -> demur.Difficulty:
    rows = {"word": [word] * len(senses), "sense": senses}
    return demur.difficulty(rows, markable="word", value="sense")


def swapped_versions() -> demur.Scalability:
    """Two versions of equal size; each is given the outcomes of the other."""
    easy = tokens(["a"] * 30 + ["b"] * 10, "bank")
    hard = tokens(["a", "b", "c", "d"] * 10, "run")
    of = {
        name: demur.try_methods(version)[-1].outcomes
        for name, version in (("easy", easy), ("hard", hard))
    }
    return demur.scalability({"easy": (easy, of["hard"]), "hard": (hard, of["easy"])})


def named_versions() -> demur.Scalability:
    """The same, where items have names, which differ."""
    rows = {
        "id": [f"x{number}" for number in range(8)],
        "word": ["bank"] * 8,
        "sense": ["a", "b"] * 4,
    }
    version = demur.difficulty(rows, markable="word", value="sense", item="id")
    others = demur.Outcomes.from_arrays(
        item=[f"y{number}" for number in range(8)], correct=[True] * 8
    )
    return demur.scalability({"first": (version, others), "second": (version, others)})


def pair(a: list[Any], b: list[Any]) -> Shown:
    """Two systems that are right about the same half of the items."""
    outcomes = [
        demur.Outcomes.from_arrays(
            item=items,
            correct=[int(str(item).strip("q")) < len(items) / 2 for item in items],
            confidence=[int(str(item).strip("q")) % 5 for item in items],
        )
        for items in (a, b)
    ]
    result = demur.compare(*outcomes)
    return Shown({"difference": result.difference.value}, "\n".join(result.notes))


NUMBERS = list(range(12))
IDS = [f"q{number}" for number in NUMBERS]


def answers(of: Any, references: Any, **options: Any) -> demur.Outcomes:
    return demur.judge(
        [{"item": item, "response": "x"} for item in of],
        [{"item": item, "reference": "x"} for item in references],
        **options,
    )


def framed_ids() -> demur.Outcomes:
    """A gap further down has made floats of the ids of the responses."""
    frame = pd.DataFrame({"item": [1, 2, None], "response": ["x", "y", "z"]})
    references = pd.DataFrame({"item": [1, 2], "reference": ["x", "z"]})
    return demur.judge(frame[:2], references)


def asked_twice() -> Shown:
    inputs = [("q1", "Is it open?"), ("q2", "Is it open?"), ("q3", "Where?")]
    system = demur.as_system(lambda text: text.upper())
    responses = list(demur.run(system, inputs))
    return Shown({"items": " ".join(str(one.item) for one in responses)})


PROMPTS = (
    {"item": "q1", "system": "m", "prompt": "short", "correct": True},
    {"item": "q1", "system": "m", "prompt": "long", "correct": False},
)

CASES = (
    case(
        "versions-swapped",
        swapped_versions,
        noted("item"),
        refused("item"),
    ),
    case("versions-of-other-items", named_versions, refused("item")),
    case(
        "rows-told-apart-by-prompt",  # the column that differs is the one to name
        shell("curve o.jsonl --json", o_jsonl=lines(*PROMPTS)),
        refused("o.jsonl:2|q1", "prompt"),
    ),
    case(
        "responses-told-apart-by-prompt",
        shell(
            "judge r.jsonl f.jsonl --json",
            r_jsonl=lines(
                {"item": "q1", "prompt": "short", "response": "x"},
                {"item": "q1", "prompt": "long", "response": "y"},
            ),
            f_jsonl=lines({"item": "q1", "reference": "x"}),
        ),
        refused("q1", "prompt"),
    ),
    case(
        "responses-without-item",  # a prompt that comes twice names no item
        shell(
            "judge r.jsonl f.jsonl --json",
            r_jsonl=lines(
                {"prompt": "Is it open?", "response": "yes"},
                {"prompt": "Is it open?", "response": "no"},
            ),
            f_jsonl=lines({"item": "q1", "reference": "yes"}),
        ),
        refused("r.jsonl:1", "item"),
    ),
    case(
        "references-listed-twice",
        lambda: answers(["q1"], ["q1", "q1"]),
        refused("q1", "twice|two|again|once|another"),
    ),
    case(
        "compared-in-other-order",
        lambda: pair(IDS, IDS[::-1]),
        gives(difference=0.0),
    ),
    case(
        "compared-with-other-items",
        lambda: pair(IDS, [*IDS[:-1], "q99"]),
        refused("q11|q99|item"),
    ),
    case(
        "compared-texts-and-numbers",
        lambda: pair([str(number) for number in NUMBERS], NUMBERS),
        gives(difference=0.0),
        refused("item"),
    ),
    case(
        "joined-number-and-text",
        lambda: answers([1, 2], ["2", "1"]),
        gives(right=2),
    ),
    case(
        "joined-number-and-its-decimal",
        shell(
            "judge r.csv f.jsonl --json",
            r_csv="item,response\n1.0,x\n2.0,y\n",
            f_jsonl=lines({"item": 1, "reference": "x"}, {"item": 2, "reference": "z"}),
        ),
        gives(right=1, wrong=1),
        refused("1.0"),
    ),
    case("joined-frame-ids-with-gap", framed_ids, gives(right=1, wrong=1)),
    case(
        "joined-leading-zeros",
        lambda: answers(["01"], ["1"]),
        refused("01"),
    ),
    case("joined-case", lambda: answers(["Q1"], ["q1"]), refused("Q1")),
    case(
        "joined-outer-space",
        lambda: answers(["q1 "], ["q1"]),
        gives(right=1),
        refused("q1"),
    ),
    case(
        "joined-mark-apart",
        lambda: answers(["cafe\u0301"], ["caf\u00e9"]),
        gives(right=1),
        refused("caf"),
    ),
    case(
        "joined-flag-and-number",
        lambda: answers([True], [1]),
        refused("item"),
    ),
    case(
        "joined-long-numbers",  # they differ in a digit that floats lose
        lambda: answers([9007199254740993], [9007199254740992]),
        refused("9007199254740993"),
    ),
    case(
        "joined-long-numbers-in-json",
        shell(
            "judge r.jsonl f.jsonl --json",
            r_jsonl=lines({"item": 9007199254740993, "response": "x"}),
            f_jsonl=lines({"item": 9007199254740993, "reference": "x"}),
        ),
        gives(right=1),
    ),
    case(
        "joined-missing-id",
        lambda: answers([None, "q2"], ["q1", "q2"]),
        refused("item"),
    ),
    case("asked-twice", asked_twice, gives(items="q1 q2 q3")),
    case(
        "judged-in-other-order",
        lambda: demur.judge(
            [{"item": "b", "response": "2"}, {"item": "a", "response": "1"}],
            [{"item": "a", "reference": "1"}, {"item": "b", "reference": "2"}],
        ),
        gives(verdicts="right right", items=["b", "a"]),
    ),
    case(
        "judged-same-text-twice",
        lambda: judged(["x", "x"], ["x", "y"]),
        gives(verdicts="right wrong"),
    ),
    case(
        "outcomes-one-system-in-two-files",
        shell(
            "curve a.jsonl b.jsonl --json",
            a_jsonl=lines({"item": "q1", "correct": True}),
            b_jsonl=lines({"item": "q1", "correct": False}),
        ),
        refused("q1"),
        noted("a", "b", "file"),
        gives(right=0, wrong=1),
    ),
)
