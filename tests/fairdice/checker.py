"""A second checker of records, written from `docs/fair-dice.md` alone: it shares no code with the bot.

It knows the dice of Magpie, but no rules of scoring: everything up to the faces on the table.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

WORDS = 2**64


def sha256_hex(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def derive_salt(contributions: list[str]) -> str:
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


def draw_numbers(record: dict[str, Any], step: int, bounds: list[int]) -> list[list[int]]:
    source = words(record["seed"], record["salt"], step)
    return [[bound, number_below(bound, source)] for bound in bounds]


def find_flaws(record: dict[str, Any]) -> list[str]:
    """Everything that is wrong with a record, as far as it can be seen without the rules of its game."""
    found = []
    if (record["format"], record["version"]) != ("parlour-record", 1):
        return ["another kind of file"]
    if sha256_hex(bytes.fromhex(record["seed"])) != record["commitment"]:
        found.append("commitment")
    if record["salt"] is None:
        played = record["setup"] is not None or record["moves"] or record["outcome"] is not None
        played = played or record["ending"] not in ("cancelled", "expired")
        return [*found, "not started"] if played else found
    if derive_salt([seat["contribution"] for seat in record["seats"]]) != record["salt"]:
        found.append("salt")
    if claims_challenge(record) and not is_played_as_a_challenge(record):
        found.append("challenge")
    if [move["step"] for move in record["moves"]] != list(range(1, len(record["moves"]) + 1)):
        found.append("steps")
    for step, listed in enumerate([record["setup"], *(move["numbers"] for move in record["moves"])]):
        if listed is not None and listed != draw_numbers(record, step, [pair[0] for pair in listed]):
            found.append(f"numbers of step {step}")
    return found + find_seat_flaws(record)


CHALLENGES = {"daily": "magpie", "weekly": "magic_bag"}


def claims_challenge(record: dict[str, Any]) -> bool:
    """Whether a seat contributed the name of a challenge."""
    return any(seat["contribution"].startswith(("daily:", "weekly:")) for seat in record["seats"])


def is_played_as_a_challenge(record: dict[str, Any]) -> bool:
    """Whether one person played the game of a day or week without options and hints."""
    if len(record["seats"]) != 1 or record["options"] != {}:
        return False
    (seat,) = record["seats"]
    name, _, day = seat["contribution"].partition(":")
    if record["game"] != CHALLENGES[name] or not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", day):
        return False
    try:
        begins = date.fromisoformat(day)
    except ValueError:
        return False
    begins_a_week = name == "daily" or begins.isoweekday() == 1
    return begins_a_week and seat["level"] is None and not seat["hints"]


def find_seat_flaws(record: dict[str, Any]) -> list[str]:
    """The faults of the entries about seats, and of the ranking as far as they decide it."""
    seats = SeatTracker(record["seats"])
    found = []
    for at, move in enumerate(record["moves"]):
        if seats.is_over or seats.is_closed or not seats.is_allowed(record["moves"], at):
            found.append(f"entry of step {at + 1}")
        seats.apply(move)
    return found if matches_ranking(record, seats) else [*found, "ranking"]


class SeatTracker:
    """Who sits in their seats themselves, as far as a record has been read."""

    def __init__(self, seats: list[dict[str, Any]]) -> None:
        self.people = {at for at, seat in enumerate(seats) if seat["level"] is None}
        self.everybody = set(range(len(seats)))
        self.is_challenge = claims_challenge({"seats": seats})
        self.resigned: set[int] = set()
        self.removed: set[int] = set()
        self.replaced: set[int] = set()
        self.acted: set[int] = set()
        self.closers: set[int] = set()
        self.undoable: list[tuple[int, str | None]] = []
        """The seats of the moves that can be taken back, and the positions before them, newest last."""
        self.digest: str | None = None

    @property
    def remaining(self) -> set[int]:
        return self.everybody - self.resigned

    @property
    def is_over(self) -> bool:
        return bool(self.resigned) and (len(self.remaining) == 1 or not self.staying)

    @property
    def staying(self) -> set[int]:
        return self.people - self.resigned - self.removed

    @property
    def is_closed(self) -> bool:
        return len(self.staying) > 1 and self.staying <= self.closers

    def is_allowed(self, moves: list[dict[str, Any]], at: int) -> bool:
        """Whether a step is allowed at this point; moves of the game always are."""
        seat, (verb, *of) = moves[at]["seat"], moves[at]["text"].split(" ")
        before: dict[str, Any] = moves[at - 1] if at else {"seat": None, "text": "", "digest": None}
        if not verb.startswith("!"):
            return True
        if moves[at]["numbers"] or seat not in self.staying:
            return False
        if verb == "!undo":
            own, position = self.undoable[-1] if self.undoable else (None, None)
            leads_back = position in (None, moves[at]["digest"])
            return of == [] and own == seat and leads_back and not self.is_challenge
        if before["digest"] not in (None, moves[at]["digest"]):
            return False
        if verb in ("!ask", "!substitute"):
            free = {str(other) for other in self.people - self.resigned - self.replaced - {seat}}
            again = verb == "!ask" and before["text"].startswith("!ask ")
            return len(of) == 1 and of[0] in free and seat not in self.replaced and not again
        back, close = verb == "!back" and seat in self.replaced, verb == "!close" and self.may_close(seat)
        removal = verb == "!remove" and len(self.staying) > 1
        return of == [] and (verb == "!resign" or back or close or removal)

    def may_close(self, seat: int) -> bool:
        alone = len(self.staying) < 2
        return self.acted == self.everybody and not alone and seat not in self.closers

    def apply(self, move: dict[str, Any]) -> None:
        by_person = move["seat"] in self.people - self.resigned - self.replaced
        if not move["text"].startswith("!"):
            self.acted.add(move["seat"])
            if by_person:
                self.closers.clear()
        self.note_undoable(move, by_person=by_person)
        if move["text"] == "!close":
            self.closers.add(move["seat"])
        if move["text"] == "!resign":
            self.resigned.add(move["seat"])
        if move["text"] in ("!resign", "!back"):
            self.replaced.discard(move["seat"])
        if move["text"] == "!remove":
            self.removed.add(move["seat"])
            self.replaced.add(move["seat"])
        if move["text"].startswith("!substitute "):
            self.replaced.add(int(move["text"].split(" ")[1]))

    def note_undoable(self, move: dict[str, Any], *, by_person: bool) -> None:
        """Note what can be taken back after an entry; only the rules know which moves are of the same turn."""
        if move["text"] == "!undo":
            self.undoable = self.undoable[:-1]
        elif move["text"].startswith("!") or move["numbers"] or not by_person:
            self.undoable = []
        else:
            earlier = [each for each in self.undoable if each[0] == move["seat"]]
            self.undoable = [*earlier, (move["seat"], self.digest)]
        self.digest = move["digest"]


def matches_ranking(record: dict[str, Any], seats: SeatTracker) -> bool:
    """Whether a table ended and ranked as its seats were left."""
    outcome = record["outcome"]
    if (record["ending"] == "finished") != (outcome is not None) or record["ending"] == "expired":
        return False
    if outcome is None:
        return not seats.is_over and (record["ending"] == "cancelled" or not seats.is_closed)
    if seats.is_closed:
        return False
    places, scores = outcome["places"], outcome["scores"]
    if len(places) != len(seats.everybody) or len(scores) != len(places) or not seats.resigned <= seats.everybody:
        return False
    last = 1 + len(seats.remaining)
    stayed = [places[at] for at in sorted(seats.remaining)]
    ordered = all(place == 1 + sum(other < place for other in stayed) for place in stayed)
    given_up = set(stayed) == {1} and not any(scores) and outcome["reason"] == "resigned"
    decided = given_up if seats.is_over else outcome["reason"] != "resigned"
    return ordered and decided and all(places[at] == last for at in seats.resigned)


def replay_magpie_faces(record: dict[str, Any]) -> list[str]:
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
