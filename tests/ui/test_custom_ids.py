"""Component ids: they survive restarts, fit Discord's limit and never mean anything we did not write."""

import random
import string

import pytest

from bot.features.blocks.commands import UnblockId
from bot.features.boards.messages import BoardButton, BoardId, BoardMenu, BoardMenuId, LeaderboardId, SeasonId
from bot.features.boards.model import BoardOrder, Span
from bot.features.daily_bag.messages import DailyBagButton, DailyBagId
from bot.features.fairness.handlers import CheckDiceId
from bot.features.help.messages import GameMenuId, GuidePageId, HelpId, HelpTopic, LessonId
from bot.features.hints.messages import HintId, ShowHintId
from bot.features.idle_tables.messages import PutAsideId, StillPlayingId
from bot.features.invitations.messages import InvitationButton, InvitationId
from bot.features.my_tables.messages import MyTablesId
from bot.features.privacy.messages import PrivacyButton, PrivacyId
from bot.features.profiles.messages import HistoryId, HistoryScope
from bot.features.puzzles.messages import DailyPuzzleButton, DailyPuzzleId, NextPuzzleId, PuzzleChoiceId
from bot.features.reminders.messages import PingMenu, PingMenuId, PingPanelId, TimeUpButton, TimeUpId
from bot.features.replays.messages import ReplayButton, ReplayId
from bot.features.reviews.messages import ReviewId
from bot.features.settings.all_settings import SETTINGS, SettingsSection
from bot.features.settings.messages import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsSectionId,
)
from bot.features.sharing import ShareId
from bot.features.tips import NoTipsId
from bot.features.tournaments.messages import DecisionId, TournamentButton, TournamentButtonId
from bot.features.tournaments.model import Verdict
from bot.platform.discord.ids import CustomId, UnknownId, kinds_of_ids, parse_id
from bot.rules.screen import KEY_PATTERN, MAX_TOKENS
from bot.tables.handlers.ids import (
    CancelTableId,
    ClockMenuId,
    ControlId,
    GuideId,
    HandControlId,
    HandId,
    HintMenuId,
    LobbyButton,
    LobbyId,
    MenuId,
    NextTableId,
    OpenTableId,
    OptionMenuId,
    OptionPageId,
    OptionPanelId,
    PlayAgainId,
    ReadAloudId,
    ReadOnlyId,
    ReadTableId,
    RemovePlayerId,
    ResumeId,
    SeatButton,
    SeatId,
    Switch,
    WhatHappenedId,
)
from bot.tables.model import Company
from tests.support.each_case import each_case

MOST = 10**18 - 1
LIMIT = 100

