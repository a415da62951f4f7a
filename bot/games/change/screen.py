"""Change in words: what happened, who stands where, the board, and what can be done in front of everybody."""

from collections.abc import Mapping, Sequence

from bot.games.change.board import Others, Space, SpaceKind
from bot.games.change.controls import build_controls, build_menus
from bot.games.change.corners import can_act_at_corner, current_corner
from bot.games.change.guide import (
    describe_corner_action,
    describe_corner_others,
    describe_corner_reward,
    describe_options,
)
from bot.games.change.news import format_dice, news_lines
from bot.games.change.pieces import MARKERS_PER_SEAT, PublicState, Stage, View
from bot.games.change.playable_cards import waits_for_card
from bot.games.change.recent_events import changes_of, latest_turn
from bot.games.change.series import rank_by_fewest_credits
from bot.rules.game import Event, Seat
from bot.rules.screen import Draft, Field, News, Screen, events_of
from bot.words import (
    N_,
    NO_BREAK_SPACE,
    game_over_title,
    gettext as _,
    progress_bar,
    ranking_rows,
    score_row,
    seat_emoji,
)


def build_screen(view: View, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
    """Make the screen that everybody sees; nothing on it depends on a hand."""
    public = view.public
    if public.stage is Stage.OVER:
        return _end_screen(public, news, names)
    lines = news_lines(public, news) or [_roll_off_line(public)]
    return Screen(
        title=_title_text(public, names),
        text="\n".join((*lines, f"👉 {_advice_text(public, names)}")),
        fields=(_players_field(public, events_of(news), names, public.turn), _board_field(public)),
        controls=build_controls(public, names, draft),
        note=_note_text(public),
        accent=public.mover,
        menus=build_menus(public),
        waits_for_hand=waits_for_card(public),
    )


def build_abandoned_fields(view: View, names: Sequence[str]) -> tuple[Field, ...]:
    """Show the credits and the markers of a game that nobody plays on."""
    return (_players_field(view.public, (), names, turn=None), _board_field(view.public))


def _title_text(public: PublicState, names: Sequence[str]) -> str:
    mover = names[public.mover or 0]
    if public.stage is Stage.ROLL:
        return _("Change · {name} to roll").format(name=mover)
    if public.mover != public.turn:
        return _("Change · {name} decides").format(name=mover)
    return _("Change · {name}'s turn").format(name=mover)


def _end_screen(public: PublicState, news: Sequence[News], names: Sequence[str]) -> Screen:
    places = rank_by_fewest_credits(public.credits)
    leaders = [seat for seat, place in enumerate(places) if place == 1]
    changes = changes_of(latest_turn(events_of(news)), len(names))
    texts = [
        f"{name} · {_format_credits(public, seat, changes[seat])} · {_format_possessions(public, seat)}"
        for seat, name in enumerate(names)
    ]
    return Screen(
        title=game_over_title(_("Change"), [names[seat] for seat in leaders]),
        text="\n".join(news_lines(public, news)) or _("The game is over."),
        fields=(Field(_("Credits left"), ranking_rows(places, texts)), _board_field(public)),
        accent=leaders[0],
    )


def _roll_off_line(public: PublicState) -> str:
    """Show every round of the roll-off by seats, which somebody else may hold by now. Rule CH-2."""
    rounds = (
        ", ".join(f"{seat_emoji(seat)} {format_dice(dice)}" for seat, dice in round_.rolls)
        for round_ in public.roll_off
    )
    line = _("🎲 Roll-off: {rounds}. {seat} starts.")
    starter = seat_emoji(public.roll_off[-1].leaders[0])
    return line.format(rounds=_("; tied, re-roll: ").join(rounds), seat=starter)


_PROMPTS = {
    Stage.ROLL: N_("{name}, roll the track dice."),
    Stage.RETURN: N_("{name}, choose one of your markers. Go there and release its credits."),
    Stage.PLACE: N_("{name}, choose a challenge space for a marker. You go there, but no credits change hands."),
    Stage.SWAP: N_("{name}, choose a card to replace in *My hand*."),
    Stage.KEEP: N_("{name}, choose one card to keep in *My hand*."),
}
"""What somebody is asked to do where there is nothing to explain."""


def _advice_text(public: PublicState, names: Sequence[str]) -> str:
    """Say what is waited for."""
    if public.stage is Stage.FREE:
        return _free_advice_text(public)
    if public.stage is Stage.CORNER:
        return _corner_advice_text(public)
    return _(_PROMPTS[public.stage]).format(name=names[public.mover or 0])


def _free_advice_text(public: PublicState) -> str:
    steps = []
    if public.may_challenge:
        steps.append(_("take on the challenge"))
    if public.may_travel and public.markers_left(public.turn):
        steps.append(_("make an option move"))
    if public.may_play_cards:
        steps.append(_("play cards"))
    lines = _("You can {steps}, or end your turn.").format(steps=", ".join(steps)) if steps else _("End your turn.")
    if public.missing:
        missing = _("**{count}** short. {lines}")
        if public.held[public.turn]:
            missing = _("**{count}** short, but Add cards can still help. {lines}")
        return missing.format(count=public.missing, lines=lines)
    return lines


def _corner_advice_text(public: PublicState) -> str:
    """Say what the corner asks for, and what the lander can and can't do. Rules CH-C0 and CH-M1."""
    corner = current_corner(public)
    line = (
        _("**{corner}**: {deed}, or give the bonus to {others} and {reward}{each}.")
        if can_act_at_corner(public, corner, public.turn)
        else _("**{corner}**: {deed}. You can't, so give the bonus to {others} and {reward}{each}.")
    )
    each = _(" for each of them") if corner.others is Others.SEVERAL else ""
    advice = line.format(
        corner=corner.name,
        deed=describe_corner_action(corner),
        others=describe_corner_others(corner),
        reward=describe_corner_reward(corner),
        each=each,
    )
    if public.room_in_hand(public.turn):
        return advice
    return _("{advice} Your hand is full, though, so you'd draw nothing.").format(advice=advice)


def _players_field(public: PublicState, news: Sequence[Event], names: Sequence[str], turn: Seat | None) -> Field:
    """Show what everybody has and where they stand; beside the picture without bars and numbers of spaces."""
    changes = changes_of(latest_turn(news), len(names))
    whole, brief = (
        [tell(public, seat, name, changes[seat], has_turn=seat == turn) for seat, name in enumerate(names)]
        for tell in (_player_line, _brief_player_line)
    )
    return Field(_("Credits left · cards · markers"), "\n".join(whole), "\n".join(brief))


def _player_line(public: PublicState, seat: Seat, name: str, change: int, *, has_turn: bool) -> str:
    bar = progress_bar(public.credits[seat], public.options.credits)
    row = score_row(seat, name, _format_credits(public, seat, change), has_turn=has_turn, bar=bar)
    placed = public.markers[seat].bit_count()
    where = _format_space(public, public.squares[seat])
    return f"{row} · {where} · 🎴 {public.held[seat]} · 🚩 {placed}/{MARKERS_PER_SEAT}"


def _brief_player_line(public: PublicState, seat: Seat, name: str, change: int, *, has_turn: bool) -> str:
    pointer = "▶ " if has_turn else ""
    name = f"**{name}**" if has_turn else name
    owned, possessions = _format_credits(public, seat, change), _format_possessions(public, seat)
    return f"{pointer}{seat_emoji(seat)} {owned} {name} · {possessions}"


def _format_credits(public: PublicState, seat: Seat, change: int) -> str:
    """Write the credits of a seat, and what the newest turn changed them by."""
    changed = f"{NO_BREAK_SPACE}({'+' if change > 0 else '−'}{abs(change)})" if change else ""
    return f"**{public.credits[seat]}**{changed}"


def _format_possessions(public: PublicState, seat: Seat) -> str:
    """Write what a seat has besides its credits: where it stands, its cards, and its markers on the board."""
    where, placed = public.board.spaces[public.squares[seat]].name, public.markers[seat].bit_count()
    return f"{where} · 🎴{public.held[seat]} 🚩{placed}"


def _board_field(public: PublicState) -> Field:
    """Show every space with its number, and of a challenge space the credits, and who has a marker there.

    Beside the picture only spaces with markers are shown.
    """
    whole: dict[str, list[str]] = {}
    brief: dict[str, list[str]] = {}
    for space in public.board.challenge_spaces:
        entry = public.board.spaces[space]
        marks = "".join(seat_emoji(seat) for seat, markers in enumerate(public.markers) if markers >> space & 1)
        cell = f"{_format_space(public, space)} **{entry.credits}**{' ' + marks if marks else ''}"
        whole.setdefault(entry.set or "", []).append(cell)
        if marks:
            brief.setdefault(entry.set or "", []).append(f"{entry.name}{NO_BREAK_SPACE}{marks}")
    double, times_two = _(" — double for {seats}"), _(" ×2 {seats}")
    texts = (*_set_lines(public, whole, double), _other_spaces_line(public))
    return Field(_("The board by set"), "\n".join(texts), "\n".join(_set_lines(public, brief, times_two)))


def _set_lines(public: PublicState, cells: Mapping[str, Sequence[str]], double: str) -> list[str]:
    return [
        f"**{key}** {' · '.join(spaces)}{_format_doubling_seats(public, key, double)}" for key, spaces in cells.items()
    ]


def _format_space(public: PublicState, space: Space) -> str:
    return f"{space} {public.board.spaces[space].name}"


def _other_spaces_line(public: PublicState) -> str:
    """Show where the corners and the other spaces lie."""
    spaces = public.board.spaces
    corners = " ".join(str(space) for space, entry in enumerate(spaces) if entry.kind is SpaceKind.CORNER)
    named = [
        _format_space(public, space)
        for space, entry in enumerate(spaces)
        if entry.kind not in (SpaceKind.CHALLENGE, SpaceKind.CORNER)
    ]
    return " · ".join((*named, _("Corners {numbers}").format(numbers=corners)))


def _format_doubling_seats(public: PublicState, key: str, double: str) -> str:
    """Show who releases double in a set. Rule CH-11."""
    whole = sum(1 << at for at, space in enumerate(public.board.spaces) if space.set == key)
    owners = [seat for seat, markers in enumerate(public.markers) if markers & whole == whole]
    if not owners or not public.options.sets:
        return ""
    return double.format(seats="".join(map(seat_emoji, owners)))


def _note_text(public: PublicState) -> str:
    return " · ".join(describe_options(public.options))
