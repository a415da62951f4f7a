"""PgBouncer before a server of tests, in transaction mode."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.network_ports import reserve_port
from tests.support.postgres import ROLE, PostgresServer, skip_or_fail
from tests.support.timeouts import DEADLINE_SECONDS

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
"""

RUN_UNTIL_INPUT_ENDS = '"$0" --quiet "$1" 2>"$1.log" & cat >/dev/null; kill $!; wait'


@contextmanager
def run_pgbouncer(server: PostgresServer) -> Iterator[int]:
    """Run PgBouncer with one session for all clients and return its port; without it the test is skipped."""
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        skip_or_fail("there is no PgBouncer here")
    with reserve_port() as port:
        users, configuration = server.folder / "users.txt", server.folder / "pgbouncer.ini"
        users.write_text(f'"{ROLE}" ""\n')
        configuration.write_text(CONFIGURATION.format(server=server, port=port, users=users))
        words = ("sh", "-c", RUN_UNTIL_INPUT_ENDS, program, configuration)
        with subprocess.Popen(
            words, cwd="/", stdin=subprocess.PIPE, start_new_session=True, **server.as_owner()
        ) as run:
            _wait_for_listener(port)
            try:
                yield port
            finally:
                run.communicate()


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
