"""A judge whose errors are known: as a judge, as a system, and as a chat endpoint."""

import random
import re
from contextlib import contextmanager

from demur.judge_models.cases import (
    CANNOT_TELL,
    RIGHT_VERDICT,
    WRONG_VERDICT,
    Asking,
    JudgeVerdict,
)
from demur.outcomes.records import Response
from local_server import server

_FIELD = re.compile(
    r"^<<<(\w+) (\w+)>>>\n(.*?)\n<<<END \1 \2>>>$", re.DOTALL | re.MULTILINE
)


def fields_of(prompt):
    """What a prompt shows in its fences, by the names of these."""
    return {match[1]: match[3] for match in _FIELD.finditer(prompt)}


def plain_sure(is_right, draw):
    """How sure the judge is, by whether its verdict is right and a number in [0, 1)."""
    return 0.6 + 0.4 * draw if is_right else 0.5 + 0.4 * draw


class SimulatedJudge:
    """A judge that knows the truth, and errs as often as it is told to.

    All that it says of one answer depends on the seed, the question, the answer and
    which sample it is, never on when it is asked.

    Parameters
    ----------
    truth : callable
        From a question and an answer to whether that is right.
    sensitivity, specificity : float
        Share of right answers that it calls right, and of wrong ones that it calls
        wrong.
    cannot_tell : float
        Share of answers of which it says that it cannot tell.
    first : float
        Share of answers to which it gives the verdict that is listed first.
    longer : float
        By how much an answer of more than `long` signs is called right more often.
    without_references : float
        What is taken from both shares where no references are shown.
    sure : callable
        From whether a verdict is right, and a number from 0 to 1, to a confidence.
    """

    name = "simulated"

    def __init__(
        self,
        truth,
        *,
        sensitivity=0.9,
        specificity=0.8,
        cannot_tell=0.0,
        first=0.0,
        longer=0.0,
        long=40,
        without_references=0.0,
        sure=plain_sure,
        seed=0,
    ):
        self.truth, self.sure, self.seed = truth, sure, seed
        self.sensitivity, self.specificity = sensitivity, specificity
        self.cannot_tell, self.first = cannot_tell, first
        self.longer, self.long = longer, long
        self.without_references = without_references
        self.asked = 0

    def __str__(self):
        return f"simulated({self.sensitivity}, {self.specificity}, seed={self.seed})"

    def said(self, question, answer, *, first="right", repeat=0, references=True):
        """A word and a confidence."""
        self.asked += 1
        drawn = random.Random(f"{self.seed}|{question}|{answer}|{repeat}")
        by_error, by_silence, by_order, by_length, by_sure = (
            drawn.random() for _ in range(5)
        )
        is_right = bool(self.truth(question, answer))
        share = self.sensitivity if is_right else self.specificity
        share -= 0 if references else self.without_references
        says_right = is_right if by_error < share else not is_right
        if by_length < self.longer and len(str(answer)) > self.long:
            says_right = True
        if by_order < self.first:
            says_right = first == "right"
        if by_silence < self.cannot_tell:
            return "cannot tell", None
        return (
            "right" if says_right else "wrong",
            round(self.sure(says_right == is_right, by_sure), 3),
        )

    # -- as a judge --------------------------------------------------------------------

    def verdicts(self, cases, asking=None):
        """Verdicts on cases, without any prompt."""
        asking = asking or Asking()
        codes = {"right": (1.0, RIGHT_VERDICT), "wrong": (0.0, WRONG_VERDICT)}
        verdicts = []
        for case in cases:
            word, sure = self.said(
                case.question,
                case.response,
                first="wrong" if asking.turned else "right",
                repeat=asking.repeat,
                references=asking.with_references,
            )
            credit, code = codes.get(word, (None, CANNOT_TELL))
            verdicts.append(JudgeVerdict(credit, code, f"I say {word}.", sure))
        return verdicts

    # -- as a system -------------------------------------------------------------------

    def reply(self, prompt, repeat=0):
        """A reply to a prompt of the rubric ``same-answer``."""
        fields = fields_of(prompt)
        word, sure = self.said(
            fields.get("QUESTION"),
            fields["ANSWER"],
            first=re.search(r"^- (right|wrong|cannot)", prompt, re.MULTILINE)[1],
            repeat=repeat,
            references="REFERENCES" in fields,
        )
        stated = "" if sure is None else f"\nConfidence: {sure}"
        return f"I say {word}.\nAnswer: {word}{stated}"

    def respond(self, inputs):
        """Replies as responses, as any system gives them."""
        return [
            Response(
                item=asked.item,
                system=self.name,
                response=self.reply(asked.input, asked.repeat),
            )
            for asked in inputs
        ]


def completion(text, **more):
    """A chat completion that says this."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop", **more}
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return {"model": "judge-1", "choices": [choice], "usage": usage}


@contextmanager
def judge_server(reply):
    """A chat endpoint that replies by a function of the prompt.

    Gives ``MODEL@URL`` as ``model(...)`` takes it, and the list of what was posted. The
    function may also return (status, headers, body).
    """

    def answer(payload, _):
        said = reply(payload["messages"][-1]["content"])
        return (200, {}, completion(said)) if isinstance(said, str) else said

    with server(answer) as (address, posted):
        yield f"judge@{address.partition('/ask')[0]}/v1", posted
