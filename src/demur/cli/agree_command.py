"""``demur agree``: how far annotators agree, and on what they do not."""

import argparse
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from demur import formats
from demur.agreement.agreeing import REPLICATES, Agreement, agreement
from demur.agreement.annotations import of_records
from demur.agreement.distances import METRICS
from demur.agreement.resampled_alphas import RESAMPLED
from demur.cli import shared
from demur.cli.shared import how_read
from demur.cli.streams import say
from demur.cli.usage import check_outputs
from demur.plots.drawing import plot_agreement
from demur.plots.pens import save_picture


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur agree``."""
    command.description = (
        "Agreement of annotators: Krippendorff's alpha with its interval, kappas, and "
        "who disagrees, on what, and where to look first."
    )
    command.add_argument(
        "annotations",
        nargs="+",
        metavar="ANNOTATIONS",
        help="files with unit, annotator, label and maybe cluster; or with a column "
        "for each annotator",
    )
    command.add_argument(
        "--metric",
        action="append",
        choices=METRICS,
        metavar="METRIC",
        help=f"{', '.join(METRICS)}; may be repeated (default: nominal; of sets "
        "nominal, jaccard and both MASIs)",
    )
    command.add_argument(
        "--sets",
        metavar="SEPARATOR",
        help="labels are sets, written with this between their members; {} is empty",
    )
    command.add_argument(
        "--annotators",
        type=shared.names,
        metavar="A,B",
        help="only these; of a wide table, the columns that are annotators",
    )
    command.add_argument(
        "--key",
        metavar="ANNOTATOR",
        help="who is taken for right: the others are judges, and get sensitivity, "
        "specificity, and the kappa of PARADISE",
    )
    command.add_argument(
        "--by",
        metavar="COLUMN",
        help="with --key: look at judges in each group of this column, such as system",
    )
    command.add_argument(
        "--positive",
        metavar="LABEL",
        help="with --key: the label that says yes (default: right, yes, true, correct "
        "or 1)",
    )
    command.add_argument(
        "--resample",
        choices=RESAMPLED,
        help="what intervals are about: other units, other clusters (the default where "
        "there are any), or other annotators",
    )
    shared.add_level(command, "intervals")
    command.add_argument(
        "--replicates",
        type=int,
        default=REPLICATES,
        metavar="N",
        help="draws for an interval; 0 makes none (default: %(default)s)",
    )
    shared.add_seed(command, "the draws")
    shared.add_picture(
        command, "draw which labels are confused, and who is how far off"
    )
    shared.add_selection(command, "annotations")
    shared.add_result_options(command, "'alpha < 0.67', 'alpha jaccard < 0.8'")


def run(arguments: Namespace) -> int:
    """Read, compare, print, draw; then the gates."""
    output = shared.output_of(arguments, Agreement.KINDS)
    written = {"--plot": arguments.plot, "--page": output.page}
    check_outputs("agree", written, arguments.annotations)
    records = formats.iter_records(*arguments.annotations, **how_read(arguments))
    if arguments.sets:
        records = _with_sets(records, arguments.sets)
    found = agreement(
        of_records(records, arguments.annotators, arguments.by),
        arguments.metric,
        key=arguments.key,
        positive=arguments.positive,
        resample=arguments.resample,
        level=arguments.level,
        replicates=arguments.replicates,
        seed=arguments.seed,
    )
    if arguments.plot:
        save_picture(plot_agreement(found), arguments.plot)
        say(f"wrote {arguments.plot}")
    return shared.finish(found, output)


def _with_sets(
    records: Iterator[tuple[str, dict[str, Any]]], separator: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records, with labels as sets of their parts."""
    own = ("unit", "item", "annotator", "cluster")
    for place, record in records:
        yield (
            place,
            {
                name: value if name in own else _set(value, separator)
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
