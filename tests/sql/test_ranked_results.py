"""Choices of tied rows: by membership, and by brute force."""

import random
from itertools import chain, combinations, product

import numpy as np
import pytest

from demur import TableSettings
from demur.answers import Relation, compare_relations
from demur.sql.ranked_results import RankedResult

CELLS = (0, 1, 1.00001, "x", None)


def ranking_of(draw):
    """A ranking of up to seven rows."""
    width, size = draw.randint(1, 2), draw.randint(1, 7)
    rows = [tuple(draw.choices(CELLS, k=width)) for _ in range(size)]
    groups = np.cumsum([0, *draw.choices([0, 0, 1], k=size - 1)])
    begin = draw.randrange(size)
    end = draw.randint(begin + 1, size)
    return RankedResult(Relation.from_rows(rows), groups, begin, end, more=False)


def answer_of(ranking, draw):
    """An answer: one of the choices, often changed."""
    rows = ranking.rows.rows()
    answer = [rows[at] for at in draw.choice(every_choice(ranking))]
    if draw.random() < 0.5:
        answer[draw.randrange(len(answer))] = draw.choice(rows)
    if draw.random() < 0.5:
        draw.shuffle(answer)
    if draw.random() < 0.3:
        answer = [*answer, draw.choice(answer)]
    if draw.random() < 0.5:
        answer = [(*row[::-1], draw.choice(CELLS)) for row in answer]
    return Relation.from_rows(answer)


def every_choice(ranking):
    """All sets of rows that LIMIT may take."""
    parts = []
    for group in np.unique(ranking.groups):
        rows = np.flatnonzero(ranking.groups == group).tolist()
        count = sum(ranking.begin <= row < ranking.end for row in rows)
        parts.append(list(combinations(rows, count)))
    return [tuple(chain(*parts)) for parts in product(*parts)]


def is_right(answer, choices, settings, *, ordered):
    for rows, groups in choices:
        places = groups.astype(np.uint64) if ordered else None
        verdict = compare_relations(
            response=answer, reference=rows, settings=settings, places=places
        )
        if verdict.right:
            return True
    return False


@pytest.mark.parametrize("mode", ["cas2", "bag", "bird-ex", "order_from_sql"])
def test_membership_decides_as_all_choices_do(mode):
    ordered = mode == "order_from_sql"
    settings = TableSettings(ordered=True) if ordered else TableSettings(mode=mode)
    draw, outcomes = random.Random(mode), []
    for _ in range(50):
        ranking = ranking_of(draw)
        answer = answer_of(ranking, draw)
        every = [
            (ranking.rows.taken(taken), ranking.groups[list(taken)])
            for taken in every_choice(ranking)
        ]
        like = [*ranking.choices(answer, settings, ordered=ordered)]
        like.append(ranking.answer())
        expected = is_right(answer, every, settings, ordered=ordered)
        found = is_right(answer, like, settings, ordered=ordered)
        assert found == expected, (ranking, ranking.rows.rows(), answer.rows())
        outcomes.append(found)
    assert 5 < sum(outcomes) < 45


def test_what_one_group_alone_can_give_is_taken_from_it():
    rows, groups = Relation.from_rows([["a"], ["b"], ["a"], ["c"]]), [0, 0, 1, 1]
    ranking = RankedResult(rows, np.array(groups), 1, 3, more=False)
    for mode in ("cas2", "bag"):
        answer, settings = Relation.from_rows([["a"], ["b"]]), TableSettings(mode=mode)
        ((like, _),) = ranking.choices(answer, settings, ordered=False)
        assert like.rows() == [("b",), ("a",)]
