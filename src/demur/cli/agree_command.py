"""``demur agree``: how far annotators agree, and on what they do not."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from demur import formats
from demur.agreement.agreeing import OF_SETS, Agreement, agreement
from demur.agreement.annotations import of_records
from demur.agreement.distances import METRICS
from demur.agreement.judges import KINDS as OF_JUDGES
from demur.cli import say, shared
from demur.results import FigureKind


def run(arguments: Namespace) -> int:
    """Read, compare, print, draw; then the gates."""
    files = arguments.annotations
    kinds = _kinds(arguments.metric, arguments.key)
    shared.check_asked(arguments, kinds, files, ["plot"])
    records: Iterator[tuple[str, dict[str, Any]]] | None
    records = _exported(arguments)
    if records is None:
        records = formats.iter_records(*files, **shared.how_read(arguments))
    if arguments.sets:
        records = _with_sets(records, arguments.sets)
    agreed = agreement(
        of_records(records, arguments.annotators, arguments.by),
        arguments.metric,
        **shared.named(arguments, "key", "positive", "resample", "level"),
    )
    shared.draw(agreed.plot, arguments.plot)
    return shared.finish(agreed, arguments)


def _exported(arguments: Namespace) -> Iterator[tuple[str, dict[str, Any]]] | None:
    """Labels of Label Studio's or Prodigy's annotators; None if it is no export."""
    files = arguments.annotations
    if arguments.log or arguments.columns or arguments.where or "-" in files:
        return None
    from demur.metrics.annotated_files.joining import annotators
    from demur.metrics.annotated_files.reading import read_annotated
    from demur.metrics.annotated_files.texts import Asked

    read = read_annotated(files, Asked("labels"), max_size=arguments.max_size)
    if read is None:
        return None
    for note in (note for file in read for note in file.notes):
        say(note)
    say(f"{' and '.join(file.name for file in read)}: read as {read[0].form}")
    return iter(annotators(read))


def _kinds(metrics: Sequence[str] | None, key: str | None) -> list[FigureKind]:
    """The figures that there will be; alpha is that of the first metric."""
    unasked = {f"alpha {name}" for name in {*METRICS} - {*(metrics or OF_SETS)}}
    unasked |= set() if key else {kind.name for kind in OF_JUDGES}
    return [kind for kind in Agreement.KINDS if kind.name not in unasked]


def _with_sets(
    records: Iterator[tuple[str, dict[str, Any]]], separator: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records, with labels as sets of their parts."""
    of_record = ("unit", "item", "annotator", "cluster", "label_weight")
    for place, record in records:
        yield (
            place,
            {
                name: value if name in of_record else _set(value, separator)
                for name, value in record.items()
            },
        )


def _set(value: Any, separator: str) -> Any:
    if not isinstance(value, str) or not value.strip():
        return value
    if value.strip() == "{}":
        return frozenset()
    parts = (part.strip() for part in value.split(separator))
    return frozenset(part for part in parts if part)
