"""The moves of Change in words, before they are made."""

from collections.abc import Iterable

from bot.games.change.board import Board
from bot.games.change.corners import current_corner
from bot.games.change.guide import card_name, describe_corner_action, describe_corner_reward
from bot.games.change.moves import (
    Add,
    Challenge,
    Choose,
    Keep,
    Move,
    Myself,
    Option,
    PickSpace,
    Replace,
    Roll,
    Swap,
    Travel,
)
from bot.games.change.pieces import PublicState, Stage, View
from bot.rules.game import Seat
from bot.words import gettext as _, join_items, seat_emoji


def describe_move(view: View, move: Move) -> str:
    """Describe a move; other seats are shown by their colours."""
    public, board = view.public, view.public.board
    text = _("end the turn")
    match move:
        case Roll():
            text = _("roll")
        case Challenge():
            text = _("challenge {space}").format(space=board.spaces[public.ragz_spaces[public.turn]].name)
        case Myself():
            text = describe_corner_action(current_corner(public))
        case Choose(seats):
            text = _choose_text(public, seats)
        case Option(space) | PickSpace(space):
            text = _space_text(public, move, space)
        case Add() | Replace() | Travel() | Swap() | Keep():
            text = _card_text(public, move)
        case _:
            pass
    return text


def _choose_text(public: PublicState, seats: tuple[Seat, ...]) -> str:
    reward = describe_corner_reward(current_corner(public), len(seats), room=public.room_in_hand(public.turn))
    line = _("give it to {seats}: {reward}")
    return line.format(seats="".join(map(seat_emoji, seats)), reward=reward)


def _space_text(public: PublicState, move: Option | PickSpace, key: str) -> str:
    space = public.board.space_by_key[key]
    name, worth = public.board.spaces[space].name, public.board.credits[space]
    if isinstance(move, Option):
        return _("move to {space}, receive {credits}").format(space=name, credits=worth)
    line = _("go to {space}, release {credits}") if public.stage is Stage.RETURN else _("mark {space} ({credits})")
    return line.format(space=name, credits=worth)


def _card_text(public: PublicState, move: Add | Replace | Travel | Swap | Keep) -> str:
    """Describe a move with message cards."""
    board = public.board
    match move:
        case Replace(card, others):
            line = _("play {card} for {others}")
            return line.format(card=_name(board, card), others=join_items(sorted(_names(board, others))))
        case Travel():
            return _travel_text(public, move)
        case _:
            lines = {Swap: _("replace {card}"), Keep: _("keep {card}"), Add: _("play {card}")}
            return lines[type(move)].format(card=_name(board, move.card))


def _travel_text(public: PublicState, move: Travel) -> str:
    """Describe where a card leads; on a space with a marker there is no choice to tell of."""
    board = public.board
    space = board.space_by_key[move.space]
    line = _("{played}, place a marker") if move.places else _("{played}, no marker")
    if public.markers[public.turn] >> space & 1:
        line = "{played}"
    played = _("play {card}") if move.card == move.space else _("play {card}: go to {space}")
    return line.format(played=played.format(card=_name(board, move.card), space=board.spaces[space].name))


def _names(board: Board, cards: Iterable[str]) -> list[str]:
    return [_name(board, card) for card in cards]


def _name(board: Board, card: str) -> str:
    return card_name(board, board.card_by_key[card])
