"""The reading of Fortune mentions every fact of the table."""

from collections.abc import Iterator, Sequence

from bot.games.fortune.facts import odds_of
from bot.games.fortune.pieces import DICE_COUNT, CardKind, Ending, Face, State, Turn
from bot.games.fortune.scoring import places_of, points_of, score_of, toll_of
from bot.games.fortune.words import CARD_TEXTS, FACE_TEXTS
from bot.tools.contract.fact_coverage import Fact, check_reading_coverage, make_fact
from bot.words import format_percentage
from tests.support.games import load_games_once


def points(worth: int) -> str:
    return f"{worth:,}".replace("-", "−")


def count_words(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def facts(view: State, names: Sequence[str]) -> Iterator[Fact]:
    turn = view.turn
    yield make_fact("pile", f"{len(view.unseen)} card", "of the pile")
    yield make_fact("card", f"card is {CARD_TEXTS[turn.card.kind].name}", *(f"{each:,}" for each in card_facts(turn)))
    yield make_fact("target", f"core to beat: {view.options.target:,}")
    for name, score in zip(names, view.scores, strict=True):
        yield make_fact("scores", f"{name} has {points(score)}")
    if turn.faces:
        yield make_fact("dice", "The dice, first to eighth:", ", ".join(FACE_TEXTS[face].name for face in turn.faces))
        yield make_fact("skulls", count_words(turn.skulls, "skull") if turn.skulls else "")
    if turn.card.kind is CardKind.SORCERESS and not turn.spell:
        yield make_fact(
            "spell", "card is Sorceress", "no help on the Island" if turn.island else "Already used this turn"
        )
    if view.mover is None:
        winners = [name for name, place in zip(names, places_of(view), strict=True) if place == 1]
        yield make_fact("winners", "game is over", "win", *winners)
        return
    yield make_fact("mover", f"{names[view.mover]}'s turn")
    if view.crosser is not None:
        yield make_fact("last round", names[view.crosser], "one last turn")
    yield from dice_facts(turn) if turn.faces else first_roll_facts(turn)


def card_facts(turn: Turn) -> Iterator[int]:
    """Yield the figures of a card; one skull is a word."""
    yield from (turn.card.swords, turn.card.bonus) if turn.card.kind is CardKind.SEA_BATTLE else ()
    yield from (turn.card.skulls,) if turn.card.skulls > 1 else ()


def first_roll_facts(turn: Turn) -> Iterator[Fact]:
    """Yield the odds of the first roll."""
    odds = odds_of(turn, DICE_COUNT)
    yield make_fact(
        "odds",
        format_percentage(odds.revivable if turn.spell else odds.bust),
        format_percentage(odds.island) if odds.island else "",
    )


def dice_facts(turn: Turn) -> Iterator[Fact]:
    """Yield the points of the dice, the dice in the chest, and the free dice."""
    if turn.chest:
        yield make_fact("chest", "In the chest:", points(points_of(turn, Ending.DISQUALIFIED)), *chest_facts(turn))
    if turn.island:
        yield make_fact("island", "Island of Skulls" if len(turn.free) > 1 else "turn")
        yield make_fact("toll", f"every opponent loses {points(toll_of(turn))}")
        return
    score = score_of(turn.card, turn.faces)
    yield make_fact("worth", f"worth {'+' if score.total > 0 else ''}{points(score.total)}")
    for each in score.sets:
        yield make_fact("parts", "worth", str(each.count), points(each.points))
    if score.treasure:
        yield make_fact("parts", f"gold and diamonds {points(score.treasure)}")
    if score.full_chest:
        yield make_fact("parts", f"full chest {points(score.full_chest)}")
    if turn.is_in_doubt:
        yield make_fact("doubt", "third skull", "Sorceress")
    elif turn.card.kind is CardKind.STORM:
        yield make_fact("storm", "card is Storm", "One roll is left" if turn.rolls_left else "No rolls are left")
    left = points_of(turn, Ending.DISQUALIFIED)
    if turn.rolls_left and not turn.is_in_doubt and turn.card.kind is not CardKind.TREASURE_CHEST:
        yield make_fact("bust", f"a bust, which brings {points(left)}")


def chest_facts(turn: Turn) -> Iterator[str]:
    faces = [turn.faces[place - 1] for place in turn.chest]
    yield from (count_words(faces.count(face), FACE_TEXTS[face].name) for face in Face if face in faces)


def test_the_whole_table_is_read_out() -> None:
    """FO-1 to FO-11, FO-C1 to FO-C9 and FO-E1 to FO-E3."""
    table = ("card", "pile", "target", "scores", "dice", "skulls", "spell", "winners", "mover", "last round", "odds")
    turn = ("chest", "island", "toll", "worth", "parts", "doubt", "storm", "bust")
    check_reading_coverage(load_games_once()["fortune"], facts, frozenset({*table, *turn}))
