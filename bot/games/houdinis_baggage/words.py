"""The words of Mr. Houdini's Baggage: names of cards, assignments and bonuses, error messages, the length of a game."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.games.houdinis_baggage.cards import CARD_COLOURS, CARD_SHAPES, Bonus, BonusKind, Card, Item, Trait, Use
from bot.games.houdinis_baggage.pieces import BaggageEnd, BaggageOptions, BaggageReason, Spot, State
from bot.rules.refusals import RefusalReason
from bot.words import N_, NC_, NO_BREAK_SPACE, format_number, forward_arrow, gettext as _, join_items

_SECONDS_PER_TURN = 53
"""The average length of a person's turn: about nine moves, with time to think."""

_FIRST_TURNS = 3.8
_TURNS_PER_POINT = 0.345
"""The turns of a seat until the computer player reaches a target, measured for all targets and seats."""


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

_CARD_NAMES = {
    (Trait.RED, Trait.TRIANGLE): N_("red triangle"),
    (Trait.RED, Trait.SQUARE): N_("red square"),
    (Trait.RED, Trait.CIRCLE): N_("red circle"),
    (Trait.RED, Trait.STAR): N_("red star"),
    (Trait.YELLOW, Trait.TRIANGLE): N_("yellow triangle"),
    (Trait.YELLOW, Trait.SQUARE): N_("yellow square"),
    (Trait.YELLOW, Trait.CIRCLE): N_("yellow circle"),
    (Trait.YELLOW, Trait.STAR): N_("yellow star"),
    (Trait.GREEN, Trait.TRIANGLE): N_("green triangle"),
    (Trait.GREEN, Trait.SQUARE): N_("green square"),
    (Trait.GREEN, Trait.CIRCLE): N_("green circle"),
    (Trait.GREEN, Trait.STAR): N_("green star"),
    (Trait.BLUE, Trait.TRIANGLE): N_("blue triangle"),
    (Trait.BLUE, Trait.SQUARE): N_("blue square"),
    (Trait.BLUE, Trait.CIRCLE): N_("blue circle"),
    (Trait.BLUE, Trait.STAR): N_("blue star"),
}
"""The names of cards are whole: a colour may agree with its shape."""

_CARD_LABELS = {
    (Trait.RED, Trait.TRIANGLE): NC_("card on a button", "red triangle"),
    (Trait.RED, Trait.SQUARE): NC_("card on a button", "red square"),
    (Trait.RED, Trait.CIRCLE): NC_("card on a button", "red circle"),
    (Trait.RED, Trait.STAR): NC_("card on a button", "red star"),
    (Trait.YELLOW, Trait.TRIANGLE): NC_("card on a button", "yellow triangle"),
    (Trait.YELLOW, Trait.SQUARE): NC_("card on a button", "yellow square"),
    (Trait.YELLOW, Trait.CIRCLE): NC_("card on a button", "yellow circle"),
    (Trait.YELLOW, Trait.STAR): NC_("card on a button", "yellow star"),
    (Trait.GREEN, Trait.TRIANGLE): NC_("card on a button", "green triangle"),
    (Trait.GREEN, Trait.SQUARE): NC_("card on a button", "green square"),
    (Trait.GREEN, Trait.CIRCLE): NC_("card on a button", "green circle"),
    (Trait.GREEN, Trait.STAR): NC_("card on a button", "green star"),
    (Trait.BLUE, Trait.TRIANGLE): NC_("card on a button", "blue triangle"),
    (Trait.BLUE, Trait.SQUARE): NC_("card on a button", "blue square"),
    (Trait.BLUE, Trait.CIRCLE): NC_("card on a button", "blue circle"),
    (Trait.BLUE, Trait.STAR): NC_("card on a button", "blue star"),
}
"""The same, abbreviated in languages with long names."""

_BONUS_NAMES = {
    BonusKind.PLUS_COLOUR: N_("+1 colour"),
    BonusKind.PLUS_SHAPE: N_("+1 shape"),
    BonusKind.MOVE: N_("move baggage"),
    BonusKind.COPY: N_("another player's bonus"),
}

_BONUS_SYMBOLS = _BONUS_NAMES | {
    BonusKind.MOVE: NC_("bonus", "move"),
    BonusKind.COPY: NC_("another player's bonus", "another's"),
}

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
    return _(_CARD_NAMES[CARD_COLOURS[card], CARD_SHAPES[card]])


def card_label(card: Card) -> str:
    """Return the name of a card for a button, which has little room."""
    return _(_CARD_LABELS[CARD_COLOURS[card], CARD_SHAPES[card]])


def card_symbols(card: Card) -> str:
    """Return the symbols of a card's colour and shape."""
    return f"{TRAIT_TEXTS[CARD_COLOURS[card]].symbol}{TRAIT_TEXTS[CARD_SHAPES[card]].symbol}"


def format_card(card: Card) -> str:
    """Return a card's symbols and name."""
    return f"{card_symbols(card)} {card_name(card)}"


def item_name(item: Item) -> str:
    """Return the name of an item: green 3."""
    return name_number(item.trait, item.number)


def name_number(trait: Trait, number: int) -> str:
    """Return a trait with a number: red 2."""
    # Translators: {trait} is a colour or a shape, such as red.
    return _("{trait} {number}").format(trait=_(TRAIT_TEXTS[trait].name), number=format_number(number))


