"""What the first lines say where two ways of counting do not agree."""

import pytest

import demur


def three(wrong_retriever, wrong_reader, n=20, **acceptable):
    """A chain of three, wrong in the first of n questions: see the arguments."""

    def retrieve(text):
        return "p0" if int(text) < wrong_retriever else f"p{text}"

    def read(passage):
        number = int(passage[1:])
        late = wrong_retriever <= number < wrong_retriever + wrong_reader
        return f"x{number}" if late else f"a{number}"

    modules = [
        demur.as_module(function, name=name, compare="whole")
        for name, function in (
            ("retriever", retrieve),
            ("reader", read),
            ("verifier", lambda answer: answer),
        )
    ]
    asked = [
        demur.TargetDialogue(
            f"q{at}",
            [
                demur.TargetTurn(
                    input=str(at),
                    target={
                        "retriever": f"p{at}",
                        "reader": f"a{at}",
                        "verifier": f"a{at}",
                    },
                    acceptable=acceptable,
                )
            ],
        )
        for at in range(1, n + 1)
    ]
    return demur.Pipeline.of(modules), asked


def test_by_replacement_the_late_one_is_to_blame_by_first_error_the_early_one():
    found = demur.attribute_loss(*three(12, 2))
    retriever, reader, _ = found.shares
    assert retriever.shapley < reader.shapley
    assert [one.first_wrong for one in found.observed] == [11, 2, 0]
    says = found.sentence()
    assert says.startswith("By replacement reader is most to blame: +37.5 of +65.0")
    assert "; by first error retriever is (11 turns, reader 2). The target in" in says
    assert "given right inputs, reader is wrong in 22.2 % of 9 turns. Mend" in says
    assert "Mend retriever first, unless reader can be right on wrong inputs." in says


def test_where_luck_may_tell_them_apart_nothing_is_to_be_mended_first():
    says = demur.attribute_loss(*three(5, 3)).sentence()
    assert "By replacement reader" in says
    assert "Mend" not in says


def test_where_both_agree_nothing_is_said_of_it():
    says = demur.attribute_loss(*three(1, 9)).sentence()
    assert says.startswith("reader is most to blame: +45.0 of +45.0 points")
    assert "by first error" not in says


def test_two_that_share_the_blame_are_told_apart_by_first_errors():
    says = demur.attribute_loss(*three(5, 0)).sentence()
    assert says.startswith("retriever and reader are most to blame: +10.0 of +20.0")
    assert "each; by first error retriever is (4 turns). The target of a" in says


def test_what_remains_is_lost_though_all_before_is_right():
    pipeline, asked = three(8, 0)
    last = demur.as_module(
        lambda answer: answer if answer in ("a0", "a1", "a2") else None,
        name="verifier",
        compare="whole",
    )
    pipeline = demur.Pipeline.of([*pipeline.modules[:2], last])
    says = demur.attribute_loss(pipeline, asked).sentence()
    assert says.startswith("verifier is most to blame")
    assert "; by first error" not in says  # it errs first most often, too


@pytest.mark.parametrize("match", ["strict", "multiple"])
def test_what_is_acceptable_is_named_where_it_counts_as_wrong(match):
    pipeline, asked = three(0, 3, n=10, reader=["x1", "x2"], verifier=["x1"])
    found = demur.attribute_loss(pipeline, asked, match=match)
    said = (
        "1 wrong turn puts out what is acceptable, as do outputs that count as wrong, "
        "2 of reader: --match multiple counts these as right."
    )
    assert (said in found.sentence()) == (match == "strict")
    table = demur.evaluate_pipeline(pipeline, asked, replace="retriever", match=match)
    hint = "1 wrong turn puts out what is acceptable: --match multiple"
    assert (hint in table.sentence()) == (match == "strict")
    share = "80.0 %" if match == "strict" else "90.0 %"
    assert f"In corrected state {share} of the target acts" in table.sentence()
    assert f"({match}; 10 dialogues, 10 turns)" in table.sentence()
    [buys] = [
        one
        for one in demur.evaluate_pipeline(
            pipeline, asked, replace="reader", match=match, states=["corrected"]
        ).tests
        if one.question == "source - actual"
    ]
    assert buys.difference == pytest.approx(0.2 if match == "strict" else 0.1)
