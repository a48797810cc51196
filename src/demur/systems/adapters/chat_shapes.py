"""What is posted to a chat endpoint, in the three shapes that endpoints speak."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlunsplit

from demur.systems.adapters.address_parts import address_parts
from demur.systems.adapters.chat_images import Image
from demur.systems.adapters.chat_prompts import Turn

Turns = Sequence[Turn]
Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ChatShape:
    """A shape of requests.

    Parameters
    ----------
    path : str
        What its addresses end in.
    asked : callable
        From turns to the members of the request that hold them.
    fixed : mapping
        Members that each request has, unless the user sets them.
    for_tokens : mapping
        Members that ask for log-probabilities; empty if the shape has none.
    reserved : tuple of str
        Members that users may not set.
    headers : callable
        From a key, or an empty text, to the headers of each request.
    """

    path: str
    asked: Callable[[Turns], Json]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    for_tokens: Mapping[str, Any] = field(default_factory=dict)
    reserved: tuple[str, ...]
    headers: Callable[[str], dict[str, str]]


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _anthropic(key: str) -> dict[str, str]:
    version = {"anthropic-version": "2023-06-01"}
    return {**version, "x-api-key": key} if key else version


def _content(
    turn: Turn, text: Callable[[str], Json], image: Callable[..., Json]
) -> Any:
    """The content of a turn: a text, or a list where there are images."""
    if not any(isinstance(part, Image) for part in turn.content):
        return turn.text
    return [
        image(part) if isinstance(part, Image) else text(part) for part in turn.content
    ]


def _typed_text(text: str) -> Json:
    return {"type": "text", "text": text}


def _messages(turns: Turns) -> Json:
    def image(part: Image) -> Json:
        return {"type": "image_url", "image_url": {"url": part.url}}

    messages = [
        {"role": turn.role, "content": _content(turn, _typed_text, image)}
        for turn in turns
    ]
    return {"messages": messages}


def _input(turns: Turns) -> Json:
    def text(part: str) -> Json:
        return {"type": "input_text", "text": part}

    def image(part: Image) -> Json:
        return {"type": "input_image", "image_url": part.url}

    return {
        "input": [
            {"role": turn.role, "content": _content(turn, text, image)}
            for turn in turns
        ]
    }


def _system_and_messages(turns: Turns) -> Json:
    def image(part: Image) -> Json:
        source = {"type": "base64", "media_type": part.kind, "data": part.data}
        return {"type": "image", "source": source}

    system = "\n\n".join(turn.text for turn in turns if turn.role == "system")
    messages = [
        {"role": turn.role, "content": _content(turn, _typed_text, image)}
        for turn in turns
        if turn.role != "system"
    ]
    return {"messages": messages, **({"system": system} if system else {})}


CHAT_SHAPES: Final = (
    ChatShape(
        path="/chat/completions",
        asked=_messages,
        for_tokens={"logprobs": True},
        reserved=("model", "messages", "logprobs", "n", "stream"),
        headers=_bearer,
    ),
    ChatShape(
        path="/responses",
        asked=_input,
        fixed={"store": False},  # what is asked is kept by nobody else
        for_tokens={"include": ["message.output_text.logprobs"]},
        reserved=("model", "input", "instructions", "include", "stream", "background"),
        headers=_bearer,
    ),
    ChatShape(
        path="/messages",
        asked=_system_and_messages,
        fixed={"max_tokens": 4096},  # it has to be given
        reserved=("model", "messages", "system", "stream"),
        headers=_anthropic,
    ),
)
"""Chat completions, the Responses API, and the messages of Anthropic.

References
----------
OpenAI API reference, "Create chat completion", "Create a model response". Anthropic API
reference, "Create a message".
"""


def shape_of(url: str) -> tuple[ChatShape, str]:
    """The shape that an address speaks, by the end of its path, and where to post.

    Examples
    --------
    >>> shape_of("http://a/v1")[1], shape_of("http://a/v1/messages")[1]
    ('http://a/v1/chat/completions', 'http://a/v1/messages')
    """
    parts = address_parts(url)
    path = parts.path.rstrip("/")
    for shape in CHAT_SHAPES:
        if path.endswith(shape.path):
            return shape, urlunsplit(parts._replace(path=path))
    usual = CHAT_SHAPES[0]
    return usual, urlunsplit(parts._replace(path=path + usual.path))
