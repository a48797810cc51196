"""What other programs and people wrote down, read: the table of its readers.

A reader is a value with options, in the grammar of the comparators. It prints as it is
typed, and parses back; only the file of the one that is named is loaded::

    >>> from demur import logs
    >>> logs.log_reader("acts( user = caller )")
    acts(user=caller)
"""

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from demur.calls import parse_call
from demur.checks import choice
from demur.errors import InputError
from demur.logs.readers import DialogueReader as DialogueReader
from demur.logs.readers import ItemReader as ItemReader
from demur.logs.readers import LogReader as LogReader
from demur.logs.readers import ReadLog as ReadLog

READERS: Final[Mapping[str, str]] = {
    "dialogues": "dialogue_files:DialogueFile",
    "acts": "act_texts:ActText",
    "wizard": "wizard_logs:WizardLog",
    "traces": "agent_traces:AgentTraces",
    "actions": "trace_actions:TraceActions",
    "inspect": "inspect_logs:InspectLog",
    "openai": "openai_objects:OpenAIObjects",
    "deepeval": "deepeval_runs:DeepEvalRun",
    "ragas": "ragas_tables:RagasTable",
    "mlflow": "mlflow_tables:MLflowTable",
    "simple_evals": "simple_evals_results:SimpleEvalsResults",
    "lm_eval": "lm_eval_samples:LmEvalSamples",
    "promptfoo": "promptfoo_results:PromptfooResults",
    "rasa": "rasa_reports:RasaReports",
    "squad2": "squad_files:SquadFile",
    "qald": "qald_files:QaldFile",
    "trec": "trec_runs:TrecRun",
    "ehrsql": "ehrsql_files:EhrsqlFile",
    "workbook": "workbook_sheets:WorkbookSheet",
}
"""The readers by name, each with its file in this room and its class there."""

Marks = tuple[frozenset[str] | re.Pattern[bytes], ...]

MARKS: Final[Mapping[str, Marks]] = {
    "actions": (
        frozenset(["resourceSpans"]),
        frozenset(["attributes", "context.trace_id", "start_time"]),
    ),
    "inspect": (
        frozenset(["eval", "eval.task", "eval.model"]),
        frozenset(["zip:header.json"]),
        frozenset(["zip:_journal/start.json"]),
    ),
    "openai": (
        frozenset(["choices", "choices.message"]),
        frozenset(["object", "created_at", "output", "parallel_tool_calls"]),
        frozenset(["custom_id", "response", "error"]),
        frozenset(["custom_id", "method", "url", "body"]),  # requests, which it refuses
        frozenset(["response.choices.message"]),
        frozenset(["completion.choices.message"]),
        frozenset(["chat_completion.choices.message"]),
        frozenset(["response.output", "response.parallel_tool_calls"]),
        # Requests that failed stand first at times.
        frozenset(["custom_id", "error.message"]),
        frozenset(["response.error.message", "response.error.type"]),
        frozenset(["error.message", "error.type", "error.code"]),
    ),
    "deepeval": (
        frozenset(["testCases", "testCases.metricsData"]),
        frozenset(["test_results", "test_results.metrics_data"]),
    ),
    "ragas": (
        *(
            frozenset(f"{table}{name}" for name in names)
            for table in ("", "column:")
            for names in (
                ["user_input", "response", "reference"],
                ["user_input", "response", "retrieved_contexts"],
                ["question", "answer", "contexts", "ground_truth"],
            )
        ),
    ),
    "mlflow": (
        re.compile(
            rb'\{\s*"(?:index|columns)"\s*:\s*\[[^\]]*\]\s*,\s*"(?:data|index)"'
        ),
        re.compile(rb"(?![{\[])(?=[^\n]*\boutputs\b)[^\n]*/(?:score|v\d+)\b"),
        frozenset(["trace_id", "assessments", "request"]),
    ),
    "simple_evals": (
        frozenset(["score", "metrics", "htmls"]),
        frozenset(["score", "score:std"]),
    ),
    "lm_eval": (
        frozenset(["doc_id", "resps", "filtered_resps"]),
        re.compile(rb'\[?\s*\{\s*"doc_id": ?\d+,\s*"doc": ?[{"][^\n]{60000}'),  # long
    ),
    "promptfoo": (
        frozenset(["evalId", "results", "results.version"]),
        frozenset(["results.version", "results.results"]),
        frozenset(["promptIdx", "testIdx", "promptId"]),
        re.compile(
            rb"(?![{\[<])(?s:.*?),Status,Score,(?:Named Scores,|Metric: |Grader Reason)"
        ),
    ),
    "rasa": (
        frozenset(["text", "intent", "intent_prediction.name"]),
        frozenset(["text", "intent_response_key_prediction.name"]),
    ),
    "squad2": (
        frozenset(["id", "prediction_text", "no_answer_probability"]),
        frozenset(["id", "answers", "answers.text", "answers.answer_start"]),
        frozenset(["data", "data.paragraphs", "data.paragraphs.qas"]),
    ),
    "qald": (
        frozenset(["questions", "questions.question.string", "questions.answers"]),
        frozenset(["questions", "questions.id", "questions.answers.head"]),
    ),
    "trec": (
        re.compile(
            rb"\S+[ \t]+Q0[ \t]+\S+[ \t]+\d+[ \t]+[-+.\deE]+[ \t]+\S+\s*$", re.M
        ),
    ),
    "ehrsql": (frozenset(["zip:prediction.json"]),),
    "workbook": (),  # which the formats recognise
}
"""How the logs of single answers are recognised.

By keys of the first object that are all there (of a table its columns, as
``column:NAME``, of an archive its members, as ``zip:NAME``), or by how the text begins.
"""


