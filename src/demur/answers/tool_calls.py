"""Calls of tools: the same names, and arguments of the values that are accepted."""

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar, Final, NamedTuple

from demur.answers.answer_parts import AnswerPart, paired_rows
from demur.answers.calls_apart import calls_apart
from demur.answers.comparators import BOTH_EMPTY, EQUAL, Match
from demur.answers.json_values import BadJson, GivenTwice, typed_key, unpacked
from demur.answers.normalisations import normalisation
from demur.answers.reply_forms import has_calls, last_fence, said_message, spoken
from demur.calls import call_text
from demur.errors import shown
from demur.outcomes.reasons import BAD_REFERENCE
from demur.outcomes.thoughts import saying
from demur.outcomes.values import json_or_text

_MOST_CALLS: Final = 100
_LONGEST: Final = 20_000
"""Characters of calls written as Python; longer ones are not parsed."""

_NAME: Final = r"tool_?calls?|function_?calls?"
_TAGGED: Final = re.compile(
    rf"<\|?(?:{_NAME})\|?>(.*?)(?:<(?:/|\|/?)(?:{_NAME})\|?>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_OPENED: Final = re.compile(
    r"<(?:(?:function|parameter)=|(?:invoke|parameter) name=\"?)([\w.-]+)\"?>"
)
_SEP: Final = "<[|\uff5c]tool\u2581sep[|\uff5c]>"
_ARGUMENTS: Final = r"(?P<arguments>.*?)"
_TEMPLATES: Final = [
    re.compile(pattern.replace("NAME", r"(?P<name>[\w.-]+)"), re.DOTALL)
    for pattern in (
        # gpt-oss
        rf"\bto=NAME[^{{}}]{{0,80}}?<\|message\|>{_ARGUMENTS}"
        r"(?:<\|(?:call|end|start|channel)\|>|\Z)",
        # Mistral
        rf"\[TOOL_CALLS\]\s*NAME(?:\[CALL_ID\]\w+)?\[ARGS\]{_ARGUMENTS}"
        r"(?:(?=\[TOOL_CALLS\])|</s>|\Z)",
        # Kimi
        rf"<\|tool_call_begin\|>\s*NAME(?::\d+)?\s*<\|tool_call_argument_begin\|>"
        rf"{_ARGUMENTS}(?:<\|tool_call_end\|>|\Z)",
        # DeepSeek
        rf"<[|\uff5c]tool\u2581call\u2581begin[|\uff5c]>"
        rf"(?:function{_SEP}(?=[\w.-]+\s*```))?NAME\s*(?:{_SEP}|```json){_ARGUMENTS}"
        rf"(?:```\s*)?(?:<[|\uff5c]tool\u2581call\u2581end[|\uff5c]>|\Z)",
    )
]
"""Calls as chat templates of models write them: a name, and an object in JSON."""

_KEYED: Final = re.compile(
    r"\A\s*([\w.-]*)\s*<arg_key>([^<]*)</arg_key>\s*<arg_value>(.*)", re.DOTALL
)
"""An argument as GLM writes it, the first behind the name of its tool."""
_SIGNS: Final = re.compile(
    r"\A\s*(?:\[TOOL_CALLS\]|<\|python_tag\|>|functools(?=\[))|(?:<\|[a-z_]+\|>|</s>)\s*\Z"
)
"""Calls as chat templates mark them; and signs before and behind a call."""

_ENDED: Final = re.compile(r"\)\]?\s*(?:#[^\n]*)?\Z")
"""The end of a call in Python, also with a remark behind it."""

_JSON_VALUES: Final = {"true": True, "false": False, "null": None}
_OF_A_CALL: Final = frozenset(
    ("name", "function", "type", "id", "call_id", "tool_call_id", "index", "status")
)
"""What a call may have that names no arguments."""

_PREFIX: Final = re.compile(r"\A(?:functions|default_api)\.(?=.)")
"""What chat templates put before the names of all tools."""

_HOLDING: Final = (
    *(("tool_calls", list), ("function_call", Mapping), ("functionCall", Mapping)),
    *(("output", list), ("candidates", list), ("content", list)),
    ("parts", list),
)
"""Where objects of services have their calls."""

_BESIDE: Final = ("reasoning", "message", "text", "thinking", "redacted_thinking")
_SAID: Final = frozenset(("text", "thought", "thoughtSignature", "thought_signature"))
"""What a part of Gemini's has that calls nothing."""

LEFT_OUT: Final = ""
"""Among accepted values: the argument may be left out."""

