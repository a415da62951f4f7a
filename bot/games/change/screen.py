"""The screen of Change that everyone sees, and its buttons."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.games.change.board import Others, Space, SpaceKind
from bot.games.change.facts import changes_of, corner_choice, doubled_sets, open_steps, waits_for_card
from bot.games.change.minds.credit_values import recommend_move
from bot.games.change.moves import CHALLENGE, DONE, MYSELF, ROLL, Choose, Option, PickSpace
from bot.games.change.news import news_lines
from bot.games.change.pieces import (
    CHALLENGE_ODDS,
    CHALLENGE_TARGET,
    MARKERS_PER_SEAT,
    GameEvent,
    PublicState,
    Stage,
    TrackRolled,
    View,
)
from bot.games.change.rules import rank_by_fewest_credits, winners_of
from bot.games.change.turns import current_corner
from bot.games.change.words import (
    STEPS,
    describe_corner,
    describe_corner_action,
    describe_corner_reward,
    describe_options,
    prompt_of,
    roll_off_line,
)
from bot.rules.game import Seat
from bot.rules.screen import (
    Control,
    ControlRow,
    Draft,
    Field,
    Menu,
    News,
    Play,
    Screen,
    Toggle,
    Tone,
    events_of,
    highlight_best,
)
from bot.rules.story import newest_turn
from bot.words import (
    N_,
    NO_BREAK_SPACE,
    format_odds,
    game_over_title,
    gettext as _,
    ngettext,
    progress_bar,
    ranking_rows,
    score_row,
    seat_emoji,
    truncate,
)

_MAX_REWARDS = 3
"""How many buttons that choose a player say what that brings."""

_MAX_NAME_LENGTH = 32
"""Longer names are cut on buttons."""

_ESCAPED = re.compile(r"\\(.)")


def build_screen(view: View, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Return the screen of a position. Nothing on it depends on a hand."""
    public = view.public
    if public.stage is Stage.OVER:
        return _end_screen(public, news, names)
    lines, advice = news_lines(public, news) or [roll_off_line(public)], f"👉 {_advice_text(public, names)}"
    return Screen(
        title=_title_text(public, names),
        text="\n".join((*lines, advice)),
        fields=(_players_field(public, events_of(news), names, public.turn), _board_field(public)),
        controls=build_controls(public, names, draft),
        note=" · ".join(describe_options(public.options)),
        accent=public.mover,
        menus=build_menus(public),
        waits_for_hand=waits_for_card(public),
        busy=_("{name} is thinking …").format(name=names[public.mover or 0]),
        rule=_rule_of(public),
    )


