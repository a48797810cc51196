"""The items of a page as a reader goes through them: filters, order, notes, links."""

import csv
import io
import itertools
import json
from urllib.parse import parse_qs, quote

import numpy as np
import pytest

import demur
from browsing import at_rest, settled
from demur.decisions.listing_items import DECISIONS
from demur.outcomes.fields import OUTCOMES
from demur.pages import collecting

N = 60
DIALOGUE = [
    {"role": "user", "content": "Where is the café?"},
    {"role": "assistant", "content": "Which one? " * 60},
    {"role": "user", "content": "The LAST one"},
]


@pytest.fixture(scope="module")
def outcomes():
    """Two systems that answer, decline and fail; each on its own scale."""
    draw = np.random.default_rng(5)
    kinds = draw.choice(["right", "wrong", "unanswered", "ungraded"], 2 * N, p=P)
    silent = kinds == "unanswered"
    sure = np.where(silent, np.nan, draw.integers(0, 20, 2 * N) / 20)
    failed = ["failed" if s and k % 2 else None for k, s in enumerate(silent)]
    asked = [f"Question {k} of {'Zoë' if k % 7 else 'Ömer'}" for k in range(N)]
    asked[3], asked[4] = DIALOGUE, "long " * 5000
    return demur.Outcomes.from_arrays(
        item=[f"q{k}" for k in range(N)] * 2,
        system=["a"] * N + ["b"] * N,
        outcome=kinds,
        confidence=sure,
        declined=[bool(k % 3 == 0) and not s for k, s in enumerate(silent)],
        reason_code=failed,
        input=asked * 2,
        response=[None if s else f"answer {k}" for k, s in enumerate(silent)],
        cluster=[f"d{k // 4}" for k in range(N)] * 2,
        groups={"topic": ["art", "sea", "sky"] * (2 * N // 3)},
    )


P = (0.55, 0.25, 0.15, 0.05)


@pytest.fixture(scope="module", autouse=True)
def without_bands():
    """Comparisons without bands, as with too few items: those take long."""

    def too_few(*_, **__):
        raise demur.UndefinedRate("too few items")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collecting, "difference_band", too_few)
        yield


@pytest.fixture(scope="module")
def path(outcomes, tmp_path_factory):
    where = tmp_path_factory.mktemp("items") / "items.html"
    demur.report(outcomes, path=where, by="topic", compare=[("a", "b")])
    return where


def type_cutoff(page, text):
    page.fill("#cutoff", text)
    page.press("#cutoff", "Enter")
    settled(page)


def counts(page, k):
    """The counts of a system, by the outcome and decision that each stands for."""
    at_rest(page)
    buttons = page.locator("#counts table").nth(k).locator("button")
    return dict(
        buttons.evaluate_all(
            "all => all.map((one) => [one.dataset.filter, "
            "Number(one.querySelector('b').textContent.replace(',', ''))])"
        )
    )


def expected(part, cutoff):
    """The same counts, as `demur items` has them."""
    ends = [("", ""), *((outcome, "") for outcome in OUTCOMES)]
    ends += [(o, d) for o in ("", *OUTCOMES) for d in DECISIONS]
    found = {}
    for outcome, decision in ends:
        name = " and ".join(filter(None, (outcome, decision))) or "all"
        asked = {"outcome": outcome or (), "decision": decision or ()}
        found[name] = demur.list_items(part, cutoff=cutoff, **asked).items
    return found


def agree(page, k, part, cutoff):
    shown, wanted = counts(page, k), expected(part, cutoff)
    assert {name: wanted[name] for name in shown} == shown
    assert all(name in shown for name, count in wanted.items() if count)


def place(page):
    return page.locator("#place").text_content()


def names(page):
    return page.locator("#list tbody th").all_text_contents()


# -- filters -------------------------------------------------------------------------


def test_counts_are_those_of_the_commands_at_each_systems_own_cutoff(
    path, look, outcomes
):
    page = look(path)
    for typed in ("0.3", "0.75", "never", "0"):
        type_cutoff(page, typed)
        for k, name in enumerate("ab"):
            row = page.locator(f'#now tr[data-system="{k}"] td').first
            cutoff = row.get_attribute("data-value")
            at = np.inf if cutoff == "never answer" else float(cutoff)
            part = outcomes.select(system=name)
            agree(page, k, part, at)
            point, found = demur.error_return(part).at(cutoff=at), counts(page, k)
            assert found["wrong and answered"] == round(point.error * N)
            assert N - found["answered"] == round(point.nonreturn * N)


def test_a_system_keeps_its_cutoff_if_it_does_not_follow(path, look, outcomes):
    page = look(path)
    page.uncheck("#follow")
    for k, typed in ((0, "0.7"), (1, "0.15"), (0, "0.4")):
        page.select_option("#focus", str(k))
        type_cutoff(page, typed)
    agree(page, 0, outcomes.select(system="a"), 0.4)
    agree(page, 1, outcomes.select(system="b"), 0.15)
    page = look(path, hash_of(page))
    agree(page, 0, outcomes.select(system="a"), 0.4)
    agree(page, 1, outcomes.select(system="b"), 0.15)


def hash_of(page):
    """The address, when it has come to rest."""
    at_rest(page)
    return page.evaluate("location.hash")


def test_own_decisions_are_those_of_the_commands(path, look, outcomes):
    page = look(path)
    page.check("#own")
    for k, name in enumerate("ab"):
        agree(page, k, outcomes.select(system=name), None)
    assert "declined" in page.locator("#list").inner_text()


def test_both_systems_are_filtered_together(path, look, outcomes):
    page = look(path)
    type_cutoff(page, "0.4")
    cutoffs = [
        float(page.locator(f'#now tr[data-system="{k}"] td').first.text_content())
        for k in (0, 1)
    ]
    a, b = (outcomes.select(system=name) for name in "ab")
    wrong = demur.list_items(a, outcome="wrong", decision="answered", cutoff=cutoffs[0])
    items = set(wrong.outcomes.item.tolist())
    press(page, 0, "wrong and answered")
    assert set(names(page)) == items
    # Beside the other system is what that one made of these items.
    ends = demur.list_items(b.take(np.isin(b.item, [*items])), cutoff=cutoffs[1])
    assert counts(page, 1)["all"] == len(items)
    assert counts(page, 1)["right"] == int((ends.outcomes.outcome == "right").sum())
    press(page, 1, "right")
    both = {row["item"] for row in ends.records() if row["outcome"] == "right"}
    assert set(names(page)) == both
    assert place(page).endswith(f"of {len(both)} items")
    pressed = page.locator('#counts [aria-pressed="true"]')
    wanted = ["wrong and answered", "right"]
    assert [one.get_attribute("data-filter") for one in pressed.all()] == wanted
    press(page, 1, "right")  # once more, and it is gone
    assert set(names(page)) == items
    page.click("#all")
    assert place(page).endswith(f"of {N} items")
    page.select_option("#changed", "end")
    against = demur.list_items(outcomes, against="b")
    page.check("#own")
    assert place(page).endswith(f"of {against.items} items")


def press(page, k, name):
    table = page.locator("#counts table").nth(k)
    table.locator(f'[data-filter="{name}"]').click()


def test_a_group_narrows_the_list_to_its_items(path, look, outcomes):
    page = look(path)
    page.select_option("#group", label="topic = sea")
    type_cutoff(page, "0.5")
    part = outcomes.select(system="a")
    part = part.take(part.column("topic") == "sea")
    if page.input_value("#focus") == "1":
        page.select_option("#focus", "0")
        type_cutoff(page, "0.5")
    agree(page, 0, part, 0.5)


def test_a_typed_cutoff_stays_what_it_is_when_a_group_is_chosen(path, look, outcomes):
    page = look(path, "#system=a&cutoff=0.7&follow=no")
    part = outcomes.select(system="a")
    for typed in ("0.62", "0.94", "0.7"):
        type_cutoff(page, typed)
        page.locator("#cutoff").blur()
        for topic in ("art", "sea", None):
            asked = {"label": f"topic = {topic}"} if topic else {"index": 0}
            page.select_option("#group", **asked)
            settled(page)
            assert page.input_value("#cutoff") == typed
            row = page.locator('#now tr[data-system="0"]')
            assert row.locator("td").first.text_content() == typed
            seen = part.take(part.column("topic") == topic) if topic else part
            agree(page, 0, seen, float(typed))
            said = page.locator("#counts caption").first.text_content()
            assert said.endswith(f"cutoff {typed}")
    page.wait_for_function("location.hash.includes('system=a&cutoff=0.7&')")


def test_words_are_searched_in_any_order_whatever_case_and_accents(path, look):
    page = look(path)
    for typed, found in (
        ("zoe q12", ["q12"]),
        ("12 ZOË q1 question", ["q12"]),
        ("ömer question 14", ["q14"]),
        ("cafe last", ["q3"]),
        ("ANSWER q7 Omer", ["q7"]),
        ("nothing q7", []),
    ):
        page.fill("#search", typed)
        assert names(page) == found, typed


# -- order ---------------------------------------------------------------------------


def test_every_column_sorts_and_a_second_press_turns_it_round(path, look, outcomes):
    page = look(path)
    heads = page.locator("#list thead [data-column]")
    columns = [head.get_attribute("data-column") for head in heads.all()]
    assert columns[:3] == ["no", "item", "asked"]
    assert len(columns) == 9
    for column in columns:
        head = page.locator(f'#list [data-column="{column}"]')
        both = []
        for _ in range(2):
            head.locator("button").focus()
            page.keyboard.press("Enter")
            assert page.evaluate("document.activeElement.className") == "sort"
            both.append((head.get_attribute("aria-sort"), names(page)))
        assert {how for how, _ in both} == {"ascending", "descending"}, column
        assert both[0][1] != both[1][1]
        assert page.locator("#list [aria-sort]").count() == 1
    page.click('[data-column="item"] button')
    assert names(page)[:3] == ["q0", "q1", "q2"]
    assert names(page)[10] == "q10"
    page.click('[data-column="confidence-0"] button')
    part = outcomes.select(system="a")
    surest = part.item[
        np.lexsort((np.arange(N), -np.nan_to_num(part.confidence, nan=-1)))
    ]
    assert names(page) == surest[:25].tolist()


# -- texts ---------------------------------------------------------------------------


def test_long_texts_and_dialogues_open_whole(path, look):
    page = look(path)
    page.fill("#search", "q4")
    details = page.locator("#list tbody details").first
    assert "all 25,000 characters" in details.inner_text()
    assert "long " * 200 not in details.text_content()
    details.locator("summary").click()
    page.locator("#list details .words").wait_for()
    assert details.locator(".words").text_content() == "long " * 5000
    page.evaluate("location.hash = '#item=q3'")
    settled(page)
    text = page.locator("#item-texts").text_content()
    assert "user: Where is the café?\n\nassistant: Which one?" in text
    assert text.endswith("user: The LAST one")
    page.locator("#cluster summary").first.click()
    page.locator("#cluster-items li").first.wait_for()
    found = page.locator("#cluster-items li > a").all_text_contents()
    assert found == ["q0", "q1", "q2", "q3"]


# -- notes ---------------------------------------------------------------------------


def write_note(page, item, text):
    page.evaluate("(item) => { location.hash = '#item=' + item; }", item)
    settled(page)
    page.fill("#note", text)


def test_notes_are_kept_listed_and_written(path, look):
    page = look(path)
    write_note(page, "q7", 'see "Zoë", again\nand =this')
    write_note(page, "q2", "=1+1")
    page.reload()
    page.check("#noted")
    assert names(page) == ["q2", "q7"]
    assert '"Zoë", again' in page.locator("#list").inner_text()
    page.evaluate("location.hash = '#item=q2'")
    settled(page)
    assert page.input_value("#note") == "=1+1"
    page.click("#notes summary")
    files = {}
    for kind in ("csv", "json"):
        with page.expect_download() as waiting:
            page.click(f"#notes-{kind}")
        files[kind] = waiting.value.path().read_text("utf-8-sig")
    rows = [*csv.reader(io.StringIO(files["csv"], newline=""))]
    wanted = [["q2", "=1+1"], ["q7", 'see "Zoë", again\nand =this']]
    assert rows == [["item", "note"], ["q2", "'=1+1"], wanted[1]]
    listed = json.loads(files["json"])["notes"]
    assert [[one["item"], one["note"]] for one in listed] == wanted
    for kind, text in files.items():
        other = look(path)  # another browser: nothing is kept there yet
        read_notes(other, f"notes.{kind}", text)
        said = other.locator("#notes-said").text_content()
        assert said == f"notes.{kind}: 2 notes read."
        with other.expect_download() as waiting:
            other.click("#notes-json")
        again = json.loads(waiting.value.path().read_text("utf-8"))["notes"]
        assert again == listed


def test_two_windows_lose_no_note(path, look):
    page = look(path)
    other = page.context.new_page()
    other.goto(page.url)
    for window, item, text in (
        (page, "q1", "first"),
        (other, "q1", "first, agreed"),
        (other, "q3", "third"),
    ):
        write_note(window, item, text)
    page.locator("#note").press_sequentially("!")  # its cursor has stayed there
    wanted = "first, agreed\nfirst!"
    assert page.input_value("#note") == wanted
    page.locator("#note").press_sequentially("?")
    page.reload()
    assert page.input_value("#note") == f"{wanted}?"
    assert page.locator("#notes-name").text_content() == "Notes (2)"
    other.close()


def read_notes(page, name, text, encoding="utf-8"):
    if page.locator("#notes").get_attribute("open") is None:
        page.click("#notes > summary")
    payload = {"name": name, "mimeType": "text/plain", "buffer": text.encode(encoding)}
    page.set_input_files("#notes-file", payload)
    page.locator("#notes-said", has_text=name).wait_for()


def test_notes_of_others_join_those_that_are_here(path, look):
    page = look(path)
    write_note(page, "q1", "mine")
    read_notes(page, "excel.csv", "item;note\r\nq1;ihre: Zoë\r\nnone;x\r\n", "cp1252")
    said = page.locator("#notes-said").text_content()
    assert "1 note read, 1 left out" in said
    assert page.input_value("#note") == "mine\nihre: Zoë"
    for name, text, why in (
        ("a.csv", "name,words\nq1,x\n", "names no columns item and note"),
        ("a.json", "{", "no whole JSON"),
        ("b.json", '[{"item": 1}]', "no list of notes"),
    ):
        read_notes(page, name, text)
        assert why in page.locator("#notes-said").text_content()
    assert page.input_value("#note") == "mine\nihre: Zoë"


def test_a_browser_that_refuses_to_keep_notes_says_so(path, look):
    page = look(path)
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', "
        "{get() { throw new DOMException('no', 'SecurityError'); }})"
    )
    page.reload()
    write_note(page, "q1", "fleeting")
    page.click("#notes summary")
    assert "refuses to keep notes" in page.locator("#notes-kept").text_content()
    with page.expect_download() as waiting:
        page.click("#notes-csv")
    assert "fleeting" in waiting.value.path().read_text("utf-8-sig")


