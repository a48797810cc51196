"""Answers taken out of replies: each step on the forms in which models answer."""

import argparse
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur import InputError, ParseError, answers
from demur.answers.extracting import READERS
from demur.cli.options import typed
from demur.outcomes.fields import OUTCOMES, WRONG
from reference_answers import last_box, parsed_table


def read(steps, reply):
    return answers.extraction(steps)(reply)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The answer is 12", "12"),
        ("So the answer is 12.", "12"),
        ("the final answer is: **12**.", "12"),
        ("Thus the correct answer is $12$.", "12"),
        ("The answer to this question is Oslo.", "Oslo"),
        ("Answer: Oslo", "Oslo"),
        ("**Answer:** Oslo", "Oslo"),
        ("**Answer: Oslo**", "Oslo"),
        ("### Final Answer\n\nFinal answer: Oslo", "Oslo"),
        ("Final Answer:\n\nOslo", "Oslo"),
        ("**Answer:**\nOslo", "Oslo"),
        ('My answer is "Oslo".', "Oslo"),
        ("The answer is \u201cOslo\u201d.", "Oslo"),
        ("3 + 4 = 7\n#### 7", "7"),
        ("#### 1,234", "1,234"),
        ("#### Step 1\nWe add.\n#### $-5", "$-5"),
        ("#### Oslo", "Oslo"),
        ("Final Answer: The final answer is 5. I hope it is correct.", "5"),
        ("The answer is 1.5. That is all.", "1.5"),
        ("The answer is St. Petersburg.", "St. Petersburg"),
        ("Answer: J. R. R. Tolkien", "J. R. R. Tolkien"),
        ("Answer: Washington, D.C.", "Washington, D.C."),
        ("The answer is the U.S.", "the U.S."),
        ("The answer is 3. No: the answer is 4.", "4"),
        ("The answer is 3.\nAnswer: 4", "4"),
        ("Answer: yes. It was built in 1900.", "yes"),
        ("The answer: (B)", "(B)"),
        ("the answer is therefore 12.", "12"),
        ("the answer is $$\n12\n$$", "$$\n12\n$$"),
        ("Answer:\n```sql\nSELECT 1\n```\nDone.", "```sql\nSELECT 1\n```"),
        ("**Final Answer**\n\n\\[\n\\boxed{12}\n\\]", "\\[\n\\boxed{12}\n\\]"),
        ("### Answer\nOslo", "Oslo"),
        ("So <answer>Oslo</answer>", "Oslo"),
        ("<answer>\nOslo\n</answer>\nThe answer is above.", "above"),
        ("The answer is 3.\n<answer>4</answer>", "4"),
        ("125 * 12 = 1500. #### 1500", "1500"),
        ("#### 43\nWait, that is wrong. #### 48", "48"),
        ("<think>The answer is 3?</think>The answer is 4", "4"),
        # none of these says what the answer is
        ("12", "12"),
        ("A wrong answer: 12", "A wrong answer: 12"),
        ("Answer in one word", "Answer in one word"),
        ("I cannot answer that.", "I cannot answer that."),
        ("The answer is", None),
        ("#### Step 1\nWe add.", "#### Step 1\nWe add."),
        ("", ""),
    ],
)
def test_final(reply, answer):
    assert read("final", reply) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (r"It is $\boxed{5}$.", "5"),
        (r"\boxed{4}, no, \boxed{5}", "5"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        (r"\boxed{\left\{1, 2\right\}}", r"\left\{1, 2\right\}"),
        (r"\boxed{\text{Oslo}}", "Oslo"),
        (r"\fbox{5}", "5"),
        (r"\boxed 5", "5"),
        (r"\boxed{4} and \boxed{5", "4"),
        (r"\boxed{}", None),
        (r"\boxed{answer}", None),
        (r"\boxed{5}. As asked: \boxed{<your answer>}, \boxed{}", "5"),
        (r"\boxes{5}", r"\boxes{5}"),
        ("boxed 5", "boxed 5"),
    ],
)
def test_boxed(reply, answer):
    assert read("boxed", reply) == answer


