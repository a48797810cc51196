"""One reader of replies: what chats, logs and the judge take for the answer."""

import pytest

import demur
from demur.answers import extraction
from demur.answers.reply_forms import (
    after_thoughts,
    is_empty_form,
    last_fence,
    marked_answer,
    said_text,
)
from demur.outcomes.thoughts import saying
from demur.systems.adapters.chat_replies import read_reply, verbalised


def completion(content, finish="stop"):
    message = {"role": "assistant", "content": content}
    return {"choices": [{"message": message, "finish_reason": finish}]}


def judged(reply, extract, reference="Oslo"):
    outcomes = demur.judge(
        [{"item": "q", "response": reply}],
        [{"item": "q", "reference": reference}],
        extract=extract,
    )
    return outcomes.outcome[0], outcomes.kind and outcomes.kind[0], outcomes.notes


# -- thoughts ------------------------------------------------------------------------

THINKING = [
    "<think>Okay.\nAnswer: Oslo",
    "<thinking>\nThe answer is Oslo.",
    "<think>a</think><think>No. Answer: Oslo",
    "[THINK]Answer: Oslo",
    "<|channel|>analysis<|message|>The answer is Oslo. Answer: Oslo",
    "\u25c1think\u25b7Answer: Oslo",
    "<|begin_of_thought|>Answer: Oslo",
    "Let me think.\n<think>The answer is Oslo",
    "<think>one</think>\nLet me reconsider.\n<think>The answer is Oslo",
    "<think>a</think>Rome<think>Answer: Oslo",
    "Use <think>a</think>.\n <think>Answer: Oslo",
]
THOUGHT = [
    "<think>Answer: Rome</think>\nAnswer: Oslo",
    "Answer: Rome\n</think>\n\nAnswer: Oslo",
    "<reasoning>Answer: Rome</reasoning>\n**Answer:** Oslo",
    "[THINK]Answer: Rome[/THINK]Answer: Oslo",
    "<|channel|>analysis<|message|>Answer: Rome<|end|><|start|>assistant"
    "<|channel|>final<|message|>Answer: Oslo",
    "\u25c1think\u25b7Answer: Rome\u25c1/think\u25b7Answer: Oslo",
    "<|begin_of_thought|>Answer: Rome<|end_of_thought|>Answer: Oslo",
]


@pytest.mark.parametrize("reply", THINKING)
def test_who_has_not_stopped_thinking_has_given_no_answer(reply):
    assert saying(reply).is_thinking
    assert after_thoughts(reply) == len(reply)
    for finish in ("stop", "length", None):
        read = read_reply(completion(reply, finish))
        assert (read.answer, read.kind) == (None, "truncated")
    for steps in ("final", "reply", "bold+final"):
        outcome, kind, notes = judged(reply, steps)
        assert (outcome, kind) == ("unanswered", "truncated")
        assert "1 response without an answer (truncated 1): unanswered" in notes[0]


@pytest.mark.parametrize("reply", THOUGHT)
def test_drafts_within_thoughts_are_no_answers(reply):
    assert not saying(reply).is_thinking
    assert read_reply(completion(reply)).answer == "Oslo"
    assert judged(reply, "final")[0] == "right"
    assert judged(reply, "reply")[0] == "right"


def test_a_tag_of_thoughts_within_a_sentence_is_a_word():
    for reply in (
        "Answer: <think>",
        "The tag <think> begins it.",
        "Put `<think>` before it, and </think> behind it.",
        'It is "<think>".',
        "(<think>)",
    ):
        assert not saying(reply).is_thinking
        assert after_thoughts(reply) == 0


def test_thoughts_hide_json_too():
    reply = '<think>{"answer": "Rome"}</think>{"answer": "Oslo"}'
    assert judged(reply, "json(field=answer)")[0] == "right"
    assert judged('<think>{"answer": "Oslo"}', "json(field=answer)")[1] == "truncated"


# -- the form itself -----------------------------------------------------------------

