"""A second checker of records, written from `docs/fair-dice.md` alone: it shares no code with the bot.

It knows the dice of Magpie, but no rules of scoring: everything up to the faces on the table.
"""

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any

WORDS = 2**64


def sha256_hex(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def salt_from(contributions: list[str]) -> str:
    lines = b""
    for contribution in contributions:
        lines += contribution.encode("ascii") + b"\x0a"
    return sha256_hex(lines)


def words(seed_hex: str, salt: str, step: int) -> Iterator[int]:
    """The endless words of a step."""
    count = 0
    while True:
        message = salt + "|" + str(step) + "|" + str(count)
        mac = hmac.new(bytes.fromhex(seed_hex), message.encode("ascii"), hashlib.sha256).hexdigest()
        yield int(mac[:16], 16)
        count += 1


def number_below(bound: int, source: Iterator[int]) -> int:
    whole = WORDS // bound
    for word in source:
        if word < whole * bound:
            return word % bound
    raise AssertionError("the words never end")


def numbers_of(record: dict[str, Any], step: int, bounds: list[int]) -> list[list[int]]:
    source = words(record["seed"], record["salt"], step)
    return [[bound, number_below(bound, source)] for bound in bounds]


def flaws(record: dict[str, Any]) -> list[str]:
    """Everything that is wrong with a record, as far as it can be seen without the rules of its game."""
    found = []
    if (record["format"], record["version"]) != ("parlour-record", 1):
        return ["another kind of file"]
    if sha256_hex(bytes.fromhex(record["seed"])) != record["commitment"]:
        found.append("commitment")
    if record["salt"] is None:
        played = record["setup"] is not None or record["moves"] or record["outcome"] is not None
        return [*found, "not started"] if played else found
    if salt_from([seat["contribution"] for seat in record["seats"]]) != record["salt"]:
        found.append("salt")
    if [move["step"] for move in record["moves"]] != list(range(1, len(record["moves"]) + 1)):
        found.append("steps")
    for step, listed in enumerate([record["setup"], *(move["numbers"] for move in record["moves"])]):
        if listed is not None and listed != numbers_of(record, step, [pair[0] for pair in listed]):
            found.append(f"numbers of step {step}")
    return found


def magpie_faces(record: dict[str, Any]) -> list[str]:
    """The five dice on a table of Magpie after the set-up and after each move."""
    setup = [number + 1 for _, number in record["setup"]]
    contenders = len(record["seats"])
    while contenders > 1:
        totals = [sum(setup[at * 5 : at * 5 + 5]) for at in range(contenders)]
        setup = setup[contenders * 5 :]
        contenders = totals.count(max(totals))
    assert len(setup) == 5
    table = setup
    shown = ["".join(map(str, table))]
    for move in record["moves"]:
        verb, *places = move["text"].split(" ")
        rolled = [number + 1 for _, number in move["numbers"]]
        if verb.startswith("!"):
            assert rolled == []
        else:
            table = list(table)
            for place in places:
                table[int(place) - 1] = rolled.pop(0)
            if rolled:
                assert len(rolled) == 5
                table = rolled
        shown.append("".join(map(str, table)))
    return shown
