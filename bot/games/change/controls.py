"""The buttons and menus of the public screen.

A draft holds the seats that are picked to follow a corner.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.games.change.advice import recommend_move
from bot.games.change.board import Others, Space
from bot.games.change.corners import can_act_at_corner, current_corner, eligible_others
from bot.games.change.guide import describe_corner_action, describe_corner_reward
from bot.games.change.moves import CHALLENGE, DONE, MYSELF, ROLL, Choose, Option, PickSpace
from bot.games.change.pieces import CHALLENGE_ODDS, CHALLENGE_TARGET, PublicState, Stage
from bot.rules.advice import highlight_best
from bot.rules.game import Seat
from bot.rules.screen import Control, ControlRow, Draft, Menu, Play, Toggle, Tone
from bot.words import format_odds, gettext as _, ngettext, seat_emoji, truncate

_MAX_REWARDS = 3
"""How many buttons that choose a player say what that brings."""

_MAX_NAME_LENGTH = 32
"""Longer names are cut on buttons."""

_ESCAPED = re.compile(r"\\(.)")


def build_controls(public: PublicState, names: Sequence[str], draft: Draft) -> tuple[ControlRow, ...]:
    """Return the rows of buttons; the move recommended without seeing any hand is highlighted."""
    best = recommend_move(public)
    return tuple([highlight_best(row, best) for row in _control_rows(public, names, draft)])


def _control_rows(public: PublicState, names: Sequence[str], draft: Draft) -> tuple[ControlRow, ...]:
    match public.stage:
        case Stage.ROLL:
            return ((Control("roll", _("🎲 Roll"), Play(str(ROLL))),),)
        case Stage.FREE:
            return (_free_row(public),)
        case Stage.CORNER:
            return _corner_rows(public, names, draft)
        case Stage.RETURN if len(public.open_spaces) == 1:
            (space,) = public.open_spaces
            label = _("{space}: release {credits}").format(
                space=public.board.spaces[space].name, credits=public.board.credits[space]
            )
            return ((Control("to", label, Play(str(PickSpace(public.board.keys[space])))),),)
        case _:
            return ()


def build_menus(public: PublicState) -> tuple[Menu, ...]:
    """Return the menu of spaces to choose from; a single marker to return to is a button."""
    spaces, keys = public.open_spaces, public.board.keys
    match public.stage:
        case Stage.FREE if public.may_travel and public.markers_left(public.turn):
            entries = [
                _menu_entry(public, space, Option(keys[space]), _cost_text(public, space))
                for space in spaces
                if space != public.ragz_spaces[public.turn]
            ]
            return (Menu("option", _("Option move to …"), tuple(entries)),)
        case Stage.RETURN | Stage.PLACE if len(spaces) > 1:
            describe = _gain_text if public.stage is Stage.RETURN else _free_marker_text
            entries = [_menu_entry(public, space, PickSpace(keys[space]), describe(public, space)) for space in spaces]
            return (Menu("to", _("Choose a space …"), tuple(entries)),)
        case _:
            return ()


def _menu_entry(public: PublicState, space: Space, move: Option | PickSpace, description: str) -> Control:
    entry = public.board.spaces[space]
    label = _("{space} · {credits} · set {set}").format(space=entry.name, credits=entry.credits, set=entry.set)
    return Control(f"to_{public.board.keys[space]}", label, Play(str(move)), description=description)


def _cost_text(public: PublicState, space: Space) -> str:
    """Return what an option move costs, and what others release."""
    cost = _("You receive {credits} and must try the challenge ({target}+)").format(
        credits=public.board.credits[space], target=CHALLENGE_TARGET
    )
    others = describe_other_releases(public, space)
    return _("{cost}; {others}").format(cost=cost, others=others) if others else cost


def describe_other_releases(public: PublicState, space: Space) -> str:
    """Return how many others release credits at a landing; empty if none do. Rule CH-5."""
    others = sum(
        bool(public.released_credits_for(seat, space)) for seat in range(len(public.credits)) if seat != public.turn
    )
    if not others:
        return ""
    return ngettext("{count} other releases", "{count} others release", others).format(count=others)


def _gain_text(public: PublicState, space: Space) -> str:
    return _("Release {credits}").format(credits=public.board.credits[space])


def _free_marker_text(public: PublicState, space: Space) -> str:
    return _("Releases {credits} whenever someone lands there").format(credits=public.board.credits[space])


def _free_row(public: PublicState) -> ControlRow:
    done = Control("done", _("End turn"), Play(str(DONE)))
    if not public.may_challenge:
        return (done,)
    space = public.board.spaces[public.ragz_spaces[public.turn]].name
    label = _("🎯 Challenge {space} ({odds})").format(space=space, odds=format_odds(CHALLENGE_ODDS))
    return Control("challenge", label, Play(str(CHALLENGE))), done


def _corner_rows(public: PublicState, names: Sequence[str], draft: Draft) -> tuple[ControlRow, ...]:
    """Return the choices of who follows the corner. Rule CH-C0."""
    corner, able = current_corner(public), eligible_others(public)
    first: ControlRow = ()
    if can_act_at_corner(public, corner, public.turn):
        label = _("Me: {action}").format(action=describe_corner_action(corner))
        first = (Control("myself", label, Play(str(MYSELF))),)
    if corner.others is Others.ALL:
        return ((*first, _choose_control(public, able, _("all others"))),)
    if corner.others is Others.ONE or len(able) == 1:
        others = tuple(_choose_one_control(public, seat, names) for seat in able)
        if len(able) > _MAX_REWARDS:
            # The text says what it brings, and the names find room in pairs on a phone.
            labels = (_button_name(seat, names) for seat in able)
            others = tuple(replace(each, label=label) for each, label in zip(others, labels, strict=True))
        return tuple(row for row in (first, others) if row)
    picked = tuple(seat for seat in able if seat in draft)
    toggles = tuple(pick_toggle(f"pick_{seat}", _button_name(seat, names), seat, draft) for seat in able)
    chosen = _choose_control(public, picked or able, _("those ticked") if picked else _("all others"))
    if picked:
        chosen = replace(chosen, tone=Tone.CHOSEN)
    return (*((first,) if first else ()), toggles, (chosen,))


def _choose_control(public: PublicState, seats: tuple[Seat, ...], who: str) -> Control:
    draws = describe_corner_reward(current_corner(public), len(seats), room=public.room_in_hand(public.turn))
    label = _("Give to {who}: I {reward}").format(who=who, reward=draws)
    return Control(f"let_{''.join(map(str, seats))}", label, Play(str(Choose(seats))))


def _choose_one_control(public: PublicState, seat: Seat, names: Sequence[str]) -> Control:
    """Return the choice of one player, which their token leads: a button has room for one emoji."""
    control = _choose_control(public, (seat,), _plain_name(seat, names))
    return replace(control, label=f"{seat_emoji(seat)} {control.label}")


def pick_toggle(key: str, name: str, token: int, draft: Draft) -> Control:
    """Return a toggle that has a tick if it is picked."""
    if token in draft:
        return Control(key, f"✓ {name}", Toggle(token), Tone.CHOSEN)
    return Control(key, name, Toggle(token))


def _button_name(seat: Seat, names: Sequence[str]) -> str:
    """Return a name for a button, with the player's token."""
    return f"{seat_emoji(seat)} {_plain_name(seat, names)}"


def _plain_name(seat: Seat, names: Sequence[str]) -> str:
    """Return a name without Markdown, and cut if it is long."""
    return truncate(_ESCAPED.sub(r"\1", names[seat]), _MAX_NAME_LENGTH)
