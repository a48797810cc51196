"""Boards: what an open one keeps back, what a closed one shows, who has which rank."""

import csv
import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from campaign_cases import AFTER, DURING, hand_in, played, take_in, write_lines
from demur.campaigns import judging_workers, scoring_queue
from demur.campaigns.board_figures import with_ladder
from demur.campaigns.closed_boards import ClosedBoard
from demur.campaigns.folder import Campaign
from demur.campaigns.live_boards import BLIND, SILENT, LiveBoard, leak_budget
from demur.campaigns.publishing import (
    board_of,
    close_campaign,
    publish_board,
    table_rows,
    version_lines,
)
from demur.campaigns.scoring_queue import score_campaign
from demur.campaigns.standing import standing
from demur.cli.campaign_scoring import page_of
from demur.errors import InputError

N = 40
EVIL = "=1+<script>alert(1)<&\"'"


def here(tasks: Any, references: str, how: Any, **_: Any) -> Any:
    known: list[Any] = []
    for task in tasks:
        yield judging_workers._done(task, {"references": references, "how": how}, known)


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring_queue, "judged_by_processes", here)


def clock() -> datetime:
    return DURING


def questions() -> list[dict[str, Any]]:
    return [
        {
            "item": f"q{i:02}",
            "reference": f"hiddenword{i % 7}",
            "contributor": f"site{i % 2}",
            "class": f"kind{i % 3}",
        }
        for i in range(N)
    ]


def answers(wrong: int, answered: int = N) -> list[dict[str, Any]]:
    """So many wrong ones, the least sure first."""
    return [
        {
            "item": f"q{i:02}",
            "response": None
            if i >= answered
            else ("no" if i < wrong else f"hiddenword{i % 7}"),
            "confidence": i + 0.123456789,
        }
        for i in range(N)
    ]


def campaign_of(folder: Path, *wrong: int, **rules: Any) -> Campaign:
    campaign = played(folder, questions(), **rules)
    names = [EVIL, *(f"team {at}" for at in range(1, len(wrong)))]
    for at, name in enumerate(names):
        take_in(campaign, name, f"site{at}" if at < 1 else None)
    for name, number in zip(names, wrong, strict=True):
        hand_in(campaign, name, answers(number))
    return campaign


def scored(campaign: Campaign) -> Campaign:
    score_campaign(campaign, clock=clock)
    return campaign


def live(campaign: Campaign) -> LiveBoard:
    board = board_of(campaign, now=DURING)
    assert isinstance(board, LiveBoard)
    return board


def closed(campaign: Campaign) -> ClosedBoard:
    close_campaign(campaign, now=AFTER)
    board = board_of(campaign, now=AFTER)
    assert isinstance(board, ClosedBoard)
    return board


# -- open ------------------------------------------------------------------------------


def test_an_open_board_shows_rounded_numbers_alone(tmp_path: Path) -> None:
    campaign = scored(campaign_of(tmp_path / "c", 11, 21, 37))
    board = live(campaign)
    shown = {row.team: row.values for row in board.rows}
    # Of 40 items 8 wrong ones are not answered: 3, 13 and 29 are left.
    assert shown[EVIL] == (0.08,)
    assert shown["team 1"] == (0.33,)
    assert shown["team 2"] == (0.73,)
    assert [row.state for row in board.rows[3:]] == ["not competing"] * 2
    assert [row.team for row in board.rows[3:]] == [SILENT, BLIND]


def test_nothing_hidden_is_in_any_byte_of_an_open_board(tmp_path: Path) -> None:
    campaign = scored(campaign_of(tmp_path / "c", 11, 21, 37))
    board = live(campaign)
    publish_board(campaign, board, page_of(board), clock=clock)
    words = ["hiddenword", "0.075", "0.325", "0.725", "site0", "kind0", "q01"]
    files = [*(campaign.path / "boards").rglob("*.*")]
    assert len(files) == 3
    for path in [*files, campaign.path / "log.jsonl"]:
        text = path.read_text("utf-8")
        for word in words:
            by_team = path.name == "log.jsonl" and word == "site0"
            assert by_team or word not in text, (path, word)
    assert "differs" not in str(board)


