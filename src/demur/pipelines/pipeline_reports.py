"""A pipeline with each module replaced, and where its loss comes from: one result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from demur.pipelines.attributions import Attribution
from demur.pipelines.evaluations import PipelineEvaluation
from demur.results import Figure, Result, Table


@dataclass(frozen=True, eq=False, repr=False)
class PipelineReport(Result):
    """What ``demur pipeline`` finds: the blame first, then each module replaced.

    Parameters
    ----------
    evaluations : tuple of PipelineEvaluation
        One for each module that was replaced.
    attribution : Attribution or None
        None if it was left out, or nothing better is known.
    """

    KINDS = PipelineEvaluation.KINDS + Attribution.KINDS

    evaluations: tuple[PipelineEvaluation, ...]
    attribution: Attribution | None = None

    @property
    def results(self) -> tuple[Result, ...]:
        """The attribution, if there is one, and the evaluations."""
        first = () if self.attribution is None else (self.attribution,)
        return (*first, *self.evaluations)

    def sentence(self) -> str:
        """Those of all parts, the blame first; which modules broke is said once."""
        if self.attribution is None:
            lines = [evaluation.sentence() for evaluation in self.evaluations]
        else:
            lines = [self.attribution.sentence()]
            lines += [evaluation.with_best() for evaluation in self.evaluations]
        return "\n".join(dict.fromkeys(lines))

    def figures(self) -> Iterator[Figure]:
        """Those of the pipeline as it is, and the blame."""
        yield from self.evaluations[0].figures()
        if self.attribution is not None:
            yield from self.attribution.figures()

    def tables(self) -> Sequence[Table]:
        """Those of all parts."""
        return [table for part in self.results for table in part.tables()]

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of all parts; what is not said of all modules after their names."""
        notes = [] if self.attribution is None else list(self.attribution.notes)
        known = {f"{note}." for note in notes}
        listed = [
            [note for note in one.notes if note not in known]
            for one in self.evaluations
        ]
        shared = [note for note in listed[0] if all(note in one for one in listed)]
        notes += shared
        for one, its in zip(self.evaluations, listed, strict=True):
            start = f"{one.module} replaced: "
            notes += [start + note for note in its if note not in shared]
        return tuple(dict.fromkeys(notes))

    @property
    def signature(self) -> str:
        """Those of all parts."""
        return "; ".join(dict.fromkeys(part.signature for part in self.results))

    def to_dict(self) -> dict[str, Any]:
        """Flat for one module; the modules under ``tables`` for several."""
        plain = [one.to_dict() for one in self.evaluations]
        tables = plain[0] if len(plain) == 1 else {"tables": plain}
        if self.attribution is None:
            return tables
        return {**tables, "attribution": self.attribution.to_dict()}