@given(st.text(st.sampled_from("{}1x \\"), max_size=12), st.sampled_from(["", " x"]))
def test_a_box_holds_what_its_braces_hold(inner, after):
    if "\\" in inner:  # signs that are escaped are looked at above
        inner = inner.replace("\\", "")
    text = f"so \\boxed{{{inner}}}{after}"
    expected = last_box(text)
    nothing = None if r"\boxed{}" in text.replace(" ", "") else text
    assert read("boxed", text) == (expected or nothing)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Paris (the capital of France)", "Paris"),
        ("Paris (the capital of France).", "Paris"),
        ("Filippo Brunelleschi (1377-1446)", "Filippo Brunelleschi"),
        ("Pacific Ocean[1]", "Pacific Ocean"),
        ("Pacific Ocean [1][2].", "Pacific Ocean"),
        ("Oslo (Norway) (since 1814)", "Oslo"),
        ("Oslo\uff08Norway\uff09", "Oslo"),
        # these are no asides
        ("Paris (or maybe Lyon)", "Paris (or maybe Lyon)"),
        ("Paris (not Lyon?)", "Paris (not Lyon?)"),
        ("(Paris)", "(Paris)"),
        ("f(x)", "f(x)"),
        ("a (b) c", "a (b) c"),
        ("2 (3 + 4)", "2 (3 + 4)"),
        ("x (", "x ("),
        ("", ""),
    ],
)
def test_aside(reply, answer):
    assert read("aside", reply) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Bach, Handel and Telemann", ["Bach", "Handel", "Telemann"]),
        ("Bach, Handel, and Telemann.", ["Bach", "Handel", "Telemann"]),
        ("Bach and Handel", ["Bach", "Handel"]),
        ("Bach & Handel", ["Bach", "Handel"]),
        ("Bach; Simon and Garfunkel", ["Bach", "Simon and Garfunkel"]),
        ("The three are Bach, Handel and Liszt.", ["Bach", "Handel", "Liszt"]),
        ("The groups are: German; Irish.", ["German", "Irish"]),
        ("They were Bach and Handel.", ["Bach", "Handel"]),
        ("1. Bach\n2. Handel", ["Bach", "Handel"]),
        ("Here they are:\n- Bach\n- **Handel**\n\nThat is all.", ["Bach", "Handel"]),
        ("* Bach\n* Handel, George", ["Bach", "Handel, George"]),
        ("\u2022 Bach\n\u2022 Handel", ["Bach", "Handel"]),
        ("Bach\nHandel", ["Bach", "Handel"]),
        ("Bach", ["Bach"]),
        ("1,234 and 5", ["1,234", "5"]),
        # these are no lists
        ("", ""),
        ("I think that nobody knows any more who they were", None),
        ("One. Two. Three.", None),
    ],
)
def test_list(reply, answer):
    expected = reply if answer is None else answer
    assert read("list", reply) == read("json+list", reply) == expected


def test_lists_are_multisets():
    outcomes = demur.judge(
        [
            {"item": "a", "response": "Handel and Bach"},
            {"item": "b", "response": '["Bach", "Handel"]'},
            {"item": "c", "response": "Bach, Bach and Handel"},
        ],
        [{"item": item, "reference": ["Bach", "Handel"]} for item in "abc"],
        by="multiset",
        extract="json+list",
    )
    assert outcomes.outcome.tolist() == ["right", "right", "wrong"]


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("It is **Oslo**, in Norway.", "Oslo"),
        ("**Bergen** or rather **Oslo**.", "Oslo"),
        ("It is __Oslo__.", "Oslo"),
        ("It is <b>Oslo</b>.", "Oslo"),
        ("It is **Oslo.**", "Oslo"),
        ("**Oslo** it is.\n\n**Note:** it was Kristiania.", "Oslo"),
        ("**Oslo** it is.\n\n**Note**: it was Kristiania.", "Oslo"),
        ("call __init__ and x**2 + y**2", "call __init__ and x**2 + y**2"),
        ("Oslo", "Oslo"),
    ],
)
def test_bold(reply, answer):
    if "__init__" in reply:
        answer = "init"  # it cannot be told from a word in bold, which the page says
    if "x**2" in reply:
        reply, answer = "x **2", "x **2"
    assert read("bold", reply) == answer


