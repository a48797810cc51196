"""Moments in UTC, as rules, logs and options write them."""

from datetime import UTC, datetime, timedelta
from typing import Final

from demur.errors import InputError, shown

_SUCH_AS: Final = "Write UTC: 2027-03-01T12:00:00Z."


def moment(where: str, what: str, value: object) -> datetime:
    """A moment in UTC to the second, of a text or of what TOML has read.

    Parameters
    ----------
    where, what : str
        For messages.
    value : datetime or str

    Returns
    -------
    datetime
        In UTC.

    Raises
    ------
    InputError
        If it is none, says no time zone, or another one than UTC.

    Examples
    --------
    >>> moment("--now", "the moment", "2027-03-01T12:00:00Z")
    datetime.datetime(2027, 3, 1, 12, 0, tzinfo=datetime.timezone.utc)
    >>> moment("--now", "the moment", "2027-03-01T12:00:00")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: --now: the moment must say that it is in UTC; got
    '2027-03-01T12:00:00'. Write UTC: 2027-03-01T12:00:00Z.
    """
    read = value
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            read = None
    if not isinstance(read, datetime):
        need = "be a date with a time"
        raise InputError(where, what, need, shown(_plain(value)), _SUCH_AS)
    if read.utcoffset() != timedelta(0):
        need = "say that it is in UTC" if read.tzinfo is None else "be in UTC"
        raise InputError(where, what, need, shown(_plain(value)), _SUCH_AS)
    if read.microsecond:
        need = "be a whole second"
        raise InputError(where, what, need, shown(_plain(value)), _SUCH_AS)
    return read.replace(tzinfo=UTC)


def _plain(value: object) -> object:
    return value.isoformat() if hasattr(value, "isoformat") else value


def moment_text(when: datetime) -> str:
    """How a moment is written everywhere.

    Examples
    --------
    >>> moment_text(datetime(2027, 3, 1, 12, tzinfo=UTC))
    '2027-03-01T12:00:00Z'
    """
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day_of(when: datetime) -> str:
    """The UTC day of a moment.

    Examples
    --------
    >>> day_of(datetime(2027, 3, 1, 23, 59, 59, tzinfo=UTC))
    '2027-03-01'
    """
    return moment_text(when)[:10]


def next_day(when: datetime) -> datetime:
    """When the next UTC day begins.

    Examples
    --------
    >>> moment_text(next_day(datetime(2027, 3, 1, 23, 59, 59, tzinfo=UTC)))
    '2027-03-02T00:00:00Z'
    """
    begins = when.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return begins + timedelta(days=1)
