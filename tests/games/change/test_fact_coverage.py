"""Change's words beside its picture tell everything that it shows of the game."""

from collections.abc import Iterator, Sequence

from bot.games.change.events import CardPlayed, Challenged, Received, Released, TrackRolled
from bot.games.change.guide import card_name
from bot.games.change.latest import changes_of, newest_turn, roll_on_space
from bot.games.change.news import PIPS
from bot.games.change.pieces import Public, Stage, View
from bot.games.change.series import fewest_first
from bot.rules.game import Event, Seat
from bot.tables.registry import load_games
from bot.words import seat_mark
from tests.support.fact_coverage import Fact, check_told, fact


def pips(dice: Sequence[int]) -> str:
    return "".join(PIPS[face - 1] for face in dice)


def facts(view: View, news: Sequence[Event], names: Sequence[str]) -> Iterator[Fact]:
    public, turn = view.public, newest_turn(news)
    for seat, name in enumerate(names):
        yield from seated(public, seat, name, changes_of(turn, len(names))[seat])
    yield from markers(public)
    yield from rolled(public, turn, names)
    if public.mover is None:
        best = [seat for seat, place in enumerate(fewest_first(public.credits)) if place == 1]
        yield from (fact("winners", "🥇", names[seat]) for seat in best)
    else:
        yield fact("mover", f"Change · {names[public.mover]}")
    if public.missing:
        yield fact("missing points", f"**{public.missing}** short")


def seated(public: Public, seat: Seat, name: str, change: int) -> Iterator[Fact]:
    """Yield the credits of a seat, where its Ragz stands, its cards and its markers."""
    who = (seat_mark(seat), name)
    yield fact("credits", *who, f"**{public.credits[seat]}**")
    yield fact("squares", *who, f" · {public.board.spaces[public.squares[seat]].name} · ")
    yield fact("cards held", *who, f"🎴{public.held[seat]}")
    yield fact("markers on the board", *who, f"🚩{public.markers[seat].bit_count()}")
    if change:
        yield fact("changes", *who, f"({change:+})".replace("-", "−"))


def markers(public: Public) -> Iterator[Fact]:
    """Yield whose markers lie on which space of which set, and who has a whole set."""
    sets: dict[str, list[int]] = {}
    for space in public.board.challenges:
        entry = public.board.spaces[space]
        sets.setdefault(entry.set or "", []).append(space)
        there = "".join(seat_mark(seat) for seat, own in enumerate(public.markers) if own >> space & 1)
        if there:
            yield fact("markers by space", f"**{entry.set}** ", f"{entry.name} {there}")
    for name, spaces in sets.items():
        for seat, own in enumerate(public.markers):
            if all(own >> space & 1 for space in spaces):
                yield fact("whole sets", f"**{name}** ", "×2", seat_mark(seat))


def rolled(public: Public, turn: Sequence[Event], names: Sequence[str]) -> Iterator[Fact]:
    """Yield the dice that lie there, and the card that was played last."""
    track = [event for event in turn if isinstance(event, TrackRolled)]
    if track:
        yield fact("track dice", names[track[-1].seat], f"rolls {pips(track[-1].dice)}")
    elif public.stage is Stage.ROLL and not turn:
        starter = public.roll_off[-1].rolls[0]
        yield fact("roll-off", f"{seat_mark(starter[0])} {pips(starter[1])}")
    match roll_on_space(turn):
        case Challenged(rolls=rolls, total=total):
            yield fact("challenge", " ".join(pips(sorted(dice, reverse=True)) for dice in rolls), f"**{total}**")
        case Released(seat=seat, dice=dice) | Received(seat=seat, dice=dice):
            yield fact("rolled credits", pips(dice), names[seat])
        case None:
            pass
    for played in [event for event in turn if isinstance(event, CardPlayed)][-2:]:
        yield fact("played cards", names[played.seat], card_name(public.board, played.card))


def test_the_words_beside_the_picture_tell_what_it_shows() -> None:
    """CH-2 to CH-11, CH-C0 to CH-C8 and CH-S1 to CH-S6."""
    seats = ("credits", "squares", "cards held", "markers on the board", "changes", "mover", "winners")
    board = ("markers by space", "whole sets", "roll-off", "track dice", "challenge", "rolled credits", "played cards")
    check_told(load_games()["change"], facts, frozenset({*seats, *board, "missing points"}))
