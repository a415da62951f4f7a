"""Everything about what is kept, as one part of the bot."""

from collections.abc import Callable, Iterable, Mapping

from bot.features.privacy.people import ERASURE, PersonalDataService
from bot.features.privacy.retention import RETENTION, RetentionService
from bot.features.privacy.servers import LEFT_SERVER, SERVER_ERASURE, ServerDataService
from bot.features.tournaments.service import TournamentService
from bot.platform.database.database import Database
from bot.platform.jobs.jobs import JobHandler
from bot.tables.service import TableService


class PrivacyServices:
    """Exports and deletes what is kept of people and servers, and forgets it in time."""

    def __init__(
        self,
        db: Database,
        service: TableService,
        tournaments: TournamentService,
        clear_caches: Iterable[Callable[[], None]],
    ) -> None:
        self.people = PersonalDataService(db, service, tournaments, clear_caches)
        self.servers = ServerDataService(db, service, tournaments)
        self.retention = RetentionService(db, lambda: service.clock)

    @property
    def handlers(self) -> Mapping[str, JobHandler]:
        """Who does which jobs."""
        return {
            ERASURE: self.people.erase,
            LEFT_SERVER: self.servers.erase_left,
            RETENTION: self.retention.run,
            SERVER_ERASURE: self.servers.erase_asked,
        }