IDS: list[CustomId] = [
    ControlId(1, 0, "roll", frozenset()),
    ControlId(7, 12, "die3", frozenset({1, 5})),
    ControlId(MOST, MOST, "k" * 24, frozenset(range(64))),
    ControlId(1, 1, "a_0", frozenset({63})),
    ControlId(1, 1, "0", frozenset({0})),
    MenuId(1, 0, "item", frozenset()),
    MenuId(1, 0, "item", frozenset({4, 63})),
    MenuId(MOST, MOST, "k" * 24, frozenset(range(64))),
    HandId(1),
    HandId(MOST),
    HandControlId(HandId(MOST)),
    HandControlId(ControlId(1, 0, "add_3", frozenset({12}))),
    HandControlId(ControlId(MOST, MOST, "k" * 24, frozenset(range(64)))),
    HandControlId(MenuId(MOST, MOST, "k" * 24, frozenset(range(64)))),
    *(LobbyId(3, 9, action) for action in LobbyButton),
    *(LobbyId(MOST, MOST, action) for action in LobbyButton),
    *(SeatId(MOST, MOST, action) for action in SeatButton),
    PingPanelId(MOST),
    *(PingMenuId(MOST, menu) for menu in PingMenu),
    PingMenuId(0, PingMenu.HOW),
    ClockMenuId(MOST),
    *(TimeUpId(MOST, 10**12 - 1, button) for button in TimeUpButton),
    MyTablesId(999_999),
    SeatId(7, 0, SeatButton.RESIGN),
    *(InvitationId(MOST, 2**63 - 1, action) for action in InvitationButton),
    RemovePlayerId(1, 2),
    RemovePlayerId(MOST, MOST),
    HintId(MOST, MOST),
    ShowHintId(MOST, MOST),
    HintMenuId(MOST),
    OptionPanelId(1),
    OptionPanelId(MOST),
    OptionPageId(1, 2),
    OptionPageId(MOST, 999_999),
    OptionMenuId(1, "0" * 16, "target"),
    OptionMenuId(MOST, "f" * 16, "o" * 32),
    GuideId("magpie"),
    GuideId("houdinis_baggage"),
    GuideId("g" * 32),
    GuidePageId("magpie", 3, ("500", "true", "true", "false")),
    GuidePageId("magic_bag", 12, ()),
    GameMenuId(1),
    *map(HelpId, HelpTopic),
    LessonId("houdinis_baggage"),
    ReadOnlyId(1, 2, HandId(1)),
    ReadOnlyId(MOST, MOST, HandId(MOST)),
    ReadOnlyId(MOST, MOST, ReadTableId(MOST)),
    ReadOnlyId(MOST, MOST, GuideId("houdinis_baggage")),
    CancelTableId(1),
    PlayAgainId(MOST),
    PlayAgainId(1),
    NextTableId(1),
    NextTableId(MOST),
    CancelTableId(MOST),
    CheckDiceId(1),
    CheckDiceId(MOST),
    ShareId(1),
    *map(PrivacyId, PrivacyButton),
    PuzzleChoiceId("magpie", "0123cdef", 0, 5),
    PuzzleChoiceId("g" * 32, "f" * 8, 999_999, 9),
    NextPuzzleId("g" * 32, "0" * 8),
    *(DailyPuzzleId(button, 20_783) for button in DailyPuzzleButton),
    *(DailyBagId(button, 20_783, 1) for button in DailyBagButton),
    DailyBagId(DailyBagButton.EVERYWHERE, 999_999, 999_999),
    ReviewId(1),
    ReadTableId(1),
    ReadTableId(MOST),
    WhatHappenedId(MOST),
    *(ReplayId(MOST, MOST, turn) for turn in ReplayButton),
    ReplayId(1, 0, ReplayButton.OPEN),
    *(LeaderboardId("houdinis_baggage", company, 12) for company in Company),
    LeaderboardId("g" * 32, Company.COMPUTERS, 999_999),
    *(BoardId("magpie", Company.PEOPLE, by, span, 1) for by in BoardOrder for span in Span),
    *(BoardId("g" * 32, Company.COMPUTERS, BoardOrder.RATING, "2026-Q4", 999_999, button) for button in BoardButton),
    *map(BoardMenuId, BoardMenu),
    *map(SeasonId, (Span.SEASON.value, "2026", "2026-Q1", "2026-12")),
    *(HistoryId(reach, 1) for reach in HistoryScope),
    HistoryId(HistoryScope.SERVER, 999_999),
    OpenTableId("magpie", 5, ("500", "true", "true", "false")),
    OpenTableId("magic_bag", 0, ()),
    ResumeId(MOST),
    PutAsideId(MOST, OpenTableId("houdinis_baggage", 3, ("30",))),
    PutAsideId(7, PlayAgainId(8)),
    PutAsideId(7, NextTableId(8)),
    PutAsideId(7, ResumeId(8)),
    StillPlayingId(MOST),
    *(SettingId(setting.key) for setting in SETTINGS),
    *map(SettingsSectionId, SettingsSection),
    DefaultsPageId("houdinis_baggage", 999_999),
    DefaultOptionId("g" * 32, "o" * 32),
    ResetDefaultsId("g" * 32),
    UnblockId(999_999),
    NoTipsId(MOST),
    *(TournamentButtonId(MOST, button) for button in TournamentButton),
    *(DecisionId(MOST, 999, 999, verdict) for verdict in Verdict),
    *(ReadAloudId(MOST, switch) for switch in Switch),
]


def test_two_kinds_have_no_prefix_in_common() -> None:
    with pytest.raises(TypeError, match="Twin and ControlId have the same prefix"):

        class Twin(CustomId, prefix=ControlId.prefix):
            """Has the prefix of another kind."""


@each_case("component", IDS)
def test_ids_are_parsed_from_their_own_text(component: CustomId) -> None:
    assert parse_id(str(component)) == component
    assert 1 <= len(str(component)) <= LIMIT


def test_every_kind_of_id_is_tested() -> None:
    assert {type(component) for component in IDS} == set(kinds_of_ids())


def test_different_ids_have_different_texts() -> None:
    assert len({str(component) for component in IDS}) == len(IDS)


