"""How an input becomes the turns of a chat: templates, examples, what a system is told.

A text is a question; a list of turns is a chat so far; an object with named fields
fills a template. Anything else is refused, with its item.
"""

import hashlib
import json
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from demur import checks
from demur.errors import InputError, shown
from demur.outcomes.records import item_text
from demur.systems.adapters.chat_images import Image, image_of
from demur.systems.adapters.chat_replies import DONT_KNOW
from demur.systems.protocol import NO_ANSWER_SHOWN, Input, TurnBefore

ROLES: Final = ("system", "user", "assistant")
_WAY: Final = (
    "An input is a text, a list of turns with role and content, or an object whose "
    "fields a template names."
)
_OF_TEXTS: Final = ("question", "prompt")
"""Fields of a template that a plain text fills."""

_LETTERS: Final = string.ascii_uppercase

Part = str | Image


class Turn(NamedTuple):
    """One turn of a chat.

    Parameters
    ----------
    role : str
        ROLES.
    content : tuple of str or Image
    """

    role: str
    content: tuple[Part, ...]

    @property
    def text(self) -> str:
        """Its texts; images are left out."""
        return "".join(part for part in self.content if isinstance(part, str))


class Prompt:
    """What a model is asked, and how.

    Parameters
    ----------
    instructions : str
        What to do and the form of the reply; before the first question.
    system_role : str, optional
        What stands before all turns, in the role of the system.
    template : str, optional
        A text with fields such as ``{question}``, ``{choices}`` and ``{context}``, in
        place of the question. A doubled brace is a brace. A field may be an image.
    examples : iterable of mapping
        Each with ``input`` and ``response``: turns before the question. Null is a
        response that declines; ``reasoning`` stands before the answer, if there is any.
    states_confidence : bool
        Whether replies have a line with the confidence; examples need one then.

    Raises
    ------
    InputError
        If a template or an example is not what it must be.
    """

    def __init__(
        self,
        instructions: str,
        *,
        system_role: str | None = None,
        template: str | None = None,
        examples: Iterable[Mapping[str, Any]] = (),
        states_confidence: bool = False,
    ) -> None:
        self.instructions = instructions
        self._states_confidence = states_confidence
        open_with = (system_role or "").strip()
        self._template = None if template is None else template.strip()
        self._fields = _fields(self._template)
        self._known: set[str] = set()
        self._examples: list[Turn] = []
        for number, example in enumerate(examples, 1):
            where = f"example {number}"
            turns = self._asked(_field(example, "input", where), where)
            if turns[0].role == "system":
                need, hint = "have no turn of the system", "Use system_role for all."
                raise InputError("as_system", where, need, turns[0].text, hint)
            self._known.add(_as_json(example["input"]))
            reply = _replied(example, where, states_confidence)
            self._examples += [*turns, Turn("assistant", (reply,))]
        self._open = [Turn("system", (open_with,))] if open_with else []

    @property
    def digest(self) -> str:
        """What stands in the signature for all that is told to the model."""
        parts = [self.instructions]
        if self._open or self._template or self._examples:
            parts += [repr(self._template), repr([*self._open, *self._examples])]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]

    def turns(self, question: Input) -> list[Turn]:
        """The turns of the request for an input.

        Raises
        ------
        InputError
            If there is no way to ask it, with its item.
        """
        where, turns = _where(question), self.own_turns(question)
        if self._open and turns[0].role == "system":
            need = "have no turn of the system where there is one for all"
            raise InputError(where, "the input", need, shown(turns[0].text))
        # What the system is told comes first, also before examples.
        ahead = turns[:1] if turns[0].role == "system" else []
        asked = [*self._examples, *turns[len(ahead) :]]
        first = 0 if self._examples else len(asked) - 1
        while asked[first].role != "user":  # an example may begin otherwise
            first += 1
        if self.instructions:
            asked[first] = _begun(f"{self.instructions}\n\n", asked[first])
        return [*self._open, *ahead, *asked]

    def own_turns(self, question: Input) -> list[Turn]:
        """The turns of an input and those before it, without instructions and examples.

        Raises
        ------
        InputError
            If there is no way to ask it, with its item.
        """
        turns = self._asked(question.input, _where(question))
        if not question.context:
            return turns
        ahead = turns[:1] if turns[0].role == "system" else []
        history = [turn for before in question.context for turn in self._said(before)]
        return [*ahead, *history, *turns[len(ahead) :]]

    def _said(self, before: TurnBefore) -> Iterator[Turn]:
        """A turn that was before: what was asked, and the reply in the same form."""
        for turn in self._asked(before.input, _where(Input(*before[:2]))):
            if turn.role != "system":
                yield turn
        reply = NO_ANSWER_SHOWN
        if before.state in ("answered", "no guess"):
            response = before.response
            plain = response is None or _is_text(response)
            answer = DONT_KNOW if response is None else response
            reply = f"Answer: {answer if plain else _as_json(response)}"
        sure = before.confidence
        if self._states_confidence and sure is not None and 0 <= sure <= 1:
            reply = f"{reply}\nConfidence: {100 * sure:.0f} %"
        yield Turn("assistant", (reply,))

    def turns_then(self, question: Input, text: str) -> list[Turn]:
        """The turns of an input alone, with a text at their end."""
        *turns, last = self.own_turns(question)
        return [*self._open, *turns, last._replace(content=(*last.content, text))]

    def check(self, inputs: Sequence[Input], look: Callable[[str, str], None]) -> None:
        """Refuse what cannot be asked, before anything is.

        ``look`` gets the text of each last turn, and its item, and may refuse it, too.

        Raises
        ------
        InputError
            With the item.
        """
        for question in inputs:
            look(self.turns(question)[-1].text, _where(question))
            if _as_json(question.input) in self._known:
                where = _where(question)
                need = "not stand among the examples, which hold its answer"
                hint = "Leave the example out, or the item."
                got = shown(question.input)
                raise InputError(where, "the input", need, got, hint)

    def _asked(self, value: Any, where: str) -> list[Turn]:
        """The turns of an input, without what stands before them."""
        if isinstance(value, str) and not value.strip():
            need, hint = "be a question", "Leave the item out, or write one."
            raise InputError(where, "the input", need, shown(value), hint)
        if isinstance(value, Mapping) or (self._template and _is_text(value)):
            return [Turn("user", self._filled(value, where))]
        if _is_text(value):
            return [Turn("user", (f"Question: {value}",))]
        if not isinstance(value, (list, tuple)) or not value:
            raise InputError(where, "the input", "be a question", shown(value), _WAY)
        if all(isinstance(part, Mapping) and "role" in part for part in value):
            turns = [_turn(record, where) for record in value]
            _check_order(turns, where)
        else:
            turns = [Turn("user", _content(value, where))]
        return [*turns[:-1], _begun("Question: ", turns[-1])]

    def _filled(self, value: Any, where: str) -> tuple[Part, ...]:
        """The template with the fields of an input; images part its text."""
        if self._template is None:
            need = "have a template for its fields"
            got = f"an object with {', '.join(map(str, value)) or 'none'}"
            hint = "Write one, with {question} for the field question: --template FILE."
            raise InputError(where, "the input", need, got, hint)
        alone = dict.fromkeys(_OF_TEXTS, value)
        fields = value if isinstance(value, Mapping) else alone
        filled: dict[str, tuple[Part, ...]] = {}
        for name in self._fields:
            if fields.get(name) is None:
                got = ", ".join(map(str, fields)) or "no fields"
                need = f"have the field {name} of the template"
                raise InputError(where, "the input", need, got)
            filled[name] = _field_parts(name, fields[name], where)
        parts: list[Part] = []
        for text, field, _, _ in string.Formatter().parse(self._template):
            parts += [text, *(() if field is None else filled[field])]
        return _joined(parts)


