"""A judge of claims whose findings are known: it cuts at full stops, and looks."""

import json

from simulated_judge import fields_of

CUTS = "You cut an answer"
"""How a prompt begins that asks for claims."""


class SimulatedClaims:
    """A model that takes each sentence for a claim, and a text for a list of facts.

    A claim is supported if the text holds it, contradicted if the text holds it with
    "not" in front, and else not found.

    Parameters
    ----------
    hostile : mapping of str to str
        For each answer or claim the reply to it, in place of the right one.
    """

    def __init__(self, hostile=None):
        self.hostile = hostile or {}
        self.cut, self.judged = [], []

    def reply(self, prompt):
        fields = fields_of(prompt)
        answer = fields["ANSWER"]
        is_cut = prompt.startswith(CUTS)
        (self.cut if is_cut else self.judged).append(answer)
        if answer in self.hostile:
            return self.hostile[answer]
        if is_cut:
            return json.dumps(sentences(answer))
        return f"It is so.\nAnswer: {finding(answer, fields['TEXT'])}\nConfidence: 80 %"


def sentences(answer):
    return [f"{text.strip()}." for text in answer.split(".") if text.strip()]


def finding(claim, text):
    """What is found of a claim in a text of facts."""
    if f"not {claim}" in text:
        return "contradicted"
    return "supported" if claim in text else "not found"
