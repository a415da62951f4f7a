"""Lets computer players say something now and then, unless a server wants them quiet."""

from bot.features.settings.all_settings import QUIET
from bot.features.settings.service import SettingsCache
from bot.tables.app import App, Feature
from bot.tables.shown.parts import Place, TextPart
from bot.tables.shown.story_line import tell_remark
from bot.tables.table import Table


def register(app: App) -> Feature:
    """Register the remarks of computer players."""
    settings = app.service(SettingsCache)

    async def load(table: Table) -> None:
        await settings.get(table.header.location.scope_id)

    def tell(table: Table) -> tuple[str, ...]:
        chosen = settings.known(table.header.location.scope_id)
        return () if chosen is not None and chosen.get(QUIET) else (tell_remark(table),)

    return Feature(lines=(TextPart(Place.REMARK, tell, load),))