EMPTY = [
    *("<your answer>", "<a short answer>", "[your short answer here]", "<answer>"),
    *("{answer}", "{{answer}}", "...", "\u2026", "___", "(your answer here)"),
    *("your answer here", "<the letter of your choice>", "<your final answer>"),
    *("[insert answer here]", "<letter>", "[A/B/C/D]", "<your answer in one word>"),
    *("[Answer]", "$ANSWER", "$LETTER"),
]


@pytest.mark.parametrize("placeholder", EMPTY)
def test_what_stands_for_an_answer_is_none(placeholder):
    assert is_empty_form(placeholder)
    for reply in (
        f"Answer: {placeholder}\nConfidence: <0-100>",
        f"Answer: {placeholder}",
    ):
        read = read_reply(completion(reply), asked=True)
        assert (read.answer, read.kind) == (None, "format")
        assert verbalised(reply) is None
        for steps in ("final", "reply"):
            outcome, kind, notes = judged(reply, steps)
            assert (outcome, kind) == ("unanswered", "format")
            assert "1 response without an answer (format 1)" in notes[0]


@pytest.mark.parametrize(
    "answer",
    ["(a)", "[3, 4]", "{1, 2}", "<html>", "the answer", "Letter", "A/B", "..x"],
)
def test_what_only_looks_like_a_placeholder_is_an_answer(answer):
    assert not is_empty_form(answer)
    assert read_reply(completion(f"Answer: {answer}")).answer == answer


def test_tags_that_hold_the_form_alone_are_none():
    for reply in ("<answer>...</answer>", "<answer><your answer></answer>"):
        assert read_reply(completion(reply)).kind == "format"
        assert judged(reply, "reply")[1] == judged(reply, "final")[1] == "format"


def test_the_form_repeated_before_the_answer_does_no_harm():
    reply = "Reply so:\nAnswer: <your answer>\n\nAnswer: Oslo"
    assert read_reply(completion(reply)).answer == "Oslo"
    assert judged(reply, "final")[0] == judged(reply, "reply")[0] == "right"
    later = "Answer: Oslo\n\nI kept to the form:\nAnswer: <your answer>"
    assert read_reply(completion(later)).answer == "Oslo"
    assert judged(later, "final")[0] == judged(later, "reply")[0] == "right"


# -- parts, and why a reply ended ----------------------------------------------------


def test_content_may_come_in_parts():
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Answer: Rome"}]},
        {"type": "text", "text": "Answer: "},
        {"type": "text", "text": "Oslo"},
    ]
    assert said_text(parts) == "Answer: Oslo"
    assert read_reply(completion(parts)).answer == "Oslo"
    assert judged(parts, "reply")[0] == judged(parts, "final")[0] == "right"
    assert said_text([{"type": "output_text", "text": "Oslo"}]) == "Oslo"
    assert said_text(["Oslo", "Rome"]) is None
    assert said_text([{"type": "text", "text": 3}]) is None
    assert said_text([]) is None


@pytest.mark.parametrize(
    ("finish", "kind"),
    [
        *(("refusal", "refusal"), ("content_filter", "filter"), ("SAFETY", "filter")),
        *(("PROHIBITED_CONTENT", "filter"), ("RECITATION", "filter")),
        *(("BLOCKLIST", "filter"), ("SPII", "filter"), ("content_filtered", "filter")),
        *(("guardrail_intervened", "filter"), ("MAX_TOKENS", "truncated")),
        *(("max_tokens", "truncated"), ("stop", None), (None, None)),
    ],
)
def test_why_a_reply_ended_may_say_that_it_is_no_answer(finish, kind):
    assert read_reply(completion("Answer: Os", finish)).kind == kind


# -- confidence in the line of the answer --------------------------------------------


