"""The verb that collects questions: of several sites, with labels and meanings."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from demur.campaigns.folded_labels import DISPUTED, FoldedLabels, fold_labels
from demur.campaigns.folder import Campaign
from demur.campaigns.kept_collections import (
    FINDINGS_FILE,
    LABELS_FILE,
    REFERENCES_FILE,
    Collection,
    adjudication_records,
    folder_names,
    newest_collection,
    next_number,
    stipulation_record,
)
from demur.campaigns.leak_search import search_leaks
from demur.campaigns.public_parts import in_order_of_dialogues, public_question
from demur.campaigns.shared_meanings import SharedMeanings, merge_meanings
from demur.campaigns.site_files import (
    BrokenSite,
    Placed,
    check_site,
    merge_sites,
    plain_site,
    read_site,
)
from demur.errors import InputError
from demur.files import new_folder
from demur.formats import iter_records, write_records
from demur.formats.reading import Columns
from demur.outcomes.contexts import dialogue_turn
from demur.outcomes.records import Reference, plain_reference
from demur.outcomes.values import json_or_text
from demur.references.adjudications import (
    Adjudication,
    changed_references,
    read_adjudications,
    side_effects,
)
from demur.references.findings import Finding
from demur.references.merging import CONTRIBUTED, CONTRIBUTOR
from demur.references.stipulations import Stipulation, read_stipulations
from demur.results import Column, Figure, Result, Table, count, with_noun

if TYPE_CHECKING:
    from demur.references.linting import Lints

_SITES: Final = (
    Column("site"),
    Column("questions", cells="count"),
    Column("asked_before", "", "count", "by a site before"),
    Column("disputed", cells="count", explained="excluded until somebody decides"),
    Column("excluded", cells="count", explained="of class X or marked, or disputed"),
)
_CHECKS: Final = (Column("check"), Column("findings", cells="count"))


@dataclass(frozen=True, eq=False, repr=False)
class Collected(Result):
    """Questions that were collected, and what somebody should look at.

    Parameters
    ----------
    number : int
        Of the collection, from 1.
    records : tuple of mapping
        All questions with their answers.
    findings : tuple of Finding
        What merging and lint found.
    folded : FoldedLabels or None
        The classes that annotators agree on; None without labels.
    broken : tuple of BrokenSite
        Sites that were left out, or are as they were before.
    place : str
        The file with the findings.
    notes : tuple of str
        What a reader must know.
    """

    KINDS = (
        count("questions", "questions"),
        count("disputed", "disputed questions", better="lower"),
        count("findings", "findings", better="lower"),
        count("broken", "sites whose file is broken", better="lower"),
    )

    number: int
    records: tuple[Mapping[str, Any], ...]
    findings: tuple[Finding, ...]
    folded: FoldedLabels | None
    broken: tuple[BrokenSite, ...]
    place: str
    notes: tuple[str, ...] = field(default=())

    def figures(self) -> Iterator[Figure]:
        """Questions, disputed ones, findings, and broken sites."""
        disputed = sum(record.get("class") == DISPUTED for record in self.records)
        numbers = len(self.records), disputed, len(self.findings), len(self.broken)
        yield from map(Figure, self.KINDS, numbers)

    def sentence(self) -> str:
        """How much was collected, how far annotators agree, what was found."""
        sites = len({record[CONTRIBUTOR] for record in self.records})
        lines = [
            f"Collection {self.number}: {len(self.records)} questions of {sites} sites."
        ]
        if self.folded is not None:
            rules = self.folded.rules
            counted = ", ".join(f"{n} {rule}" for rule, n in rules.items())
            lines.append(f"Classes of {sum(rules.values())} questions: {counted}.")
            lines.append(self.folded.agreement.sentence())
        number = len(self.findings)
        words = "Nothing was found." if not number else f"{number} findings"
        lines.append(f"{words}: {self.place}" if number else words)
        return "\n".join(lines)

    def tables(self) -> tuple[Table, Table]:
        """A row for each site, and one for each check that found something."""
        again = {one.item for one in self.findings if one.check == "same-question"}
        sites: dict[str, Counter[str]] = {}
        for record in self.records:
            counted = sites.setdefault(str(record[CONTRIBUTOR]), Counter())
            counted["questions"] += 1
            counted["again"] += str(record["item"]) in again
            counted["disputed"] += record.get("class") == DISPUTED
            counted["excluded"] += bool(is_excluded(record))
        names = ("questions", "again", "disputed", "excluded")
        rows = [(s, *(n[name] for name in names)) for s, n in sites.items()]
        checks = Counter(one.check for one in self.findings)
        return (
            Table("", _SITES, tuple(rows)),
            Table("Findings", _CHECKS, tuple(checks.items())),
        )

    def to_dict(self) -> dict[str, Any]:
        """The collection as plain values for JSON, without the questions."""
        return {
            "number": self.number,
            "questions": len(self.records),
            "classes": classes_of(self.records),
            "labels": labels_facts(self.folded),
            "findings": [finding.to_dict() for finding in self.findings],
            "broken": [str(one) for one in self.broken],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class CollectedFiles:
    """What is handed in, as paths.

    Parameters
    ----------
    sites : mapping of site to sequence of path
        Questions with their answers.
    meanings : mapping of site to sequence of path
        Stipulations.
    labels : sequence of path
        Long tables of annotators' labels; they replace those of before.
    adjudicated : sequence of path
        Decisions on references; they are added to those of before.
    columns : str or mapping, optional
        What columns are called in the files of sites.
    """

    sites: Mapping[str, Sequence[str]] = field(default_factory=dict)
    meanings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    labels: Sequence[str] = ()
    adjudicated: Sequence[str] = ()
    columns: Columns = None


def collect(
    campaign: Campaign,
    files: CollectedFiles,
    *,
    when: datetime,
    together: bool = False,
    db_root: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Collected:
    """Take in questions, labels, meanings and decisions, and lint all of it.

    What is not handed in again stays as it was in the collection before; that one is
    kept. A site whose file is broken is left out, or stays as it was.

    Parameters
    ----------
    campaign : Campaign
        Not frozen yet.
    files : CollectedFiles
    when : datetime
        In UTC.
    together : bool
        Whether one broken site stops all.
    db_root : path, optional
        Of the databases; by default that of the rules, else the folder of each file.
    progress : callable, optional
        Called with the numbers of queries that are done and of all.

    Raises
    ------
    InputError
        If the campaign is frozen, all sites are broken, a label is of an unknown
        question, or a decision is not what it must be.
    """
    with campaign.writing(when):
        check_not_frozen(campaign)
        before = newest_collection(campaign)
        handed_in = _HandedIn(before)
        handed_in.read(files, together=together)
        root = databases_root(campaign, db_root)
        put = _put_together(handed_in, root, progress)
        number = next_number(campaign)
        hidden, _ = folder_names(number)
        result = Collected(
            number=number,
            records=tuple(record for _, record in put.placed),
            findings=put.findings,
            folded=put.folded,
            broken=tuple(handed_in.broken),
            place=f"{hidden}/{FINDINGS_FILE}",
            notes=(*put.notes, *_none_run(put)),
        )
        names = _write(campaign, number, handed_in, put)
        campaign.log.append(
            "collected",
            when=when,
            number=number,
            sites={site: len(listed) for site, listed in handed_in.sites.items()},
            meanings=[site for site, listed in handed_in.meanings.items() if listed],
            broken={one.site: Path(one.place).name for one in handed_in.broken},
            classes=classes_of(result.records),
            labels=labels_facts(put.folded),
            decisions=sum(map(len, handed_in.decisions)),
            findings=dict(Counter(one.check for one in put.findings)),
            files=campaign.digests(*names),
        )
        return result


def _none_run(put: "_PutTogether") -> Iterator[str]:
    """What is said where no query ran at all: then the databases are not there."""
    queried = {
        str(record["item"])
        for _, record in put.placed
        if record.get("db") and (record.get("sql") or record.get("sqls"))
    }
    failed = {one.item for one in put.findings if one.check == "gold-fails"}
    if queried and queried <= failed:
        yield (
            f"no query of {with_noun(len(queried), 'question')} has run, so none was "
            "checked: databases under [scoring] in campaign.toml, or --db-root, says "
            "where the databases are"
        )


def check_not_frozen(campaign: Campaign) -> None:
    """Refuse to collect after the campaign was frozen.

    Raises
    ------
    InputError
        With when that was.
    """
    for entry in campaign.events("frozen"):
        need = "not be frozen"
        got = f"so since {entry.when:%Y-%m-%d %H:%M} UTC, entry {entry.number}"
        hint = "demur campaign adjudicate changes a disputed reference."
        raise InputError(str(campaign.path), "the campaign", need, got, hint)


def databases_root(
    campaign: Campaign, given: str | Path | None = None
) -> str | Path | None:
    """Where databases lie: as given, else by the rules, from the campaign's folder on.

    None if nothing says so.
    """
    named = campaign.rules.scoring.databases
    if given is not None or named is None:
        return given
    return named if "://" in named else campaign.path / named


def is_excluded(record: Mapping[str, Any]) -> bool:
    """Whether a question is not to be asked, by its class or by a mark.

    Examples
    --------
    >>> is_excluded({"item": 1, "class": "x"}), is_excluded({"item": 1, "class": "A"})
    (True, False)
    """
    return dialogue_turn(record, "a question").excluded


def classes_of(records: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many questions each class has; "" is none."""
    counted = Counter(str(record.get("class") or "") for record in records)
    return dict(sorted(counted.items()))


