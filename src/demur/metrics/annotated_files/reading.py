"""Annotated files, recognised by what they begin with."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

from demur.errors import InputError
from demur.formats.streams import MAX_SIZE, PARQUET, ZIP, Source, Stream, opened
from demur.metrics.annotated_files import (
    columns,
    label_studio,
    prodigy,
    standoff,
    webanno,
)
from demur.metrics.annotated_files.texts import AnnotatedFile, Asked

FORMS: Final[tuple[ModuleType, ...]] = (
    webanno,
    label_studio,
    prodigy,
    columns,
    standoff,
)
"""Files with a function ``recognises``, and ``read``; the first that does one reads."""

WITH_LAYERS: Final = (webanno.FORM, label_studio.FORM)


def read_annotated(
    sources: Sequence[Source], asked: Asked, *, max_size: int = MAX_SIZE
) -> list[AnnotatedFile] | None:
    """Files or folders of annotations; None if the first is none of them.

    Parameters
    ----------
    sources : sequence of path or binary file
    asked : Asked
    max_size : int
        As for `read_outcomes`.

    Raises
    ------
    InputError
        If the others are not of the same form, or one cannot be read.
    """
    files: list[AnnotatedFile] = []
    for source in sources:
        if isinstance(source, str) and source != "-" and Path(source).is_dir():
            file: AnnotatedFile | None = _of_folder(Path(source), asked, max_size)
        else:
            form = files[0].form if files else None
            with opened(source, max_size) as stream:
                follows = files[0].layer if files else None
                file = _of_stream(stream, form, asked._replace(follows=follows))
        if file is None:
            return None
        if files and file.form != files[0].form:
            need = f"be {files[0].form}, as {files[0].name} is"
            raise InputError(file.name, "the file", need, file.form)
        files.append(file)
    return files


def _of_stream(stream: Stream, form: str | None, asked: Asked) -> AnnotatedFile | None:
    """A file; None if it is the first and of no form."""
    reader = None
    if not stream.head.startswith((PARQUET, ZIP)):
        reader = next((f for f in FORMS if f.recognises(stream.head, asked)), None)
    is_ann = form == standoff.FORM or stream.name.endswith(".ann")
    if reader is None and is_ann and not stream.head and asked.kind == "spans":
        reader = standoff  # a document without spans
    if reader is None and form is not None:
        got = "another" if stream.head else "an empty file"
        raise InputError(stream.name, "the file", f"be {form}, as the first is", got)
    return None if reader is None else reader.read(stream, asked)


def _of_folder(folder: Path, asked: Asked, max_size: int) -> AnnotatedFile:
    if asked.kind != "spans" or not any(folder.rglob("*.ann")):
        need, hint = "hold .ann files of BRAT, with spans", "Name files of other forms."
        raise InputError(str(folder), "the folder", need, "none", hint)
    return standoff.read_folder(folder, max_size)
