"""The page as its readers use it: pointer, keys, screen reader, phone, paper."""

import csv
import io
import json
from importlib.resources import files

import numpy as np
import pytest

import demur
from browsing import at_rest, settled


@pytest.fixture(scope="module")
def outcomes():
    home = files("demur.cli.demo")
    return demur.judge(
        demur.read_responses(home / "responses.jsonl"),
        demur.read_references(home / "references.jsonl"),
        by="label",
    )


@pytest.fixture(scope="module")
def path(outcomes, tmp_path_factory):
    where = tmp_path_factory.mktemp("page") / "report.html"
    demur.report(outcomes, path=where, by="topic")
    return where


RATES = ("nonreturn", "error", "right", "missed", "ungraded")


def shown(page, system):
    """Cutoff and rates in the row of a system, as the page holds them."""
    row = page.locator(f'#now tr[data-system="{system}"] td')
    values = [each.get_attribute("data-value") for each in row.all()]
    return values[0], [float(value) for value in values[1:]]


def expected(point):
    return [getattr(point, name) for name in RATES]


# -- numbers -------------------------------------------------------------------------


def test_the_slider_shows_every_vertex_as_json_has_it(path, look, outcomes):
    page = look(path)
    curves = demur.curve_by(outcomes)
    for system, curve in enumerate(curves):
        page.select_option("#focus", str(system))
        settled(page)
        slider = page.locator("#slider")
        points = curve.to_dict()["points"]
        assert slider.get_attribute("max") == str(len(points) - 1)
        # Every vertex of one system, some of the other: a frame of the screen for each.
        wanted = points[:: 1 if system else 9]
        found = page.evaluate(
            """async ([system, n, step]) => {
              const slider = document.getElementById("slider"), all = [];
              for (let vertex = 0; vertex < n; vertex += step) {
                slider.value = vertex;
                slider.dispatchEvent(new Event("input"));
                await new Promise((f) => requestAnimationFrame(() => setTimeout(f)));
                const row = document.querySelector(`#now tr[data-system="${system}"]`);
                all.push([...row.cells].slice(1).map((cell) => cell.dataset.value));
              }
              return all;
            }""",
            [system, len(points), 1 if system else 9],
        )
        for point, (cutoff, *values) in zip(wanted, found, strict=True):
            assert [float(value) for value in values] == [point[n] for n in RATES]
            last = point["cutoff"] is None
            assert (
                cutoff == "never answer" if last else float(cutoff) == point["cutoff"]
            )


def test_the_cutoff_is_dragged_and_the_numbers_follow(path, look, outcomes):
    page = look(path)
    first, second = demur.curve_by(outcomes)
    focus = int(page.input_value("#focus"))
    box = page.locator("#explore-plot").bounding_box()
    scale = box["width"] / 640

    def x(nonreturn):
        return box["x"] + scale * (64 + nonreturn * (640 - 64 - 14))

    page.mouse.move(x(0.2), box["y"] + 90)
    page.mouse.down()
    for nonreturn in (0.25, 0.31, 0.47, 0.6):
        page.mouse.move(x(nonreturn), box["y"] + 90)
        settled(page)
        own = (first, second)[focus].at(nonreturn=nonreturn, how="at_most")
        _, values = shown(page, focus)
        assert values[0] == pytest.approx(own.nonreturn, abs=0.005)
        moved = (first, second)[focus].at(nonreturn=values[0])
        assert values == pytest.approx(expected(moved), abs=1e-15)
        other = (second, first)[focus].at(nonreturn=values[0], how="at_most")
        assert shown(page, 1 - focus)[1] == pytest.approx(expected(other), abs=1e-15)
    page.mouse.up()
    page.mouse.move(x(0.1), box["y"] + 90)
    settled(page)
    assert shown(page, focus)[1] == values
    said = f"{100 * (1 - values[0]):.1f} % of the items are answered"
    page.locator("#said", has_text=said).wait_for()
    at_rest(page)
    assert "cutoff=" in page.evaluate("location.hash")