# -- links ---------------------------------------------------------------------------


def test_a_link_holds_cutoffs_filters_order_and_item(path, look):
    page = look(path)
    type_cutoff(page, "0.35")
    page.select_option("#first", "1")
    page.select_option("#second", "0")
    press(page, 0, "right")
    press(page, 1, "answered")
    page.select_option("#columns select", label="sky")
    page.fill("#search", "zoë question")
    page.click('[data-column="confidence-1"] button')
    item = names(page)[1]
    page.locator("#list tbody th a").nth(1).click()
    address, seen = hash_of(page), (names(page), counts(page, 0), counts(page, 1))
    again = look(path, address)
    assert (names(again), counts(again, 0), counts(again, 1)) == seen
    assert again.locator("#item h3").text_content() == f"Item {item}"
    assert again.input_value("#search") == "zoë question"
    page.click("#item .copy-link")
    page.locator("#link-said", has_text="link").wait_for()
    if page.locator("#link").is_visible():
        assert page.input_value("#link").endswith(address)


HOSTILE = (
    "<b>&amp;</b>",
    "</script><script>window.hit = 1</script>",
    "a&item=q=1#x%41%",
    "\"quoted\" 'both'",
    "two\nlines\tand tabs",
    "👩‍👩‍👧 + é é",
    "__proto__",
    " space ",
)


