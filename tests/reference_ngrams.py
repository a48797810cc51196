"""Slow plain twins of smoothed n-gram models: definitions over counts, in fractions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
Words = tuple[str, ...]


class Twin:
    """The probability of a word after others, by its definition."""

    def __init__(self, texts: Iterable[str], order: int, **how: Any) -> None:
        self.order, self.how = order, how
        self.counts = [Counter() for _ in range(order + 1)]
        for text in texts:
            sentence = (START, *text.split(), END)
            for n in range(1, order + 1):
                for at in range(len(sentence) - n + 1):
                    self.counts[n][sentence[at : at + n]] += 1
        words = {word for (word,) in self.counts[1]} - {START}
        self.words = sorted(words | {UNKNOWN})
        del self.counts[1][START,]
        self.probability = cache(self.probability)
        self.followers = cache(self.followers)

    def probability(self, word: str, history: Words) -> Fraction:
        raise NotImplementedError

    def followers(self, history: Words) -> dict[str, int]:
        counts = self.numbers(len(history) + 1)
        return {gram[-1]: c for gram, c in counts.items() if gram[:-1] == history}

    def numbers(self, n: int) -> dict[Words, int]:
        return self.counts[n]

    def counts_of_counts(self, n: int) -> Counter[int]:
        return Counter(self.numbers(n).values())

    def shorter(self, word: str, history: Words) -> Fraction:
        if not history:
            return Fraction(1, len(self.words))
        return self.probability(word, history[1:])

    def of(self, word: str, history: Sequence[str]) -> Fraction:
        return self.probability(word, tuple(history)[-(self.order - 1) or 99 :])


class MaximumLikelihood(Twin):
    def probability(self, word: str, history: Words) -> Fraction:
        after = self.followers(history)
        if not after:
            return self.probability(word, history[1:])
        return Fraction(after.get(word, 0), sum(after.values()))


class AddK(Twin):
    def probability(self, word: str, history: Words) -> Fraction:
        whole = len(history) == self.order - 1 or history[:1] == (START,)
        after = self.followers(history) if whole else {}
        k = Fraction(self.how["add"])
        below = sum(after.values()) + k * len(self.words)
        return (after.get(word, 0) + k) / below


class WittenBell(Twin):
    def probability(self, word: str, history: Words) -> Fraction:
        after = self.followers(history)
        if not after:
            return self.shorter(word, history)
        new = len(after)
        above = after.get(word, 0) + new * self.shorter(word, history)
        return above / (sum(after.values()) + new)


class Absolute(Twin):
    def discount(self, n: int, count: int) -> Fraction:
        c = self.counts_of_counts(n)
        if not c[1]:
            return Fraction(1, 2)
        return Fraction(c[1], c[1] + 2 * c[2]) if count else Fraction(0)

    def probability(self, word: str, history: Words) -> Fraction:
        after, n = self.followers(history), len(history) + 1
        if not after:
            return self.shorter(word, history)
        total = sum(after.values())
        taken = {w: min(self.discount(n, c), Fraction(c)) for w, c in after.items()}
        left = sum(taken.values()) / total
        share = (after[word] - taken[word]) / total if word in after else 0
        return share + left * self.shorter(word, history)


class KneserNey(Absolute):
    def numbers(self, n: int) -> dict[Words, int]:
        if n == self.order:
            return self.counts[n]
        before = Counter(gram[1:] for gram in self.counts[n + 1])
        return {
            gram: count if gram[0] == START else before[gram]
            for gram, count in self.counts[n].items()
        }

    def discount(self, n: int, count: int) -> Fraction:
        c, size = self.counts_of_counts(n), min(count, 3)
        fallback = [Fraction(j, 2) for j in (0, 1, 2, 3)]
        if not all(c[j] for j in (1, 2, 3)):
            return fallback[size]
        y = Fraction(c[1], c[1] + 2 * c[2])
        values = [j - (j + 1) * y * Fraction(c[j + 1], c[j]) for j in (1, 2, 3)]
        if not all(0 <= value <= j for j, value in enumerate(values, 1)):
            return fallback[size]
        return values[size - 1]


class Katz(Twin):
    def coefficient(self, n: int, count: int) -> Fraction:
        c, most = self.counts_of_counts(n), 1 if n == 1 else 7
        while most and not c[most + 1]:
            most -= 1
        if not most or not c[1] or count > most or not c[count]:
            return Fraction(1)
        common = Fraction((most + 1) * c[most + 1], c[1])
        turing = Fraction((count + 1) * c[count + 1], count * c[count])
        if common == 1 or turing > 1:
            return Fraction(1)
        value = (turing - common) / (1 - common)
        return value if 0 < value <= 1 else Fraction(1)

    def listed(self, history: Words) -> dict[str, Fraction]:
        after, n = self.followers(history), len(history) + 1
        least = 2 if n > 2 else 1
        total = sum(after.values())
        taken = {
            word: count * self.coefficient(n, count)
            for word, count in after.items()
            if count >= least
        }
        if total and sum(taken.values()) == total:
            total += 1
        return {word: count / total for word, count in taken.items()}

    def probability(self, word: str, history: Words) -> Fraction:
        listed = self.listed(history)
        if word in listed:
            return listed[word]
        left = 1 - sum(listed.values())
        if not history:
            return left if word == UNKNOWN else Fraction(0)
        seen = sum(self.probability(other, history[1:]) for other in listed)
        return left / (1 - seen) * self.probability(word, history[1:])


TWINS = {
    "kneser-ney": KneserNey,
    "katz": Katz,
    "witten-bell": WittenBell,
    "absolute": Absolute,
    "add-k": AddK,
    "maximum-likelihood": MaximumLikelihood,
}