def test_what_becomes_of_a_thousand_adds_up(path, look, outcomes):
    page = look(path)
    focus = int(page.input_value("#focus"))
    curve = demur.curve_by(outcomes)[focus]
    names = ("right", "error", "missed", "avoided", "correct_decline", "no_guess")
    for vertex in (0, 57, 200, len(curve.cutoff) - 1):
        page.evaluate(
            "(v) => { const s = document.getElementById('slider'); s.value = v; "
            "s.dispatchEvent(new Event('input')); }",
            vertex,
        )
        settled(page)
        total = 0
        for name in (*names, "ungraded"):
            count = page.locator(f'[data-share="{name}"]')
            value = float(count.get_attribute("data-value"))
            assert value == getattr(curve.split, name)[vertex]
            number = int(count.text_content().replace(",", ""))
            assert abs(number - 1000 * value) < 1
            total += number
        assert total == 1000


def test_groups_have_their_own_curves(path, look, outcomes):
    page = look(path)
    focus = int(page.input_value("#focus"))
    opened, _ = shown(page, focus)
    options = page.locator("#group option").all_text_contents()
    for name in options[1:4]:
        page.select_option("#group", label=name)
        settled(page)
        topic = name.partition(" = ")[2]
        part = outcomes.take(outcomes.column("topic") == topic)
        curve = demur.curve_by(part)[focus]
        cutoff, values = shown(page, focus)
        assert cutoff == opened
        at_opened = expected(curve.at(cutoff=float(cutoff)))
        assert values == pytest.approx(at_opened, abs=1e-15)
        lines = page.locator(f'#explore-plot path[data-system="{focus}"]:visible')
        assert lines.count() == 1
    page.select_option("#group", "-1")


def test_examples_stand_on_their_sides_of_the_cutoff(path, look, outcomes):
    page = look(path)
    page.select_option("#focus", "1")
    page.fill("#cutoff", "-0.5")
    page.press("#cutoff", "Enter")
    settled(page)
    part = outcomes.select(system="letters")
    order = np.argsort(part.confidence)
    above = [i for i in order if part.confidence[i] >= -0.5][:5]
    below = [i for i in order[::-1] if part.confidence[i] < -0.5][:5]
    for place, rows in (("#kept", above), ("#held", below)):
        found = page.locator(f"{place} li a").all_text_contents()
        assert found == [part.item[row] for row in rows]
    text = page.locator("#kept li").first.text_content()
    assert str(part.input[above[0]]) in text


# -- items ---------------------------------------------------------------------------


def test_items_are_filtered_searched_and_sorted(path, look, outcomes):
    page = look(path)
    a, b = (
        outcomes.select(system=page.locator(f"{name} option:checked").text_content())
        for name in ("#first", "#second")
    )
    assert "of 385 items" in page.locator("#place").text_content()
    page.select_option("#changed", "outcome")
    differ = int((a.outcome != b.outcome).sum())
    assert f"of {differ} items" in page.locator("#place").text_content()
    page.select_option("#changed", "")
    page.fill("#search", "lighthouse")
    has = sum(
        any("lighthouse" in str(text).lower() for text in texts)
        for texts in zip(
            a.item, a.input, a.reference, a.response, a.reason, b.response, strict=True
        )
    )
    assert f"of {has} items" in page.locator("#place").text_content()
    page.fill("#search", "")
    page.locator('#counts [data-filter="wrong"]').first.click()
    wrong = int((a.outcome == 1).sum())
    assert f"of {wrong} items" in page.locator("#place").text_content()
    page.click("#all")
    page.click('[data-column="confidence-0"] button')
    surest = a.item[int(np.nanargmax(a.confidence))]
    assert page.locator("#list tbody th").first.text_content() == surest
    page.click("#on")
    assert page.locator("#place").text_content().startswith("26 to 50 of")


