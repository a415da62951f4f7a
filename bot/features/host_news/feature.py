"""Registers the news for hosts."""

from bot.features.host_news.service import HOST_NEWS, HostNewsService
from bot.platform.registration import JobKind
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register the news for hosts."""
    news = HostNewsService(app.db, app.sender, app.clock)
    return Feature(
        services=(news,),
        jobs=(JobKind(HOST_NEWS, news.run),),
    )