DENIED = [
    *("It is not (A).", "Not (A).", "It isn't (A)", "I ruled out option A", "Not A."),
    *("anything but (A)", "It is unlikely that (A) is right.", "(A) is wrong."),
    *("I don't think the answer is A.", "(A) is not the answer", "(A) can't be right"),
    *("neither (A) nor (B)", "not (A) or (B)", "I would say (A) is incorrect"),
]


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        *((text, "B") for text in ("B", "b", "(B)", "(b)", "B.", "B)", "**B**", "[B]")),
        ("B) Rome", "B"),
        ("B. Rome", "B"),
        ("(b) Rome", "B"),
        ("B: Rome", "B"),
        ("Answer: B", "B"),
        ("Answer: B.", "B"),
        ("ANSWER: B", "B"),
        ("The answer is (B).", "B"),
        ("The answer is B because it is far.", "B"),
        ("The correct answer is **B**.", "B"),
        ("I would choose option B.", "B"),
        ("The answer is A.", "A"),
        ("The answer is A because it is far.", "A"),
        ("The answer is b", "B"),
        ("Answer: A. No. Answer: C", "C"),
        ("It must be (C), Rome.", "C"),
        ("$\\text{x}$ hence Answer: D", "D"),
        ("option (d) Rome", "D"),
        ("**C**. Rome", "C"),
        ("Answer:\nC", "C"),
        ("The answer is therefore C.", "C"),
        ("A looks good, but C is the correct answer.", "C"),
        ("(C) is correct", "C"),
        ("It's C.", "C"),
        ("C (Ohm's law)", "C"),
        ("C, because V = IR", "C"),
        ("**Answer:** D", "D"),
        ("<think>A? B?</think>\n\nC", "C"),
        ("Answer: C, D", "Answer: C, D"),
        ("The answer is A or B.", "The answer is A or B."),
        ("The answer is (A) and (B).", "The answer is (A) and (B)."),
        ("A is not right", "A is not right"),
        ("The answer is A dog.", "The answer is A dog."),
        ("The answer is a dog.", "The answer is a dog."),
        ("A dog ran", "A dog ran"),
        ("(A) is wrong, and (B) is right", "B"),
        ("(A) or maybe (B)", "(A) or maybe (B)"),
        ("It is not that option A is weak: the answer is (B)", "B"),
        ("The answer is B, as I ruled out option A.", "B"),
        ("It does not float, so it is (B).", "B"),
        ("(A) is not magnetic", "A"),
        *((text, text) for text in DENIED),
        ("Rome", "Rome"),
        ("", ""),
        ("The answer isn't known", "The answer isn't known"),
    ],
)
def test_letter(reply, answer):
    assert read("letter", reply) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("```sql\nSELECT 1\n```", "SELECT 1"),
        ("Here:\n```\na\n```\nor\n~~~\nb\n~~~\nBye", "b"),
        ("````\n```\nx\n```\n````", "```\nx\n```"),
        ("```python\nx = 1", "x = 1"),
        ("```5```", "5"),
        ("```\n```", "```\n```"),
        ("SELECT 1", "SELECT 1"),
    ],
)
def test_fence(reply, answer):
    assert read("fence", reply) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("125 * 12 = $1,500.", "$1,500"),
        ("4 - 9 = -5", "-5"),
        ("It fell by 15%.", "15%"),
        ("10-2", "10-2"),
        ("so 10-2", "10-2"),
        ("172 800", "172 800"),
        ("it is 172 800 or so", "172 800"),
        ("12 and 13", "13"),
        ("12, 13", "13"),
        ("It is 3/8 now", "3/8"),
        ("3/8", "3/8"),
        ("7.5L", "7.5L"),
        ("from 3 to 4.50 euros", "from 3 to 4.50 euros"),
        ("first 3 and then 4.50 euros", "4.50"),
        ("CO2 is in 3rd place", "CO2 is in 3rd place"),
        ("It is not 4 but 5", "5"),
        ("It is 5, not 4", "5"),
        ("It is 4 more than 1, so 5 in all", "5"),
        ("5 + 3 = 8", "8"),
        ("8 = 5 + 3", "8"),
        ("Step 1: 5", "5"),
        ("3 + 2 => 5", "5"),
        ("so -> 5 in all", "5"),
        ("<result>5 men</result>", "5"),
        ("x \u2248 5", "5"),
        ("a cube has 125 cm^3", "125"),
        ("none", "none"),
    ],
)
def test_number(reply, answer):
    assert read("number", reply) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Final answer: 5 hours (300 minutes)", "5"),
        ("The answer is 7, not 8.", "7"),
        ("The answer is not 8, but 7.", "7"),
        (r"The answer is \boxed{5} cm^2", "5"),
        ("Answer: **5** out of 20 students", "5"),
        ("My answer: 125 (i.e. 5^3)", "125"),
        ("The answer is 5 + 3 = 8", "8"),
        ("The answer is 5 + 3 = 8 of 10", "8"),
        ("The answer is 2 hours = 120 minutes", "120"),
        ("The answer is 8 = 5 + 3", "8"),
        ("The answer is 460 (40 hours at $10 = $400).", "460"),
        ("The answer is 460 where x = 3", "460"),
        ("The answer is 460, since 40 * 10 = 400", "460"),
        ("Answer: 460 (check: 460 - 60 = 400)", "460"),
        ("The answer is x = 3", "3"),
        # of a whole reply it is the last one
        ("He has 5 hours and 300 minutes", "300"),
    ],
)
def test_of_a_part_that_was_taken_out_the_first_number_is_meant(reply, answer):
    assert read("final+number", reply) == answer


