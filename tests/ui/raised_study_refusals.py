"""Refusals about replays, reviews, hints and lessons as they are raised, with their words."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from bot.features.help.lessons import open_lesson
from bot.features.hints.handlers import HintCommands
from bot.features.hints.messages import HintId, ShowHintId
from bot.features.hints.service import HintReason, require_hint, use_hint
from bot.features.replays.animations import Animations, require_sharer
from bot.features.replays.handlers import Replays
from bot.features.replays.model import ReplayReason
from bot.features.reviews import storage as review_storage
from bot.features.reviews.handlers import Reviewer, Reviews
from bot.features.reviews.model import ReviewReason
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import HINTS, PICTURES, PictureChoice
from bot.features.sharing import ShareId, Sharing
from bot.rules.refusals import RefusalReason
from bot.tables.handlers.commands import TableCommands
from bot.tables.kinds import daily_contribution
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.tables.seats import resign_seat
from bot.tables.service import TableService
from bot.tables.thinker import Thinker
from tests.support.chosen_settings import chosen
from tests.support.fakes import GAMES, HERE, ROBIN, STRANGER, WREN, mover_of, open_lobby, start_game
from tests.support.finished_games import play_to_end
from tests.support.magpie_series import MAGPIE_SERIES, options_for
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click, make_command
from tests.ui.raised_table_refusals import LINK


async def nothing_to_replay(adapter: Adapter) -> None:
    await adapter.app.service(Replays).show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


async def unknown_replay(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    await adapter.app.service(Replays).show_here(make_command(ROBIN, channel_id=71), str(table.id))  # type: ignore[arg-type]


async def not_over(adapter: Adapter) -> None:
    table = await start_game(adapter.service)
    await adapter.app.service(Replays).show_here(make_command(ROBIN), str(table.id))  # type: ignore[arg-type]


async def not_yours_to_share(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    await adapter.app.service(Sharing).share(make_click(STRANGER, ShareId(table.id)), table)  # type: ignore[arg-type]


async def already_shared(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    for person in (ROBIN, WREN):
        await adapter.app.service(Sharing).share(make_click(person, ShareId(table.id)), table)  # type: ignore[arg-type]


async def no_animation(adapter: Adapter) -> None:
    adapter.db.chosen[HERE.scope_id] = chosen({PICTURES: PictureChoice.OFF})
    await play_to_end(adapter.service, HERE, ROBIN, WREN)
    await adapter.app.service(Animations).share(make_command(ROBIN), None)  # type: ignore[arg-type]


async def no_animation_of_daily_bags(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN)
    player = replace(table.seats[0], contribution=daily_contribution(20_000))
    require_sharer(replace(table, seats=(player, *table.seats[1:])), ROBIN.id)


async def no_review(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN, most=0)
    await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 7)
    await adapter.app.service(Reviews).show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


async def review_failed(adapter: Adapter) -> None:
    speechless = GameRegistry(
        replace(package, mind=replace(package.mind, evaluate=None, strategies={})) for package in GAMES.values()
    )
    reviewer = Reviewer(Thinker(speechless), adapter.db, adapter.service.time_slices, str)
    reviews = Reviews(adapter.app.service(Replays), reviewer, adapter.pictures, adapter.app.ephemeral_messages)
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    try:
        await reviews.show_here(make_command(ROBIN), None)  # type: ignore[arg-type]
    finally:
        assert await adapter.db.read(review_storage.find, table.id) is None


async def no_replay(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    adapter.db.tamper(table.id, lambda record: replace(record, header=replace(record.header, seed=bytes(32))))
    await adapter.app.service(Replays).show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


async def off_script(adapter: Adapter) -> None:
    table = await open_lesson(adapter.service, "magpie", ROBIN, HERE, 1)
    await adapter.service.play(table.id, ROBIN, 0, "roll 1", 2)


async def no_hints(adapter: Adapter) -> None:
    package = replace(GAMES["magpie"], study=replace(GAMES["magpie"].study, hints=None))
    service = TableService(adapter.db, {"magpie": package})
    table = await start_game(service, ROBIN)
    await use_hint(service, table.id, ROBIN, 0)


async def no_hints_in_lessons(adapter: Adapter) -> None:
    table = await open_lesson(adapter.service, "magpie", ROBIN, HERE, 1)
    await use_hint(adapter.service, table.id, ROBIN, 0)


async def no_hints_in_daily_bags(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN)
    player = replace(table.seats[0], contribution=daily_contribution(20_000))
    require_hint(replace(table, seats=(player, *table.seats[1:])), ROBIN, 0)


async def no_hints_in_tournaments(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN)
    header = replace(table.header, options=options_for(2).model_dump_json())
    require_hint(replace(table, package=MAGPIE_SERIES, header=header), ROBIN, 0)


async def hints_off_here(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.service.allow_hints(table.id, ROBIN, allows=False)
    await adapter.service.start(table.id, ROBIN, 1)
    await use_hint(adapter.service, table.id, ROBIN, 0)


async def hints_off_in_server(adapter: Adapter) -> None:
    await adapter.db.write(setting_storage.change, HERE.scope_id, HINTS, lambda _: False)
    table = await start_game(adapter.service, ROBIN)
    await adapter.app.service(HintCommands).press(make_click(ROBIN, ""), table, HintId(table.id, 0))  # type: ignore[arg-type]


async def hint_failed(adapter: Adapter) -> None:
    speechless = GameRegistry(
        replace(package, mind=replace(package.mind, evaluate=None, strategies={})) for package in GAMES.values()
    )
    hints = HintCommands(
        adapter.service,
        Thinker(speechless),
        adapter.settings,
        adapter.app.service(TableCommands),
        table_responses=adapter.app.responses,
        ephemeral_messages=adapter.app.ephemeral_messages,
    )
    table = await start_game(adapter.service, ROBIN, WREN)
    await hints.press(make_click(mover_of(table), ""), table, ShowHintId(table.id, 0))  # type: ignore[arg-type]


async def no_lesson(adapter: Adapter) -> None:
    package = replace(GAMES["magpie"], study=replace(GAMES["magpie"].study, lesson=None))
    service = TableService(adapter.db, {"magpie": package})
    await open_lesson(service, "magpie", ROBIN, HERE, 1)


STUDY_REFUSALS: Mapping[RefusalReason, tuple[Callable[[Adapter], Awaitable[None]], str]] = {
    ReplayReason.NOTHING_TO_REPLAY: (nothing_to_replay, "No one has finished a game here yet"),
    ReplayReason.UNKNOWN_REPLAY: (unknown_replay, "That game wasn't played here"),
    ReplayReason.NOT_OVER: (not_over, f"isn't finished, so there's nothing to replay yet: {LINK}"),
    HostReason.NOT_YOURS_TO_SHARE: (not_yours_to_share, "Only the players of this game"),
    HostReason.ALREADY_SHARED: (already_shared, f"shared already: {LINK}/"),
    ReplayReason.NO_ANIMATION: (no_animation, "has no pictures here"),
    ReplayReason.NO_ANIMATION_OF_DAILY_BAGS: (no_animation_of_daily_bags, "who haven't played this bag"),
    ReviewReason.NO_REVIEW: (no_review, "nothing to review in this game"),
    ReviewReason.REVIEW_FAILED: (review_failed, "Please try again in a minute"),
    ReplayReason.NO_REPLAY: (no_replay, "The rules have changed since"),
    HostReason.OFF_SCRIPT: (off_script, "Not yet: the lesson asks for *⚃ Keep 4-4, roll 3* first."),
    HintReason.NO_HINTS: (no_hints, "I have no hints for Magpie"),
    HintReason.NO_HINTS_IN_LESSONS: (no_hints_in_lessons, "its text tells you what to do"),
    HintReason.NO_HINTS_IN_TOURNAMENTS: (no_hints_in_tournaments, "There are no hints in tournaments"),
    HintReason.NO_HINTS_IN_DAILY_BAGS: (no_hints_in_daily_bags, "The daily bag has no hints"),
    HintReason.HINTS_OFF_HERE: (hints_off_here, "its host can turn them on with *Options*"),
    HintReason.HINTS_OFF_IN_SERVER: (hints_off_in_server, "can turn them on with `/settings show`"),
    HintReason.HINT_FAILED: (hint_failed, "and none was counted"),
    HostReason.NO_LESSON: (no_lesson, "Magpie has no lesson"),
}
