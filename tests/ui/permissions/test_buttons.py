"""Who may press each kind of button and menu: a new kind fails here until it says so."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, get_type_hints

import pytest

from bot.features.blocks.commands import UnblockId
from bot.features.boards.messages import BoardButton, BoardId, BoardMenu, BoardMenuId, LeaderboardId, SeasonId
from bot.features.boards.model import BoardOrder, Span
from bot.features.challenges.ids import ChallengeButton, ChallengeId, OthersMenuId
from bot.features.challenges.model import ChallengeReason
from bot.features.fairness.handlers import CheckDiceId
from bot.features.help.lessons import CloseLessonId, LessonControlId, LessonMenuId
from bot.features.help.messages import GameMenuId, GuidePageId, HelpId, HelpTopic, LessonId
from bot.features.hints.messages import HintId, ShowHintId
from bot.features.idle_tables.messages import PutAsideId, StillPlayingId
from bot.features.invitations.messages import InvitationButton, InvitationId
from bot.features.invitations.model import InvitationReason
from bot.features.moderation.messages import (
    BansId,
    CloseAll,
    CloseAllId,
    CloseTableId,
    LiftBanId,
    OpenTablesId,
    PickTableId,
)
from bot.features.moderation.model import ModerationReason
from bot.features.my_tables.messages import MyTablesId
from bot.features.privacy.messages import PrivacyButton, PrivacyId
from bot.features.profiles.messages import HistoryId, HistoryScope
from bot.features.puzzles.messages import DailyPuzzleButton, DailyPuzzleId, NextPuzzleId, PuzzleChoiceId
from bot.features.puzzles.model import PuzzleReason
from bot.features.reminders.messages import PingMenu, PingMenuId, PingPanelId, TimeUpButton, TimeUpId
from bot.features.replays.messages import AnimationId, MomentId, ReplayButton, ReplayId
from bot.features.replays.model import ReplayReason
from bot.features.reviews.messages import ReviewId, ReviewPage, ReviewPageId
from bot.features.reviews.model import ReviewReason
from bot.features.set_up.messages import SetUpId, SetUpMenuId, SetUpStep, asked_steps
from bot.features.settings.all_settings import CLOCK, SEASON
from bot.features.settings.kinds import SettingsSection
from bot.features.settings.messages import (
    ChangeSettingId,
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsPagesId,
    SettingsSectionId,
)
from bot.features.settings.reasons import SettingReason
from bot.features.sharing import ShareId
from bot.features.tips import NoTipsId
from bot.features.tournaments.messages import (
    TakePlaceId,
    TournamentButton,
    TournamentButtonId,
    TournamentGamesId,
    TournamentPageId,
)
from bot.features.tournaments.model import TournamentReason, Verdict
from bot.features.tournaments.organizer_messages import (
    DecisionId,
    DecisionStep,
    GameOptionId,
    GameOptionsPageId,
    MoreTimeId,
    PickGameId,
)
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.ids import CustomId, kinds_of_ids
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import RefusalReason
from bot.tables.handlers.ids import (
    PEOPLE_ONLY,
    CancelTableId,
    ClockMenuId,
    ControlId,
    DareId,
    GuideId,
    HandControlId,
    HandId,
    HintMenuId,
    LobbyButton,
    LobbyId,
    MenuId,
    MoreId,
    MoveHereId,
    NextTableId,
    OpponentsId,
    OptionMenuId,
    OptionPageId,
    OptionPanelId,
    PaceMenuId,
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
    open_table_id,
)
from bot.tables.kinds import Cadence
from bot.tables.model import Company
from bot.tables.refusals import HostReason
from tests.support.fakes import HERE, ROBIN
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_menu_choice
from tests.ui.permissions.scenes import (
    BANNED,
    MODERATES,
    TIME_UP_PERIOD,
    Expected,
    Who,
    find_outcomes,
    make_interaction,
    rights,
    set_scene,
    texts_of,
)

R = HostReason
T = TournamentReason
NO_ONE_ELSES = R.UNKNOWN_TABLE
"""A table can't be reached from another channel, whatever an id says."""

OPEN_MAGPIE = open_table_id("magpie", MagpieOptions(), computers=0)


@dataclass(frozen=True)
class Case:
    """A button or menu, where it is, and what comes of it for each."""

    pressed: CustomId
    stage: str
    expected: Expected
    values: tuple[str, ...] = ()


def lobby(button: LobbyButton, expected: Expected) -> Case:
    return Case(LobbyId(1, 2, button), "lobby", expected)


