"""``demur lint``: what is wrong with references."""

import os
from argparse import Namespace

from demur import formats
from demur.cli import shared
from demur.cli.shared import WrongUsage
from demur.cli.streams import progress
from demur.references.class_signs import read_signs
from demur.references.linting import BY_MEANINGS, Lints, lint
from demur.references.stipulations import read_stipulations


def run(arguments: Namespace) -> int:
    """Look, and print what was found."""
    shared.check_asked(arguments, Lints.KINDS, arguments.references)
    for gate in arguments.fail_if:
        if gate.name in BY_MEANINGS and not arguments.meanings:
            need = "come with --meanings"
            raise WrongUsage("lint", f"--fail-if {gate.text!r}", need, "none")
    lints = lint(
        formats.iter_records(*arguments.references, max_size=arguments.max_size),
        db_root=arguments.db_root or os.environ.get("DEMUR_DB_ROOT") or None,
        meanings=read_stipulations(*arguments.meanings) if arguments.meanings else None,
        signs=read_signs(*arguments.signs) if arguments.signs else None,
        timeout=arguments.timeout or 30.0,
        cache=arguments.cache,
        progress=progress("queries"),
    )
    return shared.finish(lints, arguments)
