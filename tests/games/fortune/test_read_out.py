"""Fortune read out tells everything of how the table stands."""

from collections.abc import Iterator, Sequence

from bot.games.fortune.deck import CardKind
from bot.games.fortune.guide import CARD_NAMES, FACE_NAMES
from bot.games.fortune.odds import odds_of
from bot.games.fortune.pieces import DICE, Ending, Face, State, Turn
from bot.games.fortune.scoring import places_of, points_of, score_of, toll_of
from bot.tables.registry import load_games
from bot.words import percent
from tests.support.fact_coverage import Fact, check_read, fact


def points(worth: int) -> str:
    return f"{worth:,}".replace("-", "−")


def so_many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def facts(view: State, names: Sequence[str]) -> Iterator[Fact]:
    turn = view.turn
    yield fact("card", f"card is {CARD_NAMES[turn.card.kind]}", *(f"{each:,}" for each in figures(turn)))
    yield fact("target", f"ore than {view.options.target:,}")
    for name, score in zip(names, view.scores, strict=True):
        yield fact("scores", f"{name} has {points(score)}")
    if turn.faces:
        yield fact("dice", "The dice show", ", ".join(FACE_NAMES[face] for face in turn.faces))
        yield fact("skulls", so_many(turn.skulls, "skull") if turn.skulls else "")
    if turn.card.kind is CardKind.SORCERESS and not turn.spell:
        yield fact("spell", "card is Sorceress", "no help on the Island" if turn.island else "She has helped")
    if view.mover is None:
        winners = [name for name, place in zip(names, places_of(view), strict=True) if place == 1]
        yield fact("winners", "game is over", "win", *winners)
        return
    yield fact("mover", f"{names[view.mover]}'s turn")
    if view.crosser is not None:
        yield fact("last round", names[view.crosser], "one last turn")
    yield from lying(turn) if turn.faces else waiting(turn)


def figures(turn: Turn) -> Iterator[int]:
    """Yield the figures of a card; one skull is a word."""
    yield from (turn.card.swords, turn.card.bonus) if turn.card.kind is CardKind.SEA_BATTLE else ()
    yield from (turn.card.skulls,) if turn.card.skulls > 1 else ()


def waiting(turn: Turn) -> Iterator[Fact]:
    """Yield the odds of the first roll."""
    odds = odds_of(turn, DICE)
    yield fact("odds", percent(odds.asked if turn.spell else odds.bust), percent(odds.island) if odds.island else "")


def lying(turn: Turn) -> Iterator[Fact]:
    """Yield what the dice are worth, what lies in the chest, and what can still be rolled."""
    if turn.chest:
        yield fact("chest", "In the chest", points(points_of(turn, Ending.DISQUALIFIED)), *in_chest(turn))
    if turn.island:
        yield fact("island", "Island of Skulls" if len(turn.free) > 1 else "turn")
        yield fact("toll", f"every opponent loses {points(toll_of(turn))}")
        return
    score = score_of(turn.card, turn.faces)
    yield fact("worth", f"worth {'+' if score.total > 0 else ''}{points(score.total)}")
    for each in score.sets:
        yield fact("parts", "worth", str(each.count), points(each.points))
    if score.treasure:
        yield fact("parts", f"gold and diamonds {points(score.treasure)}")
    if score.full_chest:
        yield fact("parts", f"full chest {points(score.full_chest)}")
    if turn.is_in_doubt:
        yield fact("doubt", "third skull", "Sorceress")
    elif turn.card.kind is CardKind.STORM:
        yield fact("storm", "card is Storm", "one more is left" if turn.rolls_left else "Both rolls are made")
    left = points_of(turn, Ending.DISQUALIFIED)
    if turn.rolls_left and not turn.is_in_doubt and turn.card.kind is not CardKind.TREASURE_CHEST:
        yield fact("cost of a bust", points(abs(score.total - left)), "leave")


def in_chest(turn: Turn) -> Iterator[str]:
    faces = [turn.faces[place - 1] for place in turn.chest]
    yield from (so_many(faces.count(face), FACE_NAMES[face]) for face in Face if face in faces)


def test_everything_of_the_table_is_read_out() -> None:
    """FO-1 to FO-11, FO-C1 to FO-C9 and FO-E1 to FO-E3."""
    table = ("card", "target", "scores", "dice", "skulls", "spell", "winners", "mover", "last round", "odds")
    turn = ("chest", "island", "toll", "worth", "parts", "doubt", "storm", "cost of a bust")
    check_read(load_games()["fortune"], facts, frozenset({*table, *turn}))
