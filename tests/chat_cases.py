"""What tests of chat endpoints share: replies in each shape, an image, a system."""

import base64

import demur

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)
DATA = "data:image/png;base64," + base64.b64encode(PNG).decode()
SHAPES = ("chat/completions", "responses", "messages")


def completion(content, **more):
    """A chat completion."""
    message = {"role": "assistant", "content": content}
    return {"choices": [{"message": message, "finish_reason": "stop"}], **more}


def response(text, status="completed", **more):
    """An object of the Responses API, whose thoughts stand apart."""
    part = {"type": "output_text", "text": text, "annotations": []}
    thoughts = {"type": "reasoning", "id": "r1", "summary": []}
    message = {"type": "message", "role": "assistant", "content": [part]}
    output = [thoughts, message]
    return {"object": "response", "status": status, "output": output, **more}


def message(text, reason="end_turn", **more):
    """A message of Anthropic, whose thoughts are another answer."""
    blocks = [
        {"type": "thinking", "thinking": "Answer: Bergen", "signature": "x"},
        {"type": "text", "text": text},
    ]
    shared = {"type": "message", "role": "assistant", "stop_reason": reason}
    return {**shared, "content": blocks, **more}


REPLIES = dict(zip(SHAPES, (completion, response, message), strict=True))


def chat(url, shape="", **options):
    """The system of a local server, in a shape."""
    path = f"/v1/{shape}".rstrip("/")
    return demur.as_system(f"chat:m@{url.partition('/ask')[0]}{path}", **options)
