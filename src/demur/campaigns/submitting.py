"""Answers handed in: who, when and how many are checked, then the file, then it stays.

The file is placed first, then the log says so: whoever is killed between leaves a file
that no entry names, which the next one clears away.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from demur.campaigns.arrivals import ArrivedFile, arrived, clear_strays, place
from demur.campaigns.chain import listed_files
from demur.campaigns.checking import AnswersCheck, check_answers
from demur.campaigns.folder import PACK, SUBMISSIONS, Campaign, Submission, Team
from demur.campaigns.moments import moment_text
from demur.campaigns.packs import PACKED, QuestionPack, read_pack
from demur.campaigns.quotas import Quota, quota_of
from demur.campaigns.rules import Phase
from demur.campaigns.teams import authenticate, known_team
from demur.checks import choice, whole
from demur.errors import InputError, ParseError, shown
from demur.files import small_file
from demur.results import Result, printable

LONGEST_NAME = 80


class AnswersRefused(InputError):
    """A file of answers that is not whole; ``check`` says what is wrong."""

    def __init__(self, check: AnswersCheck) -> None:
        self.check = check
        need, hint = "be whole", "It has used no submission."
        super().__init__(check.name, "the file", need, f"{check.n_faults} faults", hint)


@dataclass(frozen=True, eq=False, repr=False)
class Receipt(Result):
    """What a team keeps of a submission: whoever changes the log later, it shows.

    Parameters
    ----------
    campaign : str
        Its name.
    number : int
        Of the submission.
    team, system, phase : str
    when : datetime
        In UTC.
    sha256 : str
        Of the file, as it was handed in.
    entry : int
        The number of its entry in the log.
    head : str
        The hash of that entry, which depends on all before it.
    quota : Quota, optional
        What the team has left; None of a receipt that was read.
    same_as : tuple of int
        Submissions of the team that hold the same bytes.
    late : bool
        Whether the phase had closed, and the grace was used.
    unranked : str
        Why no rank will come of it, if that can be told already.
    """

    campaign: str
    number: int
    team: str
    system: str
    phase: str
    when: datetime
    sha256: str
    entry: int
    head: str
    quota: Quota | None = None
    same_as: tuple[int, ...] = ()
    late: bool = False
    unranked: str = ""

    def sentence(self) -> str:
        """That the file was taken."""
        return f"Submission {self.number} of {printable(self.team)} is taken."

    def to_text(self, *, wide: bool = False) -> str:
        """What the command line prints, a line for each part."""
        del wide
        plain = self.to_dict()
        lines = [f"{name:9}{printable(str(plain[name]))}" for name in plain]
        return "\n".join([self.sentence(), "", *lines, *map(_note, self.notes)])

    @property
    def notes(self) -> tuple[str, ...]:
        """Lateness, the same file again, and what is left."""
        late = "the phase had closed: taken in its grace" if self.late else ""
        numbers = ", ".join(map(str, self.same_as))
        again = f"the same bytes as submission {numbers}" if numbers else ""
        used = f"used: {self.quota.sentence()}" if self.quota else ""
        return tuple(text for text in (late, again, self.unranked, used) if text)

    def to_dict(self) -> dict[str, Any]:
        """The receipt as plain values for JSON."""
        return {
            "campaign": self.campaign,
            "number": self.number,
            "team": self.team,
            "system": self.system,
            "phase": self.phase,
            "when": moment_text(self.when),
            "sha256": self.sha256,
            "entry": self.entry,
            "head": self.head,
        }

    def to_json(self) -> bytes:
        """The bytes of a file of it."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        return f"{text}\n".encode()


def _note(text: str) -> str:
    return f"note: {text}"