BFCL: Final = "bfcl"
_BFCL_SIGNS: Final = re.compile(
    r"[ ,/_*^]|-(?!\.?\d)|(?<=[\w)])-|\.(?!\d)|(?<=[^\W\d_])\."
)
"""Signs that do not count; a minus and a point that belong to a number do."""


def bfcl_text(text: str) -> str:
    """A text as the Berkeley Function-Calling Leaderboard compares it, but for numbers.

    Examples
    --------
    >>> bfcl_text("New York, NY"), bfcl_text("2026-05-01"), bfcl_text("-1.5")
    ('newyorkny', '20260501', '-1.5')
    """
    return _BFCL_SIGNS.sub("", text).lower().replace("'", '"')


class Call(NamedTuple):
    """One call.

    Parameters
    ----------
    name : str
        Of the tool.
    arguments : mapping
        Values by name; of what is accepted lists of values, if ``several``.
    several : bool
        Whether each argument is a list of accepted values.
    """

    name: str
    arguments: Mapping[str, Any]
    several: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class ToolCall:
    """The comparator that `tool_call` makes.

    Parameters
    ----------
    normalise : str
        ``bfcl``, or normalisations of texts.
    """

    version: ClassVar[str] = "tool_call/2"
    normalise: str = BFCL

    def __str__(self) -> str:
        usual = self.normalise == BFCL
        return call_text("tool_call", {} if usual else {"normalise": self.normalise})

    __repr__ = __str__

    @property
    def drops_signs(self) -> bool:
        """Whether texts are compared without blanks and signs."""
        return self.normalise == BFCL

    def read(self, value: Any) -> tuple[Call, ...] | str:
        """The calls of a value; or why it holds none."""
        try:
            calls = _calls(value)
        except GivenTwice:
            return "gives an argument twice"
        except (BadJson, RecursionError):
            calls = None
        if calls is None or len(calls) > _MOST_CALLS:
            return "no tool call"
        return tuple(call._replace(name=_PREFIX.sub("", call.name)) for call in calls)

    def compare(
        self, response: Sequence[Call] | str, reference: Sequence[Call] | str
    ) -> Match:
        """Calls match if each is one of those asked for, in any order."""
        if isinstance(reference, str):
            return Match(None, "the reference is no tool call", BAD_REFERENCE)
        if isinstance(response, str):
            return Match(0.0, response, "not_an_answer")
        if len(response) != len(reference):
            reason = f"{len(response)} calls instead of {len(reference)}"
            return Match(0.0, reason, "differs")
        if not reference:
            return BOTH_EMPTY
        faults = self._faults(response, reference)
        pairs = paired_rows([[not fault for fault in row] for row in faults])
        if None not in pairs:
            return EQUAL
        lacking = pairs.index(None)
        name = reference[lacking].name
        of_name = [call.name == name for call in response]
        nearest = of_name.index(True) if any(of_name) else 0
        return Match(0.0, faults[lacking][nearest], "differs")

    def _faults(
        self, response: Sequence[Call], reference: Sequence[Call]
    ) -> list[list[str]]:
        """What is wrong with each call as each of those asked for."""
        texts: Callable[[str], str] = bfcl_text
        if self.normalise != BFCL:
            texts = normalisation("tool_call", self.normalise)
        return [
            [_fault(call, asked, texts) for call in response] for asked in reference
        ]

    # -- parts: see `demur.answers.answer_parts.Separable` --------------------------

    of_parts: ClassVar[str] = "tool"

    def taken_apart(
        self, *, response: Any, reference: Sequence[Call]
    ) -> list[AnswerPart] | None:
        """Each call, as one that was asked for or not, and those that are lacking."""
        calls = () if response is None else self.read(response)
        if isinstance(calls, str):
            return None
        return calls_apart(calls, reference, self._faults(calls, reference))

    def n_elements(self, response: Any) -> int:
        """How many calls there are."""
        calls = self.read(response)
        return 0 if isinstance(calls, str) else len(calls)

    def part_name(self, text: str) -> str:
        """The name of a tool, without what templates put before it."""
        return _PREFIX.sub("", text)


# -- reading -------------------------------------------------------------------------


