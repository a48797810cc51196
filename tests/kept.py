"""Results, pictures, options, defaults, pages as kept text: a change is noticed.

    python tests/kept.py

writes all of it anew. Read the difference before you keep it: it is what a user sees.
"""

import argparse
import base64
import importlib
import inspect
import json
import math
import pkgutil
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import demur
from builders import parsers

GOLDEN = Path(__file__).parent / "golden"
PICTURES, RESULTS, COMMANDS, DEFAULTS, PAGES = (
    GOLDEN / name for name in ("pictures", "results", "commands", "defaults", "pages")
)
_PLAIN = (bool, int, float, str)
_NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)")


# -- results -----------------------------------------------------------------------


def result_lines(result: Any) -> list[str]:
    """What a result says, its tables, its JSON without the recipe, and its figures."""
    plain = json.loads(json.dumps(result.to_dict(), default=str))
    wide, narrow = (
        text.replace(f"demur:{demur.__version__}", "demur").split("\n")
        for text in (result.to_text(wide=True), result.to_text())
    )
    lines = [*wide, *_leaves(plain), *_table_lines(result)]
    lines += [f"narrow {line}" for line in narrow if line and line not in lines]
    for figure in result.figures():
        kind, about = figure.kind, (figure.value, figure.low, figure.high)
        ends = f"{kind.unit} {as_text([kind.least, kind.most])} {kind.better}"
        about = (*about, figure.interval, figure.why_undefined, figure.why)
        lines.append(f"{figure.of} {figure.called}: {as_text(about)} {ends}")
    return [*lines, repr(result)]


def _table_lines(result: Any) -> Iterator[str]:
    """The columns of a result's tables, as programs get them."""
    for table in result.tables():
        yield f"table {table.title!r}: {table.key} {table.most} {table.listed}"
        yield f"  only wide: {[c.key for c in table.columns if c.wide]}"
        for name, values in table.to_columns().items():
            numbers = [v for v in values if isinstance(v, int | float)]
            some = values if len(values) <= 6 else [*values[:3], ..., *values[-2:]]
            all_of_it = np.array(numbers, float) if numbers == values else some
            yield f"  {name}: {as_text(all_of_it if len(values) > 6 else values)}"


def _leaves(value: Any, path: str = "") -> Iterator[str]:
    """The values of nested data with their paths; of many numbers their sums."""
    if path.endswith((".recipe", ".signature")):
        return
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(part, f"{path}.{key}")
    elif isinstance(value, list) and not all(isinstance(v, int | float) for v in value):
        for place, part in enumerate(value):
            yield from _leaves(part, f"{path}[{place}]")
    else:
        numbers = isinstance(value, list) and len(value) > 6
        yield f"{path}: {as_text(np.array(value) if numbers else value)}"


# -- commands ----------------------------------------------------------------------

_OF_OPTIONS = ["required", "nargs", "const", "default", "choices", "metavar", "help"]


def commands() -> dict[str, list[str]]:
    """A file for each command: its arguments and options, and what excludes what."""
    from demur.cli import build_parser

    return {
        f"{name.replace(' ', '-')}.txt": list(_option_lines(parser))
        for name, parser in parsers(build_parser())
    }


def _option_lines(parser: Any) -> Iterator[str]:
    for action in parser._actions:
        yield " ".join(action.option_strings) or f"{action.dest}:"
        kind = getattr(action.type, "__name__", action.type)
        held = {"type": kind} | {name: getattr(action, name) for name in _OF_OPTIONS}
        for name, value in held.items():
            if value not in (None, False, argparse.SUPPRESS):
                value = list(value) if isinstance(value, Mapping) else value
                yield f"    {name}: {value}"
    for group in parser._mutually_exclusive_groups:
        options = " ".join(action.dest for action in group._group_actions)
        yield f"{'exactly' if group.required else 'at most'} one of {options}"


# -- defaults ----------------------------------------------------------------------


def defaults() -> dict[str, list[str]]:
    """A file for each room: what its functions and classes do if not told otherwise."""
    files: dict[str, list[str]] = {}
    for found in pkgutil.walk_packages(demur.__path__, "demur."):
        # Inspect, which loads its metrics, is not installed for these tests.
        if found.name != "demur.plugs.inspect_metrics" and not (
            found.name.rpartition(".")[2].startswith("_")
        ):
            module = importlib.import_module(found.name)
            room = f"{found.name.split('.')[1]}.txt"
            files.setdefault(room, []).extend(_default_lines(module, found.name))
    return {room: lines for room, lines in files.items() if lines}


