"""The guide to Fortune, its error messages, and the names and symbols of faces and cards."""

from collections.abc import Iterator
from typing import NamedTuple

from bot.games.fortune.deck import Card, CardKind, Deck
from bot.games.fortune.pieces import Face, Faces, FortuneOptions, FortuneReason
from bot.rules.content import Origin
from bot.rules.package import Guide
from bot.rules.refusals import RefusalReason
from bot.rules.screen import Field, make_fields
from bot.words import N_, format_number, gettext as _, join_items, ngettext


class FaceText(NamedTuple):
    """How texts show a face: its symbol, and its name alone and with counts."""

    symbol: str
    name: str
    one: str
    many: str


FACE_TEXTS = {
    Face.SKULL: FaceText("💀", N_("skull"), N_("{count} skull"), N_("{count} skulls")),
    Face.MONKEY: FaceText("🐵", N_("monkey"), N_("{count} monkey"), N_("{count} monkeys")),
    Face.PARROT: FaceText("🦜", N_("parrot"), N_("{count} parrot"), N_("{count} parrots")),
    Face.SWORD: FaceText("⚔️", N_("sword"), N_("{count} sword"), N_("{count} swords")),
    Face.GOLD: FaceText("🪙", N_("gold coin"), N_("{count} gold coin"), N_("{count} gold coins")),
    Face.DIAMOND: FaceText("💎", N_("diamond"), N_("{count} diamond"), N_("{count} diamonds")),
}


class CardText(NamedTuple):
    """How texts show a kind of card."""

    symbol: str
    name: str


CARD_TEXTS = {
    CardKind.TREASURE_CHEST: CardText("🧰", N_("Treasure Chest")),
    CardKind.CAPTAIN: CardText("🧔", N_("Captain")),
    CardKind.SORCERESS: CardText("🔮", N_("Sorceress")),
    CardKind.SEA_BATTLE: CardText("⛵", N_("Sea Battle")),
    CardKind.GOLD: CardText("🪙", N_("Gold")),
    CardKind.DIAMOND: CardText("💎", N_("Diamond")),
    CardKind.MONKEY_BUSINESS: CardText("🐒", N_("Monkey Business")),
    CardKind.SKULLS: CardText("💀", N_("Skulls")),
    CardKind.STORM: CardText("🌊", N_("Storm")),
    CardKind.TRUCE: CardText("🕊️", N_("Truce")),
}

_CARD_EFFECTS = {
    CardKind.TREASURE_CHEST: N_("the dice you pick go into the chest and score even if you bust."),
    CardKind.CAPTAIN: N_("your points are doubled; on the Island each skull costs opponents 200."),
    CardKind.SORCERESS: N_("once this turn, free a skull and re-roll it, even the third."),
    CardKind.SEA_BATTLE: N_(
        "stop with {swords}+ swords: +{bonus}. With fewer, or if you bust: −{bonus} and nothing else. No Island."
    ),
    CardKind.GOLD: N_("an extra gold coin: it scores and counts toward a set."),
    CardKind.DIAMOND: N_("an extra diamond: it scores and counts toward a set."),
    CardKind.MONKEY_BUSINESS: N_("monkeys and parrots count as one kind."),
    CardKind.STORM: N_("two rolls at most; only gold and diamonds score, 200 each."),
    CardKind.TRUCE: N_("stopping with swords costs 1,000 each, and nothing else counts."),
}
"""The effect of each kind of card but Skulls, which depends on their number."""

ERROR_MESSAGES: dict[RefusalReason, str] = {
    FortuneReason.FIRST_ROLL: N_("Roll all eight dice first."),
    FortuneReason.TOO_FEW_DICE: N_("Roll at least two dice."),
    FortuneReason.NO_SUCH_DIE: N_("There's no die {die}. The dice are numbered 1 to 8."),
    FortuneReason.DIE_TWICE: N_("You named die {die} twice. Name each die once."),
    FortuneReason.OUT_OF_ORDER: N_("Name the dice in order, lowest number first."),
    FortuneReason.SKULL_STAYS: N_("Die {die} is a skull, and skulls stay. Choose other dice."),
    FortuneReason.THIRD_SKULL: N_("You have three skulls. Have the Sorceress free one, or stop without points."),
    FortuneReason.NO_ROLLS_LEFT: N_("The Storm allows only two rolls. All you can do now is stop."),
    FortuneReason.WHOLE_CREW: N_("On the Island of Skulls you roll every die without a skull. Roll them all, or stop."),
    FortuneReason.NO_CHEST: N_("There's no treasure chest this turn. Name only the dice to roll."),
    FortuneReason.SKULL_IN_CHEST: N_("Die {die} is a skull, and skulls can't go into the chest. Leave it out."),
    FortuneReason.ROLLED_FROM_CHEST: N_("You can't roll die {die} and keep it in the chest. Choose one."),
    FortuneReason.NO_SORCERESS: N_("There's no Sorceress this turn. Roll dice without skulls, or stop."),
    FortuneReason.SPELL_USED: N_("The Sorceress has already helped you this turn. Roll dice without skulls, or stop."),
    FortuneReason.NO_SPELL_ON_ISLAND: N_("The Sorceress is no help on the Island of Skulls. Roll on, or stop."),
    FortuneReason.NOT_A_SKULL: N_("Die {die} isn't a skull. Name one that is."),
}