def test_numbers_of_earlier_boards_stay_in_the_budget(tmp_path: Path) -> None:
    """Another rate each day tells another number of one and the same submission."""
    told = [one | {"item": f"q{at:03}"} for at, one in enumerate(questions() * 5)]
    rules = {"measure": "error@0.2", "submissions": 1, "more": ""}
    campaign = played(tmp_path / "c", told, **rules)
    take_in(campaign, "x")
    given = [{**answers(20)[at % N], "item": f"q{at:03}"} for at in range(5 * N)]
    hand_in(campaign, "x", given)
    board = live(scored(campaign))
    assert (board.budget.shown, board.budget.allowed) == (1, 3)
    path = campaign.path / "campaign.toml"
    for before, rate in enumerate(("0.3", "0.4")):
        text = path.read_text("utf-8").splitlines()
        listed = [f"rates = [{rate}]" if "rates" in one else one for one in text]
        path.write_text("\n".join(listed), "utf-8")
        board = live(Campaign(campaign.path))
        publish_board(Campaign(campaign.path), board, page_of(board), clock=clock)
        assert board.budget.shown == 2 + before
    path.write_text(path.read_text("utf-8").replace("rates = [0.4]", "rates = [0.5]"))
    with pytest.raises(InputError, match="must be at most 3 on 200 items; got 4"):
        live(Campaign(campaign.path))
    assert (
        "and 2 on earlier boards" in leak_budget(Campaign(path.parent), 200).lines()[0]
    )
    path.write_text(path.read_text("utf-8").replace("rates = [0.5]", "rates = []"))
    assert live(Campaign(campaign.path)).measures == ()


@pytest.mark.parametrize("size", [1, 10])
def test_dialogues_that_are_wrong_as_a_whole_may_be_luck(
    tmp_path: Path, size: int
) -> None:
    told = [{**one, "cluster": f"d{at // size}"} for at, one in enumerate(questions())]
    campaign = played(tmp_path / "c", told, measure="error")
    for team in ("x", "y"):
        take_in(campaign, team)
    for team, wrong in (("x", 5), ("y", 34)):
        hand_in(campaign, team, answers(wrong))
    ranks = [row.ranks for row in live(scored(campaign)).rows[:2]]
    assert ranks == ([(1, 1), (2, 2)] if size == 1 else [(1, 2), (1, 2)])


def test_a_board_depends_on_shown_figures_alone(tmp_path: Path) -> None:
    """Other verdicts with the same rounded figures make the same bytes."""
    pages = []
    for name, rate in (("a", "0.2"), ("b", "0.2")):
        campaign = played(tmp_path / name, questions(), rates=rate, digits=1)
        for team in ("x", "y"):
            take_in(campaign, team)
        hand_in(campaign, "x", answers(11 if name == "a" else 12))
        hand_in(campaign, "y", answers(30))
        board = live(scored(campaign))
        pages.append((json.dumps(board.to_dict()), page_of(board)))
    assert pages[0] == pages[1]


def test_a_board_beyond_the_budget_is_refused_by_its_figures(tmp_path: Path) -> None:
    campaign = scored(campaign_of(tmp_path / "c", 11, more=""))
    with pytest.raises(InputError, match=r"be at most 0 on 40 items; got 5"):
        board_of(campaign, now=DURING)
    assert leak_budget(campaign, 40).shown == 5
    assert leak_budget(campaign, 400).holds


def test_without_rates_nothing_can_be_learnt(tmp_path: Path) -> None:
    board = live(scored(campaign_of(tmp_path / "c", 11, 30, rates="", more="")))
    assert board.budget.shown == 0
    assert [row.values for row in board.rows[:2]] == [(), ()]
    assert all(row.ranks is None for row in board.rows)
    assert "nobody is ranked" in board.sentence()


def test_grants_and_slots_given_back_count(tmp_path: Path) -> None:
    campaign = campaign_of(tmp_path / "c", 11, 12)
    campaign.append("granted", when=DURING, team="team 1", phase="test", slots=3)
    assert leak_budget(campaign, 40).shown == 8
    path = tmp_path / "c" / "campaign.toml"
    path.write_text("withdrawn_counts = false\n" + path.read_text())
    assert leak_budget(Campaign(tmp_path / "c"), 40).shown is None


def test_what_boards_of_former_versions_have_shown_counts(tmp_path: Path) -> None:
    campaign = scored(campaign_of(tmp_path / "c", 11, 12))
    hand_in(campaign, EVIL, answers(13))
    board = live(scored(campaign))
    publish_board(campaign, board, page_of(board), clock=clock)
    assert leak_budget(campaign, 40).shown == 5
    name = "hidden/references.2.jsonl"
    first, *others = questions()
    write_lines(campaign.path / name, [{**first, "reference": "no"}, *others])
    facts = {"references": 2, "files": campaign.digests(name)}
    campaign.append("adjudicated", when=DURING, **facts)
    scored(campaign)
    assert leak_budget(campaign, 40).shown == 7  # two of one team were shown before