def _default_lines(holder: Any, name: str) -> Iterator[str]:
    """The functions of a module or class that have plain defaults, one a line."""
    for own, value in sorted(vars(holder).items()):
        value = getattr(value, "__func__", value)
        of_here = getattr(value, "__module__", "") == getattr(
            holder, "__module__", name
        )
        if own.startswith("_") and own != "__init__":
            continue
        if not of_here or not (inspect.isfunction(value) or inspect.isclass(value)):
            continue
        if inspect.isclass(value):
            yield from _default_lines(value, f"{name}.{own}")
            continue
        given = inspect.signature(value).parameters.values()
        plain = [each for each in given if isinstance(each.default, _PLAIN)]
        if plain:
            told = ", ".join(f"{each.name}={each.default!r}" for each in plain)
            yield f"{name}.{own}({told})"


# -- pictures ----------------------------------------------------------------------


def as_text(value: Any) -> str:
    """A value in one line; of a long array its ends, and two sums."""
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return " ".join(f"{key}={as_text(part)}" for key, part in value.items())
    if isinstance(value, np.ndarray) and value.size > 6 and value.dtype.kind in "fi":
        flat = np.nan_to_num(value.astype(float).ravel(), posinf=1e9, neginf=-1e9)
        rising = np.arange(flat.size) + 1.0
        parts = [flat[0], flat[-1], flat.sum(), flat @ rising / flat.size]
        return f"{value.shape} {as_text(np.array(parts))}"
    if isinstance(value, list | tuple | np.ndarray):
        return "(" + ", ".join(map(as_text, value)) + ")"
    return str(value).replace("\n", "\\n")


def described(thing: Any, depth: int = 0) -> Iterator[str]:
    """A picture, or a part of one, as lines."""
    pad = " " * depth
    for field in fields(thing):
        value = getattr(thing, field.name)
        parts = value if isinstance(value, tuple) else (value,)
        if any(map(is_dataclass, parts)):
            for part in parts:
                yield f"{pad}{field.name}: {type(part).__name__}"
                yield from described(part, depth + 1)
        elif field.name == "beside":
            yield f"{pad}beside: {[words for words, _ in value]}"
        elif not isinstance(value, str | tuple) or value:
            yield f"{pad}{field.name}: {as_text(value)}"


def shortened(path: re.Match[str]) -> str:
    """A path of SVG; a long one by its first places, its sum and an ordered one."""
    numbers = [float(number) for number in _NUMBER.findall(path[1])]
    if len(numbers) <= 12:
        return path[0]
    ordered = sum(place * number for place, number in enumerate(numbers, 1))
    ends = f"{path[1][:24]} {sum(numbers):.0f} {ordered / len(numbers):.0f}"
    return f'd="{len(numbers)} {ends}"'


_OF_ARTISTS = {
    "Line2D": "xydata color linewidth linestyle marker markersize markerfacecolor "
    "markeredgecolor markeredgewidth alpha zorder clip_on drawstyle label",
    "Text": "text color fontsize alpha rotation ha va fontweight",
    "Annotation": "text color fontsize rotation ha va xycoords",
    "Legend": "title texts frame_on",
    "Rectangle": "bbox facecolor edgecolor linewidth alpha hatch zorder",
    "AxesImage": "array clim extent cmap",
}
_AREA = "facecolor edgecolor linewidth alpha hatch zorder"
_OF_AXES = "title xlabel ylabel xlim ylim xscale yscale xticks yticks legend visible"


def axes_lines(axes: Any) -> Iterator[str]:
    """What matplotlib draws in some axes, as lines; not where words find room."""
    for ax in axes:
        for name in _OF_AXES.split():
            yield f"{name}: {as_text(_told(getattr(ax, f'get_{name}')()))}"
        yield f"ticks: {[t.get_text() for t in ax.get_xticklabels()]}"
        yield f"ticks: {[t.get_text() for t in ax.get_yticklabels()]}"
        for artist in ax.get_children():
            kind = type(artist).__name__
            names = _OF_ARTISTS.get(kind, _AREA if "Collection" in kind else "")
            told = {
                name: _told(getattr(artist, f"get_{name}")())
                for name in names.split()
                if hasattr(artist, f"get_{name}")
            }
            if hasattr(artist, "get_paths"):
                told["paths"] = [_told(path.vertices) for path in artist.get_paths()]
            if told and told.get("text") != "":
                yield f" {kind} {as_text(told)}"