def test_hostile_names_of_items_are_linked_and_noted(look, tmp_path):
    where = tmp_path / "hostile.html"
    outcomes = demur.Outcomes.from_arrays(
        item=HOSTILE, correct=[1, 0] * 4, confidence=range(8)
    )
    demur.report(outcomes, path=where)
    page = look(where)
    for item in HOSTILE:
        page.goto(f"{where.as_uri()}#item={quote(item, safe='')}")
        settled(page)
        assert page.locator("#item-name .id").text_content() == item
        page.fill("#note", f"on {item}")
    item = HOSTILE[2]
    address = "#item=" + quote(item, safe="")
    page.goto("about:blank")
    page.goto(where.as_uri() + address)
    assert page.locator("#item-name .id").text_content() == item
    assert page.input_value("#note") == f"on {item}"
    page.keyboard.press("Tab")
    assert parse_qs(hash_of(page)[1:])["item"] == [item]
    listed = page.locator("#list tbody tr")
    listed.nth(4).locator("a").click()
    assert page.locator("#item-name .id").text_content() == HOSTILE[4]
    page.click("#item-close")
    assert not page.locator("#item").is_visible()
    assert page.evaluate("document.activeElement.textContent") == HOSTILE[4]
    noted = listed.locator("td:last-child").all_text_contents()
    assert noted == [f"on {item}" for item in HOSTILE]
    assert page.evaluate("window.hit") is None


