"""What neighbours of databases are worth: which mutants they kill, and which live."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from demur.results import Column, Figure, Result, Table, count, with_noun

_KINDS: Final = (
    count("queries", "queries with mutants"),
    count("mutants", "mutants"),
    count("killed_before", "mutants that the databases kill as they are"),
    count("killed_after", "further mutants that neighbours kill"),
    count("living", "mutants that live", better="lower"),
    count("instances", "further instances"),
)
_MUTANTS: Final = (
    Column("mutants", cells="count", explained="queries with one fault"),
    Column("killed_before", "killed before", "count", "by the databases as they are"),
    Column("killed_after", "killed after", "count", "by their neighbours, beyond that"),
    Column("living", cells="count", explained="judged right, or another way to say it"),
)
_DATABASES: Final = (
    Column("database"),
    Column("queries", cells="count", explained="of references, each counted once"),
    *_MUTANTS,
)
_INSTANCES: Final = (
    Column("instance"),
    Column("rows", cells="count", explained="of all tables together"),
    Column("killed", cells="count", explained="mutants that lived until then"),
    Column("references", cells="count", explained="judged there, too"),
)
_FAULTS: Final = (Column("fault"), *_MUTANTS)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Instance(Result):
    """A further instance of a database.

    Parameters
    ----------
    instance : str
        Its path, from the folder of the neighbours.
    database : str
        What it was made like.
    rows : int
        Of all its tables.
    killed : int
        Mutants that lived until then.
    references : int
        How many of the references are judged there, too.

    Examples
    --------
    >>> import demur
    >>> print(demur.Instance("air-1.sqlite", "air.sqlite", 40, 12, 20).sentence())
    air-1.sqlite kills 12 mutants.
    """

    SAYS = "{instance} kills {killed} mutants."

    instance: str
    database: str
    rows: int
    killed: int
    references: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MutantCounts(Result):
    """How many mutants there are of some queries, and what becomes of them.

    Parameters
    ----------
    name : str
        The database, or the fault.
    queries : int
        How many have mutants.
    mutants : int
        How many run.
    killed_before : int
        By the databases as they are.
    killed_after : int
        By further instances, beyond that.

    Examples
    --------
    >>> import demur
    >>> print(demur.MutantCounts("air.sqlite", 20, 100, 70, 20).living)
    10
    """

    SAYS = "{name}: {living} of {mutants} mutants live."

    name: str
    queries: int
    mutants: int
    killed_before: int
    killed_after: int

    @property
    def living(self) -> int:
        """How many nothing kills."""
        return self.mutants - self.killed_before - self.killed_after


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LivingMutant(Result):
    """A mutant that is judged right on all instances.

    Parameters
    ----------
    item : str
        The first reference with its query.
    database : str
        Where it runs.
    fault : str
        In which way it differs.
    mutant : str
        The query with the fault.
    sql : str
        The query.

    Examples
    --------
    >>> import demur
    >>> print(demur.LivingMutant(
    ...     "q1", "air.sqlite", "edge", "SELECT a >= 1 FROM t", "SELECT a > 1 FROM t"))
    q1: edge: SELECT a >= 1 FROM t
    """

    SAYS = "{item}: {fault}: {mutant}"

    item: str
    database: str
    fault: str
    mutant: str
    sql: str

    def __str__(self) -> str:
        return self.sentence()


@dataclass(frozen=True, eq=False, repr=False)
class Neighbours(Result):
    """Further instances of the databases of references, and the mutants they kill.

    Parameters
    ----------
    records : tuple of mapping
        The references; ``db`` lists the instances too.
    databases : tuple of MutantCounts
        Of each database.
    faults : tuple of MutantCounts
        Of each fault.
    instances : tuple of Instance
        In the order in which they were chosen.
    still : tuple of LivingMutant
        The mutants that live.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    problems : tuple of str
        Databases of which no neighbours could be made, each with its error.
    """

    KINDS = _KINDS

    records: tuple[Mapping[str, Any], ...] = field(repr=False)
    databases: tuple[MutantCounts, ...]
    faults: tuple[MutantCounts, ...]
    instances: tuple[Instance, ...]
    still: tuple[LivingMutant, ...]
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def total(self, name: str) -> int:
        """A count over all databases.

        Examples
        --------
        >>> import demur
        >>> counts = demur.MutantCounts("air.sqlite", 20, 100, 70, 20)
        >>> demur.Neighbours((), (counts, counts), (), (), ()).total("living")
        20
        """
        return sum(getattr(counts, name) for counts in self.databases)

    def sentence(self) -> str:
        """How many mutants there are, who kills them, and how many live."""
        mutants, before, after, living = map(self.total, _COUNTED)
        further = with_noun(len(self.instances), "further instance")
        return (
            f"Of {with_noun(mutants, 'mutant')} the databases kill {before} as they "
            f"are, and {further} {after} more; {living} live."
        )

    def figures(self) -> Iterator[Figure]:
        """The counts over all databases."""
        numbers = [self.total(kind.name) for kind in self.KINDS[:-1]]
        yield from map(Figure, self.KINDS, [*numbers, len(self.instances)])

    def tables(self) -> tuple[Table, ...]:
        """The counts of each database and of each fault, and the instances."""
        return (
            Table("Databases", _DATABASES, _rows(self.databases, _DATABASES)),
            Table("Faults", _FAULTS, _rows(self.faults, _FAULTS)),
            Table.of("Instances", _INSTANCES, self.instances),
        )

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain values for JSON, without the references."""
        counts = {kind.name: int(figure.value or 0) for kind, figure in self._counted()}
        return counts | {
            "databases": [_plain(one, "database") for one in self.databases],
            "faults": [_plain(one, "fault") for one in self.faults],
            "further": [one.to_dict() for one in self.instances],
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def _counted(self) -> Iterator[tuple[Any, Figure]]:
        return zip(self.KINDS, self.figures(), strict=True)


_COUNTED: Final = ("mutants", "killed_before", "killed_after", "living")


def _rows(
    listed: tuple[MutantCounts, ...], columns: tuple[Column, ...]
) -> tuple[tuple[Any, ...], ...]:
    keys = [column.key for column in columns[1:]]
    return tuple((one.name, *(getattr(one, key) for key in keys)) for one in listed)


def _plain(counts: MutantCounts, what: str) -> dict[str, Any]:
    numbers = {name: getattr(counts, name) for name in ("queries", *_COUNTED)}
    return {what: counts.name, **numbers}
