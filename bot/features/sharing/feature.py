"""Registers sharing."""

from bot.features.sharing.handlers import ShareId, Sharing, share_buttons
from bot.tables.app import App, Feature
from bot.tables.shown.parts import ButtonPart, Place


def register(app: App) -> Feature:
    """Register sharing."""
    sharing = Sharing(app.pictures)
    return Feature(
        services=(sharing,),
        buttons={ShareId: app.clicks.at_table(lambda click, table, _: sharing.share(click, table))},
        table_buttons=(ButtonPart(Place.RESULT_BUTTON, share_buttons),),
    )
