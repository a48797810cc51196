"""Files of coreference, and the command that reads them."""

import gzip
import io

import pytest

import demur
from builders import printed, printed_json, run, stderr_of, write_records

KEY = """#begin document (a); part 000
a 0 the (0
a 0 cat 0)
a 0 saw (1)|(2
a 0 its (0)
a 0 tail 2)

#end document
#begin document (a); part 001
a 1 it (7)
#end document
"""
RESPONSE = KEY.replace("(1)|(2", "-").replace("tail 2)", "tail (0)")


@pytest.fixture
def files(tmp_path):
    for name, text in (("key", KEY), ("response", RESPONSE)):
        (tmp_path / f"{name}.conll").write_text(text, "utf-8")
    return tmp_path


def read_files(key, response):
    return demur.read_coreference(hypotheses=response, references=key)


def read(key, response=None):
    response = key if response is None else response
    return read_files(*(io.BytesIO(text.encode()) for text in (key, response)))


def one(*cells):
    """A file of one document with these last columns."""
    return "\n".join(["#begin document (d)", *cells, "#end document", ""])


def test_columns_are_read_and_joined_by_document_and_part(files):
    table = read_files(files / "key.conll", files / "response.conll")
    assert table == {
        "item": ["(a); part 000", "(a); part 001"],
        "ref": [[[(0, 1), (3, 3)], [(2, 2)], [(2, 4)]], [[(0, 0)]]],
        "hyp": [[[(0, 1), (3, 3), (4, 4)]], [[(0, 0)]]],
    }
    backwards = RESPONSE.split("#end document\n")
    backwards = "#end document\n".join([backwards[1], backwards[0], ""])
    assert read(KEY, backwards) == table
    windows = KEY.replace("\n", "\r\n")
    assert read(windows)["ref"] == table["ref"]
    packed = gzip.compress(KEY.encode())
    files = io.BytesIO(packed), io.BytesIO(b"\xef\xbb\xbf" + KEY.encode())
    assert read_files(*files)["hyp"] == table["ref"]


@pytest.mark.parametrize(
    ("cells", "clusters"),
    [
        # Brackets without bars; each end closes what its entity began last.
        (["(1(3", "-", "3)1)"], [[(0, 2)], [(0, 2)]]),
        (["(0", "(0", "0)", "0)"], [[(1, 2), (0, 3)]]),
        (["(0", "(0|0)", "0)"], [[(1, 1), (0, 2)]]),
        (["(0", "(1", "0)", "1)"], [[(0, 2)], [(1, 3)]]),
        # Entities in the order of appearance, those of one word first.
        (["(5", "(2)", "5)"], [[(0, 2)], [(1, 1)]]),
        (["(5|(2)", "5)"], [[(0, 0)], [(0, 1)]]),
        (["(e-1)", "_", "*", "-"], [[(0, 0)]]),
        ([], []),
    ],
)
def test_brackets_as_the_reference_scorer_reads_them(cells, clusters):
    assert read(one(*cells))["ref"] == [clusters]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            one("a 0)"),
            "stream:2: a bracket must close one that was opened; got 0)",
        ),
        (one("-", "(0", "-"), "stream:3: a bracket must be closed in its document"),
        (one("(0(", "0)"), "stream:2: the last column must say where mentions begin"),
        (one("a word"), "stream:2: the last column must say where mentions begin and"),
        (one("(12+3)"), "stream:2: the last column must say where mentions begin and"),
        (one("()"), "stream:2: the last column must say"),
        # To be tried in one way, not in two ways for each pair of brackets.
        (one("(12)" * 99 + "!"), "stream:2: the last column must say"),
        # A line that is cut, whose last column would be another one.
        (
            one("a 0 her PRP * (0)", "", "a 0 the DT * (0)", "a 0 cat NN *"),
            "stream:5: a line must have as many columns as the first of its sentence, "
            "6, at stream:4; got 5",
        ),
        (
            one("a\tNew York\t-\t(0)", "a\tYork\t-"),
            "stream:3: a line must have as many columns as the first of its sentence, "
            "4, at stream:2; got 3",
        ),
        (one("-") + "x -\n", "stream:4: a word must stand in a document; got 'x -'"),
        (one("-") * 2, "stream:4: document '(d)' must be there once; got also at "),
        (
            one("-", "-").replace("#end document\n", ""),
            "stream:1: a document must end with #end document; got none up to stream:3",
        ),
        (
            one("-").replace("#end", "#begin"),
            "stream:1: a document must end with #end document; got none up to stream:3",
        ),
    ],
)
def test_broken_columns_are_refused(text, message):
    with pytest.raises(demur.InputError) as refused:
        read(text)
    assert message in str(refused.value)


