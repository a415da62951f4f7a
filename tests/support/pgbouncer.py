"""PgBouncer before a server of tests, in transaction mode."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.network_ports import reserve_port
from tests.support.postgres import ROLE, PostgresServer, skip_or_fail
from tests.support.waiting import DEADLINE_SECONDS

CONFIGURATION = """
[databases]
* = host={server.folder} port={server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
default_pool_size = 1
query_wait_timeout = 5
server_login_retry = 1
"""

RUN_UNTIL_INPUT_ENDS = '"$0" --quiet "$1" 2>"$1.log" & cat >/dev/null; kill $!; wait'


class PgBouncer:
    """PgBouncer with one session for all clients, at a port of its own."""

    def __init__(self, program: str, server: PostgresServer, port: int) -> None:
        users, configuration = server.folder / "users.txt", server.folder / "pgbouncer.ini"
        users.write_text(f'"{ROLE}" ""\n')
        configuration.write_text(CONFIGURATION.format(server=server, port=port, users=users))
        self.port = port
        self._words = ("sh", "-c", RUN_UNTIL_INPUT_ENDS, program, str(configuration))
        self._server = server

    def start(self) -> None:
        self._run = subprocess.Popen(
            self._words, cwd="/", stdin=subprocess.PIPE, start_new_session=True, **self._server.as_owner()
        )
        _wait_for_listener(self.port)

    def stop(self) -> None:
        self._run.communicate()


@contextmanager
def run_pgbouncer(server: PostgresServer) -> Iterator[PgBouncer]:
    """Run PgBouncer until the block ends; without it the test is skipped."""
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        skip_or_fail("there is no PgBouncer here (on Debian and Ubuntu: apt install pgbouncer)")
    with reserve_port() as port:
        pooler = PgBouncer(program, server, port)
        pooler.start()
        try:
            yield pooler
        finally:
            pooler.stop()


def _wait_for_listener(port: int) -> None:
    end = time.monotonic() + DEADLINE_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            assert time.monotonic() < end, "PgBouncer does not start"
            time.sleep(0.01)
        else:
            return