def labels_facts(folded: FoldedLabels | None) -> dict[str, Any] | None:
    """How labels were folded, for the log."""
    if folded is None:
        return None
    alpha = folded.agreement.alpha
    rounded = None if alpha is None else round(alpha, 4)
    return {**folded.rules, "alpha": rounded, "left_out": folded.left_out}


# -- what was handed in ----------------------------------------------------------------


class _HandedIn:
    """What was collected before, and what is handed in now."""

    def __init__(self, before: Collection | None) -> None:
        self.sites: dict[str, list[Placed]] = before.sites() if before else {}
        self.meanings: dict[str, list[Stipulation]] = (
            before.meanings() if before else {}
        )
        self.labels: list[Placed] = before.labels() if before else []
        self.decisions: list[list[Adjudication]] = (
            before.adjudications() if before else []
        )
        self.broken: list[BrokenSite] = []

    def read(self, files: CollectedFiles, *, together: bool) -> None:
        """Read what is handed in; of a broken site nothing is taken."""
        for site in dict.fromkeys((*files.sites, *files.meanings)):
            check_site(site)
            try:
                self._read_site(site, files)
            except InputError as problem:
                self.broken.append(BrokenSite(site, problem))
        if self.broken and (together or not self.sites):
            raise of_site(self.broken[0].site, self.broken[0].problem)
        if not self.sites:
            need, hint = "name a site's file", "SITE=FILE, such as bbn=bbn.jsonl."
            raise InputError("collect", "what is collected", need, "none", hint)
        if files.labels:
            self.labels = list(iter_records(*files.labels))
        if files.adjudicated:
            self.decisions.append(read_adjudications(*files.adjudicated))

    def _read_site(self, site: str, files: CollectedFiles) -> None:
        """All files of a site, or none of them."""
        # In order of their names, so that it does not count when a site comes.
        sites, meanings = dict(self.sites), dict(self.meanings)
        if site in files.sites:
            sites[site] = read_site(site, files.sites[site], files.columns)
        if site in files.meanings:
            meanings[site] = read_stipulations(*files.meanings[site])
        self.sites, self.meanings = (
            dict(sorted(sites.items())),
            dict(sorted(meanings.items())),
        )

    @property
    def absent(self) -> list[str]:
        """Broken sites of which nothing was collected before either."""
        return [one.site for one in self.broken if one.site not in self.sites]


