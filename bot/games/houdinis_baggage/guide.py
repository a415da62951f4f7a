"""The guide, the names and symbols, and the error messages of Mr. Houdini's Baggage."""

from typing import NamedTuple

from bot.games.houdinis_baggage.assignments import Bonus, BonusKind, Item
from bot.games.houdinis_baggage.cards import CARD_COLOURS, CARD_SHAPES, Card, Trait
from bot.games.houdinis_baggage.pieces import BaggageEnd, BaggageOptions, BaggageReason
from bot.rules.package import Guide
from bot.rules.refusals import RefusalReason
from bot.rules.screen import make_fields
from bot.words import N_, NO_BREAK_SPACE, gettext as _


class TraitText(NamedTuple):
    """How texts show a colour or a shape."""

    symbol: str
    name: str


TRAIT_TEXTS = {
    Trait.RED: TraitText("🔴", N_("red")),
    Trait.YELLOW: TraitText("🟡", N_("yellow")),
    Trait.GREEN: TraitText("🟢", N_("green")),
    Trait.BLUE: TraitText("🔵", N_("blue")),
    Trait.TRIANGLE: TraitText("▲", N_("triangle")),
    Trait.SQUARE: TraitText("■", N_("square")),
    Trait.CIRCLE: TraitText("●", N_("circle")),
    Trait.STAR: TraitText("★", N_("star")),
}

_BONUS_NAMES = {
    BonusKind.PLUS_COLOUR: N_("+1 colour"),
    BonusKind.PLUS_SHAPE: N_("+1 shape"),
    BonusKind.MOVE: N_("move baggage"),
    BonusKind.COPY: N_("another's bonus"),
}

_BONUS_SYMBOLS = _BONUS_NAMES | {BonusKind.MOVE: N_("move"), BonusKind.COPY: N_("another's")}

END_MESSAGES = {
    BaggageEnd.TARGET_REACHED: N_("The target was reached."),
    BaggageEnd.NOTHING_LEFT: N_("No assignments were left."),
}

LAST_ROUND_MESSAGES = {
    BaggageEnd.TARGET_REACHED: N_("🏁 {name} has {score}! Last round."),
    BaggageEnd.NOTHING_LEFT: N_("🏁 No assignments left! Last round."),
}


def card_name(card: Card) -> str:
    """Return the name of a card: green square."""
    return _("{colour} {shape}").format(
        colour=_(TRAIT_TEXTS[CARD_COLOURS[card]].name), shape=_(TRAIT_TEXTS[CARD_SHAPES[card]].name)
    )


def card_symbols(card: Card) -> str:
    """Return the symbols of a card's colour and shape."""
    return f"{TRAIT_TEXTS[CARD_COLOURS[card]].symbol}{TRAIT_TEXTS[CARD_SHAPES[card]].symbol}"


def item_name(item: Item) -> str:
    """Return the name of an item: green 3."""
    return f"{_(TRAIT_TEXTS[item.trait].name)} {item.number}"


def item_symbol(item: Item) -> str:
    """Return the symbol and number of an item."""
    return f"{TRAIT_TEXTS[item.trait].symbol}{item.number}"


def bonus_name(bonus: Bonus) -> str:
    """Return the name of a bonus: red counts as green."""
    if bonus.before is None or bonus.after is None:
        return _(_BONUS_NAMES[bonus.kind])
    return _("{before} counts as {after}").format(
        before=_(TRAIT_TEXTS[bonus.before].name), after=_(TRAIT_TEXTS[bonus.after].name)
    )


def bonus_symbol(bonus: Bonus) -> str:
    """Return a bonus in symbols, without line breaks: red → green."""
    if bonus.before is None or bonus.after is None:
        return _(_BONUS_SYMBOLS[bonus.kind]).replace(" ", NO_BREAK_SPACE)
    return f"{TRAIT_TEXTS[bonus.before].symbol}→{TRAIT_TEXTS[bonus.after].symbol}"


