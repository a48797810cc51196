"""The experiments by name; each reads real data and returns an `Experiment`."""

from collections.abc import Callable
from pathlib import Path

from characters import added_texts, the_twins
from scopes import out_of_scope, partial_utterances
from shared import Experiment
from tokens_and_domains import (
    added_domains,
    relevance_model_on_speech,
    relevance_model_with_added_domains,
    tokenizers_on_speech,
    tokenizers_on_typed_text,
    transcripts_or_recogniser_output,
)

EXPERIMENTS: dict[str, Callable[[Path], Experiment]] = {
    "figure-1": tokenizers_on_speech,
    "figure-1-relevance": relevance_model_on_speech,
    "figure-2": tokenizers_on_typed_text,
    "figure-3": added_domains,
    "figure-3-relevance": relevance_model_with_added_domains,
    "training-sets": transcripts_or_recogniser_output,
    "twins": the_twins,
    "added-texts": added_texts,
    "out-of-scope": out_of_scope,
    "partial": partial_utterances,
}
