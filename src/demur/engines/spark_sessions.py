"""Spark sessions: started quietly, set up to count alike, failing in one line."""

import logging
import os
import re
import shutil
import socket
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from demur.errors import InputError, MissingExtra, extra_module, masked, one_line
from demur.temporary import passing_folder

WHERE: Final = "spark"
"""What messages about the engine begin with."""

HERE: Final = "local[*]"
"""The master where none is named: threads of this machine."""

START_SETTINGS: Final = {
    "spark.app.name": "demur",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
"""Of sessions that are started here."""

SETTINGS: Final = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.sql.groupByOrdinal": "true",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
}
"""Of the session that counts: whatever the caller's own says, numbers are the same."""

SECONDS: Final = 5.0
"""How long a master may take to be reached."""


def counting_session(session: Any = None, master: str | None = None) -> Any:
    """A session of its own for counting, beside the caller's, on the same cluster.

    Parameters
    ----------
    session : pyspark.sql.SparkSession, optional
        The caller's; its settings stay as they are.
    master : str, optional
        Where one is started if none is given; threads of this machine if left out.

    Raises
    ------
    MissingExtra
        If PySpark is not installed.
    InputError
        If there is no Java, or the session or master does not work.
    """
    for module in ("pyspark", "pyarrow"):
        extra_module(module, "spark", "counting on Spark")
    # Where nobody listens, a lost connection is written to the terminal, with a trace.
    logging.getLogger("py4j").addHandler(_SILENT)
    if session is None:
        session = started(master)
    elif not hasattr(session, "_jvm"):
        need = "be a SparkSession of the cluster itself"
        hint = "Sessions of Spark Connect are not served: name the master."
        raise InputError(WHERE, "engine", need, f"a {_kind(session)}", hint)
    check_runs(session)
    with failures(WHERE):
        counting = session.newSession()
        for setting, value in SETTINGS.items():
            counting.conf.set(setting, value)
        # Results are small: a reducer for each processor is enough.
        counting.conf.set(
            "spark.sql.shuffle.partitions",
            str(max(2, counting.sparkContext.defaultParallelism)),
        )
    return counting


def check_runs(session: Any) -> None:
    """Raise `InputError` if a session was stopped."""
    if getattr(session.sparkContext, "_jsc", None) is None:
        raise InputError(WHERE, "engine", "be a session that runs", "a stopped one")


_SILENT: Final = logging.NullHandler()


def _kind(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__name__}"


def started(master: str | None = None) -> Any:
    """A session, started if none runs; what Java says on the way goes into a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PySpark has doubts about recent pandas
        from pyspark import SparkConf, SparkContext
        from pyspark.sql import SparkSession

        running = SparkContext._active_spark_context
        if running is not None:
            if master is not None and running.master != master:
                need = "be the one that runs in this process"
                got = f"{plain(master)}, while {plain(str(running.master))} runs"
                raise InputError(WHERE, "master", need, got, "Stop it first.")
            with failures(WHERE):
                return SparkSession.builder.getOrCreate()
        check_java()
        if master is not None:
            check_master(master)
        conf = SparkConf()
        for setting, value in START_SETTINGS.items():
            conf.setIfMissing(setting, value)
        if master is not None:
            conf.setMaster(master)
        conf.setIfMissing("spark.master", HERE)
        if conf.get("spark.master", "").startswith("local"):
            conf.setIfMissing("spark.driver.host", "127.0.0.1")
            conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1")
            folder = passing_folder("demur-spark-")
            conf.setIfMissing("spark.sql.warehouse.dir", folder)
            conf.setIfMissing("spark.local.dir", folder)
        with _java_output() as output, _starting(conf.get("spark.master"), output):
            launch_gateway: Any = import_module("pyspark.java_gateway").launch_gateway
            gateway = None
            if SparkContext._gateway is None:
                gateway = launch_gateway(conf, {"stderr": output, "stdout": output})
            SparkContext(conf=conf, gateway=gateway).setLogLevel("OFF")
            return SparkSession.builder.getOrCreate()


@contextmanager
def _java_output() -> Iterator[Any]:
    """A file without a name for what Java writes, so that terminals stay clean."""
    with tempfile.TemporaryFile() as output:
        yield output


@contextmanager
def _starting(master: str | None, output: Any) -> Iterator[None]:
    """Say in one line why Spark has not started."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError, EOFError) as error:
        need = f"start at {plain(master or HERE)}"
        if type(error).__name__ == "PySparkRuntimeError":  # Java has not started
            output.seek(0)
            lines = output.read().decode("utf-8", "replace").strip().splitlines()
            reason = lines[-1] if lines else "nothing"
        else:
            reason = reason_of(error)
        hint = "Spark 4 needs Java 17 or later."
        raise InputError(WHERE, "Spark", need, plain(reason), hint) from None


