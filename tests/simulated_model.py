"""A chat endpoint whose probabilities are known: what a confidence must come to."""

import math
import random
from contextlib import contextmanager

from local_server import server

HEAD = "Answer: "
"""What each reply begins with, as one token that is sure."""


class SimulatedModel:
    """A model that knows a few replies to each question, each with its probability.

    Parameters
    ----------
    replies : mapping of str to mapping of str to float
        For each question the replies and their probabilities, which add up to 1. A
        request is for the question that its last turn holds.
    truth : mapping of str to float
        For each answer, how probable the letter A is where it is asked if the answer is
        true, among A and B; a hundredth is for "Hm".
    n_told : int
        How many tokens are told at each place, at most.
    """

    def __init__(self, replies, truth=None, *, n_told=20, seed=0):
        self.replies, self.truth = replies, truth or {}
        self.n_told, self.random = n_told, random.Random(seed)
        self.says_hm, self.hm = False, 0.01

    def tokens(self, text):
        """Two characters each, and an end."""
        return [text[at : at + 2] for at in range(0, len(text), 2)] + [""]

    def next_token(self, replies, begun):
        """The probabilities of the token behind those that have begun a reply."""
        shares = {}
        for reply, share in replies.items():
            tokens = self.tokens(reply)
            if tokens[: len(begun)] == begun and len(tokens) > len(begun):
                token = tokens[len(begun)]
                shares[token] = shares.get(token, 0) + share
        total = sum(shares.values())
        return {token: share / total for token, share in shares.items()}

    def answer(self, payload):
        """What the server sends back."""
        asked = payload["messages"][-1]["content"]
        asked = asked if isinstance(asked, str) else "".join(p["text"] for p in asked)
        if "Reply with the word yes" in asked:
            said, places = "yes", [{"yes": 0.9, "no": 0.1}]
        elif "Proposed answer: " in asked:
            answer = asked.partition("Proposed answer: ")[2].partition("\n")[0]
            both = 1 - self.hm
            share = self.truth[answer] * both
            places = [{" A": share / 2, "A": share / 2, "(B": both - share}]
            places[0]["Hm"] = self.hm
            said = "Hm" if self.says_hm else max(places[0], key=places[0].get)
        else:
            return 200, {}, self.reply(asked)
        return 200, {}, self.completion([said], places)

    def reply(self, asked):
        """A reply that is drawn."""
        [known] = [self.replies[name] for name in self.replies if name in asked]
        said, places, begun = [HEAD], [{HEAD: 1.0}], []
        while True:
            shares = self.next_token(known, begun)
            token = self.random.choices([*shares], [*shares.values()])[0]
            if token == "":
                return self.completion(said, places)
            said.append(token)
            begun.append(token)
            places.append(shares)

    def completion(self, said, places):
        """A chat completion with the probabilities of each place."""
        listed = []
        for token, shares in zip(said, places, strict=True):
            told = sorted(shares, key=lambda one: -shares[one])[: self.n_told]
            logs = [
                {"token": one, "bytes": None, "logprob": math.log(shares[one])}
                for one in told
            ]
            own = {"token": token, "bytes": None, "logprob": math.log(shares[token])}
            listed.append({**own, "top_logprobs": logs})
        choice = {
            "message": {"role": "assistant", "content": "".join(said)},
            "finish_reason": "stop",
            "logprobs": {"content": listed},
        }
        usage = {"prompt_tokens": 7, "completion_tokens": len(said)}
        return {"model": "known", "choices": [choice], "usage": usage}

    @contextmanager
    def served(self):
        """Its address, and what was posted."""
        with server(lambda payload, _: self.answer(payload)) as (url, posted):
            yield f"chat:known@{url.partition('/ask')[0]}/v1", posted
