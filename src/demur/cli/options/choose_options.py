"""The options of ``demur choose``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur choose``."""
    command.description = "Choose a cutoff per system, and say what it costs."
    command.common = (
        "--wrong-costs",
        "--max-error",
        "--certainty",
        "--split",
        "--lock",
    )
    command.examples = (
        "demur choose outcomes.jsonl --wrong-costs 4",
        "demur choose outcomes.jsonl --max-error 0.25 --certainty 0.9 --lock lock.json",
    )
    command.option(
        "OUTCOMES: files of outcomes; with --plan there may be none", nargs="*"
    )
    _rules_options(command)
    _max_error_options(command)
    _kinds_options(command)
    _held_out_options(command)
    command.option(
        "--by GROUP: who gets declined at the cutoff: rates for each value of this "
        "column, on held-out items where there are some"
    )
    shared.add_picture(command, "with --prices: draw the least costs at each R")
    command.option(
        "--lock FILE: keep the cutoff, its target and the mix of confidences for demur "
        "recheck"
    )
    shared.add_max_cluster(command, "with --lock: ")
    shared.add_selection(command, "outcomes")
    shared.add_repeated(command)
    shared.add_engine(command)
    shared.add_result_options(command, "'error > 0.05' or 'NAME: nonreturn > 0.3'")


def _rules_options(command: Parser) -> None:
    part = command.part("further aims, of which one is needed")
    rule = part.add_mutually_exclusive_group(required=True)
    rule.option(
        "--cost-ratio R: least error + R x nonreturn: the cost of a non-return over "
        "that of an error; from 1 upwards never decline",
        type=typed.cost_ratio,
    )
    rule.option(
        "--wrong-costs W: how many declined items a wrong answer costs as much as; the "
        "same as --cost-ratio with R = 1 / W",
        type=typed.positive,
    )
    rule.option(
        "--confidence-target T: answer where the chance of being right is worth it: R "
        "= 1 - T",
        type=typed.rate,
    )
    rule.option(
        "--score NAME: the best cutoff by a named score, such as omniscience-index or "
        "'reliability-score(c=10)'",
        type=typed.linear_score,
    )
    rule.option("--max-error E: the smallest cutoff with error <= E", type=typed.rate)
    rule.option("--nonreturn X: the largest nonreturn <= X", type=typed.rate)
    rule.option("--balance: error and missed chance as equal as can be")
    rule.option(
        "--prices: which system, at which cutoff, is cheapest at which R, or whether "
        "to answer nothing; systems judged on the same items"
    )


def _max_error_options(command: Parser) -> None:
    part = command.part("a bound on the error")
    part.option(
        "--of: with --max-error: errors over all items or over answered ones; of "
        "answers made of parts over all wholes, or over those with a returned part; "
        "wholes also go with costs and --nonreturn, then of parts",
        choices=["all", "answered", *choices.OF_WHOLES],
        usual="all",
    )
    part.option(
        "--certainty C: with --max-error: certify the error, so that it is truly "
        "greater with chance 1 - C at most",
        type=typed.share,
    )
    part.option(
        "--bound: with --certainty, for clusters, weights or partial credit: a proven "
        "bound, or a sharper one that holds in simulations and that no gate takes",
        choices=["certified", "simulated"],
        usual="certified",
    )
    part.option(
        "--max-nonreturn X: with --max-error and --certainty: also promise that no "
        "more is declined",
        type=typed.rate,
    )
    part.option(
        "--each GROUP: with --max-error and --certainty: promise the error for each "
        "value of this column"
    )
    part.option(
        "--plan: with --max-error and --certainty: how many items it takes before the "
        "error can be certified; with OUTCOMES also as they err"
    )
    part.option(
        "--power P: with --plan and OUTCOMES: the chance that so many items are "
        "certified (default: 0.8)",
        type=typed.share,
    )


def _kinds_options(command: Parser) -> None:
    part = command.part("cutoffs for kinds of parts")
    part.option(
        "--kinds COLUMN: with --max-error and --of wholes: a cutoff for each value of "
        "this column, such as the tool that a part calls, chosen together; with "
        "--certainty searched on --split of the wholes (default: 0.5) and certified on "
        "the rest"
    )
    part.option(
        "--kind-cost KIND=COST: with --kinds: what it costs to withhold a part of this "
        "kind (default: 1); may be repeated",
        several=True,
        type=typed.kind_cost,
    )


def _held_out_options(command: Parser) -> None:
    part = command.part("what it is judged on")
    part.option(
        "--gold COLUMN: the column with people's verdicts on a part of the items, "
        "drawn at random: choose by corrected errors; with --certainty by people's "
        "verdicts alone"
    )
    where = part.add_mutually_exclusive_group()
    where.option(
        "--held-out OUTCOMES: judge the cutoff, or the prices, on these outcomes; may "
        "be repeated",
        action="extend",
        nargs="+",
    )
    where.option(
        "--split SHARE: choose on this share of the items, drawn at random, judge on "
        "the rest",
        type=typed.share,
    )
    part.option("--seed SEED: of the split (default: 0)", type=typed.whole_number)