def players(outcome: RefusalReason | None) -> Expected:
    """Return an outcome for those who play, which does not depend on who they are."""
    return rights(R.NOT_SEATED, host=outcome, member=outcome, outsider=NO_ONE_ELSES)


def seat(button: SeatButton, expected: Expected) -> Case:
    return Case(SeatId(1, 0, button), "playing", expected)


_CHALLENGE_REASONS = {ChallengeButton.SHARE: (ChallengeReason.NOT_FINISHED,)}
ANYWHERE = rights()
SEEN_HERE = rights(outsider=NO_ONE_ELSES)
HOST_ONLY = rights(R.NOT_OPENER, host=None, outsider=NO_ONE_ELSES)
FREE_SEATS = rights(None, member=R.NOT_OPENER, stranger=R.NOT_OPENER, outsider=NO_ONE_ELSES)
CLOSERS = rights(None, member=R.NOT_OPENER_NOR_MODERATOR, stranger=R.NOT_OPENER_NOR_MODERATOR, outsider=NO_ONE_ELSES)
TO_MOVE = rights(R.NOT_SEATED, host=None, member=R.NOT_YOUR_TURN, outsider=NO_ONE_ELSES)
PLAYERS = players(None)
REPLAYED_HERE = rights(outsider=ReplayReason.UNKNOWN_REPLAY)
MODERATORS = rights(ModerationReason.MODERATORS_ONLY, moderators=None, owner=None)
MANAGERS = rights(SettingReason.NOT_MANAGER, owner=None)
NOTHING_TO_MANAGE = rights(SettingReason.NOT_MANAGER, owner=SettingReason.NO_SUCH_SETTING)
DATA_MANAGERS = rights(R.NOT_MANAGER_OF_DATA, owner=None)
PERSONAL_DATA = (PrivacyButton.SHOW, PrivacyButton.EXPORT, PrivacyButton.DELETE, PrivacyButton.DELETE_REALLY)
_ANSWERS = {
    SetUpStep.PLACES: str(HERE.channel_id),
    SetUpStep.THREADS: "stay",
    SetUpStep.LANGUAGE: "en",
    SetUpStep.MODERATORS: str(MODERATES),
    SetUpStep.CHECK: "",
}
DECIDERS = rights(R.NOT_SEATED, host=R.OWN_TURN, member=None, outsider=NO_ONE_ELSES)

OF_SERVER_OWNERS = ("moderation", "privacy", "set_up", "settings")
"""The features with which people run a server."""

BY_WINS = BoardId("magpie", Company.PEOPLE, BoardOrder.WINS, Span.ALL, 1)


def organizers(outcome: RefusalReason | None = None) -> Expected:
    """Return an outcome for those who run the tournament."""
    return rights(outcome, member=T.NOT_ORGANIZER, stranger=T.NOT_ORGANIZER, organizer=outcome, outsider=T.UNKNOWN)


ORGANIZERS, ORGANIZERS_LATER = organizers(), organizers(T.NOT_RUNNING)


def tournament(button: TournamentButton, expected: Expected) -> Case:
    return Case(TournamentButtonId(1, button), "tournament", expected)