# -- parts -----------------------------------------------------------------------------


def _where(question: Input) -> str:
    return f"item {shown(item_text(question.item, 'input'))}"


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _as_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _fields(template: str | None) -> list[str]:
    """The names that a template holds, each once."""
    if template is None:
        return []
    hint = "{name} is a field, {{ is a brace."
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError as problem:
        need = "have closed braces"
        raise InputError("the template", "it", need, str(problem), hint) from None
    names = [(name, form, how) for _, name, form, how in parsed if name is not None]
    for name, form, how in names:
        if not name.isidentifier() or form or how:
            need = "have simple names as fields"
            raise InputError("the template", "it", need, f"{{{name}}}", hint)
    if not names:
        need = "hold a field such as {question}"
        raise InputError("the template", "it", need, shown(template), hint)
    return list(dict.fromkeys(name for name, _, _ in names))


def _field_parts(name: str, value: Any, where: str) -> tuple[Part, ...]:
    """A field as text, or as the parts of content that it is: texts and images."""
    parts = [value] if isinstance(value, Mapping) else value
    if isinstance(parts, (list, tuple)) and any(isinstance(p, Mapping) for p in parts):
        return _content(parts, f"{where}: the field {name}")
    return (_field_text(name, value, where),)


def _joined(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Parts of which no two texts stand side by side."""
    joined: list[Part] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part:
            joined.append(part)
    return tuple(joined) or ("",)


def _field_text(name: str, value: Any, where: str) -> str:
    """A field as text; a list has one line for each, and choices have letters."""
    if _is_text(value):
        return str(value)
    listed = isinstance(value, (list, tuple)) and bool(value)
    if not listed or not all(map(_is_text, value)):
        need = "be a text, a list of texts or an image"
        raise InputError(where, f"the field {name}", need, shown(value))
    if name != "choices":
        return "\n".join(map(str, value))
    marks: Iterator[Any] = iter(_LETTERS if len(value) <= len(_LETTERS) else count(1))
    return "\n".join(f"{next(marks)}. {choice}" for choice in value)


def _turn(record: Mapping[str, Any], where: str) -> Turn:
    role, content = record["role"], record.get("content")
    if role == "developer":  # as some endpoints call it
        role = "system"
    checks.choice(where, "the role of a turn", role, ROLES)
    if isinstance(content, str):
        return Turn(role, (content,))
    if not isinstance(content, (list, tuple)) or not content:
        need = "have a text or parts as content"
        raise InputError(where, "a turn", need, shown(content))
    return Turn(role, _content(content, where))


def _content(parts: Sequence[Any], where: str) -> tuple[Part, ...]:
    return tuple(_part(part, where) for part in parts)


def _part(part: Any, where: str) -> Part:
    if isinstance(part, Mapping):
        kind = part.get("type")
        if kind == "text" and isinstance(part.get("text"), str):
            text: str = part["text"]
            return text
        if kind in ("image", "image_url"):
            return image_of(dict(part), where)
    need = "have parts such as {'type': 'text', 'text': ...} or of type image"
    raise InputError(where, "the input", need, shown(part), _WAY)


def _check_order(turns: Sequence[Turn], where: str) -> None:
    roles = [turn.role for turn in turns]
    if roles[-1] != "user":
        need = "end with a turn of the user"
        raise InputError(where, "the input", need, f"one of {roles[-1]}")
    if "system" in roles[1:]:
        need = "have a turn of the system only at its beginning"
        raise InputError(where, "the input", need, shown(roles))


def _begun(text: str, turn: Turn) -> Turn:
    """A turn with a text before its own."""
    first, *others = turn.content
    if isinstance(first, str):
        return turn._replace(content=(text + first, *others))
    return turn._replace(content=(text.rstrip(" "), *turn.content))


def _field(example: Any, name: str, where: str) -> Any:
    if not isinstance(example, Mapping) or name not in example:
        got = shown(example)
        raise InputError("as_system", where, "have input and response", got)
    return example[name]


def _replied(example: Mapping[str, Any], where: str, states_confidence: bool) -> str:  # noqa: FBT001
    """The reply of an example, in the form that is asked for."""
    response, reasoning = _field(example, "response", where), example.get("reasoning")
    ahead = f"{reasoning.strip()}\n\n" if isinstance(reasoning, str) else ""
    if response is None:
        return f"{ahead}Answer: {DONT_KNOW}"
    if not _is_text(response):
        need = "be a text, or null for none"
        raise InputError(where, "the response", need, shown(response))
    reply = f"{ahead}Answer: {response}"
    if not states_confidence:
        return reply
    sure = example.get("confidence")
    if (
        isinstance(sure, bool)
        or not isinstance(sure, (int, float))
        or not 0 <= sure <= 1
    ):
        need = "be from 0 to 1, since replies state one"
        hint = "Another --confidence, such as mean-logprob, needs none in examples."
        raise InputError(where, "the confidence", need, shown(sure), hint)
    return f"{reply}\nConfidence: {100 * sure:.0f} %"