def check_java() -> None:
    """Raise `InputError` where Spark would find no Java."""
    home = os.environ.get("JAVA_HOME")
    there = Path(home, "bin", "java").exists() if home else shutil.which("java")
    if not there:
        need, got = "find Java", f"none in {home}" if home else "none on this machine"
        hint = "Install Java 17 or later (default-jre-headless) or set JAVA_HOME."
        raise InputError(WHERE, "Spark", need, got, hint)


_HOSTS: Final = re.compile(r"(?:spark|k8s)://(?:https?://)?(?P<hosts>[^/?#]+)")


def check_master(master: str) -> None:
    """Raise `InputError` at once where Spark itself would try for minutes."""
    if master.startswith("sc://"):
        need, hint = "be one of the cluster itself", "Spark Connect is not served."
        raise InputError(WHERE, "master", need, plain(master), hint)
    hosts = _HOSTS.match(master)
    if not hosts:
        return
    tried = [one.rpartition("@")[2] for one in hosts["hosts"].split(",")]
    for address in tried:
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), timeout=SECONDS).close()
        except (OSError, ValueError):
            continue
        return
    need, hint = "be reached", "Is it running, and is the port right?"
    raise InputError(WHERE, "master", need, f"no answer of {', '.join(tried)}", hint)


# -- failures ----------------------------------------------------------------------


@contextmanager
def failures(place: str) -> Iterator[None]:
    """Say in one line what Spark could not do.

    Parameters
    ----------
    place : str
        What is being read, for messages.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError, EOFError) as error:
        reason = reason_of(error)
        need = "be counted by Spark to the end"
        raise InputError(place, "the outcomes", need, reason, _hint(reason)) from None
    except ImportError as error:
        raise MissingExtra("spark", f"counting on Spark ({error})") from None


def reason_of(error: BaseException) -> str:
    """Why Spark failed: what the cause says that names a file, a class or a loss.

    Nothing of a trace of Java is in it, nor what may be a credential.
    """
    messages = [one for one in _messages(error) if one]
    if not messages or _has_ended(error):
        return "no answer: the driver of Spark has ended"
    telling = [one for one in messages if one.startswith("[")]
    lost = [one for one in messages if "stage failure" in one]
    reason = (telling or lost or messages)[0]
    cause = messages[messages.index(reason) + 1 :]
    if "FAILED_READ_FILE" in reason and cause:
        reason = f"{plain(reason)}: {cause[0]}"
    return plain(reason)


def _has_ended(error: BaseException) -> bool:
    """Whether Java itself is gone, which PySpark says in several ways."""
    from py4j.protocol import Py4JJavaError, Py4JNetworkError

    if isinstance(error, (Py4JNetworkError, ConnectionError, EOFError)):
        return True
    cut_off = re.fullmatch(r"An error occurred while calling \S+", str(error).strip())
    return cut_off is not None and not isinstance(error, Py4JJavaError)


def _messages(error: BaseException) -> Iterator[str]:
    """The first line of an error of Spark, then those of its causes in Java."""
    java = getattr(error, "java_exception", None)
    if java is None:
        yield from str(error).strip().splitlines()[:1]
        return
    try:
        while java is not None:
            text = java.getMessage() or java.getClass().getSimpleName()
            yield str(text).strip().splitlines()[0] if str(text).strip() else ""
            java = java.getCause()
    except Exception:  # noqa: BLE001  (Java has ended while it was asked)
        return


def _hint(reason: str) -> str:
    if "ath does not exist" in reason or "PATH_NOT_FOUND" in reason:
        return "Executors must see it too: a path on one machine is not enough."
    if "No FileSystem for scheme" in reason:
        return "Give Spark the package that reads such addresses (hadoop-aws)."
    if "stage failure" in reason or "driver of Spark" in reason:
        return "Was it killed, or its memory too small? Start again."
    return ""


_SETTING: Final = re.compile(
    r"((?:key|secret|token|password)\w*\s*[=:]\s*)\S+", re.IGNORECASE
)
"""A setting of Hadoop that holds a key, as messages of Java may quote it."""


_STOP: Final = re.compile(r"((?<![.])|(?<=[.]{3}))[.]$")
"""The full stop of a sentence, also behind a key that is masked."""


def plain(text: str) -> str:
    """Text on one line without keys, in addresses or in settings."""
    text = _SETTING.sub(r"\1(hidden)", masked(text))
    text = re.sub(r"\s*SQLSTATE: \w+\s*", " ", text)
    return _STOP.sub("", one_line(text))
