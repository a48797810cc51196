"""What `demur metrics` reads: tables, texts, dialogues, and models of n-grams."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from demur import formats
from demur.cli import say, shared
from demur.cli.options.measures import OPTIONS, SIDES, TRAINING
from demur.errors import InputError
from demur.metrics.alternatives import unread_note
from demur.metrics.coreference.files import has_columns, joined, read_documents
from demur.metrics.counted_items import OF_ITEMS, by_system
from demur.metrics.measuring_decisive_steps import STEP_COLUMNS
from demur.metrics.ngrams.models import NgramModel, ngram_model, read_arpa
from demur.metrics.transcripts.joined_by_time import joined_by_time
from demur.metrics.utterance_ids import (
    check_texts,
    doubtful_ids,
    is_trn,
    joined_utterances,
    places_of,
    without_comments,
)
from demur.outcomes.named_columns import NamedColumns, named_columns
from demur.outcomes.value_kinds import a_kind
from demur.results import with_noun

if TYPE_CHECKING:
    from demur.metrics.annotated_files.texts import AnnotatedFile, Kind

Given = list[tuple[tuple[Any, ...], dict[str, Any]]]
"""What a verb is given for each system: the table or texts, and the name."""


def _table(arguments: Namespace, instead: Sequence[str] = ()) -> NamedColumns:
    """A table whose references and hypotheses are called ``ref`` and ``hyp``.

    Or one with other columns instead, unless they are named.
    """
    may = [*OF_ITEMS, "dialogue", "turn", "ref_act", "hyp_act", *instead]
    renamed = shared.named(arguments, *SIDES)
    usual = ["cluster", *(("ref", "hyp") if instead else ())]
    needed = [name for name in renamed.values() if name not in usual]
    table = _columns(arguments, needed, [*may, *usual])
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
    paths = arguments.files
    if len(paths) == 1:
        if arguments.tier is not None:
            need = "come with references and hypotheses"
            raise shared.WrongUsage("metrics words", "--tier", need, "one file")
        table = _table(arguments)
        # A text file cannot tell an empty reference from none.
        references = ["" if text is None else text for text in table.columns["ref"]]
        columns = {**table.columns, "ref": references}
        given = _of_systems(NamedColumns(columns, table.places))
        usual = "as-written"
    else:
        if arguments.where:
            need = "come with a table"
            raise shared.WrongUsage("metrics words", "--where", need, "texts")
        files = _lines_of(paths, arguments.max_size)
        timed = _of_times(paths, files, arguments.tier)
        tables, usual = timed or _of_lines(paths, files, _ALONE)
        names = formats.file_names(paths[1:]) if len(paths) > 2 else [""]
        given = [
            ((table,), {"system": name})
            for name, table in zip(names, tables, strict=True)
        ]
    notation = arguments.notation or usual
    return [(tables, {**how, "notation": notation}) for tables, how in given]


def _lines_of(paths: Sequence[str], max_size: int) -> list[list[str]]:
    return [formats.read_lines(path, max_size=max_size) for path in paths]


def _of_times(
    paths: Sequence[str], files: Sequence[list[str]], tier: str | None
) -> tuple[list[NamedColumns], str] | None:
    """Tables of files with times, and their usual notation; None if they have none.

    A table for each recogniser, or one of references alone.
    """
    joined = joined_by_time(paths, files, tier)
    if joined is None:
        return None
    for words in joined.remarks:
        say(words)
    segments = joined.segments
    columns: dict[str, list[Any]] = {
        "item": [segment.name for segment in segments],
        "ref": [segment.text for segment in segments],
    }
    speakers = [segment.speaker for segment in segments]
    if None not in speakers:
        columns["cluster"] = speakers
        many = with_noun(len(set(speakers)), "speaker")
        say(f"{paths[0]}: intervals are over {many}")
    tables = []
    sides: list[dict[str, Any]] = [
        {"hyp": heard.texts, "confidence": heard.confidences} for heard in joined.heard
    ]
    for side in sides or [{}]:
        if side.get("confidence") is None:
            side.pop("confidence", None)
        places = [segment.place for segment in segments]
        tables.append(NamedColumns({**columns, **side}, places))
    return tables, "as-written" if None in speakers else "nist"


def _of_lines(
    paths: Sequence[str], files: list[list[str]], hint: str
) -> tuple[list[NamedColumns], str]:
    """The same of texts with an utterance on each line; the hint is for tables."""
    check_texts(paths, files, hint)
    usual = "nist" if is_trn(files[0]) else "as-written"
    joined = joined_utterances(paths, files)
    places = places_of(paths[0], files[0], blank=joined is None)
    files = _without_comments(paths, files)
    references, *others = files if joined is None else joined[1]
    for path, heard in zip(paths[1:], others, strict=True):
        if len(heard) != len(references):
            need = f"have {len(references)} lines, as the references have"
            hint = "An utterance that was not recognised is an empty line."
            raise InputError(path, "the hypotheses", need, str(len(heard)), hint)
    ids = {}
    if joined is None:
        usual = "as-written"
        for doubt in doubtful_ids(paths, files):
            say(doubt)
    elif others:
        ids = {"item": joined[0]}
        say(f"utterances are joined by the ids in their lines, such as {joined[0][0]}")
    else:
        say(_WITH_IDS.format(path=paths[0], example=joined[0][0]))
    sides = [{"hyp": heard} for heard in others] or [{}]
    columns = [{"ref": references, **side, **ids} for side in sides]
    return [NamedColumns(its, places) for its in columns], usual


_ALONE: Final = "A table with ref and hyp stands alone; else give texts, line by line."
_COLUMN: Final = "Name the column of a table: --text COLUMN."
_WITH_IDS: Final = (
    "{path}: lines have ids, such as {example}, which are read off and are no words"
)


def _without_ids(path: str, max_size: int) -> list[str]:
    """The lines of a text, without ids of utterances and comments."""
    lines = formats.read_lines(path, max_size=max_size)
    [table], _ = _of_lines([path], [lines], _COLUMN)
    texts = list(table.columns["ref"])
    for note in unread_note(texts, "", "texts"):
        say(f"{path}: {note}")
    return texts


def _without_comments(paths: Sequence[str], files: list[list[str]]) -> list[list[str]]:
    texts = [without_comments(lines) for lines in files]
    for path, lines, left in zip(paths, files, texts, strict=True):
        if len(left) < len(lines):
            many = with_noun(len(lines) - len(left), "line")
            say(f"{path}: {many} that begin with ;; left out as comments")
    return texts


def steps(arguments: Namespace) -> Given:
    """A table with agents and steps, in columns of their own or in ref and hyp."""
    return _of_systems(_table(arguments, STEP_COLUMNS))


def documents_or_table(arguments: Namespace) -> Given:
    """Documents of coreference of each system, or those of a table."""
    of_references, *paths = arguments.files
    if not paths:
        if has_columns(of_references, max_size=arguments.max_size):
            need, got = "be two, references and hypotheses", "one in columns of CoNLL"
            raise shared.WrongUsage("metrics coreference", "FILE", need, got)
        return systems(arguments)
    if arguments.where:
        need, got = "come with a table", "files of both sides"
        raise shared.WrongUsage("metrics coreference", "--where", need, got)
    how = shared.named(arguments, "max_size", "log", "columns")
    references = read_documents(of_references, ("clusters",), **how)
    names = formats.file_names(paths) if len(paths) > 1 else [""]
    return [
        ((joined(references, read_documents(path, **how)),), {"system": name})
        for name, path in zip(names, paths, strict=True)
    ]


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
    _check_training(arguments, command)
    cluster = None
    if arguments.text is None:
        if arguments.where:
            need = "come with --text COLUMN, which says that TEST is a table"
            raise shared.WrongUsage(command, "--where", need, "no such option")
        texts = _without_ids(path, arguments.max_size)
    else:
        named = [arguments.text]
        named += [arguments.cluster] if arguments.cluster != "cluster" else []
        table = _columns(arguments, named, ["cluster"])
        texts = _sentences(table, arguments.text)
        if table.has(arguments.cluster):
            cluster = [*table.columns[arguments.cluster]]
    model = _model(arguments)
    if arguments.train is not None and shared.same_file(path, arguments.train):
        say(
            f"{path}: is also what the model was trained on, so that perplexities "
            "are far lower than of other texts"
        )
    if arguments.output:
        model.write_arpa(arguments.output)
        say(f"wrote {arguments.output}")
    return [((texts, model), {"cluster": cluster})]


def _check_training(arguments: Namespace, command: str) -> None:
    """Refuse options that would say nothing: how to train, which column."""
    usual = {
        name.removeprefix("ngram_"): OPTIONS[name][1]["usual"]
        for name in (*TRAINING, "cluster")
    }
    typed = {
        f"--{name}": value
        for name, value in shared.named(arguments, *usual).items()
        if value != usual[name]
    }
    if arguments.text is None and "--cluster" in typed:
        need = "come with --text COLUMN, which says that TEST is a table"
        raise shared.WrongUsage(command, "--cluster", need, "no such option")
    typed.pop("--cluster", None)
    if arguments.arpa is not None and typed:
        need = "come with --train, a text to train on"
        raise shared.WrongUsage(command, next(iter(typed)), need, "--arpa")
    if arguments.smoothing != "add-k" and "--add" in typed:
        need = "come with --smoothing add-k"
        raise shared.WrongUsage(command, "--add", need, arguments.smoothing)


def _model(arguments: Namespace) -> NgramModel:
    if arguments.arpa is not None:
        return read_arpa(arguments.arpa, max_size=arguments.max_size)
    if arguments.text is None:
        texts = _without_ids(arguments.train, arguments.max_size)
    else:
        how = {**shared.how_read(arguments), "where": {}}
        records = formats.iter_records(arguments.train, **how)
        hint = "With --text, --train is a table too, with this column."
        command, needed = "metrics perplexity", [arguments.text]
        table = named_columns(command, records, needed, [], hint=hint)
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


def texts_and_words(arguments: Namespace) -> Given:
    """References, maybe hypotheses, and the words of a vocabulary."""
    paths = arguments.files
    if len(paths) > (2 if arguments.text is None else 1):
        need = "be references, and maybe hypotheses of one recogniser"
        raise shared.WrongUsage("metrics oov", "FILE", need, f"{len(paths)} files")
    if arguments.text is None:
        if arguments.where:
            need = "come with --text COLUMN, which says that FILE is a table"
            raise shared.WrongUsage("metrics oov", "--where", need, "no such option")
        files = _lines_of(paths, arguments.max_size)
        timed = _of_times(paths, files, arguments.tier)
        [table], _ = timed or _of_lines(paths, files, _COLUMN)
        ref, hyp, cluster = "ref", "hyp", "cluster"
    else:
        ref, hyp, cluster = arguments.text, arguments.hyp, arguments.cluster
        usual = {"hyp": hyp, "cluster": cluster}
        named = [name for column, name in usual.items() if name != column]
        table = _columns(arguments, [ref, *named], [*usual])
    given: dict[str, Any] = {"references": _sentences(table, ref)}
    if table.has(hyp):
        given["hypotheses"] = _sentences(table, hyp)
    if table.has(cluster):
        given["cluster"] = [*table.columns[cluster]]
    words = _vocabulary(arguments.vocabulary, arguments.max_size)
    return [((words,), given)]


def _vocabulary(path: str, max_size: int) -> list[str]:
    """The first word of each line."""
    [lines] = _without_comments([path], [formats.read_lines(path, max_size=max_size)])
    words = [line.split() for line in lines if line.strip()]
    more = sum(len(its) > 1 for its in words)
    if more:
        have = "line has" if more == 1 else "lines have"
        say(f"{path}: {more} {have} more than a word, of which the first counts")
    return [its[0] for its in words]


def _columns(
    arguments: Namespace, needed: Iterable[str], may: Sequence[str] = ()
) -> NamedColumns:
    records = formats.iter_records(*arguments.files, **shared.how_read(arguments))
    sides = "Name them: --ref COLUMN, --hyp COLUMN."
    if arguments.measure == "words":
        sides += " Of texts name two files: references, then hypotheses."
    hint = {"hint": sides} if "ref" in arguments else {}
    return named_columns(f"metrics {arguments.measure}", records, needed, may, **hint)
