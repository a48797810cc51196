"""The air-travel example: its data is as its scripts make it, and says what it says."""

import doctest
import importlib.util
import itertools
import json
import re
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

import demur
from scripts import importing_from

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "air_travel"
DATABASE = FOLDER / "air_travel.sqlite"
SYSTEMS = ("template", "bold", "wide")
READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION)


def script(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    with importing_from(FOLDER):
        spec.loader.exec_module(module)
    return module


def records(name):
    return [
        json.loads(line) for line in (FOLDER / name).read_text("utf-8").split("\n")[:-1]
    ]


QUESTIONS = records("questions.jsonl")
BY_ITEM = {question["item"]: question for question in QUESTIONS}
MEANINGS = records("meanings.jsonl")
SIGNS = records("class_signs.jsonl")
RESPONSES = {
    name: {each["item"]: each for each in records(f"systems/{name}.jsonl")}
    for name in SYSTEMS
}
README = (FOLDER / "README.md").read_text("utf-8")


def readings(question, name):
    found = [question[name]] if name in question else question.get(f"{name}s", [])
    return [each["value"] if isinstance(each, dict) else each for each in found]


def all_sql():
    for question in QUESTIONS:
        yield from readings(question, "sql") + readings(question, "max_sql")
    for answers in RESPONSES.values():
        found = (each["response"] for each in answers.values())
        yield from (each for each in found if each != "NO_ANSWER")


def run(sql, path=DATABASE):
    """The rows, on a connection that allows nothing but reading."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        connection.set_authorizer(
            lambda action, *_: (
                sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY
            )
        )
        return connection.execute(sql).fetchall()


# -- slow and plain: which rows are contained in which ------------------------------


def column_choices(narrow, wide):
    """Each way to give every column of the one table a column of the other."""
    fits = [
        [
            there
            for there in range(len(wide[0]))
            if {row[here] for row in narrow} <= {row[there] for row in wide}
        ]
        for here in range(len(narrow[0]))
    ]
    return (each for each in itertools.product(*fits) if len(set(each)) == len(each))


def picked(rows, columns):
    return [tuple(row[column] for column in columns) for row in rows]


def within(narrow, wide):
    """Each row of the one is part of a row of the other, by one choice of columns."""
    if not narrow or not wide:
        return not narrow
    choices = column_choices(narrow, wide)
    return any(set(narrow) <= set(picked(wide, each)) for each in choices)


def same(reference, answer, question):
    """The answer holds the reference, and maybe further columns."""
    if question.get("rules") == "1990" and answer not in ([("YES",)], [("NO",)]):
        answer = [("YES" if answer else "NO",)]
    if not reference or not answer:
        return not reference and not answer
    if question.get("mode") == "bag":
        return sorted(reference) == sorted(answer)
    choices = (picked(answer, each) for each in column_choices(reference, answer))
    return any(
        set(reference) == set(rows) and in_order(reference, rows, question)
        for rows in choices
    )


def in_order(reference, rows, question):
    """Keys come in the order of the reference, if order counts; ties are free."""
    keys = question.get("order_by", [])
    return not question.get("ordered") or picked(reference, keys) == picked(rows, keys)


def outcome(question, response, *, maximum):
    if response["response"] == "NO_ANSWER":
        return "unanswered"
    answer = run(response["response"])
    most = readings(question, "max_sql")
    for position, sql in enumerate(readings(question, "sql")):
        if same(run(sql), answer, question):
            limit = run(most[position]) if maximum and most else None
            if limit is None or within(answer, limit):
                return "right"
    return "wrong"


def counts(name, *, maximum):
    """Right, wrong, unanswered of classes A and D."""
    found = Counter(
        (question["class"], outcome(question, RESPONSES[name][item], maximum=maximum))
        for item, question in BY_ITEM.items()
        if question["class"] != "X"
    )
    return [
        found[label, kind]
        for label in "AD"
        for kind in ("right", "wrong", "unanswered")
    ]


@pytest.mark.parametrize("name", ["make_database", "make_answers", "template_system"])
def test_examples_of_the_scripts_run(name):
    found = doctest.testmod(script(name))
    assert found.attempted
    assert not found.failed


# -- the database --------------------------------------------------------------------


def test_database_is_as_its_script_makes_it(tmp_path, capsys):
    make = script("make_database")
    assert make.main(["--check"]) == 0
    assert DATABASE.stat().st_size <= 300_000
    copy = tmp_path / "copy.sqlite"
    shutil.copy(DATABASE, copy)
    assert make.main(["--check", "--output", str(copy)]) == 0
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE fare SET one_way = 1 WHERE fare_id = 5013")
        connection.commit()
    assert make.main(["--check", "--output", str(copy)]) == 1
    assert "5013" in capsys.readouterr().out


def test_another_seed_makes_another_instance(tmp_path):
    make, other = script("make_database"), tmp_path / "other.sqlite"
    assert make.main(["--seed", "7", "--output", str(other)]) == 0
    assert make.main(["--check", "--output", str(other)]) == 1
    for sql in sorted(set(all_sql())):
        run(sql, other)
    cities = "SELECT * FROM city"
    assert run(cities, other) == run(cities)
    question = BY_ITEM["air-07-6"]
    for name in SYSTEMS:
        sql = RESPONSES[name]["air-07-6"]["response"]
        assert same(run(question["sql"]), run(sql), question)
        assert not same(run(question["sql"], other), run(sql, other), question)


@pytest.mark.parametrize(
    ("least", "sql"),
    {
        "no meal": (20, "SELECT 1 FROM flight WHERE meal_code IS NULL"),
        "one-way price unknown": (10, "SELECT 1 FROM fare WHERE one_way IS NULL"),
        "seats unknown": (1, "SELECT 1 FROM aircraft WHERE seats IS NULL"),
        "cheapest fares tie": (
            5,
            "SELECT 1 FROM fare GROUP BY from_airport, to_airport, one_way "
            "HAVING COUNT(one_way) > 1",
        ),
        "one number, several flights": (
            10,
            "SELECT 1 FROM flight GROUP BY airline_code, flight_number "
            "HAVING COUNT(*) > 1",
        ),
        "digits that are text": (
            3,
            "SELECT 1 FROM aircraft WHERE typeof(aircraft_code) = 'text' "
            "AND CAST(aircraft_code AS INTEGER) > 0",
        ),
        "two airports": (
            1,
            "SELECT 1 FROM airport_service GROUP BY city_code HAVING COUNT(*) > 1",
        ),
        "over midnight": (
            10,
            "SELECT 1 FROM flight WHERE arrival_time < departure_time",
        ),
        "no fare": (
            5,
            "SELECT 1 FROM flight WHERE flight_id NOT IN "
            "(SELECT flight_id FROM flight_fare)",
        ),
        "two classes of one name": (
            1,
            "SELECT 1 FROM fare_class GROUP BY class_name HAVING COUNT(*) > 1",
        ),
    }.values(),
)
def test_traps_are_there(least, sql):
    assert len(run(sql)) >= least


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FROM flight LEFT JOIN airline USING (airline_code) "
        "WHERE airline_name IS NULL",
        "SELECT 1 FROM flight_fare LEFT JOIN flight USING (flight_id) "
        "LEFT JOIN fare USING (fare_id) WHERE flight.airline_code IS NULL "
        "OR fare.airline_code <> flight.airline_code "
        "OR fare.from_airport <> flight.from_airport "
        "OR fare.to_airport <> flight.to_airport",
        "SELECT 1 FROM flight WHERE from_airport = to_airport",
        "SELECT 1 FROM flight WHERE (departure_time / 100 * 60 + departure_time % 100 "
        "+ duration_minutes - arrival_time / 100 * 60 - arrival_time % 100) % 1440",
        "SELECT 1 FROM flight WHERE departure_time % 100 > 59 OR departure_time > 2359",
        "SELECT 1 FROM fare WHERE one_way IS NULL AND round_trip IS NULL",
        "SELECT 1 FROM fare WHERE one_way > round_trip",
    ],
)
def test_nothing_in_it_contradicts_itself(sql):
    assert not run(sql)


# -- the questions -------------------------------------------------------------------


def test_questions_are_read_as_references():
    read = demur.read_references(str(FOLDER / "questions.jsonl"))
    assert [each.item for each in read] == list(BY_ITEM)
    assert len(BY_ITEM) == len(QUESTIONS) >= 70
    assert sum(not each.answerable for each in read) == 4
    for name in SYSTEMS:
        responses = demur.read_responses(str(FOLDER / "systems" / f"{name}.jsonl"))
        assert [each.item for each in responses] == list(BY_ITEM)


def test_classes_are_what_they_say():
    sizes = Counter(question["class"] for question in QUESTIONS)
    assert (sizes["A"] >= 40, sizes["D"] >= 15, sizes["X"] >= 8) == (True,) * 3
    for question in QUESTIONS:
        judged = question["class"] in "AD"
        assert judged == bool(readings(question, "sql")) == ("meanings" in question)
        assert judged != ("why" in question)
        assert ("context" in question) == (question["class"] == "D") or not judged
        assert (
            judged
            or question.get("answerable") is False
            or (question["reference"] == "NO_ANSWER")
        )
    assert (
        f"| {sizes['A']} | {sizes['D']} | {sizes['X']} | {len(QUESTIONS)} |" in README
    )


def test_context_comes_earlier_in_the_same_dialogue():
    order = list(BY_ITEM)
    for question in QUESTIONS:
        assert question["item"].startswith(question["cluster"] + "-")
        for item in question.get("context", []):
            assert BY_ITEM[item]["cluster"] == question["cluster"]
            assert order.index(item) < order.index(question["item"])
            if BY_ITEM[item]["class"] == "X":
                assert question["class"] == "X"
    subjects = {(each["cluster"], each["subject"]) for each in QUESTIONS}
    assert len(subjects) == len({cluster for cluster, _ in subjects})


def test_every_query_only_reads_and_runs():
    for sql in set(all_sql()):
        assert re.fullmatch(r"SELECT\b[^;]*", sql), sql
        run(sql)


def test_the_watch_on_reading_works():
    with pytest.raises(sqlite3.DatabaseError, match="not authorized"):
        run("DELETE FROM city")


def test_minimum_is_within_maximum():
    checked = 0
    for question in QUESTIONS:
        least, most = readings(question, "sql"), readings(question, "max_sql")
        assert len(most) in (0, len(least))
        for small, large in zip(least, most, strict=bool(most)):
            assert within(run(small), run(large)), question["item"]
            checked += 1
    assert checked > 60


def test_readings_of_a_question_differ():
    for question in QUESTIONS:
        found = [sorted(map(str, run(sql))) for sql in readings(question, "sql")]
        assert len({str(each) for each in found}) == len(found), question["item"]


def test_order_is_given_where_it_counts():
    ordered = [question for question in QUESTIONS if question.get("ordered")]
    assert len(ordered) == 3
    for question in ordered:
        width = len(run(question["sql"])[0])
        assert all(0 <= column < width for column in question["order_by"])
    for question in QUESTIONS:
        sorts = any("ORDER BY" in sql for sql in readings(question, "sql"))
        assert sorts == bool(question.get("ordered"))


def test_meanings_are_numbered_and_cited():
    ids = [meaning["id"] for meaning in MEANINGS]
    assert ids == [f"M{number}" for number in range(1, len(ids) + 1)]
    assert len(ids) >= 20
    assert all(each["term"] and each["meaning"] for each in MEANINGS)
    cited = {name for each in QUESTIONS for name in each.get("meanings", [])}
    assert cited == set(ids)


# -- the answers in CAS --------------------------------------------------------------

TOKEN = re.compile(r'"[^"]*"|[()]|[^\s()"]+')


def parsed(text):
    """CAS as nested lists of its tokens."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            closed = stack.pop()
            stack[-1].append(closed)
        else:
            stack[-1].append(token)
    (outer,) = stack
    return outer[0]


def plain(value):
    if value is None:
        return "NIL"
    return f'"{value}"' if isinstance(value, str) else str(value)


def meant(text):
    """The readings in a text, each as a sorted list of lines."""
    found = parsed(text)
    several = isinstance(found, list) and "OR" in found
    found = [each for each in found if each != "OR"] if several else [found]
    return [
        sorted(map(tuple, each)) if isinstance(each, list) else [(each,)]
        for each in found
    ]


def computed(sql, question):
    rows = [tuple(map(plain, row)) for row in run(sql)]
    rows = rows if question.get("mode") == "bag" else list(set(rows))
    return sorted([("YES",)] if rows == [('"YES"',)] else rows)


def test_answers_in_cas_are_what_the_queries_return():
    for question in QUESTIONS:
        least = [question.get("min") or question.get("reference")]
        if "references" in question:
            least = [each["value"] for each in question["references"]]
            weights = [each["weight"] for each in question["sqls"]]
            assert weights == [each["weight"] for each in question["references"]]
        if question["class"] != "X":
            found = [computed(sql, question) for sql in readings(question, "sql")]
            found = [[("NO",)] if each == [('"NO"',)] else each for each in found]
            assert [each for text in least for each in meant(text)] == found
        if "max" in question:
            found = [computed(sql, question) for sql in readings(question, "max_sql")]
            found = [[("NO",)] if each == [('"NO"',)] else each for each in found]
            assert meant(question["max"]) == found


@pytest.mark.parametrize(
    ("item", "field", "text"),
    [
        ("air-01-3", "min", "((140.0) (NIL))"),
        ("air-03-3", "min", "(NO OR ())"),
        ("air-04-3", "min", "(((9.0)) OR ((14.5) (9.0)))"),
        ("air-05-3", "min", "((NIL))"),
        ("air-06-5", "reference", "214"),
        ("air-10-1", "min", "((1274))"),
        ("air-12-2", "min", '(("220" 112) ("340" 210) ("M5" 112))'),
        ("air-14-3", "reference", "YES"),
        ("air-15-1", "reference", "((110) (110) (110) (110) (112) (112))"),
    ],
)
def test_answers_worked_out_by_hand(item, field, text):
    assert BY_ITEM[item][field] == text


def test_stored_answers_are_checked(tmp_path, monkeypatch, capsys):
    make = script("make_answers")
    assert make.main(["--check"]) == 0
    for name in ("questions.jsonl", "air_travel.sqlite"):
        shutil.copy(FOLDER / name, tmp_path)
    copy = tmp_path / "questions.jsonl"
    monkeypatch.setattr(make, "QUESTIONS", copy)
    text = copy.read_text("utf-8")
    copy.write_text(text.replace('"((140.0) (NIL))"', '"((140.0))"'), "utf-8")
    assert make.main(["--check"]) == 1
    assert "air-01-3" in capsys.readouterr().out
    assert make.main([]) == 0
    assert copy.read_text("utf-8") == text


# -- the systems ---------------------------------------------------------------------


def test_responses_are_what_the_systems_say(tmp_path, monkeypatch):
    make = script("make_responses")
    assert make.main(["--check"]) == 0
    for name in ("questions.jsonl", "air_travel.sqlite"):
        shutil.copy(FOLDER / name, tmp_path)
    shutil.copytree(FOLDER / "systems", tmp_path / "systems")
    changed = tmp_path / "systems" / "bold.jsonl"
    changed.write_text(changed.read_text("utf-8").replace("1274", "1275", 1), "utf-8")
    text = changed.read_text("utf-8").replace("NO_ANSWER", "").replace("0.5", "0.6")
    changed.write_text(text, "utf-8")
    monkeypatch.setattr(make, "FOLDER", tmp_path)
    assert make.main(["--check"]) == 1


def test_systems_decline_and_answer_as_described():
    silent = {
        name: {item for item, each in found.items() if each["response"] == "NO_ANSWER"}
        for name, found in RESPONSES.items()
    }
    assert not silent["bold"]
    assert silent["template"] == silent["wide"] != set()
    for found in RESPONSES.values():
        for each in found.values():
            declined = each["response"] == "NO_ANSWER"
            assert ("confidence" in each) != declined
            assert (each.get("kind") == "idk") == declined
    guesses = RESPONSES["bold"]
    sure = {item: guesses[item]["confidence"] >= 0.75 for item in BY_ITEM}
    assert {item for item, is_sure in sure.items() if not is_sure} == silent["template"]


def test_system_reads_only_the_words():
    module = script("template_system")
    with closing(sqlite3.connect(f"{DATABASE.as_uri()}?mode=ro", uri=True)) as opened:
        system = module.TemplateSystem(opened)
    slots, confidence = system.read("Flights from Dunmarch on Friday?", {})
    assert confidence == 1
    assert "days LIKE '%5%'" in module.write_sql(slots)
    assert "city_code = 'DUNM'" in module.write_sql(slots)
    more, _ = system.read("And on Monday?", slots)
    assert "days LIKE '%1%'" in module.write_sql(more)
    assert "city_code = 'DUNM'" in module.write_sql(more)
    alone, _ = system.read("What about Monday?", {})
    assert "DUNM" not in module.write_sql(alone)
    assert system.read("Wherefore quibble?", {}) == ({}, 0.0)


def test_counts_are_those_of_the_readme():
    for name in SYSTEMS:
        free, limited = (counts(name, maximum=each) for each in (False, True))
        line = " | ".join(map(str, [f"`{name}`", *free, limited[0], limited[3]]))
        assert f"| {line} |" in README


def test_wide_answers_are_right_until_a_maximum_is_set():
    free, limited = counts("wide", maximum=False), counts("wide", maximum=True)
    assert limited[0] < free[0] / 2
    assert counts("template", maximum=True) == counts("template", maximum=False)


def test_order_decides_once():
    question = BY_ITEM["air-15-2"]
    given = RESPONSES["wide"]["air-15-2"]
    assert outcome(question, given, maximum=False) == "wrong"
    unordered = {**question, "ordered": False}
    assert outcome(unordered, given, maximum=False) == "right"


def test_signs_of_a_class_find_what_the_readme_says():
    assert [sign["id"] for sign in SIGNS] == [f"S{n + 1}" for n in range(len(SIGNS))]
    found = Counter()
    for question in QUESTIONS:
        text = question["input"].lower()
        marked = any(re.search(sign["pattern"], text) for sign in SIGNS)
        found[question["class"], marked] += 1
    said = f"{found['D', True]} of {found['D', True] + found['D', False]} of class D"
    said += f", {found['X', True]} of {found['X', True] + found['X', False]} of class X"
    said += f", and {found['A', True]} of {found['A', True] + found['A', False]} of"
    assert said in " ".join(README.split())
    used = {
        sign["id"]
        for sign in SIGNS
        for question in QUESTIONS
        if re.search(sign["pattern"], question["input"].lower())
    }
    assert used == {sign["id"] for sign in SIGNS}


def test_a_campaign_begins_with_all_questions_and_the_classes_of_three_people(tmp_path):
    script("make_campaign").main([str(tmp_path)])

    def read(name):
        return [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]

    sites = [read(f"{site}.jsonl") for site in ("aldermoor", "eastmere", "greyhaven")]
    cut = [question for site in sites for question in site]
    hidden = ("class", "why")
    assert cut == [
        {k: v for k, v in question.items() if k not in hidden} for question in QUESTIONS
    ]
    labels = {}
    for label in read("labels.jsonl"):
        labels.setdefault(label["unit"], []).append(label["label"])
    disputed = labels.pop("air-10-6")
    assert sorted(disputed) == ["A", "D", "X"]
    for item, given in labels.items():
        assert given.count(BY_ITEM[item]["class"]) >= 2
    assert sum(len({*given}) > 1 for given in labels.values()) == 4


@pytest.mark.parametrize("name", SYSTEMS)
def test_systems_that_are_told_the_turns_before_say_the_same(name):
    system = script("answer_in_context").InContext(name)
    before = {}
    for question in QUESTIONS:
        context = before.setdefault(question["cluster"], [])
        said = system.answer(question | {"context": context})
        stored = RESPONSES[name][question["item"]]
        assert said["declined"] == (stored["response"] == "NO_ANSWER")
        if not said["declined"]:
            assert said["response"] == stored["response"]
            assert said["confidence"] == stored["confidence"]
        context.append(question)
