"""Comparing tables: the rows of the design, and a peer where there is a copy of it.

    python benchmarks/relations.py [--peer exec_eval.py] [--slow]

The peer is the module of test-suite-sql-eval; it is timed on the rows that it finishes
within a minute or so (all others with --slow).
"""

import argparse
import importlib.util
import statistics
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from harness import machine, ratio, seconds, show

from demur.answers import Relation, TableSettings, compare_relations

Table = np.ndarray[Any, Any]
MILLION = 10**6


def shuffled(table: Table, seed: int) -> Table:
    """The same rows and columns in another order."""
    rng = np.random.default_rng(seed)
    rows, columns = map(rng.permutation, table.shape)
    return table[rows][:, columns]


def changed(table: Table) -> Table:
    """The table with two cells of one column exchanged for others."""
    table = table.copy()
    table[0, 0] += 1
    return table


def integer_tables() -> dict[str, tuple[Table, Table, str]]:
    """Reference, response and mode of each job on arrays."""
    rng = np.random.default_rng(0)
    found: dict[str, tuple[Table, Table, str]] = {}
    for width in (6, 7, 8, 26):
        table = rng.integers(0, 100, (1000, width))
        mixed = shuffled(table, width)
        found[f"{width} x 1,000, 0-99, match, bag"] = (table, mixed, "bag")
        found[f"{width} x 1,000, 0-99, no match, bag"] = (table, changed(mixed), "bag")
        found[f"{width} x 1,000, 0-99, match, set"] = (table, mixed, "cas2")
        found[f"{width} x 1,000, 0-99, no match, set"] = (table, changed(mixed), "cas2")
    found["13 of 26 x 1,000, 0-99, match, set"] = (mixed[:, :13], table, "cas2")
    found["13 of 26 x 1,000, 0-99, no match, set"] = (
        changed(mixed[:, :13]),
        table,
        "cas2",
    )
    flags = rng.integers(0, 2, (1000, 8))
    found["8 x 1,000 booleans, match, set"] = (flags, shuffled(flags, 1), "cas2")
    found["8 x 1,000 booleans, match, bag"] = (flags, shuffled(flags, 1), "bag")
    many = rng.integers(0, 2, (1000, 26))
    part = shuffled(many, 1)[:, :12]
    found["12 of 26 x 1,000 booleans, match, set"] = (part, many, "cas2")
    part = part.copy()
    part[0] = 1 - part[0]
    found["12 of 26 x 1,000 booleans, no match, set"] = (part, many, "cas2")
    square = rng.integers(0, 100, (1000, 12))
    found["12 x 1,000, permuted, set"] = (square, shuffled(square, 2), "cas2")
    return found


def million() -> dict[str, tuple[Relation, Relation, str]]:
    """A million rows of five columns as a database delivers them."""
    rng = np.random.default_rng(0)
    order, columns = rng.permutation(MILLION), (3, 0, 4, 2, 1)

    def texts(numbers: Table) -> Table:
        return np.fromiter((f"name{number}" for number in numbers), object, MILLION)

    names, codes = rng.integers(0, MILLION, MILLION), rng.integers(0, 50, MILLION)
    whole, real = rng.integers(0, 1000, MILLION), rng.random(MILLION) * 1000
    mixed = [np.arange(MILLION), whole, real, texts(names), texts(codes)]
    again = [np.arange(MILLION)[order], whole[order], real[order]]
    again += [texts(names[order]), texts(codes[order])]
    numbers = [np.arange(MILLION), whole, whole[::-1].copy(), codes, names]
    found = {}
    for kind, ours, theirs in (
        ("numbers", numbers, [column[order] for column in numbers]),
        ("mixed types", mixed, again),
    ):
        reference = Relation.from_columns([], ours)
        response = Relation.from_columns([], [theirs[column] for column in columns])
        for mode in ("bag", "cas2"):
            found[f"1e6 x 5, {kind}, match, {mode}"] = (reference, response, mode)
    wrong = [column.copy() for column in again]
    wrong[1][5] += 1
    response = Relation.from_columns([], [wrong[column] for column in columns])
    found["1e6 x 5, mixed types, no match, cas2"] = (reference, response, "cas2")
    near = [column * (1 + 1e-12) if column is again[2] else column for column in again]
    response = Relation.from_columns([], [near[column] for column in columns])
    found["1e6 x 5, mixed types, rounded, cas2"] = (reference, response, "cas2")
    return found | million_reals()


