"""``demur agree``: how far annotators agree, and on what they do not."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from demur import formats
from demur.agreement.agreeing import OF_SETS, Agreement, agreement
from demur.agreement.annotations import of_records
from demur.agreement.distances import METRICS
from demur.agreement.intervals import RESAMPLED
from demur.agreement.judges import KINDS as OF_JUDGES
from demur.cli import Parser, say, shared, typed
from demur.results import FigureKind


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur agree``."""
    command.description = (
        "Agreement of annotators: Krippendorff's alpha with its interval, kappas, and "
        "who disagrees, on what, and where to look first."
    )
    command.option(
        "ANNOTATIONS: files with unit, annotator, label and maybe cluster and "
        "label_weight; or with a column for each annotator; or exports of Label Studio "
        "or Prodigy with choices",
        nargs="+",
    )
    command.option(
        f"--metric METRIC: {', '.join(METRICS)}; may be repeated (default: nominal; of "
        "sets nominal, jaccard and both MASIs)",
        action="append",
        choices=METRICS,
    )
    command.option(
        "--sets SEPARATOR: labels are sets, written with this between their members; "
        "{} is empty"
    )
    command.option(
        "--annotators A,B: only these; of a wide table, the columns that are "
        "annotators",
        type=typed.names,
    )
    command.option(
        "--key ANNOTATOR: who is taken for right: the others are judges, and get "
        "sensitivity, specificity, precision, F, and the kappa of PARADISE"
    )
    command.option(
        "--by COLUMN: with --key: look at judges in each group of this column, such as "
        "system"
    )
    command.option(
        "--positive LABEL: with --key: the label that says yes (default: right, yes, "
        "true, correct or 1)"
    )
    _interval_options(command)
    shared.add_picture(
        command, "draw which labels are confused, and who is how far off"
    )
    shared.add_selection(command, "annotations")
    shared.add_result_options(command, "'alpha < 0.67', 'alpha jaccard < 0.8'")


def _interval_options(command: Parser) -> None:
    command.option(
        "--resample: what intervals are about: other units, other clusters (the "
        "default where there are any), or other annotators",
        choices=RESAMPLED,
    )
    shared.add_level(command, "intervals")


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