NONSENSE = [
    "",
    ":",
    "t",
    "t:",
    "y:",
    "y:1:2",
    "w:",
    "w:1",
    "w:l:1:2:join",
    "w:w:y:1",
    "w:t:1:2:roll:g",
    "z:1",
    "T:1:2:roll:0",
    "t:1:2:roll",
    "t:1:2:roll:",
    "t:1:2::0",
    "t::2:roll:0",
    "t:1::roll:0",
    "t:1:2:roll:0:",
    "t:1:2:roll:0:0",
    "t:1:2:roll:g",
    "t:1:2:roll:F",
    "t:1:2:roll:-1",
    "t:1:2:roll:0x1",
    "t:1:2:roll:" + "f" * 17,
    "t:1:2:ROLL:0",
    "t:1:2:ro ll:0",
    "t:1:2:ro-ll:0",
    "t:1:2:" + "k" * 25 + ":0",
    "t:-1:2:roll:0",
    "t:+1:2:roll:0",
    "t:1.5:2:roll:0",
    "t: 1:2:roll:0",
    "t:1:2:roll:0\n",
    "\nt:1:2:roll:0",
    "t:1:2:roll:0 ",
    "t:١:2:roll:0",  # an Arabic digit
    "t:1:2:roll:٠",
    "t:1:2:röll:0",
    "t:" + "1" * 19 + ":2:roll:0",
    "t:1:" + "2" * 19 + ":roll:0",
    "t:1_0:2:roll:0",
    "m:1:2:item",
    "m:1:2::0",
    "m:1:2:item:g",
    "m:1:2:item:" + "f" * 17,
    "m:1:2:" + "k" * 25 + ":0",
    "p:1:2",
    "p:1:resign",
    "p:1:2:RESIGN",
    "l:1:2",
    "l:1:2:",
    "l:1:2:fly",
    "l:1:2:JOIN",
    "l:1:2:join:",
    "l:1:2:joinleave",
    "l:1:2:join\n",
    "l:1:join",
    "l:x:2:join",
    "K:",
    "K:1",
    "K:1:2:3",
    "k:1:2",
    "o:",
    "o:x",
    "o:1:2",
    "n:1",
    "n:1:",
    "n:1:1000000",
    "d:1:target",
    "d:1:0123456789abcdef",
    "d:1:0123456789abcdef:",
    "d:1:0123456789abcdef:Target",
    "d:1:0123456789abcdef:__class__",
    "d:1:0123456789ABCDEF:target",
    "d:1:0123456789abcde:target",
    "d:1:0123456789abcdef:" + "o" * 33,
    "g:",
    "g:Magpie",
    "g:magpie!",
    "g:../secrets",
    "g:" + "g" * 33,
    "g:magpie\n",
    "u:1:2",
    "u:1:2:",
    "u:1:y:1",
    "u:1:-2:y:1",
    "u:1:2:y:x",
    "u:1:2:c:1",
    "u:1:2:w:y:1",
    "u:1:2:u:1:2:y:1",
    "u:1:2:r:1:2",
    "u:1:2:g:Magpie",
    "c:",
    "c:x",
    "c:-1",
    "c:1:2",
    "c:1\n",
    "c:" + "1" * 19,
    "c:²",
    "r:",
    "r:1:2",
    "b:1:2",
    "b:1:open",
    "b:1:2:fly",
    "b:1:2:leap",
    "s:magpie:people",
    "s:magpie:people:",
    "s:magpie:birds:1",
    "s:magpie:people:1:1",
    "s:magpie:people:-1",
    "s:magpie:people:1000000",
    "s:Magpie:people:1",
    "s::people:1",
    "h:here",
    "h:there:1",
    "h:here:1000000",
    "h:here:-1",
    "h:here:1\n",
    "h:3:here:1",
    "S:",
    "S:PICTURES",
    "S:pictures:off",
    "S:pictures\n",
    "\x00",
    "t:1:2:roll:\x00",
    "🎲",
    "t" * 100,
    ":" * 100,
    "1" * 10_000,
]


@each_case("text", NONSENSE)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(UnknownId):
        parse_id(text)


def test_damage_to_an_id_never_causes_an_error_or_another_button() -> None:
    """A damaged id is refused, unless it parses and formats to the same id, up to leading zeros."""
    source = random.Random(1)
    signs = string.ascii_letters + string.digits + ":_- \n\x00é٣²🎲"
    read = 0
    for _ in range(20_000):
        text = list(str(source.choice(IDS)))
        for _ in range(source.randint(1, 4)):
            at = source.randrange(len(text) + 1)
            match source.randrange(3):
                case 0:
                    text.insert(at, source.choice(signs))
                case 1:
                    del text[at : at + 1]
                case _:
                    text[at : at + 1] = source.choice(signs)
        damaged = "".join(text)
        try:
            component = parse_id(damaged)
        except UnknownId:
            continue
        read += 1
        assert without_zeros(str(component)) == without_zeros(damaged)
        assert len(str(component)) <= LIMIT
    assert 0 < read < 20_000


def without_zeros(text: str) -> list[str]:
    return [part.lstrip("0") or "0" for part in text.split(":")]


@each_case("kind", [ControlId, MenuId])
def test_the_longest_key_and_draft_of_a_screen_fit_into_an_id(kind: type[ControlId | MenuId]) -> None:
    """What the contract of games demands of a key and a draft is enough, in a hand too."""
    key, draft = "x" * 24, frozenset(range(MAX_TOKENS))
    assert KEY_PATTERN.fullmatch(key)
    assert not KEY_PATTERN.fullmatch(f"{key}x")
    component = HandControlId(kind(10**18 - 1, 10**18 - 1, key, draft))
    assert len(str(component)) <= 100
    assert parse_id(str(component)) == component