CASES = [
    tournament(TournamentButton.JOIN, rights(outsider=T.UNKNOWN)),
    tournament(TournamentButton.LEAVE, rights(outsider=T.UNKNOWN)),
    tournament(TournamentButton.CHECK_IN, rights(T.NOT_CHECKING_IN, outsider=T.UNKNOWN)),
    Case(
        TournamentButtonId(1, TournamentButton.CHECK_IN),
        "check-in",
        rights(T.NOT_IN_IT, host=None, member=None, outsider=T.UNKNOWN),
    ),
    tournament(TournamentButton.START, ORGANIZERS),
    tournament(TournamentButton.START_WITHOUT, ORGANIZERS),
    tournament(TournamentButton.OPTIONS, ORGANIZERS),
    Case(GameOptionsPageId(1, 1), "tournament", ORGANIZERS),
    Case(GameOptionId(1, "target"), "tournament", ORGANIZERS, ("200",)),
    tournament(TournamentButton.ORGANIZE, ORGANIZERS_LATER),
    tournament(TournamentButton.ASK_TO_CANCEL, ORGANIZERS),
    tournament(TournamentButton.CANCEL, ORGANIZERS),
    tournament(TournamentButton.WITHDRAW, rights(T.NOT_IN_IT, host=None, member=None, outsider=T.UNKNOWN)),
    *(Case(DecisionId(1, 1, 1, Verdict.FIRST, step), "round", ORGANIZERS) for step in DecisionStep),
    Case(PickGameId(1, 1, 1), "round", ORGANIZERS, ("1",)),
    # It is offered to another guest.
    Case(TakePlaceId(1, ROBIN.id), "round", rights(T.NOT_OFFERED, outsider=T.UNKNOWN)),
    Case(MoreTimeId(1, 1, 0), "round", ORGANIZERS, ("24",)),
    Case(TournamentPageId(1, 2), "tournament", rights(outsider=T.UNKNOWN)),
    tournament(TournamentButton.WHOLE, rights(T.NOT_RUNNING, outsider=T.UNKNOWN)),
    Case(TournamentButtonId(1, TournamentButton.WHOLE), "round", rights(outsider=T.UNKNOWN)),
    Case(TournamentGamesId(1, 2), "tournament", rights(T.NOT_RUNNING, outsider=T.UNKNOWN)),
    Case(TournamentGamesId(1, 2), "round", rights(outsider=T.UNKNOWN)),
    Case(ControlId(1, 0, "rollall", frozenset()), "playing", TO_MOVE),
    Case(MenuId(1, 0, "menu", frozenset()), "playing", TO_MOVE, ("rollall",)),
    Case(HandId(1), "playing change", PLAYERS),
    Case(HandControlId(HandId(1)), "playing change", PLAYERS),
    lobby(LobbyButton.JOIN, rights(None, host=R.ALREADY_SEATED, member=R.ALREADY_SEATED, outsider=NO_ONE_ELSES)),
    lobby(LobbyButton.LEAVE, rights(R.NOT_SEATED, host=None, member=None, outsider=NO_ONE_ELSES)),
    lobby(LobbyButton.START, rights(R.NOT_SEATED, host=None, member=R.NOT_STARTER, outsider=NO_ONE_ELSES)),
    Case(OpponentsId(1, 2), "lobby", HOST_ONLY, ("easy",)),
    Case(OpponentsId(1, 2), "lobby", HOST_ONLY, (PEOPLE_ONLY,)),
    lobby(LobbyButton.REMOVE_PLAYER, FREE_SEATS),
    Case(RemovePlayerId(1, 2), "lobby", FREE_SEATS, ("1",)),
    Case(OptionPanelId(1), "lobby", HOST_ONLY),
    Case(OptionPageId(1, 1), "lobby", SEEN_HERE),
    Case(OptionMenuId(1, "0" * 16, "target"), "lobby", HOST_ONLY, ("200",)),
    Case(HintMenuId(1), "lobby", HOST_ONLY, ("off",)),
    Case(PaceMenuId(1), "lobby", HOST_ONLY, ("quick",)),
    Case(ClockMenuId(1), "lobby", HOST_ONLY, ("one_day",)),
    seat(SeatButton.RESIGN, PLAYERS),
    seat(SeatButton.COME_BACK, players(R.NOT_SUBSTITUTED)),
    seat(SeatButton.TAKE_BACK, players(R.NOTHING_TO_TAKE_BACK)),
    seat(SeatButton.SUBSTITUTE, rights(R.NOT_SEATED, host=R.OWN_TURN, member=R.NOT_ABSENT, outsider=NO_ONE_ELSES)),
    # No one has proposed to close the game, so the button of an older message only refreshes the table.
    seat(SeatButton.CLOSE, SEEN_HERE),
    *(
        Case(
            InvitationId(1, 77, button),
            "lobby",
            rights(InvitationReason.NOT_YOUR_INVITATION, outsider=NO_ONE_ELSES),
        )
        for button in InvitationButton
    ),
    Case(GuideId("magpie"), "nothing", ANYWHERE),
    Case(CancelTableId(1), "playing", CLOSERS),
    Case(HintId(1, 0), "playing", TO_MOVE),
    Case(ShowHintId(1, 0), "playing", TO_MOVE),
    Case(MoreId(1), "playing", SEEN_HERE),
    Case(MoreId(1), "lobby", SEEN_HERE),
    Case(MoveHereId(1), "playing", PLAYERS),
    Case(ReadTableId(1), "playing", SEEN_HERE),
    Case(WhatHappenedId(1), "playing", SEEN_HERE),
    Case(ReadOnlyId(1, 3, ReadTableId(1)), "playing", SEEN_HERE),
    Case(PlayAgainId(1), "finished", rights(R.NOT_A_PLAYER, host=None, member=None, outsider=NO_ONE_ELSES)),
    Case(
        NextTableId(1),
        "finished",
        rights(R.NOT_A_PLAYER, host=R.NOTHING_FOLLOWS, member=R.NOTHING_FOLLOWS, outsider=NO_ONE_ELSES),
    ),
    Case(OPEN_MAGPIE, "nothing", ANYWHERE),
    Case(ResumeId(1), "aside", rights(None, stranger=R.NOT_YOURS_TO_RESUME, outsider=NO_ONE_ELSES)),
    Case(PutAsideId(1, OPEN_MAGPIE), "playing", rights(R.CHANNEL_TAKEN, outsider=None)),
    Case(StillPlayingId(1), "playing", PLAYERS),
    Case(NoTipsId(1), "playing", SEEN_HERE),
    seat(SeatButton.ASK_TO_RESIGN, PLAYERS),
    Case(ReadAloudId(1, Switch.ON), "playing", ANYWHERE),
    Case(LessonId("magpie"), "nothing", ANYWHERE),
    Case(CloseLessonId("magpie"), "nothing", ANYWHERE),
    Case(LessonMenuId("magpie", 0, "menu", frozenset()), "nothing", ANYWHERE, ("roll",)),
    Case(LessonControlId("magpie", 0, "roll", frozenset()), "nothing", ANYWHERE),
    Case(GuidePageId("magpie", 1, OPEN_MAGPIE.options), "nothing", ANYWHERE),
    Case(HelpId(HelpTopic.START), "nothing", ANYWHERE),
    Case(GameMenuId(1), "nothing", ANYWHERE, (str(OPEN_MAGPIE),)),
    Case(CheckDiceId(1), "finished", SEEN_HERE),
    Case(DareId(1), "finished", SEEN_HERE),
    Case(ShareId(1), "finished", rights(R.NOT_YOURS_TO_SHARE, host=None, member=None, outsider=NO_ONE_ELSES)),
    Case(ReviewId(1), "finished", rights(ReviewReason.NO_REVIEW, outsider=ReplayReason.UNKNOWN_REPLAY)),
    Case(
        ReviewPageId(1, ReviewPage.DECISIONS),
        "finished",
        rights(ReviewReason.NO_REVIEW, outsider=ReplayReason.UNKNOWN_REPLAY),
    ),
    Case(ReplayId(1, 0, ReplayButton.OPEN), "finished", REPLAYED_HERE),
    Case(
        AnimationId(1),
        "finished",
        rights(R.NOT_YOURS_TO_SHARE, host=None, member=None, outsider=ReplayReason.UNKNOWN_REPLAY),
    ),
    # The first step has no highlight.
    Case(MomentId(1, 1), "finished", rights(ClickReason.UNKNOWN_BUTTON, outsider=ReplayReason.UNKNOWN_REPLAY)),
    Case(LeaderboardId("magpie", Company.PEOPLE, 1), "finished", ANYWHERE),
    Case(BY_WINS, "finished", ANYWHERE),
    Case(replace(BY_WINS, button=BoardButton.POST), "finished", ANYWHERE),
    Case(BoardMenuId(BoardMenu.ORDER), "finished", ANYWHERE, (str(BY_WINS),)),
    Case(SeasonId(Span.SEASON), "finished", ANYWHERE),
    *(Case(HistoryId(scope, 1), "finished", ANYWHERE) for scope in HistoryScope),
    Case(PuzzleChoiceId("magpie", "00000000", 0, 0), "nothing", rights(PuzzleReason.UNKNOWN_PUZZLE)),
    Case(NextPuzzleId("magpie", "00000000"), "nothing", ANYWHERE),
    Case(DailyPuzzleId(DailyPuzzleButton.SHARE, 20_000), "nothing", rights(PuzzleReason.PUZZLE_NOT_ANSWERED)),
    *(
        Case(ChallengeId(button, Cadence.DAILY, 9, 1), "nothing", rights(*_CHALLENGE_REASONS.get(button, ())))
        for button in ChallengeButton
    ),
    Case(OthersMenuId(Cadence.DAILY, 9), "finished", REPLAYED_HERE, ("1",)),
    Case(SettingId(CLOCK.key), "nothing", MANAGERS, ("one_day",)),
    Case(ChangeSettingId(SEASON.key, "month"), "nothing", MANAGERS),
    *(Case(SettingsSectionId(section), "nothing", MANAGERS) for section in SettingsSection),
    *(Case(SettingsPagesId(section), "nothing", MANAGERS, ("tables",)) for section in SettingsSection),
    *(Case(SetUpId(step), "nothing", MANAGERS) for step in SetUpStep),
    *(
        Case(SetUpMenuId(step), "nothing", MANAGERS if step in asked_steps() else NOTHING_TO_MANAGE, (answer,))
        for step, answer in _ANSWERS.items()
    ),
    Case(DefaultsPageId("magpie", 1), "nothing", MANAGERS),
    Case(DefaultOptionId("magpie", "target"), "nothing", MANAGERS, ("200",)),
    Case(ResetDefaultsId("magpie"), "nothing", MANAGERS),
    Case(BansId(1), "nothing", MODERATORS),
    Case(LiftBanId(1), "nothing", MODERATORS, (str(BANNED.id),)),
    Case(OpenTablesId(1), "playing", MODERATORS),
    Case(PickTableId(1), "playing", MODERATORS, ("1",)),
    Case(CloseTableId(1), "playing", MODERATORS),
    *(Case(CloseAllId(stage, 1), "playing", MODERATORS) for stage in CloseAll),
    # Everyone has data of their own; that of the server is for who manages it.
    *(Case(PrivacyId(button), "nothing", ANYWHERE) for button in PERSONAL_DATA),
    *(Case(PrivacyId(button), "nothing", DATA_MANAGERS) for button in PrivacyButton if button not in PERSONAL_DATA),
    # The time of the host is up.
    *(Case(TimeUpId(1, TIME_UP_PERIOD, button), "timeup", DECIDERS) for button in TimeUpButton),
    Case(PingPanelId(1), "playing", PLAYERS),
    Case(PingMenuId(1, PingMenu.HOW), "playing", PLAYERS, ("off",)),
    Case(PingMenuId(0, PingMenu.HOW), "nothing", ANYWHERE, ("off",)),
    Case(MyTablesId(1), "playing", ANYWHERE),
    # Everyone has a list of their own.
    Case(UnblockId(1), "nothing", ANYWHERE, ("77",)),
]


