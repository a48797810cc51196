"""The verb that makes further instances of the databases of references."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path, PurePath
from typing import Any, Final

from demur import answers, checks
from demur.answers import Relation, Sql
from demur.errors import InputError, shown
from demur.files import check_new_folder, new_folder
from demur.formats import reference_of, write_record_files
from demur.outcomes.records import Reference, check_once, item_text, with_place
from demur.results import with_noun
from demur.sql.cases import Case, CaseReader
from demur.sql.databases import Databases
from demur.sql.execution import engines_of, public_name
from demur.sql.execution.databases import SIDE_FILES
from demur.sql.neighbours.distilling import Distillation, KeptInstance
from demur.sql.neighbours.fuzzing import Fuzzer
from demur.sql.neighbours.mutants import FAULTS, Mutant
from demur.sql.neighbours.originals import Original, read_original
from demur.sql.neighbours.results import (
    Instance,
    LivingMutant,
    MutantCounts,
    Neighbours,
)
from demur.sql.neighbours.trials import Subject, subject_of
from demur.sql.unstable import is_stable

_OWN: Final = ("references.jsonl", "living.jsonl")
"""The files that stand beside the databases in the new folder."""

_Placed = tuple[str, Mapping[str, Any]]

_NO_SQL: Final = "no SQL, or not answerable"
_STORED: Final = "a maximum that is a stored result"
_UNSTABLE: Final = "SQL that reads the clock or draws at random"
_FAILS: Final = "SQL that gives no result, or cannot be read"
_EXPLAINED: Final = (
    "a mutant that lives may be another way to write its query: living.jsonl lists them"
)


@dataclass(frozen=True, slots=True)
class _SharedDatabases:
    """References on the same databases: these, and which references have a case."""

    paths: tuple[str, ...]
    items: dict[Case, list[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Made:
    """What was made for a group: the instances, each with its name."""

    group: _SharedDatabases
    originals: list[Original]
    distillation: Distillation
    chosen: list[tuple[str, KeptInstance]] = field(default_factory=list)

    def numbers(self, subject: Subject) -> list[int]:
        """The references that have a query."""
        return self.group.items[subject.case]

    def judged_on(self, chosen: KeptInstance) -> list[int]:
        """The references that an instance judges."""
        numbers = (
            number
            for subject in self.distillation.mutants
            if self.distillation.is_sure(subject, chosen.trials)
            for number in self.numbers(subject)
        )
        return sorted(set(numbers))


def neighbours(  # noqa: PLR0913  (options are independent of each other)
    references: Iterable[Mapping[str, Any] | _Placed],
    path: str | PathLike[str],
    *,
    databases: Databases | str | PathLike[str] | None = None,
    by: Any = "sql",
    instances: int = 3,
    rows: int = 200,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Neighbours:
    """Make further instances of databases, on which wrong queries fall.

    Mutants of each canonical query, each with one fault, stand for wrong answers.
    Instances are drawn at random from the rows that are there and the values that
    queries mention; those are kept that kill most mutants. Keys, foreign keys and
    whatever else a database asks of its rows hold in each, as far as they hold in the
    original; NULL comes only into columns that have one.

    Parameters
    ----------
    references : iterable of mapping
        As in a file of references; or pairs (place, record), as
        `demur.formats.iter_records` gives them.
    path : str or path
        A new folder: for the databases, their neighbours, ``references.jsonl``, whose
        ``db`` lists both, and ``living.jsonl``, with the mutants that live.
    databases : Databases, or its root as str or path, optional
        Where queries run; SQLite or DuckDB files.
    by : str or comparator
        ``sql``, with its options: how answers will be compared.
    instances : int
        How many are made of each database, at most; fewer if no more mutants fall.
    rows : int
        Rows of a table, at most.
    seed : int
        Of the draws.
    progress : callable, optional
        Called with the numbers of databases that are done and of all.

    Returns
    -------
    Neighbours

    Raises
    ------
    InputError
        If an argument is not what it must be, the folder holds something, or nothing
        can be made like any of the databases.

    References
    ----------
    Zhong, Yu and Klein (2020), "Semantic Evaluation for Text-to-SQL with Distilled Test
    Suites", section 3, chooses random databases that tell queries from their
    neighbours.

    Examples
    --------
    >>> import demur, sqlite3, tempfile
    >>> text = "SELECT flight FROM fare WHERE cents > 10000"
    >>> references = [{"item": "q1", "db": "air.sqlite", "sql": text}]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     air = sqlite3.connect(f"{folder}/air.sqlite")
    ...     _ = air.execute("CREATE TABLE fare (flight TEXT, cents INTEGER)")
    ...     rows = [("AA 17", 12900), ("AA 19", 15000), ("DL 5", 9000)]
    ...     _ = air.executemany("INSERT INTO fare VALUES (?, ?)", rows)
    ...     air.commit(); air.close()
    ...     made = demur.neighbours(references, f"{folder}/more", databases=folder)
    >>> print(made.sentence())
    Of 5 mutants the databases kill 2 as they are, and 1 further instance 3 more; 0
    live.
    >>> made.records[0]["db"]
    ['air.sqlite', 'air-1.sqlite']
    """
    comparator = _of_sql(by)
    checks.whole("neighbours", "instances", instances, 1)
    checks.whole("neighbours", "rows", rows, 1)
    checks.whole("neighbours", "seed", seed)
    checks.path("neighbours", path)
    check_new_folder(path)
    where = _databases(databases)
    placed = [
        with_place(record, f"record {number}")
        for number, record in enumerate(
            checks.listed("neighbours", "references", references), 1
        )
    ]
    maker = _Maker(comparator, where, placed)
    with tempfile.TemporaryDirectory(prefix="demur-") as drawn:
        groups = list(maker.groups.values())
        for number, group in enumerate(groups):
            if progress is not None:
                progress(number, len(groups))
            maker.make(group, Path(drawn, str(number)), (instances, rows, seed))
        if progress is not None:
            progress(len(groups), len(groups))
        result = maker.result({"instances": instances, "rows": rows, "seed": seed})
        with new_folder(path) as folder:
            maker.write(folder)
            living = ({**one.to_dict()} for one in result.still)
            write_record_files(
                {
                    str(folder / name): records
                    for name, records in zip(
                        _OWN, (result.records, living), strict=True
                    )
                }
            )
    return result


def _of_sql(by: Any) -> Sql:
    comparator = answers.comparator(by)
    if not isinstance(comparator, Sql):
        raise InputError("neighbours", "by", "be sql, with its options", shown(str(by)))
    return comparator


def _databases(given: Any) -> Databases:
    if given is None or isinstance(given, (str, PathLike)):
        given = Databases(root=None if given is None else str(given))
    checks.of_kind("neighbours", "databases", given, Databases)
    databases: Databases = given
    if given.root is not None and "://" in str(given.root):
        need, got = "be SQLite or DuckDB files", public_name(str(given.root))
        raise InputError("neighbours", "the databases", need, got)
    return replace(databases, progress=None)


class _Maker:
    """References, their databases, and what is made of these.

    Parameters
    ----------
    comparator : Sql
        How answers will be compared.
    databases : Databases
        Where queries run.
    placed : sequence of (str, mapping)
        The references, with their places.
    """

    def __init__(
        self, comparator: Sql, databases: Databases, placed: Sequence[_Placed]
    ) -> None:
        self._databases, self._by = databases, comparator
        self._reader = CaseReader(comparator, databases)
        self._records = [dict(record) for _, record in placed]
        self._left: Counter[str] = Counter()
        self._problems: list[InputError] = []
        self._names: dict[str, str] = {}  # of each database, in the new folder
        # and of what each is the name
        self._taken: dict[str, str] = dict.fromkeys(_OWN, "what neighbours writes")
        self._made: list[_Made] = []
        self.groups: dict[tuple[str, ...], _SharedDatabases] = {}
        first: dict[str, str] = {}
        for number, (place, record) in enumerate(placed):
            reference = reference_of(record, place)
            check_once(item_text(reference.item, place), place, first, "Rename one.")
            self._add(number, reference)

    def _add(self, number: int, reference: Reference) -> None:
        """Group a reference by its databases; or count why it is left as it is."""
        extra, place = reference.extra, reference.place or "reference"
        held = any(extra.get(name) is not None for name in ("sql", "sqls"))
        cases = self._reader.cases(reference) if held else ()
        if not cases or not reference.answerable:
            self._left[_NO_SQL] += 1
            return
        paths = cases[0][0].databases
        self._name(extra.get("db"), place)
        if any(isinstance(case.most, Relation) for case, _ in cases):
            self._left[_STORED] += 1
        elif not all(is_stable(case.sql) for case, _ in cases):
            self._left[_UNSTABLE] += 1
        else:
            group = self.groups.setdefault(paths, _SharedDatabases(paths))
            for case, _ in cases:
                group.items.setdefault(case, []).append(number)

    def _name(self, given: Any, place: str) -> None:
        """Learn how databases are called in the new folder: as references call them."""
        root = self._databases.root
        for name in given if isinstance(given, list) else [given]:
            path = self._databases.named(name, place)
            whole = root is not None and Path(path) == Path(root)
            named = str(PurePath(path).name if whole else PurePath(name))
            self._names[path] = named
            top = PurePath(named).parts[0]  # no folder is called like a file
            other = self._taken.setdefault(top if top in _OWN else named, path)
            if other != path:
                need, got = "name one database alone", f"{named} for {other} and {path}"
                raise InputError(place, "db", need, got)

    # -- making ------------------------------------------------------------------------

    def make(
        self, group: _SharedDatabases, folder: Path, how: tuple[int, int, int]
    ) -> None:
        """Choose the instances of one group; what cannot be made is noted."""
        count, most, seed = how
        run, named = self._databases.run, self._names[group.paths[0]]
        try:
            originals = [read_original(path, run) for path in group.paths]
        except InputError as problem:
            self._problems.append(problem)
            return
        original = originals[0]
        subjects = [subject_of(case, original) for case in group.items]
        distillation = Distillation(subjects, run, _companions(subjects, group))
        made = _Made(group, originals, distillation)
        distillation.try_originals(group.paths)
        folder.mkdir()
        fuzzer = Fuzzer(original.blueprint, original.contents, most)
        for chosen in distillation.choose(fuzzer, count, f"{seed}/{named}", folder):
            made.chosen.append((self._new_name(named), chosen))
        self._made.append(made)

    def _new_name(self, named: str) -> str:
        path, number = PurePath(named), 1
        while (
            name := str(path.with_name(f"{path.stem}-{number}{path.suffix}"))
        ) in self._taken:
            number += 1
        self._taken[name] = name
        return name

    def write(self, folder: Path) -> None:
        """Copy the databases and their neighbours into a folder."""
        sources = dict(self._names)
        for made in self._made:
            sources |= {str(chosen.path): name for name, chosen in made.chosen}
        for path, name in sources.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            for end in ("", *SIDE_FILES):
                if Path(path + end).is_file():
                    shutil.copyfile(path + end, f"{target}{end}")

    # -- what came of it ---------------------------------------------------------------

    def result(self, how: Mapping[str, int]) -> Neighbours:
        """The counts, and the references with their instances.

        Raises
        ------
        InputError
            If nothing could be made like any of the databases.
        """
        if not self._made:
            if self._problems:
                raise self._problems[0]
            why = ", ".join(f"{why} ({number})" for why, number in self._left.items())
            need = "have SQL that runs on databases"
            raise InputError("neighbours", "the references", need, why or "none")
        names = [path for made in self._made for path in made.group.paths]
        engines = engines_of(names, self._databases.run).values()
        known = sorted({engine for engine in engines if isinstance(engine, str)})
        return Neighbours(
            records=self._new_records(),
            databases=tuple(map(self._counts, self._made)),
            faults=tuple(_counts_of_faults([made.distillation for made in self._made])),
            instances=tuple(
                one for made in self._made for one in self._instances(made)
            ),
            still=tuple(one for made in self._made for one in self._still(made)),
            problems=tuple(map(str, self._problems)),
            notes=tuple(self._notes()),
            recipe={
                "by": str(self._by),
                "comparator": self._by.version,
                **{name: str(value) for name, value in how.items()},
                "timeout": f"{self._databases.timeout:g}",
                "engine": ", ".join(known),
            },
        )

    def _new_records(self) -> tuple[Mapping[str, Any], ...]:
        """The references, with the instances that judge them."""
        listed: dict[int, list[str]] = {}
        for made in self._made:
            named = [self._names[path] for path in made.group.paths]
            for name, chosen in made.chosen:
                for number in made.judged_on(chosen):
                    listed.setdefault(number, [*named]).append(name)
        return tuple(
            {**record, "db": listed[number]} if number in listed else record
            for number, record in enumerate(self._records)
        )

    def _instances(self, made: _Made) -> Iterator[Instance]:
        like = self._names[made.group.paths[0]]
        for name, chosen in made.chosen:
            judged = len(made.judged_on(chosen))
            yield Instance(name, like, chosen.rows, chosen.n_killed(), judged)

    def _counts(self, made: _Made) -> MutantCounts:
        name = ", ".join(self._names[path] for path in made.group.paths)
        return counts_of(name, [made.distillation])

    def _still(self, made: _Made) -> Iterator[LivingMutant]:
        name = self._names[made.group.paths[0]]
        for subject, mutants in made.distillation.living.items():
            item = str(self._records[made.numbers(subject)[0]]["item"])
            for mutant in mutants:
                yield LivingMutant(item, name, *mutant, subject.case.sql)

    # -- notes -------------------------------------------------------------------------

    def _notes(self) -> Iterator[str]:
        yield _EXPLAINED
        left = Counter(self._left)
        for made in self._made:
            failing = set(made.distillation.subjects) - made.distillation.mutants.keys()
            left[_FAILS] += sum(len(made.numbers(subject)) for subject in failing)
        for why, number in left.items():
            if number:
                yield f"{with_noun(number, 'reference')} left out: {why}"
        for problem in self._problems:
            yield f"no neighbours: {problem}"
        for original in (one for made in self._made for one in made.originals):
            if original.broken:
                name, tables = self._names[original.name], ", ".join(original.broken)
                yield f"{name} breaks foreign keys of {tables}: neighbours may, too"
        yield from self._note_on_results()

    def _note_on_results(self) -> Iterator[str]:
        """Which references are not judged on all instances."""
        unsure = [
            str(self._records[number]["item"])
            for made in self._made
            for subject in made.distillation.mutants
            if not all(
                made.distillation.is_sure(subject, kept.trials)
                for _, kept in made.chosen
            )
            for number in made.numbers(subject)
        ]
        if unsure:
            yield (
                f"{with_noun(len(unsure), 'reference')} not judged on all instances, "
                "where there would be no rows, LIMIT cut a tie, or the like: "
                f"{checks.names_shown(unsure)}"
            )


def _companions(
    subjects: Sequence[Subject], group: _SharedDatabases
) -> dict[Subject, list[Subject]]:
    """For each query those that stand beside it in a reference, and itself."""
    by_number: dict[int, list[Subject]] = {}
    for subject in subjects:
        for number in group.items[subject.case]:
            by_number.setdefault(number, []).append(subject)
    return {
        subject: list(
            dict.fromkeys(
                other
                for number in group.items[subject.case]
                for other in by_number[number]
            )
        )
        for subject in subjects
    }


def _counts_of_faults(distillations: Sequence[Distillation]) -> Iterator[MutantCounts]:
    """The counts of each fault, over all databases."""
    for fault in FAULTS:
        counts = counts_of(fault, distillations, {fault})
        if counts.mutants:
            yield counts


def counts_of(
    name: str, distillations: Sequence[Distillation], faults: Collection[str] = FAULTS
) -> MutantCounts:
    """How many mutants with some faults there are, and what became of them."""
    queries = mutants = living = after = 0

    def number(listed: Iterable[Mutant]) -> int:
        return sum(mutant.fault in faults for mutant in listed)

    for distillation in distillations:
        for subject, listed in distillation.mutants.items():
            queries, mutants = queries + bool(number(listed)), mutants + number(listed)
            living += number(distillation.living[subject])
            after += number(distillation.killed[subject])
    return MutantCounts(name, queries, mutants, mutants - living - after, after)