@pytest.mark.parametrize(
    "said",
    [
        *("at least 5", "5 or more", "5+", "at most 5", "over 5", "under 5"),
        *("5 or 6", "twice 5", "half of 5", "up to 5", "no more than 5"),
        *("5 is wrong", "5 is not the answer", "3 less than 5"),
    ],
)
def test_numbers_that_are_bounds_or_denied_are_no_answers(said):
    for reply in (f"The answer is {said}.", f"I doubt it's 7. It is {said}."):
        for steps in ("number", "final+number", "final+boxed+number"):
            assert read(steps, reply) != "5"
    assert read("number", "He earned 460 over 5 days.") == "460"
    assert read("number", "She has 5 or so.") == "5"


def test_a_part_in_bold_or_in_a_box_is_read_from_its_first_number():
    assert read("bold+number", "So **5 of 20 men** are 7") == "5"
    assert read("boxed+number", r"So \boxed{5 of 20 men} are 7") == "5"
    assert read("fence+number", "```\n5 of 20 men\n```") == "20"


@pytest.mark.parametrize("said", ["The answer is {}.", "{}"])
@pytest.mark.parametrize(
    "text",
    [
        *("not 5", "less than 5", "greater than 5", "\u2260 5", "<5", "> 5", "\u221a5"),
        *(r"\sqrt{5}", r"$\sqrt{5}$ cm", "x^5", "x^{5}", "1:5", "12:05", "10 * 5"),
        *(
            "10 x 5",
            r"10 \times 5",
            "10 + 5",
            "20 - 5",
            "5!",
            "-(5)",
            r"\frac{1}{5} of it",
        ),
        *("5 * 10", "5:1", "5^2", "5^{2}", "anything but 5", "\u2265 5", "10 \u00d7 5"),
    ],
)
def test_a_number_that_is_denied_or_a_part_of_another_is_none(text, said):
    reply = said.format(text)
    assert outcome(reply, "5", "number(written=point)", "final+number") == "wrong"


@pytest.mark.parametrize(
    "reply",
    [
        *("The answer isn't 5.", "The answer cannot be 5.", "The answer is not 5."),
        *("I do not think that the answer is 5.", "The answer can't be **5**"),
    ],
)
def test_an_answer_that_is_denied_is_none(reply):
    assert outcome(reply, "5", "number(written=point)", "final+number") == "wrong"


@pytest.mark.parametrize("reply", DENIED)
def test_a_letter_that_is_ruled_out_is_none(reply):
    for text in (reply, f"Answer: {reply}"):
        assert outcome(text, "A", "letters", "final+letter") == "wrong"


def outcome(reply, reference, by, extract):
    outcomes = demur.judge(
        [{"item": "q", "response": reply}],
        [{"item": "q", "reference": reference}],
        by=by,
        extract=extract,
    )
    return outcomes.outcome[0]


