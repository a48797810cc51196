"""The options of ``demur agree``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur agree``."""
    command.description = (
        "Agreement of annotators: Krippendorff's alpha with its interval, kappas, and "
        "who disagrees, on what, and where to look first."
    )
    command.common = ("--metric", "--annotators", "--key", "--by", "--plot")
    command.examples = ("demur agree labels.csv --annotators ann,ben,carla",)
    command.option(
        "ANNOTATIONS: files with unit, annotator, label and maybe cluster and "
        "label_weight; or with a column for each annotator; or exports of Label Studio "
        "or Prodigy with choices",
        nargs="+",
    )
    command.option(
        f"--metric METRIC: {', '.join(choices.AGREEMENT_METRICS)}; may be repeated "
        "(default: nominal; of sets nominal, jaccard and both MASIs)",
        action="append",
        choices=choices.AGREEMENT_METRICS,
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
    part = command.part("intervals and draws")
    part.option(
        "--resample: what intervals are about: other units, other clusters (the "
        "default where there are any), or other annotators",
        choices=choices.RESAMPLED,
    )
    shared.add_level(command, "intervals")
