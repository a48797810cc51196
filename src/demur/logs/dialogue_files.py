"""Target dialogues in files: read, written, and joined with annotations."""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from demur import checks
from demur.checks import choice
from demur.errors import InputError, ParseError, shown
from demur.formats.record_reading import iter_json
from demur.formats.streams import MAX_SIZE
from demur.formats.writing import write_records
from demur.logs.readers import DialogueReader, ReadLog
from demur.outcomes.target_dialogues import (
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
    return DialogueFile().read(path, max_size=max_size).dialogues


@dataclass(frozen=True, repr=False)
class DialogueFile(DialogueReader):
    """The reader behind `read_dialogues`.

    It has no options and no recipe: the form is our own, and null and ``failed`` mean
    in it what they mean everywhere here.
    """

    name: ClassVar[str] = "dialogues"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    recipe = ""

    def read_log(self, path: Any, max_size: int) -> ReadLog:
        """The dialogues of a file."""
        dialogues: dict[str, TargetDialogue] = {}
        for place, record in iter_json(path, max_size=max_size):
            name = _dialogue_name(place, record)
            if name in dialogues:
                hint = f"It stands at {dialogues[name].place} already."
                got = shown(record["dialogue"])
                raise ParseError(place, "dialogue", "stand once", got, hint)
            turns, removed = (
                [
                    _turn(f"{place}: {what} {number}", turn)
                    for number, turn in enumerate(_list(place, what, record), 1)
                ]
                for what in ("turns", "removed")
            )
            if not turns:
                hint = "A dialogue has at least one turn."
                raise ParseError(place, "turns", "hold a turn", "none", hint)
            dialogues[name] = TargetDialogue(name, turns, removed, place)
        return ReadLog([*dialogues.values()])


def _dialogue_name(place: str, record: Mapping[str, Any]) -> str:
    _check_names(place, record, ("dialogue", "turns", "removed"))
    name = record.get("dialogue")
    if not isinstance(name, (str, int)) or isinstance(name, bool) or name == "":
        hint = 'Write {"dialogue": "d1", "turns": [...]} on each line.'
        raise ParseError(place, "dialogue", "be a name", shown(name), hint)
    return str(name)


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


def _by_source(
    place: str, what: str, record: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """A field that holds something of modules, by the source that says it."""
    return {
        source: dict(_object(place, f"{what} of {source}", of_modules))
        for source, of_modules in _object(place, what, record.get(what, {})).items()
    }


_TURN_FIELDS: Final = (
    "input",
    "target",
    "acceptable",
    "annotations",
    "confidences",
    "failed",
    "changes",
)


def _turn(place: str, record: Any) -> TargetTurn:
    _check_names(place, record, _TURN_FIELDS)
    if "input" not in record:
        hint = "It is what the user said."
        raise ParseError(place, "input", "be there", "nothing", hint)
    acceptable = _object(place, "acceptable", record.get("acceptable", {}))
    for module, outputs in acceptable.items():
        if not isinstance(outputs, list):
            what, got = f"acceptable {module}", shown(outputs)
            hint = "It lists outputs; each set of acts is a list of its own."
            raise ParseError(place, what, "be a list", got, hint)
    annotations = _annotations(place, record)
    return TargetTurn(
        input=record["input"],
        target=_object(place, "target", record.get("target", {})),
        acceptable=acceptable,
        annotations=annotations,
        confidences=_confidences(place, record, annotations),
        changes=[_change(place, change) for change in _list(place, "changes", record)],
    )


def _annotations(place: str, record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Outputs by source, what broke among them."""
    annotations = _by_source(place, "annotations", record)
    for source, reasons in _by_source(place, "failed", record).items():
        outputs = annotations.setdefault(source, {})
        for module, why in reasons.items():
            if module in outputs:
                hint = "A module that broke has no output."
                need = f"not hold {module} twice"
                raise ParseError(place, source, need, "an annotation too", hint)
            outputs[module] = Failed(str(why))
    if TARGET in annotations:
        hint = 'Write them under "target".'
        raise ParseError(place, "a source", "not be called target", "that", hint)
    return annotations


def _confidences(
    place: str, record: Mapping[str, Any], annotations: Mapping[str, Outputs]
) -> dict[str, dict[str, float]]:
    confidences = _by_source(place, "confidences", record)
    for source, values in confidences.items():
        for module, value in values.items():
            if module not in annotations.get(source, {}):
                need, hint = "be of an annotation", f"{source} says nothing of it here."
                raise ParseError(place, f"confidence of {module}", need, "none", hint)
            values[module] = _confidence(place, value)
    return {source: values for source, values in confidences.items() if values}


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


_ANNOTATION_FIELDS: Final = (
    "dialogue",
    "turn",
    "source",
    "module",
    "output",
    "confidence",
    "failed",
)


@dataclass(slots=True)
class _Annotations:
    """What is added to a turn: outputs and confidences, by source and module."""

    outputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    confidences: dict[str, dict[str, float]] = field(default_factory=dict)


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
    numbers = {dialogue.dialogue: at for at, dialogue in enumerate(dialogues)}
    added: defaultdict[tuple[int, int], _Annotations] = defaultdict(_Annotations)
    for place, record in records:
        _check_names(place, record, _ANNOTATION_FIELDS)
        at = numbers.get(str(record.get("dialogue")))
        if at is None:
            hint = "Annotations belong to the dialogues that were read."
            got = shown(record.get("dialogue"))
            raise InputError(place, "dialogue", "be a known one", got, hint)
        turn = _turn_number(place, record.get("turn"), len(dialogues[at].turns))
        _annotate(place, record, dialogues[at].turns[turn], added[at, turn])
    return [
        replace(
            dialogue,
            turns=[
                _annotated(turn, added[at, number]) if (at, number) in added else turn
                for number, turn in enumerate(dialogue.turns)
            ],
        )
        for at, dialogue in enumerate(dialogues)
    ]


def _annotate(
    place: str, record: Mapping[str, Any], turn: TargetTurn, added: _Annotations
) -> None:
    """Add one row to what is added to its turn."""
    source, module = (_name(place, record, name) for name in ("source", "module"))
    failed = record.get("failed")
    has_output = record.get("output") is not None
    if has_output if failed is not None else "output" not in record:
        hint = "A module that declines has the output null."
        got = "both" if has_output else "neither"
        raise InputError(place, "a row", "have output or failed", got, hint)
    outputs = added.outputs.setdefault(source, {})
    if module in outputs or module in turn.given_by(source):
        hint = "Each source says one thing of a module at a turn."
        raise InputError(place, f"{source}, {module}", "stand once", "twice", hint)
    outputs[module] = record.get("output") if failed is None else Failed(str(failed))
    if record.get("confidence") is not None:
        confidences = added.confidences.setdefault(source, {})
        confidences[module] = _confidence(place, record["confidence"])


def _annotated(turn: TargetTurn, added: _Annotations) -> TargetTurn:
    target = {**turn.target, **added.outputs.pop(TARGET, {})}
    annotations, confidences = (
        {n: {**before.get(n, {}), **more.get(n, {})} for n in (*before, *more)}
        for before, more in (
            (turn.annotations, added.outputs),
            (turn.confidences, added.confidences),
        )
    )
    return replace(
        turn, target=target, annotations=annotations, confidences=confidences
    )


def _turn_number(place: str, value: Any, n_turns: int) -> int:
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
    record["turns"] = [_turn_record(turn) for turn in dialogue.turns]
    if dialogue.removed:
        record["removed"] = [_turn_record(turn) for turn in dialogue.removed]
    return record


def _turn_record(turn: TargetTurn) -> dict[str, Any]:
    record: dict[str, Any] = {"input": turn.input, "target": dict(turn.target)}
    record["acceptable"] = {
        module: list(outputs) for module, outputs in turn.acceptable.items()
    }
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
    record["confidences"] = {
        source: dict(values) for source, values in turn.confidences.items()
    }
    record["changes"] = [
        {"what": change.what, "why": change.why}
        | ({} if change.was is None else {"was": change.was})
        for change in turn.changes
    ]
    # Empty fields are left out; the input may be empty, and has to be there.
    return {name: value for name, value in record.items() if name == "input" or value}
