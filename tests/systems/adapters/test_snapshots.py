"""Objects that keep a state inside: every turn can be answered again."""

import pytest

import demur
from builders import refuses


class Memory:
    """Says what was said before; changes its state in place."""

    def __init__(self):
        self.said = []

    def get_state(self):
        return self.said

    def set_state(self, said):
        self.said = said

    def process(self, text):
        self.said.append(text)
        return " ".join(self.said)

    def observe(self, text, outputs):
        self.said.append(f"{text}/{outputs}")


def test_a_turn_can_be_answered_again_from_any_state():
    memory = demur.as_stateful(Memory())
    assert isinstance(memory, demur.Stateful)
    one, first = memory.step(None, "a")
    two, second = memory.step(first, "b")
    assert (one, two) == ("a", "a b")
    assert memory.step(first, "c") == ("a c", ["a", "c"])
    assert (first, second) == (["a"], ["a", "b"])
    assert memory.observe(first, "b", "other") == ["a", "b/other"]
    assert memory.step(None, "z")[0] == "z"


def test_the_state_it_was_wrapped_in_is_the_beginning():
    inside = Memory()
    inside.process("before")
    memory = demur.as_stateful(inside)
    inside.process("later")
    assert memory.step(None, "a")[0] == "before a"


def test_what_is_stateful_already_stays():
    porter = demur.character("porter")
    assert demur.as_stateful(porter) is porter


def test_what_is_refused():
    class Other(Memory):
        observe = None
        answer = Memory.process

    refuses("a method get_state", demur.as_stateful, 3)
    with pytest.raises(demur.InputError, match="a method reply"):
        demur.as_stateful(Memory(), method="reply")
    refuses("not a class", demur.as_stateful, Memory)
    wrapped = demur.as_stateful(Other(), method="answer")
    assert wrapped.step(None, "a") == ("a", ["a"])
    refuses(r"observe\(input, outputs\)", wrapped.observe, None, "a", "b")
    secret = Memory()
    secret.said = {1, 2}
    refuses("plain data", demur.as_stateful, secret)
