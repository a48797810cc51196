"""Plain text files, an utterance on each line."""

from demur.errors import InputError
from demur.formats.streams import MAX_SIZE, PARQUET, Source, opened


def read_lines(source: Source, *, max_size: int = MAX_SIZE) -> list[str]:
    r"""The lines of a text, empty ones too; they end with \n, \r\n, or \r alone.

    Parameters
    ----------
    source : path, "-" for the standard input, or binary file
        A text in UTF-8, or with a byte-order mark; perhaps compressed.
    max_size : int
        As for `read_outcomes`.

    Returns
    -------
    list of str

    Raises
    ------
    InputError
        If it cannot be read, or is no text.

    Examples
    --------
    >>> import io
    >>> read_lines(io.BytesIO(b"the cat\n\nhello\n"))
    ['the cat', '', 'hello']
    """
    with opened(source, max_size) as stream:
        if stream.head.startswith(PARQUET):
            need = "be a text with an utterance on each line"
            hint = "Write the column with the texts to a text file."
            raise InputError(stream.name, "the file", need, "Parquet", hint)
        text = stream.whole().decode()
    lines = text.split("\n" if "\n" in text else "\r")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]