def _calls(value: Any) -> list[Call] | None:
    if isinstance(value, str):
        value = saying(value).within(value)
    message = said_message(value)
    if message is not None:
        if has_calls(message):
            return _untagged_calls(message)
        calls = _calls(spoken(value))
        return [] if calls is None and message.get("tool_calls") == [] else calls
    if not isinstance(value, str):
        return _untagged_calls(value)
    for template in _TEMPLATES:
        written = list(islice(template.finditer(value), _MOST_CALLS + 1))
        if written:
            return _joined_calls(
                _with_object(call["name"], call["arguments"]) for call in written
            )
    tagged = _TAGGED.findall(value)
    if tagged:
        return _joined_calls(map(_untagged_calls, tagged[:_MOST_CALLS]))
    return _untagged_calls(value)


def _untagged_calls(value: Any) -> list[Call] | None:
    if isinstance(value, str):
        value = _SIGNS.sub("", value).strip()
        for closing in ("</function>", "</invoke>"):
            functions = _named_parts(value, closing)
            if functions:
                return _joined_calls(_tagged_call(*one[1:]) for one in functions)
        if "</arg_value>" in value:
            return _keyed_call(value)
        fenced = last_fence(value, unclosed=True)
        value = value if fenced is None else fenced
        try:
            value = unpacked(value)
        except GivenTwice:
            raise
        except BadJson:
            return _lines(value)
        if isinstance(value, str):
            return _lines(value)
    value = _held(value)
    listed = value if isinstance(value, (list, tuple)) else [value]
    listed = [one for one in listed if not _is_beside(one)] or listed
    calls = [_call(_held(one)) for one in listed]
    return None if None in calls else calls  # type: ignore[return-value]


def _held(value: Any) -> Any:
    """Where an object of a service has its calls; any other value as it stands."""
    while isinstance(value, Mapping):
        held = (name for name, kind in _HOLDING if isinstance(value.get(name), kind))
        name = next(held, None)
        if name is None:
            break
        value = value[name]
        if name == "candidates":
            [first, *_] = value or [None]
            value = first.get("content") if isinstance(first, Mapping) else None
    return value


def _is_beside(part: Any) -> bool:
    """Whether a part of a reply is what a model thought or said beside its calls."""
    if not isinstance(part, Mapping):
        return False
    return part.get("type") in _BESIDE or {"text"} <= part.keys() <= _SAID


def _joined_calls(several: Iterable[list[Call] | None]) -> list[Call] | None:
    """All calls of several parts; None if one part holds anything else."""
    parts = list(several)
    return None if None in parts else [*chain(*parts)]  # type: ignore[arg-type]


def _named_parts(text: str, closing: str) -> list[tuple[str, str, str]]:
    """What stands before each tag that is closed, its name, and what is within it."""
    parts = []
    for part in text.split(closing, _MOST_CALLS)[:-1]:
        opened = _OPENED.search(part)
        if opened is not None:
            parts.append((part[: opened.start()], opened[1], part[opened.end() :]))
    return parts


def _tagged_call(name: str, inner: str) -> list[Call] | None:
    """The call in ``<function=NAME>``: an object, or parameters in tags."""
    closing = "</parameter>"
    parameters = _named_parts(inner, closing)
    if parameters:
        between = [before for before, _, _ in parameters]
        between.append(inner.rpartition(closing)[2])
        if any(map(str.strip, between)):
            return None
        values = {key: json_or_text(it.strip()) for _, key, it in parameters}
        if len(values) < len(parameters):
            raise GivenTwice
        return [Call(name, values)]
    return _with_object(name, inner)


def _with_object(name: str, inner: str) -> list[Call] | None:
    """The call of a tool whose arguments are an object in JSON, or nothing."""
    arguments: Any = unpacked(inner.strip()) if inner.strip() else {}
    return [Call(name, arguments)] if _is_named(arguments) else None


def _keyed_call(text: str) -> list[Call] | None:
    """The call of a name, and of arguments that are JSON or texts, as GLM writes it."""
    *parts, rest = text.split("</arg_value>", _MOST_CALLS)
    keyed = [argument for part in parts for argument in _KEYED.findall(part)]
    names = [name for name, _, _ in keyed]
    if len(keyed) < len(parts) or rest.strip() or not names[0] or any(names[1:]):
        return None
    values = {key.strip(): json_or_text(value.strip()) for _, key, value in keyed}
    if len(values) < len(keyed):
        raise GivenTwice
    return [Call(names[0], values)]


def _lines(text: str) -> list[Call] | None:
    """Calls as Python writes them; or as objects, each on its own line."""
    lines = text.splitlines()
    if 1 < len(lines) <= _MOST_CALLS and all(line[:1] == "{" for line in lines):
        return _joined_calls(map(_untagged_calls, lines))
    return _written_calls(text)


