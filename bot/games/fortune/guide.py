"""How to play Fortune: the pages of its guide, and their pictures."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from bot.games.fortune.card_picture import CARD_SIZE, card_marks
from bot.games.fortune.dice_picture import blank_die, die_marks
from bot.games.fortune.pieces import DICE_COUNT, FACE_LETTERS, FACES, Card, CardKind, Deck, FortuneOptions
from bot.games.fortune.rules import start_turn
from bot.games.fortune.scoring import MIN_SET_SIZE, SET_POINTS
from bot.games.fortune.words import CARD_TEXTS, card_title
from bot.reading_order import spoken_rows
from bot.rules.components import change_brackets
from bot.rules.guide import Guide, GuidePage, Plate, SceneRow, caption, plates_row, seats_row, stack_rows
from bot.rules.picture import Align, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.seat_rows import RowFormat, SeatRow, SeatSign
from bot.words import N_, format_number, gettext as _, join_items, ngettext, pgettext

_CAPTAIN = Card(CardKind.CAPTAIN)
_FACES = dict(zip(FACE_LETTERS, FACES, strict=True))


def build_guide(deck: Deck) -> Guide[FortuneOptions]:
    """Return the guide for a deck."""
    return Guide(
        summary=N_("Roll eight dice for treasure, and stop before three skulls take it away."),
        build_pages=lambda options: (
            *_turn_pages(options),
            *_scoring_pages(),
            *_card_pages(deck),
            *_last_pages(options),
        ),
    )


def _turn_pages(options: FortuneOptions) -> Iterator[GuidePage]:
    """Yield goal and turn. Rules FO-1 to FO-4."""
    yield GuidePage(
        _("The goal"),
        _(
            "Each turn brings a new card. Roll eight dice, and stop in time to keep your points: three skulls take "
            "them away. Race past **{target}**."
        ).format(target=format_number(options.target)),
        partial(draw_goal, options.target),
    )
    yield GuidePage(
        _("Your turn"),
        _(
            "Flip a card; it lasts this turn and changes what counts. Then roll all eight dice. The first player of "
            "the game is random."
        ),
        draw_turn,
    )
    yield GuidePage(
        _("Roll again, or stop"),
        _(
            "After each roll, stop and score your dice, or tap the dice to keep and re-roll the others, as often as "
            "you like. Dice you kept before may be rolled, too, but never a single die."
        ),
        draw_reroll,
    )
    yield GuidePage(
        _("Skulls"),
        _(
            "💀 stays where it is and can't be rolled again. With three skulls, counting the card's, you bust: your "
            "turn is over, without points."
        ),
        draw_bust,
    )


def _scoring_pages() -> Iterator[GuidePage]:
    """Yield scoring and the Island. Rules FO-5 to FO-11."""
    yield GuidePage(
        pgettext("dice", "Sets"),
        _(
            "Three or more of a kind score: three **100**, four **200**, five **500**, six **1,000**, seven **2,000**, "
            "eight **4,000**. Nine, with the card's, count as eight. Skulls form no sets."
        ),
        draw_sets,
    )
    yield GuidePage(
        _("Treasure and full chest"),
        _(
            "Each 🪙 and each 💎 scores **100**, on top of its set.\n"
            "If all eight dice score, your chest is full: **500** more. 🪙 and 💎 always score; 🐵, 🦜 and ⚔️ do in "
            "a set of three or more."
        ),
        draw_treasure,
    )
    yield GuidePage(
        _("Island of Skulls"),
        _(
            "Four or more skulls on your *first* roll, counting the card's, take you to the Island. There you roll all "
            "other dice, again and again, until a roll adds no skull, fewer than two dice are left, or you stop. You "
            "score nothing, but every opponent loses 100 per skull, even below zero."
        ),
        draw_island,
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
        partial(draw_cards, Card(CardKind.GOLD), Card(CardKind.DIAMOND), Card(CardKind.MONKEY_BUSINESS)),
    )
    yield GuidePage(
        _("Cards: helpers"),
        _(
            "🧰 **Treasure Chest**: it holds the dice you keep. They aren't rolled, and they score even if you bust, "
            "but without a full chest.\n"
            "🧔 **Captain**: your points are doubled, the full chest too. On the Island each skull costs 200.\n"
            "🔮 **Sorceress**: once this turn, tap a 💀 to free it, and roll it alone or with other dice. She can save "
            "you from the third skull, but not from a fourth."
        ),
        partial(draw_cards, Card(CardKind.TREASURE_CHEST), Card(CardKind.CAPTAIN), Card(CardKind.SORCERESS)),
    )
    yield GuidePage(
        _("Cards: trouble"),
        _(
            "💀 **Skulls**: you start with one or two skulls.\n"
            "🌊 **Storm**: two rolls at most, counting the first. Only 🪙 and 💎 score: 200 each, and their sets as "
            "usual. On the Island you get one roll.\n"
            "🕊️ **Truce**: if you stop with swords, each costs you 1,000 and nothing else counts. After a bust or "
            "on the Island, they cost nothing."
        ),
        partial(draw_cards, Card(CardKind.SKULLS, skulls=1), Card(CardKind.STORM), Card(CardKind.TRUCE)),
    )
    battle = next(entry.build_card() for entry in deck.cards if entry.kind is CardKind.SEA_BATTLE)
    yield GuidePage(
        _("Card: Sea Battle"),
        _(
            "⛵ **Sea Battle**: stop with at least as many ⚔️ as the card shows, and you score its bonus on top. With "
            "fewer, or if you bust, you lose the bonus and your dice don't count. Swords that win count toward a full "
            "chest. There is no Island: four skulls on the first roll are a bust."
        ),
        partial(draw_sea_battle, battle),
    )
    cards = join_items([f"{card_title(entry.build_card())} × {entry.copies}" for entry in deck.cards])
    count = sum(entry.copies for entry in deck.cards)
    text = ngettext(
        "{count} card: {cards}. They are shuffled once; used cards go to the bottom.",
        "{count} cards: {cards}. They are shuffled once; used cards go to the bottom.",
        count,
    )
    yield GuidePage(
        _("The deck"),
        text.format(count=count, cards=cards),
        partial(draw_deck, deck),
    )


def _last_pages(options: FortuneOptions) -> Iterator[GuidePage]:
    """Yield the option that the table uses, and the end. Rules FO-8 and FO-E1 to FO-E3."""
    if options.nine_wins:
        yield GuidePage(
            _("Nine wins"),
            _(
                "At this table, eight 🪙 with the Gold card, or eight 💎 with the Diamond card, win the game "
                "immediately."
            ),
            draw_nine,
            "nine_wins",
        )
    text = _(
        "End a turn above **{target}** and you cross the finish line: everyone else gets one last "
        "turn. Then the highest total wins if it is still above the line; the Island can push it back. If nobody is "
        "above it, play goes on. Equal totals share the win."
    )
    yield GuidePage(_("The end"), text.format(target=format_number(options.target)), partial(draw_end, options.target))


def draw_goal(target: int) -> Picture:
    """Return a race with a leader beyond the line."""
    rows = [SeatRow(0, target + 400, sign=SeatSign.FLAG), SeatRow(1, target * 6 // 10), SeatRow(2, target * 3 // 10)]
    return stack_rows(_("A race of three players to the finish line."), _dice("GDGDMSPG", 88), *_race(rows, target))


def draw_turn() -> Picture:
    """Return a card beside eight dice."""
    return _card_scene(
        _("A card beside eight dice to roll."), _CAPTAIN, (_("1. flip a card"), _("2. roll all eight dice"), ""), ""
    )


def draw_reroll() -> Picture:
    """Return two dice that were rolled again."""
    return stack_rows(
        _("Three of eight dice are rolled again."),
        caption(_("keep what you like ...")),
        _dice("GGMMKPSS"),
        caption(_("... and re-roll the rest, two dice at least")),
        _dice("GGMMKMGM", new=(5, 6, 7)),
    )


def draw_bust() -> Picture:
    """Return three skulls."""
    return stack_rows(
        _("Eight dice, three of which show skulls."),
        _dice("GGDKKSMK", new=(7,)),
        caption(_("the third skull: bust, no points"), 48, ColourRole.SURFACE_TEXT),
    )


def draw_sets() -> Picture:
    """Return the points of sets."""
    plates = [Plate(str(size), format_number(SET_POINTS[size])) for size in range(MIN_SET_SIZE, DICE_COUNT + 1)]
    return stack_rows(
        _("The points for three to eight dice of a kind, with four monkeys for 200 points."),
        caption(_("dice of a kind, and their points")),
        plates_row(plates),
        _dice("MMMM", 112),
        caption(_("four of a kind: 200 points")),
    )


def draw_treasure() -> Picture:
    """Return a full chest."""
    return stack_rows(
        _("Eight dice that all score: a full chest."),
        _dice("PPPMMMMG"),
        plates_row(
            [
                Plate("100", _("parrots")),
                Plate("200", _("monkeys")),
                Plate("100", _("gold coin")),
                Plate("500", _("full chest"), ColourRole.GOLD),
            ]
        ),
        caption(_("all eight dice score: 900 points")),
    )


def draw_island() -> Picture:
    """Return a first roll with four skulls."""
    return stack_rows(
        _("A first roll with four skulls; every opponent loses 400."),
        SceneRow(144, lambda at: [Sprite("fortune/island", at.center(144, 144))]),
        _dice("KKKKGMSD"),
        caption(_("four skulls: every opponent loses 400")),
    )


def draw_cards(*cards: Card) -> Picture:
    """Return up to three cards."""

    def build(at: Rect) -> Iterable[Mark]:
        for card, room in zip(cards, at.split_columns(3), strict=False):
            yield from card_marks(start_turn(card), room._replace(height=CARD_SIZE[1]).center(*CARD_SIZE))
            below = Rect(room.x, room.bottom - 56, room.width, 56)
            yield Label(_(CARD_TEXTS[card.kind].name), below, ColourRole.SURFACE_TEXT, 38)

    names = join_items([_(CARD_TEXTS[card.kind].name) for card in cards])
    return stack_rows(_("The cards {names}.").format(names=names), SceneRow(CARD_SIZE[1] + 68, build))


def draw_sea_battle(card: Card) -> Picture:
    """Return a Sea Battle beside its swords."""
    extra = ngettext("{swords} sword or more: {bonus} extra", "{swords} swords or more: {bonus} extra", card.swords)
    lines = (
        extra.format(swords=card.swords, bonus=format_number(card.bonus)),
        _("fewer, or a bust: lose {bonus}").format(bonus=format_number(card.bonus)),
    )
    return _card_scene(_("A Sea Battle card and swords."), card, lines, "S" * card.swords)


def draw_deck(deck: Deck) -> Picture:
    """Return how many cards of each kind there are."""
    plates = []
    for entry in deck.cards:
        card, name = entry.build_card(), _(CARD_TEXTS[entry.kind].name)
        figure = card.bonus or card.skulls
        plates.append(Plate(str(entry.copies), f"{name} {format_number(figure)}" if figure else name))
    rows = [plates_row(plates[at : at + 3], 40, columns=3) for at in range(0, len(plates), 3)]
    return stack_rows(_("The number of copies of each card."), *rows)


def draw_nine() -> Picture:
    """Return eight diamonds and a Diamond card."""
    return _card_scene(
        _("A Diamond card and eight diamonds."), Card(CardKind.DIAMOND), (_("nine of a kind wins!"),), "D" * 8
    )


def draw_end(target: int) -> Picture:
    """Return the last round."""
    rows = [
        SeatRow(0, target + 400, sign=SeatSign.FLAG),
        SeatRow(1, target * 8 // 10, is_to_move=True),
        SeatRow(2, target * 6 // 10),
    ]
    return stack_rows(
        _("A player has crossed the line; the others have a last turn."),
        caption(_("one last turn for each of the others")),
        *_race(rows, target),
    )


def _race(rows: Sequence[SeatRow], target: int) -> Iterator[SceneRow]:
    yield caption(_("race past {target}").format(target=format_number(target)))
    yield seats_row(rows, spoken_rows(RowFormat(target, format_number, score_width=206)))


def _dice(letters: str, side: int = 96, new: Collection[int] = ()) -> SceneRow:
    """Return dice by the letters of their faces; new are places, counted from 0."""

    def build(at: Rect) -> Iterable[Mark]:
        pitch = min(side + 30, at.width // len(letters))
        row = at.center(pitch * len(letters), side)
        for nth, letter in enumerate(letters):
            place = Rect(row.x + pitch * nth, row.y, pitch, side).center(side, side)
            yield from die_marks(_FACES[letter], place)
            if nth in new:
                yield from change_brackets(place)

    return SceneRow(side + 20, build)


def _card_scene(description: str, card: Card, lines: Sequence[str], letters: str) -> Picture:
    """Return a card, and lines of text and dice to its right."""

    def build(at: Rect) -> Iterable[Mark]:
        yield from card_marks(start_turn(card), Rect(at.x, at.y + (at.height - CARD_SIZE[1]) // 2, *CARD_SIZE))
        room = Rect(at.x + CARD_SIZE[0] + 34, at.y, at.width - CARD_SIZE[0] - 34, at.height)
        for nth, line in enumerate(filter(None, lines)):
            yield Label(
                line, Rect(room.x, room.y + 10 + 58 * nth, room.width, 56), ColourRole.SURFACE_TEXT, 38, Align.LEFT
            )
        for nth in range(len(letters) or DICE_COUNT):
            row, column = divmod(nth, 4)
            place = Rect(room.x + 116 * column, room.y + 140 + 106 * row, 92, 92)
            yield from die_marks(_FACES[letters[nth]], place) if letters else (blank_die(place),)

    return stack_rows(description, SceneRow(348, build))
