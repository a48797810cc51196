"""Make the air-travel database: an invented country, its airlines, flights and fares.

Everything in it is made up for this project: cities, airports, airlines, aircraft
types and prices. The same content comes out on every machine.

Run ``python make_database.py`` to write ``air_travel.sqlite``,
``python make_database.py --check`` to compare the stored file with a new one, by
content, not by bytes. Needs nothing but Python.

``--seed 7 --output FILE`` writes another instance: the same cities, airports, airlines
and routes, with other flights, prices and days. SQL that was right for the wrong reason
may be wrong there.
"""

import argparse
import math
import random
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]

DATABASE = Path(__file__).resolve().parent / "air_travel.sqlite"
SEED = 1990

SCHEMA = """
CREATE TABLE city (
    city_code TEXT PRIMARY KEY, city_name TEXT NOT NULL, region TEXT NOT NULL);
CREATE TABLE airport (
    airport_code TEXT PRIMARY KEY, airport_name TEXT NOT NULL,
    minimum_connection INTEGER);
CREATE TABLE airport_service (
    airport_code TEXT NOT NULL REFERENCES airport,
    city_code TEXT NOT NULL REFERENCES city,
    miles REAL NOT NULL, PRIMARY KEY (airport_code, city_code));
CREATE TABLE airline (airline_code TEXT PRIMARY KEY, airline_name TEXT NOT NULL);
CREATE TABLE aircraft (
    aircraft_code TEXT PRIMARY KEY, aircraft_name TEXT NOT NULL,
    propulsion TEXT NOT NULL, engines INTEGER NOT NULL, seats INTEGER);
CREATE TABLE meal (meal_code TEXT PRIMARY KEY, meal_name TEXT NOT NULL);
CREATE TABLE fare_class (class_code TEXT PRIMARY KEY, class_name TEXT NOT NULL);
CREATE TABLE restriction (
    restriction_code TEXT PRIMARY KEY, days_in_advance INTEGER,
    saturday_stay TEXT NOT NULL);
CREATE TABLE flight (
    flight_id INTEGER PRIMARY KEY,
    airline_code TEXT NOT NULL REFERENCES airline, flight_number INTEGER NOT NULL,
    from_airport TEXT NOT NULL REFERENCES airport,
    to_airport TEXT NOT NULL REFERENCES airport,
    departure_time INTEGER NOT NULL, arrival_time INTEGER NOT NULL,
    duration_minutes INTEGER NOT NULL, days TEXT NOT NULL, stops INTEGER NOT NULL,
    aircraft_code TEXT NOT NULL REFERENCES aircraft,
    meal_code TEXT REFERENCES meal);
CREATE TABLE fare (
    fare_id INTEGER PRIMARY KEY,
    airline_code TEXT NOT NULL REFERENCES airline,
    from_airport TEXT NOT NULL REFERENCES airport,
    to_airport TEXT NOT NULL REFERENCES airport,
    class_code TEXT NOT NULL REFERENCES fare_class,
    one_way REAL, round_trip REAL,
    restriction_code TEXT REFERENCES restriction);
CREATE TABLE flight_fare (
    flight_id INTEGER NOT NULL REFERENCES flight,
    fare_id INTEGER NOT NULL REFERENCES fare, PRIMARY KEY (flight_id, fare_id));
CREATE TABLE ground_transport (
    airport_code TEXT NOT NULL REFERENCES airport,
    city_code TEXT NOT NULL REFERENCES city,
    transport_type TEXT NOT NULL, price REAL, minutes INTEGER,
    PRIMARY KEY (airport_code, city_code, transport_type));
"""

