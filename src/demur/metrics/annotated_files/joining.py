"""Annotated files as one table with both sides."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from demur.errors import InputError, shown
from demur.metrics.annotated_files.standoff import FORM as BRAT
from demur.metrics.annotated_files.texts import AnnotatedFile, AnnotatedText, Answer
from demur.outcomes.named_columns import NamedColumns
from demur.results import with_noun

_SEVERAL: Final = "Of several annotators, demur agree has the agreement."
Row = tuple[AnnotatedText, str, str, Any, Any]
"""A text, where both sides were read, the system, and the two answers."""


class Joined(NamedTuple):
    """A table with ``ref``, ``hyp``, ``item`` and more, and what must be said of it."""

    table: NamedColumns
    notes: list[str]


def both_sides(file: AnnotatedFile, *, labels: bool = False) -> Joined:
    """Annotations and predictions of one file.

    Raises
    ------
    InputError
        If there are none, or a text has annotations of several.
    """
    models = _models(file)
    if not models:
        need = "hold predictions, or come with a file of the system's"
        hint = "Name both: REFERENCES SYSTEM."
        raise InputError(file.name, file.form, need, "annotations alone", hint)
    rows: list[Row] = []
    without = 0
    _by_key([file])
    for text in file.texts:
        truth = _truth(text)
        if truth is None:
            without += 1
            continue
        answers = {answer.by: answer.value for answer in text.predicted}
        for answer in text.predicted:
            if sum(other.by == answer.by for other in text.predicted) > 1:
                need, got = "have one prediction of each model", shown(answer.by)
                raise InputError(text.place, "a text", need, f"two of {got}")
        rows += [
            (text, text.place, model, truth.value, answers.get(model))
            for model in models
        ]
    return _joined([file], rows, without, labels=labels)


def joined_files(
    files: Sequence[AnnotatedFile], systems: Sequence[str], *, labels: bool = False
) -> Joined:
    """References in the first file, what systems say in the others.

    Parameters
    ----------
    files : sequence of AnnotatedFile
    systems : sequence of str
        Names of those after the first.
    labels : bool
        Whether answers are labels.

    Raises
    ------
    InputError
        If they are not of the same texts in the same units, or one has several answers
        for a text.
    """
    first = files[0]
    for other in files[1:]:
        _check_form(first, other)
    rows: list[Row] = []
    true, *given = _by_key(files)
    for file, texts, name in zip(files[1:], given, systems, strict=True):
        _check_keys(first, true, file, texts)
        models = _models(file)
        for key, text in true.items():
            truth, system = _truth(text), texts[key]
            _check_text(text, system)
            if truth is None:
                continue
            where = f"{text.place} and {system.place}"
            if not models:
                heard = _truth(system)
                value = None if heard is None else heard.value
                rows.append((text, where, name, truth.value, value))
            answers = {answer.by: answer.value for answer in system.predicted}
            for model in models:
                called = "/".join(filter(None, (name, model if models[1:] else "")))
                rows.append((text, where, called, truth.value, answers.get(model)))
    without = sum(_truth(text) is None for text in true.values())
    return _joined(files, rows, without, labels=labels)


def annotators(files: Sequence[AnnotatedFile]) -> list[tuple[str, dict[str, Any]]]:
    """Who gave which text which label, as records of a long table with their places.

    Sets, if some text has several labels.
    """
    answers = [
        (file, text, answer)
        for file in files
        for text in file.texts
        for answer in text.annotated
    ]
    sets = any(len(answer.value) > 1 for _, _, answer in answers)
    named = all(text.name for file in files for text in file.texts)
    return [
        (
            text.place,
            {
                "unit": text.name if named else text.text,
                "annotator": answer.by or file.name,
                "label": frozenset(answer.value) if sets else answer.value[0],
            },
        )
        for file, text, answer in answers
    ]


def _joined(
    files: Sequence[AnnotatedFile], rows: Sequence[Row], without: int, *, labels: bool
) -> Joined:
    if not rows:
        need = "hold annotated texts"
        raise InputError(files[0].name, files[0].form, need, "none")
    named = all(text.name for text, *_ in rows)
    columns: dict[str, Any] = {
        "ref": [_value(ref, labels=labels) for *_, ref, _ in rows],
        "hyp": [_value(hyp, labels=labels) for *_, hyp in rows],
        "item": [text.name if named else text.place for text, *_ in rows],
    }
    if any(text.document for text, *_ in rows):
        columns["cluster"] = [text.document for text, *_ in rows]
    if any(row[2] for row in rows):
        columns["system"] = [row[2] for row in rows]
    form, unit = files[0].form, files[0].unit
    many = with_noun(len(files[0].texts), "text")
    notes = [f"{' and '.join(f.name for f in files)}: read as {form}, {many}"]
    if not labels:
        notes[0] += f", spans in {unit}"
    notes += [note for file in files for note in file.notes]
    if without:
        notes.append(f"{with_noun(without, 'text')} without a reference left out")
    places = [place for _, place, *_ in rows]
    return Joined(NamedColumns(columns, places), notes)


def _value(value: Any, *, labels: bool) -> Any:
    """An answer as a measure takes it; one label as itself."""
    if labels and value is not None:
        return value[0] if len(value) == 1 else list(value)
    return value


def _models(file: AnnotatedFile) -> list[str]:
    return list(dict.fromkeys(a.by for text in file.texts for a in text.predicted))


def _truth(text: AnnotatedText) -> Answer | None:
    """The only answer of annotators, or the one that was marked as best."""
    if not text.annotated:
        return None
    best = [answer for answer in text.annotated if answer.best] or text.annotated
    if len(best) > 1:
        need = "have one annotation, or one that is marked as ground truth"
        names = ", ".join(shown(answer.by) for answer in best)
        raise InputError(text.place, "a text", need, f"{len(best)}: {names}", _SEVERAL)
    return best[0]


def _by_key(files: Sequence[AnnotatedFile]) -> list[dict[Any, AnnotatedText]]:
    """Texts by their order, or their names where all have one, or themselves."""
    named = all(text.name for file in files for text in file.texts)
    keyed_files = []
    for file in files:
        keyed: dict[Any, AnnotatedText] = {}
        for number, text in enumerate(file.texts):
            key = text.name if named else text.text
            key = number if file.in_order else key
            if key in keyed:
                what = "the name of a text" if named else "a text"
                got = f"{shown(key)} again, first in {keyed[key].place}"
                raise InputError(text.place, what, "be there once", got, _SEVERAL)
            keyed[key] = text
        keyed_files.append(keyed)
    return keyed_files


def _check_form(first: AnnotatedFile, other: AnnotatedFile) -> None:
    """Refuse other units, and of BRAT a folder beside a document."""
    if other.unit != first.unit:
        need = f"have spans in {first.unit}, as {first.name} has"
        raise InputError(other.name, "the file", need, other.unit)
    if other.in_order != first.in_order:  # of BRAT
        kinds = "a folder", "one document"
        need = f"be {kinds[first.in_order]}, as {first.name} is"
        raise InputError(other.name, "the annotations", need, kinds[other.in_order])


def _check_keys(
    first: AnnotatedFile,
    true: dict[Any, AnnotatedText],
    other: AnnotatedFile,
    given: dict[Any, AnnotatedText],
) -> None:
    """Refuse files of other texts."""
    if first.in_order and other.in_order:
        for a, b in zip(true.values(), given.values(), strict=False):
            _check_text(a, b)
        if len(true) != len(given):
            need = f"have {len(true)} texts, as {first.name} has"
            raise InputError(other.name, "the file", need, str(len(given)))
        return
    for lacking, than, keys in (
        (other, first, true.keys() - given.keys()),
        (first, other, given.keys() - true.keys()),
    ):
        if keys:
            need = f"have the texts of {than.name}"
            got = f"none for {shown(min(keys, key=str))}"
            hint = _hint_of_lacking(lacking, true, given)
            raise InputError(lacking.name, "the texts", need, got, hint)


def _hint_of_lacking(
    file: AnnotatedFile,
    true: dict[Any, AnnotatedText],
    given: dict[Any, AnnotatedText],
) -> str:
    if file.form == BRAT:
        return "Where nothing is annotated a file .ann stands empty."
    same = [
        {text.text for text in its.values() if isinstance(text.text, str)}
        for its in (true, given)
    ]
    return _IDS if same[0] and same[0] == same[1] else ""


def _check_text(text: AnnotatedText, other: AnnotatedText) -> None:
    """Refuse other words, as far as they are known."""
    if text.text == other.text or text.text is None or other.text is None:
        return
    if isinstance(text.text, dict) and isinstance(other.text, dict):
        for place, part in text.text.items():
            if (got := other.text.get(place, part)) != part:
                need = f"be {shown(part)}, as in {text.place}"
                hint = "Both sides must be of the same document."
                raise InputError(other.place, f"text {place}", need, shown(got), hint)
        return
    need = f"be that of {text.place}"
    got = shown(other.text)
    if isinstance(text.text, tuple) and isinstance(other.text, tuple):
        pairs = zip((*text.text, None), (*other.text, None), strict=False)
        place, (word, keyed_files) = next(
            (place, pair) for place, pair in enumerate(pairs, 1) if pair[0] != pair[1]
        )
        ends = "the end of the sentence"
        need = f"be {shown(word) if word else ends}, as in {text.place}"
        got = shown(keyed_files) if keyed_files else ends
        raise InputError(other.place, f"token {place}", need, got, _TOKENS)
    raise InputError(other.place, "the text", need, got)


_IDS: Final = "The texts are the same: without ids they are joined by these."
_TOKENS: Final = "Both files must have the same tokens and sentences."
