"""Difficulties as text for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from demur.results import NONE, printable, rate, table

if TYPE_CHECKING:
    from demur.difficulty.measuring import Difficulty

_SHOWN: Final = 10


def difficulties_table(found: Sequence[tuple[str, "Difficulty"]]) -> str:
    """Tasks one below the other, and the markables of a single one."""
    head = ["items", "markables", "values", "baseline", "bits per item", "total bits"]
    head += ["perplexity", "Chao-Shen", "chance", "prior"]
    named = any(name for name, _ in found)
    rows = [
        [
            *([name] if named else []),
            *map(str, (each.items, each.markables, each.values)),
            _with_ends(each.baseline, each.baseline_interval),
            _with_ends(each.entropy, each.entropy_interval),
            f"{each.total_bits:.1f}",
            f"{each.perplexity:.2f}",
            f"{each.chao_shen:.3f}",
            rate(each.chance),
            rate(each.prior),
        ]
        for name, each in found
    ]
    text = f"{_sentence(found[0][1])}\n\n" if len(found) == 1 else ""
    text += table((["task"] if named else []) + head, rows)
    if len(found) == 1:
        text += f"\n\n{_markables(found[0][1])}\n\n{_strata_table(found[0][1])}"
    lines = dict.fromkeys(
        [
            "baseline: of always taking a markable's most frequent value; bits: of its "
            "values, given the markable; both read off the items themselves",
            *(
                f"note: {name + ': ' if name else ''}{note}"
                for name, each in found
                for note in each.notes
            ),
            *(f"signature: {each.signature}" for _, each in found),
        ]
    )
    return text + "\n\n" + "\n".join(map(printable, lines))


def _sentence(found: "Difficulty") -> str:
    return (
        f"Always taking the most frequent value is right on {100 * found.baseline:.3g} "
        f"% of {found.items} items; what is left to decide is {found.entropy:.3f} bits "
        f"an item, as much as {found.perplexity:.2f} equally likely values."
    )


def _with_ends(value: float, ends: tuple[float, float] | None) -> str:
    if ends is None:
        return f"{value:.3f}"
    return f"{value:.3f} ({ends[0]:.3f} to {ends[1]:.3f})"


def _markables(found: "Difficulty") -> str:
    listed = sorted(found.per_markable, key=lambda each: -each.items * each.entropy)
    rows = [
        [
            each.markable,
            str(each.items),
            str(each.values),
            rate(each.baseline),
            f"{each.entropy:.3f}",
            NONE if each.chao_shen is None else f"{each.chao_shen:.3f}",
            f"{each.items * each.entropy:.1f}",
        ]
        for each in listed[:_SHOWN]
    ]
    header = ["most bits in all", "items", "values", "baseline", "entropy", "Chao-Shen"]
    more = len(listed) - len(rows)
    rest = f"\nand {more} more markables" if more > 0 else ""
    return table([*header, "total bits"], rows) + rest


def _strata_table(found: "Difficulty") -> str:
    rows, low = [], ""
    for bits, items in found.strata:
        name = f"more than {low}" if bits is None else f"up to {bits:g}"
        rows.append([name, str(items), rate(items / found.items)])
        low = "" if bits is None else f"{bits:g}"
    return table(["bits of an item", "items", "share"], rows)