@pytest.mark.parametrize(
    ("reply", "confidence"),
    [
        ("Answer: Oslo (95%)", 0.95),
        ("Answer: Oslo (95 % confident)", 0.95),
        ("Answer: Oslo [confidence 0.9]", 0.9),
        ("Answer: Oslo [confidence: 0.9]", 0.9),
        ("Answer: Oslo (confidence = 90%)", 0.9),
        ("Answer: Oslo, Confidence: 90 %", 0.9),
        ("Answer: Oslo with 90% confidence", 0.9),
        ("Answer: Oslo, with 90 % certainty.", 0.9),
        ("<answer>Oslo</answer><confidence>90</confidence>", 0.9),
        ("<answer>Oslo</answer>\n<confidence>0.9</confidence>", 0.9),
        ('{"answer": "Oslo", "confidence": 0.9}', 0.9),
    ],
)
def test_the_line_of_the_answer_may_hold_its_confidence(reply, confidence):
    read = read_reply(completion(reply), asked=True)
    assert (read.answer, verbalised(reply)) == ("Oslo", confidence)


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: Oslo [confidence 0.9]",
        "Answer: Oslo (95 % confident)",
        "Answer: Oslo (confidence: 90 %)",
        "<answer>Oslo</answer><confidence>90</confidence>",
    ],
)
def test_a_confidence_that_is_named_is_no_part_of_the_answer_asked_or_not(reply):
    assert read_reply(completion(reply)).answer == "Oslo"
    assert judged(reply, "reply")[0] == "right"


def test_per_cent_alone_belongs_to_the_answer_unless_a_confidence_was_asked_for():
    assert read_reply(completion("Answer: Oslo (95%)")).answer == "Oslo (95%)"


@pytest.mark.parametrize("answer", ["A*", "Oslo.", "x_", "**Oslo** or **Rome**.", "*"])
def test_signs_that_are_no_marks_belong_to_the_answer(answer):
    assert marked_answer(f"Answer: {answer}").answer == answer
    assert marked_answer(f"**Answer:** {answer}").answer == answer


# -- the step ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Answer: Oslo", "Oslo"),
        ("It lies on a fjord.\n**Answer:** Oslo\nConfidence: 90 %", "Oslo"),
        ("Oslo", "Oslo"),
        ('```json\n{"answer": "Oslo"}\n```', "Oslo"),
        ("<answer>Oslo</answer>", "Oslo"),
        ("Norway?\nIt is Oslo.", "Norway?\nIt is Oslo."),
        *((text, "Oslo") for text in ("**Answer: Oslo**", "Answer: **Oslo**.")),
        *((text, "Oslo") for text in ("*Answer: Oslo*", "Answer: *Oslo*.")),
    ],
)
def test_the_step_reads_as_a_chat_is_read(reply, answer):
    assert demur.answers.extraction("reply")(reply) == answer
    answered = read_reply(completion(reply)).answer
    assert answered == (answer if answer == "Oslo" else None)


def test_notes_count_what_was_truncated_and_what_is_in_the_wrong_form():
    replies = ["<think>x", "<think>y", "Answer: <your answer>", "Answer: Oslo", "Rome"]
    outcomes = demur.judge(
        [{"item": str(n), "response": reply} for n, reply in enumerate(replies)],
        [{"item": str(n), "reference": "Oslo"} for n in range(5)],
        extract="final",
    )
    assert outcomes.outcome.tolist() == [*["unanswered"] * 3, "right", "wrong"]
    assert outcomes.notes[0] == (
        "extract: final: 1 of 5 responses; 3 responses without an answer (truncated 2, "
        "format 1): unanswered; the other one was compared as it stands"
    )
    assert outcomes.response.tolist() == replies


def test_without_steps_thoughts_that_do_not_end_are_named():
    outcomes = demur.judge(
        [{"item": "q", "response": "<think>Oslo"}], [{"item": "q", "reference": "Oslo"}]
    )
    assert outcomes.outcome.tolist() == ["wrong"]
    assert "1 wrong answer that holds thoughts: extract=reply (--extract reply)" in (
        "; ".join(outcomes.notes)
    )


# -- fences --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("```\na\n```\n```sql\nb\n```", "b"),
        ("```\na\n```\n```python\nb\n```", "a"),
        ("~~~\na\n```\n~~~", "a\n```"),
        ("````\n```\na\n```\n````", "```\na\n```"),
        ("```\r\na\r\n```", "a"),
        ("a", None),
    ],
)
def test_the_last_fence_in_one_of_some_languages(text, inner):
    assert last_fence(text, languages=frozenset(["", "sql"])) == inner


