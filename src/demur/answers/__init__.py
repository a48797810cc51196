"""Comparators: whether a response equals one acceptable value, and with what credit.

A comparator is a value. It prints as it is typed, and parses back::

    >>> from demur import answers
    >>> answers.text(normalise="punctuation+casefold")
    text(normalise=casefold+punctuation)
    >>> answers.parse_comparator("number( relative = 0.01 )")
    number(relative=0.01)

`verdict` applies one to all alternatives of a reference. Nothing here knows of items,
systems or files; `demur.judge` does.
"""

from demur.answers.alternatives import Alternatives, read_all, verdict
from demur.answers.callables import Custom
from demur.answers.comparators import (
    Comparator,
    Explainer,
    Match,
    Preparer,
    ReferenceReader,
)
from demur.answers.labels import Label, label
from demur.answers.naming import COMPARATORS, comparator, parse_comparator
from demur.answers.numerals import Number, number
from demur.answers.sql_results import Sql, sql
from demur.answers.tables.explanations import Explanation
from demur.answers.tables.modes import MODES, TableSettings
from demur.answers.tables.relation_values import Column, Relation, relation_of
from demur.answers.tables.relations import compare_relations
from demur.answers.tabular import Cas, Relational, cas, relation
from demur.answers.texts import Text, text

__all__ = [
    "COMPARATORS",
    "MODES",
    "Alternatives",
    "Cas",
    "Column",
    "Comparator",
    "Custom",
    "Explainer",
    "Explanation",
    "Label",
    "Match",
    "Number",
    "Preparer",
    "ReferenceReader",
    "Relation",
    "Relational",
    "Sql",
    "TableSettings",
    "Text",
    "cas",
    "comparator",
    "compare_relations",
    "label",
    "number",
    "parse_comparator",
    "read_all",
    "relation",
    "relation_of",
    "sql",
    "text",
    "verdict",
]