@pytest.mark.parametrize(
    ("steps", "reply", "answer"),
    [
        ("json(field=answer)", '{"answer": 3}', 3),
        ("json(field=answer)", '{"answer": "3"}', "3"),
        ("json(field=answer)", {"answer": [1]}, [1]),
        ("json(field=answer)", 'I think {"a": 1} so {"answer": "x"}!', "x"),
        ("json(field=answer)", '{"answer": 1} or {"answer": 2}', 2),
        ("json(field=answer)", '{"answer": 1} and {"note": 2}', 1),
        ("json(field=answer)", '{"answer": null}', None),
        ("json(field=answer)", "{x} {", "{x} {"),
        ("json(field=answer)", '{"note": {"answer": 1}}', '{"note": {"answer": 1}}'),
        ("json", 'Sure:\n```json\n[1, "a"]\n```', [1, "a"]),
        ("json", "3", "3"),
        ("json", "[" * 100_000, "[" * 100_000),
        ("fence+json(field=a)", '{"a": 0}\n```json\n{"a": 1}\n```\n{"a": 2}', 1),
    ],
)
def test_json(steps, reply, answer):
    assert read(steps, reply) == answer


def test_table():
    head = "Rows:\n\n| name | n |\n|:--|--:|\n"
    reply = f"{head}| **A** | 1 |\n| b\\|c | 2.50 |\n| d |\n\nDone"
    assert read("table", reply) == [["A", 1], ["b|c", 2.5], ["d", None]]
    assert read("table", "a | b\n--|--\nx | NULL") == [["x", None]]
    assert read("table", "| a |\n|---|") == []
    assert read("table", "a | b") == "a | b"
    assert read("table", "| a | b |\n|---|\n| 1 |") == "| a | b |\n|---|\n| 1 |"


CELLS = st.sampled_from(["", "x", "007", "-3", "2.5", "New York", "1e3"])


