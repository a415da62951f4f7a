"""Mr. Houdini's Baggage explained, its signs, and the sentences for what its rules refuse."""

from bot.games.houdinis_baggage.assignments import Bonus, BonusKind, Item
from bot.games.houdinis_baggage.cards import CARD_COLOURS, CARD_SHAPES, Card, Trait
from bot.games.houdinis_baggage.pieces import BaggageEnd, BaggageOptions, BaggageReason
from bot.rules.options import OptionText
from bot.rules.package import Guide
from bot.rules.refusals import RefusalReason
from bot.rules.screen import Field
from bot.words import N_, NO_BREAK_SPACE, gettext as _

TRAIT_SYMBOLS = {
    Trait.RED: "🔴",
    Trait.YELLOW: "🟡",
    Trait.GREEN: "🟢",
    Trait.BLUE: "🔵",
    Trait.TRIANGLE: "▲",
    Trait.SQUARE: "■",
    Trait.CIRCLE: "●",
    Trait.STAR: "★",
}

TRAIT_NAMES = {
    Trait.RED: N_("red"),
    Trait.YELLOW: N_("yellow"),
    Trait.GREEN: N_("green"),
    Trait.BLUE: N_("blue"),
    Trait.TRIANGLE: N_("triangle"),
    Trait.SQUARE: N_("square"),
    Trait.CIRCLE: N_("circle"),
    Trait.STAR: N_("star"),
}

_BONUS_NAMES = {
    BonusKind.PLUS_COLOUR: N_("+1 colour"),
    BonusKind.PLUS_SHAPE: N_("+1 shape"),
    BonusKind.MOVE: N_("move baggage"),
    BonusKind.COPY: N_("another's bonus"),
}

_BONUS_SYMBOLS = _BONUS_NAMES | {BonusKind.MOVE: N_("move"), BonusKind.COPY: N_("another's")}

END_MESSAGES = {
    BaggageEnd.TARGET_REACHED: N_("The target is reached: the round is played to its end."),
    BaggageEnd.NOTHING_LEFT: N_("No assignment is left: the round is played to its end."),
}


def card_name(card: Card) -> str:
    """Name a card: green square."""
    return _("{colour} {shape}").format(
        colour=_(TRAIT_NAMES[CARD_COLOURS[card]]), shape=_(TRAIT_NAMES[CARD_SHAPES[card]])
    )


def card_sign(card: Card) -> str:
    """Draw a card with the signs of its colour and its shape."""
    return f"{TRAIT_SYMBOLS[CARD_COLOURS[card]]}{TRAIT_SYMBOLS[CARD_SHAPES[card]]}"


def item_name(item: Item) -> str:
    """Name an item: green 3."""
    return f"{_(TRAIT_NAMES[item.trait])} {item.number}"


def item_sign(item: Item) -> str:
    """Draw an item with the sign of what it asks for."""
    return f"{TRAIT_SYMBOLS[item.trait]}{item.number}"


def bonus_name(bonus: Bonus) -> str:
    """Name a bonus: red counts as green."""
    if bonus.before is None or bonus.after is None:
        return _(_BONUS_NAMES[bonus.kind])
    return _("{before} counts as {after}").format(
        before=_(TRAIT_NAMES[bonus.before]), after=_(TRAIT_NAMES[bonus.after])
    )


def bonus_sign(bonus: Bonus) -> str:
    """Write a bonus as short as can be, in one piece: red → green as their signs."""
    if bonus.before is None or bonus.after is None:
        return _(_BONUS_SYMBOLS[bonus.kind]).replace(" ", NO_BREAK_SPACE)
    return f"{TRAIT_SYMBOLS[bonus.before]}→{TRAIT_SYMBOLS[bonus.after]}"


