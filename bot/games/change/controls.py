"""What can be pressed in front of everybody at a table of Change.

A draft holds the seats that are picked to do what a corner says.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from bot.games.change.board import Others, Space
from bot.games.change.corners import can_act_at_corner, current_corner, eligible_others
from bot.games.change.guide import describe_corner_action, describe_corner_reward
from bot.games.change.moves import CHALLENGE, DONE, MYSELF, ROLL, Choose, Option, PickSpace
from bot.games.change.pieces import CHALLENGE_ODDS, PublicState, Stage, View
from bot.games.change.strategy import recommend_move
from bot.rules.advice import highlight_best
from bot.rules.game import Seat
from bot.rules.screen import Control, Draft, Menu, Play, Toggle, Tone
from bot.words import format_percentage, gettext as _, ngettext, seat_emoji

_MAX_NAME_LENGTH = 32
"""Longer names are cut on buttons."""

_ESCAPED = re.compile(r"\\(.)")

ControlRow: TypeAlias = tuple[Control, ...]


def build_controls(public: PublicState, names: Sequence[str], draft: Draft) -> tuple[ControlRow, ...]:
    """Return the rows of buttons; what is best without a look at anybody's cards stands out."""
    best = recommend_move(View(public, None, ()))
    return tuple([highlight_best(line, best) for line in _control_rows(public, names, draft)])


def _control_rows(public: PublicState, names: Sequence[str], draft: Draft) -> tuple[ControlRow, ...]:
    match public.stage:
        case Stage.ROLL:
            return ((Control("roll", _("🎲 Roll"), Play(str(ROLL))),),)
        case Stage.FREE:
            return (_free_row(public),)
        case Stage.CORNER:
            return _corner_rows(public, names, draft)
        case Stage.RETURN if len(own := _own_spaces(public)) == 1:
            label = _("{space}: release {credits}").format(
                space=public.board.spaces[own[0]].name, credits=public.board.credits[own[0]]
            )
            return ((Control("to", label, Play(str(PickSpace(public.board.keys[own[0]])))),),)
        case _:
            return ()


def _own_spaces(public: PublicState) -> list[Space]:
    """Return the spaces with a marker of whoever is to move."""
    return _spaces(public, public.markers[public.mover or 0], has_marker=True)


def build_menus(public: PublicState) -> tuple[Menu, ...]:
    """Return the list of spaces that can be chosen; a single one is a button."""
    seat = public.mover if public.mover is not None else public.turn
    markers, here = public.markers[seat], public.squares[seat]
    match public.stage:
        case Stage.FREE if public.may_travel and public.markers_left(seat):
            open_spaces = [space for space in _spaces(public, markers, has_marker=False) if space != here]
            lines = [
                _menu_entry(public, space, str(Option(public.board.keys[space])), _cost_text(public, space))
                for space in open_spaces
            ]
            return (Menu("option", _("Option move to …"), tuple(lines)),)
        case Stage.RETURN if len(_own_spaces(public)) == 1:
            return ()
        case Stage.RETURN | Stage.PLACE:
            spaces = _spaces(public, markers, has_marker=public.stage is Stage.RETURN)
            told = _gain_text if public.stage is Stage.RETURN else _free_marker_text
            lines = [
                _menu_entry(public, space, str(PickSpace(public.board.keys[space])), told(public, space))
                for space in spaces
            ]
            return (Menu("to", _("Choose a space …"), tuple(lines)),)
        case _:
            return ()


def _spaces(public: PublicState, markers: int, *, has_marker: bool) -> list[Space]:
    return [space for space in public.board.challenge_spaces if bool(markers >> space & 1) is has_marker]


def _menu_entry(public: PublicState, space: Space, move: str, description: str) -> Control:
    entry = public.board.spaces[space]
    label = _("{space} · {credits} · set {set}").format(space=entry.name, credits=entry.credits, set=entry.set)
    return Control(f"to_{public.board.keys[space]}", label, Play(move), description=description)


def _cost_text(public: PublicState, space: Space) -> str:
    """Say what going there costs, and what it brings others."""
    cost = _("You receive {credits} and must try the challenge").format(credits=public.board.credits[space])
    others = describe_other_releases(public, space)
    return _("{cost}; {others}").format(cost=cost, others=others) if others else cost


def describe_other_releases(public: PublicState, space: Space) -> str:
    """Say how many others a landing brings closer to their end; nothing if there are none. Rule CH-5."""
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
    space = public.board.spaces[public.squares[public.turn]].name
    label = _("🎯 Challenge {space} ({odds})").format(space=space, odds=format_percentage(round(CHALLENGE_ODDS, 2)))
    return Control("challenge", label, Play(str(CHALLENGE))), done


def _corner_rows(public: PublicState, names: Sequence[str], draft: Draft) -> tuple[ControlRow, ...]:
    """Offer to do it, and those who can be let do it. Rule CH-C0."""
    corner, able = current_corner(public), eligible_others(public)
    first: ControlRow = ()
    if can_act_at_corner(public, corner, public.turn):
        label = _("Me: {deed}").format(deed=describe_corner_action(corner))
        first = (Control("myself", label, Play(str(MYSELF))),)
    if corner.others is Others.ALL:
        return ((*first, _choose_control(public, able, _("All the others"))),)
    if corner.others is Others.ONE or len(able) == 1:
        lets = tuple(_choose_control(public, (seat,), _button_name(seat, names)) for seat in able)
        return tuple(line for line in (first, lets) if line)
    picked = tuple(seat for seat in able if seat in draft)
    toggles = tuple(_seat_toggle(seat, _button_name(seat, names), is_picked=seat in picked) for seat in able)
    chosen = _choose_control(public, picked or able, _("Those picked") if picked else _("All the others"))
    if picked:
        chosen = replace(chosen, tone=Tone.CHOSEN)
    return (*((first,) if first else ()), toggles, (chosen,))


def _choose_control(public: PublicState, seats: tuple[Seat, ...], who: str) -> Control:
    draws = describe_corner_reward(current_corner(public), len(seats), room=public.room_in_hand(public.turn))
    label = _("{who}: I {reward}").format(who=who, reward=draws)
    return Control(f"let_{''.join(map(str, seats))}", label, Play(str(Choose(seats))))


def _seat_toggle(seat: Seat, name: str, *, is_picked: bool) -> Control:
    label = f"✓ {name}" if is_picked else name
    return Control(f"pick_{seat}", label, Toggle(seat), Tone.CHOSEN if is_picked else Tone.QUIET)


def _button_name(seat: Seat, names: Sequence[str]) -> str:
    """Write a name for a button, which shows no Markdown and little of a long name."""
    plain = _ESCAPED.sub(r"\1", names[seat])
    short = plain if len(plain) <= _MAX_NAME_LENGTH else f"{plain[: _MAX_NAME_LENGTH - 1]}…"
    return f"{seat_emoji(seat)} {short}"
