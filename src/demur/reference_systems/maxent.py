"""The features of the maximum-entropy classifier of SimCoach (mxNLU)."""

from itertools import combinations

from demur import checks
from demur.reference_systems.tokenizers import groups, words

_START, _END = "<s>", "</s>"


def maxent_features(text: str) -> list[str]:
    """The features of a text: its length, its n-grams, and all pairs of its words.

    Words stand between a start and an end. Features are present or absent: give this
    as the ``analyzer`` of a ``CountVectorizer``, and learn with a logistic regression,
    which is the maximum-entropy classifier.

    Parameters
    ----------
    text : str
        What was said, or recognised so far.

    Returns
    -------
    list of str
        Each feature once.

    References
    ----------
    Sagae, Christian, DeVault and Traum (2009), "Towards natural language understanding
    of partial speech recognition results in dialogue systems", NAACL; the features are
    those of its implementation in open source, fmorbini/jmNL. How words are cut is
    ours.

    Examples
    --------
    >>> import demur
    >>> demur.maxent_features("yes please")[:5]
    ['len=4', 'pair=<s>:yes', 'pair=<s>:please', 'pair=<s>:</s>', 'pair=yes:please']
    """
    checks.text("maxent_features", "text", text)
    tokens = [_START, *words(text), _END]
    features = [f"len={len(tokens)}"]
    features += [f"pair={first}:{second}" for first, second in combinations(tokens, 2)]
    for size in (1, 2, 3):
        features += [f"gram={gram}" for gram in groups(tokens, size, " ")]
    return list(dict.fromkeys(features))


def prefixes(text: str, parts: int = 5) -> list[str]:
    """The beginnings of a text, as a recogniser gives them while it listens.

    Parameters
    ----------
    text : str
        The whole utterance.
    parts : int
        Into how many the words are cut, rounded to the nearest number of words, and at
        least one.

    Returns
    -------
    list of str
        From the shortest to the whole text.

    Examples
    --------
    >>> import demur
    >>> demur.prefixes("how much is left on it", 3)
    ['how much', 'how much is left', 'how much is left on it']
    >>> demur.prefixes("yes please", 3)
    ['yes', 'yes', 'yes please']
    """
    checks.text("prefixes", "text", text)
    checks.whole("prefixes", "parts", parts, 1)
    tokens = text.split()
    stops = (max(1, round(len(tokens) * part / parts)) for part in range(1, parts + 1))
    return [" ".join(tokens[:stop]) for stop in stops]
