"""A small program that turns questions about air travel into SQL, by patterns.

It reads a question with the patterns below, fills slots with what they find (where
from, where to, when, what is asked for) and writes one SELECT from the slots. Names of
cities, airports and airlines come from the database. A question that leans on the one
before it ("And on Sunday?") keeps the slots of that one.

It knows nothing of what it does not match: such words are skipped. Its confidence is
the share of words, small ones left out, that some pattern matched.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence

Slots = dict[str, str]

SMALL_WORDS = (
    "a all am an and any are at be by can could did do does each every flying for give "
    "go have has how i in into is it its list many me my name of off on one only or "
    "our out please show some that the their them then there these they this those to "
    "us want we what where which will with would you your"
)
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MEALS = {"breakfast": "B", "lunch": "L", "dinner": "D", "snack": "S"}
TRANSPORTS = {"bus": "BUS", "taxi": "TAXI", "train": "RAIL", "limousine": "LIMOUSINE"}
HOURS = r"(\d{1,2} ?[ap]m|\d{1,2}|noon|midnight)"

# Pattern, slots, value. The first value of a slot stays. Without a value, the slots
# hold what the groups matched, as the database writes it; {0} puts it into a value.
RULES = [
    (r"how many (?:different )?cities", "target", "count cities"),
    (r"how many airports", "target", "count airports"),
    (r"how many fares", "target", "count fares"),
    (r"how many flights", "target", "count flights"),
    (r"how many seats|seats", "target", "seats"),
    (r"ground transportation|cheapest way", "target", "transport"),
    (r"(bus|train|taxi|limousine)", "transport", "transport_type = '{0}'"),
    (r"how long|how many minutes|length", "target", "duration"),
    (r"(?:type of |which |what )(?:plane|aircraft)(?: types?)?", "target", "plane"),
    (r"(?:what|which) airlines?", "target", "airline"),
    (r"(?:what|which) meals?", "target", "meal"),
    (r"(?:what|which) (?:cities|city)|where", "target", "city"),
    (r"which airports", "target", "airport"),
    (r"how far", "target", "distance"),
    (r"what restrictions?", "target", "restriction"),
    (r"how much|costs?", "target", "price"),
    (r"fares?", "target", "fare"),
    (r"(?:what time|when|departures?(?: times?)?)", "target", "departure"),
    (r"arrival(?: times?)?", "target", "arrival"),
    (r"flights?|fly|flies|leave|departure", "target", "flight"),
    (r"between <city> and <city>", "from to", ""),
    (r"<city> to <city>", "from to", ""),
    (r"leave <city> for <city>", "from to", ""),
    (r"<city> for <airline>", "to airline", ""),
    (r"(?:from|leaves?|leaving) <airport>", "from_airport", ""),
    (r"(?:to|serves?|reach) <airport>", "to_airport", ""),
    (r"(?:from|leaves?|leaving) <city>", "from", ""),
    (r"(?:to|into|reach) <city>", "to", ""),
    (r"<airport>", "at_airport", ""),
    (r"<city>", "at", ""),
    (r"<airline>(?: flights?)? (\d{3})", "airline number", ""),
    (r"<airline>(?: flights?)?", "airline", ""),
    (r"morning", "time", "{clock} > 0 AND {clock} < 1200"),
    (r"afternoon", "time", "{clock} > 1200 AND {clock} < 1800"),
    (r"evening", "time", "{clock} > 1800 AND {clock} < 2200"),
    (rf"between {HOURS} and {HOURS}", "time", "{clock} BETWEEN {0} AND {1}"),
    (rf"before {HOURS}", "time", "{clock} < {0}"),
    (r"after midnight|overnight", "night", "arrival_time < departure_time"),
    (rf"after {HOURS}", "time", "{clock} > {0}"),
    (rf"around {HOURS}", "time", "{clock} BETWEEN {0} - 15 AND {0} + 15"),
    (rf"(?:on )?({'|'.join(DAYS)})s?", "day", "days LIKE '%{0}%'"),
    (r"(?:on )?weekdays", "day", "days LIKE '%12345%'"),
    (r"(?:only at the |on )?weekends?", "day", "days = '67'"),
    (r"(?:daily|every day)", "day", "days = '1234567'"),
    (r"non-?stop", "stops", "stops = 0"),
    (r"serves? no meal", "meal", "meal_code IS NULL"),
    (r"(breakfast|lunch|dinner|snack)", "meal", "meal_code = '{0}'"),
    (r"with a meal", "meal", "meal_code IS NOT NULL"),
    (r"serves?|served", "serving", "yes"),
    (r"first class", "class", "FIRST"),
    (r"business(?: class)?", "class", "BUSINESS"),
    (r"economy(?: class)?", "class", "ECONOMY"),
    (r"round trip(?: price)?", "trip", "round_trip"),
    (r"one[- ]way(?: price)?s?", "trip", "one_way"),
    (r"no restrictions?", "limit", "restriction_code IS NULL"),
    (r"under (\d{3})(?: crowns)?", "limit", "{trip} < {0}"),
    (r"earliest|first", "best", "MIN"),
    (r"latest|last", "best", "MAX"),
    (r"shortest", "best by", "MIN duration_minutes"),
    (r"longest", "best by", "MAX duration_minutes"),
    (r"cheapest", "best", "MIN"),
    (r"most expensive", "best", "MAX"),
    (r"arrivals?|arrives?|arriving", "arriving", "yes"),
    (r"^(?:is|are|do|does|can)", "asks", "yes or no"),
    (r"^(?:and|only|what about|economy)", "leans", "yes"),
    (r"those|these|them|it|that", "leans", "yes"),
]
# The table and the column for each target; {trip} is the price that is asked for.
COLUMNS = {
    "flight": ("flight", "flight_id"),
    "departure": ("flight", "departure_time"),
    "arrival": ("flight", "arrival_time"),
    "duration": ("flight", "duration_minutes"),
    "airline": ("flight", "airline_code"),
    "plane": ("flight", "aircraft_code"),
    "meal": ("flight", "meal_code"),
    "airport": ("flight", "to_airport"),
    "count flights": ("flight", "COUNT(*)"),
    "city": ("arrivals", "city_code"),
    "count cities": ("arrivals", "COUNT(DISTINCT city_code)"),
    "seats": ("flown", "seats"),
    "fare": ("fare", "fare_id"),
    "price": ("fare", "{trip}"),
    "restriction": ("fare", "restriction_code"),
    "count fares": ("fare", "COUNT(*)"),
    "transport": ("ground_transport", "transport_type"),
    "distance": ("airport_service", "miles"),
    "count airports": ("airport_service", "COUNT(*)"),
}
# What each table is written as, and the slots whose SQL speaks of it.
OF_FLIGHTS = ("time", "night", "day", "stops", "meal")
ARRIVALS = "flight JOIN airport_service ON airport_code = to_airport"
TABLES = {
    "flight": ("flight", OF_FLIGHTS),
    "arrivals": (ARRIVALS, OF_FLIGHTS),
    "flown": ("flight JOIN aircraft USING (aircraft_code)", OF_FLIGHTS),
    "fare": ("fare", ("limit",)),
    "ground_transport": ("ground_transport", ("transport",)),
    "airport_service": ("airport_service", ()),
}


def read_names(connection: sqlite3.Connection) -> dict[str, dict[str, str]]:
    """Read the names of cities, airports and airlines, in lower case, and their codes.

    The first word of an airline's name is enough, unless a city is called so.
    """
    names: dict[str, dict[str, str]] = {}
    for kind in ("city", "airport", "airline"):
        rows = connection.execute(f"SELECT {kind}_name, {kind}_code FROM {kind}")
        names[kind] = {name.lower(): code for name, code in rows}
    short = {name.split()[0]: code for name, code in names["airline"].items()}
    names["airline"] |= {k: v for k, v in short.items() if k not in names["city"]}
    return names


def clock(said: str) -> str:
    """Return a time of day as hhmm; a bare hour is in the afternoon.

    Examples
    --------
    >>> clock("7 pm"), clock("8am"), clock("5"), clock("noon")
    ('1900', '800', '1700', '1200')
    """
    known = {"noon": "1200", "midnight": "2400"}
    if said in known:
        return known[said]
    hour = int(re.sub(r"\D", "", said)) % 12
    return str(100 * hour if said.endswith("am") else 100 * hour + 1200)


class TemplateSystem:
    """Patterns for one database.

    Parameters
    ----------
    connection : sqlite3.Connection
        Where the names come from; it is read once.
    further : sequence of (pattern, slots, value)
        Rules that come before those above.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        further: Sequence[tuple[str, str, str]] = (),
    ) -> None:
        names = read_names(connection)
        self._codes = {**names["city"], **names["airport"], **names["airline"]}
        self._codes |= {day: str(number) for number, day in enumerate(DAYS, 1)}
        self._codes |= MEALS | TRANSPORTS
        self._rules = []
        for pattern, slots, value in [*further, *RULES]:
            for kind, known in names.items():
                longest_first = sorted(map(re.escape, known), key=len, reverse=True)
                pattern = pattern.replace(f"<{kind}>", f"({'|'.join(longest_first)})")
            pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
            self._rules.append((re.compile(pattern), slots.split(), value))

    def read(self, question: str, before: Mapping[str, str]) -> tuple[Slots, float]:
        """Fill the slots of one question.

        Parameters
        ----------
        question : str
            Its words; nothing else is looked at.
        before : mapping
            The slots of the question before it in the dialogue.

        Returns
        -------
        slots : dict
        confidence : float
            From 0 to 1.
        """
        text = question.lower()
        slots: Slots = {}
        matched: set[int] = set()
        for pattern, names, value in self._rules:
            for found in pattern.finditer(text):
                matched.update(range(*found.span()))
                said = self._said(found, value, len(names))
                slots = dict(zip(names, said, strict=True)) | slots
        small = SMALL_WORDS.split()
        words = [w for w in re.finditer(r"[\w'-]+", text) if w[0] not in small]
        known = sum(word.start() in matched for word in words)
        if "leans" in slots:
            slots = {k: v for k, v in before.items() if k != "asks"} | slots
        return slots, round(known / len(words), 4) if words else 0.0

    def _said(self, found: re.Match[str], value: str, n_slots: int) -> list[str]:
        """Return the values of a rule's slots for one match."""
        said = [self._codes.get(group) or number(group) for group in found.groups()]
        if not value:
            return said
        value = value.format(*said, clock="{clock}", trip="{trip}")
        return value.split() if n_slots > 1 else [value]


