"""Who wants tables to be read to them, as their readings ask for it."""

from dataclasses import replace

from bot.features.settings.people import PeopleCache
from bot.tables.handlers.readings import ReadingAloud


def reading_aloud(people: PeopleCache) -> ReadingAloud:
    """Return who wants tables to be read to them, from what people have chosen."""

    def may_be_on(user_id: int) -> bool:
        facts = people.known(user_id)
        return facts is None or facts.preferences.reads_aloud

    async def is_on(user_id: int) -> bool:
        return (await people.get(user_id)).preferences.reads_aloud

    async def save(user_id: int, is_on: bool) -> None:  # noqa: FBT001
        await people.change(user_id, lambda chosen: replace(chosen, reads_aloud=is_on))

    return ReadingAloud(may_be_on, is_on, save)