def item_symbol(item: Item) -> str:
    """Return the symbol and number of an item."""
    return f"{TRAIT_TEXTS[item.trait].symbol}{item.number}"


def spot_name(view: State, spot: Spot) -> str:
    """Return the name of an item with its assignment, which has no two equal items: green 3 of #14."""
    return _("{item} of #{number}").format(item=item_name(view.item_at(spot)), number=spot.number)


def spot_symbol(view: State, spot: Spot) -> str:
    """Return the symbol and number of an item, with its assignment."""
    return _("{item} of #{number}").format(item=item_symbol(view.item_at(spot)), number=spot.number)


def bonus_name(bonus: Bonus) -> str:
    """Return the name of a bonus: red counts as green."""
    if bonus.before is None or bonus.after is None:
        return _(_BONUS_NAMES[bonus.kind])
    # Translators: both are names of colours, or both are names of shapes.
    return _("{before} counts as {after}").format(
        before=_(TRAIT_TEXTS[bonus.before].name), after=_(TRAIT_TEXTS[bonus.after].name)
    )


def bonus_symbol(bonus: Bonus) -> str:
    """Return a bonus in symbols, without line breaks: red → green."""
    if bonus.before is None or bonus.after is None:
        return _(_BONUS_SYMBOLS[bonus.kind]).replace(" ", NO_BREAK_SPACE)
    return f"{TRAIT_TEXTS[bonus.before].symbol}{forward_arrow()}{TRAIT_TEXTS[bonus.after].symbol}"


def bonus_label(bonus: Bonus) -> str:
    """Return a bonus in a few words, for a button, whose only emoji is that of its card: red→green."""
    if bonus.before is None or bonus.after is None:
        return bonus_symbol(bonus)
    return _(TRAIT_TEXTS[bonus.before].name) + forward_arrow() + _(TRAIT_TEXTS[bonus.after].name)


ERROR_MESSAGES: dict[RefusalReason, str] = {
    BaggageReason.SEARCH_FIRST: N_("You're still searching. Open another card, or stop to place what is open."),
    BaggageReason.OPEN_FIRST: N_("Open at least one card before you stop."),
    BaggageReason.SEARCH_OVER: N_("Your search is over. Place cards, or press *Done*."),
    BaggageReason.TWIN: N_("A twin ended your turn. Keep one of the open cards in your bank."),
    BaggageReason.NO_TWIN: N_("You bank a card only when a twin ends your turn. Open or place cards."),
    BaggageReason.CHOOSE_NOW: N_("Choose one of the open assignments first."),
    BaggageReason.NOTHING_TO_CHOOSE: N_("You choose assignments after placing, until you have two again."),
    BaggageReason.NOT_OPEN: N_("The card `{card}` isn't open. Choose one of the open cards."),
    BaggageReason.NOT_IN_BANK: N_(
        "The card `{card}` isn't in your bank. Add a card that's there, or place what is open."
    ),
    BaggageReason.LOOKS_ALIKE: N_(
        "The card `{card}` is already open, and you can't add its twin. Place that one first, or add another card."
    ),
    BaggageReason.NOT_YOUR_ITEM: N_("`{spot}` isn't on one of your unfinished assignments. Choose an item that is."),
    BaggageReason.ITEM_FILLED: N_("`{spot}` already has a card. Choose a free item."),
    BaggageReason.ITEM_EMPTY: N_("There's no card on `{spot}` to move. Name an item that has one."),
    BaggageReason.NO_MATCH: N_(
        "The card `{card}` doesn't match `{item}`, even with those bonuses. Choose another item."
    ),
    BaggageReason.WRONG_VALUE: N_(
        "The card `{card}` can't go on `{item}`: the number must equal the current value exactly. Choose an item "
        "that fits, or bonuses that make this one fit."
    ),
    BaggageReason.NO_SUCH_BONUS: N_(
        "You can't use the bonus `{use}` like that this turn. Choose one of the suggestions."
    ),
    BaggageReason.OTHER_BONUSES: N_("`{spot}` needs other bonuses, or another order. Choose one of the suggestions."),
    BaggageReason.MOVE_NO_MATCH: N_("The card `{card}` can't move to `{item}`. Name an item with its colour or shape."),
    BaggageReason.NOT_IN_ROW: N_("Assignment {number} isn't open. Choose one that is."),
}


def describe_goal(options: BaggageOptions) -> str:
    """Return the score that ends the game. Rule HB-O1."""
    return _("first to {target}").format(target=options.target)


def describe_options(options: BaggageOptions) -> tuple[str, ...]:
    """Return the target if it is not the default. Rule HB-O1."""
    if options == BaggageOptions():
        return ()
    return (describe_goal(options),)


def estimate_minutes(options: BaggageOptions, seats: int) -> int:
    """Return the expected minutes of a game, from the turns that it takes to reach the target."""
    turns = _FIRST_TURNS + _TURNS_PER_POINT * options.target
    return round(turns * seats * _SECONDS_PER_TURN / 60)


def format_uses(view: State, uses: Sequence[Use]) -> str:
    """List the bonuses of a placement, in order."""
    names = [(bonus_name(view.bonus_of(use)), use.copied is not None) for use in uses]
    return join_items([_("{bonus} (borrowed)").format(bonus=name) if is_copied else name for name, is_copied in names])
