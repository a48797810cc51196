"""One function per command: read, call a verb, print, and say how it went."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from demur.cli import tables
from demur.curves import Curve
from demur.errors import InputError, MissingExtra
from demur.gates import Gate, parse_gate
from demur.outcomes import Outcomes
from demur.rates import Point
from demur.verbs import curve_by
from demur.version import __version__


def run(arguments: Any) -> int:
    """Run the command that was parsed; return the exit code."""
    return _COMMANDS[arguments.command](arguments)


# -- judge -------------------------------------------------------------------------


def _judge(arguments: Namespace) -> int:
    from demur import formats
    from demur.judging import judge

    gates = [parse_gate(text) for text in arguments.fail_if]
    where = _where(arguments)
    outcomes = judge(
        formats.iter_responses(*arguments.responses, where=where),
        formats.read_references(arguments.references),
        by=arguments.by,
        missing=arguments.missing,
        unmatched=arguments.unmatched,
        repeated=arguments.repeated,
    )
    report = sys.stdout
    if arguments.output == "-":
        formats.write_outcomes(outcomes, sys.stdout)
        report = sys.stderr
    elif arguments.output:
        formats.write_outcomes(outcomes, arguments.output)
    if arguments.explain is not None:
        print(_explanation(outcomes, arguments.explain), file=report)
    elif arguments.json:
        print(_json(_judged(outcomes)), file=report)
    else:
        print(_judged_table(outcomes), file=report)
    return _check(gates, curve_by(outcomes)) if gates else 0


def _judged(outcomes: Outcomes) -> dict[str, Any]:
    recipe = outcomes.recipe
    signature = {"demur": __version__, **recipe, "items": str(len(outcomes))}
    return {
        "demur": __version__,
        "items": len(outcomes),
        **outcomes.counts(),
        "systems": [
            {"system": name, "items": len(part), **part.counts()}
            for (name,), part in outcomes.parts(["system"])
        ],
        "comparator": recipe.get("comparator", ""),
        "notes": list(outcomes.notes),
        "signature": "|".join(f"{key}:{value}" for key, value in signature.items()),
    }


def _judged_table(outcomes: Outcomes) -> str:
    judged = _judged(outcomes)
    names = ("items", "right", "wrong", "unanswered", "ungraded")
    rows = [
        [part["system"] or tables.NONE, *(str(part[name]) for name in names)]
        for part in judged["systems"]
    ]
    lines = [f"note: {note}" for note in judged["notes"]]
    lines.append(f"signature: {judged['signature']}")
    body = "\n".join(tables.printable(line) for line in lines)
    return tables.table(["system", *names], rows) + "\n\n" + body


def _explanation(outcomes: Outcomes, item: str) -> str:
    """Everything there is to know about the judgements of one item."""
    rows = [row for row, name in enumerate(outcomes.item) if str(name) == item]
    if not rows:
        hint = "Item ids are compared as text, capitals and blanks included."
        got = repr(item)
        raise InputError(
            "judge", "--explain", "name an item that was judged", got, hint
        )
    columns = outcomes.to_columns()
    lines = []
    for row in rows:
        lines += [
            f"{name}: {tables.printable(str(values[row]))}"
            for name, values in columns.items()
            if values[row] is not None
        ]
        lines.append("")
    return "\n".join(lines[:-1])


# -- curve -------------------------------------------------------------------------


def _curve(arguments: Namespace) -> int:
    from demur import formats

    gates = [parse_gate(text) for text in arguments.fail_if]
    outcomes = formats.read_outcomes(
        *arguments.outcomes, where=_where(arguments), groups=arguments.by
    )
    curves = curve_by(outcomes, groups=arguments.by)
    at = [wanted for group in arguments.at or [[0.2]] for wanted in group]
    points = [
        [_look_up(curve, wanted, arguments.how) for wanted in at] for curve in curves
    ]
    if arguments.json:
        print(_json(_curves(curves, points, at, arguments)))
    else:
        print(tables.curves_table(curves, points, at), end="\n\n")
        print(tables.remarks(curves, arguments.how))
    _draw(curves, at, arguments)
    return _check(gates, curves)


def _look_up(curve: Curve, wanted: float, how: str) -> Point | None:
    """The point at a nonreturn rate; None for a system without a curve."""
    return None if curve.ladder is None else curve.at(nonreturn=wanted, how=how)


def _curves(
    curves: Sequence[Curve],
    points: Sequence[Sequence[Point | None]],
    at: Sequence[float],
    arguments: Namespace,
) -> dict[str, Any]:
    listed = []
    for curve, found in zip(curves, points, strict=True):
        shown = curve.to_dict(points=arguments.points)
        unknown = dict.fromkeys(("error", "cutoff", "between", "bounds"))
        shown["at"] = [
            {"wanted": wanted}
            | (
                {"nonreturn": wanted, "how": arguments.how, **unknown}
                if point is None
                else point.to_dict()
            )
            for wanted, point in zip(at, found, strict=True)
        ]
        listed.append(shown)
    return {"demur": __version__, "systems": listed}


def _draw(curves: Sequence[Curve], at: Sequence[float], arguments: Namespace) -> None:
    if not (arguments.plot or arguments.plot_split):
        return
    from demur import plots

    if arguments.plot:
        how = "linear" if arguments.how == "linear" else "step"
        marks = at if arguments.at else ()
        axes = plots.plot_curves(curves, how=how, region=arguments.region, at=marks)
        plots.save(axes, arguments.plot)
        _say(f"wrote {arguments.plot}")
    if arguments.plot_split:
        plots.save(plots.plot_split(curves), arguments.plot_split)
        _say(f"wrote {arguments.plot_split}")


# -- demo and completion -----------------------------------------------------------


def _demo(arguments: Namespace) -> int:
    """The flow a user would follow, each step shown as the command that does it."""
    from importlib.resources import as_file, files

    from demur.cli import main

    folder = Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    with as_file(files("demur.demo")) as bundled:
        for name in ("references.jsonl", "responses.jsonl"):
            folder.joinpath(name).write_bytes(bundled.joinpath(name).read_bytes())
    judged = "judge responses.jsonl references.jsonl --by label -o outcomes.jsonl"
    drawn = "curve outcomes.jsonl --at 0.1,0.2,0.3 --region 0.15:0.25 --plot curves.png"
    steps = [judged.split(), [*drawn.split(), "--plot-split", "inputs.png"]]
    print(
        "A museum guide was asked 385 questions, 47 of which nobody could answer.\n"
        "Two systems answered them. How many errors does each make, and how many\n"
        "fewer if it may decline?"
    )
    for step in steps:
        located = [
            str(folder / word) if word.endswith((".jsonl", ".png")) else word
            for word in step
        ]
        print(f"\n$ demur {' '.join(located)}\n", flush=True)
        code = main(located)
        if code:
            return code
    print(
        f"\nOpen {folder / 'curves.png'}: lower is better; the shaded region is where"
    )
    print("about one question in five is declined.")
    return 0


def _completion(arguments: Namespace) -> int:
    from demur.cli.parser import build_parser

    try:
        import shtab
    except ImportError:
        raise MissingExtra("completion", "shell completion") from None
    print(shtab.complete(build_parser(), arguments.shell))
    return 0


# -- shared ------------------------------------------------------------------------


def _where(arguments: Namespace) -> dict[str, str]:
    """The conditions on rows, each column once."""
    where: dict[str, str] = {}
    for column, value in arguments.where:
        if where.setdefault(column, value) != value:
            got = f"{column}={where[column]} and {column}={value}"
            hint = "Several conditions must all hold."
            raise InputError("--where", "a column", "have one value", got, hint)
    return where


def _check(gates: Iterable[Gate], curves: Sequence[Curve]) -> int:
    """Say which gates are broken; 1 if any is."""
    broken = [(gate, line) for gate in gates for line in gate.broken_by(curves)]
    for gate, line in broken:
        _say(f"gate broken: {line}  [--fail-if {gate.text!r}]")
    return 1 if broken else 0


def _say(text: str) -> None:
    print(f"demur: {tables.printable(text)}", file=sys.stderr)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


_COMMANDS = {
    "judge": _judge,
    "curve": _curve,
    "demo": _demo,
    "completion": _completion,
}
