"""What helps a learner of Mr. Houdini's Baggage: hints, moves in words, tips and the lesson."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from bot.games.houdinis_baggage.cards import BonusKind
from bot.games.houdinis_baggage.facts import TwinOdds, can_fill, chance_to_fill, chance_to_place, last_items
from bot.games.houdinis_baggage.legality import can_place, free_items, ways_of
from bot.games.houdinis_baggage.pieces import (
    BaggageOptions,
    Bank,
    CardKept,
    GameEvent,
    Keep,
    Move,
    Open,
    Phase,
    Place,
    Shift,
    State,
    Stop,
    Take,
    TurnPlayed,
)
from bot.games.houdinis_baggage.rules import card_on
from bot.games.houdinis_baggage.words import bonus_name, bonus_symbol, card_symbols, item_name, spot_symbol
from bot.rules.evaluation import Evaluation
from bot.rules.study import Explanation, Hints, Lesson, LessonStep, RankedMove, Tip
from bot.words import (
    N_,
    NO_BREAK_SPACE,
    format_odds,
    format_points,
    format_signed_points,
    gettext as _,
    list_facts,
    ngettext,
)


def _explain_hint(view: State, best: Sequence[RankedMove[Move]], _evaluation: Evaluation) -> Explanation:
    odds = tuple(_odds_lines(view)) if view.phase is Phase.SEARCH else ()
    return Explanation(odds, _reason(view, best[0].move))


def _odds_lines(view: State) -> Iterator[str]:
    """Yield the odds of a twin, of anything that fits if nothing does, and of completing assignments."""
    yield _("{share} chance that the next card is a twin ({twins} of {left})").format(
        **TwinOdds.from_state(view).words()
    )
    if not can_place(view):
        yield _("{odds} chance that something fits after the next card").format(odds=format_odds(chance_to_place(view)))
    for spot in last_items(view):
        is_now, chance = can_fill(view, spot), chance_to_fill(view, spot)
        line = _("{odds} chance that the next card lets you complete #{number}")
        if is_now:
            line = _("You can complete #{number} now, and after the next card with a chance of {odds}")
        if is_now or chance:
            yield line.format(number=spot.number, odds=format_odds(chance))


def _reason(view: State, best: Move) -> str:
    reason = _("No other step is worth a card or a bonus.")
    match best:
        case Open():
            reason = _("Another card is likely to add more than a twin would cost.")
            if not can_place(view):
                reason = _("Nothing fits yet, so stopping would bring nothing.")
        case Stop():
            reason = _("A twin would cost all open cards but one, and what fits now is worth too much to risk it.")
        case Keep():
            reason = _("It's the open card that your items need most.")
        case Place():
            reason = _place_reason(view, best)
        case Bank():
            reason = _("It helps you fill more now than it would later.")
        case Shift():
            reason = _("Moving it lets you fill more.")
        case Take(number):
            taken = view.find_assignment(number)
            line = ngettext(
                "It brings {points} for {count} item, and goes well with what you have.",
                "It brings {points} for {count} items, and goes well with what you have.",
                len(taken.items),
            )
            reason = line.format(points=format_points(taken.points), count=len(taken.items))
        case _:
            pass
    return reason


def _place_reason(view: State, place: Place) -> str:
    """Say what a placement leaves to be filled."""
    task = next(each for each in view.acting.tasks if each.assignment.number == place.spot.number)
    left, number = task.cards.count(None) - 1, task.assignment.number
    if not left:
        line = _("It completes #{number} for {points}.")
        return line.format(number=number, points=format_points(task.assignment.points))
    line = ngettext(
        "Then {count} more card completes #{number} for {points}.",
        "Then {count} more cards complete #{number} for {points}.",
        left,
    )
    return line.format(number=number, count=left, points=format_points(task.assignment.points))


HINTS = Hints(_explain_hint, format_signed_points)


def describe_move(view: State, move: Move) -> str:
    """Describe a move."""
    text = _("End the turn")
    match move:
        case Open():
            text = _("Open another card") if view.open else _("Open a card")
        case Stop():
            count = len(view.open)
            text = ngettext("Stop with one card", "Stop with {count} cards", count).format(count=count)
        case Keep(card):
            text = _("Keep {card}").format(card=card_symbols(card))
        case Place():
            text = _place_text(view, move)
        case Bank(card):
            text = _("Add {card} from the bank").format(card=card_symbols(card))
        case Shift(start, end):
            text = _("Move {card} from {start} to {end}").format(
                card=card_symbols(card_on(view.acting.tasks, start) or 0),
                start=spot_symbol(view, start),
                end=spot_symbol(view, end),
            )
        case Take(number):
            points = format_points(view.find_assignment(number).points)
            text = _("Take #{number} ({points})").format(number=number, points=points)
        case _:
            pass
    return text


def key_of(view: State, move: Move) -> Hashable:
    """Return what a move does: equal bonuses are interchangeable."""
    match move:
        case Place(card, spot, uses):
            return card, spot, frozenset(Counter((view.bonus_of(use), use.copied is None) for use in uses).items())
        case Shift(start, end):
            return start, end
        case _:
            return move


def _place_text(view: State, move: Place) -> str:
    line = _("Place {card} on {item} with {bonuses}") if move.uses else _("Place {card} on {item}")
    texts = [f"{'' if use.copied is None else '👥'}{bonus_symbol(view.bonus_of(use))}" for use in move.uses]
    counts = {text: texts.count(text) for text in texts}
    uses_text = list_facts(text if count == 1 else f"{count}×{NO_BREAK_SPACE}{text}" for text, count in counts.items())
    return line.format(card=card_symbols(move.card), item=spot_symbol(view, move.spot), bonuses=uses_text)


_BONUS_EFFECTS = {
    BonusKind.COLOUR_CHANGE: N_("New: once a turn, {bonus}"),
    BonusKind.SHAPE_CHANGE: N_("New: once a turn, {bonus}"),
    BonusKind.PLUS_COLOUR: N_("New: once a turn, a colour counts one more"),
    BonusKind.PLUS_SHAPE: N_("New: once a turn, a shape counts one more"),
    BonusKind.MOVE: N_("New: once a turn, move a placed card"),
    BonusKind.COPY: N_("New: once a turn, borrow a player's bonus"),
}


def find_tips(view: State, events: Sequence[GameEvent]) -> Iterator[Tip]:
    """Yield the bonuses that were just won, then what matters in the phase."""
    if view.phase is Phase.TWIN:
        # A twin asks for one thing only, and its message has no room.
        return
    for event in reversed(events):
        if isinstance(event, TurnPlayed) and event.seat == view.mover:
            for bonus in (each.bonus for each in event.completed):
                text = _(_BONUS_EFFECTS[bonus.kind]).format(bonus=bonus_name(bonus))
                yield Tip(bonus.kind.name.lower(), text, is_explanation=True)
        if isinstance(event, CardKept):
            text = _("Twins end a turn; one card goes to the bank")
            yield Tip("twins", text, is_explanation=True)
    match view.phase:
        case Phase.SEARCH:
            yield from _search_tips(view)
        case Phase.PLACE:
            yield from _placing_tips(view)
        case _:
            yield Tip("choose", _("Take one that needs similar cards"))


def _search_tips(view: State) -> Iterator[Tip]:
    """Yield what to search for. Rules HB-2 to HB-6."""
    if view.end is not None:
        yield Tip("last", _("Last round: finish what you can"))
    for _spot, item in free_items(view.acting.tasks)[:1]:
        line = _("For {item}, exactly {number} must be open")
        yield Tip("exact", line.format(item=item_name(item), number=item.number))
    if not view.open:
        yield Tip("values", _("The strip counts open colours and shapes"))
        return
    yield Tip("stop", _("Each card adds to the risk: stop any time"))


def _placing_tips(view: State) -> Iterator[Tip]:
    """Yield how to place cards. Rules HB-6 to HB-12."""
    ways = ways_of(view)
    if ways.places:
        yield Tip("order", _("A placed card is used up: high first"))
    if any(place.uses for place in ways.places):
        yield Tip("bonus", _("Each bonus works for one card a turn"))
    if ways.banks:
        yield Tip("bank", _("Cards from your bank raise the values, too"))
    yield Tip("stay", _("Placed cards stay, the others are lost"))


LESSON = Lesson(
    options=BaggageOptions(),
    seats=2,
    seed=903,
    steps=(
        LessonStep(
            "open",
            N_("Your two assignments ask for colours and shapes. Open cards to fill them: **{button}**."),
        ),
        LessonStep(
            "open",
            N_("Open as many as you dare: the same card twice ends your turn. **{button}**."),
        ),
        LessonStep(
            "open",
            N_("Two blue cards lie open, so the value of blue is 2. Shapes count the same way. **{button}**."),
        ),
        LessonStep(
            "stop", N_("The value of blue is 3 now, that of each shape 1. Enough for three items: **{button}**.")
        ),
        LessonStep(
            "place blue-triangle on 1b",
            N_("The value must be exactly the number. One triangle is open, so it fits *triangle 1*: **{button}**."),
        ),
        LessonStep(
            "place blue-square on 11b",
            N_("A card you place is used up, so the value of blue falls to 2. That fits *blue 2*: **{button}**."),
        ),
        LessonStep(
            "place blue-star on 1a",
            N_("Now it is 1, and the last card fits *blue 1*. The order was the trick: **{button}**."),
        ),
        LessonStep("done", N_("Assignment 1 is full, and nothing else fits: **{button}**.")),
        LessonStep(
            "take 2",
            N_(
                "You score 1 point, and its bonus is yours from your next turn on. Take a new one, number **{button}**."
            ),
        ),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("keep blue-star"),
        LessonStep(
            "",
            N_("{rival} opened a twin and kept one card. Open boldly, then pack cleverly: that's the game."),
        ),
    ),
)
