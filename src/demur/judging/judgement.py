"""Responses judged one by one: rows, what does not join, and the table they become."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, repeat
from typing import Any, Final

import numpy as np

from demur import answers
from demur.answers.callables import Custom
from demur.answers.floors import COLUMN
from demur.answers.refusals import NoAnswers
from demur.answers.tables.modes import RULES_1989
from demur.errors import InputError, RunError
from demur.judging import unanswered
from demur.judging.declines import Declines
from demur.judging.guessing import Guesses
from demur.judging.join import (
    ABSENT,
    Integers,
    Objects,
    References,
    Rows,
    Run,
    at_item,
    holds,
)
from demur.judging.joined_parts import JoinedParts
from demur.judging.mending import mending
from demur.judging.odd_kinds import OddKinds
from demur.judging.out_of_order import order_notes
from demur.judging.readings import Readings, shallow
from demur.judging.taken_apart import TakenApart
from demur.judging.unjoined import Unjoined
from demur.judging.unread import Unread
from demur.judging.unusable import Unusable
from demur.outcomes import fields
from demur.outcomes.building import ALL_OR_NONE
from demur.outcomes.columns import objects
from demur.outcomes.dressings import Dressings
from demur.outcomes.fields import RIGHT, UNANSWERED, WRONG, miscased, names_of
from demur.outcomes.hidden_references import without_references
from demur.outcomes.reasons import BOTH_EMPTY, FAILED
from demur.outcomes.records import Response, Verdict, item_text
from demur.outcomes.refusals import several
from demur.outcomes.table import EVERY_GUESS, Outcomes
from demur.outcomes.values import label_text
from demur.sql.databases import seen

NO_ANSWER: Final = "NO_ANSWER"
"""The text that, as a response, says that there is no guess."""

_RESERVED: Final = {*fields.columns(), COLUMN, fields.VERDICT_CONFIDENCE}
_SHOWN: Final = (*fields.DISPLAY, "references", "confidence")
_EQUAL: Final = frozenset({"equal", "both_empty"})
_KNOWN: Final = (*names_of("response"), *names_of("reference"))


class Judgement:
    """Rows as they are judged, and what does not join.

    Parameters
    ----------
    comparator : Comparator
        How a guess is compared with what is acceptable.
    references : References
        What is acceptable, by item.
    policies : mapping of name to str
        What becomes of items that do not join one to one, and of gaps in confidence.
    no_answer : NoAnswers
        Which responses say that there is no answer.
    extraction : Extraction
        What is taken out of each response before it is compared.
    parts : JoinedParts
        What pairs of items and parts are called.
    apart : TakenApart, optional
        What makes rows of the parts of each answer.
    """

    def __init__(
        self,
        comparator: answers.Comparator,
        references: References,
        policies: Mapping[str, str],
        no_answer: NoAnswers,
        extraction: answers.Extraction,
        parts: JoinedParts,
        apart: TakenApart | None = None,
    ) -> None:
        self.comparator, self.references = comparator, references
        self.parts, self.apart = parts, apart
        self.no_answer = no_answer
        self.declines = Declines(no_answer)
        self.readings = Readings(extraction, comparator)
        self.unread = Unread(comparator, extraction)
        self.unusable = Unusable()
        self.said_refused = self.both_empty = self.beyond = 0
        self.floor, self.orders = "", list[str]()
        self.quoting: list[str] = []
        self.constants: list[Any] | None = None
        reads = isinstance(comparator, answers.ReferenceReader)
        plain = (answers.Label, answers.Text, answers.Number)
        self._plain = isinstance(comparator, plain)
        self._reader: Any = comparator if reads else None
        self.policies = policies
        self.rows = Rows()
        self.runs: dict[tuple[str, str | None, str | None], Run] = {}
        self._run_of: dict[tuple[Any, ...], Run] = {}
        self._names: dict[str, None] = {}  # of further columns
        self._of_responses: dict[str, None] = {}  # of these, from elsewhere
        self.odd = Unjoined(policies)
        self._answered: set[tuple[int, int]] = set()  # by parts nobody asked for
        self.kinds, self.dressings = (
            OddKinds(comparator),
            Dressings(mending(comparator)),
        )

    def add(self, response: Response, place: str) -> None:
        """Judge one response, if it has a reference and is the one that counts."""
        item = item_text(response.item, place)
        run = self._run(response, place)
        number = self.references.number_of.get(item)
        if number is None or number >= self.references.n_asked:
            number = self._unasked(response, item, run, place)
        if number is None:
            return
        row = run.get(number)
        if row is None:
            run[number] = len(self.rows)
            self._append(response, number, run, place)
            return
        first = self.rows.places[row]
        differing = ", ".join(self.rows.differing(row, response.extra))
        also = f"; they differ in {differing}" if differing else ""
        self.odd.add("repeated", item, run, place, f" (first at {first}{also})")
        if self.policies["repeated"] == "last":
            self._append(response, number, run, place)
            self.rows.move_last_to(row)

    def _unasked(
        self, response: Response, item: str, run: Run, place: str
    ) -> int | None:
        """The number under which a part is wrong that nobody asked for, if it is."""
        beside = self.parts.beside(item, self.references)
        if not beside or self.policies["unmatched"] != "wrong":
            self.odd.add("unmatched", item, run, place)
            return None
        if response.response is None and not response.error:
            return None  # neither asked for nor given
        self._answered.add((run.number, beside[0]))
        known = self.references.number_of.get(item)
        return self.references.add_unasked(item, beside) if known is None else known

    def _run(self, response: Response, place: str) -> Run:
        key = (response.system, response.setting, response.repeat)
        try:
            return self._run_of[key]
        except (KeyError, TypeError):
            system = label_text("system", response.system, place) or ""
            setting = label_text("setting", response.setting, place)
            repeat = label_text("repeat", response.repeat, place)
        name = (system, setting, repeat)
        if name not in self.runs:
            self.runs[name] = Run(name, len(self.runs), self.references.n_asked)
        return self._run_of.setdefault(key, self.runs[name])

    def _append(self, response: Response, number: int, run: Run, place: str) -> None:
        response = shallow(response)
        read = shallow(self.readings.read(response))
        verdict = self._verdict(read, number, place)
        if read.kind != response.kind:
            response = replace(response, kind=read.kind)
        if verdict.code in unanswered.OF_RESPONSES and response.kind is None:
            response = replace(response, kind=verdict.code)
        self.both_empty += verdict.outcome == RIGHT and verdict.code == BOTH_EMPTY
        alternatives = self.references.alternatives[number]
        if verdict.outcome == RIGHT and self.readings.looks:
            self.readings.add_right(read.response, alternatives, verdict.credit)
        if verdict.outcome == WRONG:
            self._look_at(read, verdict, number)
        self.unusable.add(self.references.items[number], verdict)
        verdict = self.readings.shown_in(verdict, read.response, response.response)
        self._add_names(response, number, place)
        self._append_row(response, read, verdict, number, run, place)

    def _append_row(
        self,
        response: Response,
        read: Response,
        verdict: Verdict,
        number: int,
        run: Run,
        place: str,
    ) -> None:
        """A row of a response, or one for each of its parts and for those it lacks."""
        if self.apart is None:
            guess = self.references.own(number, response.response)
            self.rows.append(run, number, verdict, response, guess, place)
            return
        known = self._alternatives(number)
        for row in self.apart.rows(response, read, verdict, known, place):
            self._names.update(dict.fromkeys(row.response.extra))
            self.rows.append(run, number, row.verdict, row.response, row.value, place)

    def _add_names(self, response: Response, number: int, place: str) -> None:
        """Further columns of a reference and of a response to it."""
        known, given = self.references.extras[number], response.extra
        for extra in (known, given):
            if extra and not extra.keys() <= self._names.keys():
                self._names.update(dict.fromkeys(extra))
        is_new = given and not given.keys() <= self._of_responses.keys()
        # A record that is both a reference and a response says each thing once.
        if is_new and place != self.references.places[number]:
            self._of_responses.update(dict.fromkeys(given))

    def _look_at(self, response: Response, verdict: Verdict, number: int) -> None:
        """Count what may not have been meant as a guess, or not as it stands."""
        guess = response.response
        alternatives = self.references.alternatives[number]
        self.beyond += verdict.code == "beyond_maximum"
        self.kinds.add(guess, alternatives)
        if self._plain and not self.dressings.has_looked:
            # What is right elsewhere is mistaken, not written otherwise.
            known = type(guess) is str and self.references.is_known(guess)
            values = [value for value, _ in alternatives]
            self.dressings.add(None if known else guess, values)
        self.declines.add_wrong(guess)
        self.readings.add_wrong(guess)
        if self.references.answerable[number] and not response.error:
            self.unread.add(guess, self._alternatives(number))
        refused = response.extra.get("refused") if response.extra else None
        self.said_refused += refused is True or refused in ("true", "True")

    def _verdict(self, response: Response, number: int, place: str) -> Verdict:
        guess = response.response
        if response.failed:
            return unanswered.because(UNANSWERED, FAILED, response.failed)
        if response.error:
            return unanswered.because(WRONG, "error", response.error)
        if guess is None or (isinstance(guess, str) and guess == NO_ANSWER):
            if guess is not None and self._plain:
                self.declines.named += self.references.shown(number) == NO_ANSWER
            return unanswered.no_guess(response.kind)
        if self._reader is not None and self._reader.is_no_guess(guess):
            return unanswered.no_guess(None)
        if self.no_answer(guess):
            return self._no_answer(response, number, place)
        if not self.references.answerable[number]:
            return unanswered.UNANSWERABLE
        return self._compared(guess, number, place)

    def _no_answer(self, response: Response, number: int, place: str) -> Verdict:
        """What says that there is none is unanswered, unless just that is right."""
        if self.references.answerable[number]:
            verdict = self._compared(response.response, number, place)
            # A function may look for the reference in the response.
            equal = verdict.code in _EQUAL and not isinstance(self.comparator, Custom)
            if verdict.code in _EQUAL or (verdict.code is None and verdict.credit == 1):
                self.declines.kept["equal" if equal else "right"] += 1
                return verdict
        self.declines.add_unanswered(response.response)
        return unanswered.said_none(response)

    def _compared(self, guess: Any, number: int, place: str) -> Verdict:
        if number >= self.references.n_asked:
            return unanswered.NOT_ASKED
        alternatives = self._alternatives(number)
        try:
            return answers.verdict(self.comparator, guess, alternatives)
        except RecursionError:  # a text that is read as a nested value
            return unanswered.TOO_DEEP
        except RunError as problem:  # of the user's function: it costs this item alone
            return self.unusable.raised(self._located(problem, number, place), problem)
        except InputError as problem:
            raise self._located(problem, number, place) from None

    def _alternatives(self, number: int) -> answers.Alternatives:
        try:
            return self.references.read(number, self.comparator)
        except (RunError, InputError) as problem:
            place = self.references.places[number]
            raise self._located(problem, number, place) from problem.__cause__

    def _located(
        self, problem: RunError | InputError, number: int, place: str
    ) -> RunError | InputError:
        """An error that says where the faulty record was read, and its item."""
        where = place + at_item(self.references.items[number])
        if isinstance(problem, RunError):
            return RunError(f"{where}: {problem}")
        return InputError(where, problem.what, problem.must, problem.got, problem.hint)

    def check(self) -> None:
        """Refuse what the policies do not allow; add the rows of missing responses."""
        self._read_the_rest()
        self.unusable.refuse_if_all_raised(self.rows.coded["reason_code"].values)
        guesses = Guesses(
            *(self.comparator, self.references, self._asked_numbers()),
            unusable=self.unusable.items,
        )
        self.floor, self.constants = guesses.note(), guesses.column()
        self.orders = order_notes(self.references, self.rows, self.readings)
        if not len(self.rows):
            self.odd.refuse_nothing(self.references)
        self.odd.refuse("unmatched", parts=self.parts.any)
        self.odd.refuse("repeated")
        for run in self.runs.values():
            if len(run) < self.references.n_asked:
                self._look_for_missing(run)
        self.odd.refuse("missing")
        self.references.forget_readings()

    def _read_the_rest(self) -> None:
        """Read references that nobody has answered: a fault in them is one, too."""
        if self._reader is not None:
            for number in range(self.references.n_asked):
                if self.references.answerable[number]:
                    self._alternatives(number)

    def _asked_numbers(self) -> Iterator[int]:
        asked = self.references.n_asked
        return (number for number in self.rows.reference if number < asked)

    def _has_part(self, number: int) -> bool:
        return self.parts.split([self.references.items[number]])[1] != [None]

    def _look_for_missing(self, run: Run) -> None:
        # A whole that has no parts by its reference, and parts by the response.
        alone = {pair for pair in self._answered if not self._has_part(pair[1])}
        asked = enumerate(self.references.items[: self.references.n_asked])
        for number, item in asked:
            if run.get(number) is None and (run.number, number) not in alone:
                place = self.references.places[number]
                self.odd.add_missing((item, number), run, place, self.runs.values())
                if self.policies["missing"] == "unanswered":
                    self._names.update(dict.fromkeys(self.references.extras[number]))
                    silent = Response(item=item)
                    self._append_row(
                        silent, silent, unanswered.NO_RESPONSE, number, run, place
                    )

    # -- the table -----------------------------------------------------------------

    def outcomes(self) -> Outcomes:
        """The table of all rows."""
        if self.odd.count("repeated"):  # replaced rows may have had columns alone
            self._names = {name: None for name in self._names if self._occurs(name)}
        self.quoting = [*self._quoting_notes()]
        notes = [*self.orders, *self.odd.notes(self._whose), *self._unasked_notes()]
        notes += self.quoting
        notes += self._ignored_names()
        notes += miscased(self._names, _KNOWN)
        policies = dict(self.policies)
        if policies["unsure"] == "error":  # the default says nothing
            del policies["unsure"]
        steps = str(self.readings.extraction)
        recipe = {
            "by": str(self.comparator),
            "comparator": self.comparator.version,
            **({"extract": steps} if steps else {}),
            **({"parts": "of each answer"} if self.apart else {}),
            **policies,
            **({"no_answer": self.no_answer.text} if self.no_answer.text else {}),
        }
        outcomes = self._of_columns(self._table(notes), recipe)
        declined = outcomes.declined
        if declined is not None and (declined & (outcomes.outcome != UNANSWERED)).any():
            notes.append(EVERY_GUESS)
        shown_columns = self._shown()
        groups = {
            name: self._further(name) for name in self._names if name not in _RESERVED
        }
        if self.constants is not None:
            known = objects(self.constants, len(self.constants))
            groups[COLUMN] = known[np.asarray(self.rows.reference)]
        for column in (*shown_columns.values(), *groups.values()):
            column.setflags(write=False)
        notes += outcomes.notes
        further: dict[str, Any] = {**shown_columns, "groups": groups}
        return replace(outcomes, **further, notes=tuple(notes))

    def _of_columns(self, table: dict[str, Any], recipe: dict[str, str]) -> Outcomes:
        place = self.rows.places.__getitem__
        try:
            return Outcomes.from_columns(table, locate=place, recipe=recipe)
        except InputError as error:
            if error.must != ALL_OR_NONE:
                raise
            hint = "Give one, or judge with unsure=lowest."
            raise error.with_hint(hint) from None

    def _unasked_notes(self) -> Iterator[str]:
        unasked = len(self.rows) - sum(1 for _ in self._asked_numbers())
        if unasked:
            what = several(unasked, "part")
            yield f"{what} nobody asked for: counted as wrong (unmatched=wrong)"

    def _quoting_notes(self) -> Iterator[str]:
        """Notes on answers and what was right, which may quote both."""
        yield from self.readings.notes()
        yield from self._guess_notes()
        yield from self._chance_notes()
        guesses = int(np.sum(np.asarray(self.rows.outcome) < UNANSWERED))
        yield from self.dressings.notes(guesses)
        yield from self.kinds.notes(guesses, is_read=bool(self.unread.advice))

    def _guess_notes(self) -> Iterator[str]:
        """Wrong guesses that may be none, or are packed up."""
        yield from self.declines.notes(self._is_known)
        if self.said_refused:
            yield (
                f"{several(self.said_refused, 'wrong answer')} with refused: true, "
                "judged as guesses: write declined: true, or null as the response"
            )
        yield from self.unread.notes()
        yield from self.readings.wrong_notes()

    def _chance_notes(self) -> Iterator[str]:
        """What is right without a look or by no reference, and what shows too much."""
        comparator: Any = self.comparator
        table = isinstance(comparator, answers.Cas | answers.Relational)
        if table and comparator.settings.rules == "1989":
            yield RULES_1989
        if self.beyond and table and comparator.maximum == "derived":
            yield (
                f"{several(self.beyond, 'wrong answer')} with more than the reference, "
                "which is the maximum where it gives no max: maximum=none lets them "
                "show more"
            )
        if self.both_empty and not isinstance(self.comparator, answers.Slots):
            are = "are empty, as their references are"
            if self.both_empty == 1:
                are = "is empty, as its reference is"
            yield (
                f"{several(self.both_empty, 'right answer')} {are}: any empty answer "
                "is right there; empty=wrong counts such answers as wrong"
            )
        yield from self.unusable.notes()
        if self.floor:
            yield self.floor

    def _is_known(self, text: str) -> bool:
        """Whether a text is right for some item, also in a dress that is noted."""
        dressed = self.dressings.is_dressed(text, self.references.is_known)
        return self.references.is_known(text) or dressed or self.rows.has_right(text)

    def _occurs(self, name: str) -> bool:
        values = self.rows.further.get(name, [])
        return any(value is not ABSENT for value in values) or any(
            name in self.references.extras[number]
            for number in set(self.rows.reference)
        )

    def _ignored_names(self) -> Iterator[str]:
        shown = _SHOWN if any(self.rows.confidence) else fields.DISPLAY
        if names := ", ".join(n for n in self._names if n in _RESERVED - {*shown}):
            yield f"columns ignored, because judging makes them: {names}"
        known = self._of_references() if self._of_responses else set()
        taken = known - _RESERVED
        if names := ", ".join(n for n in self._of_responses if n in taken):
            yield f"columns of responses ignored, because references have them: {names}"

    def _of_references(self) -> set[str]:
        return {name for extra in self.references.extras for name in extra}

    def hidden(self, outcomes: Outcomes) -> Outcomes:
        """Outcomes that say nothing of what is right."""
        further = self._names.keys() - self._of_references()
        plain = (note for note in outcomes.notes if note not in self.quoting)
        return without_references(outcomes, keep=further, notes=plain)

    def _whose(self, by: Mapping[str, int]) -> list[str]:
        if len({run.label for run in self.runs.values()}) == 1:
            return []
        return [", ".join(f"{label}: {count}" for label, count in sorted(by.items()))]

    def _whose_rows(self, rows: Integers) -> str:
        labels = [run.label for run in self.runs.values()]
        by = Counter(labels[run] for run in np.asarray(self.rows.run)[rows].tolist())
        return "".join(f" ({whose})" for whose in self._whose(by))

    def _table(self, notes: list[str]) -> dict[str, Any]:
        """The columns that are checked; those that hold nothing are left out."""
        rows, references = self.rows, self.references
        number = np.asarray(rows.reference)
        names = self.parts.columns(references.items)
        table: dict[str, Any] = {
            **{name: column[number] for name, column in names.items()},
            "outcome": np.asarray(rows.outcome),
            **self._run_columns(),
            "confidence": self._confidences(notes),
            "weight": objects(references.weights, len(references))[number],
            **{name: column.column() for name, column in rows.coded.items()},
            "kind": self._kinds(notes),
        }
        for name, values in references.carried.items():
            table[name] = objects(values, len(values))[number]
        if rows.credit is not None:
            table["credit"] = np.asarray(rows.credit)
        answerable = np.asarray(references.answerable).view(bool)[number]
        if self.apart is not None:
            table["part"] = self.apart.column()
            answerable = answerable & self.apart.due()
        if not answerable.all():
            table["answerable"] = answerable
        return {name: column for name, column in table.items() if holds(column)}

    def _run_columns(self) -> dict[str, Any]:
        """System, setting and repeat; a system that is alone, as one text."""
        codes = np.asarray(self.rows.run)
        columns: dict[str, Any] = {}
        for name in ("system", "setting", "repeat"):
            values = [getattr(run, name) for run in self.runs.values()]
            alone = len(set(values)) == 1
            columns[name] = values[0] if alone else objects(values, len(values))[codes]
        return columns

    def _confidences(self, notes: list[str]) -> Any:
        """Confidences; errors without one rank below all guesses of their system.

        So do guesses without one, if the policy says so.
        """
        given, n_rows = self.rows.confidence, len(self.rows)
        plain = not isinstance(given, list)
        column = np.array(given) if plain else objects(given, n_rows)
        lacking = (
            np.isnan(column)
            if plain
            else np.fromiter((value is None for value in given), bool, n_rows)
        )
        if not lacking.all():
            guess = np.asarray(self.rows.outcome) != UNANSWERED
            confident = self._part(np.flatnonzero(~lacking & guess))
            errors = np.asarray(self.rows.error).view(bool)
            unsure = guess & (self.policies["unsure"] == "lowest")
            for what, chosen in (("error", errors), ("guess", unsure & ~errors)):
                lowest = np.flatnonzero(lacking & chosen)
                # A system without any confidences has nothing to be ranked below.
                lowest = lowest[np.isin(self._part(lowest), confident)]
                column[lowest] = -np.inf
                lacking[lowest] = False
                if len(lowest):
                    many, whose = several(len(lowest), what), self._whose_rows(lowest)
                    notes.append(f"{many} without a confidence: ranked lowest{whose}")
        return np.ma.MaskedArray(column, lacking) if plain else column

    def _part(self, rows: Integers) -> Integers:
        parts: dict[Any, int] = {}
        part_of_run = [
            parts.setdefault((run.system, run.setting), len(parts))
            for run in self.runs.values()
        ]
        part: Integers = np.array(part_of_run)[np.asarray(self.rows.run)[rows]]
        return part

    def _kinds(self, notes: list[str]) -> Objects:
        declined, kind = self.rows.coded["declined"], self.rows.coded["kind"]
        answers = ~np.fromiter(map(bool, declined.values), bool)
        given = np.fromiter((value is not None for value in kind.values), bool)
        answered = np.asarray(self.rows.outcome) != UNANSWERED
        answered &= answers[np.asarray(declined.codes)]
        ignored = np.flatnonzero(answered & given[np.asarray(kind.codes)])
        kinds = kind.column()
        kinds[ignored] = None
        if len(ignored):
            what, whose = several(len(ignored), "kind"), self._whose_rows(ignored)
            notes.append(f"{what} of answered responses: ignored{whose}")
        return kinds

    def _shown(self) -> dict[str, Objects]:
        response = objects(self.rows.response, len(self.rows))
        self.rows.response.clear()
        number = np.asarray(self.rows.reference)
        columns = {name: column[number] for name, column in self.references.columns()}
        columns["response"] = response
        return {name: column for name, column in columns.items() if holds(column)}

    def _further(self, name: str) -> Objects:
        """A further column, from the responses or the references."""
        n_rows, extras = len(self.rows), self.references.extras
        values = self.rows.further.pop(name, [])
        filled = chain(values, repeat(None))  # it may have ended early
        given = objects(
            (None if value is ABSENT else value for value in filled), n_rows
        )
        known = objects((extra.get(name) for extra in extras), len(extras))
        if name == "db":  # it may be a URL with a password
            given, known = (
                objects(map(seen, column), len(column)) for column in (given, known)
            )
        if not holds(known):
            return given
        # A response says nothing of what its reference says, and is not told it.
        number = np.asarray(self.rows.reference)
        column: Objects = known[number]
        for row in np.flatnonzero(number >= self.references.n_asked):  # no reference
            column[row] = given[row] if column[row] is None else column[row]
        return column
