"""Databases that are given as files of records."""

import pytest

import demur
from demur.errors import InputError


@pytest.mark.parametrize("checksum", [b"\n\x01\x02\x03\x04\x05\x06\x07", b" \t" * 4])
def test_a_database_is_named_whatever_its_checksum_begins_with(tmp_path, checksum):
    path = tmp_path / "svc.duckdb"
    path.write_bytes(checksum + b"DUCK" + b"\x43" + b"\0" * 99)
    with pytest.raises(InputError, match="got a database of DuckDB"):
        demur.read_outcomes(path)
