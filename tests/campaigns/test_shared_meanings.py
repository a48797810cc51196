"""Stipulations of several sites: the same once, one word with two meanings named."""

from hypothesis import given
from hypothesis import strategies as st

from demur.campaigns.shared_meanings import merge_meanings
from demur.references.stipulations import Stipulation

stipulations = st.builds(
    Stipulation,
    id=st.sampled_from(["M1", "M2", "M3"]),
    meaning=st.sampled_from(["Before noon.", "before  NOON.", "Before 1100."]),
    term=st.sampled_from(["morning", "Morning", "noon, morning", ""]),
)


def checks(merged):
    return [finding.check for finding in merged.findings]


def plain(text):
    return " ".join(text.lower().split())


def test_what_sites_agree_on_is_there_once():
    one = Stipulation("M4", "Before 1200.", term="morning", place="bbn:1")
    other = Stipulation("M4", "before  1200.", term="Morning", place="sri:1")
    merged = merge_meanings({"bbn": [one], "sri": [other]})
    assert merged.stipulations == (one,)
    assert not merged.findings
    assert merged.renamed == {"bbn": {}, "sri": {}}


def test_a_word_with_two_meanings_is_named_with_both_sites():
    one = Stipulation("M4", "Before 1200.", term="morning", place="bbn:1")
    other = Stipulation("M4", "Before 1100.", term="morning", place="sri:7")
    merged = merge_meanings({"bbn": [one], "sri": [other]})
    assert [s.id for s in merged.stipulations] == ["bbn/M4", "sri/M4"]
    assert checks(merged) == ["renamed-meaning", "conflicting-meaning"]
    text = str(merged.findings[1])
    assert "'Before 1100.' at sri (sri/M4) and 'Before 1200.' at bbn (bbn/M4)" in text
    assert text.startswith("sri:7: ")


def test_one_id_for_two_words_is_kept_apart_and_no_conflict():
    one = Stipulation("M1", "By flight_id.", term="flight")
    other = Stipulation("M1", "By fare_id.", term="fare")
    merged = merge_meanings({"bbn": [one], "sri": [other]})
    assert checks(merged) == ["renamed-meaning"]
    assert merged.renamed == {"bbn": {"M1": "bbn/M1"}, "sri": {"M1": "sri/M1"}}


def test_a_site_that_says_more_of_a_word_does_not_contradict():
    least = [Stipulation("M1", "One way.", term="fare")]
    more = [*least, Stipulation("M2", "In dollars.", term="fare")]
    assert not merge_meanings({"bbn": least, "sri": more}).findings
    assert not merge_meanings({"bbn": more, "sri": least}).findings


@given(st.dictionaries(st.sampled_from(["bbn", "cmu", "sri"]), st.lists(stipulations)))
def test_nothing_is_lost_and_no_id_stands_for_two_things_at_two_sites(sites):
    merged = merge_meanings(sites)
    for site, listed in sites.items():
        for one in listed:
            name = merged.renamed[site].get(one.id, one.id)
            assert any(
                kept.id == name
                and plain(kept.meaning) == plain(one.meaning)
                and plain(kept.term) == plain(one.term)
                for kept in merged.stipulations
            )
    for one in merged.stipulations:
        if "/" not in one.id:
            said = {
                (plain(other.term), plain(other.meaning))
                for listed in sites.values()
                for other in listed
                if other.id == one.id
            }
            whose = [
                s for s, listed in sites.items() if one.id in {o.id for o in listed}
            ]
            assert len(said) == 1 or len(whose) == 1


@given(st.dictionaries(st.sampled_from(["bbn", "cmu", "sri"]), st.lists(stipulations)))
def test_merging_again_what_was_merged_changes_nothing(sites):
    merged = merge_meanings(sites).stipulations
    assert merge_meanings({"all": merged}).stipulations == merged