# -- cutoffs that are typed ----------------------------------------------------------


def test_typed_cutoffs_are_understood_or_refused(path, look, outcomes):
    page = look(path)
    page.select_option("#focus", "0")
    part = outcomes.select(system="a")
    cutoff = page.locator('#now tr[data-system="0"] td').first

    def at():
        return cutoff.get_attribute("data-value")

    def at_cutoff(value):
        return demur.error_return(part).at(cutoff=value).nonreturn

    withheld = page.locator('#now tr[data-system="0"] td').nth(1)
    refused = page.locator("#cutoff-refused")
    for typed, value in (
        *(("0.7", 0.7), ("0,7", 0.7), (" .7 ", 0.7), ("70%", 0.7), ("70 %", 0.7)),
        *((",7", 0.7), ("7e-1", 0.7), ("+0,70", 0.7), ("0,700", 0.7), ("7.", 7.0)),
        *(("55,5 %", 0.555), ("\u22120,5", -0.5), ("100%", 1.0), ("0", 0.0)),
        *(("-inf", -np.inf), ("\uff10\uff0e\uff17", 0.7)),
    ):
        type_cutoff(page, typed)
        assert at() == f"{value:g}", typed
        assert float(withheld.get_attribute("data-value")) == at_cutoff(value), typed
        assert page.locator("#cutoff").get_attribute("aria-invalid") is None
    type_cutoff(page, "0.4")
    before = at()
    for typed in (
        *("", " ", "abc", "0.7.1", "1,000", "0;7", "70 percent", "7 0", "0x1", "%"),
        *("1.234,5", "<b>", "NaN", "1e", "--1"),
    ):
        type_cutoff(page, typed)
        assert "The cutoff stays: 0.4." in refused.text_content(), typed
        assert page.locator("#cutoff").get_attribute("aria-invalid") == "true"
        assert at() == before
        page.locator("#cutoff").blur()
        settled(page)
        assert page.input_value("#cutoff") == typed
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    settled(page)
    assert refused.text_content() == ""
    type_cutoff(page, "70")
    assert "No confidence is above 1" in refused.text_content()


