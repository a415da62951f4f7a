"""Registers badges."""

from bot.features.badges.awarding import award_badges
from bot.features.badges.commands import Badges, BadgesCog
from bot.features.badges.messages import award_lines, new_badges_line
from bot.tables.app import App, Feature
from bot.tables.events import Happened, Hook
from bot.tables.shown.parts import Place, TextPart


def register(app: App) -> Feature:
    """Register badges."""
    return Feature(
        services=(Badges(app.db, app.games, app.pictures),),
        cogs=(BadgesCog(),),
        # After results are saved, because results earn badges.
        hooks=(Hook(Happened.EARNED | Happened.ENDED, in_transaction=award_badges),),
        lines=(
            TextPart(Place.BADGE, lambda table: (new_badges_line(table),)),
            TextPart(Place.RESULT_BADGES, award_lines),
        ),
    )