def submit(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    team: str,
    token: str,
    now: datetime,
    system: str | None = None,
) -> Receipt:
    """Hand in a file of answers.

    Parameters
    ----------
    campaign : Campaign
    path : path
        Of the file, JSON Lines, plain or packed by gzip or zstd.
    team, token : str
        Who hands it in, and what it was given.
    now : datetime
        In UTC.
    system : str, optional
        What answered; else what the file calls it, else the name of the team.

    Returns
    -------
    Receipt

    Raises
    ------
    AnswersRefused
        If the file is not whole; it uses no submission.
    InputError
        If the token is another, no phase is open, or no submission is left.
    """
    member = authenticate(campaign, team, token)
    check_system_name(system)
    phase = _open_phase(campaign, member, now)
    _check_quota(campaign, member, phase, now)
    pack = pack_of(campaign)
    with arrived(campaign, path) as copy:
        check = check_answers(copy.path, pack, name=printable(os.fspath(path)))
        _check_named(check, system)
        if not check.is_whole:
            facts = {"reason": "not whole", "faults": dict(check.counts)}
            campaign.append("refused", when=now, team=team, **facts)
            raise AnswersRefused(check)
        with campaign.writing(now):
            # Others may have come in between, and the organiser, too.
            phase = _open_phase(campaign, member, now)
            _check_quota(campaign, member, phase, now)
            clear_strays(campaign)
            name = system or check.system or team
            return _taken(campaign, copy, check, (member, name, phase), now)


def _taken(
    campaign: Campaign,
    copy: ArrivedFile,
    check: AnswersCheck,
    whose: tuple[Team, str, Phase],
    now: datetime,
) -> Receipt:
    """Place the file, then add its entry."""
    team, system, phase = whose
    before = campaign.submissions
    number = max(before, default=0) + 1
    same = [n for n, held in before.items() if held.sha256 == copy.sha256]
    name = f"{SUBMISSIONS}/{number:04d}{copy.ending}"
    place(copy, campaign.inside(name))
    counts = ("items", "answered", "unanswered", "declined")
    entry = campaign.log.append(
        "submitted",
        when=now,
        number=number,
        team=team.name,
        system=system,
        phase=phase.name,
        files={name: copy.sha256},
        answers={key: getattr(check, key) for key in counts},
        confidences=check.confidences,
        same_as=same,
        late=now >= phase.closes,
    )
    taken = campaign.submissions[number]
    return replace(
        receipt_of(campaign, taken, entry.hash),
        quota=quota_of(campaign, team.name, phase, now),
        same_as=tuple(n for n in same if before[n].team == team.name),
        late=taken.late,
        unranked=check.unranked,
    )


def receipt_of(campaign: Campaign, submission: Submission, head: str) -> Receipt:
    """The receipt of a submission."""
    names = ("number", "team", "system", "phase", "when", "sha256", "entry")
    plain = {name: getattr(submission, name) for name in names}
    return Receipt(campaign=campaign.rules.name, head=head, **plain)


def pack_of(campaign: Campaign) -> QuestionPack:
    """The pack that was sent out.

    Raises
    ------
    InputError
        If there is none, or it was changed since the log named it.
    """
    pack = read_pack(campaign.inside(PACK))
    logged = listed_files(campaign.entries).get(f"{PACK}/{PACKED}")
    if logged is not None and logged[0] != pack.sha256:
        need = f"be the one of entry {logged[1]} of the log"
        hint = "demur campaign verify says what was changed."
        raise InputError(str(pack.path), "the pack", need, "another", hint)
    return pack


def check_system_name(system: str | None) -> None:
    """Refuse a name of a system that takes more than a line."""
    if system is None:
        return
    if not system.strip() or not system.isprintable() or len(system) > LONGEST_NAME:
        need = f"be printable, on one line, of at most {LONGEST_NAME} characters"
        raise InputError("campaign submit", "the system", need, shown(system))


def _check_named(check: AnswersCheck, system: str | None) -> None:
    check_system_name(check.system or None)
    if system and check.system and system != check.system:
        need = f"be {shown(check.system)}, as the file says, or be left out"
        raise InputError("campaign submit", "the system", need, shown(system))


# -- who may, and when -----------------------------------------------------------------


