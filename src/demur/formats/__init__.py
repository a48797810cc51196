"""Files of outcomes, responses and references, read and written.

What can be read stands in `demur.formats.reading.FORMATS`, each plain or compressed by
gzip or zstd; ``-`` is the standard input. Reading goes by content, never by name.
Files that are in none of our forms are read by `demur.logs`. A file of this room is
loaded when one of its names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from demur.formats.reading import file_names as file_names
    from demur.formats.reading import read_outcomes as read_outcomes
    from demur.formats.record_reading import iter_json as iter_json
    from demur.formats.record_reading import iter_records as iter_records
    from demur.formats.record_reading import iter_references as iter_references
    from demur.formats.record_reading import iter_responses as iter_responses
    from demur.formats.record_reading import read_references as read_references
    from demur.formats.record_reading import read_responses as read_responses
    from demur.formats.record_reading import reference_of as reference_of
    from demur.formats.text_lines import read_lines as read_lines
    from demur.formats.writing import write_outcomes as write_outcomes
    from demur.formats.writing import write_record_files as write_record_files
    from demur.formats.writing import write_records as write_records

_NAMES: Final = {
    "reading": ("file_names", "read_outcomes"),
    "record_reading": (
        *("iter_json", "iter_records", "iter_references", "iter_responses"),
        *("read_references", "read_responses", "reference_of"),
    ),
    "text_lines": ("read_lines",),
    "writing": ("write_outcomes", "write_record_files", "write_records"),
}


def __getattr__(name: str) -> Any:
    for file, names in _NAMES.items():
        if name in names:
            return getattr(import_module(f"demur.formats.{file}"), name)
    raise AttributeError(f"module 'demur.formats' has no attribute {name!r}")
