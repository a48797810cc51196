"""The verb that holds judges against people: judged outcomes become outcomes of judges.

A judge is a system whose items are answers and whose guesses are verdicts. It is right
where it says what people say, wrong where it does not, unanswered where it cannot tell.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats
from demur.checks import choice, did_you_mean, names_shown, text
from demur.errors import InputError, shown
from demur.judge_models.arrangements import PEOPLE, UNDECIDED
from demur.outcomes.fields import (
    OUTCOMES,
    RIGHT,
    UNANSWERED,
    UNGRADED,
    VERDICT_CONFIDENCE,
)
from demur.outcomes.parts import check_rows
from demur.outcomes.reasons import FAILED, IDK, UNLABELLED
from demur.outcomes.table import Outcomes
from demur.outcomes.verdict_words import losses_of_people, word_of
from demur.results.contract import joined_recipes

VERDICT: Final = "verdict"
"""The column with what a judge says: right or wrong."""

ANSWERED_BY: Final = "answered_by"
"""The column with whose answer was judged."""

ANSWER: Final = "answer"
"""The column with the answer that was judged, for display."""

WITHOUT_CONFIDENCE: Final = ("lowest", "refuse")
"""What becomes of a verdict without a confidence where others of its judge have one."""

_WHERE: Final = "judge_outcomes"
_WORDS: Final = {1: "right", 0: "wrong", UNDECIDED: None}

Key = tuple[str, str | None, str, str | None, str | None]
"""What an answer is joined by: item, part, system, setting and repeat."""


def judge_outcomes(
    judged: Outcomes | Mapping[str, Outcomes],
    *,
    gold: str,
    items: str = "equal",
    without_confidence: str = "lowest",
) -> Outcomes:
    """Outcomes of judges, by people's verdicts on the same answers.

    Each judged answer is an item, and each judge a system: right if its verdict is that
    of people, wrong if it is the other, unanswered if it could not tell, and with the
    kind ``failed`` if it could not be had. Where people have no verdict the row is
    ungraded, with the reason code ``unlabelled``; ``label_weight`` is kept, so that a
    sample drawn by `demur.sample` stays one. So curves, cutoffs, certificates and
    comparisons of judges are those of any system.

    Parameters
    ----------
    judged : Outcomes, or mapping of str to Outcomes
        What each judge has made of the same answers, by its name, as `demur.judge` has
        it: ``right``, ``wrong``, or ungraded where it could not tell. A further column
        ``verdict_confidence`` says how sure it is, on any scale, higher is surer.
        Answers are joined by item, part, system, setting and repeat, never by
        position.
        Credit in part counts as right: judges and people agree on right or not right.
    gold : str
        The column with people's verdicts: right or wrong, empty where people have not
        judged, ungraded where they could not. It is in one of the tables, or says the
        same in several.
    items : {"equal", "common"}
        Whether all judges must have judged the same answers, or only those that all
        have are kept, and the others counted in a note.
    without_confidence : {"lowest", "refuse"}
        What becomes of a verdict without a confidence where others of its judge have
        one: it is less sure than all that have one (-inf), or an error.

    Returns
    -------
    Outcomes
        With the columns ``verdict``, ``answered_by``, ``answer`` (if responses were
        kept) and that of people's verdicts. Answers to one item are one cluster.
        Answers that no judge was given, since the system gave none, are left out. Where
        one judge has taken an answer for none and another has not, the first says "not
        right".

    Raises
    ------
    InputError
        If there is no such column, the judges have judged other answers, people's
        verdicts contradict each other, or a confidence is no number.

    Examples
    --------
    >>> import demur
    >>> judged = demur.Outcomes.from_arrays(
    ...     outcome=["right", "right", "wrong", "ungraded"],
    ...     groups={"people": ["right", "wrong", None, "right"],
    ...             "verdict_confidence": [0.9, 0.6, 0.8, None]})
    >>> judges = demur.judge_outcomes({"small": judged}, gold="people")
    >>> judges.column("outcome").tolist(), judges.column("reason_code").tolist()
    (['right', 'wrong', 'ungraded', 'unanswered'], [None, None, 'unlabelled', None])
    """
    tables = _tables(judged)
    text(_WHERE, "gold", gold)
    choice(_WHERE, "items", items, ["equal", "common"])
    choice(_WHERE, "without_confidence", without_confidence, WITHOUT_CONFIDENCE)
    _check_gold(tables, gold)
    joined = _joined(tables, items)
    kept, left = _with_an_answer(joined)
    people = _people(kept, gold)
    left += _not_told(kept, gold, people)
    columns, notes = _columns(kept, people, without_confidence)
    groups = _groups(kept, gold, people)
    recipe = joined_recipes(table.recipe for table in tables.values())
    return Outcomes.from_columns(
        columns,
        groups=groups,
        recipe=recipe | {"judges": "+".join(tables), "people": gold},
        notes=[
            *kept.notes,
            *left,
            *_partly(kept),
            *notes,
            *_twins(kept),
            *_other_answers(kept),
        ],
    )


@dataclass(frozen=True, eq=False)
class JoinedJudges:
    """Tables of several judges with the same answers in the same order.

    Parameters
    ----------
    names : tuple of str
        The judges.
    tables : list of Outcomes
        One for each.
    keys : list of Key
        The answers.
    notes : tuple of str
        What was left out.
    """

    names: tuple[str, ...]
    tables: list[Outcomes]
    keys: list[Key]
    notes: tuple[str, ...] = ()

    def take(self, rows: Flags) -> "JoinedJudges":
        """Some of the answers."""
        keys = [key for key, kept in zip(self.keys, rows, strict=True) if kept]
        tables = [table.take(rows) for table in self.tables]
        return JoinedJudges(self.names, tables, keys, self.notes)

    @property
    def codes(self) -> npt.NDArray[np.uint8]:
        """The outcomes by each judge, of shape (n_judges, n_answers)."""
        return np.array([table.outcome.codes for table in self.tables])

    def with_group(self, name: str) -> list[tuple[str, Outcomes]]:
        """The judges whose tables have a further column."""
        pairs = zip(self.names, self.tables, strict=True)
        return [(judge, table) for judge, table in pairs if name in table.groups]


# -- joined --------------------------------------------------------------------------


def _tables(judged: Outcomes | Mapping[str, Outcomes]) -> dict[str, Outcomes]:
    if not isinstance(judged, Mapping):
        judged = {"judge": judged}
    if not judged:
        hint = "Give outcomes, or a mapping of names to such."
        raise InputError(_WHERE, "judged", "hold at least one judge", "none", hint)
    for name, table in judged.items():
        check_rows(_WHERE, table)
        text(_WHERE, "the name of a judge", name)
        if name.strip() in ("", PEOPLE):
            need = f"be one that is not {PEOPLE}"
            hint = "It stands in arrangements: vote(NAME, ...)."
            raise InputError(_WHERE, "the name of a judge", need, shown(name), hint)
    return dict(judged)


def _check_gold(tables: Mapping[str, Outcomes], gold: str) -> None:
    names = dict.fromkeys(name for table in tables.values() for name in table.groups)
    if gold in (VERDICT, ANSWERED_BY, ANSWER, VERDICT_CONFIDENCE):
        need = f"not be {gold}, which says something else of judges"
        raise InputError(_WHERE, "gold", need, shown(gold), "Rename the column.")
    if gold not in names:
        need = "name a column with people's verdicts"
        hint = did_you_mean(gold, names) or "demur sample --for judge makes one."
        got = f"{shown(gold)}, where there are {names_shown(names)}"
        raise InputError(_WHERE, "gold", need, got, hint)


def _keys(table: Outcomes) -> list[Key]:
    nothing = [None] * len(table)
    part, setting, repeat = (
        nothing if column is None else column.tolist()
        for column in (table.part, table.setting, table.repeat)
    )
    items = map(str, table.item.tolist())
    return list(zip(items, part, table.system.tolist(), setting, repeat, strict=True))


def _looked_at(table: Outcomes) -> Outcomes:
    """The answers that the judge was asked about."""
    if table.reason_code is None:
        return table
    waiting = (table.outcome == UNGRADED) & (table.reason_code == UNLABELLED)
    return table.take(~waiting.astype(bool)) if waiting.any() else table


def _joined(tables: Mapping[str, Outcomes], items: str) -> JoinedJudges:
    """The answers that all judges have, in the order of the first."""
    looked_at = {name: _looked_at(table) for name, table in tables.items()}
    rows = {
        name: {key: row for row, key in enumerate(_keys(table))}
        for name, table in looked_at.items()
    }
    first, *others = rows.values()
    common = [key for key in first if all(key in other for other in others)]
    if not common:
        raise _nothing_common(rows)
    left_out = {name: len(row_of) - len(common) for name, row_of in rows.items()}
    if any(left_out.values()) and items == "equal":
        raise _unequal(rows, set(common), left_out)
    taken = [
        table.take(np.array([rows[name][key] for key in common], np.int64))
        for name, table in looked_at.items()
    ]
    return JoinedJudges(tuple(tables), taken, common, _left_out_note(common, left_out))


def _key_text(key: Key) -> str:
    return shown(", ".join(part for part in key if part))


def _nothing_common(rows: Mapping[str, Mapping[Key, int]]) -> InputError:
    firsts = [
        f"{name}: {_key_text(next(iter(row)))}" for name, row in rows.items() if row
    ]
    need, hint = (
        "have judged some of the same answers",
        "Are they files of other items?",
    )
    got = f"none in common ({'; '.join(firsts)})" if firsts else "no answers"
    return InputError(_WHERE, "the judges", need, got, hint)


def _unequal(
    rows: Mapping[str, Mapping[Key, int]], common: set[Key], left_out: Mapping[str, int]
) -> InputError:
    name = max(left_out, key=lambda name: left_out[name])
    alone = next(key for key in rows[name] if key not in common)
    got = f"{left_out[name]} only of {name}, such as {_key_text(alone)}"
    hint = "items='common' (--items common) keeps what all have judged."
    return InputError(_WHERE, "the judges", "have judged the same answers", got, hint)


def _left_out_note(
    common: Sequence[Key], left_out: Mapping[str, int]
) -> tuple[str, ...]:
    if not any(left_out.values()):
        return ()
    parts = ", ".join(f"{n:,} of {name}" for name, n in left_out.items() if n)
    return (f"{len(common):,} answers that all have judged; left out: {parts}",)


def _with_an_answer(joined: JoinedJudges) -> tuple[JoinedJudges, list[str]]:
    """Without what no judge was given, since there was no answer."""
    silent: Flags = (joined.codes == UNANSWERED).all(axis=0)
    if silent.all():
        need, got = "hold answers that were judged", "none: all are unanswered"
        raise InputError(_WHERE, "judged", need, got, "Was another file meant?")
    if not silent.any():
        return joined, []
    note = f"{int(silent.sum()):,} without an answer are left out: nothing was judged"
    return joined.take(~silent), [note]


def _other_answers(joined: JoinedJudges) -> list[str]:
    """A note where a judge was shown another response: people judged only one."""
    (first, shown_first), *others = zip(joined.names, joined.tables, strict=True)
    notes = []
    for name, table in others:
        if shown_first.response is None or table.response is None:
            continue
        # Tables in CSV have texts alone.
        pairs = zip(shown_first.response, table.response, strict=True)
        unlike = [str(one) != str(other) for one, other in pairs]
        if any(unlike):
            key = _key_text(joined.keys[unlike.index(True)])
            notes.append(
                f"{sum(unlike):,} responses that {name} judged are not those of "
                f"{first}, such as {key}: were both given the same run?"
            )
    return notes


# -- what belongs to an answer -------------------------------------------------------


def _people(joined: JoinedJudges, gold: str) -> npt.NDArray[np.int8]:
    """1 where people say right, 0 where they say wrong, `UNDECIDED` elsewhere."""
    people = np.full(len(joined.keys), UNDECIDED, np.int8)
    for judge, table in joined.with_group(gold):
        loss, labelled = losses_of_people(judge, table.groups[gold].tolist(), gold)
        verdict = np.where(labelled, 1 - loss, UNDECIDED).astype(np.int8)
        apart = (people >= 0) & (verdict >= 0) & (people != verdict)
        if apart.any():
            key = joined.keys[int(np.argmax(apart))]
            need = "say the same of an answer in every table"
            got = f"right and wrong for {_key_text(key)}, the second in {judge}"
            hint = "Keep one verdict, or none."
            raise InputError(_WHERE, f"column {gold}", need, got, hint)
        people = np.where(people >= 0, people, verdict)
    return people


def _shared(joined: JoinedJudges, name: str) -> npt.NDArray[Any] | None:
    """A column of the answers, which those judges that have it must share."""
    held = [
        (judge, column)
        for judge, table in zip(joined.names, joined.tables, strict=True)
        if (column := getattr(table, name)) is not None
    ]
    if not held:
        return None
    first: npt.NDArray[Any] = held[0][1]
    for judge, column in held[1:]:
        both_empty = (first != first) & (column != column)
        apart = np.flatnonzero((first != column) & ~both_empty.astype(bool))
        if len(apart):
            row = int(apart[0])
            got = f"{shown(first[row])} and {shown(column[row])} for "
            got += f"{_key_text(joined.keys[row])}, the second in {judge}"
            hint = "It belongs to the answer, not to its judge."
            raise InputError(_WHERE, name, "be the same in every table", got, hint)
    return first


def _items(keys: Sequence[Key]) -> list[str]:
    """A name for each answer: its item, with what tells it from others."""
    items = [key[0] for key in keys]
    if len(set(items)) == len(items):
        return items
    names = [" | ".join(part for part in key if part) for key in keys]
    return names if len(set(names)) == len(names) else [repr(key) for key in keys]


def _clusters(joined: JoinedJudges) -> list[str | None] | None:
    """Answers to one item belong together, as clusters do."""
    items = [key[0] for key in joined.keys]
    given = _shared(joined, "cluster")
    repeated = len(set(items)) < len(items)
    if given is None:
        return list(items) if repeated else None
    alone: Callable[[str], str | None] = (
        (lambda item: f"item {item}") if repeated else (lambda _: None)
    )
    pairs = zip(given.tolist(), items, strict=True)
    return [alone(item) if name is None else name for name, item in pairs]


# -- rows of the new table -----------------------------------------------------------


def _columns(
    joined: JoinedJudges, people: npt.NDArray[np.int8], without_confidence: str
) -> tuple[dict[str, Any], list[str]]:
    verdict, n_judges = _verdicts(joined), len(joined.names)
    n_answers, notes = len(joined.keys), []
    columns: dict[str, Any] = {
        "item": _items(joined.keys) * n_judges,
        "system": np.repeat(np.array(joined.names, object), n_answers).tolist(),
        "outcome": _agreement(verdict, people).ravel().tolist(),
    }
    sure = np.full(verdict.shape, np.nan)
    for place, (judge, table) in enumerate(
        zip(joined.names, joined.tables, strict=True)
    ):
        given = _confidences(judge, table, joined.keys)
        sure[place], note = _settled(judge, given, verdict[place], without_confidence)
        notes += note
    if not np.isnan(sure).all():
        listed = sure.ravel().tolist()
        columns["confidence"] = [None if v != v else v for v in listed]
    reasons = [text for table in joined.tables for text in _texts(table, "reason")]
    if any(reasons):
        columns["reason"] = reasons
    columns["reason_code"], columns["kind"] = _why(joined, verdict, people)
    of_answers = {name: _shared(joined, name) for name in ("weight", "label_weight")}
    for name, column in of_answers.items():
        if column is not None:
            listed = [None if value != value else value for value in column.tolist()]
            columns[name] = listed * n_judges
    if (clusters := _clusters(joined)) is not None:
        columns["cluster"] = clusters * n_judges
    return columns, notes


def _verdicts(joined: JoinedJudges) -> npt.NDArray[np.int8]:
    """1 right, 0 not right, `UNDECIDED`; of shape (n_judges, n_answers)."""
    codes = joined.codes
    verdict = np.where(codes == RIGHT, 1, 0).astype(np.int8)
    verdict[codes == UNGRADED] = UNDECIDED
    return verdict


def _agreement(verdict: npt.NDArray[np.int8], people: npt.NDArray[np.int8]) -> Any:
    """Names of outcomes of judges."""
    outcome = np.where(verdict == people, "right", "wrong").astype(object)
    outcome[:, people < 0] = UNLABELLED
    outcome[verdict < 0] = "unanswered"
    return outcome


def _confidences(judge: str, table: Outcomes, keys: Sequence[Key]) -> Floats:
    """How sure a judge is of each verdict; NaN where it does not say."""
    given = np.full(len(table), np.nan)
    if VERDICT_CONFIDENCE not in table.groups:
        return given
    for row, value in enumerate(table.groups[VERDICT_CONFIDENCE].tolist()):
        if value is None or value != value or str(value).strip() in ("", "nan"):
            continue
        try:
            given[row] = float(value)
        except (TypeError, ValueError):
            given[row] = math.inf
        if isinstance(value, bool) or not math.isfinite(given[row]):
            got = f"{shown(value)} for {_key_text(keys[row])}"
            need = "be a finite number, or empty"
            hint = "Higher is surer, on any scale."
            raise InputError(judge, f"column {VERDICT_CONFIDENCE}", need, got, hint)
    return given


def _settled(
    judge: str, given: Floats, verdict: npt.NDArray[np.int8], rule: str
) -> tuple[Floats, list[str]]:
    """Confidences of the verdicts that there are, by the rule where one lacks it."""
    tells = verdict >= 0
    given = np.where(tells, given, np.nan)
    lacking = tells & np.isnan(given)
    if np.isnan(given).all() or not lacking.any():
        return given, []
    n_lacking = f"{int(lacking.sum()):,} of {int(tells.sum()):,} verdicts without one"
    if rule == "refuse":
        need = "be there for every verdict of a judge, or for none"
        hint = "without_confidence='lowest' takes these for the least sure."
        raise InputError(judge, f"column {VERDICT_CONFIDENCE}", need, n_lacking, hint)
    note = f"{judge}: {n_lacking} count as less sure than all others"
    return np.where(lacking, -np.inf, given), [note]


def _texts(table: Outcomes, name: str) -> list[Any]:
    column = getattr(table, name)
    return [None] * len(table) if column is None else list(column.tolist())


def _why(
    joined: JoinedJudges, verdict: npt.NDArray[np.int8], people: npt.NDArray[np.int8]
) -> tuple[list[Any], list[Any]]:
    """Reason codes and kinds: of what cannot be told, and of what is unlabelled."""
    codes, kinds = [], []
    for place, table in enumerate(joined.tables):
        rows = zip(_texts(table, "reason_code"), verdict[place], people, strict=True)
        for code, says, label in rows:
            unable = says < 0
            codes.append(code if unable else UNLABELLED if label < 0 else None)
            kinds.append((FAILED if code == FAILED else IDK) if unable else None)
    return codes, kinds


def _groups(
    joined: JoinedJudges, gold: str, people: npt.NDArray[np.int8]
) -> dict[str, list[Any]]:
    n_judges, first = len(joined.names), joined.tables[0]
    groups = {
        name: column.tolist() * n_judges
        for name, column in first.groups.items()
        if name not in (VERDICT_CONFIDENCE, gold)
    }
    if first.response is not None:
        groups[ANSWER] = first.response.tolist() * n_judges
    if any(first.system):
        groups[ANSWERED_BY] = first.system.tolist() * n_judges
    groups[gold] = [_WORDS[int(value)] for value in people] * n_judges
    groups[VERDICT] = [_WORDS[int(v)] for v in _verdicts(joined).ravel()]
    return groups


# -- notes ---------------------------------------------------------------------------


def _not_told(
    joined: JoinedJudges, gold: str, people: npt.NDArray[np.int8]
) -> list[str]:
    """That people could not judge some answers themselves."""
    tried = np.zeros(len(joined.keys), bool)
    for _, table in joined.with_group(gold):
        words = map(word_of, table.groups[gold].tolist())
        tried |= np.array([word == OUTCOMES[UNGRADED] for word in words], bool)
    n_open = int((tried & (people < 0)).sum())
    if not n_open:
        return []
    return [f"{n_open:,} answers that people could not judge count as unlabelled"]


def _partly(joined: JoinedJudges) -> list[str]:
    """That credit in part counts as right."""
    notes = []
    for judge, table in zip(joined.names, joined.tables, strict=True):
        credit = table.credit
        if credit is None:
            continue
        partly = int(((table.outcome == RIGHT) & (credit < 1)).sum())
        if partly:
            notes.append(f"{judge}: {partly:,} with credit in part count as right")
    return notes


def _twins(joined: JoinedJudges) -> list[str]:
    """Judges that are one and the same, by all that they say."""
    if len(joined.keys) < _MANY:
        return []
    seen: dict[bytes, str] = {}
    notes, verdict = [], _verdicts(joined)
    for place, (judge, table) in enumerate(
        zip(joined.names, joined.tables, strict=True)
    ):
        sure = _confidences(judge, table, joined.keys)
        if np.isnan(sure).all():
            continue
        first = seen.setdefault(verdict[place].tobytes() + sure.tobytes(), judge)
        if first != judge:
            words = "say the same of every answer, as surely: is it one judge?"
            notes.append(f"{first} and {judge} {words}")
    return notes


_MANY: Final = 20
"""On fewer answers two judges may well say the same."""