def _open_phase(campaign: Campaign, team: Team, now: datetime) -> Phase:
    """The phase that is open; a team that is late is told, and so is the log."""
    phase = campaign.phase(now)
    if phase is not None and campaign.closed is None:
        return phase
    following = campaign.rules.next_phase(now)
    over = [one for one in campaign.rules.phases if one.ends <= now]
    hint = "There is no other phase."
    if campaign.closed is not None:
        got = f"closed since {moment_text(campaign.closed.when)}"
    elif over:
        got = f"closed since {moment_text(over[-1].ends)} ({over[-1].name})"
    else:
        got = "not yet open"
    if following is not None and campaign.closed is None:
        hint = f"Phase {following.name} opens {moment_text(following.opens)}."
    campaign.append("refused", when=now, team=team.name, reason="no phase is open")
    need, got = "be open", f"{got}; it is {moment_text(now)}"
    raise InputError("campaign submit", "a phase", need, got, hint)


def _check_quota(campaign: Campaign, team: Team, phase: Phase, now: datetime) -> None:
    try:
        quota_of(campaign, team.name, phase, now).check()
    except InputError:
        campaign.append("refused", when=now, team=team.name, reason="none is left")
        raise


# -- what else may happen to a submission ----------------------------------------------


def withdraw(
    campaign: Campaign, number: int, *, team: str, token: str, now: datetime
) -> Submission:
    """Withdraw a submission: it is scored no more, and stays in the log.

    Raises
    ------
    InputError
        If it is another team's, there is none, it is withdrawn already, or the
        campaign is closed.
    """
    member = authenticate(campaign, team, token)
    with campaign.writing(now):
        if campaign.closed is not None:
            got = f"closed since {moment_text(campaign.closed.when)}"
            raise InputError("campaign withdraw", "the campaign", "be open", got)
        taken = campaign.submissions.values()
        of_team = {one.number: one for one in taken if one.team == member.name}
        if number not in of_team:
            listed = ", ".join(map(str, of_team)) or "none"
            need, got = "be one of the team's own", f"{number}; there are {listed}"
            raise InputError("campaign withdraw", "the number", need, got)
        before = of_team[number].withdrawn
        if before is not None:
            got = f"withdrawn since {moment_text(before)}"
            need = "not be withdrawn already"
            raise InputError("campaign withdraw", f"submission {number}", need, got)
        campaign.log.append("withdrawn", when=now, number=number, team=member.name)
        return campaign.submissions[number]


def grant(
    campaign: Campaign,
    team: str,
    *,
    slots: int,
    phase: str,
    now: datetime,
    day: str | None = None,
) -> None:
    """Give a team further submissions in a phase, and in a UTC day of it.

    Raises
    ------
    InputError
        If there is no such team, or no such phase.
    """
    member = known_team(campaign, team)
    names = [one.name for one in campaign.rules.phases]
    choice("campaign grant", "the phase", phase, names)
    whole("campaign grant", "slots", slots, 1)
    ends = campaign.rules.phases[names.index(phase)].ends
    if campaign.closed is None and ends <= now:
        hint = "A later closes or grace in campaign.toml opens it again, for all."
        need, got = "not be over", f"{shown(phase)}, which ended {moment_text(ends)}"
        raise InputError("campaign grant", "the phase", need, got, hint)
    facts = {"team": member.name, "phase": phase, "slots": slots, "day": day}
    campaign.append("granted", when=now, **facts)


def read_receipt(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """A receipt from a file, as plain values.

    Raises
    ------
    ParseError
        If it is none.
    """
    where = printable(os.fspath(path))
    try:
        held = json.loads(small_file(path))
        if not isinstance(held, dict) or not {"entry", "head", "sha256"} <= set(held):
            raise ValueError("no receipt")
    except OSError as error:
        got = error.strerror or str(error)
        raise InputError(where, "the receipt", "be readable", got) from None
    except (ValueError, RecursionError) as error:
        need = "be a receipt, as demur campaign submit writes it"
        raise ParseError(where, "the file", need, str(error)) from None
    return held
