"""A result as HTML for notebooks: the sentence, tables with real columns, notes."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from demur.results.text import Column, Table, cell_text, printable, short_words

if TYPE_CHECKING:
    from demur.results.contract import Result

_MOST_ROWS = 60


def result_html(result: "Result") -> str:
    """The result as a piece of a page; everything that is text is escaped.

    Parameters
    ----------
    result : Result
        What a notebook is to show.

    Returns
    -------
    str
        Without scripts, styles of its own or colours, so that it fits light and dark.
    """
    sentence = short_words(result.sentence())
    parts = [f"<p>{_safe(line)}</p>" for line in sentence.split("\n") if line]
    parts += [table_html(table) for table in result.tables() if table.rows]
    if result.notes:
        notes = "".join(
            f"<li>{_safe(note)}</li>" for note in dict.fromkeys(result.notes)
        )
        parts.append(f"<ul>{notes}</ul>")
    if result.signature:
        parts.append(f"<p><small>signature: {_safe(result.signature)}</small></p>")
    return f"<div>{''.join(parts)}</div>"


def table_html(table: Table, *, most: int = _MOST_ROWS, styled: bool = True) -> str:
    """A table with its heads; what a column is stands in its title.

    Parameters
    ----------
    table : Table
        What is shown; columns of text in which nothing stands are left out.
    most : int
        How many rows; how many are left out is said below.
    styled : bool
        Whether cells say themselves on which side they stand, as notebooks need it; on
        a page words have the class ``text``.
    """
    table = table.without_empty()
    caption = (
        f"<caption>{_safe(short_words(table.title))}</caption>" if table.title else ""
    )
    words = 'style="text-align: left"' if styled else 'class="text"'
    number = ' style="text-align: right"' if styled else ""
    looks = [f" {words}" if c.cells == "text" else number for c in table.columns]
    heads = "".join(
        f'<th scope="col"{look}{_title(column)}>{_safe(column.head)}</th>'
        for column, look in zip(table.columns, looks, strict=True)
    )
    rows = "".join(
        f"<tr>{_row_html(table, row, looks)}</tr>" for row in table.rows[:most]
    )
    more = len(table.rows) - most
    rest = f"<p>... and {more} more rows: to_frame() has all.</p>" if more > 0 else ""
    return (
        f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        f"{rest}"
    )


def _title(column: Column) -> str:
    return f' title="{_safe(column.explained)}"' if column.explained else ""


def _row_html(table: Table, row: Sequence[Any], looks: Sequence[str]) -> str:
    """Cells, the first of which says what the row is about."""
    cells = [
        f"<bdi>{escape(cell_text(value, column))}</bdi>"
        for value, column in zip(row, table.columns, strict=True)
    ]
    first = f'<th scope="row"{looks[0]}>{cells[0]}</th>'
    others = zip(looks[1:], cells[1:], strict=True)
    return first + "".join(f"<td{look}>{cell}</td>" for look, cell in others)


def _safe(words: str) -> str:
    return escape(printable(words))
