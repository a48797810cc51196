"""What would be right without a look: a floor for whoever reads the outcomes."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from demur import answers
from demur.answers.callables import Custom
from demur.answers.floors import Guessable, floor_note, values_called
from demur.judging.join import References, queries_of


class Guesses:
    """The answers that would be right without a look at the question.

    Parameters
    ----------
    comparator : Comparator
        Ready for use: it has compared the responses.
    references : References
        What it compared them with.
    numbers : iterable of int
        Those of the references that were answered.
    unusable : collection of str
        Items whose references say nothing that is right.
    """

    def __init__(
        self,
        comparator: Any,
        references: References,
        numbers: Iterable[int],
        *,
        unusable: Collection[str] = (),
    ) -> None:
        self._unusable = unusable
        self._comparator, self._references = comparator, references
        self._numbers = sorted({*numbers})
        known = [] if isinstance(comparator, Custom) else self._called()
        self._names = dict(zip(self._numbers, known, strict=False))

    def note(self) -> str:
        """What the best of them gets."""
        extras = self._references.extras
        databases = [str(extras[number].get("db") or "") for number in self._numbers]
        return floor_note(self._names.values(), databases if self._names else ())

    def column(self) -> list[Any] | None:
        """For each reference its answers; None if outcomes show them as values."""
        references = self._references
        if not isinstance(self._comparator, Guessable):
            return None
        if not any(map(queries_of, references.extras)):
            return None
        called = (sorted(self._names.get(at, ())) for at in range(len(references)))
        return [
            names if len(names) > 1 else names[0] if names else None for names in called
        ]

    def _called(self) -> Iterator[set[str]]:
        """What answers to each item that was answered are called."""
        comparator, references = self._comparator, self._references
        as_read = isinstance(comparator, (answers.Label, answers.Text))
        for number in self._numbers:
            if (
                not references.answerable[number]
                or references.items[number] in self._unusable
            ):
                yield set()
            elif isinstance(comparator, Guessable):
                yield {*comparator.constants(references.record(number))}
            else:
                listed = references.alternatives[number]
                if as_read:
                    listed = references.read(number, comparator)
                yield values_called(value for value, weight in listed if weight == 1)