def _call(value: Any) -> Call | None:
    """One call, in the form of an API, or as an object of its name and arguments."""
    if not isinstance(value, Mapping):
        return None
    inner = value.get("function")
    if isinstance(inner, str) and "name" not in value:
        value = {"name": inner, **value}
    if isinstance(inner, Mapping) and isinstance(inner.get("name"), str):
        value = inner
    if isinstance(value.get("name"), str):
        keys = ("arguments", "parameters", "args", "input")
        if not any(key in value for key in keys) and value.keys() - _OF_A_CALL:
            return None  # its arguments stand beside its name
        arguments: Any = next((value[key] for key in keys if key in value), {})
        arguments = unpacked(arguments) if arguments != "" else {}
        return Call(value["name"], arguments) if _is_named(arguments) else None
    if len(value) != 1:
        return None
    ((name, values),) = value.items()
    return Call(str(name), values, several=True) if _is_named(values) else None


def _is_named(arguments: Any) -> bool:
    return isinstance(arguments, Mapping)


def _written_calls(text: str) -> list[Call] | None:
    """Calls as Python writes them: one, or several in a list."""
    text = text.strip()
    if not _ENDED.search(text) or len(text) > _LONGEST:
        return None
    lines = [line for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if line.lstrip()[0] != "#"]
    try:
        module = ast.parse(_joined(lines).strip(), mode="eval")
        body = _JsonNames().visit(module).body
        nodes = body.elts if isinstance(body, (ast.List, ast.Tuple)) else [body]
        return [_written_call(node) for node in nodes]
    except GivenTwice:
        raise
    except (SyntaxError, ValueError, TypeError, MemoryError):
        return None


class _JsonNames(ast.NodeTransformer):
    """Puts values in the place of the names that JSON has for them."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The value of a name."""
        known = node.id in _JSON_VALUES
        return ast.Constant(_JSON_VALUES[node.id]) if known else node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """An object, with its parts; an error if it gives a name twice."""
        names = [key.value for key in node.keys if isinstance(key, ast.Constant)]
        if len(set(names)) < len(names):
            raise GivenTwice
        return self.generic_visit(node)


def _joined(lines: list[str]) -> str:
    """Lines as one expression: a list of calls, if each ends one."""
    if len(lines) > 1 and all(map(_ENDED.search, lines)):
        inner = "\n,".join(lines)
        return f"[{inner}\n]"
    return "\n".join(lines)


def _written_call(node: ast.AST) -> Call:
    """A call with named arguments of plain values; else `ValueError`."""
    if not isinstance(node, ast.Call):
        raise ValueError
    name = ast.unparse(node.func)
    if name == "print" and len(node.args) == 1 and not node.keywords:
        return _written_call(node.args[0])
    if node.args or any(keyword.arg is None for keyword in node.keywords):
        raise ValueError
    arguments = {
        str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords
    }
    if len(arguments) < len(node.keywords):
        raise GivenTwice
    return Call(name, arguments)


# -- comparing -----------------------------------------------------------------------


def _fault(call: Call, asked: Call, texts: Callable[[str], str]) -> str:
    """What is wrong with a call; empty if it is what was asked for."""
    if call.name != asked.name:
        return f"calls {shown(call.name)} instead of {shown(asked.name)}"
    accepted = _accepted(asked)
    given = call.arguments
    for name in given:
        if name not in accepted:
            return f"with the argument {shown(name)}"
    for name, values in accepted.items():
        if name not in given:
            if not any(_is_left_out(value) for value in values):
                return f"without the argument {shown(name)}"
        elif not _fits(given[name], values, texts, nested=asked.several):
            return f"the argument {shown(name)} is {shown(given[name])}"
    return ""


def _accepted(asked: Call) -> dict[str, list[Any]]:
    """The values that each argument may have."""
    if not asked.several:
        return {name: [value] for name, value in asked.arguments.items()}
    return {
        name: values if isinstance(values, list) else [values]
        for name, values in asked.arguments.items()
    }


def _is_left_out(value: Any) -> bool:
    return isinstance(value, str) and value == LEFT_OUT