ERROR_MESSAGES: dict[RefusalReason, str] = {
    BaggageReason.SEARCH_FIRST: N_("You are still searching: open another card, or stop to place what is open."),
    BaggageReason.OPEN_FIRST: N_("Open at least one card before you stop."),
    BaggageReason.SEARCH_OVER: N_("Your search is over: place cards, or say that you are done."),
    BaggageReason.TWIN: N_("A twin has ended your turn: keep one of the open cards for your bank."),
    BaggageReason.NO_TWIN: N_("A card goes to your bank only when a twin has ended your turn: open or place cards."),
    BaggageReason.CHOOSE_NOW: N_("Choose one of the open assignments first."),
    BaggageReason.NOTHING_TO_CHOOSE: N_(
        "You choose assignments after your placement, as long as you have fewer than two."
    ),
    BaggageReason.NOT_OPEN: N_("No {card} is open: choose one of the open cards."),
    BaggageReason.NOT_IN_BANK: N_(
        "There is no {card} in your bank: add a card that lies there, or place what is open."
    ),
    BaggageReason.LOOKS_ALIKE: N_(
        "A {card} is open already, and no card may be added that looks like an open one: place that one first, or add "
        "another."
    ),
    BaggageReason.NOT_YOUR_ITEM: N_("{spot} is no item of your two unfinished assignments: choose one of theirs."),
    BaggageReason.ITEM_FILLED: N_("There is a card on {spot} already: choose a free item."),
    BaggageReason.ITEM_EMPTY: N_("There is no card on {spot} that could be moved: name an item on which one lies."),
    BaggageReason.NO_MATCH: N_("The {card} does not match {item}, not even with those bonuses: choose another item."),
    BaggageReason.WRONG_VALUE: N_(
        "The {card} can't go on {item}: the number must be exactly the value at this moment. Choose an item that fits, "
        "or name bonuses that make this one fit."
    ),
    BaggageReason.NO_SUCH_BONUS: N_(
        "The bonus {use} can't be used like that in this turn: name bonuses as the table offers them."
    ),
    BaggageReason.OTHER_BONUSES: N_(
        "{spot} is filled with other bonuses, or in another order: name just those that are needed, as the table "
        "offers them."
    ),
    BaggageReason.MOVE_NO_MATCH: N_(
        "The {card} can't move to {item}: name an item that asks for its colour or its shape."
    ),
    BaggageReason.NOT_IN_ROW: N_("Assignment {number} does not lie open: choose one of those that do."),
}

GUIDE = Guide(
    summary=N_(
        "Open coloured shapes until you dare no more, and pack them into assignments whose bonuses help with the next."
    ),
    sections=(
        Field(
            N_("Baggage and values"),
            N_(
                "Each baggage card has one of four colours and one of four shapes, and there are four cards of each "
                "look. The value of a colour is the number of cards of that colour that lie open before you; the "
                "value of a shape, the number of that shape. Three open cards of which two are green: green is 2."
            ),
        ),
        Field(
            N_("1. Search"),
            N_(
                "Open cards one by one, at least one, and stop whenever you like. If a card looks exactly like one "
                "that is open, your turn is over at once: you keep one of the open cards in your bank, and the "
                "others are discarded."
            ),
        ),
        Field(
            N_("2. Placement"),
            N_(
                "Put open cards on the free items of your two assignments, one at a time. *Green 3* takes a green "
                "card while green is exactly 3: no more, no less. A card that is placed no longer counts, so the "
                "order matters. Cards of your bank may be added at any time, but none that looks like an open one. "
                "What is left in the end is discarded; what lies on an assignment stays there until it is complete."
            ),
        ),
        Field(
            N_("3. Completion"),
            N_(
                "An assignment whose items are all filled counts its points, and its bonus, which stands behind 🎁, "
                "is yours from your next turn on. You then choose from the open assignments until you have two again."
            ),
        ),
        Field(
            N_("Bonuses"),
            N_(
                "Each can be used once a turn and counts for one placement, after which everything is as before. "
                "Several can be joined.\n"
                "*Red counts as green*: all open red cards are green ones; changes form chains, colours and shapes "
                "apart.\n"
                "*+1*: the colour or the shape that the item asks for is worth one more, after all changes.\n"
                "*Move baggage*: a card that lies on an item goes to another free one that has its colour or shape, "
                "whatever the number; that is no placement.\n"
                "*Another's bonus*: use any bonus of somebody else's completed assignments; they lose nothing."
            ),
        ),
        Field(
            N_("Start and end"),
            N_(
                "Everybody begins with an assignment of 1 point and one of 2; chance says who starts. When somebody "
                "has 25 points (unless you chose another target) the round is played to its end, so that all have "
                "had as many turns, and most points win. A tie goes to whoever completed more assignments of 6 "
                "points, then of 5, and so on; if all that is equal the win is shared."
            ),
        ),
        Field(
            N_("By command"),
            N_(
                "Assignments have numbers, their items letters from the left: `/baggage place what: green square on "
                "17b with 4 9` uses the bonuses of your assignments 4 and 9. `9:22` copies with your 9 the bonus of "
                "somebody's 22. The command suggests all that is possible."
            ),
        ),
    ),
)

OPTION_TEXTS = {
    "target": OptionText(N_("Target"), N_("Once somebody has so many points, the round is played to its end.")),
}


def describe_options(options: BaggageOptions) -> tuple[str, ...]:
    """Name the target where it is not the usual one. Rule HB-O1."""
    if options == BaggageOptions():
        return ()
    return (_("to {target} points").format(target=options.target),)