def of_site(site: str, problem: InputError) -> InputError:
    """A problem of a site's file, with the name of the site."""
    parts = problem.what, problem.must, problem.got, problem.hint
    return InputError(f"{site}: {problem.where}", *parts)


@dataclass(frozen=True)
class _PutTogether:
    """All questions, as they will be asked and judged."""

    placed: list[Placed]
    meanings: SharedMeanings
    folded: FoldedLabels | None
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]


def _put_together(
    handed_in: _HandedIn,
    root: str | Path | None,
    progress: Callable[[int, int], None] | None,
) -> _PutTogether:
    merged = merge_sites(handed_in.sites)
    places = [place for listed in handed_in.sites.values() for place, _ in listed]
    placed = list(zip(places, merged.records, strict=True))
    meanings = merge_meanings(handed_in.meanings)
    called = {str(one["item"]): str(one[CONTRIBUTED]) for one in merged.records}
    folded = fold_labels(handed_in.labels, called, handed_in.absent)
    placed = [
        (place, _with_class(_citing(record, meanings), folded))
        for place, record in placed
    ]
    notes: list[str] = []
    for decisions in handed_in.decisions:
        before, placed = placed, decided(placed, decisions)
        notes += side_effects(as_references(before), decisions)
    placed = [(place, _marked(record)) for place, record in placed]
    linted = lint_all(placed, meanings.stipulations, root, progress)
    again = [one for one in merged.findings if one.check == "same-question"]
    if folded is not None:
        unlabelled = len(placed) - len(folded.classes)
        if unlabelled:
            questions = with_noun(unlabelled, "question")
            notes.append(f"{questions} without labels: the class is that of the site")
        if folded.left_out:
            notes.append(f"{with_noun(folded.left_out, 'label')} of sites left out")
    silent = sum(one.get("input") in (None, "") for _, one in placed)
    if silent:
        notes.append(f"{with_noun(silent, 'question')} without input: nothing to ask")
    findings = (
        *told_answers(placed, meanings),
        *meanings.findings,
        *again,
        *_disputed_by_name(linted.findings, placed),
    )
    return _PutTogether(placed, meanings, folded, findings, tuple(notes))


