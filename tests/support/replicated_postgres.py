"""A PostgreSQL server with a synchronous standby, for tests that kill it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from tests.support.postgres import PASSWORD, ROLE, PostgresServer, make_server
from tests.support.waiting import DEADLINE_SECONDS

NAME = "parlour"
IS_SYNCHRONOUS = "SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'"


class ReplicatedPostgres:
    """A primary and its standby. A commit is acknowledged when both have it."""

    def __init__(self, primary: PostgresServer, standby: PostgresServer) -> None:
        self.primary = primary
        self.standby = standby
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in (primary, standby))
        self.address = f"postgresql://{ROLE}:{quote(PASSWORD, safe='')}@{hosts}/{NAME}"

    def promote(self) -> None:
        """Make the standby the primary."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def add_standby(self) -> None:
        """Make a standby of the server that is not the primary, and let commits wait for it."""
        self.standby.follow(self.primary)
        end = time.monotonic() + DEADLINE_SECONDS
        with self.primary.admin() as admin:
            # A standby that was made before this waits for nobody once it is promoted.
            admin.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            admin.execute("SELECT pg_reload_conf()")
            while admin.execute(IS_SYNCHRONOUS).fetchone() != (True,):
                assert time.monotonic() < end, "the standby does not follow"
                time.sleep(0.02)


@contextmanager
def run_replicated_servers() -> Iterator[ReplicatedPostgres]:
    """Run a primary with an empty database, and its standby."""
    with make_server() as primary, make_server() as standby:
        primary.create()
        primary.start()
        primary.create_role()
        primary.empty_database(NAME)
        servers = ReplicatedPostgres(primary, standby)
        servers.add_standby()
        yield servers