def test_each_repeat_is_listed_and_written(look, tmp_path):
    where = tmp_path / "repeats.html"
    answers = ["one", "two", "three", "four"]
    columns = {
        "item": ["q1", "q1", "q2", "q2"],
        "repeat": ["1", "2", "1", "2"],
        "correct": [True, False, False, True],
        "confidence": [0.9, 0.8, 0.4, 0.3],
        "declined": [False, False, True, True],
        "response": answers,
    }
    demur.report(demur.Outcomes.from_arrays(**columns), path=where)
    page = look(where)
    assert page.locator("#place").text_content() == "1 to 4 of 4 repeats of items"
    for answer in answers:
        assert answer in page.locator("#list").inner_text()
    page.click('#counts [data-filter="right"]')
    assert "four" in page.locator("#list").inner_text()
    page.click('#counts [data-filter="right"]')
    with page.expect_download() as waiting:
        page.click("#items-csv")
    rows = list(csv.reader(waiting.value.path().read_text("utf-8-sig").splitlines()))
    assert rows[0][:4] == ["item", "repeat", "input", "reference"]
    name = rows[0][4].removesuffix(": outcome")
    held = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    for header, values in (
        *(("item", columns["item"]), ("repeat", columns["repeat"])),
        (f"{name}: response", answers),
        (f"{name}: declined", ["false", "false", "true", "true"]),
        (f"{name}: confidence", ["0.9", "0.8", "0.4", "0.3"]),
    ):
        assert [row[header] for row in held] == values
    page.evaluate("location.hash = '#item=q2'")
    settled(page)
    panel = page.locator("#item").inner_text()
    assert "repeat 1" in panel
    assert "repeat 2" in panel


def test_tables_download_as_csv(path, look):
    page = look(path)
    page.select_option("#changed", "outcome")
    with page.expect_download() as waiting:
        page.click("#items-csv")
    lines = waiting.value.path().read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("item,input,reference,")
    assert len(lines) > 30
    buttons = page.locator("button.csv")
    tables = page.locator("table:not(#list):not(.item table):not(.counts)")
    assert buttons.count() == tables.count()
    with page.expect_download() as waiting:
        buttons.nth(1).click()
    assert "," in waiting.value.path().read_text("utf-8-sig")


def test_a_link_opens_an_item_or_a_cutoff(path, look, outcomes):
    page = look(path, "#item=m050")
    assert page.locator("#item").is_visible()
    assert "m050" in page.locator("#item h3").text_content()
    assert page.locator("#item tbody tr").count() == 2
    page = look(path, "#system=words&cutoff=0.3")
    settled(page)
    curve = demur.error_return(outcomes.select(system="words"))
    wanted = expected(curve.at(cutoff=0.3))
    assert shown(page, 0)[1] == pytest.approx(wanted, abs=1e-15)
    said = page.locator("#link-said")
    assert said.text_content() == ""
    page = look(path, "#cutoff=%E0%A4%A&system=nobody&item=none&where=topic=x&group=a")
    assert page.locator("#now tr").count() == 3
    assert page.locator("#link-said").text_content() == (
        "The link names what this page does not have: cutoff “%E0%A4%A”, system "
        "“nobody”, item “none”, where “topic=x”, group “a”."
    )


# -- how it is reached ---------------------------------------------------------------


def test_keys_alone_move_the_cutoff(path, look):
    page = look(path)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "slider":
            break
    assert page.evaluate("document.activeElement.id") == "slider"
    focus = int(page.input_value("#focus"))
    before = shown(page, focus)[1][0]
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    settled(page)
    assert shown(page, focus)[1][0] > before
    page.keyboard.press("End")
    settled(page)
    assert shown(page, focus) == ("never answer", [1.0, *shown(page, focus)[1][1:]])
    assert "never answer" in page.locator("#slider").get_attribute("aria-valuetext")
    page.keyboard.press("Home")
    settled(page)
    assert shown(page, focus)[1][0] < 0.05


def test_systems_are_switched_off_and_on(path, look):
    page = look(path)
    assert page.locator("#systems svg.key .line").count() == 2
    focus = int(page.input_value("#focus"))
    page.uncheck(f'#systems input[data-system="{focus}"]')
    settled(page)
    assert int(page.input_value("#focus")) == 1 - focus
    assert not page.locator(f'#now tr[data-system="{focus}"]').is_visible()
    assert not page.locator(
        f'#explore-plot path[data-system="{focus}"]:visible'
    ).count()
    page.select_option("#focus", str(focus))
    settled(page)
    assert page.locator(f'#now tr[data-system="{focus}"]').is_visible()


