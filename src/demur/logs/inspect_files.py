"""Files of Inspect: its objects, and the samples of an archive or of one object."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from demur.errors import InputError
from demur.formats.json_documents import json_value
from demur.formats.streams import ZIP, Stream
from demur.formats.zips import Archive

_SAMPLE: Final = re.compile(r"samples/(.+)_epoch_(\d+)(?:/sample)?\.json", re.DOTALL)
_SUMMARIES: Final = "summaries.json"

GRADES: Final[Mapping[str, float]] = {
    **{"C": 1.0, "I": 0.0, "P": 0.5},
    **{"correct": 1.0, "incorrect": 0.0, "partial": 0.5},
    **{"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0},
}
"""What the grades of Inspect are worth; N, no answer, is worth none."""


class InspectMessage(msgspec.Struct):
    """What is read of a message: its text, or the parts of it."""

    role: str | None = None
    content: str | list[dict[str, Any]] | None = None

    def text(self) -> str | None:
        """The text of all parts."""
        if isinstance(self.content, list):
            return "\n".join(str(part.get("text") or "") for part in self.content)
        return self.content


class _Choice(msgspec.Struct):
    """What is read of a reply."""

    message: InspectMessage | None = None
    stop_reason: str | None = None
    logprobs: Any = None


class InspectOutput(msgspec.Struct):
    """What is read of an output."""

    completion: str | None = None
    choices: list[_Choice] | None = None

    def text(self) -> str | None:
        """What the model said; None if that is nothing."""
        message = self.choices[0].message if self.choices else None
        return self.completion or (message and message.text()) or None

    def stop_reason(self) -> str | None:
        """Why it ended."""
        return self.choices[0].stop_reason if self.choices else None


NO_OUTPUT: Final = InspectOutput()


class InspectSample(msgspec.Struct):
    """What is read of a sample; all else, such as its events, is skipped."""

    id: str | int
    epoch: int = 1
    input: str | list[InspectMessage] | None = None
    target: Any = None
    choices: Any = None
    output: dict[str, Any] | None = None
    scores: dict[str, Any] | None = None
    score: Any = None  # of logs before 2024, which had one scorer
    metadata: dict[str, Any] | None = None
    store: dict[str, Any] | None = None
    attachments: dict[str, str] | None = None
    error: dict[str, Any] | None = None
    limit: dict[str, Any] | None = None
    invalidation: dict[str, Any] | None = None
    brief: bool = False
    whole_output: dict[str, Any] | None = None  # of one that is read in brief


class _SampleSummary(msgspec.Struct):
    """What is read of the summary of a sample."""

    id: str | int
    epoch: int = 1
    scores: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    error: Any = None
    limit: Any = None

    def as_sample(self) -> InspectSample:
        """A sample without what was said."""
        error = None if self.error is None else {"message": str(self.error)}
        limit = None if self.limit is None else {"type": str(self.limit)}
        return InspectSample(
            id=self.id,
            epoch=self.epoch,
            scores=self.scores,
            metadata=self.metadata,
            error=error,
            limit=limit,
            brief=True,
        )


class InspectConfig(msgspec.Struct):
    """What is read of how a task was run."""

    epochs: int | None = None
    epochs_reducer: list[str] | None = None


class _Eval(msgspec.Struct):
    """What is read of the task."""

    task: Any = None
    model: Any = None
    scorers: Any = None
    config: InspectConfig | None = None


class InspectHead(msgspec.Struct):
    """What is read of a log in JSON, and of the header of one in a zip archive."""

    eval: _Eval
    status: str = "success"
    invalidated: bool = False
    results: Any = None
    samples: list[InspectSample] | None = None

    def scorers(self) -> list[str]:
        """The scorers of all samples, as they are called there; none if not said."""
        results = self.results if isinstance(self.results, dict) else {}
        listed = results.get("scores") or self.eval.scorers or ()
        held = [one for one in listed if isinstance(one, dict)]
        # Of a score with several values each has a result, called by the value.
        names = [str(one.get("scorer") or one.get("name")) for one in held]
        return list(dict.fromkeys(name.rpartition("/")[2] for name in names))


def read_inspect(
    stream: Stream, *, brief: bool, peek: bool
) -> tuple[InspectHead, Iterable[InspectSample]]:
    """The header of a log, and its samples one by one.

    Parameters
    ----------
    stream : Stream
        The file: a zip archive, or an object of JSON.
    brief : bool
        Whether summaries do for samples that are right.
    peek : bool
        Whether of these the first reply is read, too.

    Raises
    ------
    InputError
        If it is no log of Inspect.
    """
    if not stream.head.startswith(ZIP):
        log: InspectHead = json_value(stream.name, stream.whole(), InspectHead)
        return log, log.samples or ()
    archive = Archive(stream)
    names = archive.names()
    head = next((n for n in ("header.json", "_journal/start.json") if n in names), "")
    if not head:
        need, got = "hold a header.json", "none"
        raise InputError(stream.name, "an Inspect log", need, got)
    log = json_value(f"{stream.name}: {head}", archive.read(head), InspectHead)
    if head != "header.json":
        log.status = "started"
    samples = [name for name in names if _SAMPLE.fullmatch(name)]
    # Summaries do not say which samples were declared invalid.
    if brief and _SUMMARIES in names and not log.invalidated:
        place = f"{archive.name}: {_SUMMARIES}"
        summaries: list[_SampleSummary] = json_value(
            place, archive.read(_SUMMARIES), list[_SampleSummary]
        )
        if len(summaries) == len(samples):
            return log, _summarised(archive, summaries, set(samples), peek=peek)
    return log, _samples(archive, samples)


def _summarised(
    archive: Archive, listed: list[_SampleSummary], known: set[str], *, peek: bool
) -> Iterator[InspectSample]:
    """The samples in brief; those whose kind is not told by that, whole.

    The first reply is looked at if asked to, for what summaries do not have.
    """
    for summary in listed:
        name = f"samples/{summary.id}_epoch_{summary.epoch}"
        wholes = [n for n in (f"{name}.json", f"{name}/sample.json") if n in known][:1]
        is_silent = any(map(_is_silent, (summary.scores or {}).values()))
        sample = summary.as_sample()
        for one in wholes if is_silent or (peek and summary.error is None) else ():
            place = f"{archive.name}: {one}"
            whole: InspectSample = json_value(place, archive.read(one), InspectSample)
            sample.whole_output, peek = whole.output, False
            sample = whole if is_silent else sample
        yield sample


def _is_silent(score: Any) -> bool:
    """Whether a score leaves open if there was an answer, or why there was none.

    That is so of all that may be wrong; which numbers are is for a threshold to say.
    """
    value = score.get("value") if isinstance(score, dict) else score
    if value == "N":
        return not (isinstance(score, dict) and score.get("reason"))
    return value is not True and not (isinstance(value, str) and GRADES.get(value))


def _samples(archive: Archive, names: list[str]) -> Iterator[InspectSample]:
    """The samples of an archive one by one; no name of one is a path here."""
    for name in names:
        place = f"{archive.name}: {name}"
        sample: InspectSample = json_value(place, archive.read(name), InspectSample)
        yield sample
