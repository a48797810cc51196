"""``demur completion``: a shell's completion script, and what it asks."""

import argparse
from argparse import Namespace
from typing import Any, Final

from demur.cli import COMMANDS, Parser, build_parser, show
from demur.cli.file_heads import (
    columns_of,
    mappings_of,
    named_files,
    pairs_of,
    systems_of,
)
from demur.errors import MissingExtra

_LISTS: Final = {
    "columns_of": columns_of,
    "systems_of": systems_of,
    "pairs_of": pairs_of,
    "mappings_of": mappings_of,
}
"""What a script asks of the files on the line, by the hidden option that asks it."""

_ASKED: Final = {
    **dict.fromkeys(("COLUMN", "COLUMNS", "GROUP"), "columns"),
    "SYSTEM": "systems",
    "COL=VALUE": "pairs",
    "NAME=PATH": "mappings",
}
"""What the values of options are, by what the help calls them."""

_FUNCTIONS: Final = {
    "bash": """\
_demur_{what}() {{
  local name
  while IFS= read -r name; do
    [[ $name == "$1"* ]] && printf '%q\\n' "$name"
  done < <(
    "${{COMP_WORDS[0]}}" completion bash \\
      --{what}-of "${{COMP_WORDS[@]:1:COMP_CWORD-1}}" 2>/dev/null
  )
}}
""",
    "zsh": """\
_demur_{what}() {{
  local -a names
  names=(${{(f)"$(demur completion zsh --{what}-of $words 2>/dev/null)"}})
  compadd -a names
}}
""",
    "fish": """\
function _demur_{what}
  demur completion fish --{what}-of (commandline -opc) 2>/dev/null
end
""",
}
"""A function of each shell that asks; bash proposes what begins like its argument."""


def run(arguments: Namespace) -> int:
    """Print the script that shtab makes of the parser, or what the script asks."""
    for name, list_of in _LISTS.items():
        words = getattr(arguments, name)
        if words is not None:
            typed = [word for word in words if word not in ("demur", *COMMANDS)]
            show("\n".join(list_of(named_files(typed))))
            return 0
    try:
        import shtab
    except ImportError:
        raise MissingExtra("completion", "shell completion") from None
    parser = build_parser()
    _mark(parser, shtab.FILE)
    show(shtab.complete(parser, arguments.shell, preamble=_functions(arguments.shell)))
    return 0


def _functions(shell: str) -> str:
    """The functions of a shell that ask, one for each kind of value."""
    kinds = dict.fromkeys(_ASKED.values())
    return "\n".join(_FUNCTIONS[shell].format(what=what) for what in kinds)


def _mark(parser: Parser, file: Any) -> None:
    """Say of each argument what its values are: files, columns, systems, or choices."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _mark(command, file)
        elif action.nargs != 0 and not action.choices:
            kind = _ASKED.get(str(action.metavar))
            asks = dict.fromkeys(("bash", "zsh"), f"_demur_{kind}")
            asks["fish"] = f"(_demur_{kind})"
            action.complete = asks if kind else file  # type: ignore[attr-defined]
