"""Boards as files: written whole by version, and named in the log."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from demur.campaigns.chain import canonical
from demur.campaigns.closed_boards import ClosedBoard, closed_board
from demur.campaigns.folder import BOARDS, Campaign
from demur.campaigns.live_boards import LiveBoard, live_board, shown_facts
from demur.campaigns.moments import moment_text
from demur.campaigns.scorer_versions import BoardVersion, version_named, versions_of
from demur.campaigns.scoring_queue import append_at
from demur.campaigns.standing import submissions_waiting
from demur.errors import InputError
from demur.files import new_files
from demur.results import Table

PAGE: Final = "index.html"

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet takes for a formula."""

Clock = Callable[[], datetime]


def board_of(
    campaign: Campaign, *, now: datetime, version: int | None = None
) -> LiveBoard | ClosedBoard:
    """The board as it may be shown now.

    Parameters
    ----------
    campaign : Campaign
    now : datetime
    version : int, optional
        By default the newest.

    Raises
    ------
    InputError
        If nothing was scored, there is no such version, or an open board would tell
        more than the rules allow.
    """
    which = version_named(campaign, version)
    if campaign.closed is not None:
        return closed_board(campaign, which)
    phase = campaign.phase(now)
    name = phase.name if phase else "(between phases)"
    return live_board(campaign, which, name)


def publish_board(
    campaign: Campaign,
    board: LiveBoard | ClosedBoard,
    page: str,
    *,
    clock: Clock,
) -> list[str]:
    """Write a board and its page, all files or none, and log them.

    Parameters
    ----------
    campaign : Campaign
    board : LiveBoard or ClosedBoard
    page : str
        HTML.
    clock : callable
        What time it is, in UTC.

    Returns
    -------
    list of str
        The files, within the folder.
    """
    made = {"board.json": canonical(board.to_dict()) + b"\n", PAGE: page.encode()}
    made["board.csv"] = _csv([table_rows(board.tables()[0])])
    if isinstance(board, ClosedBoard):
        made |= _closed_files(board)
    names = {f"{BOARDS}/{board.version}/{name}": text for name, text in made.items()}
    paths = [campaign.inside(name) for name in names]
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    with campaign.log.locked():
        with new_files(paths) as files:
            for file, text in zip(files, names.values(), strict=True):
                file.write(text)
        facts: dict[str, Any] = {"version": board.version, "open": False}
        if isinstance(board, LiveBoard):
            facts |= {"open": True, **shown_facts(campaign, board)}
        append_at(campaign, clock, "board", **facts, files=campaign.digests(*names))
    return list(names)


def close_campaign(campaign: Campaign, *, now: datetime) -> None:
    """Close a campaign: boards show everything from now on.

    Raises
    ------
    InputError
        If a phase is still to end, or a valid submission was not scored.
    """
    with campaign.writing(now):
        _check_may_close(campaign, now)
        version = version_named(campaign, None)
        campaign.log.append("closed", when=now, version=version.number)


def _check_may_close(campaign: Campaign, now: datetime) -> None:
    where = str(campaign.path)
    if campaign.closed is not None:
        when = moment_text(campaign.closed.when)
        got, hint = f"one closed at {when}", "demur campaign board writes its board."
        raise InputError(where, "the campaign", "be open", got, hint)
    ends = max(phase.ends for phase in campaign.rules.phases)
    if now < ends:
        need = f"be over, which it is at {moment_text(ends)}"
        hint = "A closed board shows what is right and wrong, so nobody may submit."
        raise InputError(where, "the last phase", need, moment_text(now), hint)
    left = [str(submission.number) for submission in submissions_waiting(campaign)]
    if left:
        need, got = "be scored", f"not scored: {', '.join(left[:10])}"
        hint = "demur campaign score FOLDER."
        raise InputError(where, "every submission", need, got, hint)


def version_lines(campaign: Campaign) -> list[str]:
    """All versions so far, and what has changed from one to the next.

    Returns
    -------
    list of str
        A line for each.
    """
    return [_version_line(version) for version in versions_of(campaign)]


def _version_line(version: BoardVersion) -> str:
    what = "; ".join(version.changed) or "the first"
    return f"version {version.number}, {moment_text(version.entry.when)}: {what}"


# -- tables as CSV ---------------------------------------------------------------------

_Rows = Iterable[Sequence[Any]]


def table_rows(table: Table) -> list[Sequence[Any]]:
    """Heads and cells of a table; an interval takes two columns, if none is known too.

    Examples
    --------
    >>> from demur.results import Column
    >>> table_rows(Table("", (Column("team"), Column("interval")), (("a", None),)))
    [['team', 'interval_low', 'interval_high'], ['a', None, None]]
    """
    wide = [column.key == "interval" for column in table.columns]
    heads: list[Any] = []
    for column, is_range in zip(table.columns, wide, strict=True):
        ends = ("low", "high") if is_range else ()
        heads += [f"{column.key}_{end}" for end in ends] or [column.key]
    rows: list[Sequence[Any]] = [heads]
    for row in table.rows:
        cells: list[Any] = []
        for cell, is_range in zip(row, wide, strict=True):
            cells += (cell or (None, None)) if is_range else [cell]
        rows.append(cells)
    return rows


def _csv(parts: Iterable[_Rows]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for rows in parts:
        writer.writerows(tuple(map(_safe, row)) for row in rows)
    return text.getvalue().encode("utf-8")


def _safe(cell: Any) -> Any:
    """A cell; a text that a spreadsheet would run begins with an apostrophe."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell


def _closed_files(board: ClosedBoard) -> Mapping[str, bytes]:
    files = {"items.csv": _csv([table_rows(board.items.tables()[0])])}
    for group in board.groups:
        files[f"by_{group.of}.csv"] = _csv([table_rows(group.tables()[0])])
    curves: list[Sequence[Any]] = [("team", "nonreturn", "error", "cutoff")]
    for curve in board.curves:
        columns = (curve.nonreturn, curve.error, curve.cutoff)
        points = zip(*(list(column) for column in columns), strict=True)
        curves += [(curve.system, *point) for point in points]
    files["curves.csv"] = _csv([curves])
    return files
