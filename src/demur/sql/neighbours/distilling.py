"""Instances chosen one after the other, each for the mutants that still live."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from demur.sql.neighbours.fuzzing import Fuzzer, Plan
from demur.sql.neighbours.mentions import mentions_in
from demur.sql.neighbours.mutants import Mutant
from demur.sql.neighbours.trials import Run, Subject, Trial, trials
from demur.sql.neighbours.writing import write_instance

_CANDIDATES: Final = 8
"""How many instances are drawn for each one that is kept."""

MutantsOf = dict[Subject, list[Mutant]]


@dataclass(frozen=True, slots=True)
class KeptInstance:
    """An instance that is kept.

    Parameters
    ----------
    path : Path
        Where it is.
    rows : int
        Of all its tables.
    killed : mapping of Subject to list of Mutant
        Those that lived until then.
    trials : mapping of Subject to Trial
        What each query gives there.
    """

    path: Path
    rows: int
    killed: Mapping[Subject, Sequence[Mutant]]
    trials: Mapping[Subject, Trial]

    def n_killed(self) -> int:
        """How many it kills."""
        return sum(map(len, self.killed.values()))

    def worth(self) -> tuple[int, int]:
        """How many it kills, and for how many queries it has rows."""
        return self.n_killed(), sum(trial.rows > 0 for trial in self.trials.values())


@dataclass(slots=True)
class Distillation:
    """The mutants of some queries on one database, and who kills them.

    Parameters
    ----------
    subjects : sequence of Subject
        The queries.
    run : callable
        Runs queries, such as `demur.sql.execution.run_all`.
    companions : mapping of Subject to list of Subject
        For each query those that stand beside it in a reference, and itself.

    Attributes
    ----------
    mutants : dict of Subject to list of Mutant
        Those that run; none is there of a query that fails.
    living : dict of Subject to list of Mutant
        Those that nothing has killed so far.
    killed : dict of Subject to list of Mutant
        Those that further instances have killed.
    first : dict of Subject to Trial
        What each query that runs gives in the originals; by chance if in one of them.
    """

    subjects: Sequence[Subject]
    run: Run
    companions: Mapping[Subject, Sequence[Subject]]
    mutants: MutantsOf = field(default_factory=dict)
    living: MutantsOf = field(default_factory=dict)
    killed: MutantsOf = field(default_factory=dict)
    first: dict[Subject, Trial] = field(default_factory=dict)

    def try_originals(self, names: Sequence[str]) -> None:
        """Learn which mutants run, and which of them the originals kill."""
        asked = {
            subject: [subject.itself, *subject.mutants]
            for subject in self.subjects
            if subject.itself is not None
        }
        listed = list(trials(names, asked, self.run))
        for subject, (itself, *_) in asked.items():
            trial = _all_together([on_one[subject] for on_one in listed])
            if trial.usable and itself not in trial.killed:
                self.first[subject] = trial
        for subject, trial in self.first.items():
            if all(one in self.first for one in self.companions[subject]):
                able = [one for one in subject.mutants if one not in trial.unable]
                self.mutants[subject], self.killed[subject] = able, []
                self.living[subject] = [one for one in able if one not in trial.killed]

    def choose(
        self, fuzzer: Fuzzer, count: int, seed: str, folder: Path
    ) -> Iterator[KeptInstance]:
        """Draw instances, and keep those that kill most; fewer if none kills any.

        Parameters
        ----------
        fuzzer : Fuzzer
            Draws their rows.
        count : int
            How many are kept.
        seed : str
            What decides the draws.
        folder : Path
            Where they are written.
        """
        planned = {
            subject: fuzzer.plan(mentions_in(subject.case.sql, subject.dialect))
            for subject in self.living
        }
        for number in range(count):
            plans = [planned[one] for one, left in self.living.items() if left]
            random, place = Random(f"{seed}/{number}"), folder / str(number)
            candidates = self._drawn(fuzzer, plans, random, place)
            best = max(candidates, key=KeptInstance.worth, default=None)
            for candidate in candidates:
                if candidate is not best or not best.n_killed():
                    candidate.path.unlink()
            if best is None or not best.n_killed():
                return
            self._take(best)
            yield best

    def _drawn(
        self, fuzzer: Fuzzer, plans: Sequence[Plan], random: Random, place: Path
    ) -> list[KeptInstance]:
        """Some instances, and what they kill; none if nothing is alive."""
        if not any(self.living.values()):
            return []
        planted = [plan for plan in plans if plan]
        rows = {}
        place.mkdir()
        for number in range(_CANDIDATES):
            path = place / str(number)
            contents = fuzzer.rows(planted, random)
            rows[path] = write_instance(path, fuzzer.blueprint, contents)
        listed = trials([str(path) for path in rows], self.living, self.run)
        return [
            KeptInstance(path, rows[path], self._killed(trials_there), trials_there)
            for path, trials_there in zip(rows, listed, strict=True)
        ]

    def _take(self, kept: KeptInstance) -> None:
        """Let what an instance kills be dead."""
        for subject, mutants in kept.killed.items():
            living, gone = self.living[subject], set(mutants)
            self.living[subject] = [one for one in living if one not in gone]
            self.killed[subject] += mutants

    def _killed(self, trials_there: Mapping[Subject, Trial]) -> MutantsOf:
        """The living mutants that an instance kills, of queries that are sure there."""
        return {
            subject: [one for one in self.living[subject] if one in trial.killed]
            for subject, trial in trials_there.items()
            if trial.killed and self.is_sure(subject, trials_there)
        }

    def is_sure(self, subject: Subject, trials_there: Mapping[Subject, Trial]) -> bool:
        """Whether answers to a query may be judged by an instance.

        It and those beside it must give results, not by chance and with rows, unless
        that is so in the original.
        """
        return all(
            trials_there[one].usable
            and (self.first[one].by_chance or not trials_there[one].by_chance)
            and (trials_there[one].rows > 0 or not self.first[one].rows)
            for one in self.companions[subject]
        )


def _all_together(listed: Sequence[Trial]) -> Trial:
    """What came of a query in several originals, where it must be right in each."""
    return Trial(
        all(trial.usable for trial in listed),
        any(trial.by_chance for trial in listed),
        sum(trial.rows for trial in listed),
        frozenset().union(*(trial.killed for trial in listed)),
        frozenset().union(*(trial.unable for trial in listed)),
    )