# Code, name, region, and the place on the map in miles. Hollin has no airport.
CITIES = [
    ("ALDM", "Aldermoor", "WEST", 0, 0),
    ("BRAK", "Brackwater", "WEST", 180, 40),
    ("CORV", "Corvale", "SOUTH", 320, -60),
    ("DUNM", "Dunmarch", "NORTH", 90, 210),
    ("EAST", "Eastmere", "MIDLAND", 520, 80),
    ("FALL", "Fallowby", "MIDLAND", 540, 95),
    ("GREY", "Greyhaven", "NORTH", 400, 300),
    ("HOLL", "Hollin", "WEST", 60, -90),
    ("IVER", "Ivermont", "SOUTH", 650, -120),
    ("JUNI", "Juniper Bay", "EAST", 760, 240),
    ("KEST", "Kestrel Point", "SOUTH", 250, -220),
    ("LORN", "Port Lorne", "EAST", 910, 40),
]
# Code, name, minutes needed to change planes (unknown for some).
AIRPORTS = [
    ("ALM", "Aldermoor Heath", 30),
    ("BWK", "Brackwater Lock", 25),
    ("CRV", "Corvale Vineyard Field", None),
    ("DNM", "Dunmarch Castle", 25),
    ("EFM", "Eastmere and Fallowby Meadows", 40),
    ("GHH", "Greyhaven Harbour", 20),
    ("GHN", "Greyhaven North", 45),
    ("IVM", "Ivermont Plateau", 30),
    ("JUB", "Juniper Bay Sands", None),
    ("KPT", "Kestrel Point Cliffs", 25),
    ("PLN", "Port Lorne Island", 35),
]
# Greyhaven has two airports, Eastmere and Fallowby share one.
SERVICES = [
    ("ALM", "ALDM", 7.5),
    ("BWK", "BRAK", 4.0),
    ("CRV", "CORV", 11.2),
    ("DNM", "DUNM", 3.0),
    ("EFM", "EAST", 9.0),
    ("EFM", "FALL", 14.5),
    ("GHH", "GREY", 1.5),
    ("GHN", "GREY", 18.0),
    ("IVM", "IVER", 6.0),
    ("JUB", "JUNI", 4.0),
    ("KPT", "KEST", 8.4),
    ("PLN", "LORN", 12.0),
]
# Gannet Charter has no scheduled flights.
AIRLINES = [
    ("BF", "Bluefin Airways"),
    ("CX", "Corvale Express"),
    ("GC", "Gannet Charter"),
    ("MS", "Meridian Shuttle"),
    ("NL", "Northlight Air"),
    ("TN", "Tern Air"),
]
# Codes of digits are texts: '080' is not 80. The seats of one type are unknown.
AIRCRAFT = [
    ("080", "Plover 80", "TURBOPROP", 2, 34),
    ("110", "Plover 110", "TURBOPROP", 2, 50),
    ("220", "Kite 220", "JET", 2, 112),
    ("340", "Kite 340", "JET", 4, 210),
    ("C7", "Curlew 7", "TURBOPROP", 1, None),
    ("M5", "Merlin 5", "JET", 3, 112),
]
MEALS = [("B", "BREAKFAST"), ("D", "DINNER"), ("L", "LUNCH"), ("S", "SNACK")]
CLASSES = [("F", "FIRST"), ("J", "BUSINESS"), ("Q", "ECONOMY"), ("Y", "ECONOMY")]
RESTRICTIONS = [("R07", 7, "NO"), ("R14", 14, "YES"), ("R21", 21, "YES")]
TRANSPORTS = [("BUS", 0.35, 3.0), ("LIMOUSINE", 3.2, 1.6), ("RAIL", 0.6, 1.9)]
TRANSPORTS += [("RENTAL CAR", None, None), ("TAXI", 1.9, 1.7)]

