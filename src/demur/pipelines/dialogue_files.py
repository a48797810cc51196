"""Target dialogues in files: read, written, and joined with annotations."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from demur import checks
from demur.checks import choice
from demur.errors import InputError, ParseError, shown
from demur.formats.reading import iter_json
from demur.formats.streams import MAX_SIZE
from demur.formats.writing import write_records
from demur.pipelines.target_dialogues import (
    CHANGES,
    TARGET,
    Failed,
    Outputs,
    TargetDialogue,
    TargetTurn,
    TurnChange,
)


def read_dialogues(path: Any, *, max_size: int = MAX_SIZE) -> list[TargetDialogue]:
    r"""Target dialogues of a file, one JSON object in each line.

    ::

        {"dialogue": "d1", "turns": [
          {"input": "Who was it?",
           "target": {"nlu": "whq.thief", "dm": ["refuse"]},
           "acceptable": {"dm": [["ask.secrecy"]]},
           "annotations": {"human1": {"nlu": "whq.name"}, "human2": {"nlu": null}},
           "confidences": {"human1": {"nlu": 0.8}},
           "failed": {"asr2": {"nlu": "timeout"}},
           "changes": [{"what": "reordered", "why": "the wizard was late"}]}]}

    A module that is missing was not annotated, null says that the source declines, and
    ``failed`` that it broke. ``removed`` beside ``turns`` holds turns of a log that are
    no part of the dialogue.

    Parameters
    ----------
    path : path, "-" for the standard input, or binary file
    max_size : int
        As for `read_outcomes`.

    Returns
    -------
    list of TargetDialogue

    Raises
    ------
    InputError
        If a line is no dialogue, naming it and the turn; or a name stands twice.

    Examples
    --------
    >>> import io, demur
    >>> file = io.BytesIO(b'{"dialogue": "d1", "turns": [{"input": "hello"}]}')
    >>> [dialogue.dialogue for dialogue in demur.read_dialogues(file)]
    ['d1']
    """
    found: list[TargetDialogue] = []
    known: dict[str, str] = {}
    for place, record in iter_json(path, max_size=max_size):
        _check_names(place, record, ("dialogue", "turns", "removed"))
        name = record.get("dialogue")
        if not isinstance(name, (str, int)) or isinstance(name, bool) or name == "":
            hint = 'Write {"dialogue": "d1", "turns": [...]} on each line.'
            raise ParseError(place, "dialogue", "be a name", shown(name), hint)
        if str(name) in known:
            hint = f"It stands at {known[str(name)]} already."
            raise ParseError(place, "dialogue", "stand once", shown(name), hint)
        known[str(name)] = place
        turns, removed = (
            [
                _turn(f"{place}: {what} {number}", each)
                for number, each in enumerate(_list(place, what, record), 1)
            ]
            for what in ("turns", "removed")
        )
        if not turns:
            hint = "A dialogue has at least one turn."
            raise ParseError(place, "turns", "hold a turn", "none", hint)
        found.append(TargetDialogue(str(name), turns, removed, place))
    return found


def _list(place: str, what: str, record: Mapping[str, Any]) -> list[Any]:
    value = record.get(what, [])
    if not isinstance(value, list):
        raise ParseError(place, what, "be a list", shown(value), "Write [...].")
    return value


def _object(place: str, what: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        hint = 'Write {"module": output}.'
        raise ParseError(place, what, "be an object", shown(value), hint)
    return value


def _check_names(place: str, record: Any, names: Sequence[str]) -> None:
    for name in _object(place, "the record", record):
        if name not in names:
            choice(place, "a field", name, names)


_OF_TURNS: Final = (
    "input",
    "target",
    "acceptable",
    "annotations",
    "confidences",
    "failed",
    "changes",
)


def _turn(place: str, record: Any) -> TargetTurn:
    _check_names(place, record, _OF_TURNS)
    if "input" not in record:
        hint = "It is what the user said."
        raise ParseError(place, "input", "be there", "nothing", hint)
    acceptable = _object(place, "acceptable", record.get("acceptable", {}))
    for module, each in acceptable.items():
        if not isinstance(each, list):
            hint = "It lists outputs; each set of acts is a list of its own."
            raise ParseError(
                place, f"acceptable {module}", "be a list", shown(each), hint
            )
    annotations: dict[str, dict[str, Any]] = {
        source: dict(_object(place, f"annotations of {source}", each))
        for source, each in _object(
            place, "annotations", record.get("annotations", {})
        ).items()
    }
    for source, broken in _object(place, "failed", record.get("failed", {})).items():
        for module, why in _object(place, f"failed of {source}", broken).items():
            own = annotations.setdefault(source, {})
            if module in own:
                hint = "A module that broke has no output."
                need = f"not hold {module} twice"
                raise ParseError(place, source, need, "an annotation too", hint)
            own[module] = Failed(str(why))
    if TARGET in annotations:
        hint = 'Write them under "target".'
        raise ParseError(place, "a source", "not be called target", "that", hint)
    return TargetTurn(
        input=record["input"],
        target=_object(place, "target", record.get("target", {})),
        acceptable=acceptable,
        annotations=annotations,
        confidences=_confidences(place, record, annotations),
        changes=[_change(place, each) for each in _list(place, "changes", record)],
    )


def _confidences(
    place: str, record: Mapping[str, Any], annotations: Mapping[str, Outputs]
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    given = _object(place, "confidences", record.get("confidences", {}))
    for source, own in given.items():
        for module, value in _object(place, f"confidences of {source}", own).items():
            if module not in annotations.get(source, {}):
                need, hint = "be of an annotation", f"{source} says nothing of it here."
                raise ParseError(place, f"confidence of {module}", need, "none", hint)
            found.setdefault(source, {})[module] = _confidence(place, value)
    return found


def _confidence(place: str, value: Any) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or value != value:
        hint = "Higher is surer."
        raise ParseError(place, "confidence", "be a number", shown(value), hint)
    return float(value)


def _change(place: str, record: Any) -> TurnChange:
    _check_names(place, record, ("what", "why", "was"))
    what = choice(place, "what (of a change)", record.get("what"), CHANGES)
    why = record.get("why")
    if not isinstance(why, str) or not why.strip():
        hint = "Say why the turn was changed."
        raise ParseError(place, "why (of a change)", "be a text", shown(why), hint)
    return TurnChange(what, why, record.get("was"))


# -- annotations from elsewhere --------------------------------------------------------


_OF_ANNOTATIONS: Final = (
    "dialogue",
    "turn",
    "source",
    "module",
    "output",
    "confidence",
    "failed",
)


def with_annotations(
    dialogues: Sequence[TargetDialogue],
    records: Iterable[tuple[str, Mapping[str, Any]]],
) -> list[TargetDialogue]:
    """Target dialogues with the outputs of further sources.

    Parameters
    ----------
    dialogues : sequence of TargetDialogue
    records : iterable of (place, record)
        As `iter_records` reads a file. Each has ``dialogue``, ``turn`` (from 1),
        ``source``, ``module``, and either ``output`` (null declines), which may have a
        ``confidence``, or ``failed``.

    Returns
    -------
    list of TargetDialogue

    Raises
    ------
    InputError
        If a record is of a dialogue or turn that is not there, or of a module and
        source that have an output at this turn already.

    Examples
    --------
    >>> import demur
    >>> dialogues = [demur.TargetDialogue("d1", [demur.TargetTurn(input="hello")])]
    >>> row = {"dialogue": "d1", "turn": 1, "source": "ann", "module": "nlu"}
    >>> rows = [("row 1", row | {"output": "hi"})]
    >>> [changed] = demur.with_annotations(dialogues, rows)
    >>> changed.turns[0].annotations
    {'ann': {'nlu': 'hi'}}
    """
    dialogues = checks.all_of_kind(
        "with_annotations", "dialogues", dialogues, TargetDialogue
    )
    records = checks.listed("with_annotations", "records", records)
    numbered = {each.dialogue: at for at, each in enumerate(dialogues)}
    added: dict[tuple[int, int], dict[str, dict[str, Any]]] = {}
    sure: dict[tuple[int, int], dict[str, dict[str, float]]] = {}
    for place, record in records:
        _check_names(place, record, _OF_ANNOTATIONS)
        at = numbered.get(str(record.get("dialogue")))
        if at is None:
            hint = "Annotations belong to the dialogues that were read."
            got = shown(record.get("dialogue"))
            raise InputError(place, "dialogue", "be a known one", got, hint)
        turn = _number(place, record.get("turn"), len(dialogues[at].turns))
        source, module = (_name(place, record, name) for name in ("source", "module"))
        failed = record.get("failed")
        said = record.get("output") is not None
        if said if failed is not None else "output" not in record:
            hint = "A module that declines has the output null."
            got = "both" if said else "neither"
            raise InputError(place, "a row", "have output or failed", got, hint)
        before = dialogues[at].turns[turn].given_by(source)
        own = added.setdefault((at, turn), {}).setdefault(source, {})
        if module in own or module in before:
            hint = "Each source says one thing of a module at a turn."
            raise InputError(place, f"{source}, {module}", "stand once", "twice", hint)
        own[module] = record.get("output") if failed is None else Failed(str(failed))
        if record.get("confidence") is not None:
            sure.setdefault((at, turn), {}).setdefault(source, {})[module] = (
                _confidence(place, record["confidence"])
            )
    found = []
    for at, dialogue in enumerate(dialogues):
        turns = [
            _annotated(each, added[at, number], sure.get((at, number), {}))
            if (at, number) in added
            else each
            for number, each in enumerate(dialogue.turns)
        ]
        found.append(replace(dialogue, turns=turns))
    return found


def _annotated(
    turn: TargetTurn,
    added: Mapping[str, Outputs],
    sure: Mapping[str, Mapping[str, float]],
) -> TargetTurn:
    target = {**turn.target, **added.get(TARGET, {})}
    own = {name: each for name, each in added.items() if name != TARGET}
    annotations, confidences = (
        {n: {**before.get(n, {}), **more.get(n, {})} for n in (*before, *more)}
        for before, more in ((turn.annotations, own), (turn.confidences, sure))
    )
    return replace(
        turn, target=target, annotations=annotations, confidences=confidences
    )


def _number(place: str, value: Any, n_turns: int) -> int:
    text = str(value)
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0
    if isinstance(value, bool) or not 1 <= number <= n_turns:
        need = f"be from 1 to {n_turns}, the turns of its dialogue"
        raise InputError(place, "turn", need, shown(value), "Turns count from 1.")
    return number - 1


def _name(place: str, record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or not value:
        hint = "Say whose annotation it is, and of which module."
        raise InputError(place, name, "be a name", shown(value), hint)
    return value


# -- writing ---------------------------------------------------------------------------


def write_dialogues(
    dialogues: Iterable[TargetDialogue], path: str | os.PathLike[str]
) -> None:
    """Write target dialogues as JSON Lines, as `read_dialogues` reads them.

    Parameters
    ----------
    dialogues : iterable of TargetDialogue
    path : path
        Ends in ``.jsonl``.

    Examples
    --------
    >>> import demur, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "dialogues.jsonl")
    >>> made = [demur.TargetDialogue("d1", [demur.TargetTurn(input="hello")])]
    >>> demur.write_dialogues(made, path)
    >>> demur.read_dialogues(path) == made
    True
    """
    checks.path("write_dialogues", path)
    dialogues = checks.all_of_kind(
        "write_dialogues", "dialogues", dialogues, TargetDialogue
    )
    write_records(map(_dialogue_record, dialogues), path)


def _dialogue_record(dialogue: TargetDialogue) -> dict[str, Any]:
    record: dict[str, Any] = {"dialogue": dialogue.dialogue}
    record["turns"] = [_turn_record(each) for each in dialogue.turns]
    if dialogue.removed:
        record["removed"] = [_turn_record(each) for each in dialogue.removed]
    return record


def _turn_record(turn: TargetTurn) -> dict[str, Any]:
    record: dict[str, Any] = {"input": turn.input, "target": dict(turn.target)}
    record["acceptable"] = {name: list(each) for name, each in turn.acceptable.items()}
    failed: dict[str, dict[str, str]] = {}
    annotations: dict[str, dict[str, Any]] = {}
    for source, outputs in turn.annotations.items():
        annotations[source] = {}
        for module, output in outputs.items():
            if isinstance(output, Failed):
                failed.setdefault(source, {})[module] = output.why
            else:
                annotations[source][module] = output
    record["annotations"], record["failed"] = annotations, failed
    record["confidences"] = {n: dict(own) for n, own in turn.confidences.items()}
    record["changes"] = [
        {"what": each.what, "why": each.why}
        | ({} if each.was is None else {"was": each.was})
        for each in turn.changes
    ]
    return {name: each for name, each in record.items() if name == "input" or each}
