"""``demur keep``: a run goes into the store, or is judged anew from it."""

import os
from argparse import Namespace
from typing import Any, Final

from demur import answers, formats
from demur.cli import FINE, as_json, shared, show
from demur.cli.shared import WrongUsage
from demur.cli.stores_opened import opened, present
from demur.files import small_file
from demur.judging.judging import POLICIES, judge
from demur.results import document
from demur.sql.databases import Databases
from demur.sql.executed import on_databases
from demur.store.keeping import Kept, keep
from demur.store.rejudging import Rejudged, judge_again
from demur.store.signatures import judged_as
from demur.store.stores import Store
from demur.version import __version__

_INSTEAD: Final = ("again", "on", "untag", "forget")
"""Options that name a run that is there already."""

_POLICIES: Final = (*POLICIES, "no_answer")


def run(arguments: Namespace) -> int:
    """Keep, judge anew, tag or forget; and say what is there now."""
    _check_together(arguments)
    kinds = Rejudged.KINDS if arguments.again else Kept.KINDS
    read = [*arguments.outcomes, *arguments.responses, arguments.references]
    shared.check_asked(arguments, kinds, [*read, arguments.lock])
    if arguments.forget or arguments.on or arguments.untag:
        with opened(arguments) as store:
            return _changed(store, arguments)
    if arguments.again:
        how = _how_judged(arguments)
        references = _references(arguments) if arguments.references else None
        with opened(arguments) as store:
            again = judge_again(
                store,
                arguments.again,
                references=references,
                **_told(arguments),
                **how,
            )
        return shared.finish(again, arguments)
    outcomes, records = _outcomes(arguments)
    lock = _lock(arguments.lock) if arguments.lock else None
    with opened(arguments, make=True) as store:
        kept = keep(store, outcomes, lock=lock, **_told(arguments), **records)
    return shared.finish(kept, arguments)


def _told(arguments: Namespace) -> dict[str, Any]:
    return {
        "when": present(arguments),
        "tags": arguments.tag,
        "note": arguments.note or "",
    }


def _check_together(arguments: Namespace) -> None:
    """Refuse options that do not go together, before anything is read."""
    instead = next((name for name in _INSTEAD if getattr(arguments, name)), "")
    if instead:
        _check_instead(arguments, instead)
        return
    of_responses, of_references = map(bool, (arguments.responses, arguments.references))
    if of_responses != of_references:
        got = "--responses alone" if of_responses else "--references alone"
        _refuse("--responses and --references", "be given together", got)
    if arguments.judged and not arguments.outcomes:
        hint = "What is judged here has its own signature."
        _refuse("--judged", "come with OUTCOMES", "none", hint)
    if arguments.outcomes and arguments.by:
        hint = "Leave OUTCOMES out: --responses and --references are judged."
        _refuse("--by", "come without OUTCOMES, which are judged", "both", hint)
    if not arguments.outcomes and not (of_responses and arguments.by):
        got = "--responses without --by" if of_responses else "none"
        hint = "Or judge: --responses R --references REF --by COMPARATOR."
        _refuse("OUTCOMES", "be given", got, hint)


def _check_instead(arguments: Namespace, name: str) -> None:
    """Refuse what does not go with a run that is there already."""
    if arguments.outcomes or arguments.responses:
        _refuse(f"--{name}", "come without OUTCOMES and --responses", "both")
    if arguments.judged:
        _refuse(f"--{name}", "come without --judged", "both")
    if name in ("on", "untag") and not arguments.tag:
        _refuse(f"--{name}", "come with --tag", "none")
    if name != "again" and (arguments.references or arguments.by):
        need = "come with --again or --responses"
        _refuse("--references and --by", need, f"--{name}")


def _refuse(option: str, need: str, got: str, hint: str = "") -> None:
    raise WrongUsage("keep", option, need, got, hint)


def _changed(store: Store, arguments: Namespace) -> int:
    """Tags put on or taken off, or a run forgotten."""
    when = present(arguments)
    if arguments.forget:
        number = store.forget(arguments.forget, when=when)
        facts: dict[str, Any] = {"run": number, "forgotten": True}
        show(
            as_json({"demur": __version__, **facts})
            if arguments.json
            else f"Run {number} is forgotten."
        )
        return FINE
    change = store.tag if arguments.on else store.untag
    kept = store.run(arguments.on or arguments.untag)
    for tag in arguments.tag:
        kept = change(kept, tag, when=when)
    tags = ", ".join(kept.tags) or "no tag"
    show(
        as_json(document(kept))
        if arguments.json
        else f"Run {kept.number} bears {tags} now."
    )
    return FINE


# -- what is kept ----------------------------------------------------------------------


def _outcomes(arguments: Namespace) -> tuple[Any, dict[str, Any]]:
    """Outcomes, read or judged, and the records that are kept with them."""
    how = shared.how_read(arguments)
    records = {}
    if arguments.responses:
        records = {
            "responses": formats.read_responses(*arguments.responses, **how),
            "references": _references(arguments),
        }
    if arguments.outcomes:
        outcomes = formats.read_outcomes(
            *arguments.outcomes, groups=None, display=True, **how
        )
        if arguments.judged:
            outcomes = judged_as(outcomes, arguments.judged)
    else:
        judged = _how_judged(arguments)
        with shared.policies_typed():
            outcomes = judge(records["responses"], records["references"], **judged)
    return shared.with_selection(outcomes, arguments), records


def _references(arguments: Namespace) -> Any:
    path = arguments.references
    return formats.read_references(path, max_size=arguments.max_size)


def _how_judged(arguments: Namespace) -> dict[str, Any]:
    """What was said of how to judge; the rest is the usual, or as the run was."""
    how = {
        name: getattr(arguments, name)
        for name in ("by", "extract", *_POLICIES)
        if getattr(arguments, name)
    }
    if "by" in how:
        how["by"] = _with_databases(how["by"], arguments)
    return how


def _with_databases(by: Any, arguments: Namespace) -> Any:
    limits = shared.named(arguments, "timeout", "cache")
    given = {name: value for name, value in limits.items() if value is not None}
    if not isinstance(by, answers.Sql):
        if arguments.db_root or given:
            raise WrongUsage(
                "keep", "--db-root", "be given with --by sql", f"--by {by}"
            )
        return by
    root = arguments.db_root or os.environ.get("DEMUR_DB_ROOT") or None
    return on_databases(by, Databases(root=root, **given))


def _lock(path: str) -> str:
    """The text of a lock file; an error if it is none."""
    from demur.decisions.locks import read_locks

    read_locks(path)
    return small_file(path).decode("utf-8")
