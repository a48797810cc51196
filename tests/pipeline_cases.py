"""Small pipelines, and random dialogues for them, that tests share."""

import random

import demur

WORDS = ("a", "b", "c", "d")


class Counter:
    """Remembers what it has heard; what it says depends on it."""

    def step(self, state, given):
        heard = [*(state or []), given]
        return {"heard": len(heard), "last": given or "none"}, heard

    def observe(self, state, given, output):
        return [*(state or []), given, "told"] if output else [*(state or []), given]


def nlu(text):
    """Understands b as c, and d not at all."""
    return {"a": "a", "b": "c", "c": "c"}.get(text)


class Policy:
    """Two acts, by what was understood and how much was heard, and one of before."""

    def step(self, state, given):
        acts = [f"re.{given['nlu']}"]
        heard = (given["tracker"] or {}).get("heard", 0)
        if int(heard) % 2:
            acts.append("odd")
        if state:
            acts.append(f"after.{state}")
        return acts, given["nlu"]

    def observe(self, state, given, output):
        return given["nlu"] if output else "silence"


def modules():
    """The modules for the plain twin."""
    counter, policy = Counter(), Policy()
    return [
        ("nlu", lambda state, text: (nlu(text), None), None, ["input"]),
        ("tracker", counter.step, counter.observe, ["nlu"]),
        ("policy", policy.step, policy.observe, ["nlu", "tracker"]),
    ]


def pipeline(**options):
    """The same modules for demur."""
    return demur.Pipeline.of(
        [
            demur.as_module(nlu, name="nlu", version="1"),
            demur.as_module(Counter(), name="tracker", version="1"),
            demur.as_module(
                Policy(), name="policy", inputs=["nlu", "tracker"], version="1"
            ),
        ],
        **options,
    )


def pipeline_of(**functions):
    """Modules made of functions, or of objects that step, by their names."""
    modules = [demur.as_module(each, name=name) for name, each in functions.items()]
    return demur.Pipeline.of(modules)


def random_dialogues(seed, n_dialogues=4, longest=5, *, gaps=True):
    """Dialogues as plain dicts, with gaps, declining sources and several targets."""
    rng = random.Random(seed)
    dialogues = []
    for _ in range(n_dialogues):
        turns = []
        for _ in range(rng.randint(1, longest)):
            word = rng.choice(WORDS)
            target = {
                "nlu": word,
                "tracker": {"heard": rng.randint(1, 4), "last": word},
                "policy": rng.sample(
                    [f"re.{word}", "odd", f"after.{word}"], rng.randint(0, 3)
                ),
            }
            if gaps:
                target = {k: v for k, v in target.items() if rng.random() < 0.85}
            annotations = {}
            for source in ("one", "two"):
                own = {"nlu": rng.choice([*WORDS, None])}
                own["tracker"] = {"heard": rng.randint(1, 4), "last": "a"}
                annotations[source] = {
                    k: v for k, v in own.items() if not gaps or rng.random() < 0.8
                }
            others = [["odd"], [], [f"re.{rng.choice(WORDS)}", "odd"]]
            turns.append(
                {
                    "input": word,
                    "target": target,
                    "acceptable": {"policy": rng.sample(others, rng.randint(0, 2))},
                    "annotations": annotations,
                }
            )
        dialogues.append(turns)
    return dialogues


def target_dialogues(dialogues):
    """Plain dialogues as demur's."""
    return [
        demur.TargetDialogue(f"d{at}", [demur.TargetTurn(**turn) for turn in turns])
        for at, turns in enumerate(dialogues)
    ]


def one_turn_dialogues(words, name="reply"):
    """A dialogue for each word, which the module should give back."""
    return [
        demur.TargetDialogue(
            f"d{at}", [demur.TargetTurn(input=word, target={name: [word]})]
        )
        for at, word in enumerate(words)
    ]


def sure_word(text):
    """Understands b as c, and says how sure it is."""
    return text if text != "b" else "c", {"a": 0.9, "b": 0.2, "c": 0.6}.get(text, 0.4)


def fails_first(text):
    """A module that fails where it is told to."""
    if text.startswith("fail"):
        raise ValueError(text)
    return [text]
