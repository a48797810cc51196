"""What modules remember outside their state is found, and named with what to do."""

import pytest

import demur
from demur.pipelines.step_checks import SEEN

WORDS = ("a", "b", "a", "c")


def dialogues(n=4, words=WORDS):
    """Dialogues in which the tracker lists what it has heard, which comes out."""
    made = []
    for at in range(n):
        turns = [
            demur.TargetTurn(
                input=word,
                target={"tracker": list(words[: place + 1]), "policy": [word]},
            )
            for place, word in enumerate(words)
        ]
        made.append(demur.TargetDialogue(f"d{at}", turns))
    return made


def tracked(tracker, **options):
    return demur.Pipeline.of(
        [
            demur.as_module(tracker, name="tracker", **options),
            demur.as_module(lambda heard: heard and [heard[-1]], name="policy"),
        ]
    )


class Tracker:
    def step(self, state, word):
        heard = [*(state or []), word]
        return heard, heard

    def observe(self, state, word, output):
        return output


class Forgets(Tracker):
    def observe(self, state, word, output):
        self.last = output


class KeepsToItself:
    def __init__(self):
        self.heard = []

    def step(self, state, word):
        self.heard = [*self.heard, word]
        return self.heard, None

    def observe(self, state, word, output):
        return None


class Conversation:
    def __init__(self):
        self.heard = []

    def turn(self, word):
        self.heard.append(word)
        return list(self.heard)


def with_a_global(*, reset):
    heard = []

    def track(word):
        if reset and word == "c":
            heard.clear()
        heard.append(word)
        return list(heard)

    return track


def test_a_state_that_is_handed_on_is_no_matter():
    for tracker in (Tracker(), demur.replayed(Conversation)):
        found = demur.attribute_loss(tracked(tracker), dialogues())
        assert found.now == 1


@pytest.mark.parametrize(
    "tracker",
    [with_a_global(reset=False), with_a_global(reset=True), KeepsToItself()],
)
def test_what_is_remembered_elsewhere_ends_the_run(tracker):
    said = "module 'tracker' answers the same state and input in two ways: .* to 'a'"
    with pytest.raises(demur.RunError, match=said) as told:
        demur.attribute_loss(tracked(tracker), dialogues())
    assert "demur.replayed" in str(told.value)
    assert "stochastic" in str(told.value)


def test_stochastic_modules_and_systems_may_answer_otherwise():
    chance = tracked(with_a_global(reset=False), stochastic=True)
    assert demur.attribute_loss(chance, dialogues()).now is not None

    class Served:
        name = "served"

        def __init__(self):
            self.asked = 0

        def respond(self, inputs):
            self.asked += 1
            return [demur.Response(item=inputs[0].item, response=[str(self.asked)])]

    assert demur.attribute_loss(tracked(Served()), dialogues()).now is not None


def test_the_order_of_a_list_that_was_a_set_is_no_second_way():
    turns = iter(range(10**6))

    def acts(word):
        listed = [word, "more"]
        return listed if next(turns) % 2 else listed[::-1]

    assert demur.attribute_loss(tracked(acts), dialogues()).now is not None


def test_an_observe_without_a_return_is_named():
    said = "module 'tracker': observe gives None .*return is missing"
    with pytest.raises(demur.RunError, match=said):
        demur.attribute_loss(tracked(Forgets()), dialogues())


def test_single_turns_need_no_state():
    found = demur.attribute_loss(tracked(Forgets()), dialogues(words=("a",)))
    assert found.now == 1


def test_only_the_first_steps_are_held():
    asked = []

    def late(word):
        asked.append(word)
        return [word, str(len(asked))] if word >= f"{SEEN:04}" else [word]

    turns = [
        demur.TargetTurn(input=f"{at:04}", target={"tracker": ["x"], "policy": ["x"]})
        for at in range(SEEN + 5)
    ]
    found = demur.attribute_loss(tracked(late), [demur.TargetDialogue("d", turns)])
    assert found.now == 0


def test_what_cannot_be_told_its_targets_is_noted():
    class Led(Conversation):
        def observe(self, word, output):
            self.heard = list(output)

    unled, led = (tracked(demur.replayed(each)) for each in (Conversation, Led))
    note = "tracker is replayed without observe(input, output): in corrected state it"
    found = demur.attribute_loss(unled, dialogues())
    assert any(line.startswith(note) for line in found.notes)
    table = demur.evaluate_pipeline(unled, dialogues(), replace="tracker")
    assert any(line.startswith(note) for line in table.notes)
    found = demur.attribute_loss(led, dialogues())
    assert not any("replayed" in line for line in found.notes)