def _told(value: Any) -> Any:
    """What an artist says of itself, without the artists in it."""
    if isinstance(value, list | tuple) and len(value) and hasattr(value[0], "get_text"):
        return [text.get_text() for text in value]
    if hasattr(value, "get_texts"):
        return [_told(value.get_texts()), value.get_title().get_text()]
    if hasattr(value, "get_text"):
        return value.get_text()
    if hasattr(value, "extents"):
        return value.extents
    if hasattr(value, "name"):
        return value.name
    return value


def picture_texts(name: str, picture: Any) -> dict[str, list[str]]:
    """What is kept of a picture: its data, its SVG, and what matplotlib draws."""
    from demur.pages import svg
    from demur.plots.rendering import draw

    pages = "".join(svg.drawn(picture)).replace("><", ">\n<")
    pages = re.sub('d="(.*?)"', shortened, pages)
    axes = draw(picture)
    size = as_text(axes[0].figure.get_size_inches() if len(axes) > 1 else "")
    return {
        f"{name}.data.txt": list(described(picture)),
        f"{name}.svg.txt": pages.split("\n"),
        f"{name}.axes.txt": [f"size: {size}", *axes_lines(axes)],
    }


# -- pages -------------------------------------------------------------------------

_ARRAYS = {"Uint8": "<u1", "Uint16": "<u2", "Uint32": "<u4", "Float64": "<f8"}
_SVG = re.compile("<svg.*?</svg>", re.DOTALL)
_LARGE = 3000
"""Drawings of more letters are kept with the pictures, but for the first of a page."""


def page_texts(name: str, page: str) -> dict[str, list[str]]:
    """What is kept of a page: its words and tables, its data, its small drawings."""
    page = re.sub("<(style|script)>.*?</\\1>|'sha256.*?'", "", page, flags=re.DOTALL)
    found = re.search('<script.*?id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    words = _SVG.sub("<svg>", page.replace(found[0], "")).replace("><", ">\n<")
    drawn = _SVG.findall(page)
    small = [svg for number, svg in enumerate(drawn) if not number or len(svg) < _LARGE]
    svgs = re.sub('d="(.*?)"', shortened, "\n".join(small)).replace("><", ">\n<")
    return {
        f"{name}.page.txt": words.replace(f"demur:{demur.__version__}", "demur")
        .replace(f"demur {demur.__version__}", "demur")
        .split("\n"),
        f"{name}.svg.txt": svgs.split("\n"),
        f"{name}.data.txt": list(_leaves(_opened(json.loads(found[1])))),
    }


def _opened(data: Any) -> Any:
    """Nested data with its packed arrays as lists."""
    if isinstance(data, list):
        return [_opened(part) for part in data]
    if not isinstance(data, dict):
        return data
    if data.keys() >= {"type", "data"}:
        packed = base64.b64decode(data["data"])
        numbers = np.frombuffer(packed, _ARRAYS[data["type"]]).tolist()
        return {**data, "data": numbers}
    return {key: _opened(part) for key, part in data.items()}


# -- all of it ---------------------------------------------------------------------


def alike(one: str, other: str, *, places: bool) -> bool:
    """Whether two lines are equal, but for the last digits of their numbers.

    Places on a page are rounded to a tenth.
    """
    if one == other:
        return True
    if _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
        return False
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    return all(
        math.isclose(float(a), float(b), rel_tol=1e-4, abs_tol=0.11 if places else 1e-9)
        or (math.isnan(float(a)) and math.isnan(float(b)))
        for a, b in pairs
    )


def results() -> dict[str, list[str]]:
    """The files of results, and what they hold now."""
    from result_cases import every_result

    made = every_result().items()
    return {f"{name}.txt": result_lines(result) for name, result in made}


def pictures() -> dict[str, list[str]]:
    """The files of pictures, and what they hold now."""
    import picture_cases

    files: dict[str, list[str]] = {}
    for name, picture in picture_cases.pictures().items():
        files |= picture_texts(name, picture)
    return files


def pages() -> dict[str, list[str]]:
    """The files of pages, and what they hold now."""
    import page_cases

    files: dict[str, list[str]] = {}
    for name, page in page_cases.pages().items():
        files |= page_texts(name, page.html)
    return files


ALL: Final = {
    RESULTS: results,
    PICTURES: pictures,
    COMMANDS: commands,
    DEFAULTS: defaults,
    PAGES: pages,
}


def main() -> None:
    for folder, now in ALL.items():
        files = now()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, lines in files.items():
            (folder / name).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
