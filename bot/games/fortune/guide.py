"""Fortune explained, its signs, and the sentences for what its rules refuse."""

from bot.games.fortune.deck import Card, CardKind, Deck, Origin
from bot.games.fortune.pieces import Face, Faces, FortuneOptions, FortuneReason
from bot.rules.options import OptionText
from bot.rules.package import Guide
from bot.rules.refusals import RefusalReason
from bot.rules.screen import Field
from bot.words import N_, format_number, gettext as _, join_items, ngettext

FACE_SYMBOLS = {
    Face.SKULL: "💀",
    Face.MONKEY: "🐵",
    Face.PARROT: "🦜",
    Face.SWORD: "⚔️",
    Face.GOLD: "🪙",
    Face.DIAMOND: "💎",
}

FACE_NAMES = {
    Face.SKULL: N_("skull"),
    Face.MONKEY: N_("monkey"),
    Face.PARROT: N_("parrot"),
    Face.SWORD: N_("sword"),
    Face.GOLD: N_("gold coin"),
    Face.DIAMOND: N_("diamond"),
}

_FACE_COUNT_TEXTS = {
    Face.SKULL: (N_("{count} skull"), N_("{count} skulls")),
    Face.MONKEY: (N_("{count} monkey"), N_("{count} monkeys")),
    Face.PARROT: (N_("{count} parrot"), N_("{count} parrots")),
    Face.SWORD: (N_("{count} sword"), N_("{count} swords")),
    Face.GOLD: (N_("{count} gold coin"), N_("{count} gold coins")),
    Face.DIAMOND: (N_("{count} diamond"), N_("{count} diamonds")),
}

CARD_SYMBOLS = {
    CardKind.TREASURE_CHEST: "🧰",
    CardKind.CAPTAIN: "🧔",
    CardKind.SORCERESS: "🔮",
    CardKind.SEA_BATTLE: "⛵",
    CardKind.GOLD: "🪙",
    CardKind.DIAMOND: "💎",
    CardKind.MONKEY_BUSINESS: "🐒",
    CardKind.SKULLS: "💀",
    CardKind.STORM: "🌊",
    CardKind.TRUCE: "🕊️",
}

CARD_NAMES = {
    CardKind.TREASURE_CHEST: N_("Treasure Chest"),
    CardKind.CAPTAIN: N_("Captain"),
    CardKind.SORCERESS: N_("Sorceress"),
    CardKind.SEA_BATTLE: N_("Sea Battle"),
    CardKind.GOLD: N_("Gold"),
    CardKind.DIAMOND: N_("Diamond"),
    CardKind.MONKEY_BUSINESS: N_("Monkey Business"),
    CardKind.SKULLS: N_("Skulls"),
    CardKind.STORM: N_("Storm"),
    CardKind.TRUCE: N_("Truce"),
}

CARD_EFFECTS = {
    CardKind.TREASURE_CHEST: N_("the dice you mark lie in the chest and still score if you are disqualified."),
    CardKind.CAPTAIN: N_("your points are doubled; on the Island each skull costs the others 200."),
    CardKind.SORCERESS: N_("once in this turn one skull comes back and is rolled again, even a third one."),
    CardKind.SEA_BATTLE: N_(
        "stop with {swords} swords or more for {bonus} points on top; with fewer, or disqualified, you lose {bonus}. "
        "There is no Island."
    ),
    CardKind.GOLD: N_("one more gold coin is yours: it scores and counts for a set."),
    CardKind.DIAMOND: N_("one more diamond is yours: it scores and counts for a set."),
    CardKind.MONKEY_BUSINESS: N_("monkeys and parrots count as one kind."),
    CardKind.STORM: N_("two rolls at most; only gold and diamonds score, 200 each."),
    CardKind.TRUCE: N_("stopping with swords costs 1,000 for each of them, and nothing else counts."),
}
"""What cards do; that of skulls depends on their number."""

