"""Bare columns: which are, and where the counts of their values are put."""

import pytest

from demur.sql.bare_columns import bare_columns


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("SELECT a, count(*)| FROM t", "a"),
        ("SELECT a, b, sum(c)| FROM t GROUP BY b", "a"),
        ("SELECT a, b, sum(c)| FROM t GROUP BY c", "a b"),
        ("SELECT a, min(b), max(b)| FROM t", "a"),
        ("SELECT a| FROM t GROUP BY b", "a"),
        ("SELECT DISTINCT a| FROM t GROUP BY b", "a"),
        ("SELECT a| FROM t GROUP BY b LIMIT 1", "a"),
        ("SELECT a, b, count(*)| FROM t GROUP BY 2", "a"),
        ("SELECT a, (SELECT c FROM u), count(*)| FROM t", "a"),
        ("SELECT lower(a), lower(a), count(*)| FROM t GROUP BY b", "a"),
        ("SELECT a, min(b) FROM t", ""),
        ("SELECT a, max(b), sum(c) FROM t", ""),
        ("SELECT a FROM t", ""),
        ("SELECT DISTINCT a, count(*) FROM t", ""),
        ("SELECT DISTINCT a FROM t GROUP BY b LIMIT 1", ""),
        ("SELECT a x, count(*) FROM t GROUP BY x", ""),
        ("SELECT a+1, count(*) FROM t GROUP BY a", ""),
        ("SELECT a, b, count(*) FROM t GROUP BY 1, 2", ""),
        ("SELECT t.a, count(*) FROM t GROUP BY A", ""),
        ("SELECT *, count(*) FROM t", ""),
        ("SELECT count(a), sum(b) FROM t", ""),
        ("SELECT a, (SELECT max(b) FROM u) FROM t", ""),
        ("SELECT a, sum(b) OVER () FROM t", ""),
        ("SELECT count(*) FROM t UNION SELECT a FROM t", ""),
    ],
)
def test_bare_columns(sql, names):
    found = bare_columns(sql.replace("|", ""))
    if not names:
        assert found is None
        return
    counts = "".join(f", count(DISTINCT {name})" for name in names.split())
    assert found.names == tuple(names.split())
    assert found.sql == sql.replace("|", counts)
