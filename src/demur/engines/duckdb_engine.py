"""DuckDB, in this process: counting what does not fit into memory."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from demur.errors import extra_module

MEMORY: Final = "400MB"
"""What DuckDB may hold in memory; the rest is on disk."""


class DuckdbConnection:
    """A connection of its own to DuckDB.

    Parameters
    ----------
    memory : str
        What it may hold in memory.
    threads : int, optional
        How many it uses; one for each core if left out.
    """

    name = "duckdb"

    def __init__(self, *, memory: str = MEMORY, threads: int | None = None) -> None:
        extra_module("duckdb", "scale", "counting in DuckDB")
        import duckdb

        settings: dict[str, Any] = {
            "memory_limit": memory,
            "preserve_insertion_order": False,
        }
        if threads is not None:
            settings["threads"] = threads
        self.connection = duckdb.connect(config=settings)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of an answer that is short."""
        answer: list[tuple[Any, ...]] = self.connection.execute(query).fetchall()
        return answer

    def columns(self, query: str) -> Mapping[str, Any]:
        """The columns of an answer, numbers as arrays."""
        answer = self.connection.execute(query).fetchnumpy()
        return {one: _without_mask(values) for one, values in answer.items()}

    def sampled(self, relation: str, share: float) -> str:
        """About that share of the rows: whole stretches of neighbouring ones."""
        if share >= 1:
            return relation
        percent = max(100 * share, 1e-3)
        return f"{relation} TABLESAMPLE SYSTEM({percent:.6f} PERCENT) REPEATABLE(1)"


def _without_mask(values: Any) -> Any:
    """A column as a plain array, with None for what is missing."""
    plain = np.ma.getdata(values)
    if not np.ma.is_masked(values):
        return plain
    plain = plain.astype(object)
    plain[np.ma.getmaskarray(values)] = None
    return plain
