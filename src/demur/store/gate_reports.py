"""What became of the gates of a file: which hold, which are broken, and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from demur.results import Column, Figure, Result, Table, count, printable, with_noun
from demur.results.text import wrapped
from demur.store.gate_configs import BROKEN, HOLDS, INCONCLUSIVE

ORDER: Final = (BROKEN, INCONCLUSIVE, HOLDS)
"""Of tables: what somebody must look at comes first."""


@dataclass(frozen=True, eq=False, repr=False)
class GateCheck(Result):
    """One condition of a gate, held against one system.

    Parameters
    ----------
    gate : str
        The name of the gate.
    system : str
        Of the run.
    condition : str
        As it stands in the file.
    key : {"require", "fail_if"}
        Where it stands there.
    verdict : {"holds", "broken", "inconclusive"}
        Inconclusive where luck can explain what there is of a difference, so that it
        breaks no ``fail_if``; or where two runs cannot be compared and the gate says
        that this breaks nothing.
    words : str
        What was seen.
    compared : bool
        Whether it was tested at all; False where runs cannot be compared.
    """

    gate: str
    system: str
    condition: str
    key: str
    verdict: str
    words: str
    compared: bool = True

    @property
    def called(self) -> str:
        """The condition with its system, if it has a name."""
        whose = f"{self.system}: " if self.system else ""
        return f"{whose}{self.key} {self.condition}"

    @property
    def may_be_luck(self) -> bool:
        """Whether a test looked for what is worse, which luck alone may show."""
        return (
            self.key == "fail_if" and self.compared and "worse than" in self.condition
        )

    def sentence(self) -> str:
        """The verdict, and what was seen."""
        return f"{self.verdict}: {self.called}: {self.words}."


@dataclass(frozen=True, eq=False, repr=False)
class GateReport(Result):
    """The gates of a file, all conditions of all systems.

    Parameters
    ----------
    checks : tuple of GateCheck
        In the order of the file.
    path : str
        The file.
    runs : mapping of str to str
        What was held and what against, by how the file names it: the file, or the
        number of the kept run.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS: ClassVar = (
        count("broken", "gates that are broken", better="lower"),
        count("inconclusive", "gates that say nothing", better="lower"),
        count("holds", "gates that hold", better="higher"),
    )

    checks: tuple[GateCheck, ...]
    path: str = ""
    runs: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)

    @property
    def broken(self) -> tuple[GateCheck, ...]:
        """Those that are broken."""
        return self._of(BROKEN)

    def _of(self, verdict: str) -> tuple[GateCheck, ...]:
        return tuple(check for check in self.checks if check.verdict == verdict)

    def counts(self) -> dict[str, int]:
        """How many are broken, inconclusive, and hold."""
        return {verdict: len(self._of(verdict)) for verdict in ORDER}

    def sentence(self) -> str:
        """How many are broken."""
        counts = self.counts()
        total = with_noun(len(self.checks), "gate")
        broken, open_ = counts[BROKEN], counts[INCONCLUSIVE]
        are = "is" if broken == 1 else "are"
        text = f"Of {total} {broken or 'none'} {are} broken"
        return f"{text}, {open_} inconclusive." if open_ else f"{text}."

    def figures(self) -> Iterator[Figure]:
        """The three counts."""
        counts = self.counts()
        yield from (Figure(kind, counts[kind.name]) for kind in self.KINDS)

    def by_gate(self) -> dict[str, list[GateCheck]]:
        """The conditions of each gate, by its name."""
        gates: dict[str, list[GateCheck]] = {}
        for check in self.checks:
            gates.setdefault(check.gate, []).append(check)
        return gates

    def tables(self) -> tuple[Table, ...]:
        """All conditions, those of each gate together, broken ones first."""
        rows = [
            (check.verdict, check.gate, check.system, *_asked(check), check.words)
            for check in self.in_order()
        ]
        return (Table("", _COLUMNS, tuple(rows)),)

    def in_order(self) -> list[GateCheck]:
        """The conditions, broken ones first."""
        return sorted(self.checks, key=lambda check: ORDER.index(check.verdict))

    def to_text(self, *, wide: bool = False) -> str:
        """What the command line prints: each condition with all that was seen."""
        del wide  # there is no table to cut
        parts = [wrapped(self.sentence())]
        for gate, checks in GateReport(tuple(self.in_order())).by_gate().items():
            parts += ["", wrapped(printable(gate))]
            parts += [wrapped(printable(check.sentence()), "  ") for check in checks]
        parts += [""] if self.notes or self.signature else []
        parts += [wrapped(note, "note: ") for note in self.notes]
        parts += [f"signature: {printable(self.signature)}"] if self.signature else []
        return "\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """All conditions, the counts, and which runs were held."""
        return {
            "gates": [check.to_dict() for check in self.checks],
            **self.counts(),
            "path": self.path,
            "runs": dict(self.runs),
            "notes": list(self.notes),
            "signature": self.signature,
        }


def _asked(check: GateCheck) -> tuple[str, str]:
    return check.key, check.condition


_COLUMNS: Final = (
    Column("verdict"),
    Column("gate"),
    Column("system"),
    Column("key", explained="require: broken unless shown; fail_if: if it is so"),
    Column("condition"),
    Column("words", "seen"),
)
