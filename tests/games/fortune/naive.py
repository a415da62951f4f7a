"""A second scorer, written from the rules page alone: slow, plain, and sharing only the figures with the first."""

from bot.games.fortune.scoring import (
    CAPTAIN_FACTOR,
    FULL_CHEST_POINTS,
    MIN_SET_SIZE,
    SET_POINTS,
    STORM_TREASURE_POINTS,
    SWORD_PENALTY,
    TREASURE_POINTS,
)


def score_naively(card: str, letters: str) -> int:
    """Return what eight dice, written as letters, are worth when a turn ends with them."""
    name, *figures = card.split("-") if card.startswith("sea-battle") else [card]
    if name == "truce" and "S" in letters:
        return -SWORD_PENALTY * letters.count("S")
    bonus = 0
    won_battle = False
    if name == "sea":
        needed, bonus = int(figures[1]), int(figures[2])
        if letters.count("S") < needed:
            return -bonus
        won_battle = True

    objects = letters.replace("K", "")
    if name == "gold":
        objects += "G"
    if name == "diamond":
        objects += "D"
    merged = objects.replace("P", "M") if name == "monkey-business" else objects
    scoring_kinds = "GD" if name == "storm" else "MPSGD"

    points = 0
    for kind in scoring_kinds:
        points += SET_POINTS[merged.count(kind)]
    for treasure in "GD":
        points += objects.count(treasure) * (STORM_TREASURE_POINTS if name == "storm" else TREASURE_POINTS)

    if all(_generates(die, name, merged, scoring_kinds, won_battle) for die in letters):
        points += FULL_CHEST_POINTS
    if name == "captain":
        points *= CAPTAIN_FACTOR
    return points + bonus


def _generates(die: str, card: str, merged: str, scoring_kinds: str, won_battle: bool) -> bool:
    if die == "K":
        return False
    if die in "GD":
        return True
    if die == "S" and won_battle:
        return True
    kind = "M" if card == "monkey-business" and die == "P" else die
    return kind in scoring_kinds and merged.count(kind) >= MIN_SET_SIZE
