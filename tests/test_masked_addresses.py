"""Keys in addresses: nothing of them is shown, whatever is done with the address."""

import pytest

from demur.cli import main
from demur.errors import InputError, masked, shown

SCHEMES = (
    *("s3", "s3a", "gs", "gcs", "az", "hf", "ftp", "r2", "abfss", "http", "https"),
    *("S3", "spark", "postgresql"),
)
KEYED = (
    "{}://me:hush@logs/a.parquet", "{}://hush@logs/a.parquet",
    "{}://me:hush/hu+sh@logs/a.parquet", "{}://me:hush/@hush@logs/*/a.parquet",
    "{}://logs/a.parquet?X-Amz-Signature=hush", "{}://logs/a.csv?sig=hu/hush&token=hush",
    "{}://logs/a.csv?a;token=hush", "{}://logs/a.csv#access_token=hush",
    "{}://logs/a.csv?sig=it's-hush", '{}://me:a"hush@logs/a.csv',
)  # fmt: skip
LONG = "s3://logs/" + "a" * 40 + "?token=a-long-hush"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("keyed", KEYED)
def test_nothing_of_a_key_is_shown(scheme, keyed):
    address = keyed.format(scheme)
    lost = address.replace("://", ":/")  # as paths write it
    for text in (address, f"read {address}: no", f"'{address}', and", f"mkdir {lost}"):
        if "it's" in address or '"' in address:  # told only where it stands alone
            text = address
        assert "hush" not in masked(text)
        assert "logs/" in masked(text)


def test_a_port_is_no_password_but_of_a_store():
    assert "12/34" not in masked("s3://me:12/34@logs/a")
    assert masked("http://host:9000/a@b.csv") == "http://host:9000/a@b.csv"


def test_other_texts_stay_as_they_are():
    for text in ("C:/a@b?c=d", "a@b?c=d", "see: /a@b", "s3://logs/a=b/c.parquet"):
        assert masked(text) == text


def test_what_is_masked_stays_so_and_keeps_the_sentence_around_it():
    text = masked(
        "see http://h/a?sig=hush: none (http://h/a?t=hush), http://h/a?t=hush."
    )
    assert text == "see http://h/a?sig=...: none (http://h/a?t=...), http://h/a?t=...."
    assert masked(text) == text


def test_errors_hide_keys_before_they_shorten_what_they_show():
    error = InputError(LONG, "the file", "be there", shown(LONG), f"Try {LONG}.")
    for text in (str(error), error.where, error.got, error.hint):
        assert "hush" not in text
    assert "hu" not in shown(LONG.replace("hush", "hu"))


def test_a_short_key_in_the_environment_is_a_word(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    assert masked("a test of s3://logs") == "a test of s3://logs"
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "HUSHHUSH")
    assert masked("no HUSHHUSH here") == "no ... here"


ADDRESSES = ("s3://me:hush@logs/a.csv", "https://h/a.parquet?sig=hush", "gs://hush@l/a")
COMMANDS = (
    "curve {}", "curve {} --engine memory", "curve {} --log {}",
    "choose {} --max-error 1",
    "choose {} --engine memory --max-error 0.1", "score {}", "score {} --engine memory",
    "compare {} {}", "compare {} {} --engine memory",
    "recheck {} {}", "recheck rows.csv {}", "sketch {} -o part.sketch",
    "sketch rows.csv -o {}", "sketch rows.csv -o part.sketch --like {}",
    "curve rows.csv --plot {}.png", "curve rows.csv --page {}.html",
    "curve rows.csv --columns {}", "curve rows.csv --columns 'item={}'",
    "curve rows.csv --where {}", "curve rows.csv --where 'item={}'", "judge {} {}",
    "curve rows.csv --gold {}", "report {} -o page.html", "items {}", "difficulty {}",
    "curve rows.csv --engine {}", "curve rows.csv --master {}", "curve {} {} --debug",
    "{}", "curve rows.csv {}", "curve rows.csv --by {}",
    "choose rows.csv --max-error 1 --lock {}",
    "report rows.csv -o {}", "agree {}", "curve rows.csv --engine memory --{}",
)  # fmt: skip


@pytest.mark.parametrize("typed", COMMANDS)
def test_no_command_shows_a_key(typed, tmp_path, monkeypatch, capsys):
    import shlex

    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("item,correct,confidence\na,true,1\nb,false,0\n")
    for address in ADDRESSES:
        words = [word.replace("{}", address) for word in shlex.split(typed)]
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code
        told = capsys.readouterr()
        assert code
        assert told.err
        assert "hush" not in told.out + told.err
        for path in tmp_path.iterdir():
            assert "hush" not in path.name + path.read_text()


@pytest.mark.parametrize(
    "address",
    [
        "https://localhost:1/a b?sig=KEYPASS",
        "md:db?motherduck_token=KEYPASS",
        "a b.parquet?x=1&X-Amz-Signature=KEYPASS",
    ],
)
def test_options_that_hold_keys_are_masked_without_a_scheme_before_them(address):
    assert "KEYPASS" not in masked(f"{address} must exist; got nothing.")
