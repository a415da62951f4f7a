"""Change's screen in words mentions every fact that its picture shows."""

from collections.abc import Iterator, Sequence

from bot.games.change.facts import changes_of, latest_space_roll, latest_turn
from bot.games.change.pieces import (
    CardPlayed,
    Challenged,
    GameEvent,
    PublicState,
    Received,
    Released,
    Stage,
    TrackRolled,
    View,
)
from bot.games.change.rules import rank_by_fewest_credits
from bot.games.change.words import DIE_FACES, card_name
from bot.rules.game import Seat
from bot.tools.contract.fact_coverage import Fact, check_screen_coverage, make_fact
from bot.words import seat_emoji
from tests.support.games import load_games_once


def pips(dice: Sequence[int]) -> str:
    return "".join(DIE_FACES[face - 1] for face in dice)


def facts(view: View, events: Sequence[GameEvent], names: Sequence[str]) -> Iterator[Fact]:
    public, turn = view.public, latest_turn(events)
    for seat, name in enumerate(names):
        yield from seat_facts(public, seat, name, changes_of(turn, len(names))[seat])
    yield from marker_facts(public)
    yield from dice_facts(public, turn, names)
    if public.mover is None:
        best = [seat for seat, place in enumerate(rank_by_fewest_credits(public.credits)) if place == 1]
        yield from (make_fact("winners", "🥇", names[seat]) for seat in best)
    else:
        yield make_fact("mover", f"Change · {names[public.mover]}")
    if public.missing:
        yield make_fact("missing points", f"**{public.missing}** short")


def seat_facts(public: PublicState, seat: Seat, name: str, change: int) -> Iterator[Fact]:
    """Yield the credits of a seat, where its Ragz stands, its cards and its markers."""
    who = (seat_emoji(seat), name)
    yield make_fact("credits", *who, f"**{public.credits[seat]}**")
    yield make_fact("squares", *who, f"{public.board.spaces[public.ragz_spaces[seat]].name} · ")
    yield make_fact("cards held", *who, f"🎴 {public.hand_sizes[seat]}")
    yield make_fact("markers on the board", *who, f"☑️ {public.markers[seat].bit_count()}/12")
    if change:
        yield make_fact("changes", *who, f"({change:+})".replace("-", "−"))


def marker_facts(public: PublicState) -> Iterator[Fact]:
    """Yield whose markers lie on which space of which set, and who has a whole set."""
    sets: dict[str, list[int]] = {}
    for space in public.board.challenge_spaces:
        entry = public.board.spaces[space]
        sets.setdefault(entry.set or "", []).append(space)
        there = "".join(seat_emoji(seat) for seat, own in enumerate(public.markers) if own >> space & 1)
        if there:
            yield make_fact("markers by space", f"**{entry.set}**", f"{entry.name} **{entry.credits}** {there}")
    for name, spaces in sets.items():
        for seat, own in enumerate(public.markers):
            if all(own >> space & 1 for space in spaces):
                yield make_fact("whole sets", f"**{name}**", "double for", seat_emoji(seat))


def dice_facts(public: PublicState, turn: Sequence[GameEvent], names: Sequence[str]) -> Iterator[Fact]:
    """Yield the dice that lie there, and the card that was played last."""
    track = [event for event in turn if isinstance(event, TrackRolled)]
    if track:
        yield make_fact("track dice", names[track[-1].seat], f"rolled {pips(track[-1].dice)}")
    elif public.stage is Stage.ROLL and not turn:
        starter = public.roll_off[-1].rolls[0]
        yield make_fact("roll-off", f"{seat_emoji(starter[0])} {pips(starter[1])}")
    match latest_space_roll(turn):
        case Challenged(rolls=rolls, total=total):
            yield make_fact("challenge", " ".join(pips(sorted(dice, reverse=True)) for dice in rolls), f"**{total}**")
        case Released(seat=seat, dice=dice) | Received(seat=seat, dice=dice):
            yield make_fact("rolled credits", pips(dice), names[seat])
        case None:
            pass
    for played in [event for event in turn if isinstance(event, CardPlayed)][-2:]:
        yield make_fact("played cards", names[played.seat], card_name(public.board, played.card))


def test_the_screen_in_words_covers_the_facts_of_the_picture() -> None:
    """CH-2 to CH-11, CH-C0 to CH-C8 and CH-S1 to CH-S6."""
    seats = ("credits", "squares", "cards held", "markers on the board", "changes", "mover", "winners")
    board = ("markers by space", "whole sets", "roll-off", "track dice", "challenge", "rolled credits", "played cards")
    check_screen_coverage(load_games_once()["change"], facts, frozenset({*seats, *board, "missing points"}))
