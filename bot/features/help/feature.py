"""Registers help and lessons."""

from bot.features.help.commands import HelpCog
from bot.features.help.handlers import GameList, Guides, Help
from bot.features.help.lessons import Lessons, awaited_label, with_lesson
from bot.features.help.messages import GameMenuId, GuidePageId, HelpId, LessonId
from bot.features.settings.service import ServerRules
from bot.platform.discord.answers import Interaction
from bot.platform.discord.ids import UnknownId, parse_id
from bot.platform.discord.menus import chosen_value
from bot.tables.app import App, Feature
from bot.tables.handlers.ids import GuideId, OpenTableId


def register(app: App) -> Feature:
    """Register help and lessons."""
    games = GameList(app.host, app.pictures, app.service(ServerRules), app.error_replies.explain)
    help_, guides = (
        Help(games, app.pictures, app.ephemeral_messages),
        Guides(app.games, app.pictures, app.ephemeral_messages),
    )

    async def choose_game(click: Interaction, _pressed: GameMenuId) -> None:
        chosen = parse_id(chosen_value(click))
        if not isinstance(chosen, OpenTableId | GuideId | LessonId):
            raise UnknownId(str(chosen))
        await app.handlers[type(chosen)](click, chosen)

    lessons = Lessons(app.host, app.posts, app.pictures, app.service(ServerRules))
    app.explain_game = lambda click, table: guides.show(click, table.header.game, table.options)
    return Feature(
        services=(games, help_, guides, lessons),
        cogs=(HelpCog(),),
        buttons={
            GuideId: lambda click, pressed: guides.show(click, pressed.game),
            GuidePageId: guides.turn_page,
            GameMenuId: choose_game,
            HelpId: help_.press,
            LessonId: lambda click, pressed: lessons.press(click, pressed.game),
        },
        teach=with_lesson,
        words={"awaited": awaited_label},
    )
