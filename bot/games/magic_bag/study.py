"""What helps a learner of The Magic Bag: hints, moves in words, tips and the lesson."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.games.magic_bag.facts import Choice, choice_of, coins_for, is_untouched
from bot.games.magic_bag.pieces import (
    EXTRA_ROLLS,
    Claim,
    Discard,
    GameEvent,
    MagicBagOptions,
    Move,
    Piece,
    Roll,
    RowTaken,
    State,
    Stop,
    Suit,
)
from bot.games.magic_bag.scoring import GROUP_POINTS, TILE_BONUS, matching_chance, points_of, treasure_points
from bot.games.magic_bag.words import SUIT_NAMES, SUIT_SYMBOLS, piece_text
from bot.rules.evaluation import Evaluation
from bot.rules.study import Explanation, Hints, Lesson, LessonStep, RankedMove, Tip
from bot.words import N_, format_number, format_odds, format_points, gettext as _, join_items, ngettext, plural_number

_FEW_COINS = 5


def _explain_hint(view: State, best: Sequence[RankedMove[Move]], _evaluation: Evaluation) -> Explanation:
    return Explanation(_odds_lines(view, best), _reason(view, best[0].move))


def _odds_lines(view: State, best: Sequence[RankedMove[Move]]) -> tuple[str, ...]:
    """Return the odds that a row matches after the best roll; after a discard all four dice are rolled."""
    rolls = [each.move for each in best if isinstance(each.move, Roll)]
    if rolls:
        line = _("{odds} to fit a row with this roll")
        if not isinstance(best[0].move, Roll):
            line = _("{odds} to fit a row with the best roll")
        return (line.format(odds=format_odds(_chance(view, _kept_values(view, rolls[0])))),)
    if isinstance(best[0].move, Discard):
        return (_("{odds} to fit a row with all four dice").format(odds=format_odds(_chance(view, ()))),)
    return ()


def _chance(view: State, kept: tuple[int, ...]) -> float:
    """Return the chance that kept dice, in rising order, and a roll of the others match a row."""
    return matching_chance(kept, frozenset(filter(None, view.layout.needs)))


def _kept_values(view: State, roll: Roll) -> tuple[int, ...]:
    return tuple(sorted(view.faces[suit] for suit in Suit if suit not in roll.suits))


def _reason(view: State, best: Move) -> str:
    match best:
        case Roll():
            return _roll_reason(view, best)
        case Claim(row):
            coins = coins_for(view, row)
            line = ngettext(
                "It draws {count} coin, and leaves better rows than the others would.",
                "It draws {count} coins, and leaves better rows than the others would.",
                coins,
            )
            if view.rolls_left:
                line = ngettext(
                    "It draws {count} coin, and rolling on would risk that no row fits.",
                    "It draws {count} coins, and rolling on would risk that no row fits.",
                    coins,
                )
            return line.format(count=coins)
        case Discard(coin):
            left = treasure_points(view.layout.sheet, [each for each in view.layout.collected if each != coin])
            line = _("Without {coin} you still have {points}, and play on.")
            return line.format(coin=piece_text(coin), points=format_points(left))
        case Stop():
            return _("Another roll promises less than giving up a coin now.")
        case _:
            line = _("You have {points}, and playing on would lose more than it is likely to bring.")
            return line.format(points=format_points(points_of(view)))


def _roll_reason(view: State, roll: Roll) -> str:
    """Name the rows that have use for the kept dice."""
    kept = Counter(_kept_values(view, roll))
    rows = [str(at) for at, needs in enumerate(view.layout.needs, 1) if needs and kept <= Counter(needs)]
    if not kept or not rows:
        return (
            _("None of these dice help with the rows that promise the most.")
            if not kept
            else _("The kept dice leave the most ways to fill a valuable row.")
        )
    line = ngettext("Row {rows} needs the dice you keep.", "Rows {rows} need the dice you keep.", len(rows))
    return line.format(rows=join_items(rows))


def _format_final_points(points: float) -> str:
    line = ngettext("{points} point in the end", "{points} points in the end", plural_number(points))
    return line.format(points=format_number(points))


HINTS = Hints(_explain_hint, _format_final_points)


def describe_move(view: State, move: Move) -> str:
    """Describe a move."""
    match move:
        case Roll(suits):
            if len(suits) == len(Suit):
                return _("Re-roll all four")
            dice = " ".join(piece_text(Piece(suit, view.faces[suit])) for suit in suits)
            return _("Re-roll {dice}").format(dice=dice)
        case Claim(row):
            coins = coins_for(view, row)
            line = ngettext("Take row {row} for {count} coin", "Take row {row} for {count} coins", coins)
            return line.format(row=row, count=coins)
        case Discard(coin, tile):
            line = _("Give up {coin}") if tile is None else _("Give up {coin} and take tile {tile} away")
            return line.format(coin=piece_text(coin), tile=tile and piece_text(tile))
        case Stop():
            return _("Stop rolling")
        case _:
            return _("Finish with {points}").format(points=format_points(points_of(view)))


def find_tips(view: State, events: Sequence[GameEvent]) -> Iterator[Tip]:
    """Yield the treasure that was just drawn, then what matters in the turn."""
    for event in reversed(events):
        if isinstance(event, RowTaken):
            yield from (_event_tips(coin.suit) for coin in event.coins)
            if event.exact_tiles:
                text = _("Same suit and value: one more coin.")
                yield Tip("exact", text, is_explanation=True)
    if view.end is not None or view.has_failed:
        # After a failed roll, title and rule say what to do at each step.
        return
    yield from _roll_tips(view)
    if 0 < len(view.layout.bag) <= _FEW_COINS:
        line = _("Empty the bag: tiles left score {points} × value.")
        yield Tip("bag", line.format(points=TILE_BONUS))


def _event_tips(suit: Suit) -> Tip:
    name = SUIT_SYMBOLS[suit] + " " + _(SUIT_NAMES[suit])
    line = _("{suit}: touching pieces score {least} to {most}.")
    if suit is Suit.CROWN:
        line = _("{suit}: each crown scores its value.")
    text = line.format(suit=name, least=GROUP_POINTS[1], most=GROUP_POINTS[-1])
    return Tip(str(suit), text, is_explanation=True)


def _roll_tips(view: State) -> Iterator[Tip]:
    """Yield what to do with the dice. Rules MB-3 to MB-6."""
    if is_untouched(view):
        yield Tip("goal", _("Coins build the sun, moon and shield."))
    if view.rolls_left:
        yield Tip("values", _("Only the numbers must match, in any order."))
    if view.matching and any(coins_for(view, row) > 1 for row in view.matching):
        yield Tip("gold", _("A gold tile has its own die: one more coin."))
    choice = choice_of(view)
    if choice is Choice.TAKE_OR_ROLL:
        yield Tip("early", _("Take a row, or re-roll for more coins."))
    if choice is Choice.TAKE:
        yield Tip("must", _("After the last roll, take a row if one fits."))
    if choice is Choice.ROLL and view.rolls_left == EXTRA_ROLLS:
        yield Tip("try", _("A Roll button keeps the other dice."))
    if choice is Choice.ROLL:
        yield Tip("keep", _("Tap the dice to keep, then roll the others."))
    if view.rolls_left:
        yield Tip("odds", _("Rolls show the chance, then the coins."))


LESSON = Lesson(
    options=MagicBagOptions(),
    seats=1,
    seed=94,
    steps=(
        LessonStep(
            "roll moon",
            N_(
                "Fill a row with your dice to draw coins. Row 9 has 4, 0, 3 and 3: only the 4 is missing. "
                "Roll one die: **{button}**."
            ),
        ),
        LessonStep(
            "claim 9",
            N_(
                "There's the 4! A row brings one coin, and one more for each gold tile, where the suit matches, too. "
                "Take it: **{button}**."
            ),
        ),
        LessonStep(
            "roll moon crown",
            N_("4 coins, 43 points! Row 5 has 1, 2 and 2, and you have both 2s. You can re-roll twice: **{button}**."),
        ),
        LessonStep(
            "roll sun moon arms",
            N_("No 1, but the crown's 4 turns a tile of row 4 gold. One re-roll is left: **{button}**."),
        ),
        LessonStep(
            "claim 4",
            N_("No rolls are left. Two rows fit, so take the one that brings more: **{button}**."),
        ),
        LessonStep(
            "roll moon arms",
            N_("Long rows are a long shot, but bring more coins. You have the 4 and the 2 for row 8: **{button}**."),
        ),
        LessonStep(
            "roll arms",
            N_("The 0 fits, too. Only the 3 is missing. The menu has every roll: **{button}**."),
        ),
        LessonStep(
            "discard crown-null tile crown-2",
            N_(
                "No row fits: give up a coin. The crown 0 costs nothing, and a tile may go with it. Press **{button}**."
            ),
        ),
        LessonStep(
            "claim 8",
            N_("That tile was in row 8, and now the row fits! Two tiles are gold: **{button}**."),
        ),
        LessonStep(
            "",
            N_("60 more points: pieces that touch score as a group. Fill rows and build big groups: that's the game."),
        ),
    ),
)
