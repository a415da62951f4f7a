"""How to play Fortune."""

from collections.abc import Iterator
from functools import partial

from bot.games.fortune.deck import Card, CardKind, Deck
from bot.games.fortune.guide import card_title
from bot.games.fortune.picture import how_to_play as pictures
from bot.games.fortune.pieces import FortuneOptions
from bot.rules.guide import Guide, GuidePage
from bot.words import N_, format_number, gettext as _, join_items


def build_guide(deck: Deck) -> Guide[FortuneOptions]:
    """Return the guide for a deck."""
    return Guide(
        summary=N_("Roll eight dice for treasure, and stop before three skulls take it away."),
        build_pages=lambda options: (
            *_turn_pages(options),
            *_scoring_pages(),
            *_card_pages(deck),
            *_option_pages(options),
            _end_page(options),
        ),
    )


def _turn_pages(options: FortuneOptions) -> Iterator[GuidePage]:
    """Yield goal and turn. Rules FO-1 to FO-4."""
    yield GuidePage(
        _("The goal"),
        _(
            "Each turn brings a new card. Roll eight dice, and stop in time to keep your points: three skulls take "
            "them away. Race past **{target}** points."
        ).format(target=format_number(options.target)),
        partial(pictures.draw_goal, options.target),
    )
    yield GuidePage(
        _("Your turn"),
        _(
            "Flip a card; it lasts this turn and changes what counts. Then roll all eight dice. The first player of "
            "the game is random."
        ),
        pictures.draw_turn,
    )
    yield GuidePage(
        _("Roll again, or stop"),
        _(
            "After each roll, stop and score your dice, or tap the dice to keep and re-roll the others, as often as "
            "you like. Dice you kept before may be rolled, too, but never a single die."
        ),
        pictures.draw_reroll,
    )
    yield GuidePage(
        _("Skulls"),
        _(
            "💀 stays where it is and can't be rolled again. With three skulls, counting the card's, you bust: your "
            "turn is over, without points."
        ),
        pictures.draw_bust,
    )


def _scoring_pages() -> Iterator[GuidePage]:
    """Yield scoring and the Island. Rules FO-5 to FO-11."""
    yield GuidePage(
        _("Sets"),
        _(
            "Three or more of a kind score: three **100**, four **200**, five **500**, six **1,000**, seven **2,000**, "
            "eight **4,000**. Nine, with the card's, count as eight. Skulls form no sets."
        ),
        pictures.draw_sets,
    )
    yield GuidePage(
        _("Treasure and full chest"),
        _(
            "Each 🪙 and each 💎 scores **100**, on top of its set.\n"
            "If all eight dice score, your chest is full: **500** more. 🪙 and 💎 always score; 🐵, 🦜 and ⚔️ do in "
            "a set of three or more."
        ),
        pictures.draw_treasure,
    )
    yield GuidePage(
        _("Island of Skulls"),
        _(
            "Four or more skulls on your *first* roll, counting the card's, take you to the Island. There you roll all "
            "other dice, again and again, until a roll adds no skull, fewer than two dice are left, or you stop. You "
            "score nothing, but every opponent loses 100 per skull, even below zero."
        ),
        pictures.draw_island,
    )


def _card_pages(deck: Deck) -> Iterator[GuidePage]:
    """Yield the cards. Rules FO-C1 to FO-C9."""
    yield GuidePage(
        _("Cards: more treasure"),
        _(
            "🪙 **Gold** and 💎 **Diamond**: you have one extra. It scores and counts toward a set, but isn't one of "
            "the eight dice of a full chest.\n"
            "🐒 **Monkey Business**: 🐵 and 🦜 count as one kind."
        ),
        partial(pictures.draw_cards, Card(CardKind.GOLD), Card(CardKind.DIAMOND), Card(CardKind.MONKEY_BUSINESS)),
    )
    yield GuidePage(
        _("Cards: helpers"),
        _(
            "🧰 **Treasure Chest**: it holds the dice you keep. They aren't rolled, and they score even if you bust, "
            "but without a full chest.\n"
            "🧔 **Captain**: your points are doubled, the full chest too. On the Island each skull costs 200.\n"
            "🔮 **Sorceress**: once this turn, free a 💀 and roll it, alone or with other dice. She can save you from "
            "the third skull, but not from a fourth."
        ),
        partial(pictures.draw_cards, Card(CardKind.TREASURE_CHEST), Card(CardKind.CAPTAIN), Card(CardKind.SORCERESS)),
    )
    yield GuidePage(
        _("Cards: trouble"),
        _(
            "💀 **Skulls**: you start with one or two skulls.\n"
            "🌊 **Storm**: two rolls at most, counting the first. Only 🪙 and 💎 score: 200 each, and their sets as "
            "usual. On the Island you get one roll.\n"
            "🕊️ **Truce**: if you stop with swords, each costs you 1,000 and nothing else counts. Not if you bust, "
            "and not on the Island."
        ),
        partial(pictures.draw_cards, Card(CardKind.SKULLS, skulls=1), Card(CardKind.STORM), Card(CardKind.TRUCE)),
    )
    battle = next(entry.build_card() for entry in deck.cards if entry.kind is CardKind.SEA_BATTLE)
    yield GuidePage(
        _("Card: Sea Battle"),
        _(
            "⛵ **Sea Battle**: stop with at least as many ⚔️ as the card shows, and you score its bonus on top. With "
            "fewer, or if you bust, you lose the bonus and your dice don't count. Swords that win count toward a full "
            "chest. There is no Island: four skulls on the first roll are a bust."
        ),
        partial(pictures.draw_sea_battle, battle),
    )
    cards = join_items([f"{card_title(entry.build_card())} × {entry.copies}" for entry in deck.cards])
    yield GuidePage(
        _("The deck"),
        _("{count} cards: {cards}. They are shuffled once; used cards go to the bottom.").format(
            count=sum(entry.copies for entry in deck.cards), cards=cards
        ),
        partial(pictures.draw_deck, deck),
    )


def _option_pages(options: FortuneOptions) -> Iterator[GuidePage]:
    """Yield the option that the table uses. Rule FO-8."""
    if options.nine_wins:
        yield GuidePage(
            _("Nine wins"),
            _(
                "At this table, eight 🪙 with the Gold card, or eight 💎 with the Diamond card, win the game "
                "immediately."
            ),
            pictures.draw_nine,
            "nine_wins",
        )


def _end_page(options: FortuneOptions) -> GuidePage:
    """Return the end. Rules FO-E1 to FO-E3."""
    text = _(
        "End a turn with more than **{target}** points and you cross the finish line: everyone else gets one last "
        "turn. Then the highest total wins if it is still above the line; the Island can push it back. If nobody is "
        "above it, play goes on. Equal totals share the win."
    )
    return GuidePage(
        _("The end"), text.format(target=format_number(options.target)), partial(pictures.draw_end, options.target)
    )
