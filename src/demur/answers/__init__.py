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

from collections.abc import Callable
from typing import Any, Final

from demur.answers.alternatives import Alternatives as Alternatives
from demur.answers.alternatives import read_all as read_all
from demur.answers.alternatives import verdict as verdict
from demur.answers.callables import Custom as Custom
from demur.answers.callables import custom
from demur.answers.choices import Letters as Letters
from demur.answers.choices import letters as letters
from demur.answers.comparators import Comparator as Comparator
from demur.answers.comparators import Explainer as Explainer
from demur.answers.comparators import Match as Match
from demur.answers.comparators import Preparer as Preparer
from demur.answers.comparators import Ranker as Ranker
from demur.answers.comparators import ReferenceReader as ReferenceReader
from demur.answers.extracting import Extraction as Extraction
from demur.answers.extracting import extraction as extraction
from demur.answers.json_values import Json as Json
from demur.answers.json_values import Multiset as Multiset
from demur.answers.json_values import json as json
from demur.answers.json_values import multiset as multiset
from demur.answers.mathematics import Mathematics as Mathematics
from demur.answers.mathematics import math as math
from demur.answers.model_judges import ClaimsJudgedByModel as ClaimsJudgedByModel
from demur.answers.model_judges import ModelJudge as ModelJudge
from demur.answers.model_judges import claims as claims
from demur.answers.model_judges import is_model as is_model
from demur.answers.model_judges import model as model
from demur.answers.model_judges import parse_model
from demur.answers.numbers import Number as Number
from demur.answers.numbers import number as number
from demur.answers.slots import Slots as Slots
from demur.answers.slots import slots as slots
from demur.answers.sql_results import Sql as Sql
from demur.answers.sql_results import sql as sql
from demur.answers.tables.explanations import Explanation as Explanation
from demur.answers.tables.modes import MODES as MODES
from demur.answers.tables.modes import TableSettings as TableSettings
from demur.answers.tables.relation_values import Relation as Relation
from demur.answers.tables.relation_values import RelationColumn as RelationColumn
from demur.answers.tables.relation_values import relation_of as relation_of
from demur.answers.tables.relations import compare_relations as compare_relations
from demur.answers.tabular import Cas as Cas
from demur.answers.tabular import Relational as Relational
from demur.answers.tabular import cas as cas
from demur.answers.tabular import relation as relation
from demur.answers.texts import Label as Label
from demur.answers.texts import Text as Text
from demur.answers.texts import label as label
from demur.answers.texts import text as text
from demur.answers.token_overlap import TokenF1 as TokenF1
from demur.answers.token_overlap import f1 as f1
from demur.answers.tool_calls import ToolCall as ToolCall
from demur.answers.tool_calls import tool_call as tool_call
from demur.calls import parse_call
from demur.errors import InputError, shown

COMPARATORS: Final[dict[str, Callable[..., Comparator]]] = {
    "label": label,
    "text": text,
    "number": number,
    "cas": cas,
    "relation": relation,
    "sql": sql,
    "slots": slots,
    "letters": letters,
    "json": json,
    "tool_call": tool_call,
    "multiset": multiset,
    "f1": f1,
    "math": math,
    "model": model,
    "claims": claims,
}
"""The comparators that have a name."""


def parse_comparator(name: str) -> Comparator:
    """The comparator of a name with options; the inverse of ``str``.

    Parameters
    ----------
    name : str
        ``NAME`` or ``NAME(OPTION=VALUE, ...)``.

    Returns
    -------
    Comparator

    Raises
    ------
    ParseError
        If the text is not of that form.
    InputError
        If there is no such comparator or option, naming the choices.

    Examples
    --------
    >>> import demur
    >>> demur.answers.parse_comparator("number( relative = 1e-2 )")
    number(relative=0.01)
    >>> demur.answers.parse_comparator("texts")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: by: the comparator must be one of label, text, ...;
    got 'texts'. Did you mean 'text'?
    >>> demur.answers.parse_comparator("text(normalize=squad)")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: text: the option must be one of normalise; got 'normalize'.
    Did you mean 'normalise'?
    """
    if is_model(name):
        return parse_model(name)
    makers = COMPARATORS.__getitem__
    try:
        return parse_call(name, COMPARATORS, makers, where="by", what="the comparator")
    except InputError as error:
        from demur.answers.other_names import hint_of

        hint = hint_of(name.partition("(")[0]) if error.where == "by" else ""
        if not hint:
            raise
        raise error.with_hint(hint) from None


def comparator(by: Any) -> Comparator:
    """What ``by`` stands for: a name, a comparator, or a user's function.

    Examples
    --------
    >>> import demur
    >>> demur.answers.comparator("label")
    label
    >>> demur.answers.comparator(lambda response, reference: response in reference)
    callable(<lambda>)

    Raises
    ------
    InputError
        If it is none of these.
    """
    if isinstance(by, str):
        return parse_comparator(by)
    if not isinstance(by, type):
        if isinstance(by, Comparator):
            return by
        if callable(by):
            return custom(by)
    need = f"be a name ({', '.join(COMPARATORS)}), a comparator or a function"
    raise InputError("judge", "by", need, shown(by))
