"""The pictures of Change's guide."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from bot.games.change.board import Board, Space, SpaceEntry
from bot.games.change.guide import card_name, summarize_space
from bot.games.change.picture.board import HEIGHT, board_marks, letter_marks, set_colour, space_colours, space_sprite
from bot.rules.components import FRAME_WIDTH, die_marks, token_marks
from bot.rules.picture import (
    PICTURE_WIDTH,
    Align,
    Box,
    ColourRole,
    Label,
    Mark,
    Picture,
    Rect,
    Sprite,
    text_colour_on,
)
from bot.rules.scenes import (
    Drawing,
    ListLine,
    Plate,
    SceneRow,
    caption,
    dice_row,
    list_row,
    make_dice,
    plates_row,
    stack_rows,
)
from bot.words import gettext as _, join_items

_TILE_WIDTH, _TILE_HEIGHT = 306, 172
_CHALLENGE = ((5, 4, 2), (4, 1), (4,))
"""The rolls of a challenge that succeeds; the first die of each is set aside."""


def draw_goal(credits_: int) -> Picture:
    """Return a Ragz that gets rid of its credits."""
    ragz = SceneRow(128, lambda at: [Sprite("change/ragz-1", at.center(96, 128))])
    return stack_rows(
        _("A Ragz, its credits at the start, and none at the end."),
        ragz,
        plates_row([Plate(str(credits_), _("Self Credits at the start")), Plate("0", _("you win!"), ColourRole.GOLD)]),
    )


def draw_turn() -> Picture:
    """Return a track roll, and doubles."""
    return stack_rows(
        _("A track roll of four and one moves five spaces; doubles lead to Start."),
        dice_row(make_dice((4, 1)), note=_("move five spaces")),
        dice_row(make_dice((3, 3)), note=_("doubles: to Start, turn over")),
    )


def draw_board(board: Board) -> Picture:
    """Return the board without pieces."""
    return Picture((PICTURE_WIDTH, HEIGHT), board_marks(board), (), _("The board."))


def draw_legend(board: Board) -> Picture:
    """Return a challenge space, enlarged, and what else is seen on the board."""
    space = _space_worth(board, 10)
    entry = board.spaces[space]
    text = _("{name}: a bad habit worth {credits}, of set {set}").format(
        name=entry.name, credits=entry.credits, set=entry.set
    )
    lines = [
        ListLine(_sprite("change/marker-2", 84), _("a challenge marker of player 2")),
        ListLine(_sprite("change/ragz-2", 66, 88), _("the Ragz (piece) of player 2")),
        ListLine(_frame, _("you may go there now")),
        ListLine(_sprite("change/card", 60, 84), _("message cards in a hand")),
        ListLine(_sprite("change/marker", 76), _("markers on the board")),
    ]
    return stack_rows(
        _("A challenge space, a marker, a Ragz, a yellow frame, and the signs of cards and markers."),
        SceneRow(_TILE_HEIGHT + 8, lambda at: _space_tile(board, space, at, (1,))),
        caption(text, 36),
        list_row(lines, width=96, height=92, size=40),
    )


def draw_spaces(board: Board, spaces: Collection[Space]) -> Picture:
    """Return some spaces that are no challenges, with their pictures and what they say in a few words."""
    entries = [board.spaces[space] for space in spaces]
    lines = [
        ListLine(_space_picture(entry), _("{space}: {rule}").format(space=entry.name, rule=summarize_space(entry)))
        for entry in entries
    ]
    text = _("The pictures of {spaces}.").format(spaces=join_items([entry.name for entry in entries]))
    return stack_rows(text, list_row(lines, width=128, height=104, size=42))


def _space_picture(entry: SpaceEntry) -> Drawing:
    """Return the picture of a space that is no challenge, in the colours of its space."""

    def draw(at: Rect) -> Iterable[Mark]:
        fill, ink = space_colours(entry)
        yield Box(at, fill, ColourRole.SURFACE_LINE, 12, 3)
        yield space_sprite(entry, at.center(104, 78) if entry.action else at.center(80, 80), ink)

    return draw


def _sprite(name: str, width: int, height: int = 0) -> Drawing:
    return lambda at: [Sprite(name, at.center(width, height or width))]


def _frame(at: Rect) -> Iterable[Mark]:
    yield Box(at.center(88, 64), None, ColourRole.MARK, 11, FRAME_WIDTH)


def draw_landing(board: Board) -> Picture:
    """Return a space with a marker, and what a landing does there."""
    space = _space_worth(board, 10)
    lines = [
        ListLine(_token(0), _("has a marker here: releases 10")),
        ListLine(_token(1), _("lands without a marker: receives 10")),
    ]
    return stack_rows(
        _("A landing on a space worth 10: the marker's owner releases 10, the lander receives 10."),
        SceneRow(_TILE_HEIGHT + 8, lambda at: _space_tile(board, space, at, (0,))),
        list_row(lines, width=70),
    )


def draw_challenge() -> Picture:
    """Return the three rolls of a challenge."""
    total = sum(max(roll) for roll in _CHALLENGE)
    rolls = [ListLine(_roll(roll), _("set the highest aside: {face}").format(face=max(roll))) for roll in _CHALLENGE]
    return stack_rows(
        _("Three rolls whose highest dice make {total}.").format(total=total),
        list_row(rolls, width=330, height=108),
        caption(_("{total} in total: you place a marker").format(total=total)),
    )


def draw_option_move(board: Board) -> Picture:
    """Return a move to another space."""
    near, far = _space_worth(board, 10), _space_worth(board, 25)

    def build(at: Rect) -> Iterable[Mark]:
        left, right = at.split_columns(2, 60)
        yield from _space_tile(board, near, left)
        yield from _space_tile(board, far, right)
        yield Label(">", Rect(left.right, at.y, 60, at.height), ColourRole.SURFACE_TEXT, 64, bold=True)

    return stack_rows(
        _("A Ragz goes to any other challenge space."),
        SceneRow(_TILE_HEIGHT + 8, build),
        caption(_("receive 25, then you must try the challenge")),
    )


def draw_hand() -> Picture:
    """Return three cards of a hand."""

    def build(at: Rect) -> Iterable[Mark]:
        for nth, room in enumerate(at.center(5 * 150, at.height).split_columns(5)):
            place = room.center(122, 168)
            yield Box(place, ColourRole.PAPER if nth < len(arts) else ColourRole.SURFACE_SHADE, ColourRole.GOLD, 14, 4)
            if nth < len(arts):
                yield Sprite(arts[nth], place.center(96, 96))

    arts = ("change/replace", "change/any")
    return stack_rows(
        _("A hand of two message cards with room for three more."),
        SceneRow(180, build),
        caption(_("only you see your cards; five at most")),
    )


def draw_cards(board: Board) -> Picture:
    """Return how many cards of each kind there are."""
    copies = Counter(board.deck)
    plain = [card for card in sorted(copies) if board.cards[card].space is None]
    plates = [Plate(str(copies[card]), card_name(board, card)) for card in plain]
    spaces = sum(copies.values()) - sum(copies[card] for card in plain)
    plates.append(Plate(str(spaces), _("a space's name")))
    rows = [plates_row(plates[at : at + 4], 40, columns=4) for at in range(0, len(plates), 4)]
    return stack_rows(_("The number of message cards of each kind."), *rows)


def draw_set(board: Board) -> Picture:
    """Return a set with three markers of a player."""
    first = board.spaces[_space_worth(board, 20)].set
    spaces = [number for number, space in enumerate(board.spaces) if space.set == first]

    def build(at: Rect) -> Iterable[Mark]:
        for space, room in zip(spaces, at.split_columns(3), strict=True):
            yield from _space_tile(board, space, room, (0,))

    return stack_rows(
        _("Markers on all three spaces of a set, which release double."),
        SceneRow(_TILE_HEIGHT + 8, build),
        caption(_("the whole set: you release double")),
    )


def draw_tournament(games: int) -> Picture:
    """Return the credits of several games and their sum."""
    plates = [Plate("0", _("game 1")), Plate("35", _("game 2")), Plate("35", _("together"), ColourRole.GOLD)]
    return stack_rows(
        _("A tournament: credits left over add up."),
        caption(_("{games} games: credits left over add up").format(games=games)),
        plates_row(plates),
    )


def draw_end() -> Picture:
    """Return the ranking by credits."""
    lines = [
        ListLine(_token(0), _("0 credits: wins at once")),
        ListLine(_token(1), _("12 credits: second")),
        ListLine(_token(2), _("40 credits: third")),
    ]
    return stack_rows(
        _("Three players ranked by the credits they have left."),
        SceneRow(84, lambda at: [Sprite("crown", at.center(108, 80))]),
        list_row(lines, width=70),
    )


def _space_worth(board: Board, credits_: int) -> Space:
    """Return the challenge space whose worth is nearest to a number of credits."""
    return min(board.challenge_spaces, key=lambda space: abs(board.credits[space] - credits_))


def _space_tile(board: Board, space: Space, at: Rect, seats: Sequence[int] = ()) -> Iterable[Mark]:
    """Return a challenge space as on the board, twice as large, with markers."""
    entry, tile = board.spaces[space], at.center(_TILE_WIDTH, _TILE_HEIGHT)
    colour = set_colour(board, entry)
    ink = text_colour_on(colour)
    yield Box(tile, ColourRole.PAPER, ColourRole.SURFACE_LINE, 14, 3)
    yield Box(Rect(tile.x + 4, tile.y + 4, tile.width - 8, 60), colour, radius=10)
    yield from letter_marks(entry, Rect(tile.x + 10, tile.y + 10, 44, 48), 44)
    name = Rect(tile.x + 64, tile.y + 4, tile.width - 70, 60)
    yield Label(entry.name, name, ink, 44, Align.LEFT, bold=True)
    below = Rect(tile.x + 8, tile.y + 68, tile.width - 16, tile.height - 76)
    yield Label(str(entry.credits), below._replace(width=80), ColourRole.TEXT, 56, bold=True)
    for nth, seat in enumerate(seats):
        yield Sprite(f"change/marker-{seat + 1}", Rect(below.x + 88 + 96 * nth, below.y + 2, 92, 92))
    yield space_sprite(entry, Rect(below.right - 92, below.y, 92, below.height).center(88, 88), ink)


def _token(seat: int) -> Drawing:
    return lambda at: token_marks(seat, at.center(64, 64))


def _roll(faces: Sequence[int]) -> Drawing:
    """Return dice, the highest, which comes first, on gold."""

    def draw(at: Rect) -> Iterable[Mark]:
        for nth, face in enumerate(faces):
            place = Rect(at.x + 110 * nth, at.y + 6, 96, 96)
            yield from die_marks(face, place, ColourRole.PAPER if nth else ColourRole.GOLD)

    return draw
