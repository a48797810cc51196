"""What `demur metrics` reads: tables, texts, dialogues, and models of n-grams."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from demur import formats
from demur.cli import say, shared
from demur.cli.metrics_options import SIDES
from demur.errors import InputError
from demur.metrics.counted_items import OF_ITEMS, by_system
from demur.metrics.ngrams.models import NgramModel, ngram_model, read_arpa
from demur.metrics.utterance_ids import (
    doubtful_ids,
    joined_utterances,
    without_comments,
)
from demur.outcomes.named_columns import NamedColumns, named_columns
from demur.outcomes.value_kinds import a_kind
from demur.results import with_noun

if TYPE_CHECKING:
    from demur.metrics.annotated_files.texts import AnnotatedFile, Kind

Given = list[tuple[tuple[Any, ...], dict[str, Any]]]
"""What a verb is given for each system: the table or texts, and the name."""


def _table(arguments: Namespace) -> NamedColumns:
    """A table whose references and hypotheses are called ``ref`` and ``hyp``."""
    may = [*OF_ITEMS, "dialogue", "turn", "ref_act", "hyp_act"]
    renamed = shared.named(arguments, *SIDES)
    needed = [renamed["ref"], renamed["hyp"]]
    needed += [renamed["cluster"]] if renamed["cluster"] != "cluster" else []
    table = _columns(arguments, needed, may)
    columns = {name: column for name, column in table.columns.items() if name in may}
    columns |= {
        name: table.columns[column]
        for name, column in renamed.items()
        if table.has(column)
    }
    return NamedColumns(columns, table.places)


def _of_systems(table: NamedColumns) -> Given:
    return [((part,), {"system": name}) for name, part in by_system(table)]


def systems(arguments: Namespace) -> Given:
    """A table with ref and hyp, a part for each system."""
    return _of_systems(_table(arguments))


def texts_or_table(arguments: Namespace) -> Given:
    """Texts of each recogniser, or those of a table."""
    if len(arguments.files) == 1:
        table = _table(arguments)
        # A text file cannot tell an empty reference from none.
        references = ["" if text is None else text for text in table.columns["ref"]]
        columns = {**table.columns, "ref": references}
        return _of_systems(NamedColumns(columns, table.places))
    if arguments.where:
        need = "come with a table"
        raise shared.WrongUsage("metrics words", "--where", need, "texts")
    paths = arguments.files
    files = [formats.read_lines(path, max_size=arguments.max_size) for path in paths]
    joined = joined_utterances(paths, files)
    files = _without_comments(paths, files)
    references, *others = files if joined is None else joined[1]
    paths = paths[1:]
    for path, heard in zip(paths, others, strict=True):
        if len(heard) != len(references):
            need = f"have {len(references)} lines, as the references have"
            hint = "An utterance that was not recognised is an empty line."
            raise InputError(path, "the hypotheses", need, str(len(heard)), hint)
    names = formats.file_names(paths) if len(others) > 1 else [""]
    ids = {}
    if joined is None:
        for doubt in doubtful_ids(arguments.files, files):
            say(doubt)
    else:
        ids = {"item": joined[0]}
        say(f"utterances are joined by the ids in their lines, such as {joined[0][0]}")
    return [
        ((NamedColumns({"ref": references, "hyp": heard, **ids}),), {"system": name})
        for name, heard in zip(names, others, strict=True)
    ]


def _without_comments(paths: Sequence[str], files: list[list[str]]) -> list[list[str]]:
    texts = [without_comments(lines) for lines in files]
    for path, lines, left in zip(paths, files, texts, strict=True):
        if len(left) < len(lines):
            many = with_noun(len(lines) - len(left), "line")
            say(f"{path}: {many} that begin with ;; left out as comments")
    return texts


def annotated_spans(arguments: Namespace) -> Given:
    """Files of spans as taggers and annotation tools write them, or a table."""
    return _annotated_or_table(arguments, "spans")


def annotated_labels(arguments: Namespace) -> Given:
    """Exports with a label for each text, or a table."""
    return _annotated_or_table(arguments, "labels")


def _annotated_or_table(arguments: Namespace, kind: "Kind") -> Given:
    if arguments.log or arguments.columns or arguments.files == ["-"]:
        return systems(arguments)
    from demur.metrics.annotated_files.joining import both_sides, joined_files
    from demur.metrics.annotated_files.reading import read_annotated
    from demur.metrics.annotated_files.texts import Asked

    paths, is_labels = arguments.files, kind == "labels"
    asked = Asked(kind, alone=len(paths) == 1, layer=arguments.layer)
    files = read_annotated(paths, asked, max_size=arguments.max_size)
    _check_options(arguments, files)
    if files is None:
        return systems(arguments)
    if len(files) == 1:
        joined = both_sides(files[0], labels=is_labels)
    else:
        names = formats.file_names(paths[1:]) if len(paths) > 2 else [""]
        joined = joined_files(files, names, labels=is_labels)
    for note in joined.notes:
        say(note)
    return _of_systems(joined.table)


def _check_options(
    arguments: Namespace, files: "Sequence[AnnotatedFile] | None"
) -> None:
    """Refuse several tables, and options that do not go with the files."""
    from demur.metrics.annotated_files.reading import WITH_LAYERS

    form = "a table" if files is None else files[0].form
    if arguments.layer and form not in WITH_LAYERS:
        need = f"come with {' or '.join(WITH_LAYERS)}"
        raise shared.WrongUsage(_command(arguments), "--layer", need, form)
    if arguments.where and files is not None:
        need = "come with a table"
        raise shared.WrongUsage(_command(arguments), "--where", need, form)
    if files is None and len(arguments.files) > 1:
        need = "be an export of Prodigy or Label Studio"
        if arguments.measure == "spans":
            need = "be an annotated file: CoNLL columns, BRAT, WebAnno, or an export"
        hint = "A table with ref and hyp stands alone."
        raise InputError(arguments.files[0], "the file", need, "another", hint)


def _command(arguments: Namespace) -> str:
    return f"metrics {arguments.measure}"


def turns(arguments: Namespace) -> Given:
    """A log with a row for each turn."""
    may = ["speaker", "seconds", "start", "end", "score", "event"]
    return [((_columns(arguments, ["dialogue"], may),), {})]


def dialogues(arguments: Namespace) -> Given:
    """A table with a row for each dialogue."""
    names = (arguments.target, *arguments.predictors, arguments.by, arguments.group)
    return [((_columns(arguments, dict.fromkeys(filter(None, names))),), {})]


def texts_and_model(arguments: Namespace) -> Given:
    """Texts, maybe with clusters, and a model that is read or trained."""
    command, [path] = f"metrics {arguments.measure}", arguments.files
    if (arguments.train is None) == (arguments.arpa is None):
        need, got = "name a text, or --arpa a model", "both"
        if arguments.train is None:
            got = "neither"
        raise shared.WrongUsage(command, "--train", need, got)
    cluster = None
    if arguments.text is None:
        if arguments.where:
            need = "come with --text COLUMN, which says that TEST is a table"
            raise shared.WrongUsage(command, "--where", need, "no such option")
        texts = formats.read_lines(path, max_size=arguments.max_size)
    else:
        named = [arguments.text]
        named += [arguments.cluster] if arguments.cluster != "cluster" else []
        table = _columns(arguments, named, ["cluster"])
        texts = _sentences(table, arguments.text)
        if table.has(arguments.cluster):
            cluster = [*table.columns[arguments.cluster]]
    model = _model(arguments)
    if arguments.output:
        model.write_arpa(arguments.output)
        say(f"wrote {arguments.output}")
    return [((texts, model), {"cluster": cluster})]


def _model(arguments: Namespace) -> NgramModel:
    if arguments.arpa is not None:
        return read_arpa(arguments.arpa, max_size=arguments.max_size)
    if arguments.text is None:
        texts = formats.read_lines(arguments.train, max_size=arguments.max_size)
    else:
        how = {**shared.how_read(arguments), "where": {}}
        records = formats.iter_records(arguments.train, **how)
        table = named_columns("metrics perplexity", records, [arguments.text], [])
        texts = _sentences(table, arguments.text)
    how = shared.named(arguments, "order", "smoothing", "add", "reading")
    return ngram_model(texts, **how)


def _sentences(table: NamedColumns, name: str) -> list[str]:
    """A column of texts; an empty cell is a sentence without words."""
    texts = ["" if text is None else text for text in table.columns[name]]
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            need, hint = "be a text", "Name the column of sentences: --text COLUMN."
            raise InputError(table.place(row), name, need, a_kind(text), hint)
    return texts


def _columns(
    arguments: Namespace, needed: Iterable[str], may: Sequence[str] = ()
) -> NamedColumns:
    records = formats.iter_records(*arguments.files, **shared.how_read(arguments))
    sides = "Name them: --ref COLUMN, --hyp COLUMN."
    hint = {"hint": sides} if "ref" in arguments else {}
    return named_columns(f"metrics {arguments.measure}", records, needed, may, **hint)
