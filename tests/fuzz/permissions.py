"""Who may do what at a table, derived independently from its model and an act."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.rules.screen import Draft, Play
from bot.tables.model import Entry, Header, Occupant, Status, TableId, people_in
from bot.tables.registry import AnyPackage
from tests.fuzz.acts import Act, ActKind
from tests.fuzz.recording_store import TableOpened, TableSaved
from tests.fuzz.table_model import TableModel, parse_draft

OPENER_AWAY_LIMIT = timedelta(minutes=5)
PLAYER_AWAY_LIMIT = timedelta(minutes=2)
TABLE_IDLE_LIMIT = timedelta(days=1)


def may_open(act: Act, opened: TableOpened, package: AnyPackage, finished: TableModel | None) -> bool:
    """Return whether an act may open a table: with a command, or after a finished one."""
    header, seats = opened.header, opened.seats
    if header.status is Status.PLAYING:
        return _may_open_challenge(act, opened)
    solo = replace(act.location, solo_id=act.person.id)
    is_shared = not package.game.info.is_solo and header.location == act.location
    # The server decides whether a game against computers is a solo game.
    may_be_solo = people_in(seats) == {act.person.id} and (package.game.info.is_solo or len(seats) > 1)
    if not (is_shared or (may_be_solo and header.location == solo)) or header.opener_id != act.person.id:
        return False
    if act.kind is ActKind.COMMAND:
        computers = act.options.get("computers", 0)
        alone = [who.user_id for who in seats] == [act.person.id, *[None] * computers]
        return act.command == f"{package.game.info.command} new" and alone
    if (request := _requested_table(act)) is not None:
        return header.link is None and request[1:2] == [package.game.info.key]
    return finished is not None and _may_play_on(act, opened, finished)


def _may_play_on(act: Act, opened: TableOpened, finished: TableModel) -> bool:
    """Return whether an act may open a table for the people of a finished one."""
    if finished.header.status is not Status.FINISHED or not finished.is_at(act):
        return False
    person, computers = finished.seat_of(act.person.id), [who for who in finished.seats if who.is_computer]
    if person is None:
        return False
    if opened.header.link:
        return _follows(finished, opened)
    keeps_seats = opened.header.kept <= people_in(finished.seats) - {act.person.id}
    return (
        _have_same_members([finished.seats[person], *computers], opened.seats)
        and keeps_seats
        and pressed_table(act, "a") is not None
    )


def _may_open_challenge(act: Act, opened: TableOpened) -> bool:
    """Return whether an act may open a challenge, which has a person alone and no hints."""
    header, (player, *others) = opened.header, opened.seats
    is_own = header.opener_id == player.user_id == act.person.id and not others and not header.allows_hints
    is_here = header.location == replace(act.location, solo_id=act.person.id)
    cadence, _, _ = player.contribution.partition(":")
    is_its_game = {"daily": "magpie", "weekly": "magic_bag"}.get(cadence) == header.game
    is_asked = _chosen_parts(act)[:3] == ["B", "play", cadence]
    return is_own and is_here and is_its_game and is_asked and header.is_private


def _follows(finished: TableModel, opened: TableOpened) -> bool:
    """Return whether a table is the next game of a tournament, or the tie-break of a game that stands alone."""
    series, outcome, link = (
        finished.package.results.series,
        finished.package.game.outcome(finished.state),
        opened.header.link,
    )
    if series is None or outcome is None or link is None or finished.resigned:
        return False
    part = finished.header.link.part if finished.header.link else 1
    if link.part != part + 1:
        return False
    options = finished.package.game.info.options.model_validate_json(finished.header.options)
    if series.count_games(options) > 1:
        return link.part <= series.count_games(options) and _have_same_members(finished.seats, opened.seats)
    tied = [finished.seats[seat] for seat in outcome.winners]
    return finished.header.link is None and len(tied) > 1 and _have_same_members(tied, opened.seats)


def may_invite(act: Act, account: TableModel, guest_id: int) -> bool:
    """Return whether an act may invite a person to a table."""
    return (
        act.command == "table invite"
        and account.is_at(act)
        and act.location.guild_id is not None
        and account.header.status is Status.LOBBY
        and account.seat_of(act.person.id) is not None
        and account.seat_of(guest_id) is None
        and str(guest_id) == act.options.get("person")
    )


def may_save_settings(act: Act, scope_id: int) -> bool:
    """Return whether an act may change settings: a person's own, or of a direct message; no one manages a server."""
    (pressed,) = pressed_id_parts(act)[:1] or [""]
    asked = act.location.guild_id is None and (pressed == "S" or act.command == "settings set")
    is_own = scope_id == act.person.id and (asked or pressed in ("R", "T", "i"))
    return is_own or (asked and scope_id == act.location.channel_id)


