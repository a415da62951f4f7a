"""Change read out tells everything of how the table stands."""

from collections.abc import Iterator, Sequence

from bot.games.change.board import SpaceKind
from bot.games.change.corners import able_others, corner_here
from bot.games.change.pieces import MARKERS, Public, Stage, View
from bot.games.change.series import fewest_first
from bot.tables.registry import load_games
from bot.words import listed
from tests.support.fact_coverage import Fact, check_read, fact


def facts(view: View, names: Sequence[str]) -> Iterator[Fact]:
    public = view.public
    yield from spaces(public)
    for seat, name in enumerate(names):
        yield from seated(public, seat, name)
    if public.mover is None:
        best = [name for name, place in zip(names, fewest_first(public.credits), strict=True) if place == 1]
        yield fact("winners", "game is over", "win", *best)
        return
    yield fact("mover", names[public.mover], TURNS.get(public.stage, "is to choose"))
    if public.mover != public.turn:
        yield fact("turn", f"turn of {names[public.turn]}")
    if public.stage is Stage.CORNER:
        yield fact("corner", names[public.turn], corner_here(public).name)
        yield fact("who can do it", *(names[seat] for seat in able_others(public)), "can do it")
    if public.missing:
        yield fact("missing points", names[public.turn], f"{public.missing} point")
    if public.may_challenge:
        yield fact("challenge", f"challenge of {public.board.spaces[public.squares[public.turn]].name}")
    if public.stage is Stage.FREE and public.may_travel and public.markers_left(public.turn):
        yield fact("option move", names[public.turn], "option move")


TURNS = {Stage.ROLL: "is to roll", Stage.FREE: "turn of", Stage.CORNER: "has come to"}


def spaces(public: Public) -> Iterator[Fact]:
    """Yield every space with what is printed on it."""
    for number, space in enumerate(public.board.spaces):
        printed = {SpaceKind.CHALLENGE: f"worth {space.credits}, set {space.set}"}
        yield fact("board", f"{number} {space.name}: {printed.get(space.kind, '')}")


def seated(public: Public, seat: int, name: str) -> Iterator[Fact]:
    """Yield the credits of a seat, where its Ragz stands, its cards, its markers and its whole sets."""
    board, square, own = public.board, public.squares[seat], public.markers[seat]
    yield fact("credits", f"{name} has {public.credits[seat]} Self Credit")
    yield fact("cards held", f"{name} has", f"and {public.held[seat]} message card")
    yield fact("squares", f"{name} has", f"on space {square}, {board.spaces[square].name}")
    placed = [board.spaces[space].name for space in board.challenges if own >> space & 1]
    count = f"{len(placed)} of their {MARKERS} markers" if placed else "None of their"
    yield fact("markers", f"{name} has", count, *placed)
    if whole := sorted(letter for letter in sets_of(public) if sets_of(public)[letter] <= set(placed)):
        named = f"the sets {listed(whole)}" if len(whole) > 1 else f"set {whole[0]}"
        yield fact("whole sets", f"{name} has", f"release double in {named}.")


def sets_of(public: Public) -> dict[str, set[str]]:
    """Return the names of the spaces of each set."""
    found: dict[str, set[str]] = {}
    for space in public.board.spaces:
        if space.set is not None:
            found.setdefault(space.set, set()).add(space.name)
    return found


def test_everything_of_the_table_is_read_out() -> None:
    """CH-1 to CH-12, CH-C0 and CH-S1 to CH-S6."""
    table = ("board", "mover", "turn", "winners", "corner", "who can do it", "missing points", "challenge")
    seats = ("option move", "credits", "cards held", "squares", "markers", "whole sets")
    check_read(load_games()["change"], facts, frozenset({*table, *seats}))
