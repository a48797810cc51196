"""A question-answer manager: speaks answers, and off-topic lines without one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from demur.errors import InputError, shown
from demur.formats.record_reading import iter_records
from demur.formats.streams import Source

State = dict[str, Any]


class QuestionAnswerManager:
    """Speaks the answer if there is one, else off-topic lines of growing strength.

    It is a stateful system (`demur.Stateful`): its input is an answer, or None if
    nothing was understood; its output a list with the one line that is said. The first
    time in a row that nothing is understood, it says a line of the first grade
    (clarify), then of the second (stall), then of the last (change the topic); an
    answer sets it back to the first. Within a grade the line is said whose last use is
    the longest ago.

    Parameters
    ----------
    lines : mapping of grade to lines
        In the order of their strength.

    Raises
    ------
    InputError
        If there is no grade, or one without lines, or a line stands twice.

    References
    ----------
    Artstein (2011), "Error return plots", section 5: systems that issue an off-topic
    response which asks for clarification, stalls, or changes the topic. That grades
    follow each other and are set back by an answer is how the characters' software in
    open source does it (USC-ICT/jerome); the choice within a grade is ours.

    Examples
    --------
    >>> import demur
    >>> lines = {"clarify": ["Pardon?"], "change": ["Ask me more."]}
    >>> manager = demur.QuestionAnswerManager(lines)
    >>> said, state = manager.step(None, None)
    >>> again, state = manager.step(state, None)
    >>> answer, state = manager.step(state, "In 1790.")
    >>> said, again, answer, manager.step(state, None)[0]
    (['Pardon?'], ['Ask me more.'], ['In 1790.'], ['Pardon?'])
    """

    def __init__(self, lines: Mapping[str, Sequence[str]]) -> None:
        self.lines = {grade: tuple(texts) for grade, texts in lines.items()}
        if not self.lines or not all(self.lines.values()):
            need = "have grades with lines"
            raise InputError("QuestionAnswerManager", "lines", need, shown(lines))
        counted = Counter(text for texts in self.lines.values() for text in texts)
        for text, count in counted.items():
            if count > 1:
                need = "hold each line once"
                raise InputError("QuestionAnswerManager", "lines", need, shown(text))
        self._texts = frozenset(counted)

    def __str__(self) -> str:
        grades = ", ".join(
            f"{grade}: {len(texts)}" for grade, texts in self.lines.items()
        )
        return f"question_answer_manager({grades})"

    __repr__ = __str__

    def start(self) -> State:
        """The state before the first turn."""
        return {"misses": 0, "used": []}

    def step(self, state: State | None, input: Any) -> tuple[list[str], State]:
        """Say one thing.

        Parameters
        ----------
        state : dict or None
            None is the beginning.
        input : str or None
            The answer; None if there is none.

        Returns
        -------
        said : list of str
            One line.
        state : dict
            A new one: how many misses in a row, and the lines in the order of last use.
        """
        before = self._checked(state)
        if input is not None and not isinstance(input, str):
            need = "be an answer, or None"
            raise InputError("QuestionAnswerManager", "the input", need, shown(input))
        if input is not None:
            return [input], {"misses": 0, "used": list(before["used"])}
        grades = list(self.lines)
        grade = grades[min(before["misses"], len(grades) - 1)]
        used = before["used"]
        # Of lines that were never used the first, since min takes the first of equals.
        line = min(self.lines[grade], key=lambda text: _last(used, text))
        return [line], self._after(before, [line])

    def observe(
        self,
        state: State | None,
        input: Any,  # noqa: ARG002
        outputs: Sequence[str] | None,
    ) -> State:
        """The state after these lines, or none, were said instead."""
        return self._after(self._checked(state), list(outputs or ()))

    def _after(self, before: State, spoken: list[str]) -> State:
        missed = [text for text in spoken if text in self._texts]
        used = [text for text in before["used"] if text not in missed] + missed
        return {"misses": before["misses"] + 1 if missed else 0, "used": used}

    def _checked(self, state: State | None) -> State:
        if state is None:
            return self.start()
        if not isinstance(state, Mapping) or set(state) != {"misses", "used"}:
            need = "have misses and used"
            raise InputError("QuestionAnswerManager", "the state", need, shown(state))
        return dict(state)


def _last(used: Sequence[str], text: str) -> int:
    """When a line was used last; -1 for never."""
    return used.index(text) if text in used else -1


def read_off_topic_lines(
    *sources: Source, speaker: str | None = None
) -> QuestionAnswerManager:
    r"""A question-answer manager with the off-topic lines of files.

    Parameters
    ----------
    *sources : path or binary file
        Records (JSON Lines or a table) with ``text`` and ``grade``, or ``type`` in its
        place. Grades follow each other as they first come in the file.
    speaker : str, optional
        Of the records with a ``speaker``, only those of this one.

    Returns
    -------
    QuestionAnswerManager

    Raises
    ------
    InputError
        With file and line, if a record lacks one, or a line stands twice in a grade or
        in two; equal lines of one grade are taken once.

    Examples
    --------
    >>> import demur
    >>> import io
    >>> file = io.BytesIO(b"grade,text\nclarify,Pardon?\nchange,Ask me more.\n")
    >>> demur.read_off_topic_lines(file).step(None, None)[0]
    ['Pardon?']
    """
    lines: dict[str, list[str]] = {}
    grade_of: dict[str, str] = {}
    for place, record in iter_records(*sources):
        if speaker is not None and record.get("speaker") != speaker:
            continue
        text = _filled(record.get("text"), "text", place)
        grade = _filled(record.get("grade", record.get("type")), "grade", place)
        known = grade_of.setdefault(text, grade)
        if known != grade:
            what, got = f"the line {shown(text)}", f"{known}, {grade}"
            raise InputError(place, what, "have one grade", got)
        texts = lines.setdefault(grade, [])
        if text not in texts:
            texts.append(text)
    if not lines:
        of = "" if speaker is None else f" of speaker {shown(speaker)}"
        raise InputError("read_off_topic_lines", "the files", f"hold lines{of}", "none")
    return QuestionAnswerManager(lines)


def _filled(value: Any, name: str, place: str) -> str:
    if not isinstance(value, str) or not value.strip():
        need, hint = f"have a field {name}", "A grade may also be called type."
        raise InputError(place, "a record", need, shown(value), hint)
    return value