def may_change_table(act: Act, account: TableModel, saved: TableSaved, now: datetime) -> bool:
    """Return whether an act may change a table in this way."""
    if not account.is_at(act):
        return False
    if saved.entry is not None:
        return saved.entry.click_id == act.id and _may_add_entry(act, account, saved.entry, now)
    return _may_change(act, account, saved, now)


def _may_add_entry(act: Act, account: TableModel, entry: Entry, now: datetime) -> bool:
    seat = account.seat_of(act.person.id)
    plays = account.header.status is Status.PLAYING and seat is not None and seat not in account.resigned
    if not plays or seat != entry.seat or entry.step != account.header.step + 1:
        return False
    if entry.text.startswith(("!ask", "!substitute")):
        return _may_replace(act, account, entry, now)
    if entry.text.startswith("!"):
        return _may_control(act, account, entry)
    return seat not in account.replaced and _may_play(act, account, entry)


def _may_control(act: Act, account: TableModel, entry: Entry) -> bool:
    match entry.text:
        case "!resign":
            return not account.package.game.info.is_solo and refers_to(act, account, "p", "resign")
        case "!back":
            asked = refers_to(act, account, "p", "back") or act.command == "table back"
            return entry.seat in account.replaced and asked
        case "!undo":
            asked = refers_to(act, account, "p", "undo", account.header.step) or act.command == "table undo"
            may = bool(account.undo_points) and account.undo_points[-1].seat == entry.seat and not account.is_challenge
            return may and asked
        case "!close":
            asked = refers_to(act, account, "p", "close") or refers_to(act, account, "c")
            may = account.needs_agreement_to_close and len(account.people) > 1 and entry.seat not in account.agreed
            return may and asked and (bool(account.agreed) or refers_to(act, account, "c"))
        case _:
            return False


def _may_replace(act: Act, account: TableModel, entry: Entry, now: datetime) -> bool:
    word, _, about = entry.text.partition(" ")
    absent, seat = int(about), entry.seat
    silent = now - account.header.awaited_since >= PLAYER_AWAY_LIMIT
    asked = refers_to(act, account, "p", "substitute") or act.command == "table substitute"
    if not asked or not silent or absent != account.to_move or absent == seat:
        return False
    if account.is_automatic(absent) or account.is_automatic(seat):
        return False
    people = {at for at in range(len(account.seats)) if not account.is_automatic(at)} - {absent}
    enough = act.person.id == account.header.opener_id or len(account.asked | {seat}) >= min(2, len(people))
    return enough is (word == "!substitute")


def _may_play(act: Act, account: TableModel, entry: Entry) -> bool:
    if account.to_move != entry.seat or not account.is_legal(entry):
        return False
    if act.kind is ActKind.COMMAND:
        return act.command.split(" ")[0] == account.package.game.info.command
    pressed = pressed_control(act)
    if pressed is None or (pressed.table_id, pressed.step) != (account.id, account.header.step):
        return False
    drafts = [*(account.hand_drafts if pressed.is_in_hand else account.drafts), pressed.draft]
    viewer = entry.seat if pressed.is_in_hand else None
    effects = (account.effect_of(pressed.key, draft, viewer) for draft in drafts)
    return any(isinstance(effect, Play) and effect.move == entry.text for effect in effects)


def _may_change(act: Act, account: TableModel, saved: TableSaved, now: datetime) -> bool:
    header, seats = saved.header, account.seats if saved.seats is None else saved.seats
    if header.status is Status.CANCELLED and (_may_cancel(act, account) or _may_remove_last(act, account)):
        return seats == account.seats
    if account.header.status is not Status.LOBBY:
        is_as_it_was = account.header.status.is_unfinished and seats == account.seats
        return is_as_it_was and _may_change_idle_table(act, account, header, now)
    if header.status is Status.PLAYING:
        return _may_start(act, account, header, seats, now)
    if header.link is not None:
        return False
    if seats != account.seats:
        return _may_reseat(act, account, header, seats)
    is_opener = act.person.id == account.header.opener_id
    is_in_place = header.location == account.header.location
    return is_opener and is_in_place and header.status is Status.LOBBY and _may_choose(act, account, header)


def _may_change_idle_table(act: Act, account: TableModel, header: Header, now: datetime) -> bool:
    """Return whether an act may put a table aside, resume it, or say that it is still being played."""
    was, has_seat = account.header.status, account.seat_of(act.person.id) is not None
    if header.status is was and header.hinted != account.header.hinted:
        return _may_have_hint(act, account, header)
    if header.status is was:
        return has_seat and refers_to(act, account, "j")
    if header.status.is_aside:
        is_old = now - account.header.updated_at >= TABLE_IDLE_LIMIT
        return not account.header.location.solo_id and is_old and pressed_table(act, "z") == account.header.id
    asked = act.command == "table resume" or pressed_table(act, "k") == account.id
    return was.is_aside and (has_seat or act.is_moderator) and asked