def _disputed_by_name(
    findings: Iterable[Finding], placed: Iterable[Placed]
) -> Iterator[Finding]:
    """Findings, where a disputed class is not just one that lint does not know."""
    disputed = {str(one["item"]) for _, one in placed if one.get("class") == DISPUTED}
    for finding in findings:
        if finding.check == "unknown-class" and finding.item in disputed:
            text = "annotators do not agree on its class; adjudicate it"
            finding = replace(finding, message=text)
        yield finding


def told_answers(
    placed: Sequence[Placed], meanings: SharedMeanings
) -> Iterator[Finding]:
    """Questions and meanings, which are public, that tell answers.

    Yields
    ------
    Finding
        The check is "answer-told"; the answer is not quoted.
    """
    records = [record for _, record in placed]
    rows = map(public_question, records)
    stipulations = map(stipulation_record, meanings.stipulations)
    files = {
        "questions": b"".join(msgspec.json.encode(row) + b"\n" for row in rows),
        "meanings": b"".join(msgspec.json.encode(one) + b"\n" for one in stipulations),
    }
    places = {str(record["item"]): place for place, record in placed}
    for leak in search_leaks(files, records, questions="questions").leaks:
        item, where = leak.value.item, leak.place.partition(":")[0]
        text = f"{leak.value.field} stands in the public {where}, {leak.why}"
        yield Finding(item, "answer-told", text, places[item])


def lint_all(
    placed: Sequence[Placed],
    stipulations: Sequence[Stipulation],
    root: str | Path | None,
    progress: Callable[[int, int], None] | None = None,
) -> "Lints":
    """Lint questions, with meanings if there are any."""
    how: dict[str, Any] = {"db_root": root, "progress": progress}
    from demur.references.linting import lint  # loads sqlglot, which others need not

    return lint(placed, meanings=stipulations or None, **how)


