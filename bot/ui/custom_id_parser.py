"""Component ids as they come back: read strictly, so that nothing is taken for a button that none of ours has."""

import re
from collections.abc import Callable
from typing import cast

from bot.rules.refusals import Refusal
from bot.rules.screen import Draft
from bot.tables.model import Company
from bot.tables.refusals import HostReason
from bot.ui import custom_ids as ids

_NUMBER = r"(\d{1,18})"
_SNOWFLAKE = r"(\d{1,20})"
_GAME = r"([a-z_]{1,32})"
_PAGE = r"(\d{1,6})"
_CONTROL = rf"{_NUMBER}:{_NUMBER}:([a-z0-9_]{{1,24}}):([0-9a-f]{{1,16}})"


def _decode_draft(mask: str) -> Draft:
    bits = int(mask, 16)
    return frozenset(token for token in range(bits.bit_length()) if bits >> token & 1)


_PATTERNS: dict[str, tuple[str, Callable[..., ids.ComponentId]]] = {
    "t": (
        _CONTROL,
        lambda table_id, step, key, mask: ids.ControlId(int(table_id), int(step), key, _decode_draft(mask)),
    ),
    "m": (
        _CONTROL,
        lambda table_id, step, key, mask: ids.MenuId(int(table_id), int(step), key, _decode_draft(mask)),
    ),
    "y": (_NUMBER, lambda table_id: ids.HandId(int(table_id))),
    "w": (
        r"([tmy]:.{1,97})",
        lambda inner: ids.HandControlId(cast("ids.ControlId | ids.MenuId | ids.HandId", parse_id(inner))),
    ),
    "l": (
        rf"{_NUMBER}:{_NUMBER}:({'|'.join(ids.LobbyButton)})",
        lambda table_id, revision, action: ids.LobbyId(int(table_id), int(revision), ids.LobbyButton(action)),
    ),
    "o": (_NUMBER, lambda table_id: ids.OptionPanelId(int(table_id))),
    "n": (rf"{_NUMBER}:{_PAGE}", lambda table_id, page: ids.OptionPageId(int(table_id), int(page))),
    "d": (
        rf"{_NUMBER}:([0-9a-f]{{16}}):([a-z][a-z0-9_]{{0,31}})",
        lambda table_id, shown, option: ids.OptionMenuId(int(table_id), shown, option),
    ),
    "p": (
        rf"{_NUMBER}:{_NUMBER}:({'|'.join(ids.SeatButton)})",
        lambda table_id, step, action: ids.SeatId(int(table_id), int(step), ids.SeatButton(action)),
    ),
    "i": (
        rf"{_NUMBER}:{_SNOWFLAKE}:({'|'.join(ids.InvitationButton)})",
        lambda table_id, guest, action: ids.InvitationId(int(table_id), int(guest), ids.InvitationButton(action)),
    ),
    "g": (_GAME, ids.GuideId),
    "c": (_NUMBER, lambda table_id: ids.CancelTableId(int(table_id))),
    "v": (_NUMBER, lambda table_id: ids.CheckDiceId(int(table_id))),
    "r": (_NUMBER, lambda table_id: ids.ReadTableId(int(table_id))),
    "u": (
        rf"{_NUMBER}:{_NUMBER}:([yrg]:.{{1,32}})",
        lambda table_id, revision, inner: ids.ReadOnlyId(
            int(table_id), int(revision), cast("ids.HandId | ids.ReadTableId | ids.GuideId", parse_id(inner))
        ),
    ),
    "b": (
        rf"{_NUMBER}:{_NUMBER}:({'|'.join(ids.ReplayButton)})",
        lambda table_id, step, turn: ids.ReplayId(int(table_id), int(step), ids.ReplayButton(turn)),
    ),
    "a": (_NUMBER, lambda table_id: ids.PlayAgainId(int(table_id))),
    "x": (_NUMBER, lambda table_id: ids.NextTableId(int(table_id))),
    "q": (
        rf'{_GAME}:(\d):([a-z0-9_",.-]{{0,60}})',
        lambda game, computers, texts: ids.OpenTableId(game, int(computers), tuple(texts.split(",")) if texts else ()),
    ),
    "k": (_NUMBER, lambda table_id: ids.ResumeId(int(table_id))),
    "z": (
        rf"{_NUMBER}:([qaxk]:.{{1,90}})",
        lambda table_id, inner: ids.PutAsideId(
            int(table_id), cast("ids.OpenTableId | ids.PlayAgainId | ids.NextTableId | ids.ResumeId", parse_id(inner))
        ),
    ),
    "j": (_NUMBER, lambda table_id: ids.StillPlayingId(int(table_id))),
    "s": (
        rf"{_GAME}:({'|'.join(Company)}):{_PAGE}",
        lambda game, company, page: ids.LeaderboardId(game, Company(company), int(page)),
    ),
    "h": (
        rf"({'|'.join(ids.HistoryScope)}):{_PAGE}",
        lambda reach, page: ids.HistoryId(ids.HistoryScope(reach), int(page)),
    ),
}
"""What follows the prefix of each kind of id, and how it is read."""

_PARSERS = {prefix: (re.compile(pattern, re.ASCII), read) for prefix, (pattern, read) in _PATTERNS.items()}


def parse_id(text: str) -> ids.ComponentId:
    """Read a component id; refuses what none of our buttons has."""
    prefix, _, rest = text.partition(":")
    if prefix in _PARSERS:
        pattern, read = _PARSERS[prefix]
        if found := pattern.fullmatch(rest):
            return read(*found.groups())
    raise Refusal(HostReason.UNKNOWN_BUTTON)
