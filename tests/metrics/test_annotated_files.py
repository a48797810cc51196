"""Files of annotations are read as their tools write them, and joined with care."""

import io
import json
import random

import pytest

import demur
from demur.metrics.annotated_files.joining import annotators, both_sides, joined_files
from demur.metrics.annotated_files.reading import read_annotated
from demur.metrics.annotated_files.texts import Asked

SPANS, LABELS = Asked("spans"), Asked("labels")
ALONE = Asked("spans", alone=True)


def source(text, name="a", encoding="utf-8"):
    file = io.BytesIO(text.encode(encoding))
    file.name = name
    return file


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def read(*texts, asked=SPANS):
    names = "abc"
    given = [source(text, names[n]) for n, text in enumerate(texts)]
    return read_annotated(given, asked)


def table(*texts, asked=SPANS, labels=False):
    files = read(*texts, asked=asked)
    if len(files) == 1:
        return both_sides(files[0], labels=labels)
    return joined_files(files, [""] * (len(files) - 1), labels=labels)


def sides(*texts, **how):
    columns = table(*texts, **how).table.columns
    return columns["ref"], columns["hyp"]


# -- CoNLL columns -----------------------------------------------------------------

CONLLEVAL = (
    "-DOCSTART- -X- O O\n\nAnna NNP B-PER B-PER\nsleeps VB O O\n\n\n"
    "-DOCSTART- -X- O O\nRome NNP B-LOC O\n"
)


def test_conlleval_columns_have_both_sides():
    found = table(CONLLEVAL, asked=ALONE)
    assert found.table.columns == {
        "ref": [["B-PER", "O"], ["B-LOC"]],
        "hyp": [["B-PER", "O"], ["O"]],
        "item": ["sentence 1", "sentence 2"],
        "cluster": ["document 1", "document 2"],
    }
    assert found.table.places == ["a:3", "a:8"]
    assert found.notes == [
        "a: read as CoNLL columns, 2 texts, spans in words",
        "a: true tags are in column 3, the system's in column 4",
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_two_files_of_columns_are_joined_token_by_token(encoding, end):
    gold = end.join(["# id 1", "the\tB-X", "\u00e9 a\tI-X", "", "#\tO"])
    given = end.join(["the O", "\u00e9 O", "", "# B-X", ""])
    files = read_annotated([source(gold, "g", encoding)], SPANS)
    assert [text.text for text in files[0].texts] == [("the", "\u00e9 a"), ("#",)]
    gold = gold.replace("\u00e9 a", "\u00e9")
    files = read_annotated(
        [source(gold, "g", encoding), source(given, "h", encoding)], SPANS
    )
    columns = joined_files(files, [""]).table.columns
    assert columns["ref"] == [["B-X", "I-X"], ["O"]]
    assert columns["hyp"] == [["O", "O"], ["B-X"]]


def test_a_space_that_parts_no_words_is_in_a_token():
    assert read("a\u00a0b O\nc B-X\n")[0].texts[0].text == ("a\u00a0b", "c")


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["a B-X\nb c O\n"], "a:2: the line must have 2 columns"),
        (["a B-X\nb O\nc\n"], "a:3: the line must have 2 columns"),
        (["a O\nb B-X\nc B\n"], "a:3: a tag must be O or a mark"),
        (["a O\nb O\n", "a O\nc O\n"], "b:1: token 2 must be 'b', as in a:1; got 'c'"),
        (["a O\nb O\n", "a O\n"], "b:1: token 2 must be 'b', as in a:1; got the end"),
        (["a O\n\nb O\n", "a O\n"], "b: the file must have 2 texts"),
        (["a O\n", ""], "b: the file must be CoNLL columns.*empty"),
        (["a O\n", "{}"], "b: the file must be CoNLL columns.*another"),
    ],
)
def test_columns_that_are_cut_off_or_differ_are_refused(texts, says):
    with pytest.raises(demur.InputError, match=says):
        table(*texts, asked=SPANS)