def test_the_ladder_moves_only_by_its_step(tmp_path: Path) -> None:
    more = 'accepts = ["leak"]\nladder = 0.1\nshow = "last"'
    campaign = campaign_of(tmp_path / "c", 20, more=more)
    for wrong in (19, 14, 30):
        hand_in(campaign, EVIL, answers(wrong))
    shown = []
    for number in range(1, 5):
        part = played(tmp_path / f"c{number}", questions(), more=more)
        take_in(part, "t")
        for wrong in (20, 19, 14, 30)[:number]:
            hand_in(part, "t", answers(wrong))
        shown.append(live(scored(part)).rows[0].values[0])
    assert shown == [0.3, 0.3, 0.15, 0.15]


def test_withdrawing_does_not_turn_the_ladder_back(tmp_path: Path) -> None:
    more = 'accepts = ["leak"]\nladder = 0.1'
    campaign = campaign_of(tmp_path / "c", 14, more=more)
    hand_in(campaign, EVIL, answers(16))
    scored(campaign)
    campaign.append("withdrawn", when=DURING, number=1, team=EVIL)
    row = live(campaign).rows[0]
    assert (row.submission, row.values) == (2, (0.15,))


def test_ladder_of_nothing_is_nothing() -> None:
    assert with_ladder([], 0.1) == []
    assert with_ladder([None, 0.5], 0.1) == [None, 0.5]


def test_who_has_nothing_to_show_is_not_ranked(tmp_path: Path) -> None:
    campaign = played(tmp_path / "c", questions())
    for team in ("good", "fair", "no answers", "broken", "gone", "idle"):
        take_in(campaign, team)
    hand_in(campaign, "good", answers(10))
    hand_in(campaign, "fair", answers(20))
    hand_in(campaign, "no answers", answers(0, answered=1))
    write_lines(campaign.path / "x", [])
    broken = hand_in(campaign, "broken", answers(1)[:3])
    hand_in(campaign, "gone", answers(0))
    campaign.append("withdrawn", when=DURING, number=5, team="gone")
    scored(campaign)
    assert broken == 4
    wanted = {
        "no answers": "no value",
        "broken": "failed",
        "gone": "withdrawn",
        "idle": "not scored",
    }
    states = {row.team: row for row in live(campaign).rows}
    for team, state in wanted.items():
        assert states[team].state == state
        assert states[team].ranks is None
    board = closed(campaign)
    last = [row.team for row in board.rows if row.ranks is not None][-1]
    assert board.rows[0].team == "good"
    assert last == "fair"
    for team, state in wanted.items():
        (row,) = [row for row in board.rows if row.team == team]
        assert (row.state, row.ranks) == (state, None)


# -- closed ----------------------------------------------------------------------------


def test_closing_waits_for_the_last_phase_and_the_queue(tmp_path: Path) -> None:
    campaign = campaign_of(tmp_path / "c", 11, 21)
    with pytest.raises(InputError, match="not scored: 1, 2"):
        close_campaign(campaign, now=AFTER)
    scored(campaign)
    with pytest.raises(InputError, match="the last phase must be over"):
        close_campaign(campaign, now=DURING)
    hand_in(campaign, EVIL, answers(3))
    with pytest.raises(InputError, match="not scored: 3"):
        close_campaign(campaign, now=AFTER)
    scored(campaign)
    close_campaign(campaign, now=AFTER)
    with pytest.raises(InputError, match="closed at 2027-04-01"):
        close_campaign(campaign, now=AFTER)


def test_verdicts_that_were_changed_are_shown_on_no_board(tmp_path: Path) -> None:
    campaign = scored(campaign_of(tmp_path / "c", 11))
    path = campaign.path / "verdicts/1/0001.jsonl"
    path.write_text(path.read_text("utf-8").replace("wrong", "right"), "utf-8")
    with pytest.raises(InputError, match=r"0001.jsonl: the file must be as it was"):
        live(campaign)
    with pytest.raises(InputError, match=r"0001.jsonl: the file must be as it was"):
        closed(campaign)


def test_of_two_who_close_one_is_refused(tmp_path: Path) -> None:
    scored(campaign_of(tmp_path / "c", 11))
    first, second = Campaign(tmp_path / "c"), Campaign(tmp_path / "c")
    close_campaign(first, now=AFTER)
    with pytest.raises(InputError, match="campaign board writes its board"):
        close_campaign(second, now=AFTER)
    assert len([*Campaign(tmp_path / "c").events("closed")]) == 1


