"""Files of kinds that are not read: how they begin, what they are, what to do."""

from typing import Final

from demur.formats.json_lines import SKETCH

_EXPORT: Final = "Unpack it, or export it as one of these."

FOREIGN: Final = {
    b"BZh": ("a bzip2 file", _EXPORT),
    b"\xfd7zXZ\x00": ("an xz file", _EXPORT),
    b"SQLite format 3": (
        "an SQLite database",
        f"{_EXPORT} Of a store of demur keep name a run: FILE.sqlite:RUN.",
    ),
    b"ARROW1": (
        "an Arrow file",
        "pandas.read_feather(FILE).to_parquet(NEW) makes one of these.",
    ),
    b"\xff\xff\xff\xff": (
        "an Arrow stream, as in a saved data set",
        "datasets.Dataset.from_file(FILE).to_parquet(NEW) makes one of these.",
    ),
    b"%PDF": ("a PDF file", _EXPORT),
    SKETCH: ("a sketch", "demur curve, choose, score and recheck take FILE.sketch."),
}
"""How files begin that are not read, what they are, and what to do."""