def test_chunks_are_no_references_of_names():
    with pytest.raises(demur.InputError, match="of the same types; got 'NP' and 'PER'"):
        read(10 * "Anna NNP B-NP B-PER\n", asked=ALONE)
    assert sides("Anna NNP B-NP B-PER\n", asked=ALONE) == ([["B-NP"]], [["B-PER"]])
    with pytest.raises(demur.InputError, match="a:1: the line must have a token, the"):
        read("Anna B-PER\n", asked=ALONE)


def test_tokens_may_be_like_numbers_of_standoff():
    assert [file.form for file in read("A1\tB-X\n", "A1 O\n")] == ["CoNLL columns"] * 2


def test_numbers_of_tokens_are_no_words():
    text = "#\tof 1\n1\tRome\tB-LOC\tO\n2\tis\tO\tO\n\n1\t\u00c9\tB-PER\tO\n"
    found = table(text, "Rome O\nis O\n\n\u00c9 O\n")
    assert found.notes[1:] == [
        "a: tags are in column 4; those of column 3 are not read"
    ]
    with pytest.raises(demur.InputError, match="b:2: token 1 must be 'Rome', as in a"):
        table(text, text.replace("Rome", "Paris"))
    [first, second] = read("1 CD O\n2 CD O\n\n4 CD O\n")[0].texts
    assert (first.text, second.text) == (("1", "2"), ("4",))
    assert read("1 O\n")[0].texts[0].text == ("1",)


def test_tables_are_no_columns():
    for text in (
        "item,ref,hyp\n1,O,O\n",
        "item\tref\thyp\n1\tO\tO\n",
        '{"ref": ["O"]}',
    ):
        assert read(text, asked=ALONE) is None


# -- BRAT --------------------------------------------------------------------------


def test_folders_of_brat_are_joined_by_names(tmp_path):
    for side, kind in (("gold", "PER"), ("given", "LOC")):
        (tmp_path / side / "sub").mkdir(parents=True)
        (tmp_path / side / "one.ann").write_text(
            f"T1\t{kind} 0 4\tAnna\nT2\tORG 5 9;12 14\tA B\nR1\tof Arg1:T1 Arg2:T2\n"
        )
        (tmp_path / side / "sub" / "two.ann").write_text("")
    files = read_annotated([str(tmp_path / s) for s in ("gold", "given")], SPANS)
    found = joined_files(files, [""])
    assert found.table.columns == {
        "ref": [[("PER", 0, 4), ("ORG", 5, 14)], []],
        "hyp": [[("LOC", 0, 4), ("ORG", 5, 14)], []],
        "item": ["one", "sub/two"],
    }
    assert "1 span of several parts, compared from the first" in found.notes[1]
    assert "1 line of relations" in found.notes[2]
    (tmp_path / "given" / "one.ann").unlink()
    files = read_annotated([str(tmp_path / s) for s in ("gold", "given")], SPANS)
    with pytest.raises(demur.InputError, match=r"given: the texts .*'one'.* empty"):
        joined_files(files, [""])
    (tmp_path / "none").mkdir()
    with pytest.raises(demur.InputError, match=r"none: the folder must hold \.ann"):
        read_annotated([str(tmp_path / "none")], SPANS)


def test_two_files_of_brat_are_one_document():
    assert sides("T1\tPER 0 4\tAnna\n", "") == ([[("PER", 0, 4)]], [[]])


def test_texts_of_standoff_must_be_the_same():
    gold = "T1\tA 0 4\tRome\n"
    assert sides(gold, "T1\tA 0 5\tParis\n")
    with pytest.raises(demur.InputError, match="b: text 0 4 must be 'Rome', as in a"):
        table(gold, gold.replace("Rome", "Pari"))