def test_every_kind_of_button_says_who_may_press_it() -> None:
    assert {type(case.pressed) for case in CASES} == set(kinds_of_ids())


def members_of(kind: type[CustomId]) -> Iterator[tuple[str, Enum]]:
    """Yield the fields of a kind of ids that are enums, with each of their members."""
    for name, of_type in get_type_hints(kind).items():
        if isinstance(of_type, type) and issubclass(of_type, Enum):
            yield from ((name, member) for member in of_type)


def test_what_server_owners_use_says_who_may_do_every_step_of_it() -> None:
    """Also a new page, question or confirmation of a kind that is known."""
    kinds = [kind for kind in kinds_of_ids() if kind.__module__.split(".")[2] in OF_SERVER_OWNERS]
    said = {(type(case.pressed), name, getattr(case.pressed, name)) for case in CASES for name in vars(case.pressed)}
    assert {(kind, *member) for kind in kinds for member in members_of(kind)} <= said


@pytest.mark.parametrize("case", [pytest.param(case, id=str(case.pressed)) for case in CASES])
async def test_each_button_is_for_those_it_is_meant_for(monkeypatch: pytest.MonkeyPatch, case: Case) -> None:
    async def press(adapter: Adapter, who: Who) -> tuple[Any, BaseException | None]:
        faults: list[BaseException] = []

        async def note(_: object, fault: BaseException) -> None:
            faults.append(fault)

        monkeypatch.setattr(adapter.dispatcher, "answer_fault", note)
        click = make_interaction(who, make_menu_choice, case.pressed, *case.values)
        # The client asks this before it passes anything on.
        if (refusal := await adapter.app.find_refusal(click)) is not None:
            return click, refusal
        await adapter.click(click)
        return click, faults[0] if faults else None

    assert await find_outcomes(case.stage, case.expected, press) == case.expected


@pytest.mark.parametrize(("who", "is_told"), [(Who.STRANGER, True), (Who.OUTSIDER, False)])
async def test_the_history_of_the_server_is_that_of_the_channels_that_one_sees(who: Who, *, is_told: bool) -> None:
    adapter = await set_scene("finished")
    click = await adapter.click(make_interaction(who, make_menu_choice, HistoryId(HistoryScope.SERVER, 1)))
    await adapter.host.close()
    assert ("Robin" in texts_of(click)) is is_told