def _may_have_hint(act: Act, account: TableModel, header: Header) -> bool:
    """Return whether an act may note that the person to move uses a hint, and nothing else."""
    seat = account.seat_of(act.person.id)
    is_mover = account.header.status is Status.PLAYING and seat is not None and seat == account.to_move
    asked = refers_to(act, account, "Hs", step=account.header.step)
    is_noted = header.hinted == account.header.hinted | {seat}
    is_allowed = account.header.allows_hints and seat not in account.replaced
    return is_mover and asked and is_noted and is_allowed


def _may_start(act: Act, account: TableModel, header: Header, seats: tuple[Occupant, ...], now: datetime) -> bool:
    silent = now - account.header.awaited_since >= OPENER_AWAY_LIMIT
    is_opener = act.person.id == account.header.opener_id
    is_starter = is_opener or (account.seat_of(act.person.id) is not None and silent)
    kept, added = seats[: len(account.seats)], seats[len(account.seats) :]
    filled = _have_same_members(kept, account.seats) and all(who.is_computer for who in added)
    # Against computer players alone, *Play again* starts at once.
    plays_again = pressed_table(act, "a") is not None and people_in(seats) == {act.person.id}
    request = _requested_table(act) or []
    # The fourth part is the level of a game that starts at once.
    is_at_once = is_opener and request[1:2] == [account.header.game] and any(request[3:4])
    solo_id = header.location.solo_id
    is_in_place = solo_id == account.header.location.solo_id or people_in(seats) == {solo_id}
    return (
        is_starter and filled and is_in_place and (refers_to(act, account, "l", "start") or plays_again or is_at_once)
    )


def _may_cancel(act: Act, account: TableModel) -> bool:
    may = (act.person.id == account.header.opener_id and not account.needs_agreement_to_close) or act.is_moderator
    is_typed = act.command == "table cancel" and account.header.status is Status.LOBBY
    asked = refers_to(act, account, "c") or is_typed
    return (account.header.status.is_open and may and asked) or _last_leaves(act, account)


def _may_remove_last(act: Act, account: TableModel) -> bool:
    """Return whether an act may remove the last person from a lobby, which closes it."""
    last = [who for who in account.seats if not who.is_computer]
    is_lobby = account.header.status is Status.LOBBY and account.header.link is None
    return act.is_moderator and is_lobby and len(last) == 1 and _may_free(act, account, last[0])


def _last_leaves(act: Act, account: TableModel) -> bool:
    people = [who.user_id for who in account.seats if who.user_id is not None]
    leaves = refers_to(act, account, "l", "leave") and account.header.status is Status.LOBBY
    return people == [act.person.id] and leaves


def _may_reseat(act: Act, account: TableModel, header: Header, seats: tuple[Occupant, ...]) -> bool:
    is_opener = act.person.id == account.header.opener_id
    same_opener = header.opener_id == account.header.opener_id
    before, after = Counter(account.seats), Counter(seats)  # computer players of a level are equal
    new, gone = list((after - before).elements()), list((before - after).elements())
    match gone, new:
        case [], [who] if seats[:-1] == account.seats and same_opener:
            has_room = len(account.seats) < account.package.game.info.most_seats
            return has_room and _may_sit(act, account, who, is_opener=is_opener)
        case [who], [] if who.user_id == act.person.id:
            heirs = {each.user_id for each in seats} - {None}
            fit = header.opener_id in heirs if is_opener else same_opener
            return fit and refers_to(act, account, "l", "leave")
        case [*computers], [] if is_opener and same_opener and all(who.is_computer for who in computers):
            removes_all = not any(who.is_computer for who in seats) and _chooses_opponents(act, account, "-")
            return removes_all or (len(computers) == 1 and _may_free(act, account, computers[0]))
        case [who], [] if is_opener or act.is_moderator:
            fit = same_opener if who.user_id != account.header.opener_id else header.opener_id in people_in(seats)
            return fit and _may_free(act, account, who)
        case _:
            return False


def _may_free(act: Act, account: TableModel, who: Occupant) -> bool:
    """Return whether an act, of the host or a moderator, asks for a seat to be freed."""
    kicked = act.command == "table kick" and act.options.get("person") == str(who.user_id)
    chosen = refers_to(act, account, "K", step=account.header.revision) and _chosen_seat(act, account) == who
    return chosen or kicked


def _chosen_seat(act: Act, account: TableModel) -> Occupant | None:
    """Return the occupant of the seat that was chosen in a menu."""
    seat = parse_number("".join(act.data.get("values") or ()))
    return None if seat is None or seat >= len(account.seats) else account.seats[seat]