def _fits(
    value: Any, accepted: Iterable[Any], texts: Callable[[str], str], *, nested: bool
) -> bool:
    """Whether a value is an accepted one.

    Objects of an argument, also those in its list, have lists of accepted values
    themselves if ``nested``.
    """
    for one in accepted:
        if nested and isinstance(one, Mapping) and isinstance(value, Mapping):
            if _fits_object(value, one, texts):
                return True
        elif nested and _are_objects(one) and _are_objects(value):
            pairs = list(zip(value, one, strict=False))
            if len(value) == len(one) and all(
                _fits_object(*pair, texts) for pair in pairs
            ):
                return True
        elif _keeps_integers(value, one) and (
            typed_key(value, texts) == typed_key(one, texts)
        ):
            return True
    return False


def _keeps_integers(value: Any, accepted: Any) -> bool:
    """Whether no integer that is accepted was given as a real; the reverse may be."""
    if isinstance(value, (list, tuple)) and isinstance(accepted, (list, tuple)):
        return all(map(_keeps_integers, value, accepted))
    if isinstance(value, Mapping) and isinstance(accepted, Mapping):
        return all(
            _keeps_integers(value[n], accepted[n]) for n in value if n in accepted
        )
    return not (isinstance(value, float) and type(accepted) is int)


def _are_objects(value: Any) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) > 0
        and all(isinstance(part, Mapping) for part in value)
    )


def _fits_object(
    value: Mapping[str, Any], accepted: Mapping[str, Any], texts: Callable[[str], str]
) -> bool:
    for name, part in value.items():
        values = accepted.get(name)
        if not isinstance(values, list):
            values = [] if name not in accepted else [values]
        if not _fits(part, values, texts, nested=False):
            return False
    return all(
        name in value or (isinstance(values, list) and LEFT_OUT in values)
        for name, values in accepted.items()
    )


def tool_call(*, normalise: str = BFCL) -> ToolCall:
    """Equality of calls of tools: names, and arguments with their types.

    Rule (``tool_call/2``): a response is a call, or a list of calls, as an object with
    ``name`` and ``arguments`` (an object, or one in JSON), in the form of an API
    (``{"function": {"name": ..., "arguments": ...}}``), as
    ``{NAME: {ARGUMENT: VALUE}}``, or written in Python with named arguments. It may
    stand in a code fence, in ``<tool_call>`` or the like, or as ``<function=NAME>`` or
    ``<invoke name="NAME">`` with an object or with parameters in tags, which are JSON
    or texts, or as the templates of gpt-oss, Mistral, Kimi, DeepSeek and GLM have it.
    A message of OpenAI, Anthropic or Gemini with calls, or the first of a whole
    response, is those; without any it is what it says. ``functions.`` and
    ``default_api.`` before a name do not count.
    All calls that are asked for must be made, in any order, and no others. An argument
    must have the value, as by `json`: 3 is not "3", and where 3 is accepted, 3.0 is
    not; 3 is, where 3.0 is accepted, also within lists and objects. An argument that is
    given twice makes it no call. Thoughts, and what is said beside calls in the output
    of a response, are passed over.

    A reference may also be in the form of the Berkeley Function-Calling Leaderboard,
    ``{NAME: {ARGUMENT: [VALUE, ...]}}``: any of the values will do, and an empty text
    among them allows to leave the argument out. So it is in objects that are arguments.

    Parameters
    ----------
    normalise : str
        ``bfcl`` compares texts in small letters, without blanks and ``,./-_*^``, as
        that leaderboard does, but for signs and points of numbers ("-1.5" is not "15");
        a note counts what is right only so. Or normalisations as for `text`.

    Returns
    -------
    ToolCall

    Raises
    ------
    InputError
        If a name of a normalisation is unknown.

    References
    ----------
    S. Patil and others, "The Berkeley Function Calling Leaderboard" (2025): matching
    of the syntax tree. There positional arguments are left out; here they are no call.

    Examples
    --------
    >>> from demur.answers import read_all, tool_call, verdict
    >>> def judged(response, reference, **options):
    ...     same = tool_call(**options)
    ...     found = verdict(same, response, read_all(same, [(reference, 1)]))
    ...     return found.credit, found.reason
    >>> asked = {"weather": {"city": ["Oslo", "Kristiania"], "days": [1, ""]}}
    >>> judged('{"name": "weather", "arguments": {"city": "oslo"}}', asked)
    (1.0, 'equal')
    >>> judged('weather(city="Oslo", days="1")', asked)
    (0.0, "the argument 'days' is '1'")
    >>> judged("[weather(city='Rome')]", {"name": "weather", "arguments": {}})
    (0.0, "with the argument 'city'")
    """
    if normalise != BFCL:
        normalise = str(normalisation("tool_call", normalise))
    return ToolCall(normalise)