def test_a_folder_beside_a_file_is_refused_and_hidden_files_are_left_out(tmp_path):
    for name in ("one.ann", "._one.ann", ".hidden/one.ann"):
        (tmp_path / "gold" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "gold" / name).write_text("T1\tA 0 4\tRome\n")
    (tmp_path / "gold" / "._one.ann").write_bytes(b"\0\1")
    [gold] = read_annotated([str(tmp_path / "gold")], SPANS)
    assert [text.name for text in gold.texts] == ["one"]
    assert "2 hidden files left out" in gold.notes[0]
    [empty] = read_annotated([source("", "x.ann")], SPANS)
    for files, says in (
        ([gold, empty], "x.ann: the annotations must be a folder, as"),
        ([empty, gold], "be one document, as x.ann is; got a folder"),
    ):
        with pytest.raises(demur.InputError, match=says):
            joined_files(files, [""])
    assert joined_files([empty, empty], [""]).table.columns["ref"] == [[]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("T1\tA 0 4\tAnna\nT2\tA 5\n", "a:2: the line must be a span"),
        ("T1\tA 0 4\tAnna\nT2\tA 5 9\n", "a:2: a span must have its text"),
        ("T1\tA 0 4\tAnna\nT2\tA 50 9\tx\n", "a:2: a span must end after"),
        ("T1\tA 0 4\tAnna\nT1\tA 5 9\tx\n", "a:2: T1 must stand once"),
        ("T1\tA 0 4\tAnna\nnothing\n", "a:2: the line must be a span, or another"),
    ],
)
def test_broken_standoff_is_refused(text, says):
    with pytest.raises(demur.InputError, match=says):
        read(text)


# -- WebAnno -----------------------------------------------------------------------

NAMES = "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value"


def webanno(*tokens, layers=NAMES):
    return "\n".join(["#FORMAT=WebAnno TSV 3.3", layers, "", "", *tokens, ""])


def spans_of(*tokens, **how):
    return [text.annotated[0].value for text in read(webanno(*tokens, **how))[0].texts]


def test_webanno_spans_reach_over_tokens():
    assert spans_of(
        "#Text=Sv Anna Roma # \\_",
        "1-1\t0-2\tSv\turl[1]|*[2]\tLOC[1]|a\\_b\\|c[2]\t",
        "1-2\t3-7\tAnna\turl[1]\tLOC[1]\t",
        "1-3\t8-12\tRoma\t*\tPER\t",
        "1-3.1\t8-9\tR\t*\tORG\t",
        "1-4\t13-14\t#\t_\t_\t",
        "",
        "#Text=b",
        "2-1\t15-16\tb\t*\t*\t",
    ) == [
        [("LOC", 0, 7), ("a_b|c", 0, 2), ("PER", 8, 12), ("ORG", 8, 9)],
        [("NamedEntity", 15, 16)],
    ]


def test_a_number_that_is_used_again_is_another_span():
    assert spans_of(
        "1-1\t0-1\ta\t_\tX[1]",
        "1-2\t2-3\tb\t_\tX[1]",
        "1-3\t4-5\tc\t_\t_",
        "",
        "2-1\t6-7\td\t_\tX[1]",
    ) == [[("X", 0, 3)], [("X", 6, 7)]]


def test_a_layer_of_several_is_named():
    layers = "#T_SP=webanno.custom.Mood|mood|sure\n#T_RL=x.Dep|kind|BT_x\n#T_SP=a.B|"
    tokens = ["1-1\t0-1\ta\tgood\tyes\t_\t_\t*"]
    with pytest.raises(demur.InputError, match="one of Mood, B; got several"):
        spans_of(*tokens, layers=layers)
    text = webanno(*tokens, layers=layers)
    for layer, kind in (("Mood", "good"), ("Mood.sure", "yes"), ("B", "B")):
        [file] = read(text, asked=Asked("spans", layer=layer))
        assert file.texts[0].annotated[0].value == [(kind, 0, 1)]
    for layer in ("Moods", "Mood.other"):
        with pytest.raises(demur.InputError, match="a: the layer must be one of"):
            read(text, asked=Asked("spans", layer=layer))