def test_a_fence_that_is_not_closed_counts_where_it_may():
    assert last_fence("```\na") is None
    assert last_fence("```\na", unclosed=True) == "a"
    assert last_fence("```\na\n```\n```\nb", unclosed=True) == "b"
    assert last_fence("```\n" * 100_001, unclosed=True) == ""
    assert marked_answer("Answer:\n```sql\nSELECT a").answer == "SELECT a"


@pytest.mark.parametrize("loop", [" ", "\t", "1,", "1.", "a, ", "\n"])
def test_replies_that_repeat_themselves_are_read_at_once(loop):
    # These would take hours if each place were held against all behind it.
    reply = loop * (200_000 // len(loop))
    for step in ("reply", "final"):
        extraction(step).read(reply)
    assert marked_answer(f"Answer: x\n\n{reply}", asked=True).answer == "x"
    assert marked_answer(f"{reply}\nAnswer: Oslo (95%)", asked=True).answer == "Oslo"


# -- the form behind the answer, and in further words --------------------------------


@pytest.mark.parametrize(
    ("steps", "reply"),
    [
        ("boxed", r"\boxed{Oslo}, in the form \boxed{<your answer>}"),
        ("boxed", r"\boxed{Oslo}. I was asked for \boxed{answer}, not \boxed{}."),
        ("json(field=answer)", '{"answer": "Oslo"}; form: {"answer": "<your answer>"}'),
        ("bold", "It is **Oslo**, as in **<your answer>**."),
        ("reply", "Answer: Oslo\nAnswer: <your answer>"),
        ("final", "Answer: Oslo\nThe form was\nAnswer: <your answer>"),
        ("reply", "Answer: <your answer>\nOslo"),
        ("final", "Answer: <your answer>\n\nOslo."),
        ("final", "Answer: Oslo\n\nAnswer:"),
        (
            "final+boxed",
            r"Answer: <your answer>" + "\n\n" + r"So $\boxed{Oslo}$ it" + "\nis",
        ),
        ("json+json(field=answer)", '{"answer": "Oslo"} {"answer": "<string>"}'),
    ],
)
def test_a_form_behind_the_answer_does_no_harm(steps, reply):
    assert judged(reply, steps)[:2] == ("right", None)


@pytest.mark.parametrize(
    "placeholder",
    [
        *("[number]", "<number>", "<one word>", "LETTER", "A/B/C/D", "[A-D]"),
        *("<number between 0 and 100>", "<0-100>", "A, B, C, or D", "{integer}"),
    ],
)
def test_further_words_that_stand_for_an_answer(placeholder):
    assert is_empty_form(placeholder)
    for steps, reply in (
        ("final", f"Answer: {placeholder}"),
        ("letter", f"Answer: {placeholder}"),
        ("boxed", rf"\boxed{{{placeholder}}}"),
        ("json", f'{{"answer": "{placeholder}"}}'),
    ):
        assert judged(reply, steps)[:2] == ("unanswered", "format"), steps


@pytest.mark.parametrize("answer", ["number", "A/B/C", "A-D", "<text>", "(value)"])
def test_words_that_may_be_answers_are_none_that_stand_for_one(answer):
    assert judged(f"Answer: {answer}", "final", answer)[0] == "right"


@pytest.mark.parametrize(
    ("steps", "reply"),
    [
        *((steps, 'Answer: ""') for steps in ("final", "reply")),
        *(
            (steps, "Answer:" + more)
            for steps in ("final", "reply")
            for more in ("", "\nAnswer:", "\nAnswer:\n" * 30)
        ),
        ("final", "The answer is " * 30),
        *((steps, "<answer></answer>") for steps in ("final", "reply")),
        ("final", "The answer is"),
        ("boxed", r"\boxed{}"),
        ("boxed", r"\boxed{answer}"),
        ("reply", '{"answer": ""}'),
        ("json(field=answer)", '{"answer": ""}'),
        ("json", '{"answer": "<your answer>", "confidence": 90}'),
        ("bold", "**<your answer>**"),
        ("final+number", "Answer: <number between 0 and 100>"),
    ],
)
def test_an_answer_that_is_marked_and_not_given_is_no_guess(steps, reply):
    assert judged(reply, steps)[:2] == ("unanswered", "format")


@pytest.mark.parametrize("steps", ["final", "reply", "boxed"])
@pytest.mark.parametrize("reply", ["<think>Oslo.</think>", "Oslo?</think>\n\n"])
def test_who_says_nothing_behind_its_thoughts_was_cut_off(reply, steps):
    assert judged(reply, steps)[:2] == ("unanswered", "truncated")
    assert read_reply(completion(reply)).kind == "truncated"


@pytest.mark.parametrize(
    "reply",
    [
        "\ufeff<think>Rome?</think>Oslo",
        "\u200b\u200b<think>Rome?</think>Oslo",
        "\ufeffOslo",
        "<|im_start|>assistant\n<think>Rome?</think>\nOslo<|im_end|>",
        "<|start_header_id|>assistant<|end_header_id|>\n\nOslo<|eot_id|>",
        "<s>Oslo</s>",
        "<start_of_turn>model\nOslo<end_of_turn>",
        "<think >Rome?</think >Oslo",
        "**<think>**Rome?**</think>**\nOslo",
        "<seed:think>Rome?</seed:think>Oslo",
        "<|START_THINKING|>Rome?<|END_THINKING|><|START_RESPONSE|>Oslo<|END_RESPONSE|>",
        "<thought_process>Rome?</thought_process>Oslo",
        "<analysis>Rome?</analysis>\nOslo",
        "Oslo\n<think>It is not Rome.</think>",
        "Oslo <think>Is it Rome? No.</think>",
    ],
)
def test_further_marks_of_thoughts_and_of_templates_are_not_said(reply):
    for steps in ("reply", "final", "bold"):
        assert judged(reply, steps)[:2] == ("right", None), steps
    assert read_reply(completion(reply)).answer == "Oslo"


@pytest.mark.parametrize(
    "reply",
    [
        *("<think >Oslo", "**<think>** Oslo", "<seed:think>Oslo", "<analysis>\nOslo"),
        *(
            "<|START_THINKING|>Oslo",
            "\ufeff<think>Oslo",
            "<|im_start|>assistant\n<think>",
        ),
    ],
)
def test_further_marks_of_thoughts_that_do_not_end(reply):
    assert judged(reply, "final")[:2] == ("unanswered", "truncated")


def test_thoughts_between_are_none_of_an_answer():
    reply = "Answer: <think>Rome? No.</think>Oslo <think>Sure.</think>"
    marked = marked_answer(reply)
    assert marked.answer == reply[slice(*marked.span)] == "Oslo"
    assert judged("The answer is Oslo. <think>x y</think> Done.", "final")[0] == "right"


def test_tags_of_thoughts_that_are_talked_about_are_said():
    for reply in (
        "Put it between <think> and </think>, please",
        'It is "<think>" and "</think>"',
        "Oslo, without <analysis>",
    ):
        assert saying(reply).within(reply) == reply


def test_tags_that_are_repeated_without_end_are_read_at_once():
    for piece in ("<answer>", "<think>", "a <think>", "</think>", "<|im_end|>", "</s>"):
        reply = piece * (100_000 // len(piece)) + "</"
        for step in ("reply", "final"):
            extraction(step).read(reply)  # in seconds, where it is linear


def test_a_label_behind_tags_counts_before_them():
    reply = "It holds <answer>Rome</answer>, which is a quotation.\nAnswer: Oslo"
    assert marked_answer(reply).answer == "Oslo"
    assert read_reply(completion(reply)).answer == "Oslo"
    below = "Answer: Rome\nNo: <answer>Oslo</answer>"
    assert marked_answer(below).answer == "Oslo"
    form = "<answer>Oslo</answer>\nAnswer: <your answer>"
    assert marked_answer(form).answer == "Oslo"