ERROR_MESSAGES: dict[RefusalReason, str] = {
    FortuneReason.FIRST_ROLL: N_("Your turn begins with a roll of all eight dice: roll them first."),
    FortuneReason.TOO_FEW_DICE: N_("Roll at least two dice: a single die can't be rolled."),
    FortuneReason.NO_SUCH_DIE: N_("There is no die {die}: the dice are numbered 1 to 8."),
    FortuneReason.DIE_TWICE: N_("Die {die} is named twice: name each die once."),
    FortuneReason.OUT_OF_ORDER: N_("Name the dice in order, the lowest number first."),
    FortuneReason.SKULL_STAYS: N_("Die {die} shows a skull, and skulls stay: choose other dice."),
    FortuneReason.THIRD_SKULL: N_("You have three skulls: have the Sorceress bring one back, or stop without points."),
    FortuneReason.NO_ROLLS_LEFT: N_("The Storm leaves you two rolls, and both are made: stop now."),
    FortuneReason.WHOLE_CREW: N_(
        "On the Island of Skulls all dice without a skull are rolled: roll them all, or stop."
    ),
    FortuneReason.NO_CHEST: N_("There is no treasure chest in this turn: name only the dice to roll."),
    FortuneReason.SKULL_IN_CHEST: N_("Die {die} shows a skull, which can't lie in the chest: leave it out."),
    FortuneReason.ROLLED_FROM_CHEST: N_(
        "Die {die} is to be rolled, so it can't lie in the chest: choose one of the two."
    ),
    FortuneReason.NO_SORCERESS: N_("There is no Sorceress in this turn: roll dice without skulls, or stop."),
    FortuneReason.SPELL_USED: N_(
        "The Sorceress has helped you in this turn already: roll dice without skulls, or stop."
    ),
    FortuneReason.NO_SPELL_ON_ISLAND: N_("The Sorceress is no help on the Island of Skulls: roll on, or stop."),
    FortuneReason.NOT_A_SKULL: N_("Die {die} shows no skull: name one that does."),
}

_SECTIONS = (
    Field(
        N_("Your turn"),
        N_(
            "Chance says who begins. A card is turned up, which holds for this turn. Roll all eight dice. Then "
            "stop, or roll two or more of them again, as often as you like; dice you kept before may be rolled as "
            "well. Only 💀 stay where they are. The third skull, those of the card included, disqualifies you: no "
            "points."
        ),
    ),
    Field(
        N_("Points"),
        N_(
            "Dice that are alike: 3 bring **100**, 4 **200**, 5 **500**, 6 **1,000**, 7 **2,000**, 8 **4,000**.\n"
            "Each 🪙 and each 💎: **100** more.\n"
            "Full chest, if all eight dice bring points: **500** more. 🪙 and 💎 always do, 🐵, 🦜 and ⚔️ in a set "
            "of three or more. With nine alike, the card's included, the set counts as eight."
        ),
    ),
    Field(
        N_("Island of Skulls"),
        N_(
            "Four or more skulls on the first roll, those of the card included, take you there. All other dice are "
            "rolled as long as each roll brings another skull and two dice are left, or until you stop. You score "
            "nothing, but every opponent loses 100 for each skull, even below zero."
        ),
    ),
    Field(
        N_("Cards that change the points"),
        N_(
            "🪙 **Gold** and 💎 **Diamond**: one more of it is yours. It scores and counts for a set, but is none "
            "of the eight dice of a full chest.\n"
            "🐒 **Monkey Business**: 🐵 and 🦜 count as one kind.\n"
            "🧔 **Captain**: your points are doubled, the full chest too. On the Island each skull costs 200.\n"
            "🌊 **Storm**: two rolls at most, the first included. Only 🪙 and 💎 score: 200 each, their sets as "
            "usual. An Island voyage has one roll.\n"
            "🕊️ **Truce**: stop with swords, and each costs you 1,000 while nothing else counts. Not if you are "
            "disqualified, and not on the Island."
        ),
    ),
    Field(
        N_("Cards that change the turn"),
        N_(
            "🧰 **Treasure Chest**: after each roll put dice into the chest or take them out. Dice in it are not "
            "rolled, and they score even if you are disqualified, but without a full chest. The dice you mark lie "
            "in it.\n"
            "🔮 **Sorceress**: once in the turn one 💀 comes back and is rolled, alone or with other dice. She "
            "can save you from the third skull, but not from the fourth.\n"
            "💀 **Skulls**: you start with one or two skulls.\n"
            "⛵ **Sea Battle**: stop with as many ⚔️ as the card shows, and its points are yours on top. With "
            "fewer, or disqualified, you lose them instead and the dice don't count. Swords that win count for a "
            "full chest. There is no Island."
        ),
    ),
    Field(
        N_("The end"),
        N_(
            "Whoever ends a turn with more than 8,000 points (or the target you chose) has crossed the finish "
            "line: everybody else has one more turn. Then the highest total wins if it is still above the line; if "
            "nobody is, play goes on. Equal totals share the win."
        ),
    ),
    Field(
        N_("Variation"),
        N_(
            "*Nine wins*: with a Gold or Diamond card and all eight dice of that kind the game is won at once, as "
            "soon as they lie there."
        ),
    ),
)

