"""What notes say of signs that a rule drops."""

import pytest

import demur


def notes(pairs, by):
    outcomes = demur.judge(
        [{"item": str(n), "response": said} for n, (said, _) in enumerate(pairs)],
        [
            {"item": str(n), "references": list(wanted)}
            for n, (_, wanted) in enumerate(pairs)
        ],
        by=by,
    )
    assert set(outcomes.outcome) == {"right"}
    return [note for note in outcomes.notes if "drops signs" in note]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("C++", "C"),
        ("-5", "5"),
        ("1.5", "15"),
        ("C#", "c"),
        ("3 %", "3"),
    ],
)
@pytest.mark.parametrize("by", ["text(normalise=squad)", "f1(threshold=1)"])
def test_a_note_names_answers_that_are_right_without_their_signs(said, wanted, by):
    (note,) = notes([(said, [wanted]), ("Oslo.", ["oslo"])], by)
    assert note.startswith(f"1 right answer only because {by} drops signs, such as ")
    assert repr(said) in note
    assert repr(wanted) in note


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("Oslo.", ["Oslo"]),
        ('"The Rhine"', ["Rhine"]),
        ("well-known", ["wellknown"]),
        ("1,234", ["1234"]),
        ("$5", ["5"]),
        ("C++", ["c++"]),
        ("C++", ["C", "C++"]),
        ("-5", ["-5."]),
        ("1.5", ["1.5"]),
        ("don't", ["dont"]),
    ],
)
def test_signs_that_tell_nothing_apart_are_not_noted(said, wanted):
    assert notes([(said, wanted)], "text(normalise=squad)") == []


def test_where_signs_are_kept_there_is_no_note():
    assert notes([("C++", ["c++"]), ("-5", ["-5"])], "text") == []


def judged(responses, **options):
    return demur.judge(
        [{"item": str(n), **response} for n, response in enumerate(responses)],
        [{"item": str(n), "reference": "Oslo"} for n in range(len(responses))],
        **options,
    )


ENDS = [
    ("Answer: Os", "length", "truncated"),
    ("Answer: Oslo is not the cap", "MAX_TOKENS", "truncated"),
    ("", "content_filter", "filter"),
    ("Oslo", "refusal", "refusal"),
    *(("Answer: Os", end, "truncated") for end in ("model_length", "incomplete")),
    *(("Answer: Os", end, "failed") for end in ("error", "timeout")),
    ("<answer>Os", "length", "truncated"),
    ('{"answer": "Os', "length", "truncated"),
]


@pytest.mark.parametrize(("reply", "finish", "kind"), ENDS)
@pytest.mark.parametrize("column", ["finish_reason", "stop_reason", "finishReason"])
def test_the_end_of_a_reply_says_that_it_is_no_answer(reply, finish, kind, column):
    outcomes = judged([{"response": reply, column: finish}])
    assert outcomes.outcome.tolist() == ["unanswered"]
    assert outcomes.kind.tolist() == outcomes.reason_code.tolist() == [kind]
    assert outcomes.response.tolist() == [reply]
    assert outcomes.notes[0].startswith(
        f"1 response without an answer by {column} ({kind} 1): unanswered"
    )


@pytest.mark.parametrize(
    ("response", "options"),
    [
        ({"response": "Oslo", "finish_reason": "stop"}, {}),
        ({"response": "Oslo", "finish_reason": None}, {}),
        ({"response": "Oslo", "finish_reason": "length", "reply": "Oslo, cap"}, {}),
        (
            {"response": "Answer: Oslo\n\nIt is the", "finish_reason": "length"},
            {"extract": "final"},
        ),
        (
            {"response": r"\boxed{Oslo} is", "finish_reason": "length"},
            {"extract": "boxed"},
        ),
        *(
            ({"response": reply, "finish_reason": "length"}, {"extract": steps})
            for reply in (
                *("<answer>Oslo</answer> so", "The answer is Oslo.\nBecause"),
                *("**Answer: Oslo**\n\nHere is", "Answer: Oslo\nIt is"),
            )
            for steps in ("final", "final+boxed+bold")
        ),
        (
            {"response": '{"answer": "Oslo"}', "finish_reason": "length"},
            {"extract": "reply"},
        ),
        (
            {"response": "<answer>Oslo</answer> so", "finish_reason": "length"},
            {"extract": "reply"},
        ),
    ],
)
def test_an_answer_that_was_complete_counts_however_the_reply_ended(response, options):
    assert judged([response], **options).outcome.tolist() == ["right"]


@pytest.mark.parametrize(
    "reply",
    [
        *("The answer is Oslo", "The answer is Oslo.\nNo, the answer is Oslo"),
        *("Answer:\n```\nOslo\nRome", "Oslo or\nRome", "**Oslo** is\nnot"),
    ],
)
def test_an_answer_that_may_have_gone_on_was_cut_off(reply):
    for steps in ("final", "final+boxed+bold", "reply"):
        response = {"response": reply, "finish_reason": "length"}
        assert judged([response], extract=steps).kind.tolist() == ["truncated"], steps


def test_who_declines_has_a_kind_and_a_code():
    said = ["I don't know.", "I'm sorry, but I can't help with that.", ""]
    outcomes = judged([{"response": text} for text in said], no_answer="refusals")
    assert outcomes.kind.tolist() == ["idk", "refusal", None]
    assert outcomes.reason_code.tolist() == ["idk", "refusal", "no_answer"]


def test_reasons_say_what_was_read_and_the_sentence_what_could_not_be():
    replies = ["Answer: Rome", "Oslo", "<think>", "Answer:", "Answer: ..."]
    outcomes = judged([{"response": text} for text in replies], extract="final")
    assert outcomes.reason[0] == "differs; read 'Rome'"
    assert outcomes.reason[1] == "equal"
    assert outcomes.reason[2] == "truncated: cut off before an answer"
    assert outcomes.reason_code[3] == "format"
    assert "3 unanswered (2 format, 1 truncated), 0 ungraded" in outcomes.sentence()


def test_advice_is_not_to_set_what_is_set():
    said = [{"response": "Jeg vet ikke."}, {"response": "Oslo"}]
    (before,) = [note for note in judged(said).notes if "like a refusal" in note]
    assert "no_answer=refusals (--no-answer refusals) counts such" in before
    told = judged(said, no_answer="refusals").notes
    (after,) = [note for note in told if "like a refusal" in note]
    assert "none of them says so surely enough" in after
    assert "counts such" not in after


@pytest.mark.parametrize("word", ["refusal", "refused", "Refusals"])
def test_a_word_that_nearly_asks_for_refusals_is_told_how_to(word):
    said = [{"response": "I don't know."}, {"response": "Oslo"}]
    notes = judged(said, no_answer=word).notes
    assert any("(--no-answer refusals) looks for refusals" in note for note in notes)
    for other in ("refusals", "i don't know.", "no comment"):
        notes = judged(said, no_answer=other).notes
        assert not any("looks for refusals" in note for note in notes)