def test_a_system_is_read_by_the_layer_of_the_references():
    gold = webanno("1-1\t0-1\ta\t_\tX")
    pos = "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue"
    for given in (
        webanno("1-1\t0-1\ta\tNN", layers=pos),
        webanno("1-1\t0-1\ta\t", layers=""),
    ):
        found = table(gold, given)
        assert found.table.columns["hyp"] == [[]]
        assert "b: no spans, as it lacks NamedEntity.value" in found.notes
        with pytest.raises(demur.InputError, match=r"be one of POS|a layer of spans"):
            table(given, gold, asked=Asked("spans", layer="NamedEntity"))
    other = webanno("1-1\t0-1\ta\tX", layers=NAMES.removesuffix("|value"))
    with pytest.raises(demur.InputError, match="b: the layer must be one of Named"):
        table(gold, other)


def test_types_are_no_links():
    layers = "#T_SP=a.Sem|ROLE_a.Sem:args_a.Link|uima.tcas.Annotation|cat"
    assert spans_of("1-1\t0-1\ta\tA0\t1-2\tgo", layers=layers) == [[("go", 0, 1)]]


def test_webanno_tokens_must_stand_at_the_same_place():
    with pytest.raises(demur.InputError, match="b:5: token 1 must be 'a 0-1', as in a"):
        table(webanno("1-1\t0-1\ta\t_\tX"), webanno("1-1\t1-2\ta\t_\tX"))


@pytest.mark.parametrize("line", ["1-2\t2-3\tb\t_", "1-2\t2", "b"])
def test_webanno_lines_that_are_cut_off_are_refused(line):
    with pytest.raises(demur.InputError, match="a:6: the line must be a token with 5"):
        spans_of("1-1\t0-1\ta\t_\tX", line)


# -- Label Studio ------------------------------------------------------------------


def region(first, end, *labels, control="label"):
    value = {"start": first, "end": end, "text": "any", "labels": [*labels]}
    return {"from_name": control, "type": "labels", "value": value}


def choice(*labels, control="mood"):
    value = {"choices": [*labels]}
    return {"from_name": control, "type": "choices", "value": value}


def task(key, annotations, predictions=(), **more):
    return {
        "id": key,
        "annotations": [
            {"completed_by": by, "result": result, **more} for by, result in annotations
        ],
        "predictions": [
            {"model_version": model, "result": result} for model, result in predictions
        ],
        "data": {"text": f"text {key}"},
    }


def test_label_studio_has_both_sides():
    relation = {"type": "relation", "from_id": "a", "to_id": "b"}
    tasks = [
        task(1, [(7, [region(0, 4, "PER"), relation])], [("m", [region(0, 4, "LOC")])]),
        task(2, [(7, [])], [("m", []), ("n", [region(1, 2, "PER")])]),
        task(3, [], [("m", [])]),
        task(4, [(7, [])], [("m", [])], was_cancelled=True),
    ]
    found = table(json.dumps(tasks, indent=1), asked=ALONE)
    assert found.table.columns == {
        "ref": [[("PER", 0, 4)], [("PER", 0, 4)], [], []],
        "hyp": [[("LOC", 0, 4)], None, [], [("PER", 1, 2)]],
        "item": ["1", "1", "2", "2"],
        "system": ["m", "n", "m", "n"],
    }
    assert found.notes[1:] == [
        "a: 1 result left out, of another kind",
        "a: 1 annotation left out, cancelled",
        "2 texts without a reference left out",
    ]


def test_regions_of_hypertext_beyond_the_text_or_without_a_label():
    hyper = region("/div[1]/text()[1]", "/div[1]/text()[1]")
    hyper["value"] |= {"globalOffsets": {"start": 0, "end": 4}}
    hyper["value"]["hypertextlabels"] = ["PER"]
    del hyper["value"]["labels"]
    regions = [hyper, region(0, 4), region(0, 8, "X")]
    found = table(*[lines(task(1, [(7, regions)]))] * 2)
    assert found.table.columns["ref"] == [[("PER", 0, 4), ("X", 0, 8)]]
    assert found.notes[1:3] == [
        "a: 1 result left out, without a label",
        "a: 1 span beyond the end of the text, counted",
    ]


