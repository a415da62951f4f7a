"""What the bot does when its time has come: reminders, clocks, announcements, challenges and tournaments."""

import asyncio
import re
from datetime import timedelta

from bot.features.challenges.storage import find_seed
from bot.features.host_news import announce
from bot.platform.places import day_of
from bot.sandbox import Message, Person
from bot.tables.kinds import Cadence, Edition, edition_on
from tests.golden.scene import Scene, play_scenes
from tests.golden.table_scenes import finish, open_table, roll, start_table
from tests.support.waiting import DEADLINE_SECONDS


def due_messages() -> str:
    """Return the messages that come by themselves, or by the day."""
    return play_scenes(
        _reminders, _clocks, _idle, _challenges, _daily_post, _tournaments, _host_news, check_seconds=0.03
    )


def challenges_and_tournaments(locale: str) -> str:
    """Return the messages of challenges and tournaments for people who use Discord in a language."""
    return play_scenes(_challenges, _daily_post, _tournaments, check_seconds=0.03, locale=locale)


async def _reminders(scene: Scene) -> None:
    table = await start_table(scene)
    await scene.pass_time(minutes=3)
    await scene.until(lambda: _find(scene, "it's your turn"))
    reminder = _find(scene, "it's your turn")[0]
    scene.note("a reminder", reminder)
    idle = next(who for who in (scene.robin, scene.wren) if who is not scene.mover(table))
    scene.note("a computer stands in", await scene.press(idle, reminder, "stand in"), table)


async def _clocks(scene: Scene) -> None:
    table = await open_table(scene)
    panel = await scene.open_more(scene.robin, table)
    await scene.press(scene.robin, panel, "Options")
    await scene.press(scene.robin, panel, "Page 2")
    await scene.choose(scene.robin, panel, "CM:", "ten_minutes")
    await scene.press(scene.wren, table, "Join")
    await scene.press(scene.robin, table, "Start")
    await scene.pass_time(minutes=6)
    await scene.until(lambda: _find(scene, "<t:"))
    scene.note("half of the time has passed", *_find(scene, "<t:"))
    await scene.pass_time(minutes=5)
    await scene.until(lambda: _find(scene, "time in Magpie is up"))
    scene.note("the time is up", *_find(scene, "time in Magpie is up"), table)


async def _idle(scene: Scene) -> None:
    table = await start_table(scene)
    await roll(scene, table)
    await scene.pass_time(days=28)
    await scene.until(lambda: _find(scene, "No one has played"))
    scene.note("an idle table", *_find(scene, "No one has played"))
    await scene.pass_time(days=3)
    await scene.until(lambda: "was closed" in table.text)
    scene.note("closed as idle", table)
    table = await start_table(scene)
    await scene.pass_time(days=1, hours=1)
    asked = await scene.slash(scene.jay, "fortune new")
    await scene.press(scene.jay, asked.replies[0], "Put it aside")
    await scene.pass_time(days=28)
    await scene.until(lambda: _find(scene, "was put aside"))
    scene.note("an idle table that was put aside", *_find(scene, "was put aside"))


async def _daily_post(scene: Scene) -> None:
    command = await scene.slash(scene.robin, "settings daily", channel=scene.here, hour=17, zone="asia/kolkata")
    scene.note("the daily post is chosen", command)
    yesterday = edition_on(Cadence.DAILY, day_of(scene.clock.now))
    await wait_for_seed(scene, yesterday, is_public=False)
    await scene.pass_time(hours=13)
    await wait_for_seed(scene, yesterday, is_public=True)
    await scene.pass_time(hours=11)
    await scene.until(lambda: scene.jay.visible_messages(scene.here))
    scene.note("the daily post", scene.newest())


async def _challenges(scene: Scene) -> None:
    menu = (await scene.slash(scene.robin, "daily")).replies[0]
    scene.note("today", menu)
    for word, name in (("daily", "ten rolls"), ("weekly", "the week's bag")):
        await scene.click(scene.robin, menu, find_id(menu, f"B:play:{word}"))
        scene.note(f"{name}, at the start", menu)
        await scene.click(scene.robin, menu, attempt_controls(menu)[0])
        scene.note(f"{name}, later", menu)
        while controls := attempt_controls(menu):
            await scene.click(scene.robin, menu, controls[0])
        scene.note(f"{name}, at the end", menu, await scene.open_more(scene.robin, menu))
        await scene.click(scene.robin, menu, find_id(menu, f"B:share:{word}"))
        scene.note(f"{name}, shared", scene.newest())
        for button in ("server", "all"):
            await scene.click(scene.robin, menu, find_id(menu, f"B:{button}:{word}"))
            scene.note(f"{name}, board: {button}", menu)
            await scene.click(scene.robin, menu, find_id(menu, "B:menu"))
            await scene.click(scene.robin, menu, find_id(menu, f"B:play:{word}"))
        await scene.click(scene.robin, menu, find_id(menu, "B:menu"))
        scene.note(f"today, after {name}", menu)
    asked = await scene.click(scene.robin, menu, find_id(menu, "B:ping"))
    scene.note("a daily ping is asked for", asked)
    await scene.click(scene.robin, menu, find_id(menu, "B:seeds"))
    scene.note("seeds", menu)
    late = (await scene.slash(scene.wren, "daily")).replies[0]
    await scene.click(scene.wren, late, find_id(late, "B:play:daily"))
    today = edition_on(Cadence.DAILY, day_of(scene.clock.now))
    await scene.pass_time(hours=13)
    await wait_for_seed(scene, today.next.next, is_public=False)
    menu = (await scene.slash(scene.wren, "daily")).replies[0]
    scene.note("today, with a late attempt", menu)
    await scene.pass_time(hours=12)
    direct = scene.robin.direct_channel
    await scene.until(lambda: scene.robin.visible_messages(direct))
    scene.note("a daily ping", *scene.robin.visible_messages(direct))
    await wait_for_seed(scene, today, is_public=True)
    seeds = (await scene.slash(scene.robin, "daily")).replies[0]
    await scene.click(scene.robin, seeds, find_id(seeds, "B:seeds"))
    scene.note("seeds, a day later", seeds)