def _citing(record: Mapping[str, Any], meanings: SharedMeanings) -> dict[str, Any]:
    """A record that cites meanings by the ids that they have for all."""
    names = meanings.renamed.get(str(record[CONTRIBUTOR]), {})
    cited = record.get("meanings")
    if not names or not cited:
        return dict(record)
    if isinstance(cited, str):
        listed = json_or_text(cited) if cited.lstrip().startswith("[") else None
        cited = listed if isinstance(listed, list) else cited.split(",")
    if not isinstance(cited, (list, tuple)):
        return dict(record)
    plain = (str(name).strip() for name in cited)
    return {**record, "meanings": [names.get(name, name) for name in plain]}


def _with_class(record: dict[str, Any], folded: FoldedLabels | None) -> dict[str, Any]:
    """A record with the class that was agreed; that of the site is kept beside it."""
    label = folded.classes.get(str(record["item"])) if folded else None
    if label is None:
        return record
    former = record.get("class")
    kept = {} if former in (None, "") else {"contributed_class": former}
    return {**record, **kept, "class": label}


def _marked(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record that is excluded if its class is disputed."""
    if record.get("class") == DISPUTED:
        return {**record, "excluded": True}
    return dict(record)


def as_references(placed: Iterable[Placed]) -> list[Reference]:
    """Questions as references, to be decided on."""
    from demur.formats import reference_of

    return [reference_of(record, place) for place, record in placed]


def decided(
    placed: Sequence[Placed], decisions: Sequence[Adjudication]
) -> list[Placed]:
    """Questions as they were decided on; all others are as they were.

    Raises
    ------
    InputError
        If a decision is of an unknown item, or changes nothing that is known.
    """
    touched = {one.item for one in decisions}
    references = changed_references(as_references(placed), decisions)
    changed = {str(one.item): one for one in references}
    return [
        (place, plain_reference(changed[item]) if item in touched else record)
        for place, record in placed
        if (item := str(record["item"])) in changed
    ]


# -- what is written -------------------------------------------------------------------


_Records = Mapping[str, Iterable[Mapping[str, Any]]]


def _write(
    campaign: Campaign, number: int, handed_in: _HandedIn, put: _PutTogether
) -> list[str]:
    """Write both folders; what they hold, by names within the campaign."""
    records = [record for _, record in put.placed]
    public: dict[str, Iterable[Mapping[str, Any]]] = {
        "questions.jsonl": map(public_question, in_order_of_dialogues(records))
    }
    if put.meanings.stipulations:
        public["meanings.jsonl"] = map(stipulation_record, put.meanings.stipulations)
    written: list[str] = []
    sets = _hidden_files(handed_in, put), public
    for folder, files in zip(folder_names(number), sets, strict=True):
        campaign.inside(folder).parent.mkdir(parents=True, exist_ok=True)
        with new_folder(campaign.inside(folder)) as part:
            for name, rows in files.items():
                (part / name).parent.mkdir(exist_ok=True)
                write_records(rows, part / name)
                written.append(f"{folder}/{name}")
    return written


def _hidden_files(handed_in: _HandedIn, put: _PutTogether) -> _Records:
    """What holds answers: all that was handed in, and what was made of it."""
    labels = {LABELS_FILE: plain_site(handed_in.labels)} if handed_in.labels else {}
    return {
        REFERENCES_FILE: [record for _, record in put.placed],
        FINDINGS_FILE: [finding.to_dict() for finding in put.findings],
        **{f"sites/{s}.jsonl": plain_site(one) for s, one in handed_in.sites.items()},
        **{
            f"meanings/{site}.jsonl": [*map(stipulation_record, stipulations)]
            for site, stipulations in handed_in.meanings.items()
            if stipulations
        },
        **labels,
        **{
            f"adjudications/{at:04}.jsonl": adjudication_records(decisions)
            for at, decisions in enumerate(handed_in.decisions, 1)
            if decisions
        },
    }