def test_how_many_systems_are_shown_is_said_and_the_best_stand_first(look, tmp_path):
    draw = np.random.default_rng(2)
    outcomes = demur.Outcomes.from_arrays(
        item=[*range(50)] * 10,
        system=np.repeat([f"v{k}" for k in range(10)], 50),
        correct=draw.random(500) < 0.7,
        confidence=draw.random(500),
    )
    demur.report(outcomes, path=(path := tmp_path / "many.html"))
    page = look(path)
    settled(page)
    assert page.locator("#on-now").text_content().startswith("8 of 10 systems are")
    rows = [
        int(row.get_attribute("data-system"))
        for row in page.locator("#now tbody tr").all()
    ]
    assert rows == json.loads(page.locator("#data").text_content())["order"]
    assert page.locator("#now tbody tr:visible").count() == 8
    for system in rows[8:]:
        page.check(f'#systems input[data-system="{system}"]')
    settled(page)
    assert not page.locator("#on-now").is_visible()
    assert page.locator("#now tbody tr:visible").count() == 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_axe_finds_nothing(path, look, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = look(
        path,
        "#item=m050",
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
    )
    found = axe.Axe().run(page).response
    broken = [
        (each["id"], each["nodes"][0]["html"][:200], each["nodes"][0]["failureSummary"])
        for each in found["violations"]
    ]
    assert broken == []
    assert len(found["passes"]) > 15


def test_a_phone_shows_it_without_scrolling_sideways(path, look):
    page = look(path, viewport={"width": 360, "height": 740}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    size = page.evaluate(
        "() => { const mark = document.querySelector('#explore-plot .mark');"
        "return mark.getBoundingClientRect().height; }"
    )
    assert size > 9


def test_a_table_that_is_wider_than_its_box_shows_where_it_goes_on(path, look):
    image = pytest.importorskip("matplotlib.image")
    page = look(path, viewport={"width": 360, "height": 740}, color_scheme="light")
    assert not page.evaluate(
        "[...document.querySelectorAll('table')].filter((t) => !t.closest('.scroll'))"
        ".length"
    )
    box = page.locator(".scroll:has(#list)")

    def edges():
        picture = image.imread(io.BytesIO(box.screenshot()))[..., :3]
        return picture[:, :3].mean(), picture[:, -3:].mean()

    left, right = edges()
    assert right < left - 0.1
    box.evaluate("(scrolled) => scrolled.scrollTo(scrolled.scrollWidth, 0)")
    left, right = edges()
    assert left < right - 0.1


def test_paper_shows_results_and_no_controls(path, look, tmp_path):
    page = look(path)
    page.emulate_media(media="print")
    for hidden in ("#cut-controls", "#item-controls", "nav", "button.csv >> nth=0"):
        assert not page.locator(hidden).is_visible()
    assert page.locator("#explore-plot").is_visible()
    page.pdf(path=tmp_path / "page.pdf", format="A4")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_without_javascript_pictures_and_numbers_stay(path, look, outcomes):
    page = look(path, java_script_enabled=False)
    assert page.locator(".needs-script").is_visible()
    for system, curve in enumerate(demur.curve_by(outcomes)):
        point = curve.at(nonreturn=0.2, how="at_most")
        row = page.locator(f'#now tr[data-system="{system}"] td').all_text_contents()
        assert row[1:] == [f"{value:.3f}" for value in expected(point)]
        line = page.locator(f'#explore-plot path[data-system="{system}"] >> nth=0')
        assert line.is_visible()


# -- hostile texts -------------------------------------------------------------------

HOSTILE = (
    "<script>window.hit = 1; alert(1)</script>",
    "</script><script>window.hit = 1</script>",
    "</textarea><img src=x onerror='window.hit = 1'>",
    '" onmouseover="window.hit = 1" x="',
    "{{ 7 * 7 }} {% raw %}",
    "\u202egnp.exe\u202c \u2066abc\u2069",
    "<!-- <script> ]]> \u2028 \u2029 &lt;b&gt; &#x41;",
    '=HYPERLINK("http://nowhere.example/")',
    "https://nowhere.example/x.png",
    "👩‍👩‍👧 \U0001f4a9 ﷽ Z͑͗͛ \x00\x07\x1b[31m \ud800",
    "javascript:window.hit=1",
    "L" * 1_000_000,
)


def test_hostile_texts_change_nothing_but_text(look, tmp_path):
    n = len(HOSTILE)
    kinds = ["right", "wrong"] * n
    outcomes = demur.Outcomes.from_arrays(
        item=[*range(n), *range(n)],
        system=[HOSTILE[0]] * n + [HOSTILE[5] + HOSTILE[3]] * n,
        outcome=kinds[:n] + kinds[1 : n + 1],
        confidence=np.arange(2 * n),
        input=HOSTILE * 2,
        response=HOSTILE[::-1] * 2,
        reference=HOSTILE * 2,
        reason=HOSTILE * 2,
        groups={"<b>topic</b>": HOSTILE[:11] * 2 + ("x", "y")},
    )
    where = tmp_path / "hostile.html"
    demur.report(outcomes, path=where, by="<b>topic</b>", title=HOSTILE[0])
    page = look(where)
    assert page.evaluate("window.hit") is None
    assert page.title().startswith("<script>")
    assert page.locator("script").count() == 2
    assert page.locator("img, iframe, object, embed, link").count() == 0
    assert page.locator("textarea").count() == 1  # for notes
    text = page.locator("#list").inner_text()
    for words in (HOSTILE[0], HOSTILE[2], HOSTILE[4], "[U+202E]gnp.exe[U+202C]"):
        assert words in text
    assert "\u202e" not in page.locator("body").inner_text()
    assert "all 1,000,000 characters" in text
    for item in range(n):
        page.evaluate("(item) => { location.hash = '#item=' + item; }", item)
        settled(page)
    for option in range(page.locator("#group option").count()):
        page.locator("#group").select_option(index=option)
        settled(page)
    page.select_option("#group", "-1")
    with page.expect_download() as waiting:
        page.click("#items-csv")
    assert "'=HYPERLINK" in waiting.value.path().read_text("utf-8-sig")
    assert page.evaluate("window.hit") is None
    assert where.stat().st_size < 10_500_000


def test_a_typed_cutoff_answers_what_the_library_answers(look, tmp_path):
    where = tmp_path / "single.html"
    for kind in (np.float32, np.float64):
        outcomes = demur.Outcomes.from_arrays(
            correct=[1, 0, 1, 0, 1],
            confidence=np.array([0.1, 0.7, 0.7, 0.8, 1e9], kind),
        )
        demur.report(outcomes, path=where)
        page, curve = look(where), demur.error_return(outcomes)
        for typed in (0.7, 0.69999998, 0.70000002, 0.05, 0.1, 0.8, 1e9, 2e9, "inf"):
            page.fill("#cutoff", str(typed))
            page.press("#cutoff", "Enter")
            settled(page)
            point = curve.at(cutoff=float(typed))
            assert shown(page, 0)[1] == pytest.approx(expected(point), abs=1e-15), typed
        page.fill("#cutoff", "never")
        page.press("#cutoff", "Enter")
        settled(page)
        assert shown(page, 0)[0] == "never answer"


def test_a_link_into_the_page_cannot_inject(path, look):
    page = look(path, "#item=<img src=x onerror=window.hit=1>&cutoff=<b>&group=a=b")
    assert page.evaluate("window.hit") is None
    assert page.locator("img").count() == 0


def test_numbers_of_the_page_are_those_of_the_commands(path, look, outcomes):
    page = look(path)
    texts = page.locator("main section table").all_text_contents()
    first, second = (curve.system for curve in demur.curve_by(outcomes))
    comparison = demur.compare(
        outcomes.select(system=second), outcomes.select(system=first), items="common"
    )
    wanted = comparison.to_dict()
    tests = next(text for text in texts if text.startswith(f"{first} less {second}"))
    assert f"{wanted['difference']:+.4f}" in tests
    assert all(f"{end:+.4f}" in tests for end in wanted["interval"])
    assert json.dumps(wanted["a"]) == '"letters"'
