"""A model that judges: any system, asked by a rubric, each different prompt once."""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from demur import checks
from demur.answers.model_judges import model_text
from demur.errors import masked
from demur.judge_models.cases import (
    CANNOT_TELL,
    DECLINED,
    WRONG_VERDICT,
    Asking,
    JudgeCase,
    JudgeVerdict,
)
from demur.judge_models.prompts import JudgePrompt, prompts_of
from demur.judge_models.remembering import RememberedReplies
from demur.judge_models.replies import (
    ReadReply,
    failed_verdict,
    of_criteria,
    read_judge_reply,
    verdict_of,
)
from demur.judge_models.rubrics import Rubric, read_rubric
from demur.outcomes.records import Response
from demur.systems.adapters.chats import CHAT
from demur.systems.adapting import as_system
from demur.systems.journals import head_of
from demur.systems.protocol import RepeatedInput, System
from demur.systems.running import GIVE_UP, Progress, run

_PROMPT_DIGITS: Final = 24
_NOTHING: Final = "the answer says nothing"


class JudgeModel:
    """A judge that is a model: any system, and the rubric by which it judges.

    Each different prompt is asked once, and its verdict kept as long as the judge
    lives; what failed is asked again the next time.

    Parameters
    ----------
    system : System, or what `as_system` takes
        Gets the prompt as its input, and replies in words. ``MODEL@URL`` is a chat
        endpoint. A confidence that it gives with its response is that of the verdict.
    rubric : str, path or Rubric
        A name of `RUBRICS`, or a file in TOML.
    name : str
        How the judge is called; by default the system's own name, or how it is written.
    concurrency : int
        How many requests are open at a time.
    give_up : int, optional
        If so many requests fail one after another, judging ends; None never ends it.
    progress : callable, optional
        Called with the numbers of prompts that are asked and of all.
    cache : path, optional
        A file that keeps replies, so that no later judge pays for one twice. A system
        that is no chat is known there by how it prints, and by ``name``: a function
        that has changed needs another name, or another file.
    **options
        Of the adapter, as for `as_system`: of a chat ``confidence``, ``parameters``,
        ``prices``, ``key_env`` and so on.

    Raises
    ------
    InputError
        If the rubric or an option is not what it must be.

    Examples
    --------
    A function in the place of a model; it sees the whole prompt:

    >>> import demur
    >>> def reply(prompt):
    ...     said = prompt.rpartition("<<<ANSWER")[2]
    ...     return "It names it. Answer: right" if "Oslo" in said else "Answer: wrong"
    >>> judge = demur.JudgeModel(reply)
    >>> cases = [demur.JudgeCase(answer, "The capital of Norway?", (("Oslo", 1.0),))
    ...          for answer in ("It is Oslo.", "Bergen")]
    >>> [verdict.code for verdict in judge.verdicts(cases)]
    ['right', 'wrong']
    """

    def __init__(
        self,
        system: Any,
        rubric: str | os.PathLike[str] | Rubric = "same-answer",
        *,
        name: str = "",
        concurrency: int = 1,
        give_up: int | None = GIVE_UP,
        progress: Progress | None = None,
        cache: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        self.rubric = read_rubric(rubric)
        named = rubric.name if isinstance(rubric, Rubric) else os.fspath(rubric)
        self._typed: str = named
        checks.whole("judge", "concurrency", concurrency, 1)
        if give_up is not None:
            checks.whole("judge", "give_up", give_up, 1)
        checks.function("judge", "progress", progress)
        self.concurrency, self.give_up, self.progress = concurrency, give_up, progress
        self.system = _judge_system(system, cache, options)
        self.name = name or _name_of(system, self.system)
        # A chat keeps each reply by itself, also of several samples.
        is_named = _is_chat(system)
        self._replies = RememberedReplies(
            self.system, None if is_named else cache, name
        )
        self._read: dict[str, ReadReply] = {}
        self.asked = 0
        self.unread = 0

    def __str__(self) -> str:
        return model_text(self.name, self._typed)

    __repr__ = __str__

    @property
    def recipe(self) -> dict[str, str]:
        """What decides its verdicts: the system as it is asked, and the rubric."""
        return {"judge": str(self._replies), "rubric": str(self.rubric)}

    @property
    def spent(self) -> dict[str, float]:
        """What all its replies took: tokens, and with prices the cost.

        Those that were kept from before cost nothing, and are not among them.
        """
        return dict(self._replies.spent)

    @property
    def kept(self) -> int:
        """How many replies were kept from before, and cost nothing."""
        return self._replies.kept

    def verdicts(
        self, cases: Sequence[JudgeCase], asking: Asking | None = None
    ) -> list[JudgeVerdict]:
        """Verdicts, one for each case and in their order.

        Parameters
        ----------
        cases : sequence of JudgeCase
        asking : Asking, optional
            Whether the choices are turned, references left out, or all is a repeat.

        Returns
        -------
        list of JudgeVerdict
            Equal cases get the same one. What could not be had has the code
            ``failed``, and the server's reason; a reply without a verdict that can be
            read is ``cannot_tell``, and its reason quotes it.

        Raises
        ------
        RunError
            If too many requests fail one after another, or the budget is spent. What
            was answered is kept.
        """
        asking = Asking() if asking is None else asking
        checks.of_kind("verdicts", "asking", asking, Asking)
        listed = checks.all_of_kind("verdicts", "cases", cases, JudgeCase)
        decided: list[JudgeVerdict | None] = [self._unasked(case) for case in listed]
        open_ = {
            number: prompts_of(case, self.rubric, asking)
            for number, case in enumerate(listed)
            if decided[number] is None
        }
        if self.rubric.criteria:
            self._judge_criteria(open_, decided, asking)
        else:
            self._judge_tiers(open_, decided, asking)
        return [verdict for verdict in decided if verdict is not None]

    def requests(
        self, cases: Iterable[JudgeCase], asking: Asking | None = None
    ) -> set[tuple[str, int]]:
        """What would be asked at most: prompts that differ, and which sample of each.

        A reference of less weight is only shown where an answer is wrong by the others.

        Examples
        --------
        >>> import demur
        >>> judge = demur.JudgeModel(lambda prompt: "Answer: right", name="yes")
        >>> len(judge.requests([demur.JudgeCase(text) for text in ("Oslo", "?", "?")]))
        2
        """
        how = Asking() if asking is None else asking
        return {
            (prompt.text, how.repeat)
            for case in cases
            for prompt in prompts_of(case, self.rubric, how)
        }

    def _unasked(self, case: JudgeCase) -> JudgeVerdict | None:
        """The verdict of what nobody need be asked about; None of all else."""
        response = case.response
        if response is None or (isinstance(response, str) and not response.strip()):
            declines = any(c.verdict == DECLINED for c in self.rubric.choices)
            if declines or response is None:
                return JudgeVerdict(None, DECLINED, _NOTHING)
            return JudgeVerdict(0.0, WRONG_VERDICT, _NOTHING)
        if "text" in self.rubric.shows and not case.text:
            return JudgeVerdict(None, CANNOT_TELL, "there is no text to support it")
        return None

    def _judge_criteria(
        self,
        open_: Mapping[int, tuple[JudgePrompt, ...]],
        decided: list[JudgeVerdict | None],
        asking: Asking,
    ) -> None:
        """All criteria of all cases at once."""
        texts = [prompt.text for prompts in open_.values() for prompt in prompts]
        reads = self._ask(texts, asking.repeat)
        for number, prompts in open_.items():
            parts = {p.criterion: (reads[p.text], p.weight) for p in prompts}
            failed = [part for part, _ in parts.values() if isinstance(part, str)]
            known: Any = parts
            decided[number] = (
                failed_verdict(failed[0]) if failed else of_criteria(known)
            )

    def _judge_tiers(
        self,
        open_: dict[int, tuple[JudgePrompt, ...]],
        decided: list[JudgeVerdict | None],
        asking: Asking,
    ) -> None:
        """References of weight 1 first; only what is wrong by them goes on."""
        while open_:
            texts = [prompts[0].text for prompts in open_.values()]
            reads = self._ask(texts, asking.repeat)
            later: dict[int, tuple[JudgePrompt, ...]] = {}
            for number, (prompt, *weaker) in open_.items():
                read = reads[prompt.text]
                if isinstance(read, str):
                    decided[number] = failed_verdict(read)
                    continue
                decided[number] = verdict_of(read, prompt.weight)
                if read.is_wrong and weaker:
                    later[number] = tuple(weaker)
            open_ = later

    def _ask(self, texts: Iterable[str], repeat: int) -> dict[str, ReadReply | str]:
        """What the judge says to each prompt; of one that failed, why."""
        keys = {text: prompt_key(text, repeat) for text in texts}
        new = [
            RepeatedInput(key, text, repeat)
            for text, key in keys.items()
            if key not in self._read
        ]
        failed: dict[str, str] = {}
        for response in self._replies_to(new):
            key = str(response.item)
            if response.failed:
                failed[key] = response.failed
                continue
            self.asked += 1
            self._read[key] = read_judge_reply(response, self.rubric)
            self.unread += self._read[key].choice is None
        return {
            text: failed[key] if key in failed else self._read[key]
            for text, key in keys.items()
        }

    def _replies_to(self, asked: list[RepeatedInput]) -> list[Response]:
        """What the system replies; what failed is among it."""
        if not asked:
            return []
        replies = run(
            self._replies,
            asked,
            concurrency=self.concurrency,
            give_up=self.give_up,
            progress=self.progress,
        )
        return [*replies]


def prompt_key(text: str, repeat: int) -> str:
    """By which a sample of a reply is known.

    Examples
    --------
    >>> len(prompt_key("Is it right?", 0))
    24
    """
    sample = f"{repeat}\0{text}".encode("utf-8", "replace")
    return hashlib.sha256(sample).hexdigest()[:_PROMPT_DIGITS]


def _is_chat(system: Any) -> bool:
    """Whether it is written MODEL@URL."""
    is_text = isinstance(system, str)
    return is_text and any(sign in system for sign in ("@http://", "@https://"))


def _name_of(given: Any, system: System) -> str:
    """What the judge is called: as it was typed, or as the system is called."""
    if isinstance(given, str):
        return masked(given.removeprefix(CHAT))
    return str(getattr(system, "name", "")) or head_of(system, {})["system"]


def _judge_system(
    system: Any, cache: str | os.PathLike[str] | None, options: dict[str, Any]
) -> System:
    """The system that judges; a chat is sent prompts as they stand."""
    if not _is_chat(system):
        return as_system(system, **options)
    target = system if system.startswith(CHAT) else f"{CHAT}{system}"
    return as_system(target, whole_prompts=True, cache=cache, **options)
