"""Modules that break are named behind the first sentence, with what they raised."""

import demur
from pipeline_cases import pipeline_of


def nlu(text):
    return {"intent": "book", "time": text} if text else None


def joined(act):
    return [" ".join(["book", act["time"]])]


def booking(*, time=str, n=6):
    """Dialogues in which people wrote the time in a form of their own."""
    return [
        demur.TargetDialogue(
            f"d{at}",
            [
                demur.TargetTurn(
                    input=str(at),
                    target={
                        "nlu": {"intent": "book", "time": time(at)},
                        "policy": [f"book {at}"],
                    },
                )
            ],
        )
        for at in range(n)
    ]


def test_a_module_that_breaks_on_targets_alone_is_named_with_what_it_raised():
    pipeline = pipeline_of(nlu=nlu, policy=joined)
    found = demur.attribute_loss(pipeline, booking(time=int))
    [broken] = found.broke
    assert (broken.name, broken.turns, broken.items, broken.as_it_is) == (
        *("policy", 6, 6),
        0,
    )
    said = found.sentence()
    assert said.startswith("policy is most to blame")
    at = said.index("policy broke in 6 turns of 6 (free-running, nlu by target)")
    assert at < said.index("100.0 %")
    assert "first at d0:1: TypeError: sequence item 1: expected str" in said
    assert "the targets have the form of what the modules put out" in said
    assert found.to_dict()["broke"][0]["why"].startswith("TypeError")


def test_a_module_that_breaks_as_it_is_is_not_put_down_to_the_targets():
    def breaks(act):
        if act["time"] in "12":
            raise KeyError(act["time"])
        return joined(act)

    found = demur.attribute_loss(pipeline_of(nlu=nlu, policy=breaks), booking())
    said = found.sentence()
    assert "policy broke in 2 turns of 6 (free-running)" in said
    assert "first at d1:1: KeyError: '1'" in said
    assert "form of" not in said


def test_nothing_is_said_if_nothing_breaks():
    found = demur.attribute_loss(pipeline_of(nlu=nlu, policy=joined), booking())
    assert found.broke == ()
    assert "broke" not in found.sentence()


def test_tables_and_single_runs_name_what_broke():
    pipeline, dialogues = pipeline_of(nlu=nlu, policy=joined), booking(time=int)
    table = demur.evaluate_pipeline(pipeline, dialogues, replace="nlu")
    assert "policy broke in 6 turns of 6" in table.sentence()
    run = demur.run_pipeline(pipeline, dialogues, given={"nlu": "target"})
    assert "policy broke in 6 turns of 6 (corrected state, nlu by t" in run.sentence()
