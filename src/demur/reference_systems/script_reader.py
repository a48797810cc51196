"""Reads the script of a dialogue manager, line by line."""

import hashlib
import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Final

from demur.errors import InputError, shown
from demur.reference_systems.scripts import NOTHING, Rule, Script, matches

_ACT: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_PATTERN: Final = re.compile(r"[A-Za-z0-9_.*-]+")
_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")
_RULE: Final = re.compile(
    r"(?P<patterns>.+?)(?: at (?P<node>\S+))?(?: if (?P<conditions>.+))?"
)


def read_script(text: str, place: str) -> Script:
    """Read a script.

    Parameters
    ----------
    text : str
        The whole file.
    place : str
        The name of the file, for messages.

    Raises
    ------
    InputError
        With file and line.

    Examples
    --------
    >>> script = read_script('''
    ... name: echo
    ... rule greet.*
    ...     say greet.back
    ... rule *
    ...     say request.clarify
    ... rule nothing
    ...     say request.repeat
    ... ''', "echo.txt")
    >>> [rule.says for rule in script.rules]
    [('greet.back',), ('request.clarify',), ('request.repeat',)]
    """
    reader = ScriptReader(place)
    for number, line in enumerate(text.split("\n"), 1):
        reader.line = number
        content = line.partition("#")[0].rstrip()
        if not content:
            continue
        if "\t" in content[: len(content) - len(content.lstrip())]:
            raise reader.wrong("be indented by blanks", "a tab", "Use four blanks.")
        if content[0] == " ":
            reader.inside(content.strip())
        else:
            reader.end()
            reader.outside(content)
    reader.end()
    script = reader.finished()
    script.digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return script


_HEADERS: Final = ("name", "start", "compliance")
_BLOCKS: Final = ("rule", "checklist", "heard", "spoken")