def build_abandoned_fields(view: View, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned table."""
    return (_players_field(view.public, (), names, turn=None), _board_field(view.public))


def _title_text(public: PublicState, names: Sequence[str]) -> str:
    mover = names[public.mover or 0]
    if public.stage is Stage.ROLL:
        return _("{name}, roll the dice").format(name=mover)
    if public.mover != public.turn:
        return _("{name}, decide").format(name=mover)
    return _("{name}, your turn goes on").format(name=mover)


def _end_screen(public: PublicState, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Screen:
    places = rank_by_fewest_credits(public.credits)
    winners = winners_of(public.credits)
    changes = changes_of(newest_turn(events_of(news), TrackRolled), len(names))
    texts = [
        f"{name} · {_format_credits(public, seat, changes[seat])} · {_format_possessions(public, seat)}"
        for seat, name in enumerate(names)
    ]
    lines = news_lines(public, news) or [_("The game is over.")]
    return Screen(
        title=game_over_title([names[seat] for seat in winners]),
        text="\n".join(lines),
        fields=(Field(_("Credits left"), ranking_rows(places, texts)), _board_field(public)),
        accent=winners[0],
    )


def _advice_text(public: PublicState, names: Sequence[str]) -> str:
    """Return what the mover can do."""
    words = {
        "name": names[public.mover or 0],
        "steps": ", ".join(_(STEPS[step].on_screen) for step in open_steps(public)),
    }
    if public.stage is Stage.CORNER:
        choice = corner_choice(public)
        words |= describe_corner(choice)
        give = _("tick who gets the bonus") if choice.are_ticked else _("give the bonus to {others}")
        words["give"] = give.format(others=words["others"])
    advice = _(prompt_of(public).on_screen).format(**words)
    if public.may_challenge:
        return f"{advice} {_challenge_text(public)}"
    return f"{_missing_text(public)} {advice}" if public.missing else advice


def _rule_of(public: PublicState) -> str:
    """Return what matters now and neither title, picture nor buttons tell, in a line."""
    if public.stage is not Stage.FREE:
        return ""
    if public.may_challenge:
        return _("Challenge: roll {target} or more to mark the space").format(target=CHALLENGE_TARGET)
    if not public.missing:
        return ""
    if public.add_cards_may_help:
        return _("{count} short. Add cards could help: My hand").format(count=public.missing)
    return _("{count} short").format(count=public.missing)


def _missing_text(public: PublicState) -> str:
    """Return how much a challenge missed."""
    if public.add_cards_may_help:
        return _("**{count}** short. Do you have Add cards?").format(count=public.missing)
    return _("**{count}** short.").format(count=public.missing)


def _challenge_text(public: PublicState) -> str:
    """Return what is rolled in the open challenge, and what it decides. Rule CH-6."""
    line = _("Challenge: best of 3 dice + best of 2 + 1 more. **{target}+** marks **{space}**.")
    return line.format(target=CHALLENGE_TARGET, space=public.board.spaces[public.ragz_spaces[public.turn]].name)


def _players_field(public: PublicState, events: Sequence[GameEvent], names: Sequence[str], turn: Seat | None) -> Field:
    """Return the possessions of each seat."""
    changes = changes_of(newest_turn(events, TrackRolled), len(names))
    lines = []
    for seat, name in enumerate(names):
        bar = progress_bar(public.credits[seat], public.options.credits)
        left = _format_credits(public, seat, changes[seat])
        row = score_row(seat, name, left, has_turn=seat == turn, bar=bar)
        lines.append(f"{row} · {_format_possessions(public, seat)}")
    return Field(_("Credits left · cards · markers"), "\n".join(lines))


def _format_credits(public: PublicState, seat: Seat, change: int) -> str:
    """Return the credits of a seat and their change in the newest turn."""
    changed = f"{NO_BREAK_SPACE}({'+' if change > 0 else '−'}{abs(change)})" if change else ""
    return f"**{public.credits[seat]}**{changed}"


def _format_possessions(public: PublicState, seat: Seat) -> str:
    """Return a seat's space, number of cards and number of placed markers."""
    where, placed = _format_space(public, public.ragz_spaces[seat]), public.markers[seat].bit_count()
    return f"{where} · 🎴 {public.hand_sizes[seat]} · ☑️ {placed}/{MARKERS_PER_SEAT}"


def _board_field(public: PublicState) -> Field:
    """Return every space with its number, credits and markers, by set, and the seats that release double there."""
    spaces, lines = public.board.spaces, list[str]()
    doubling = [doubled_sets(public, seat) for seat in range(len(public.credits))]
    by_set = dict[str, list[Space]]()
    for space in public.board.challenge_spaces:
        by_set.setdefault(spaces[space].set or "", []).append(space)
    for key, challenges in by_set.items():
        cells = []
        for space in challenges:
            marks = "".join(seat_emoji(seat) for seat, markers in enumerate(public.markers) if markers >> space & 1)
            cells.append(f"{_format_space(public, space)} **{spaces[space].credits}**{' ' + marks if marks else ''}")
        seats = "".join(seat_emoji(seat) for seat, keys in enumerate(doubling) if key in keys)
        double = _(" — double for {seats}").format(seats=seats) if seats else ""
        lines.append(f"**{key}** {' · '.join(cells)}{double}")
    corners = " ".join(str(space) for space, entry in enumerate(spaces) if entry.kind is SpaceKind.CORNER)
    named = [
        _format_space(public, space)
        for space, entry in enumerate(spaces)
        if entry.kind not in (SpaceKind.CHALLENGE, SpaceKind.CORNER)
    ]
    others = " · ".join((*named, _("Corners {numbers}").format(numbers=corners)))
    return Field(_("The board by set"), "\n".join((*lines, others)))


def _format_space(public: PublicState, space: Space) -> str:
    return f"{space} {public.board.spaces[space].name}"


def build_controls(public: PublicState, names: Sequence[str], draft: Draft) -> tuple[ControlRow, ...]:
    """Return the rows of buttons; the move recommended without seeing any hand is highlighted."""
    best = recommend_move(public)
    return tuple([highlight_best(row, best) for row in _control_rows(public, names, draft)])


def _control_rows(public: PublicState, names: Sequence[str], draft: Draft) -> tuple[ControlRow, ...]:
    match public.stage:
        case Stage.ROLL:
            return ((Control("roll", _("🎲 Roll"), Play(str(ROLL))),),)
        case Stage.FREE:
            done = Control("done", _("End turn"), Play(str(DONE)))
            if not public.may_challenge:
                return ((done,),)
            space = public.ragz_spaces[public.turn]
            label = _("🎯 Challenge {space} ({odds})")
            label = label.format(space=public.board.spaces[space].name, odds=format_odds(CHALLENGE_ODDS))
            return ((Control("challenge", label, Play(str(CHALLENGE))), done),)
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
    spaces, keys, here = public.open_spaces, public.board.keys, public.ragz_spaces[public.turn]
    match public.stage:
        case Stage.FREE if public.may_make_option_move:
            entries = [_menu_entry(public, space, Option(keys[space])) for space in spaces if space != here]
            return (Menu("option", _("Option move to …"), tuple(entries)),)
        case Stage.RETURN | Stage.PLACE if len(spaces) > 1:
            entries = [_menu_entry(public, space, PickSpace(keys[space])) for space in spaces]
            return (Menu("to", _("Choose a space …"), tuple(entries)),)
        case _:
            return ()


_CHOICES: Final[Mapping[Stage, str]] = {
    Stage.FREE: N_("You receive {credits} and must try the challenge ({target}+)"),
    Stage.RETURN: N_("Release {credits}"),
    Stage.PLACE: N_("Releases {credits} whenever someone lands there"),
}
"""What choosing a space brings. Rules CH-8, CH-C5 and CH-C8."""


def _menu_entry(public: PublicState, space: Space, move: Option | PickSpace) -> Control:
    entry = public.board.spaces[space]
    label = _("{space} · {credits} · set {set}").format(space=entry.name, credits=entry.credits, set=entry.set)
    choice = _(_CHOICES[public.stage]).format(credits=entry.credits, target=CHALLENGE_TARGET)
    if isinstance(move, Option) and (others := describe_other_releases(public, space)):
        choice = _("{cost}; {others}").format(cost=choice, others=others)
    return Control(f"to_{public.board.keys[space]}", label, Play(str(move)), description=choice)


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


def _corner_rows(public: PublicState, names: Sequence[str], draft: Draft) -> tuple[ControlRow, ...]:
    """Return the choices of who follows the corner. Rule CH-C0."""
    choice = corner_choice(public)
    corner, able = choice.corner, choice.others
    first: ControlRow = ()
    if choice.can_take:
        label = _("Me: {action}").format(action=describe_corner_action(corner))
        first = (Control("myself", label, Play(str(MYSELF))),)
    if corner.others is Others.ALL:
        return ((*first, _choose_control(public, able, _("all others"))),)
    if not choice.are_ticked:
        others = []
        for seat in able:
            # A button has room for one emoji. With many, the text says what it brings, and names find room in pairs.
            control = _choose_control(public, (seat,), _plain_name(seat, names))
            brings = f"{seat_emoji(seat)} {control.label}"
            label = brings if len(able) <= _MAX_REWARDS else _button_name(seat, names)
            others.append(replace(control, label=label))
        return tuple(row for row in (first, tuple(others)) if row)
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