def million_reals() -> dict[str, tuple[Relation, Relation, str]]:
    """A million rows of five reals, judged with the tolerance."""
    rng = np.random.default_rng(0)
    table = rng.random((MILLION, 5)) * 1000
    one_off = shuffled(table, 1)
    one_off[7, 2] *= 1.5
    jitter = 1 + 5e-5 * rng.uniform(-1, 1, table.shape)
    responses = {
        "permuted": shuffled(table, 1),
        "one differs": one_off,
        "all differ": rng.random(table.shape) * 1000,
        "outside the tolerance": shuffled(table * 1.00011, 1),
        "within the tolerance": shuffled(table * jitter, 1),
        "rounded, rows in order": table * (1 + 1e-12),
    }
    reference = Relation.from_columns([], list(table.T))
    return {
        f"1e6 x 5 reals, {name}, {mode}": (
            reference,
            Relation.from_columns([], list(response.T)),
            mode,
        )
        for name, response in responses.items()
        for mode in ("cas2", "bag", "ordered")
    }


def peer(path: str) -> Callable[[Any, Any], bool]:
    """The comparison of a copy of test-suite-sql-eval, without what it imports."""
    for name, needed in (
        ("parse", ("get_all_preds_for_execution", "remove_distinct")),
        ("tqdm", ("tqdm",)),
    ):
        stub = types.ModuleType(name)
        for each in needed:
            setattr(stub, each, None)
        sys.modules.setdefault(name, stub)
    spec = importlib.util.spec_from_file_location("exec_eval", Path(path))
    if spec is None or spec.loader is None:
        raise SystemExit(f"relations: {path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda one, other: module.result_eq(one, other, order_matters=False)


def row(name: str, reference: Any, response: Any, mode: str) -> tuple[str, str, str]:
    """The median of some rounds, and what came out."""
    settings = TableSettings(mode=mode)

    def job() -> Any:
        return compare_relations(
            response=response, reference=reference, settings=settings
        )

    taken = seconds({"demur": job}, rounds=5)["demur"]
    found = job()
    verdict = {True: "right", False: "wrong", None: found.reason}[found.right]
    return name, f"{statistics.median(taken) * 1000:.1f}", verdict


def main() -> None:
    """Run all and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer")
    parser.add_argument("--slow", action="store_true")
    arguments = parser.parse_args()
    print(machine())
    tables = integer_tables()
    rows = [("table", "ms", "verdict")]
    for name, (reference, response, mode) in tables.items():
        made = [Relation.from_columns([], list(t.T)) for t in (reference, response)]
        rows.append(row(name, *made, mode))
    show("demur, from columns", rows)
    rows = [("table", "ms", "verdict")]
    rows += [row(name, *job) for name, job in million().items()]
    show("demur, a million rows", rows)
    if not arguments.peer:
        return
    result_eq = peer(arguments.peer)
    rows = [("table", "peer s", "demur s", "demur is faster by")]
    widths = ("6", "7", "8") if arguments.slow else ("6", "7")
    for name, (reference, response, mode) in tables.items():
        if mode != "bag" or not name.startswith(widths):
            continue
        lists = [list(map(tuple, t.tolist())) for t in (reference, response)]
        jobs = {
            "peer": lambda lists=lists: result_eq(*lists),
            "demur": lambda lists=lists: compare_relations(
                reference=lists[0],
                response=lists[1],
                settings=TableSettings(mode="bag"),
            ),
        }
        taken = seconds(jobs, rounds=1)
        spent = [statistics.median(taken[each]) for each in ("peer", "demur")]
        faster = ratio(taken["peer"], taken["demur"])
        rows.append((name, *(f"{each:.4f}" for each in spent), f"{faster:,.0f}"))
    show("beside test-suite-sql-eval, from rows", rows)


if __name__ == "__main__":
    main()