def test_a_percentage_of_other_confidences_is_refused(look, tmp_path):
    where = tmp_path / "logs.html"
    outcomes = demur.Outcomes.from_arrays(correct=[1, 0, 1], confidence=[-3, -2, -0.1])
    demur.report(outcomes, path=where)
    page = look(where)
    type_cutoff(page, "70%")
    said = page.locator("#cutoff-refused").text_content()
    assert "not all from 0 to 1" in said
    type_cutoff(page, "-2,5")
    assert (
        page.locator("#now tbody td").first.text_content() == "-2.5"
    )  # as it was typed


# -- looks ---------------------------------------------------------------------------


def test_no_two_of_thirteen_compared_systems_share_a_colour(look, tmp_path):
    n = 12
    draw = np.random.default_rng(1)
    outcomes = demur.Outcomes.from_arrays(
        item=[*range(n)] * 13,
        system=np.repeat([f"v{k:02}" for k in range(13)], n),
        correct=draw.random(13 * n) < 0.6,
        confidence=draw.random(13 * n),
    )
    demur.report(outcomes, path=(where := tmp_path / "many.html"))
    page = look(where)
    pairs = [*itertools.combinations(range(13), 2)]
    found = page.evaluate(
        """(pairs) => pairs.map(([a, b]) => {
          for (const [id, system] of [["first", a], ["second", b]]) {
            document.getElementById(id).value = system;
            document.getElementById(id).dispatchEvent(new Event("change"));
          }
          const colour = (mark) => /\\bc\\d+\\b/.exec(mark.getAttribute("class"))[0];
          const drawn = (system) => [...document.querySelectorAll(
            `#explore-plot [data-system="${system}"]`)].map(colour);
          const keys = [...document.querySelectorAll("#counts .key .line")].map(colour);
          return [new Set(drawn(a)), new Set(drawn(b)), keys].map((all) => [...all]);
        })""",
        pairs,
    )
    for pair, (a, b, keys) in zip(pairs, found, strict=True):
        assert len(a) == len(b) == 1, pair
        assert keys == [*a, *b]
        assert a != b
    shown = page.locator("#systems label:has(:checked) .key .line").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).stroke)"
    )
    assert len(shown) == 8