def test_other_ids_of_the_same_texts_have_a_hint():
    given = [{**task(1, [(7, [])]), "id": 9}]
    with pytest.raises(demur.InputError, match=r"none for '1'.*joined by these\."):
        table(lines(task(1, [(7, [])])), lines(*given))
    del given[0]["id"]
    assert sides(lines(task(1, [(7, [])])), lines(*given)) == ([[]], [[]])


def test_several_annotators_agree_and_are_no_reference():
    tasks = [task(1, [(7, [choice("yes")]), ({"email": "b@c"}, [choice("no")])])]
    text = lines(*tasks)
    records = annotators(read(text, asked=LABELS))
    assert [record for _, record in records] == [
        {"unit": "1", "annotator": "7", "label": "yes"},
        {"unit": "1", "annotator": "b@c", "label": "no"},
    ]
    with pytest.raises(demur.InputError, match="a:1: a text must have one annotation"):
        table(text, text, asked=LABELS, labels=True)
    tasks[0]["annotations"][1]["ground_truth"] = True
    text = lines(*tasks)
    assert sides(text, text, asked=LABELS, labels=True) == (["no"], ["no"])


def test_controls_are_named():
    both = [choice("yes"), choice("old", control="age")]
    text = lines(task(1, [(7, both)], [("m", both)]))
    alone = Asked("labels", alone=True)
    with pytest.raises(demur.InputError, match=r"be of one control.*age, mood"):
        read(text, asked=alone)
    named = alone._replace(layer="age")
    assert sides(text, asked=named, labels=True) == (["old"], ["old"])
    with pytest.raises(demur.InputError, match="There are age, mood"):
        read(text, asked=alone._replace(layer="other"))


def test_tasks_of_one_line_have_places_of_their_own():
    tasks = [task(n, [(7, [])], [("m", [])]) for n in (1, 2)]
    for each in tasks:
        del each["id"]
    found = table(json.dumps(tasks), asked=ALONE).table
    assert found.columns["item"] == found.places == ["a:1", "a:1, object 2"]
    tasks[1]["annotations"] = 7
    with pytest.raises(demur.InputError, match="a:1, object 2: annotations must be"):
        read(json.dumps(tasks))


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ({"id": 1, "data": {}, "annotations": 7}, "annotations must be a list"),
        (
            {"id": 1, "data": {}, "annotations": [{"result": 7}]},
            "result must be a list",
        ),
        (task(1, [(7, [region(4, 4, "PER")])]), "end after it begins"),
    ],
)
def test_broken_tasks_are_refused(broken, says):
    with pytest.raises(demur.InputError, match=f"a:2: .*{says}"):
        read(lines(task(0, [(1, [])]), broken))


# -- Prodigy -----------------------------------------------------------------------


def example(key, *spans, answer="accept", **more):
    return {
        "text": f"text {key}",
        "_input_hash": key,
        "spans": [
            {"start": first, "end": end, "label": label, "token_start": 0}
            for first, end, label in spans
        ],
        "answer": answer,
        **more,
    }


def test_prodigy_examples_are_joined_by_their_hash():
    gold = lines(
        example(1, (0, 4, "PER")),
        example(-2, (0, 1, "X"), answer="reject"),
        example(3, answer="ignore"),
        example(4),
    )
    given = lines(
        *({"text": f"text {key}", "spans": []} for key in (4, 3, -2)),
        {"text": "text 1", "spans": [{"start": 0, "end": 4, "label": "LOC"}]},
    )
    found = table(gold, given)
    assert found.table.columns["ref"] == [[("PER", 0, 4)], []]
    assert found.table.columns["hyp"] == [[("LOC", 0, 4)], []]
    assert found.table.places == ["a:1 and b:4", "a:4 and b:1"]
    assert "a: 1 text left out, rejected" in found.notes
    assert "2 texts without a reference left out" in found.notes


