"""Questions and answers made from a text by rules, to train a character with."""

import re
from typing import Final, NamedTuple

from demur import checks


class QuestionAnswer(NamedTuple):
    """A question that was made from a sentence, and the sentence.

    Parameters
    ----------
    question, answer : str
        The answer is the whole sentence.
    """

    question: str
    answer: str


_ABBREVIATED: Final = ("Mr", "Mrs", "Ms", "Dr", "St", "No", "e.g", "i.e", "c", "ca")
_END: Final = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[\"'(]?[A-Z0-9])")
_SUBJECT: Final = r"(?P<subject>[^,;:()]+?)"
_BE: Final = re.compile(rf"^{_SUBJECT} (?P<verb>is|are|was|were) (?P<rest>.+)$")
_MODAL: Final = re.compile(
    rf"^{_SUBJECT} (?P<verb>can|could|may|must|should|will) "
    r"(?P<not>not )?(?P<main>[a-z]+) (?P<rest>.+)$"
)
_PASSIVE: Final = re.compile(
    r"^(?P<main>[a-z]+(?:ed|en|wn|lt|nt|de|un|ung|ught|ut)) (?P<rest>.+)$"
)
_YEAR: Final = re.compile(r"\b(?:in|since|until|by|around) (?:the year )?\d{3,4}s?\b")
_NAME: Final = r"[A-Z][\w'-]+"
_PLACE: Final = re.compile(rf"\b(?:in|at|near|on) (?:the )?{_NAME}(?: {_NAME})*")
_BY: Final = re.compile(r"\bby (?P<who>(?:the |a |an )?[\w' -]+)")
_NO_SUBJECT: Final = frozenset(
    (
        *("it", "they", "he", "she", "this", "these", "that", "those", "there", "we"),
        *("you", "i", "who", "which", "what"),
    )
)
_SMALL: Final = frozenset(
    (
        *("the", "a", "an", "its", "their", "his", "her", "our"),
        *("most", "many", "some", "all"),
    )
)
_PEOPLE: Final = re.compile(
    r"^(?:an? |the )?(?:[\w-]+ )*?(?:\w+(?:er|or|ist|ian)|king|queen|woman|man|poet|"
    r"artist|nurse|monk|child|cook)\b"
)
_LONGEST_SUBJECT: Final = 9  # words


class RuleQuestions:
    """Makes questions from the sentences of a text, by rules and without a parser.

    Sentences with a form of *to be*, or with *can*, *must* and the like, become
    questions with what, who, when, where and by whom, and questions to be answered by
    yes; the answer is the whole sentence. It overgenerates: some questions are odd, as
    were those that the papers trained characters with.

    Parameters
    ----------
    longest : int
        Sentences of more words are left out.

    References
    ----------
    The idea is that of Chen, Artstein and others (2011), who made characters from texts
    with the question generator of Heilman and Smith (2009); the rules are ours, and
    far simpler.

    Examples
    --------
    >>> import demur
    >>> text = "The mill was built in 1790. Visitors can see the old wheel."
    >>> for pair in demur.RuleQuestions()(text):
    ...     print(pair.question, "|", pair.answer)
    Was the mill built in 1790? | The mill was built in 1790.
    When was the mill built? | The mill was built in 1790.
    What was built? | The mill was built in 1790.
    What can visitors see? | Visitors can see the old wheel.
    Can visitors see the old wheel? | Visitors can see the old wheel.
    """

    def __init__(self, *, longest: int = 40) -> None:
        checks.whole("RuleQuestions", "longest", longest, 1)
        self.longest = longest

    def __call__(self, text: str) -> list[QuestionAnswer]:
        """The questions of a text, each with the sentence that answers it."""
        answers: dict[str, str] = {}  # of two sentences with one question the first
        for sentence in sentences(text):
            if len(sentence.split()) <= self.longest:
                for question in _questions(sentence):
                    answers.setdefault(question, sentence)
        return [QuestionAnswer(*pair) for pair in answers.items()]


def sentences(text: str) -> list[str]:
    """The sentences of a text, without line breaks.

    Examples
    --------
    >>> sentences("Dr. Low came in May. He left.")
    ['Dr. Low came in May.', 'He left.']
    """
    whole: list[str] = []
    for piece in _END.split(" ".join(text.split())):
        last = whole[-1].removesuffix(".").rpartition(" ")[2] if whole else ""
        if whole and whole[-1].endswith(".") and last in _ABBREVIATED:
            whole[-1] += f" {piece}"  # "Dr." ended no sentence
        elif piece:
            whole.append(piece)
    return whole


def _questions(sentence: str) -> list[str]:
    body = sentence.rstrip(".!?\"' ")
    match = _BE.match(body)
    if match and _is_subject(match["subject"]):
        return _of_being(_lowered(match["subject"]), match["verb"], match["rest"])
    match = _MODAL.match(body)
    if match and _is_subject(match["subject"]) and not match["not"]:
        verb, subject = match["verb"].capitalize(), _lowered(match["subject"])
        main = match["main"]
        return [
            f"What {match['verb']} {subject} {main}?",
            f"{verb} {subject} {main} {match['rest']}?",
        ]
    return []


def _is_subject(text: str) -> bool:
    listed = text.lower().split()
    return len(listed) <= _LONGEST_SUBJECT and listed[0] not in _NO_SUBJECT


def _lowered(subject: str) -> str:
    """A subject inside of a sentence: its first word is small, unless it is a name."""
    first, blank, others = subject.partition(" ")
    if first.lower() in _SMALL or (others and others[0].islower()) or first[-1:] == "s":
        first = first[:1].lower() + first[1:]
    return first + blank + others


def _of_being(subject: str, verb: str, rest: str) -> list[str]:
    """The questions of "SUBJECT is REST"."""
    asked = [f"{verb.capitalize()} {subject} {rest}?"]
    passive = _PASSIVE.match(rest)
    for word, pattern in (("When", _YEAR), ("Where", _PLACE)):
        if pattern.search(rest):  # "in May 1790" looks like a place, too
            kept = f" {passive['main']}" if passive else ""
            asked.append(f"{word} {verb} {subject}{kept}?")
    by = _BY.search(rest)
    if passive and by and not _YEAR.match(by[0]):
        asked.append(f"Who {passive['main']} {subject}?")
    if passive:
        asked.append(f"What {verb} {passive['main']}?")
    elif rest.split(" ", 1)[0] in ("a", "an", "the", "one"):
        who = "Who" if _PEOPLE.match(rest) else "What"
        asked.append(f"{who} {verb} {subject}?")
    return list(dict.fromkeys(asked))
