"""The words of Fortune: names and symbols of faces and cards, error messages, and the length of a game."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bot.games.fortune.facts import FirstRollRisk, Part, Result, ScorePart, first_roll_risk_of, result_of
from bot.games.fortune.pieces import Card, CardKind, Face, Faces, FortuneOptions, FortuneReason, State, Turn, TurnEnded
from bot.rules.refusals import RefusalReason
from bot.words import N_, format_number, format_signed, gettext as _, join_items, list_facts, ngettext, with_note

_SECONDS_PER_TURN = 50
"""The average length of a person's turn: about four moves, with time to think."""

_POINTS_PER_TURN = 700
"""The computer player's average points per turn, less losses to the Island."""


class FaceText(NamedTuple):
    """How texts show a face: its symbol, its name alone, and the text for a number of them."""

    symbol: str
    name: str
    counted: Callable[[int], str]


FACE_TEXTS = {
    Face.SKULL: FaceText("💀", N_("skull"), lambda count: ngettext("{count} skull", "{count} skulls", count)),
    Face.MONKEY: FaceText("🐵", N_("monkey"), lambda count: ngettext("{count} monkey", "{count} monkeys", count)),
    Face.PARROT: FaceText("🦜", N_("parrot"), lambda count: ngettext("{count} parrot", "{count} parrots", count)),
    Face.SWORD: FaceText("⚔️", N_("sword"), lambda count: ngettext("{count} sword", "{count} swords", count)),
    Face.GOLD: FaceText("🪙", N_("coin"), lambda count: ngettext("{count} coin", "{count} coins", count)),
    Face.DIAMOND: FaceText("💎", N_("diamond"), lambda count: ngettext("{count} diamond", "{count} diamonds", count)),
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
    CardKind.TREASURE_CHEST: N_("the dice you keep go into the chest and score even if you bust."),
    CardKind.CAPTAIN: N_("your points are doubled; on the Island each skull costs opponents 200."),
    CardKind.SORCERESS: N_("once this turn, free a skull and re-roll it, even the third."),
    CardKind.GOLD: N_("one extra gold coin, which scores and counts toward a set."),
    CardKind.DIAMOND: N_("one extra diamond, which scores and counts toward a set."),
    CardKind.MONKEY_BUSINESS: N_("monkeys and parrots count as one kind."),
    CardKind.STORM: N_("two rolls at most; only gold and diamonds score, 200 each."),
    CardKind.TRUCE: N_("stopping with swords costs 1,000 each, and nothing else counts."),
}
"""The effect of each kind of card but Skulls and Sea Battle, which depends on a number."""

_CARD_RULES = {
    CardKind.TREASURE_CHEST: N_("Chest: its dice score even after a bust"),
    CardKind.CAPTAIN: N_("Captain: all points count double"),
    CardKind.SORCERESS: N_("Sorceress: frees a skull, even the third"),
    CardKind.GOLD: N_("Gold: one more coin"),
    CardKind.DIAMOND: N_("Diamond: one more diamond"),
    CardKind.MONKEY_BUSINESS: N_("Monkeys and parrots count as one kind"),
    CardKind.STORM: N_("Storm: 2 rolls; only 🪙 💎 pay, 200 each"),
    CardKind.TRUCE: N_("Truce: each sword you keep costs 1,000"),
}
"""The rule of each kind of card but Skulls and Sea Battle in a line."""

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


def card_title(card: Card) -> str:
    """Return the name of a card with its figures."""
    match card.kind:
        case CardKind.SKULLS:
            return with_note(card_name(card), format_number(card.skulls))
        case CardKind.SEA_BATTLE:
            figures = f"{format_number(card.swords)} ⚔️", format_number(card.bonus)
            return with_note(card_name(card), list_facts(figures))
        case _:
            return card_name(card)


def describe_goal(options: FortuneOptions) -> str:
    """Return the score that ends the game."""
    return _("first past {target}").format(target=format_number(options.target))


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
    return FACE_TEXTS[face].counted(count).format(count=count)


def word_part(part: ScorePart, wording: Mapping[Part, str]) -> str:
    """Put a part of the points into the words of a screen, a reading or a picture."""
    if len(part.faces) == 1:
        named = describe_face_count(part.faces[0], part.count)
    else:
        named = ngettext("{count} monkey or parrot", "{count} monkeys and parrots", part.count)
    return _(wording[part.kind]).format(
        count=part.count,
        dice=format_dice(part.faces),
        named=named.format(count=part.count),
        points=format_number(part.points),
        swords=part.count,
        wanted=part.wanted,
    )


def word_result(end: TurnEnded, name: str, wording: Mapping[Result, str]) -> str:
    """Put what a turn brought or cost into words."""
    result, amount = result_of(end)
    return _(wording[result]).format(
        name=name,
        card=card_name(end.turn.card),
        dice=format_dice(end.turn.faces),
        skulls=end.turn.skulls,
        points=format_signed(amount),
        toll=format_number(amount),
        saved=format_number(amount),
        lost=format_number(amount),
    )


def word_first_roll_risk(
    turn: Turn, wording: Mapping[FirstRollRisk, str], format_chance: Callable[[float], str]
) -> str:
    """Put the odds of the first roll into words. Rules FO-9, FO-10, FO-C3 and FO-C4."""
    kind, third, island = first_roll_risk_of(turn)
    return _(wording[kind]).format(third=format_chance(third), island=format_chance(island))


def card_name(card: Card) -> str:
    """Return the name of a card with its symbol."""
    text = CARD_TEXTS[card.kind]
    return text.symbol + " " + _(text.name)


def describe_pile(view: State) -> str:
    """Say how many cards nobody has seen yet. Rule FO-1."""
    count = len(view.unseen)
    line = ngettext("{count} card left unseen in the pile.", "{count} cards left unseen in the pile.", count)
    return line.format(count=count)


def card_effect(card: Card) -> str:
    """Return the effect of a card."""
    match card.kind:
        case CardKind.SKULLS:
            effect = ngettext("you start with one skull.", "you start with {skulls} skulls.", card.skulls)
            return effect.format(skulls=card.skulls)
        case CardKind.SEA_BATTLE:
            effect = ngettext(
                "stop with {swords}+ sword: +{bonus}. With fewer, or if you bust: −{bonus}, and your dice don't "
                "count. No Island.",
                "stop with {swords}+ swords: +{bonus}. With fewer, or if you bust: −{bonus}, and your dice don't "
                "count. No Island.",
                card.swords,
            )
            return effect.format(swords=card.swords, bonus=format_number(card.bonus))
        case kind:
            return _(_CARD_EFFECTS[kind])


def card_rule(card: Card) -> str:
    """Return the rule of a card in a line."""
    match card.kind:
        case CardKind.SKULLS:
            line = ngettext("Skulls: you start with one", "Skulls: you start with {skulls}", card.skulls)
            return line.format(skulls=card.skulls)
        case CardKind.SEA_BATTLE:
            line = ngettext(
                "Sea Battle: {swords} sword +{bonus}, else −{bonus}",
                "Sea Battle: {swords} swords +{bonus}, else −{bonus}",
                card.swords,
            )
            return line.format(swords=card.swords, bonus=format_number(card.bonus))
        case kind:
            return _(_CARD_RULES[kind])


def estimate_minutes(options: FortuneOptions, seats: int) -> int:
    """Return the expected minutes of a game, from the turns that it takes to cross the finish line."""
    return round(options.target / _POINTS_PER_TURN * seats * _SECONDS_PER_TURN / 60)
