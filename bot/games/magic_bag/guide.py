"""How to play The Magic Bag: the pages of its guide, and their pictures."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from bot.games.magic_bag.facts import Cover
from bot.games.magic_bag.picture import coin_marks, die_marks, tile_marks
from bot.games.magic_bag.pieces import (
    PIECES,
    STARTING_COINS,
    Layout,
    MagicBagOptions,
    Piece,
    ReferenceSheet,
    State,
    Suit,
)
from bot.games.magic_bag.sheet_picture import (
    SHEET_HEIGHT,
    SHEET_WIDTH,
    sheet_marks,
    silhouette_marks,
    suit_sprite,
)
from bot.games.magic_bag.words import SUIT_NAMES
from bot.reading_order import spoken_row
from bot.rules.components import action_frame, change_brackets
from bot.rules.guide import (
    Drawing,
    Guide,
    GuidePage,
    ListLine,
    Plate,
    SceneRow,
    caption,
    list_row,
    plates_row,
    side_by_side,
    stack_rows,
)
from bot.rules.picture import Box, ColourRole, Mark, Picture, Rect, Sprite
from bot.words import N_, gettext as _, keep_order

_TILE_WIDTH, _TILE_HEIGHT, _COIN_WIDTH, _PITCH = 132, 90, 117, 150
"""Half as large again as on the table."""

_ROW = (Piece(Suit.CROWN, 2), Piece(Suit.CROWN, 0), Piece(Suit.SUN, 5))
_MATCHING = (2, 4, 0, 5)
"""The dice that match the row: sun, moon, crown and arms."""

_FAILED = (1, 4, 3, 5)
_ARTIFACTS = tuple(Piece(Suit.ARMS, value) for value in (1, 2, 3, 5)) + tuple(
    Piece(suit, value) for suit, value in ((Suit.SUN, 5), (Suit.SUN, 3), (Suit.MOON, 4))
)


def build_guide(sheet: ReferenceSheet) -> Guide[MagicBagOptions]:
    """Return the guide with a reference sheet."""
    return Guide(
        summary=N_("A solitaire with four dice: fill rows of tiles and draw coins from the bag."),
        build_pages=lambda _options: (*_turn_pages(), *_end_pages(sheet)),
    )


def _turn_pages() -> Iterator[GuidePage]:
    """Yield goal and turn. Rules MB-1 to MB-6."""
    yield GuidePage(
        _("The goal"),
        _(
            "You play alone. Take rows of tiles to draw coins from the bag. 👑 crowns are gold; ☀️ suns, 🌙 moons and "
            "🛡️ shield parts are pieces of three artifacts. Score as much as you can before the bag is empty, the "
            "board is cleared, or your luck runs out."
        ),
        draw_goal,
    )
    yield GuidePage(
        _("What's on the table"),
        _(
            "Each suit has a die, six tiles and six coins with the values 0 (null), 1 (ace), 2, 3, 4 and 5. The 24 "
            "tiles lie in nine rows. You start with the crowns 0, 1 and 2; the other 21 coins are in the bag."
        ),
        draw_pieces,
    )
    yield GuidePage(
        _("Your turn"),
        _(
            "Roll all four dice. Then you may tap the dice to keep and re-roll the others, twice at most; a die you "
            "kept can be rolled again later. You can stop early and take a row."
        ),
        draw_turn,
    )
    yield GuidePage(
        _("Taking a row"),
        _(
            "A row fits if each of its tiles has a die of its own with the same value. Suits don't matter for that, "
            "and extra dice are ignored. Tiles that a die covers are bright. If several rows fit, choose one; if any "
            "fits after your last roll, you must take one."
        ),
        draw_match,
    )
    yield GuidePage(
        _("Drawing coins"),
        _(
            "A row brings one coin from the bag, by chance. Each of its tiles that a die equals in suit *and* value "
            "is gold and brings one more. The row is gone then."
        ),
        draw_coins,
    )
    yield GuidePage(
        _("If no row fits"),
        _(
            "Finish the game, or give up one of your coins to play on. After the coin, you may also take away one tile "
            "that a die equals in suit and value: a shorter row is easier to fill."
        ),
        draw_failure,
    )


def _end_pages(sheet: ReferenceSheet) -> Iterator[GuidePage]:
    """Yield treasure and end. Rules MB-7 to MB-12."""
    yield GuidePage(
        _("Treasure"),
        _(
            "Crowns are gold and score their values. Pieces of an artifact that touch, side by side or one above the "
            "other, form a group. Groups of one to six pieces score 10, 30, 60, 100, 150 and 210 points."
        ),
        partial(draw_treasure, sheet),
    )
    yield GuidePage(
        _("The end"),
        # Translators: `Rob LeGood` is a name.
        _(
            "The game ends when you draw the last coin, clear the board, or finish, or if no row fits and you have no "
            "coin to give up. If the bag runs out while tiles are left, they score 10 times the sum of their "
            "values.\nRob LeGood invented the game in 2003 and holds its copyright."
        ),
        draw_end,
    )


def draw_goal() -> Picture:
    """Return the bag and what comes out of it."""
    lines = [
        ListLine(_coins(Piece(Suit.CROWN, 4), Piece(Suit.CROWN, 5)), _("gold: the sum of its values")),
        ListLine(_coins(Piece(Suit.SUN, 5), Piece(Suit.SUN, 3)), _("pieces that touch form groups")),
    ]
    bag = SceneRow(100, lambda at: [Sprite("magic_bag/bag", at.center(84, 84))])
    return stack_rows(
        _("The bag, with gold and pieces of artifacts."), bag, spoken_row(list_row(lines, width=250, height=94))
    )


def draw_pieces() -> Picture:
    """Return the suits and a row of tiles."""
    lines = [ListLine(_suit(suit), _(SUIT_NAMES[suit])) for suit in Suit]
    rows = SceneRow(
        300, lambda at: [mark for nth in range(3) for mark in _tiles(_ROWS[nth], at._replace(y=at.y + 100 * nth))]
    )
    return stack_rows(
        _("The four suits, and rows of tiles."), side_by_side(spoken_row(list_row(lines, width=84, height=66)), rows)
    )


def draw_turn() -> Picture:
    """Return dice before and after a roll."""
    return stack_rows(
        _("Four dice; two of them are kept and two are rolled again."),
        caption(_("roll all four dice ...")),
        _dice((3, 1, 0, 5)),
        caption(_("... and re-roll any of them, twice at most")),
        _dice(_MATCHING, new=(0, 1)),
    )


def draw_match() -> Picture:
    """Return dice that match a row."""
    return stack_rows(
        _("A row of three tiles with the values 2, 0 and 5, which dice show."),
        caption(_("this row needs 2, 0 and 5 ...")),
        SceneRow(_TILE_HEIGHT + 8, lambda at: _tiles(_ROW, at.center(3 * _PITCH, _TILE_HEIGHT))),
        caption(_("... and these dice show them")),
        _dice(_MATCHING, framed=(0, 2, 3)),
    )


def draw_coins() -> Picture:
    """Return the coins of a row."""
    return stack_rows(
        _("The tile of the crown 0 equals a die, so the row brings two coins."),
        SceneRow(_TILE_HEIGHT + 8, lambda at: _tiles(_ROW, at.center(3 * _PITCH, _TILE_HEIGHT), exact=(1,))),
        _dice(_MATCHING, framed=(2,)),
        plates_row(
            [Plate("1", _("coin for the row")), Plate("+1", _("a gold tile: same suit and value"), ColourRole.GOLD)]
        ),
    )


def draw_failure() -> Picture:
    """Return a failed roll and a discarded coin."""
    coin, tile = Piece(Suit.CROWN, 1), Piece(Suit.ARMS, 5)
    lines = [
        ListLine(lambda at: coin_marks(coin, at.center(_COIN_WIDTH, _TILE_HEIGHT)), _("give up a coin to play on")),
        ListLine(
            lambda at: tile_marks(tile, at.center(_TILE_WIDTH, _TILE_HEIGHT), Cover.EXACT),
            _("and take a tile that a die equals"),
        ),
    ]
    return stack_rows(
        _("Dice that fit no row, a coin given up and a tile taken away."),
        _dice(_FAILED),
        caption(_("no row fits")),
        spoken_row(list_row(lines, width=150, height=96)),
    )


def draw_treasure(sheet: ReferenceSheet) -> Picture:
    """Return artifacts with groups of pieces."""
    plates = [Plate("10", _("1 piece")), Plate("30", "2"), Plate("60", "3"), Plate("100", "4")]
    plates += [Plate("150", "5"), Plate("210", "6")]
    return stack_rows(
        _("The artifacts with groups of pieces, and what a group of each size scores."),
        caption(_("pieces in a group, and their points")),
        plates_row(plates, 44),
        SceneRow(SHEET_HEIGHT + 24, lambda at: _sheet(sheet, at.center(SHEET_WIDTH, SHEET_HEIGHT))),
    )


def draw_end() -> Picture:
    """Return the tiles that score when the bag is empty."""
    left = (Piece(Suit.SUN, 0), Piece(Suit.CROWN, 5), Piece(Suit.MOON, 2))
    formula = "10 × (0 + 5 + 2)"
    return stack_rows(
        _("An empty bag, and tiles that are left: {formula} points.").format(formula=keep_order(formula)),
        caption(_("the bag is empty; these tiles are left:")),
        SceneRow(_TILE_HEIGHT + 8, lambda at: _tiles(left, at.center(3 * _PITCH, _TILE_HEIGHT))),
        plates_row([Plate("+70", formula, ColourRole.GOLD)]),
    )


_ROWS = (
    (Piece(Suit.SUN, 1),),
    (Piece(Suit.MOON, 3), Piece(Suit.CROWN, 2)),
    (Piece(Suit.CROWN, 1), Piece(Suit.SUN, 0), Piece(Suit.ARMS, 4)),
)


def _dice(faces: Sequence[int], *, new: Collection[int] = (), framed: Collection[int] = ()) -> SceneRow:
    """Return the four dice; new and framed are places, counted from 0."""

    def build(at: Rect) -> Iterable[Mark]:
        for nth, room in enumerate(at.center(4 * 160, 152).split_columns(4)):
            place = room.center(124, 124)
            yield from die_marks(Piece(Suit(nth), faces[nth]), place)
            if nth in new:
                yield from change_brackets(place)
            if nth in framed:
                yield action_frame(place, 20)

    return SceneRow(152, build)


def _tiles(row: Sequence[Piece], at: Rect, *, exact: Collection[int] = ()) -> Iterable[Mark]:
    """Return tiles from the left, some of which equal a die."""
    for nth, piece in enumerate(row):
        place = Rect(at.x + _PITCH * nth, at.y, _TILE_WIDTH, _TILE_HEIGHT)
        yield from tile_marks(piece, place, Cover.EXACT if nth in exact else Cover.VALUE)


def _sheet(sheet: ReferenceSheet, at: Rect) -> Iterable[Mark]:
    collected = (*STARTING_COINS, *_ARTIFACTS)
    bag = tuple(piece for piece in PIECES if piece not in collected)
    state = State(Layout(sheet, (), (), bag, collected, ()), (0, 0, 0, 0), 2, (), None)
    return (*silhouette_marks(sheet, at), *sheet_marks(state, (), at))


def _coins(*pieces: Piece) -> Drawing:
    def draw(at: Rect) -> Iterable[Mark]:
        for nth, piece in enumerate(pieces):
            yield from coin_marks(piece, Rect(at.x + 130 * nth, at.y + 2, _COIN_WIDTH, _TILE_HEIGHT))

    return draw


def _suit(suit: Suit) -> Drawing:
    return lambda at: [
        Box(at.center(66, 66), ColourRole.PAPER, radius=14),
        suit_sprite(suit, at.center(52, 52)),
    ]
