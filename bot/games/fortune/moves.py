"""The moves of Fortune and their notation."""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bot.games.fortune.pieces import Places
from bot.rules.refusals import unreadable


class Roll(NamedTuple):
    """Roll these dice, with those in the treasure chest. Rules FO-2 and FO-C1."""

    dice: Places
    chest: Places = ()

    def __str__(self) -> str:
        chest = ("chest", *map(str, self.chest)) if self.chest else ()
        return " ".join(("roll", *map(str, self.dice), *chest))


class Revive(NamedTuple):
    """Free a skull with the Sorceress, and roll it with these other dice. Rule FO-C3."""

    skull: int
    dice: Places = ()

    def __str__(self) -> str:
        others = ("with", *map(str, self.dice)) if self.dice else ()
        return " ".join(("sorceress", str(self.skull), *others))


@dataclass(frozen=True, slots=True)
class Stop:
    """End the turn. Rule FO-4."""

    def __str__(self) -> str:
        return "stop"


Move: TypeAlias = Roll | Revive | Stop

STOP = Stop()


def parse_move(text: str) -> Move:
    """Parse `roll 1 3 5`, `roll 2 4 chest 1 6`, `sorceress 3`, `sorceress 3 with 1 5` or `stop`.

    Raise an unreadable refusal for anything else.
    """
    verb, *words = text.split(" ")
    if verb == "roll":
        return Roll(*_parse_place_groups(words, "chest", text))
    if verb == "sorceress":
        skull, others = _parse_place_groups(words, "with", text)
        if len(skull) == 1:
            return Revive(skull[0], others)
    if text == str(STOP):
        return STOP
    raise unreadable(text)


def _parse_place_groups(words: list[str], link: str, text: str) -> tuple[Places, Places]:
    """Parse the places before and after a word; the word needs places after it."""
    at = words.index(link) if link in words else len(words)
    if at == len(words) - 1:
        raise unreadable(text)
    return _parse_places(words[:at], text), _parse_places(words[at + 1 :], text)


def _parse_places(words: list[str], text: str) -> Places:
    """Parse places in any order, without checking that there are such dice."""
    if not all(len(word) == 1 and word.isascii() and word.isdecimal() for word in words):
        raise unreadable(text)
    return tuple(sorted(map(int, words)))
