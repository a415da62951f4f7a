"""Who plays in fuzz tests, and where."""

from bot.platform.places import Location, Person

PEOPLE = tuple(
    Person(101 + at, name)
    for at, name in enumerate(("Robin", "Wren", "Jay", "Linnet", "Dunnock", "Siskin", "Twite", "Brambling"))
)
MODERATOR = PEOPLE[-1]
SERVERS = {3001: (31, 32, 33), 3002: (41, 42, 43)}
SERVER_PLACES = tuple(
    Location(guild_id, channel_id) for guild_id, channels in SERVERS.items() for channel_id in channels
)
DIRECT_PLACES = {person.id: Location(None, 9000 + person.id) for person in PEOPLE}


def person_with(user_id: int) -> Person:
    """Return the person with an id."""
    return next(person for person in PEOPLE if person.id == user_id)