def test_prodigy_choices_are_labels():
    gold = lines(*(example(n, accept=[label]) for n, label in enumerate("ab")))
    given = lines(*(example(n, accept=[label]) for n, label in enumerate("bb")))
    assert sides(gold, given, asked=LABELS, labels=True) == (["a", "b"], ["b", "b"])
    by = [
        example(1, accept=chosen, _annotator_id=who)
        for who, chosen in (("x", ["a", "b"]), ("y", ["a"]))
    ]
    assert [record["label"] for _, record in annotators(read(lines(*by), asked=LABELS))]
    with pytest.raises(demur.InputError, match=r"a:2: the name of a text.*demur agree"):
        table(lines(*by), lines(*by), asked=LABELS)


def test_prodigy_answers_about_a_label_are_labels():
    asked = [
        example(1, label="SPORT", answer=answer, _session_id=who)
        for who, answer in (("x", "accept"), ("y", "reject"))
    ]
    found = annotators(read(lines(*asked), asked=LABELS))
    assert [record for _, record in found] == [
        {"unit": "1 SPORT", "annotator": "x", "label": "accept"},
        {"unit": "1 SPORT", "annotator": "y", "label": "reject"},
    ]


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (example(1, answer="maybe"), "a:2: answer must be one of"),
        ({**example(1), "spans": 7}, "a:2: spans must be a list"),
        (example(1, (3, 1, "X")), "a:2: a span must end after"),
    ],
)
def test_broken_examples_are_refused(broken, says):
    with pytest.raises(demur.InputError, match=says):
        read(lines(example(0), broken))


# -- all forms ---------------------------------------------------------------------


def test_spans_of_other_units_are_refused():
    with pytest.raises(demur.InputError, match="b: the file must be BRAT standoff"):
        table("T1\tA 0 4\tAnna\n", "Anna B-A\n")


def written(rng: random.Random):
    """One random annotation of words as columns, standoff, WebAnno and Prodigy."""
    words = [rng.choice(["a", "bcd", "ef"]) for _ in range(rng.randint(1, 9))]
    begins = [sum(map(len, words[:n])) + n for n in range(len(words))]
    return words, begins


def test_forms_of_the_same_spans_give_the_same_scores():
    rng = random.Random(3)
    for _ in range(20):
        words, begins = written(rng)
        sides_of = {"columns": [], "standoff": [], "webanno": [], "prodigy": []}
        for _side in range(2):
            spans, place = [], 0
            while place < len(words):
                end = min(place + rng.randint(1, 3), len(words))
                if rng.random() < 0.6:
                    spans.append((rng.choice("XY"), place, end))
                place = end
            tags, cells = ["O"] * len(words), ["_"] * len(words)
            parts = []
            for number, (kind, first, end) in enumerate(spans, 1):
                tags[first:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - first - 1)]
                cells[first:end] = [f"{kind}[{number}]"] * (end - first)
                parts.append(
                    (begins[first], begins[end - 1] + len(words[end - 1]), kind)
                )
            sides_of["columns"].append(
                "".join(f"{w} {t}\n" for w, t in zip(words, tags, strict=True))
            )
            sides_of["standoff"].append(
                "#1\tNote T0\tx\n"
                + "".join(f"T{a}\t{k} {a} {b}\tx\n" for a, b, k in parts)
            )
            sides_of["webanno"].append(
                webanno(
                    *(
                        f"1-{n}\t{b}-{b + len(w)}\t{w}\t_\t{c}"
                        for n, (w, b, c) in enumerate(
                            zip(words, begins, cells, strict=True), 1
                        )
                    )
                )
            )
            sides_of["prodigy"].append(lines(example(1, *parts)))
        counts = set()
        for pair in sides_of.values():
            found = demur.span_scores(table(*pair).table)
            counts.add(tuple((s.right, s.given, s.true) for s in found.scores))
        assert len(counts) == 1