def log_reader(text: Any, *, where: str = "log", what: str = "the reader") -> LogReader:
    """The reader of a name with options; the inverse of ``str``.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME(OPTION=VALUE, ...)``.
    where, what : str
        For messages: where the text stands, and what it is called there.

    Returns
    -------
    LogReader

    Raises
    ------
    InputError
        If there is no such reader or option, or the text is not of that form.

    Examples
    --------
    >>> from demur import logs
    >>> logs.log_reader("traces(error=declined)").recipe
    'traces(error=declined)'
    >>> logs.log_reader("trace")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: log: the reader must be one of dialogues, acts, ...; got
    'trace'. Did you mean 'traces'?
    """
    if not isinstance(text, str):
        choice(where, what, text, READERS)
    return parse_call(text, READERS, _reader_of, where=where, what=what)


def dialogue_log(text: Any, *, where: str, what: str) -> DialogueReader:
    """`log_reader`, if it reads dialogues.

    Raises
    ------
    InputError
        If it reads single answers, or there is none of that name.

    Examples
    --------
    >>> dialogue_log("traces", where="a.toml", what="form")
    traces
    """
    reader = log_reader(text, where=where, what=what)
    if reader.name in MARKS:
        need = f"read dialogues: one of {', '.join(READERS.keys() - MARKS.keys())}"
        raise InputError(where, what, need, reader.name)
    return reader  # type: ignore[return-value]


def item_log(text: Any, *, where: str = "log") -> ItemReader:
    """`log_reader`, if it reads single answers.

    Raises
    ------
    InputError
        If it reads dialogues, or there is none of that name.

    Examples
    --------
    >>> item_log("inspect").title
    'an Inspect log'
    """
    reader = log_reader(text, where=where)
    if reader.name not in MARKS:
        need = f"read single answers: one of {', '.join(MARKS)}"
        hint = "Logs of dialogues are for demur pipeline."
        raise InputError(where, "the reader", need, reader.name, hint)
    return reader  # type: ignore[return-value]


def recognised(keys: frozenset[str], head: bytes) -> ItemReader | None:
    """The reader of what a file begins with; None if it is no log that is known.

    Parameters
    ----------
    keys : frozenset of str
        As `demur.formats.beginnings.keys_of` gives them.
    head : bytes
        What it begins with.

    Examples
    --------
    >>> recognised(frozenset(["eval", "eval.task", "eval.model"]), b"{")
    inspect
    """
    for name, marks in MARKS.items():
        for mark in marks:
            if mark <= keys if isinstance(mark, frozenset) else mark.match(head):
                return item_log(name)
    return None


_TABLES: Final = ("ragas", "mlflow")
"""Readers of tables, which are Parquet too."""


def recognised_table(names: Sequence[str]) -> ItemReader | None:
    """The reader of a table with columns of these names; None if it is no log.

    Examples
    --------
    >>> recognised_table(["inputs", "outputs", "exact_match/score"])
    mlflow
    """
    reader = recognised(frozenset(names), ",".join(names).encode())
    return reader if reader is not None and reader.name in _TABLES else None


def _reader_of(name: str) -> type[LogReader]:
    file, _, kind = READERS[name].partition(":")
    reader: type[LogReader] = getattr(import_module(f"demur.logs.{file}"), kind)
    return reader
