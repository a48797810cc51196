"""Questions asked in context: which are asked, what each is given, and when."""

import hashlib
import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Self

from demur.errors import InputError, shown
from demur.outcomes.context_rules import RULE_COLUMN
from demur.outcomes.contexts import (
    TurnInContext,
    check_rule,
    dialogue_turns,
    in_context,
    not_asked_note,
)
from demur.outcomes.gaps import is_absent
from demur.outcomes.records import Reference, Response, item_text, with_place
from demur.outcomes.refusals import several
from demur.systems.protocol import (
    Input,
    InputInContext,
    System,
    TurnBefore,
    turn_before,
)

_TAKES: Final = (
    "A function takes an argument `context`; a program, a chat and an address of our "
    "own shape are told. context=alone gives none."
)

Record = Reference | Mapping[str, Any] | tuple[str, Mapping[str, Any]]


class Conversations:
    """The turns of all dialogues under a rule, and what has been answered.

    It is an iterator over requests: it ends where nothing can be asked for now, and
    has more as soon as `add` has told it of an answer for which another turn waits.

    Parameters
    ----------
    records : iterable of Reference, mapping or (place, mapping)
        As `demur.outcomes.contexts.dialogue_turns` takes them; all have an input.
    rule : str
        One of `demur.outcomes.contexts.CONTEXT_RULES`.
    batch : int
        How many inputs a request has, at most.

    Raises
    ------
    InputError
        If a record is no turn, or has no input.

    Examples
    --------
    >>> both = Conversations([
    ...     {"item": "q1", "dialogue": "d", "input": "Flights to Oslo?"},
    ...     {"item": "q2", "dialogue": "d", "input": "On Friday?"}], "dialogue")
    >>> [[first]] = list(both)
    >>> both.add([first.answered("a", ["SK 4"])])
    >>> [[then]] = list(both)
    >>> then.input, then.context[0].response
    ('On Friday?', ['SK 4'])
    """

    def __init__(self, records: Iterable[Record], rule: str, *, batch: int = 1) -> None:
        check_rule("run", rule)
        self.rule, self._batch = rule, batch
        placed = [
            with_place(record, f"input {number}")
            for number, record in enumerate(records, 1)
        ]
        turns = dialogue_turns(placed)
        for turn in turns:
            if is_absent(turn.input):
                raise InputError(turn.place, "input", "hold a value", shown(turn.input))
        self._under = in_context(turns, rule)
        items = [_own_item(record) for _, record in placed]
        self._inputs = {
            one.turn.item: Input(item, one.turn.input)
            for one, item in zip(self._under, items, strict=True)
        }
        self.asked = {
            one.turn.item: self._inputs[one.turn.item]
            for one in self._under
            if one.is_asked
        }
        self._answers: dict[str, Response] = {}
        self._again = 0
        self._chains = [_Chain(chain) for chain in _chains(self._under)]
        self._chain_of = {item: chain for chain in self._chains for item in chain.items}
        self._ready = deque(self._chains)

    @property
    def words(self) -> list[Input]:
        """All that may reach a system, also what is given as words only."""
        given = {*self.asked}
        for chain in self._chains:
            given.update(one.turn.item for one in chain.before)
        return [asked for item, asked in self._inputs.items() if item in given]

    def check(self, system: System) -> None:
        """Refuse a system that has no place for the turns before, if there are any.

        Only adapters know; of a system of the user's own it is taken for granted.

        Raises
        ------
        InputError
            If it has none.
        """
        is_given = any(len(chain.before) for chain in self._chains)
        if is_given and not getattr(system, "takes_context", True):
            need = f"take the turns before, as context={self.rule} gives them"
            raise InputError("run", "the system", need, shown(str(system)), _TAKES)

    def head(self) -> dict[str, str]:
        """What the journal says of the rule and the turns."""
        digest = hashlib.sha256()
        for one in self._under:
            asked = self._inputs[one.turn.item]
            turn = [asked, one.turn.dialogue, one.why, one.first]
            digest.update(json.dumps(turn, default=str).encode())
        return {"context": self.rule, "inputs": digest.hexdigest()[:16]}

    @property
    def not_asked(self) -> dict[str, int]:
        """How many turns are not asked, by a code of `NOT_ASKED`."""
        return dict(Counter(one.why for one in self._under if one.why))

    def notes(self) -> Iterator[str]:
        """How many turns are not asked, and why, and how many are asked again."""
        if self._again:
            which = several(self._again, "response")
            yield f"{which} from before asked again, since a turn before it is"
        note = not_asked_note(self._under, self.rule, "not asked")
        if note:
            yield note

    def keep(self, answers: Mapping[str, Response]) -> dict[str, Response]:
        """Of answers in the order in which they came those that still hold.

        One that was given a turn that is to be asked again, or was asked again later,
        is of another conversation.
        """
        at = {item: place for place, item in enumerate(answers)}
        kept: dict[str, Response] = {}
        for chain in self._chains:
            latest = -1
            for item in chain.items:
                if at.get(item, -1) < latest or item not in at:
                    break
                latest = at[item]
                kept[item] = answers[item]
        self._answers |= kept
        self._again = sum(item in self.asked for item in answers) - len(kept)
        for chain in self._chains:
            chain.next = sum(item in kept for item in chain.items)
        self._ready = deque(chain for chain in self._chains if chain.is_open)
        return kept

    def add(self, answers: Iterable[Response]) -> None:
        """What was answered: turns that waited for it can be asked."""
        for answer in answers:
            item = item_text(answer.item, "a response")
            self._answers[item] = answer
            chain = self._chain_of[item]
            chain.next += 1
            if chain.is_open:
                self._ready.append(chain)

    def marked(self, response: Response) -> Response:
        """A response that says under which rule it was asked."""
        return replace(response, extra={**response.extra, RULE_COLUMN: self.rule})

    def __len__(self) -> int:
        """How many turns can be asked at a time, at most: no other waits for them."""
        return len(self._chains)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> list[Input]:
        if not self._ready:
            raise StopIteration
        n_inputs = min(self._batch, len(self._ready))
        return [self._asked(self._ready.popleft()) for _ in range(n_inputs)]

    def _asked(self, chain: "_Chain") -> Input:
        one = chain.turns[chain.next]
        for before in chain.before[len(chain.told) : one.end - one.first]:
            item = before.turn.item
            chain.told.append(turn_before(self._inputs[item], self._answers.get(item)))
        return InputInContext(*self._inputs[one.turn.item], chain.told)


class _Chain:
    """Turns of which each is given those before it, so that it waits for them.

    What was said is told once for all of them: a long dialogue holds no copies of it.
    """

    def __init__(self, turns: Sequence[TurnInContext]) -> None:
        self.turns = turns
        self.items = [one.turn.item for one in turns]
        self.before = turns[-1].before
        self.told: list[TurnBefore] = []
        self.next = 0

    @property
    def is_open(self) -> bool:
        return self.next < len(self.turns)


def _chains(under: Iterable[TurnInContext]) -> Iterator[list[TurnInContext]]:
    """The turns that are asked, parted where nothing of before is given."""
    chains: dict[Any, list[TurnInContext]] = {}
    for number, one in enumerate(under):
        if one.is_asked:
            dialogue = one.turn.dialogue
            alone = number if dialogue is None else None
            chains.setdefault((dialogue, one.first, alone), []).append(one)
    yield from chains.values()


def _own_item(record: Reference | Mapping[str, Any]) -> Any:
    return record.item if isinstance(record, Reference) else record["item"]