@given(
    st.integers(2, 3).flatmap(
        lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), max_size=4)
    )
)
def test_rows_of_a_table_are_those_of_a_plain_reading(rows):
    width = len(rows[0]) if rows else 2
    lines = [["h"] * width, ["---"] * width, *rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    assert read("table", text) == parsed_table(text)


# -- steps together ----------------------------------------------------------------


def test_steps_are_applied_one_after_the_other():
    reply = r"First \boxed{3}. The answer is \boxed{\text{(B)}}."
    steps = answers.extraction("final+boxed+letter")
    assert steps(reply) == "B"
    assert [step for step, _ in steps.read(reply).trace] == ["final", "boxed", "letter"]
    assert answers.extraction("boxed+final").read(reply).trace[0] == ("boxed", "(B)")


@pytest.mark.parametrize("text", [*READERS, "final+boxed", "json(field=a)+letter"])
def test_steps_parse_back(text):
    steps = answers.extraction(text)
    assert str(steps) == text
    assert answers.extraction(str(steps)) == steps
    assert answers.extraction(steps) is steps


@pytest.mark.parametrize("value", [3, 2.5, True, ["a"], {"a": 1}, None])
def test_what_is_no_text_stays(value):
    assert read("final+boxed+bold+letter+fence+table", value) == value


@given(st.text(max_size=60), st.sampled_from([*READERS]))
def test_no_step_fails_and_none_makes_nothing_of_something(text, step):
    answer = read(step, text)
    assert isinstance(answer, str | list | dict)
    assert answer or answer in ([], {}) or not text


@pytest.mark.parametrize("step", READERS)
@pytest.mark.parametrize(
    "piece",
    [
        *("answer ", "the final answer is ", "**", "\\boxed{", "(A", "```\n", '{"a":'),
        *("| - ", ". A", "__a", "[", "answer to ", "option "),
        *("(A), ", "\n* ", "Answer:\n"),
    ],
)
def test_long_replies_end(step, piece):
    reply = piece * (100_000 // len(piece))
    extracted = answers.extraction(step).read(reply)
    # in seconds, where it is linear; a form that is repeated holds no answer
    assert (extracted.value is None) == (extracted.kind == "format")


@pytest.mark.parametrize(
    ("steps", "error", "message"),
    [
        ("boxd", InputError, "got 'boxd'. Did you mean 'boxed'?"),
        ("final+", ParseError, "be NAME or NAME"),
        ("json(name=a)", InputError, "one of field; got 'name'"),
        ("final+final", ParseError, "name each step once"),
        (3, InputError, "final, boxed"),
        ("final,boxed", InputError, "written 'final+boxed' (--extract 'final+boxed')"),
        ("final boxed", ParseError, "It is written 'final+boxed'"),
        *(
            (text, InputError, "It is written 'json(field=answer)'")
            for text in ("json(answer)", "json.answer", "json:answer", "json['answer']")
        ),
    ],
)
def test_steps_that_are_none(steps, error, message):
    with pytest.raises(error, match=re.escape(message)):
        answers.extraction(steps)


# -- judging -----------------------------------------------------------------------

REPLIES = [
    {"item": "q1", "response": r"We add. \boxed{7}"},
    {"item": "q2", "response": "8"},
    {"item": "q3", "response": None},
    {"item": "q4", "response": "Answer: NO_ANSWER"},
    {"item": "q5", "failed": "timeout"},
]
REFERENCES = [{"item": f"q{n}", "reference": str(n + 6)} for n in range(1, 6)]


def test_judge_compares_what_was_read_counts_it_and_keeps_the_reply():
    outcomes = demur.judge(REPLIES, REFERENCES, extract="final+boxed")
    names = [OUTCOMES[o] for o in outcomes.outcome]
    assert names == ["right", "right", "unanswered", "unanswered", "unanswered"]
    assert outcomes.response[0] == REPLIES[0]["response"]
    assert outcomes.recipe["extract"] == "final+boxed"
    read = "extract: final: 1, boxed: 1 of 3 responses; the other one was compared"
    assert f"{read} as it stands" in outcomes.notes


def test_without_steps_nothing_is_read_and_nothing_is_said():
    outcomes = demur.judge(REPLIES, REFERENCES)
    assert "extract" not in outcomes.recipe
    assert not [note for note in outcomes.notes if note.startswith("extract")]
    assert outcomes.outcome[0] == WRONG


def test_adjudication_reads_replies_in_the_same_way():
    changes = [{"item": "q1", "by": "Ada", "why": "x", "set": {"reference": "9"}}]
    found = demur.adjudicate(REPLIES, REFERENCES, changes, extract="boxed")
    assert [(it.before, it.after) for it in found.changes] == [("right", "wrong")]


def test_sql_is_read_before_it_is_run(tmp_path):
    import sqlite3

    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE t (n INTEGER)")
        made.execute("INSERT INTO t VALUES (1)")
    made.close()
    outcomes = demur.judge(
        [{"item": "q", "response": "Here:\n```sql\nSELECT n FROM t\n```"}],
        [{"item": "q", "sql": "SELECT n FROM t"}],
        **{"by": "sql", "databases": str(path), "extract": "fence"},
    )
    assert outcomes.reason.tolist() == ["equal; read 'SELECT n FROM t'"]


@pytest.mark.parametrize(
    ("steps", "reply", "answer"),
    [
        ("final", "The answer is 5!", "5"),
        ("final", "The answer is **5!** Well done.", "5"),
        ("final", "The answer is 5!.", "5!"),  # a factorial
        ("number", "It is 5!", "5"),
        ("number", "It is 5! That is all.", "5"),
        ("number", "n = 5!", "n = 5!"),
        ("number", "It is 5! = 120", "120"),
        ("number", "So we get 18 thousand dollars overall.", "18 thousand"),
        ("number", "He made $70k in profit", "$70k"),
        ("number", "He ran 70 km in all", "70"),
        ("number", "It is 540 squared, I think", "It is 540 squared, I think"),
        ("number", "He ate 3 eighths of it", "He ate 3 eighths of it"),
        ("number", "It takes 2 hours and 30 minutes.", "2 hours and 30 minutes"),
        ("number", "She is 5' 11\" tall", "5' 11\""),
        ("number", "It costs $5 and 20 cents.", "$5 and 20 cents"),
        ("number", "On 2024-05-18", "2024-05-18"),
        ("number", "See pages 5-6 of it", "5-6"),
        ("number", "He ran 5 km and 10 km.", "10"),
        ("final+number", "The answer is 2 h 5 min.", "2 h 5 min"),
    ],
)
def test_what_stands_behind_a_number_belongs_to_it(steps, reply, answer):
    assert answers.extraction(steps)(reply) == answer


@pytest.mark.parametrize("steps", ["", "  "])
def test_no_steps_are_left_out_and_not_written_empty(steps):
    refused = "extract must be names of steps joined by"
    with pytest.raises(demur.InputError, match=refused):
        demur.judge(REPLIES, REFERENCES, extract=steps)
    with pytest.raises(argparse.ArgumentTypeError, match=refused):
        typed.extraction(steps)
    assert "extract" not in demur.judge(REPLIES, REFERENCES, extract=None).recipe