# Airline, its aircraft, and its routes, each flown both ways.
NETWORK = [
    ("BF", ("220", "340"), "ALM-GHN ALM-EFM ALM-PLN GHN-PLN EFM-JUB GHN-IVM"),
    ("CX", ("080", "C7"), "CRV-KPT CRV-ALM CRV-EFM CRV-BWK"),
    ("MS", ("M5",), "ALM-GHH BWK-GHH GHH-EFM"),
    ("NL", ("220", "M5"), "DNM-GHN ALM-GHN GHN-JUB DNM-ALM EFM-PLN ALM-EFM"),
    ("TN", ("110", "220"), "BWK-EFM KPT-IVM EFM-IVM ALM-CRV BWK-PLN"),
]
DAYS = ("1234567", "1234567", "1234567", "12345", "12345", "67", "135", "246")
SPEEDS = {"JET": 7.2, "TURBOPROP": 4.6}


class Dice:
    """Repeatable choices; ``random()`` is the same in every version of Python."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, end: int) -> int:
        """Return a whole number from 0 to below ``end``."""
        return int(self._random() * end)

    def one_of(self, choices: Sequence[Any]) -> Any:
        """Return one of the choices."""
        return choices[self.below(len(choices))]

    def happens(self, share: float) -> bool:
        """Return True in this share of all calls."""
        return self._random() < share


def distance(start: str, end: str) -> float:
    """Return the miles between two airports, by the first city that each serves."""
    places = {code: (x, y) for code, _, _, x, y in CITIES}
    cities = {airport: city for airport, city, _ in reversed(SERVICES)}
    return math.dist(places[cities[start]], places[cities[end]])


def routes() -> Iterator[tuple[str, tuple[str, ...], str, str]]:
    """Yield airline, its aircraft, origin and destination of each direction."""
    for airline, fleet, listed in NETWORK:
        for pair in listed.split():
            start, end = pair.split("-")
            yield airline, fleet, start, end
            yield airline, fleet, end, start


def clock(minutes: int) -> int:
    """Return minutes after midnight as hhmm, on any day.

    Examples
    --------
    >>> clock(615), clock(24 * 60 + 5)
    (1015, 5)
    """
    hours, rest = divmod(minutes % (24 * 60), 60)
    return hours * 100 + rest


def meal_for(departure: int, minutes: int, dice: Dice) -> str | None:
    """Choose a meal by hour and length; None is no meal."""
    if minutes < 55 or dice.happens(0.2):
        return None
    if minutes < 75:
        return "S"
    for first, last, meal in ((300, 570, "B"), (660, 840, "L"), (1020, 1200, "D")):
        if first <= departure <= last:
            return meal
    return "S"


def make_flights(dice: Dice) -> list[Row]:
    """Make two to six flights for each direction of each route."""
    propulsion = {code: kind for code, _, kind, _, _ in AIRCRAFT}
    rows: list[Row] = []
    for airline, fleet, start, end in routes():
        miles = distance(start, end)
        for _ in range(2 + dice.below(5)):
            aircraft = dice.one_of(fleet)
            stops = int(miles > 250 and dice.happens(0.3))
            minutes = 20 + round(miles / SPEEDS[propulsion[aircraft]]) + 35 * stops
            departure = 330 + 5 * dice.below(217)
            # Few numbers for many flights: some numbers come twice.
            number = 100 + dice.below(140)
            times = clock(departure), clock(departure + minutes), minutes
            days, meal = dice.one_of(DAYS), meal_for(departure, minutes, dice)
            rest = (*times, days, stops, aircraft, meal)
            key = 1001 + 3 * len(rows)
            rows.append((key, airline, number, start, end, *rest))
    return rows


def prices(base: float, airline: str, group: str, dice: Dice) -> Row:
    """Choose one-way price, round-trip price and restriction of a fare.

    The cheapest fares are sold as round trips only; Tern Air does not publish the
    prices of its other round trips.
    """
    factor = {"F": 2.4, "J": 1.7, "Y": 1.0, "Q": 0.6}[group]
    one_way = round(base * factor * 2) / 2
    restriction = dice.one_of(("R07", "R14", "R21")) if group == "Q" else None
    if group == "Q" and dice.happens(0.4):
        return None, round(one_way * 3.4) / 2, restriction
    if airline == "TN" and group != "Q":
        return one_way, None, restriction
    return one_way, round(one_way * 3.7) / 2, restriction


def make_fares(dice: Dice) -> list[Row]:
    """Make the fares of each direction of each route; equal prices do happen."""
    rows: list[Row] = []
    for airline, _, start, end in routes():
        base = 30 + 5 * round(distance(start, end) * 0.045)
        for group in "FJYQ":
            wanted = {"F": 0.4, "J": 0.6, "Y": 1.0, "Q": 0.75}[group]
            if dice.happens(wanted):
                cost, back, limit = prices(base, airline, group, dice)
                key = 5001 + 2 * len(rows)
                rows.append((key, airline, start, end, group, cost, back, limit))
    return rows


def make_flight_fares(
    flights: Sequence[Row], fares: Sequence[Row], dice: Dice
) -> list[Row]:
    """Say which fares each flight sells; for a few flights no fare is known."""
    rows: list[Row] = []
    for flight_id, airline, _, start, end, *_ in flights:
        if dice.happens(0.06):
            continue
        for fare_id, seller, begin, finish, group, *_ in fares:
            same = (seller, begin, finish) == (airline, start, end)
            if same and (group == "Y" or dice.happens(0.7)):
                rows.append((flight_id, fare_id))
    return rows


def make_ground_transport(dice: Dice) -> list[Row]:
    """Make the ways from each airport into its cities; some prices are unknown."""
    rows: list[Row] = []
    for airport, city, miles in SERVICES:
        for kind, rate, pace in TRANSPORTS:
            if not dice.happens(0.75):
                continue
            known = rate is not None and not dice.happens(0.15)
            price = round(2 + miles * rate, 2) if known else None
            minutes = None if pace is None else 8 + round(miles * pace)
            rows.append((airport, city, kind, price, minutes))
    return rows


def tables(seed: int) -> dict[str, list[Row]]:
    """Return all rows by the name of their table."""
    dice = Dice(seed)
    flights, fares = make_flights(dice), make_fares(dice)
    return {
        "city": [each[:3] for each in CITIES],
        "airport": list(AIRPORTS),
        "airport_service": list(SERVICES),
        "airline": list(AIRLINES),
        "aircraft": list(AIRCRAFT),
        "meal": list(MEALS),
        "fare_class": list(CLASSES),
        "restriction": list(RESTRICTIONS),
        "flight": flights,
        "fare": fares,
        "flight_fare": make_flight_fares(flights, fares, dice),
        "ground_transport": make_ground_transport(dice),
    }


def fill(connection: sqlite3.Connection, seed: int) -> None:
    """Create all tables in an empty database and fill them."""
    connection.executescript(SCHEMA)
    for name, rows in tables(seed).items():
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
    connection.commit()


def write(path: Path, seed: int) -> None:
    """Write a database, in place of any file of that name."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        fill(connection, seed)
        connection.execute("VACUUM")


def difference(path: Path, seed: int) -> str:
    """Say where a stored database differs from a new one; nothing if nowhere."""
    with closing(sqlite3.connect(":memory:")) as made:
        fill(made, seed)
        wanted = list(made.iterdump())
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as stored:
        found = list(stored.iterdump())
    for old, new in zip_longest(found, wanted, fillvalue="nothing"):
        if old != new:
            return f"stored {old}\nmade   {new}"
    return ""


def main(argv: Sequence[str] | None = None) -> int:
    """Write the database, or check the stored one.

    Returns
    -------
    int
        The exit code: 1 if ``--check`` found a difference, else 0.
    """
    parser = argparse.ArgumentParser(description="The air-travel database.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--seed", type=int, default=SEED, help="for another instance")
    parser.add_argument("--output", type=Path, default=DATABASE, help="its file")
    options = parser.parse_args(argv)
    path = options.output.resolve()
    if not options.check:
        write(path, options.seed)
        print(f"wrote {path.name}")
        return 0
    fault = difference(path, options.seed)
    print(fault or f"{path.name} as made")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
