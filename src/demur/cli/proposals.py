"""What may have been meant by an option or a command that does not exist."""

import argparse
import difflib
from collections.abc import Iterable, Sequence

_ALIKE = 0.7
"""From this likeness on, as `difflib` counts it, two names may be meant alike."""

_LISTED = 3
"""Of names that do not begin like the one given, so many are proposed."""

_EXPLAINED = 3
"""Up to so many options are proposed with what they do."""


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """The names that may be meant: all that begin like this one, and some alike.

    Examples
    --------
    >>> nearest("--cost", ["--cost-ratio", "--wrong-costs", "--lock", "--balance"])
    ['--cost-ratio', '--wrong-costs']
    >>> nearest("comapre", ["compare", "curve", "completion"])
    ['compare']
    """
    given = name.strip("-")

    def likeness(known: str) -> float:
        return difflib.SequenceMatcher(None, given, known.strip("-")).ratio()

    ordered = sorted(names, key=likeness, reverse=True)
    begun = [known for known in ordered if known.strip("-").startswith(given)]
    alike = [
        known
        for known in ordered
        if known not in begun
        and (likeness(known) >= _ALIKE or _same_parts(given, known.strip("-")))
    ]
    return begun + alike[: max(0, _LISTED - len(begun))]


def _same_parts(given: str, known: str) -> bool:
    """Whether each part of one name begins a part of the other, or the other way.

    So ``costs`` is near ``cost-ratio`` and ``wrong-costs``.
    """
    return all(
        any(
            min(len(part), len(other)) > 2
            and (part.startswith(other) or other.startswith(part))
            for other in known.split("-")
        )
        for part in given.split("-")
    )


def unknown_command(action: argparse.Action, name: str) -> str:
    """The line for a command that does not exist."""
    kind = str(action.metavar).lower()
    known = list(action.choices or ())
    near = nearest(name, known)
    if near:
        return f"{name!r} is no {kind}; did you mean {_either(near)}?"
    return f"{name!r} is no {kind}; there are {', '.join(known)}"


def unknown_choice(value: object, choices: Iterable[object]) -> str:
    """The line for a value that an option does not have."""
    known = [str(choice) for choice in choices]
    text = f"must be one of {', '.join(known)}; got {value!r}"
    near = nearest(str(value), known)[:1]
    return f"{text}. Did you mean {near[0]!r}?" if near else text


def unknown_option(parser: argparse.ArgumentParser, words: Sequence[str]) -> str | None:
    """The line for the first option that a parser does not have; None if it has all.

    A parser of commands looks at what stands before the command.
    """
    commands = [
        action
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    options = {
        option: action for action in parser._actions for option in action.option_strings
    }
    for word in words:
        if word == "--" or (commands and not word.startswith("-")):
            return None
        name = word.partition("=")[0]
        if _is_option(word) and name not in options and word[:2] not in options:
            return _no_option(name, options, commands)
    return None


def too_many(
    parser: argparse.ArgumentParser, words: Sequence[str], typed: Sequence[str]
) -> str:
    """The line for words that are left over, such as files that stand apart."""
    which = " and ".join(map(repr, words))
    before = dict(zip(typed[1:], typed, strict=False)).get(words[0], "")
    switches = (action for action in parser._actions if action.nargs == 0)
    switch = any(before in switch.option_strings for switch in switches)
    value = f" ({before} takes no value)" if switch else ""
    for action in parser._actions:
        if not action.option_strings and action.nargs in ("+", "*"):
            return f"{which}: name all {action.metavar} side by side{value}"
    return f"{which}: more than is expected{value}"


def _is_option(word: str) -> bool:
    """Whether argparse takes a word for an option: no number, no words, no lone -."""
    if not word.startswith("-") or len(word) == 1 or " " in word:
        return False
    try:
        float(word)
    except ValueError:
        return True
    return False


def _no_option(
    name: str,
    options: dict[str, argparse.Action],
    commands: Sequence[argparse.Action],
) -> str:
    shown = {
        option: action
        for option, action in options.items()
        if action.help is not argparse.SUPPRESS and len(option) > 2
    }
    near = nearest(name, shown)
    if not near:
        kind = str(commands[0].metavar).lower() if commands else ""
        text = f"{name} is no option"
        return f"{text} here; those of a {kind} stand after it" if kind else text
    explain = 1 < len(near) <= _EXPLAINED
    proposed = [
        _explained(option, shown[option]) if explain else option for option in near
    ]
    return f"{name} is no option; did you mean {_either(proposed)}?"


def _explained(option: str, action: argparse.Action) -> str:
    """The option with the beginning of its help, which says which one is meant."""
    words = (action.help or "").replace("%%", "%")
    return f"{option} ({words.partition(';')[0].partition(' (')[0]})"


def _either(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
