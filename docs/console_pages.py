"""Run the commands of a page's console blocks, and write what they print under them.

A command begins with ``$ `` and may go on after a backslash, or within quotes; what
follows is its output, up to the next command or the end of the block. Blocks with a
caption are files, written before. The signature, which names versions, is cut short,
and lines are broken where a terminal of 90 columns would break them. Run::

    python docs/console_pages.py docs/tutorial.md           # write
    python docs/console_pages.py docs/tutorial.md --check   # compare

All commands of a page run in one new folder that holds ``examples``, ``logs`` (those of
tests/golden/formats), and those of the data sets in DEMUR_DATA that the page names
(``<!-- data: NAME -->``). Pictures that the page shows are taken from there;
docs/pictures.py draws others.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_FENCE = re.compile(
    r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
_OPTIONS = re.compile(r"(?::\w+:.*\n)+\n")
_CAPTION = re.compile(r"^:caption: (\S+)\n+")


def main() -> int:
    """Write the pages, or with ``--check`` say which of them would change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    changed = 0
    for page in options.pages:
        text, data = page.read_text("utf-8"), os.environ.get("DEMUR_DATA")
        missing = [n for n in data_sets(text) if not Path(data or "", n).exists()]
        if missing:
            sys.exit(f"{page}: DEMUR_DATA must hold {', '.join(missing)}; got {data}")
        with tempfile.TemporaryDirectory() as folder:
            new = run(text, Path(folder), data)
            if not options.check:
                page.write_text(new, "utf-8")
                for name in re.findall(r"\(images/(.+?)\)", text):
                    if (made := Path(folder) / name).exists():
                        shutil.copy(made, page.parent / "images" / name)
        if new != text:
            changed += 1
            print(f"{page}: {'differs' if options.check else 'written'}")
    return 1 if changed and options.check else 0


def run(
    text: str,
    folder: Path,
    data: str | None = None,
    programs: Path = Path(sys.executable).parent,
) -> str:
    """The text of a page with the output that its commands have now.

    Those of the folder of programs come before others of the same name.
    """
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "logs").symlink_to(ROOT / "tests" / "golden" / "formats")
    for name in data_sets(text):
        (folder / name).symlink_to(Path(data or "no data") / name)

    def block(match: re.Match[str]) -> str:
        kind, body = match["kind"], match["body"]
        if caption := _CAPTION.match(body):
            (folder / caption[1]).write_text(body[caption.end() :], "utf-8")
        if "console" in kind:
            options = _OPTIONS.match(body)
            said = "".join(_session(body, folder, programs))
            body = f"{options[0] if options else ''}{said}"
        return f"```{kind}\n{body}```"

    return _FENCE.sub(block, text)


def data_sets(text: str) -> list[str]:
    """The data sets that a page needs."""
    return re.findall(r"<!-- data: (\S+) -->", text)


def _session(body: str, folder: Path, programs: Path) -> Iterator[str]:
    """Each command with what it prints, stdout and stderr as on a terminal."""
    places = [str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]
    path = os.pathsep.join(places)
    kept = {name: value for name, value in os.environ.items() if "DEMUR" not in name}
    for command in typed(body):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=kept | {"PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        said = done.stdout.decode("utf-8").rstrip("\n")
        lines = broken(re.sub(r"(?m)^signature: .*$", "signature: ...", said))
        yield f"$ {command}\n{lines}\n" if lines else f"$ {command}\n"


def typed(body: str, prompt: str = "$ ") -> Iterator[str]:
    """The commands of a block, without the prompt and what they print."""
    command: str | None = None
    for line in body.splitlines():
        if command is not None:
            command += f"\n{line}"
        elif line.startswith(prompt):
            command = line.removeprefix(prompt)
        if command is not None and not goes_on(command):
            yield command
            command = None


def goes_on(command: str) -> bool:
    """Whether a command ends in a backslash, or within quotes."""
    try:
        shlex.split(command, comments=True)
    except ValueError as problem:
        return "quotation" in str(problem) or "escaped" in str(problem)
    return command.endswith("\\")


def broken(text: str, width: int = 90) -> str:
    """A text whose long lines go on below, two columns further in; at blanks if so."""
    return "\n".join(
        part
        for line in text.split("\n")
        for part in textwrap.wrap(
            line,
            width,
            subsequent_indent="  ",
            break_on_hyphens=False,
            replace_whitespace=False,
            drop_whitespace=len(line) > width,
        )
        or [""]
    )


if __name__ == "__main__":
    sys.exit(main())