def number(said: str) -> str:
    """Return an hour as hhmm, any other number as it is."""
    return said if re.fullmatch(r"\d{3}", said) else clock(said)


def conditions(slots: Mapping[str, str], table: str) -> list[str]:
    """Return the slots as SQL conditions on a table."""
    found = [slots[name] for name in TABLES[table][1] if name in slots]
    if table in ("ground_transport", "airport_service"):
        if "at_airport" in slots:
            return [*found, f"airport_code = '{slots['at_airport']}'"]
        city = slots.get("at") or slots.get("to") or slots.get("from")
        return [*found, f"city_code = '{city}'"] if city else found
    for end in ("from", "to"):
        if f"{end}_airport" in slots:
            found.append(f"{end}_airport = '{slots[f'{end}_airport']}'")
        elif end in slots:
            served = "SELECT airport_code FROM airport_service WHERE city_code"
            found.append(f"{end}_airport IN ({served} = '{slots[end]}')")
    exact = {"airline": "airline_code = '{}'"}
    if table == "fare":
        codes = "SELECT class_code FROM fare_class WHERE class_name"
        exact["class"] = f"class_code IN ({codes} = '{{}}')"
    else:
        exact["number"] = "flight_number = {}"
    return found + [sql.format(slots[k]) for k, sql in exact.items() if k in slots]


