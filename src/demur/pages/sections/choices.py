"""Choices: cutoffs, and what is promised of them."""

from collections.abc import Sequence

from demur.decisions.choice_tables import FEW
from demur.decisions.choices import Choice
from demur.decisions.ranked_choices import Choices
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.results import NONE, rate


def section(choices: Sequence[Choice], source: Source) -> Section:
    """Which cutoff, by which rule, and what it costs."""
    names = names_of([each.system for each in choices])
    sentence = " ".join(choice.sentence() for choice in choices)
    if len(choices) > FEW:
        sentence = Choices(choices).sentence()
    rows = tuple(
        (
            name,
            each.rule,
            "none found"
            if not each.found
            else "never answer"
            if each.cutoff is None
            else f"{each.cutoff}",
            rate(each.nonreturn),
            rate(each.error),
            rate(each.error_answered),
            rate(each.bound),
            NONE if each.score is None else f"{each.score:.3f}",
        )
        for each, name in zip(choices, names, strict=True)
    )
    header = ["system", "rule", "cutoff", "not answered", "wrong of all"]
    header += ["wrong of answered", "bound", "score"]
    return Section(
        heading="Cutoffs",
        sentence=sentence.replace("\n", " "),
        grids=(PageTable("Chosen cutoffs", tuple(header), rows),),
        notes=distinct([each.notes for each in choices]),
        signatures=distinct([[each.signature] for each in choices]),
        source=source.line(
            "choose",
            f"demur.choose(outcomes, {choices[0].rule.split(' ')[0].rstrip(',')})",
        ),
    )