OPTION_TEXTS = {
    "target": OptionText(N_("Finish line"), N_("Whoever has more points than this crosses the line.")),
    "nine_wins": OptionText(
        N_("Nine wins"), N_("A Gold or Diamond card and eight dice of that kind win the game at once.")
    ),
}


def build_guide(deck: Deck) -> Guide:
    """Explain the game as it is played with a deck."""
    return Guide(
        summary=N_(
            "Eight dice, a card for every turn, and three skulls that end it: stop in time to keep your points."
        ),
        sections=(*_SECTIONS, Field(N_("The pile"), _describe_deck(deck))),
    )


def _describe_deck(deck: Deck) -> str:
    """Name the cards, and say what of them is ours."""
    cards = join_items([f"{_card_title(entry.build_card())} × {entry.copies}" for entry in deck.cards])
    line = _("{count} cards: {cards}. They are shuffled once; a card that was used goes to the bottom.")
    told = line.format(count=sum(entry.copies for entry in deck.cards), cards=cards)
    if all(entry.copies_from is Origin.SOURCE for entry in deck.cards):
        return told
    return _("{pile} Nobody has told us how many there are of each: the numbers are ours.").format(pile=told)


def _card_title(card: Card) -> str:
    """Write what a card is called, with the figures on it."""
    match card.kind:
        case CardKind.SKULLS:
            return _("{card} ({skulls})").format(card=card_name(card), skulls=card.skulls)
        case CardKind.SEA_BATTLE:
            figures = _("{card} ({swords} ⚔️, {bonus})")
            return figures.format(card=card_name(card), swords=card.swords, bonus=format_number(card.bonus))
        case _:
            return card_name(card)


def describe_options(options: FortuneOptions) -> tuple[str, ...]:
    """Name the finish line and the variation in play, where they differ from the usual game."""
    usual = FortuneOptions()
    variations = (
        (options.target != usual.target, _("finish line at {target}").format(target=format_number(options.target))),
        (options.nine_wins, _("nine of a kind wins at once")),
    )
    return tuple(text for chosen, text in variations if chosen)


def format_dice(faces: Faces) -> str:
    """Write dice one after another."""
    return " ".join(FACE_SYMBOLS[face] for face in faces)


def describe_faces(faces: Faces) -> str:
    """Write in words how many dice show what."""
    return join_items([describe_face_count(face, count) for face in Face if (count := faces.count(face))])


def describe_face_count(face: Face, count: int) -> str:
    """Write in words so many of a face."""
    return ngettext(*_FACE_COUNT_TEXTS[face], count).format(count=count)


def card_name(card: Card) -> str:
    """Write what a card is called, with its sign."""
    return f"{CARD_SYMBOLS[card.kind]} {_(CARD_NAMES[card.kind])}"


def card_effect(card: Card) -> str:
    """Say what a card does."""
    if card.kind is CardKind.SKULLS:
        effect = ngettext("you start with one skull.", "you start with {skulls} skulls.", card.skulls)
        return effect.format(skulls=card.skulls)
    return _(CARD_EFFECTS[card.kind]).format(swords=card.swords, bonus=format_number(card.bonus))