def measure(slots: Mapping[str, str], table: str) -> str | None:
    """Return the column that makes a row of a table the earliest, longest, cheapest."""
    by_table = {
        "fare": "{trip}",
        "ground_transport": "price",
        "flight": "{clock}",
    }
    return slots.get("by") or by_table.get(table)


def write_sql(slots: Mapping[str, str], *, wide: bool = False) -> str:
    """Write the SELECT that the slots stand for.

    Parameters
    ----------
    slots : mapping
        As read; without a target, flights are asked for.
    wide : bool
        Whether to show all columns of the table as well.

    Returns
    -------
    str
        SQL for the air-travel database.
    """
    default = "transport" if "transport" in slots else "flight"
    table, column = COLUMNS[slots.get("target", default)]
    source, where = TABLES[table][0], conditions(slots, table)
    counting = column.startswith("COUNT")
    by = None if counting or "best" not in slots else measure(slots, table)
    if by:
        among = f" WHERE {' AND '.join(where)}" if where else ""
        where.append(f"{by} = (SELECT {slots['best']}({by}) FROM {source}{among})")
    if wide and not counting:
        column = f"{table}.*" if source == table else f"{column}, flight.*"
    sql = f"SELECT DISTINCT {column} FROM {source}"
    if where:
        sql += f" WHERE {' AND '.join(where)}"
    if slots.get("asks") == "yes or no" and not wide:
        sql = f"SELECT CASE WHEN EXISTS ({sql}) THEN 'YES' ELSE 'NO' END"
    clock_read = "arrival_time" if "arriving" in slots else "departure_time"
    sql = sql.replace("{clock}", clock_read)
    return sql.replace("{trip}", slots.get("trip", "one_way"))
