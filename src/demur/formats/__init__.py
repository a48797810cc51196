"""Files of outcomes, responses and references, read and written.

What can be read stands in `demur.formats.reading.FORMATS`, each plain or compressed by
gzip or zstd; ``-`` is the standard input. Reading goes by content, never by name.
"""

from demur.formats.reading import (
    file_names,
    iter_json,
    iter_records,
    iter_references,
    iter_responses,
    read_lines,
    read_outcomes,
    read_references,
    read_responses,
    reference_of,
)
from demur.formats.writing import (
    write_outcomes,
    write_record_files,
    write_records,
)

__all__ = [
    "file_names",
    "iter_json",
    "iter_records",
    "iter_references",
    "iter_responses",
    "read_lines",
    "read_outcomes",
    "read_references",
    "read_responses",
    "reference_of",
    "write_outcomes",
    "write_record_files",
    "write_records",
]