class ScriptReader:
    """The script as far as it was read, and the block that is being read."""

    def __init__(self, place: str) -> None:
        self.place, self.line = place, 0
        self.script = Script("")
        self._headers: set[str] = set()
        self._block: tuple[str, Any, int] | None = None  # kind, what heads it, line
        self._lines: list[tuple[Any, Any]] = []
        self._used: dict[str, list[tuple[str, int]]] = {
            name: [] for name in ("node", "promise", "checklist", "needs")
        }

    def wrong(self, need: str, got: str, hint: str = "", line: int = 0) -> InputError:
        """An error at the line that is read, or at another."""
        where = f"{self.place}:{line or self.line}"
        return InputError(where, "the line", need, got, hint)

    # -- lines -------------------------------------------------------------------------

    def outside(self, content: str) -> None:
        """A line that begins at the left: a header, or the head of a block."""
        word, _, rest = content.partition(" ")
        if word in _BLOCKS:
            if not rest.strip():
                raise self.wrong(f"say what the {word} is of", shown(content))
            readers: dict[str, Callable[[str], Any]]
            readers = {"rule": self._rule_head, "checklist": self._name}
            head = readers.get(word, self._act)
            self._block = (word, head(rest.strip()), self.line)
            return
        name, colon, value = (part.strip() for part in content.partition(":"))
        if not colon or name not in _HEADERS:
            need = f"begin with {', '.join(f'{name}:' for name in _HEADERS)} or one of "
            hint = "Lines inside a block are indented."
            raise self.wrong(need + ", ".join(_BLOCKS), shown(content), hint)
        if name in self._headers:
            raise self.wrong(f"say {name} once", "it again")
        self._headers.add(name)
        setattr(self.script, name, self._header(name, value))

    def _header(self, name: str, value: str) -> Any:
        if name == "compliance":
            return self._number(value)
        if name == "start":
            return self._name(value)
        if not value:
            raise self.wrong("name the character", "nothing")
        return value

    def inside(self, content: str) -> None:
        """A line of a block."""
        if self._block is None:
            need = "be indented only inside a block"
            raise self.wrong(need, shown(content))
        kind = self._block[0]
        if kind == "rule":
            self._lines.append(self._action(content))
        elif kind == "checklist":
            word, _, act = content.partition(" ")
            if word not in ("ask", "tell"):
                raise self.wrong("be: ask ACT, or: tell ACT", shown(content))
            self._lines.append((word, self._act(act.strip())))
        else:
            self._lines.append((kind, content))

    def _rule_head(self, text: str) -> tuple[tuple[str, ...], str | None, Any]:
        match = _RULE.fullmatch(text)
        if match is None:
            raise self.wrong("be: rule PATTERN [at NODE] [if CONDITION]", shown(text))
        patterns = tuple(match["patterns"].split())
        for pattern in patterns:
            if not _PATTERN.fullmatch(pattern):
                raise self.wrong("have patterns of acts such as whq.*", shown(pattern))
        if match["node"]:
            self._using("node", match["node"])
        texts = (match["conditions"] or "").split(" and ")
        conditions = tuple(self._condition(text.strip()) for text in texts if text)
        return patterns, match["node"], conditions

    def _condition(self, text: str) -> tuple[str, Any]:
        match text.split():
            case ["compliance", "<", number]:
                return "compliance below", self._number(number)
            case ["compliance", ">=", number]:
                return "compliance from", self._number(number)
            case ["promised", name]:
                return "promised", self._using("needs", name)
            case ["not", "promised", name]:
                return "not promised", self._using("needs", name)
        need = "have conditions such as: compliance < 0, compliance >= 1, promised NAME"
        raise self.wrong(need, shown(text), "They are joined by and.")

    def _action(self, content: str) -> tuple[str, Any]:
        word, _, rest = content.partition(" ")
        readers: dict[str, Callable[[str], Any]] = {
            "say": self._act,
            "needs": partial(self._using, "needs"),
            "promise": partial(self._using, "promise"),
            "compliance": self._number,
            "forget": self._alone,
            "go": self._name,
            "open": partial(self._using, "checklist"),
            "next": self._alone,
            "otherwise": self._otherwise,
        }
        if word not in readers:
            need = f"begin with one of {', '.join(readers)}"
            raise self.wrong(need, shown(content))
        return word, readers[word](rest.strip())

    def _using(self, kind: str, text: str) -> str:
        self._used[kind].append((self._name(text), self.line))
        return text

    def _alone(self, text: str) -> None:
        if text:
            raise self.wrong("have forget or next alone", shown(text))

    def _otherwise(self, text: str) -> str:
        say, _, act = text.partition(" ")
        if say != "say" or not any(word == "next" for word, _ in self._lines):
            raise self.wrong("be: otherwise say ACT, after next", shown(text))
        return self._act(act.strip())

    def _act(self, text: str) -> str:
        if not _ACT.fullmatch(text):
            need = "have a speech act such as whq.name"
            raise self.wrong(need, shown(text), "Letters, digits, -, _ and dots.")
        return text

    def _name(self, text: str) -> str:
        if not _NAME.fullmatch(text):
            raise self.wrong("have a name of letters, digits, - and _", shown(text))
        return text

    def _number(self, text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise self.wrong("have a whole number", shown(text)) from None

    # -- blocks ------------------------------------------------------------------------

    def end(self) -> None:
        """Take over the block that was read."""
        if self._block is None:
            return
        kind, head, line = self._block
        lines, self._lines, self._block = self._lines, [], None
        if not lines:
            need = "be followed by indented lines"
            raise self.wrong(need, f"an empty {kind}", "", line)
        if kind == "rule":
            self._add_rule(head, lines, line)
        elif kind == "checklist":
            self._add_checklist(head, lines, line)
        elif kind == "heard":
            texts = tuple(text for _, text in lines)
            self._once(self.script.heard, kind, head, line)[head] = texts
        else:
            text = " ".join(text for _, text in lines)
            self._once(self.script.spoken, kind, head, line)[head] = text

    def _once(self, known: dict[str, Any], kind: str, name: str, line: int) -> Any:
        if name in known:
            raise self.wrong(f"give {kind} {name} once", "it again", "", line)
        return known

    def _add_rule(self, head: Any, lines: list[tuple[str, Any]], line: int) -> None:
        patterns, node, conditions = head
        rule = Rule(patterns, node, conditions, tuple(lines), line)
        for earlier in self.script.rules:
            # The first rule that fits is followed, so a later one may be in vain.
            if _always_before(earlier, rule):
                need = f"be reached: the rule of line {earlier.line} comes first"
                got = " ".join(rule.patterns)
                raise self.wrong(need, got, "Change the order.", line)
        self.script.rules.append(rule)

    def _add_checklist(
        self, name: str, lines: list[tuple[str, str]], line: int
    ) -> None:
        known = set(self.script.listed)
        for word, act in lines:
            if act in known:
                need = "have each act in one checklist, once"
                raise self.wrong(need, act, "", line)
            known.add(act)
            if word == "ask":
                self.script.questions.add(act)
        acts = [act for _, act in lines]
        self._once(self.script.checklists, "checklist", name, line)[name] = acts

    # -- the whole ---------------------------------------------------------------------

    def finished(self) -> Script:
        """The script, if its parts fit together."""
        script, self.line = self.script, 1  # what is missing stands on no line
        if not script.name:
            raise self.wrong("begin a script with name:", "no name")
        nodes = {script.start} | {
            value for rule in script.rules for act, value in rule.actions if act == "go"
        }
        self._known("node", nodes, "no rule goes there")
        promised = {name for name, _ in self._used["promise"]}
        self._known("needs", promised, "no rule has promise for it")
        self._known("checklist", set(script.checklists), "there is no such checklist")
        self._answers_all(script)
        for act in script.heard:
            if not any(matches(r.patterns, act) for r in script.rules if _of_acts(r)):
                need = "be heard by a rule other than rule *"
                raise self.wrong(need, f"heard {act}")
        self._all_spoken(script)
        return script

    def _known(self, kind: str, known: set[str], why: str) -> None:
        for name, line in self._used[kind]:
            if name not in known:
                raise self.wrong("name what there is", f"{name}: {why}", "", line)

    def _answers_all(self, script: Script) -> None:
        """There must be an answer to anything, and one to nothing."""
        for pattern in ("*", NOTHING):
            if not any(
                pattern in rule.patterns and rule.node is None and not rule.conditions
                for rule in script.rules
            ):
                need = f"have a rule {pattern} without conditions"
                hint = "It answers what no other rule does."
                raise self.wrong(need, "none", hint)
        for rule in script.rules:
            actions = {action for action, _ in rule.actions}
            # The checklists may be done, and then next says nothing.
            if not {"say", "next", "needs"} & actions or (
                "next" in actions and not rule.says
            ):
                need = "say something in any case: say, or next and otherwise say"
                got = " ".join(rule.patterns)
                raise self.wrong(need, got, "", rule.line)

    def _all_spoken(self, script: Script) -> None:
        if not script.spoken:
            return
        acts = {act for rule in script.rules for act in rule.says}
        acts |= script.elicits | script.listed
        for act in sorted(acts - set(script.spoken)):
            raise self.wrong("give all acts words if it gives any", f"no spoken {act}")
        for act in sorted(set(script.spoken) - acts):
            raise self.wrong("give words to acts that are said", f"spoken {act}")


def _of_acts(rule: Rule) -> bool:
    """Whether a rule is for acts of its own, and not for all that is left over."""
    return "*" not in rule.patterns


def _always_before(earlier: Rule, later: Rule) -> bool:
    """Whether an earlier rule takes all that a later one is for."""
    if earlier.conditions or earlier.node not in (None, later.node):
        return False
    return all(
        pattern in earlier.patterns
        or (
            pattern != NOTHING
            and any(fnmatchcase(pattern, p) for p in earlier.patterns)
        )
        for pattern in later.patterns
    )