# -- odd outcomes --------------------------------------------------------------------

ODD = {
    "no confidences": ({"correct": [1, 0, None]}, {"all": 3, "declined": 1}),
    "all declined": (
        {"correct": [None, None], "confidence": [None, None]},
        {"all": 2, "unanswered and declined": 2},
    ),
    "own decisions": (
        {"correct": [1, 0, 1], "declined": [True, False, False]},
        {"right and declined": 1, "wrong and answered": 1},
    ),
    "repeats": (
        {
            "item": list("aabb"),
            "repeat": list("1212"),
            "correct": [1, 0, 1, 1],
            "confidence": [0.5, 0.6, 0.7, 0.8],
        },
        {"all": 4, "right": 3},
    ),
    "settings": (
        {
            "item": list("abab"),
            "setting": ["lo", "lo", "hi", "hi"],
            "correct": [1, 0, 1, 1],
            "confidence": [0.5, 0.6, 0.7, 0.8],
        },
        {"all": 2},
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_outcomes_have_counts_and_lists(name, look, tmp_path):
    columns, wanted = ODD[name]
    demur.report(
        demur.Outcomes.from_arrays(**columns), path=(where := tmp_path / "odd.html")
    )
    page = look(where)
    settled(page)
    found = counts(page, 0)
    assert {end: found[end] for end in wanted} == wanted
    rows = page.locator("#list tbody tr")
    assert rows.count() == found["all"]
    for head in page.locator("#list thead button").all():
        head.click()
    assert rows.count() == found["all"]
    heads = page.locator("#list thead button").all_text_contents()
    assert "asked" not in heads
    rows.first.locator("th a").click()
    assert page.locator("#item").is_visible()