ERROR_MESSAGES: dict[RefusalReason, str] = {
    BaggageReason.SEARCH_FIRST: N_("You're still searching. Open another card, or stop to place what is open."),
    BaggageReason.OPEN_FIRST: N_("Open at least one card before you stop."),
    BaggageReason.SEARCH_OVER: N_("Your search is over. Place cards, or press *Done*."),
    BaggageReason.TWIN: N_("A twin ended your turn. Keep one of the open cards in your bank."),
    BaggageReason.NO_TWIN: N_("You bank a card only when a twin ends your turn. Open or place cards."),
    BaggageReason.CHOOSE_NOW: N_("Choose one of the open assignments first."),
    BaggageReason.NOTHING_TO_CHOOSE: N_("You choose assignments after placing, until you have two again."),
    BaggageReason.NOT_OPEN: N_("No {card} is open. Choose one of the open cards."),
    BaggageReason.NOT_IN_BANK: N_("There's no {card} in your bank. Add a card that's there, or place what is open."),
    BaggageReason.LOOKS_ALIKE: N_(
        "A {card} is already open, and you can't add its twin. Place that one first, or add another card."
    ),
    BaggageReason.NOT_YOUR_ITEM: N_("{spot} isn't on one of your unfinished assignments. Choose an item that is."),
    BaggageReason.ITEM_FILLED: N_("{spot} already has a card. Choose a free item."),
    BaggageReason.ITEM_EMPTY: N_("There's no card on {spot} to move. Name an item that has one."),
    BaggageReason.NO_MATCH: N_("The {card} doesn't match {item}, even with those bonuses. Choose another item."),
    BaggageReason.WRONG_VALUE: N_(
        "The {card} can't go on {item}: the number must equal the current value exactly. Choose an item "
        "that fits, or bonuses that make this one fit."
    ),
    BaggageReason.NO_SUCH_BONUS: N_(
        "You can't use the bonus {use} like that this turn. Name bonuses as the table offers them."
    ),
    BaggageReason.OTHER_BONUSES: N_(
        "{spot} needs other bonuses, or another order. Name just the ones it needs, as the table offers them."
    ),
    BaggageReason.MOVE_NO_MATCH: N_("The {card} can't move to {item}. Name an item with its colour or shape."),
    BaggageReason.NOT_IN_ROW: N_("Assignment {number} isn't open. Choose one that is."),
}

GUIDE = Guide(
    summary=N_(
        "Open coloured shapes for as long as you dare, and pack them into assignments whose bonuses help "
        "with the next ones."
    ),
    sections=make_fields(
        {
            N_("Baggage and values"): N_(
                "Each baggage card has one of four colours and one of four shapes, and there are four copies of "
                "each. The value of a colour is how many cards of that colour you have open; the same goes for "
                "shapes. With three open cards, two of them green, green is 2."
            ),
            N_("1. Search"): N_(
                "Open at least one card, one at a time, and stop whenever you like. If you draw a twin, a card "
                "that looks exactly like an open one, your turn ends immediately: keep one of the open cards in "
                "your bank and discard the rest."
            ),
            N_("2. Placement"): N_(
                "Put open cards on free items of your two assignments, one at a time. *Green 3* takes a green "
                "card while green is exactly 3, no more and no less. Placed cards no longer count, so the order "
                "matters. You can add cards from your bank at any time, but not twins of open cards. Open cards "
                "left at the end are discarded; cards on an assignment stay until it is complete."
            ),
            N_("3. Completion"): N_(
                "Fill every item of an assignment to score its points. Its bonus (🎁) is yours from your next "
                "turn on. Then choose from the open assignments until you have two again."
            ),
            N_("Bonuses"): N_(
                "You can use each once a turn, for a single placement, and combine several.\n"
                "*Red counts as green*: all your open red cards are green. Changes chain, colours and shapes "
                "separately.\n"
                "*+1*: the colour or shape the item asks for is worth one more, after all changes.\n"
                "*Move baggage*: move a card from an item to another free one with its colour or shape, whatever "
                "the number. This isn't a placement.\n"
                "*Another's bonus*: use a bonus from another player's completed assignments. They lose nothing."
            ),
            N_("Start and end"): N_(
                "Everyone starts with a 1-point and a 2-point assignment; the first player is random. Once "
                "someone has 25 points (unless you chose another target), finish the round so that everyone has "
                "had the same number of turns. Most points win. Ties go to the player with more completed "
                "6-point assignments, then 5-point ones, and so on; if all are equal, the win is shared."
            ),
            N_("By command"): N_(
                "Assignments have numbers, and their items have letters from the left: `/baggage place what: "
                "green square on 17b with 4 9` uses the bonuses of your assignments 4 and 9. `9:22` uses your 9 "
                "to copy the bonus of another player's 22. The command suggests everything you can do."
            ),
        }
    ),
)


def describe_options(options: BaggageOptions) -> tuple[str, ...]:
    """Return the target if it is not the default. Rule HB-O1."""
    if options == BaggageOptions():
        return ()
    return (_("first to {target} points").format(target=options.target),)