@pytest.mark.parametrize("measure", ["error", "weighted_error", "error@0.2"])
def test_a_closed_board_shows_everything(tmp_path: Path, measure: str) -> None:
    campaign = scored(campaign_of(tmp_path / "c", 11, 21, 37, measure=measure))
    board = closed(campaign)
    assert [row.ranks for row in board.rows[:3]] == [(1, 1), (2, 2), (3, 3)] or (
        board.rows[0].ranks in ((1, 1), (1, 2))
    )
    assert [row.counts for row in board.rows[:3]] == [
        (29, 11, 0, 0),
        (19, 21, 0, 0),
        (3, 37, 0, 0),
    ]
    own, by_site, by_class = board.groups
    assert [row.group for row in own.rows] == ["own questions", "questions of others"]
    assert {row.group for row in by_site.rows} == {"site0", "site1"}
    assert [row.is_own for row in by_site.rows] == [True, *[False] * 5]
    assert {row.group for row in by_class.rows} == {"kind0", "kind1", "kind2"}
    for row in (*own.rows, *by_site.rows, *by_class.rows):
        assert row.low <= row.value <= row.high
    items = {row.item: row.difficulty for row in board.items.rows}
    assert items["q00"] == 1
    assert items["q39"] == 0
    names = publish_board(campaign, board, page_of(board), clock=lambda: AFTER)
    curves = (campaign.path / "boards/1/curves.csv").read_text()
    assert len(names) == 8
    assert curves.count("team 1") == N + 1


def test_groups_of_who_has_no_confidences_say_so(tmp_path: Path) -> None:
    campaign = played(tmp_path / "c", questions(), measure="error@0.2")
    take_in(campaign, "t")
    own = [{"item": one["item"], "response": one["response"]} for one in answers(2)]
    hand_in(campaign, "t", own)
    board = closed(scored(campaign))
    rows = [row for group in board.groups for row in group.rows]
    assert {row.why for row in rows} == {"there are no confidences"}


def test_few_questions_have_no_interval_and_say_why(tmp_path: Path) -> None:
    refs = [
        {**one, "class": "rare"} if i < 3 else one for i, one in enumerate(questions())
    ]
    campaign = played(tmp_path / "c", refs)
    take_in(campaign, "t")
    hand_in(campaign, "t", answers(2))
    board = closed(scored(campaign))
    (rare,) = [r for g in board.groups for r in g.rows if r.group == "rare"]
    assert rare.low is None
    assert rare.why == "too few items (3)"
    assert "too few items (3)" in page_of(board)


def test_old_versions_stay_readable(tmp_path: Path) -> None:
    campaign = scored(campaign_of(tmp_path / "c", 11, 21))
    name = "hidden/references.2.jsonl"
    changed = [
        {**one, "reference": "no"} if i == 9 else one
        for i, one in enumerate(questions())
    ]
    write_lines(campaign.path / name, changed)
    facts = {"references": 2, "files": campaign.digests(name)}
    campaign.append("adjudicated", when=DURING, **facts)
    assert standing(campaign, AFTER).n_waiting == 2
    with pytest.raises(InputError, match="not scored: 1, 2"):
        close_campaign(campaign, now=AFTER)
    scored(campaign)
    assert standing(campaign, AFTER).n_waiting == 0
    close_campaign(campaign, now=AFTER)
    boards = [board_of(campaign, now=AFTER, version=version) for version in (1, 2)]
    wrong = [board.rows[0].counts[1] for board in boards]
    assert wrong == [11, 10]
    for board in boards:
        publish_board(campaign, board, page_of(board), clock=lambda: AFTER)
    assert (campaign.path / "boards/1/board.json").exists()
    assert "the references: " in version_lines(campaign)[1]
    with pytest.raises(InputError, match="one of 1 to 2"):
        board_of(campaign, now=AFTER, version=3)


def test_names_are_text_wherever_they_stand(tmp_path: Path) -> None:
    campaign = scored(campaign_of(tmp_path / "c", 11, 21))
    for board in (live(campaign), closed(campaign)):
        page = page_of(board)
        publish_board(campaign, board, page, clock=lambda: AFTER)
        assert "<script>alert" not in page
        assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace(
            "http-equiv", ""
        )
        rows = list(
            csv.reader(io.StringIO((campaign.path / "boards/1/board.csv").read_text()))
        )
        assert rows[1][1] == f"'{EVIL}"
        assert len({len(row) for row in rows}) == 1


def test_ranges_take_two_columns_of_csv(tmp_path: Path) -> None:
    board = closed(scored(campaign_of(tmp_path / "c", 11, 21)))
    heads = table_rows(board.tables()[0])[0]
    assert heads[3:6] == ["value", "interval_low", "interval_high"]
