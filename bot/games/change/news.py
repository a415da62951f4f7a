"""Recent events of Change as lines of text."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.games.change import events
from bot.games.change.board import CornerAction
from bot.games.change.guide import card_name
from bot.games.change.pieces import CHALLENGE_TARGET, Hand, PublicState
from bot.games.change.recent_events import latest_drawn_cards, latest_space_roll, latest_turn, played_cards
from bot.rules.game import Event, Seat, find_newest
from bot.rules.screen import News, events_of
from bot.words import N_, gettext as _, join_items, ngettext

DIE_FACES = "⚀⚁⚂⚃⚄⚅"

SHOWN_MOVES = 12
"""A turn rarely has more moves, including those of seats asked at a corner."""

_MAX_LINES, _MAX_CARDS = 6, 2
"""The most lines, and the most played cards that the picture shows."""


def news_lines(public: PublicState, news: Sequence[News]) -> list[str]:
    """Return the lines of the newest turn, newest first; of a long turn, the newest ones and what the picture shows."""
    turn = latest_turn(events_of(news))
    newest = news[len(news) - len(turn) :]
    candidates = [(event, line) for event, names in reversed(newest) if (line := _line(public, event, names))]
    pictured = (find_newest(events.TrackRolled, turn), latest_space_roll(turn), *played_cards(turn)[-_MAX_CARDS:])
    room, lines = _MAX_LINES - sum(event in pictured for event, _ in candidates), []
    for event, line in candidates:
        is_pictured = event in pictured
        if is_pictured or room > 0:
            lines.append(line)
        room -= not is_pictured
    return lines


def format_dice(dice: Sequence[int]) -> str:
    """Return dice as symbols."""
    return "".join(DIE_FACES[face - 1] for face in dice)


def _line(public: PublicState, event: Event, names: Sequence[str]) -> str:
    """Return the line of an event; empty if only one seat may see it."""
    build_line = _LINE_BUILDERS.get(type(event))
    return build_line(public, event, names) if build_line else ""


def _marker_placed_line(public: PublicState, event: events.MarkerPlaced, names: Sequence[str]) -> str:
    line = _("🚩 {name} places a marker on **{space}**.")
    placed = line.format(name=names[event.seat], space=_space_name(public, event.space))
    return _("{placed} Set complete! Releases are doubled.").format(placed=placed) if event.fills_set else placed


def _moved_line(public: PublicState, event: events.Moved, names: Sequence[str]) -> str:
    line = _("🏃 {name} goes to {space}.")
    return line.format(name=names[event.seat], space=_space_name(public, event.space))


def _chosen_line(_public: PublicState, event: events.Chosen, names: Sequence[str]) -> str:
    line = _("🤝 {name} gives the bonus to {others}.")
    return line.format(name=names[event.seat], others=join_items([names[seat] for seat in event.seats]))


def _card_played_line(public: PublicState, event: events.CardPlayed, names: Sequence[str]) -> str:
    return _("🃏 {name} plays **{card}**.").format(name=names[event.seat], card=card_name(public.board, event.card))


def _cards_replaced_line(_public: PublicState, event: events.CardsReplaced, names: Sequence[str]) -> str:
    line = ngettext("🔄 {name} replaces one card.", "🔄 {name} replaces {count} cards.", event.count)
    return line.format(name=names[event.seat], count=event.count)


def _cards_lost_line(_public: PublicState, event: events.CardsLost, names: Sequence[str]) -> str:
    line = ngettext("📉 {name} loses one card.", "📉 {name} loses {count} cards.", event.count)
    return line.format(name=names[event.seat], count=event.count)


def _space_name(public: PublicState, space: int) -> str:
    return public.board.spaces[space].name


def _track_rolled_line(public: PublicState, event: events.TrackRolled, names: Sequence[str]) -> str:
    dice, name = format_dice(event.dice), names[event.seat]
    if event.is_double:
        return _("🎲 **{name}** rolls {dice}. Doubles: back to Start!").format(name=name, dice=dice)
    line = _("🎲 **{name}** rolls {dice} → **{space}**.")
    return line.format(name=name, dice=dice, space=_space_name(public, event.space))


def _landed_line(public: PublicState, event: events.Landed, names: Sequence[str]) -> str:
    """Return who receives and who releases on a space."""
    changes = [_format_change(names[seat], change) for seat, change in enumerate(event.changes) if change]
    return _("💳 {space}: {changes}.").format(space=_space_name(public, event.space), changes=join_items(changes))


def _format_change(name: str, change: int) -> str:
    if change > 0:
        return _("{name} **+{count}**").format(name=name, count=change)
    return _("{name} **−{count}**").format(name=name, count=-change)


def _challenged_line(_public: PublicState, event: events.Challenged, _names: Sequence[str]) -> str:
    sets = " ".join(format_dice(sorted(dice, reverse=True)) for dice in event.rolls)
    line = (
        _("🎯 {dice} → **{total}**, success!")
        if event.total >= CHALLENGE_TARGET
        else _("🎯 {dice} → **{total}**, too low.")
    )
    return line.format(dice=sets, total=event.total)


def _credits_changed_line(_public: PublicState, event: events.Released | events.Received, names: Sequence[str]) -> str:
    """Return what a seat releases or receives, with the dice."""
    count = -sum(event.dice) if isinstance(event, events.Received) else event.count
    changed = _format_change(names[event.seat], -count)
    return (
        _("💳 {dice} → {changed}.").format(dice=format_dice(event.dice), changed=changed)
        if event.dice
        else _("💳 {changed}.").format(changed=changed)
    )


def _cards_drawn_line(_public: PublicState, event: events.CardsDrawn, names: Sequence[str]) -> str:
    name = names[event.seat]
    if not event.count:
        return _("🎴 {name} already has five cards and draws none.").format(name=name)
    line = ngettext("🎴 {name} draws a message card.", "🎴 {name} draws {count} message cards.", event.count)
    return line.format(name=name, count=event.count)


_CORNER_SKIPPED_TEXTS: Mapping[CornerAction | None, str] = {
    CornerAction.REPLACE: N_("💤 {space}: no one has a message card, so nothing happens."),
    CornerAction.RETURN: N_("💤 {space}: no one has a marker on the board, so nothing happens."),
    CornerAction.PLACE: N_("💤 {space}: no one has a marker left, so nothing happens."),
}
"""Why no one can follow a corner; corners with other actions can always be followed."""


def _corner_skipped_line(public: PublicState, event: events.CornerSkipped, _names: Sequence[str]) -> str:
    corner = public.board.spaces[event.space]
    return _(_CORNER_SKIPPED_TEXTS[corner.action]).format(space=corner.name)


_LINE_BUILDERS: dict[type[Event], Callable[[PublicState, Any, Sequence[str]], str]] = {
    events.TrackRolled: _track_rolled_line,
    events.Landed: _landed_line,
    events.Challenged: _challenged_line,
    events.MarkerPlaced: _marker_placed_line,
    events.Moved: _moved_line,
    events.Chosen: _chosen_line,
    events.Released: _credits_changed_line,
    events.Received: _credits_changed_line,
    events.CardPlayed: _card_played_line,
    events.CardsReplaced: _cards_replaced_line,
    events.CardsLost: _cards_lost_line,
    events.CardsDrawn: _cards_drawn_line,
    events.CornerSkipped: _corner_skipped_line,
}


def new_card_lines(public: PublicState, news: Sequence[Event], seat: Seat, hand: Hand) -> list[str]:
    """Return a line with the cards that a seat drew last and still has, or nothing."""
    names = [card_name(public.board, card) for card in latest_drawn_cards(news, seat) if card in hand]
    return [_("New: {cards}.").format(cards=join_items(names))] if names else []
