"""Registers lessons."""

from bot.features.help.ids import LessonId
from bot.features.lessons.handlers import Lessons
from bot.features.lessons.messages import awaited_label, with_lesson
from bot.features.settings.rules import ServerRules
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register lessons."""
    lessons = Lessons(app.host, app.posts, app.pictures, app.service(ServerRules))
    return Feature(
        services=(lessons,),
        buttons={LessonId: lambda click, pressed: lessons.press(click, pressed.game)},
        teach=with_lesson,
        words={"awaited": awaited_label},
    )