def _may_sit(act: Act, account: TableModel, who: Occupant, *, is_opener: bool) -> bool:
    if who.is_computer:
        return is_opener and who.level is not None and _chooses_opponents(act, account, who.level)
    is_new = account.seat_of(act.person.id) is None and who.user_id == act.person.id
    is_invited = refers_to(act, account, "i", "join") and pressed_id_parts(act)[2] == str(act.person.id)
    plays_again = pressed_table(act, "a") is not None and act.person.id in account.header.kept
    asked = refers_to(act, account, "l", "join") or is_invited or plays_again
    return is_new and who.contribution == str(act.id) and asked


def _chooses_opponents(act: Act, account: TableModel, value: str) -> bool:
    return refers_to(act, account, "OP", step=account.header.revision) and act.data.get("values") == [value]


def _may_choose(act: Act, account: TableModel, header: Header) -> bool:
    pressed = pressed_id_parts(act)
    if header.clock.limit is not account.header.clock.limit:
        is_alone = replace(header.clock, limit=account.header.clock.limit) == account.header.clock
        return is_alone and refers_to(act, account, "CM") and act.data.get("values") == [header.clock.limit.value]
    if header.pace is not account.header.pace:
        is_alone = header.options == account.header.options
        return is_alone and refers_to(act, account, "PA") and act.data.get("values") == [header.pace.value]
    if header.allows_hints is not account.header.allows_hints:
        chosen = ["on" if header.allows_hints else "off"]
        is_alone = header.options == account.header.options
        return is_alone and refers_to(act, account, "O") and act.data.get("values") == chosen
    if not refers_to(act, account, "d") or len(pressed) != 4 or len(act.data.get("values") or ()) != 1:
        return False
    before, after = json.loads(account.header.options), json.loads(header.options)
    changed = [name for name in after if after[name] != before.get(name)]
    shown = hashlib.sha256(account.header.options.encode()).hexdigest()[:16]
    return changed == [pressed[3]] and pressed[2] == shown and header.revision == account.header.revision + 1


def refers_to(act: Act, account: TableModel, prefix: str, action: str | None = None, step: int | None = None) -> bool:
    """Return whether the pressed id names the table, and the action and the step or revision if given."""
    pressed = pressed_id_parts(act)
    if pressed_table(act, prefix) != account.id:
        return False
    if action is not None and pressed[3:4] != [action]:
        return False
    return step is None or (len(pressed) > 2 and parse_number(pressed[2]) == step)


@dataclass(frozen=True, slots=True)
class PressedControl:
    """A control of a game's screen, or of a hand, as a button or a line of a menu names it."""

    table_id: TableId | None
    step: int | None
    key: str
    draft: Draft
    is_in_hand: bool


def pressed_control(act: Act) -> PressedControl | None:
    """Return the control that was pressed or chosen in a menu, or None if it was none."""
    parts = pressed_id_parts(act)
    is_in_hand = parts[:1] == ["w"]
    kind, *rest = parts[is_in_hand:] or [""]
    if kind not in ("t", "m") or len(rest) != 4:
        return None
    values = act.data.get("values") or [""]
    key = rest[2] if kind == "t" else str(values[0])
    draft = parse_draft(rest[3])
    return (
        None if draft is None else PressedControl(parse_number(rest[0]), parse_number(rest[1]), key, draft, is_in_hand)
    )


def pressed_table(act: Act, prefix: str) -> TableId | None:
    """Return the table that the pressed button names, or None if the button is of another kind.

    The button that puts a table aside and opens another carries two ids.
    """
    pressed = pressed_id_parts(act)
    if pressed[:1] == ["z"] != [prefix]:
        pressed = pressed[2:]
    return parse_number(pressed[1]) if len(pressed) > 1 and pressed[0] == prefix else None


def _requested_table(act: Act) -> list[str] | None:
    """Return the parts of an id that asks for a table: a game of `/play`, or what is done after putting one aside."""
    parts = _chosen_parts(act)
    if parts[:3:2] == ["z", "q"]:
        parts = parts[2:]
    return parts if parts[:1] == ["q"] else None


def _chosen_parts(act: Act) -> list[str]:
    """Return the parts of the id that was pressed, or chosen in a menu of games."""
    parts = pressed_id_parts(act)
    return str((act.data.get("values") or [""])[0]).split(":") if parts[:1] == ["1"] else parts


def pressed_id_parts(act: Act) -> list[str]:
    """Return the parts of the id that was pressed."""
    return act.custom_id.split(":") if act.kind is ActKind.COMPONENT else []


def parse_number(text: str) -> int | None:
    """Read a number, if it is one."""
    return int(text) if text.isascii() and text.isdecimal() else None


def _have_same_members(some: Sequence[Occupant], others: Sequence[Occupant]) -> bool:
    return [(who.user_id, who.level) for who in some] == [(who.user_id, who.level) for who in others]