def test_sentences_may_have_other_columns():
    """As CoNLL-2012 has one for each predicate."""
    text = one(
        "a (0)", "b  -", "", "c * (0)", "d\t*\t-\t", " ", "New York\t(0)", "s\t-"
    )
    assert read(text)["ref"] == [[[(0, 0), (2, 2), (4, 4)]]]


def test_both_files_must_fit():
    with pytest.raises(demur.InputError) as refused:
        read(one("-"), one("-", "-"))
    assert "'(d)' must have 1 word, as at stream:1; got 2" in str(refused.value)
    with pytest.raises(demur.InputError) as refused:
        read(one("-"), KEY)
    assert "document '(a); part 000' must be in the references" in str(refused.value)


def test_documents_that_a_system_lacks_are_declined():
    table = read(KEY, RESPONSE.split("#begin document (a); part 001")[0])
    assert table["hyp"][1] is None
    found = demur.coreference_scores(table)
    assert (found.documents, found.declined) == (2, 1)


def test_records_are_joined_by_their_keys(tmp_path):
    gold = [
        {"doc_key": "x", "clusters": [[[0, 1], [3, 3]]], "sentences": [["a"]]},
        {"doc_key": "y", "clusters": [[[2, 2], [4, 5]]]},
        {"doc_key": "z", "clusters": []},
    ]
    mine = [
        {"doc_key": "z", "clusters": [[[9, 9]]], "predicted_clusters": []},
        {"doc_key": "y", "clusters": None},
        {"doc_key": "x", "clusters": [[[0, 1], [3, 3]]]},
    ]
    paths = (
        write_records(tmp_path / "k.jsonl", gold),
        write_records(tmp_path / "r.jsonl", mine),
    )
    table = read_files(*paths)
    assert table["item"] == ["x", "y", "z"]
    assert table["hyp"] == [[[(0, 1), (3, 3)]], None, []]
    assert printed_json("metrics", "coreference", *paths)["declined"] == 1
    both = [{**of_key, "predicted_clusters": of_key["clusters"]} for of_key in gold]
    asked = ("--ref", "clusters", "--hyp", "predicted_clusters")
    alone = write_records(tmp_path / "b.jsonl", both)
    assert printed_json("metrics", "coreference", alone, *asked)["conll"] == 1


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"doc_key": "x"}, "k.jsonl:1: a record must have clusters; got 'doc_key'"),
        ({"clusters": []}, "k.jsonl:1: a record must have doc_key; got None"),
        ({"doc_key": "x", "clusters": [[[2, 1]]]}, "k.jsonl:1: a mention of clusters"),
        ({"doc_key": "x", "clusters": "none"}, "k.jsonl:1: clusters must be a list of"),
    ],
)
def test_records_without_clusters_are_refused(tmp_path, record, message):
    path = write_records(tmp_path / "k.jsonl", [record])
    assert message in stderr_of("metrics", "coreference", path, path)


def test_the_command_shows_systems_side_by_side(files):
    key, response = files / "key.conll", files / "response.conll"
    wanted = demur.coreference_scores(read_files(key, response))
    assert printed("metrics", "coreference", key, response) == f"{wanted}\n"
    shown = printed("metrics", "coreference", key, response, key)
    assert "response  ceafe" in shown
    assert "key       ceafe" in shown
    ended = run("metrics", "coreference", key, response, "--fail-if", "f muc < 1")
    assert ended.code == 1
    removed = printed_json(
        "metrics", "coreference", key, response, "--remove-singletons"
    )
    assert "singletons:removed" in removed["signature"]


def test_the_command_says_what_it_needs(files):
    key = files / "key.conll"
    said = stderr_of("metrics", "coreference", key, code=2)
    assert "must be two, references and hypotheses; got one in columns of CoNLL" in said
    said = stderr_of("metrics", "coreference", key, key, "--where", "item=a", code=2)
    assert "--where" in said
    (files / "cut.conll").write_text(KEY[:62], "utf-8")
    said = stderr_of("metrics", "coreference", key, files / "cut.conll")
    assert "cut.conll:1: a document must end with #end document" in said