async def wait_for_seed(scene: Scene, edition: Edition, *, is_public: bool) -> None:
    """Wait until the seed of an edition is promised or public."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while (seed := await scene.parlour.db.read(find_seed, edition)) is None or (
            is_public and not seed.published_at
        ):
            await scene.be_quiet()


def find_id(message: Message, start: str) -> str:
    return next(custom_id for button in message.buttons if (custom_id := button.custom_id or "").startswith(start))


def attempt_controls(message: Message) -> list[str]:
    ids = [button.custom_id or "" for button in message.buttons]
    return [custom_id for custom_id in ids if custom_id.startswith("w:t:")]


async def _tournaments(scene: Scene) -> None:
    people = (scene.robin, scene.wren, scene.jay, scene.linnet)
    await scene.slash(scene.robin, "settings options", game="magpie", option="target", value="50")
    scene.note("no tournament", await scene.slash(scene.robin, "tournament show"))
    opened = await scene.slash(scene.robin, "tournament new", game="magpie", name="The *Cup*", deadline=24)
    await scene.until(lambda: "/channels/" in opened.text)
    scene.note("a tournament is opened", opened)
    panel = scene.newest()
    scene.note("tournament", panel)
    scene.note("options of the games", await scene.press(scene.robin, panel, "Options"))
    for person in people:
        await scene.press(person, panel, "Join")
    scene.note("tournament of four", panel)
    scene.note("others start it", await scene.press(scene.jay, panel, "Start"))
    await scene.press(scene.robin, panel, "Start")
    await scene.until(lambda: panel.text.count("<#") == len(_threads(scene)) == 2)
    scene.note("first round", panel)
    for messages in _threads(scene):
        scene.note("a game of the first round", *messages)
    organizing = await scene.press(scene.robin, panel, "Organize")
    scene.note("organize", organizing)
    (board,) = organizing.replies
    await scene.choose(scene.robin, board, "tg:", "1")
    scene.note("decide a game", board)
    await scene.press(scene.robin, board, "Draw")
    scene.note("a draw", board)
    await scene.press(scene.robin, board, "◀ Organize")
    await scene.choose(scene.robin, board, "tm:", "1")
    scene.note("more time", board)
    scene.note("tournaments", await scene.slash(scene.jay, "tournament list"))
    scene.note("the tournament", await scene.slash(scene.jay, "tournament show", number=1))
    tables = [next(each for each in messages if each.buttons) for messages in _threads(scene)]
    for table in tables:
        await _start_by(scene, table, people)
        await finish(scene, table)
    await scene.until(lambda: panel.text.count("<#") == len(_threads(scene)) - 2 == 2)
    scene.note("second round", panel)
    scene.note("a finished game of the first round", tables[0])
    finch = scene.parlour.sandbox.person("Finch")
    scene.note("a place is offered", await scene.slash(scene.robin, "tournament replace", member=scene.wren, by=finch))
    asked = scene.newest()
    scene.note("the offer", asked)
    scene.note("others take the place", await scene.press(scene.linnet, asked, "Take the place"))
    scene.note("the place is taken", await scene.press(finch, asked, "Take the place"), asked, scene.newest())
    scene.note("withdrawn", await scene.slash(scene.jay, "tournament withdraw", number=1))


async def _start_by(scene: Scene, table: Message, people: tuple[Person, ...]) -> None:
    """Let someone start a table who may."""
    player = next(who for who in people if re.search(rf"\*\*\W?{who.name}\W?\*\* \(", table.text))
    await scene.press(player, table, "Start")


async def _host_news(scene: Scene) -> None:
    await open_table(scene)
    await announce(scene.parlour.db, "I'm being updated.", scene.clock.now, timedelta(minutes=10))
    await scene.until(lambda: _find(scene, "I'm being updated."))
    scene.note("news of the host", *_find(scene, "I'm being updated."))


def _find(scene: Scene, text: str) -> list[Message]:
    """Return the messages in the channel beside tables that contain a text."""
    return [message for message in scene.here.messages if text in message.content]


def _threads(scene: Scene) -> list[list[Message]]:
    return [list(thread.messages) for thread in scene.parlour.sandbox.world.threads.values()]
