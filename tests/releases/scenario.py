"""Plays what a release writes: tables in every state, results, challenges, a tournament, and what people choose."""

from bot.platform.places import day_of
from bot.sandbox import Message, Person
from bot.tables.kinds import Cadence, edition_on
from tests.golden.due_scenes import attempt_controls, find_id, wait_for_seed
from tests.golden.scene import Scene
from tests.support.games import load_games_once
from tests.support.random_play import finish_at_random, play_at_random

CHANNELS = [f"table-of-{key}" for key in load_games_once()]
"""The channels in which a table of each game stays open."""


async def play_release(scene: Scene) -> None:
    """Play everything; the bot looks at once at what is due."""
    await _finish_games(scene)
    await _answer_challenges(scene)
    await _start_tournament(scene)
    await _begin_games(scene)
    await _choose(scene)


async def _finish_games(scene: Scene) -> None:
    """Play each game until somebody has won or resigned, and wait until the moves are compacted."""
    for game in load_games_once():
        await finish_at_random(scene.parlour, game, scene.here.id, scene.robin, scene.wren)
    for _ in range(9):
        await scene.pass_time(days=1)
        await wait_for_seed(scene, edition_on(Cadence.DAILY, day_of(scene.clock.now)), is_public=False)


async def _answer_challenges(scene: Scene) -> None:
    """Finish the daily, begin the weekly, and answer the daily puzzle."""
    menu = (await scene.slash(scene.robin, "daily")).replies[0]
    await scene.click(scene.robin, menu, find_id(menu, "B:play:daily"))
    while controls := attempt_controls(menu):
        await scene.click(scene.robin, menu, controls[0])
    await scene.click(scene.robin, menu, find_id(menu, "B:share:daily"))
    menu = (await scene.slash(scene.wren, "daily")).replies[0]
    await scene.click(scene.wren, menu, find_id(menu, "B:play:weekly"))
    await scene.click(scene.wren, menu, attempt_controls(menu)[0])
    (puzzle,) = (await scene.slash(scene.robin, "puzzle")).replies
    await scene.click(scene.robin, puzzle, puzzle.buttons[0].custom_id or "")


async def _choose(scene: Scene) -> None:
    told = {"member": scene.parlour.sandbox.person("Finch"), "reason": "spam", "time": "week"}
    for who, command, options in (
        (scene.robin, "settings log", {"channel": scene.elsewhere}),
        (scene.robin, "settings set", {"setting": "pictures", "value": "dark"}),
        (scene.robin, "settings set", {"setting": "language", "value": "de"}),
        (scene.robin, "settings daily", {"channel": scene.here, "hour": 17, "zone": "asia/kolkata"}),
        (scene.robin, "server ban", told),
        (scene.wren, "block", {"member": scene.linnet}),
        (scene.wren, "ping quiet", {"start": 22, "end": 7, "zone": "Europe/Berlin"}),
    ):
        await scene.slash(who, command, **options)


async def _start_tournament(scene: Scene) -> None:
    """Start a tournament, whose first games wait in threads."""
    opened = await scene.slash(scene.robin, "tournament new", game="magpie", name="The *Cup*", deadline=24)
    await scene.until(lambda: "Your tournament is open" in opened.text)
    panel = scene.newest()
    for person in (scene.robin, scene.wren, scene.jay, scene.linnet):
        await _press(scene, person, panel, "join")
    await _press(scene, scene.robin, panel, "start")
    await scene.until(lambda: len(scene.parlour.sandbox.world.threads) == 2)


async def _begin_games(scene: Scene) -> None:
    """Begin each game in a channel of its own."""
    for game, name in zip(load_games_once(), CHANNELS, strict=True):
        channel = scene.parlour.sandbox.channel(name)
        await play_at_random(scene.parlour, game, channel.id, scene.robin, scene.wren, most=6)
    await scene.be_quiet()


async def _press(scene: Scene, who: Person, message: Message, action: str) -> None:
    """Press the button whose id ends so; languages change the labels."""
    ids = (button.custom_id or "" for button in message.buttons)
    await scene.click(who, message, next(custom_id for custom_id in ids if custom_id.endswith(f":{action}")))
