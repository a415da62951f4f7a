"""Registers help and lessons."""

from bot.features.help.commands import HelpCog
from bot.features.help.handlers import GameList, Guides, Help
from bot.features.help.lessons import CloseLessonId, LessonControlId, LessonMenuId, Lessons, lesson_button
from bot.features.help.messages import GameMenuId, GuidePageId, HelpId, LessonId
from bot.features.settings.service import ServerRules
from bot.features.tips import TipLines
from bot.platform.discord.answers import Interaction
from bot.platform.discord.ids import UnknownId, parse_id
from bot.platform.discord.menus import chosen_value
from bot.tables.app import App, Feature
from bot.tables.handlers.ids import GuideId, OpenTableId
from bot.tables.shown.parts import ButtonPart, Place
from bot.tables.table import Table


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

    lessons = Lessons(app.tables, app.pictures, app.ephemeral_messages, app.service(ServerRules))
    tips = app.service(TipLines)

    def may_learn(table: Table) -> bool:
        # Outside, the lesson would take the place of the table.
        is_taught = table.package.study.lesson is not None and not table.header.location.is_outside
        return is_taught and not table.is_fixed and tips.has_newcomer(table)

    app.explain_game = lambda click, table: guides.show(click, table.header.game, table.options)
    return Feature(
        services=(games, help_, guides, lessons),
        cogs=(HelpCog(),),
        buttons={
            GuideId: lambda click, pressed: guides.show(click, pressed.game),
            GuidePageId: guides.turn_page,
            GameMenuId: choose_game,
            HelpId: help_.press,
            LessonId: lessons.begin,
            LessonControlId: lessons.press,
            LessonMenuId: lessons.press,
            CloseLessonId: lessons.close,
        },
        follows=(lessons.end_for_opener,),
        table_buttons=(
            ButtonPart(Place.LOBBY_BUTTON, lambda table: [lesson_button(table)] if may_learn(table) else []),
        ),
    )
