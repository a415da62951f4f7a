"""The reading of Change mentions every fact of the table."""

from collections.abc import Iterator, Sequence

from bot.games.change.board import SpaceKind
from bot.games.change.pieces import MARKERS_PER_SEAT, PublicState, Stage, View
from bot.games.change.rules import rank_by_fewest_credits
from bot.games.change.turns import current_corner, eligible_others
from bot.tools.contract.fact_coverage import Fact, check_reading_coverage, make_fact
from bot.words import join_items
from tests.support.games import load_games_once


def facts(view: View, names: Sequence[str]) -> Iterator[Fact]:
    public = view.public
    yield from space_facts(public)
    for seat, name in enumerate(names):
        yield from seat_facts(public, seat, name)
    if public.mover is None:
        best = [name for name, place in zip(names, rank_by_fewest_credits(public.credits), strict=True) if place == 1]
        yield make_fact("winners", "game is over", "win", *best)
        return
    yield make_fact("mover", names[public.mover], TURNS.get(public.stage, "chooses"))
    if public.mover != public.turn:
        yield make_fact("turn", f"{names[public.turn]}'s turn, at a corner")
    if public.stage is Stage.CORNER:
        yield make_fact("corner", names[public.turn], current_corner(public).name)
        yield make_fact("who can do it", *(names[seat] for seat in eligible_others(public)), "can take it")
    if public.missing:
        yield make_fact("missing points", names[public.turn], f"{public.missing} point")
    if public.may_challenge:
        yield make_fact("challenge", f"challenge of {public.board.spaces[public.ragz_spaces[public.turn]].name}")
    if public.stage is Stage.FREE and public.may_travel and public.markers_left(public.turn):
        yield make_fact("option move", names[public.turn], "option move")


TURNS = {Stage.ROLL: "turn to roll", Stage.FREE: "'s turn, on", Stage.CORNER: "is at"}


def space_facts(public: PublicState) -> Iterator[Fact]:
    """Yield every space with what is printed on it."""
    for number, space in enumerate(public.board.spaces):
        printed = {SpaceKind.CHALLENGE: f"worth {space.credits}, set {space.set}"}
        yield make_fact("board", f"{number} {space.name}: {printed.get(space.kind, '')}")


def seat_facts(public: PublicState, seat: int, name: str) -> Iterator[Fact]:
    """Yield the credits of a seat, where its Ragz stands, its cards, its markers and its whole sets."""
    board, square, own = public.board, public.ragz_spaces[seat], public.markers[seat]
    yield make_fact("credits", f"{name} has {public.credits[seat]} Self Credit")
    yield make_fact("cards held", f"{name} has", f"and {public.hand_sizes[seat]} message card")
    yield make_fact("squares", f"{name} has", f"on space {square}, {board.spaces[square].name}")
    placed = [board.spaces[space].name for space in board.challenge_spaces if own >> space & 1]
    count = f"{len(placed)} of their {MARKERS_PER_SEAT} markers" if placed else "None of their"
    yield make_fact("markers", f"{name} has", count, *placed)
    if whole := sorted(letter for letter in sets_of(public) if sets_of(public)[letter] <= set(placed)):
        named = f"the sets {join_items(whole)}" if len(whole) > 1 else f"set {whole[0]}"
        yield make_fact("whole sets", f"{name} has", f"release double in {named}.")


def sets_of(public: PublicState) -> dict[str, set[str]]:
    """Return the names of the spaces of each set."""
    found: dict[str, set[str]] = {}
    for space in public.board.spaces:
        if space.set is not None:
            found.setdefault(space.set, set()).add(space.name)
    return found


def test_the_whole_table_is_read_out() -> None:
    """CH-1 to CH-12, CH-C0 and CH-S1 to CH-S6."""
    table = ("board", "mover", "turn", "winners", "corner", "who can do it", "missing points", "challenge")
    seats = ("option move", "credits", "cards held", "squares", "markers", "whole sets")
    check_reading_coverage(load_games_once()["change"], facts, frozenset({*table, *seats}))
