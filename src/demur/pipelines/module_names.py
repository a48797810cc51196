"""Names of modules in dialogues: wrong ones are refused, those of no module noted."""

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from demur.checks import names_shown
from demur.errors import InputError, shown
from demur.outcomes.target_dialogues import TargetDialogue, TargetTurn
from demur.pipelines.modules import Pipeline

_ALIKE: Final = 0.75
"""How near a name must be to be taken for a slip."""


@dataclass(slots=True)
class _Unknown:
    """Where a name of no module stands first, in how many turns, and beside which."""

    place: str
    turn: int
    turns: int
    beside: set[str]


def check_names(pipeline: Pipeline, dialogues: Sequence[TargetDialogue]) -> None:
    """Refuse names in dialogues that must be slips: near to a module's, in its place.

    Raises
    ------
    InputError
        Naming the file, the line, the turn, and the module that was meant.
    """
    for (kind, name), unknown in _unknown(pipeline, dialogues).items():
        meant = _meant(name, set(pipeline.names) - unknown.beside)
        if meant:
            what = f"turn {unknown.turn + 1}: a module under {kind}"
            need = f"be one of {names_shown(pipeline.names)}"
            hint = f"Did you mean {shown(meant)}?"
            raise InputError(unknown.place, what, need, shown(name), hint)


def unused_names(
    pipeline: Pipeline, dialogues: Sequence[TargetDialogue]
) -> tuple[str, ...]:
    """What dialogues say of modules that the pipeline does not have, for notes.

    Not of other logs: whose the acts in them are is what their form says.

    Examples
    --------
    >>> import demur
    >>> pipeline = demur.Pipeline.of([demur.as_module(str.lower, name="nlu")])
    >>> turn = demur.TargetTurn(input="Hi", target={"nlu": "hi", "voice": "warm"})
    >>> unused_names(pipeline, [demur.TargetDialogue("d1", [turn])])
    ("not used: 'voice' under target is no module here (1 turn, first dialogue d1:1)",)
    """
    return tuple(
        f"not used: {shown(name)} under {kind} is no module here "
        f"({'1 turn' if unknown.turns == 1 else f'{unknown.turns:,} turns'}, first "
        f"{unknown.place})"
        for (kind, name), unknown in _unknown(
            pipeline, [dialogue for dialogue in dialogues if not dialogue.log]
        ).items()
    )


def _unknown(
    pipeline: Pipeline, dialogues: Sequence[TargetDialogue]
) -> dict[tuple[str, str], _Unknown]:
    """Names of no module by what they stand under."""
    known, unknown = set(pipeline.names), dict[tuple[str, str], _Unknown]()
    for dialogue in dialogues:
        for number, turn in enumerate(dialogue.turns):
            for kind, outputs in _named(turn):
                for name in outputs:
                    if name in known:
                        continue
                    at = unknown.get((kind, name))
                    if at is None:
                        at = _Unknown(dialogue.where(number), number, 0, set())
                        unknown[kind, name] = at
                    at.turns += 1
                    at.beside.update(outputs)
    return unknown


def _named(turn: TargetTurn) -> Iterator[tuple[str, Mapping[str, object]]]:
    """What a turn says of modules, and where."""
    yield "target", turn.target
    yield "acceptable", turn.acceptable
    for source, outputs in turn.annotations.items():
        yield f"annotations of {source}", outputs


def _meant(name: str, modules: Collection[str]) -> str:
    """The module that a wrong name must mean; empty if it may be another one.

    Examples
    --------
    >>> _meant("trakcer", ["nlu", "tracker"]), _meant("NLU", ["nlu"])
    ('tracker', 'nlu')
    >>> _meant("nlu2", ["nlu"]), _meant("nlg", ["nlu"])
    ('', '')
    """
    plain = {_plain(module): module for module in modules}
    if _plain(name) in plain:
        return plain[_plain(name)]
    near = difflib.get_close_matches(_plain(name), list(plain), n=1, cutoff=_ALIKE)
    if not near or _without_digits(near[0]) == _without_digits(_plain(name)):
        return ""
    return plain[near[0]]


def _plain(name: str) -> str:
    """A name without what people write one way or the other."""
    return "".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _without_digits(name: str) -> str:
    return "".join(letter for letter in name if not letter.isdigit())
