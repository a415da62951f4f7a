"""Fortune's screen in words mentions every fact that its picture shows."""

from collections.abc import Iterator, Sequence

from bot.games.fortune.facts import last_round, latest_roll, odds_of, score_change_of
from bot.games.fortune.pieces import DICE_COUNT, CardKind, Ending, Faces, GameEvent, State, Turn, TurnEnded
from bot.games.fortune.scoring import places_of, points_of, score_of, toll_of
from bot.games.fortune.words import CARD_TEXTS, FACE_TEXTS
from bot.rules.game import find_newest
from bot.tools.contract.fact_coverage import Fact, check_screen_coverage, make_fact
from bot.words import format_odds, seat_emoji
from tests.support.games import load_games_once


def signs(faces: Faces, gap: str = " ") -> str:
    return gap.join(FACE_TEXTS[face].symbol for face in faces)


def points(worth: int) -> str:
    return f"{worth:,}".replace("-", "−")


def facts(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Iterator[Fact]:
    turn = view.turn
    yield make_fact("pile", f"{len(view.unseen)} card", "of the pile")
    yield make_fact("card", CARD_TEXTS[turn.card.kind].name, *(f"{each:,}" for each in card_facts(turn)))
    yield make_fact("target", f"ace past {view.options.target:,}")
    for seat, name in enumerate(names):
        yield make_fact("scores", seat_emoji(seat), name, f"**{points(view.scores[seat])}**")
        if change := score_change_of(seat, last_round(events, len(names))):
            yield make_fact("changes", seat_emoji(seat), name, f"· {'+' if change > 0 else ''}{points(change)}")
    if turn.faces:
        yield make_fact("dice", f"## {signs(turn.faces)}")
    if view.mover is None:
        winners = [name for name, place in zip(names, places_of(view), strict=True) if place == 1]
        yield from (make_fact("winners", "🥇", name) for name in winners)
        return
    yield make_fact("mover", f"{names[view.mover]} to play")
    if view.crosser is not None:
        yield make_fact("last round", names[view.crosser], "one last turn")
    yield from dice_facts(turn, events, names[view.mover]) if turn.faces else first_roll_facts(turn, events, names)


def card_facts(turn: Turn) -> Iterator[int]:
    """Yield the figures of a card; one skull is a word."""
    yield from (turn.card.swords, turn.card.bonus) if turn.card.kind is CardKind.SEA_BATTLE else ()
    yield from (turn.card.skulls,) if turn.card.skulls > 1 else ()


def first_roll_facts(turn: Turn, events: Sequence[GameEvent], names: Sequence[str]) -> Iterator[Fact]:
    """Yield the odds of the first roll, and how the last turn ended."""
    odds = odds_of(turn, DICE_COUNT)
    island = format_odds(odds.island) if odds.island else ""
    yield make_fact("odds", format_odds(odds.revivable if turn.spell else odds.bust), island)
    if (last := find_newest(TurnEnded, events)) is not None:
        yield make_fact(
            "last turn",
            names[last.seat],
            signs(last.turn.faces),
            CARD_TEXTS[last.turn.card.kind].name,
            result_facts(last),
        )


def result_facts(last: TurnEnded) -> str:
    if last.ending is Ending.ISLAND:
        return f"**{points(last.toll)}**"
    return f"**{'+' if last.points > 0 else ''}{points(last.points)}**" if last.points else ""


def dice_facts(turn: Turn, events: Sequence[GameEvent], name: str) -> Iterator[Fact]:
    """Yield what was rolled, what the dice are worth, the skulls, the chest, and what a bust brings."""
    if (newest := latest_roll(turn, events)) is not None:
        yield make_fact("rolled dice", name, signs(tuple(turn.faces[place - 1] for place in newest.dice)))
    if turn.chest:
        saved = points_of(turn, Ending.DISQUALIFIED)
        yield make_fact("chest", signs(tuple(turn.faces[place - 1] for place in turn.chest)), f"**{points(saved)}**")
    if turn.island:
        yield make_fact("island", f"**{turn.skulls}** skulls", f"**{points(toll_of(turn))}**")
        return
    score = score_of(turn.card, turn.faces)
    yield make_fact("worth", f"**{'+' if score.total > 0 and not turn.is_in_doubt else ''}{points(score.total)}**")
    for each in score.sets:
        yield make_fact("parts", f"{each.count} {signs(each.faces)} {points(each.points)}")
    if turn.is_in_doubt:
        yield make_fact("doubt", "Third skull", "Sorceress")
        return
    if turn.card.kind is CardKind.STORM:
        yield make_fact("storm", "one roll left" if turn.rolls_left else "no rolls left")
    if turn.rolls_left:
        yield from risk_facts(turn)


def risk_facts(turn: Turn) -> Iterator[Fact]:
    yield make_fact("skulls", f"{turn.skulls} of 3 skulls")
    if turn.card.kind is not CardKind.TREASURE_CHEST:
        yield make_fact("bust", f"A bust brings **{points(points_of(turn, Ending.DISQUALIFIED))}**")


def test_the_screen_in_words_covers_the_facts_of_the_picture() -> None:
    """FO-1 to FO-11, FO-C1 to FO-C9 and FO-E1 to FO-E3."""
    table = ("card", "pile", "target", "scores", "changes", "mover", "last round", "odds", "last turn", "winners")
    turn = ("dice", "rolled dice", "chest", "island", "worth", "parts", "doubt", "storm", "skulls", "bust")
    check_screen_coverage(load_games_once()["fortune"], facts, frozenset({*table, *turn}))
