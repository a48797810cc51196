"""A result as HTML for notebooks: the sentence, tables with real columns, notes."""

from html import escape
from typing import TYPE_CHECKING

from demur.results.text import Table, cell_text, printable

if TYPE_CHECKING:
    from demur.results.contract import Result

_MOST_ROWS = 60


def result_html(result: "Result") -> str:
    """The result as a piece of a page; everything that is text is escaped.

    Parameters
    ----------
    result : Result

    Returns
    -------
    str
        Without scripts, styles of its own or colours, so that it fits light and dark.
    """
    parts = [f"<p>{_text(line)}</p>" for line in result.sentence().split("\n") if line]
    parts += [table_html(table) for table in result.tables() if table.rows]
    if result.notes:
        notes = "".join(
            f"<li>{_text(note)}</li>" for note in dict.fromkeys(result.notes)
        )
        parts.append(f"<ul>{notes}</ul>")
    if result.signature:
        parts.append(f"<p><small>signature: {_text(result.signature)}</small></p>")
    return f"<div>{''.join(parts)}</div>"


def table_html(table: Table) -> str:
    """A table with its heads; what a column is stands in its title."""
    table = table.without_empty()
    caption = f"<caption>{_text(table.title)}</caption>" if table.title else ""
    heads = "".join(
        f'<th title="{escape(printable(column.explained))}">{_text(column.head)}</th>'
        for column in table.columns
    )
    rows = "".join(
        "<tr>"
        + "".join(
            _cell(cell_text(value, column), number=column.cells != "text")
            for value, column in zip(row, table.columns, strict=True)
        )
        + "</tr>"
        for row in table.rows[:_MOST_ROWS]
    )
    more = len(table.rows) - _MOST_ROWS
    rest = f"<p>... and {more} more rows: to_frame() has all.</p>" if more > 0 else ""
    return (
        f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        f"{rest}"
    )


def _cell(words: str, *, number: bool) -> str:
    side = "right" if number else "left"
    return f'<td style="text-align: {side}">{escape(words)}</td>'


def _text(words: str) -> str:
    return escape(printable(words))