_SECTIONS = make_fields(
    {
        N_("Your turn"): N_(
            "The first player is random. Flip a card; it lasts this turn. Roll all eight dice. Then stop, or "
            "re-roll two or more dice as often as you like, even ones you kept before. Only 💀 stay put. At "
            "three skulls, counting the card's, you bust: no points."
        ),
        N_("Points"): N_(
            "Three of a kind: **100**. Four: **200**, five: **500**, six: **1,000**, seven: **2,000**, "
            "eight: **4,000**. Nine, with the card's, count as eight.\n"
            "Each 🪙 and each 💎: **100** more.\n"
            "Full chest, if all eight dice score: **500** more. 🪙 and 💎 always score; 🐵, 🦜 and ⚔️ do in a "
            "set of three or more."
        ),
        N_("Island of Skulls"): N_(
            "Four or more skulls on your first roll, counting the card's, take you there. You roll all other "
            "dice, again and again, until a roll adds no skull, fewer than two dice are left, or you stop. "
            "You score nothing, but every opponent loses 100 per skull, even below zero."
        ),
        N_("Cards that change the points"): N_(
            "🪙 **Gold** and 💎 **Diamond**: you have one extra. It scores and counts toward a set, but isn't "
            "one of the eight dice of a full chest.\n"
            "🐒 **Monkey Business**: 🐵 and 🦜 count as one kind.\n"
            "🧔 **Captain**: your points are doubled, the full chest too. On the Island each skull costs 200.\n"
            "🌊 **Storm**: two rolls at most, counting the first. Only 🪙 and 💎 score: 200 each, and their "
            "sets as usual. On the Island you get one roll.\n"
            "🕊️ **Truce**: if you stop with swords, each costs you 1,000 and nothing else counts. Not if you "
            "bust, and not on the Island."
        ),
        N_("Cards that change the turn"): N_(
            "🧰 **Treasure Chest**: after each roll, put dice into the chest or take them out: it holds the "
            "dice you pick. They aren't rolled, and they score even if you bust, but without a full chest.\n"
            "🔮 **Sorceress**: once this turn, free a 💀 and roll it, alone or with other dice. She can save "
            "you from the third skull, but not from a fourth.\n"
            "💀 **Skulls**: you start with one or two skulls.\n"
            "⛵ **Sea Battle**: stop with at least as many ⚔️ as the card shows to score its bonus on top. "
            "With fewer, or if you bust, you lose the bonus and your dice don't count. Swords that win count "
            "toward a full chest. There is no Island."
        ),
        N_("The end"): N_(
            "End a turn with more than 8,000 points (or the target you chose) and you cross the finish line: "
            "everyone else gets one last turn. Then the highest total wins if it is still above the line. If "
            "nobody is, play goes on. Equal totals share the win."
        ),
    }
)


def build_guide(deck: Deck) -> Guide:
    """Return the guide for a deck."""
    return Guide(
        summary=N_(
            "Eight dice, a new card every turn, and three skulls that end it: stop in time to keep your points."
        ),
        sections=(*_SECTIONS, *_deck_fields(deck)),
    )


def _deck_fields(deck: Deck) -> Iterator[Field]:
    """Yield the list of cards, and a note if we chose some of the numbers."""
    cards = join_items([f"{_card_title(entry.build_card())} × {entry.copies}" for entry in deck.cards])
    line = _("{count} cards: {cards}. They are shuffled once; used cards go to the bottom.")
    yield Field(N_("The deck"), line.format(count=sum(entry.copies for entry in deck.cards), cards=cards))
    if any(entry.copies_from is not Origin.SOURCE for entry in deck.cards):
        yield Field(N_("About"), _("Our source doesn't say how many cards of each kind there are, so we chose."))


def _card_title(card: Card) -> str:
    """Return the name of a card with its figures."""
    match card.kind:
        case CardKind.SKULLS:
            return _("{card} ({skulls})").format(card=card_name(card), skulls=card.skulls)
        case CardKind.SEA_BATTLE:
            figures = _("{card} ({swords} ⚔️, {bonus})")
            return figures.format(card=card_name(card), swords=card.swords, bonus=format_number(card.bonus))
        case _:
            return card_name(card)


def describe_options(options: FortuneOptions) -> tuple[str, ...]:
    """Name the options that differ from the defaults."""
    usual = FortuneOptions()
    variations = (
        (options.target != usual.target, _("finish line at {target}").format(target=format_number(options.target))),
        (options.nine_wins, _("nine of a kind wins immediately")),
    )
    return tuple(text for chosen, text in variations if chosen)


def format_dice(faces: Faces) -> str:
    """Return the symbols of dice."""
    return " ".join(FACE_TEXTS[face].symbol for face in faces)


def describe_faces(faces: Faces) -> str:
    """Return in words how many dice show each face."""
    return join_items([describe_face_count(face, count) for face in Face if (count := faces.count(face))])


def describe_face_count(face: Face, count: int) -> str:
    """Return in words a number of dice with a face."""
    text = FACE_TEXTS[face]
    return ngettext(text.one, text.many, count).format(count=count)


def card_name(card: Card) -> str:
    """Return the name of a card with its symbol."""
    text = CARD_TEXTS[card.kind]
    return f"{text.symbol} {_(text.name)}"


def card_effect(card: Card) -> str:
    """Return the effect of a card."""
    if card.kind is CardKind.SKULLS:
        effect = ngettext("you start with one skull.", "you start with {skulls} skulls.", card.skulls)
        return effect.format(skulls=card.skulls)
    return _(_CARD_EFFECTS[card.kind]).format(swords=card.swords, bonus=format_number(card.bonus))
