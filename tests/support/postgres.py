"""A private PostgreSQL server for tests."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import psycopg
import pytest
from psycopg import sql

from tests.support.network_ports import reserve_port

ROLE = "parlour"
OWN_ROLE = "parlour_alone"
"""A role with the same rights, for one process."""
PASSWORD = "no/secret:at@all"
UNPRIVILEGED = ("postgres", "nobody")
OPTIONS = {"listen_addresses": "127.0.0.1", "max_connections": "100"}
UNSAFE_OPTIONS = {"fsync": "off", "full_page_writes": "off"}
"""For servers that no test kills."""

EMPTY_TABLES = """
DO $$ DECLARE name text; BEGIN
    -- No foreign key is checked.
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    PERFORM setval(format('%I', sequencename)::regclass, start_value, false)
        FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL;
END $$
"""
"""TRUNCATE makes new files, which takes five times as long for a few rows."""

CLEANUP_SCRIPT = 'cat >/dev/null; "$0" stop --pgdata="$1/data" --mode=immediate >/dev/null 2>&1; rm -rf "$1"'


class Login:
    """A role of one process, which may be locked out while the others go on."""

    def __init__(self, admin: psycopg.Connection[Any], address: str) -> None:
        self.address = address
        self._admin = admin

    def revoke(self) -> None:
        """End the role's sessions, and let it begin no more."""
        self._admin.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(sql.Identifier(OWN_ROLE)))
        self._admin.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s", [OWN_ROLE]
        )


class PostgresServer:
    """A server of one test run: open to everyone by its socket, and with a password over the network."""

    def __init__(self, binaries: Path, folder: Path, port: int, *, careful: bool) -> None:
        self.folder = folder
        self.port = port
        self._data = folder / "data"
        self._options = OPTIONS if careful else OPTIONS | UNSAFE_OPTIONS
        self._binaries = binaries
        self._migrated: set[str] = set()
        self._sessions: dict[str, psycopg.Connection[Any]] = {}
        self._owner = _unprivileged() if os.geteuid() == 0 else None
        if self._owner is not None:
            os.chown(folder, self._owner.pw_uid, self._owner.pw_gid)

    def create(self) -> None:
        """Make the server's files; whatever locale the tests run in, this one is there."""
        place = ("--locale=C.UTF-8", "--encoding=UTF8")
        self._run(
            "initdb", "--username=postgres", "--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync", *place
        )

    def start(self) -> None:
        """Start the server."""
        options = {**self._options, "port": self.port, "unix_socket_directories": self.folder}
        words = " ".join(f"-c {name}={value}" for name, value in options.items())
        self._run("pg_ctl", "start", "--wait", f"--log={self.folder / 'log'}", f"--options={words}")

    def stop(self) -> None:
        """Stop the server at once, cutting off its clients."""
        self.close()
        self._run("pg_ctl", "stop", "--wait", "--mode=fast")

    def kill(self) -> None:
        """Kill all processes of the server without warning; needs `/proc`."""
        self.close()
        postmaster = int((self._data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for process in (postmaster, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def follow(self, primary: "PostgresServer") -> None:
        """Make the files anew as a standby of another server, and start it."""
        if self._data.exists():
            # In the same folder the next start finds the shared memory that a killed server has left, and removes it.
            for each in self._data.iterdir():
                shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
        # A killed server is still listed as a process until its parent waits for it, so its socket seems to be in use.
        (self.folder / f".s.PGSQL.{self.port}.lock").unlink(missing_ok=True)
        source = (f"--host={primary.folder}", f"--port={primary.port}", "--username=postgres")
        self._run("pg_basebackup", *source, "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
        self.start()

    def promote(self) -> None:
        """Make a primary of a standby."""
        self._run("pg_ctl", "promote", "--wait")

    def admin(self, database: str = "postgres") -> psycopg.Connection[Any]:
        """Connect to a database as the one who may do everything."""
        return psycopg.connect(host=str(self.folder), port=self.port, user="postgres", dbname=database, autocommit=True)

    def create_role(self) -> None:
        """Make the role of the bot, which may do nothing but connect."""
        with self.admin() as admin:
            admin.execute(
                sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(ROLE), sql.Literal(PASSWORD))
            )

    def empty_database(self, name: str = "parlour") -> str:
        """Create or empty a database of the bot and return its address."""
        names = {"name": sql.Identifier(name), "role": sql.Identifier(ROLE)}
        self._migrated.discard(name)
        admin = self._session()
        if not admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            admin.execute(sql.SQL("CREATE DATABASE {name} OWNER {role}").format(**names))
        self._end_sessions(name)
        with self.admin(name) as admin:
            admin.execute(sql.SQL("DROP SCHEMA public CASCADE"))
            admin.execute(sql.SQL("CREATE SCHEMA public AUTHORIZATION {role}").format(**names))
        return self.address(name)

    def migrated_database(self, name: str, upgrade: Callable[[str], None]) -> str:
        """Create a database with all tables, or delete all its rows, and return its address."""
        if name not in self._migrated:
            upgrade(self.empty_database(name))
            self._migrated.add(name)
            return self.address(name)
        self._end_sessions(name)
        self._session(name).execute(EMPTY_TABLES)
        return self.address(name)

    def close(self) -> None:
        """Close the sessions of the administrator."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()

    @contextmanager
    def outage(self, name: str) -> Iterator[psycopg.Connection[Any]]:
        """End all connections to a database, and refuse new ones until the block ends; yield one that is left."""
        left = self._session(name)
        allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
        self._session().execute(allow.format(sql.Identifier(name), sql.SQL("false")))
        self._end_sessions(name)
        try:
            yield left
        finally:
            self._session().execute(allow.format(sql.Identifier(name), sql.SQL("true")))

    @contextmanager
    def own_login(self, address: str) -> Iterator["Login"]:
        """Let a role of its own, with the rights of the bot's, log in until the block ends."""
        role = sql.Identifier(OWN_ROLE)
        self._session().execute(sql.SQL("CREATE ROLE {} LOGIN IN ROLE {}").format(role, sql.Identifier(ROLE)))
        login = Login(self._session(), address.replace(f"//{ROLE}@", f"//{OWN_ROLE}@"))
        try:
            yield login
        finally:
            login.revoke()
            self._session().execute(sql.SQL("DROP ROLE {}").format(role))

    def _session(self, database: str = "postgres") -> psycopg.Connection[Any]:
        """Return the administrator's session on a database, which is kept because connecting is slow."""
        session = self._sessions.get(database)
        if session is None or session.closed:
            session = self._sessions[database] = self.admin(database)
        return session

    def _end_sessions(self, database: str) -> None:
        """End all sessions on a database but the kept one: those of a process that a test has killed may hold locks."""
        kept = self._sessions.get(database)
        self._session().execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s AND pid <> %s",
            [database, kept.info.backend_pid if kept else 0],
        )

    def start_cleanup_watcher(self) -> subprocess.Popen[bytes]:
        """Start what ends the server and removes its files when the input closes, as it does however this run ends."""
        words = ("sh", "-c", CLEANUP_SCRIPT, self._binaries / "pg_ctl", self.folder)
        return subprocess.Popen(words, cwd="/", stdin=subprocess.PIPE, start_new_session=True, **self.as_owner())

    def run_client(self, command: str, *arguments: str, cwd: Path) -> None:
        """Run one of PostgreSQL's programs that speak to a server."""
        subprocess.run([self._binaries / command, *arguments], cwd=cwd, check=True)

    def address(self, name: str) -> str:
        """Return the address of a database, as the bot has it."""
        return f"postgresql+asyncpg://{ROLE}@/{name}?host={self.folder}&port={self.port}"

    def client_address(self, name: str) -> str:
        """Return the address of a database for PostgreSQL's own programs."""
        return self.address(name).replace("+asyncpg", "")

    def _run(self, command: str, *arguments: str) -> None:
        ended = subprocess.run(
            [self._binaries / command, f"--pgdata={self._data}", *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            **self.as_owner(),
        )
        if ended.returncode != 0:
            log = self.folder / "log"
            raise RuntimeError(f"{command}: {ended.stderr}{log.read_text() if log.exists() else ''}")

    def as_owner(self) -> dict[str, Any]:
        """Return the arguments with which a process is started as the server's user."""
        if self._owner is None:
            return {}
        return {"user": self._owner.pw_uid, "group": self._owner.pw_gid, "extra_groups": []}


@contextmanager
def run_server(*, careful: bool = False) -> Iterator[PostgresServer]:
    """Run a server in a temporary folder; a durable one has on disk what it acknowledges.

    Without PostgreSQL the test is skipped, or fails where PARLOUR_REQUIRE_POSTGRES=1 says that it has to be there.
    """
    with make_server(careful=careful) as server:
        server.create()
        server.start()
        server.create_role()
        yield server


@contextmanager
def make_server(*, careful: bool = False) -> Iterator[PostgresServer]:
    """Make a server without files, which is stopped and removed in the end."""
    binaries = _find_binaries()
    # Sockets have short paths, and pytest's folders are closed to the server's user.
    with tempfile.TemporaryDirectory(prefix="parlour-pg-") as folder, reserve_port() as port:
        server = PostgresServer(binaries, Path(folder), port, careful=careful)
        with server.start_cleanup_watcher() as watcher:
            try:
                yield server
            finally:
                server.close()
                watcher.communicate()


def _find_binaries() -> Path:
    """Return the folder of PostgreSQL's programs: that of the PATH, or Debian's newest, which is in no PATH."""
    debians = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    path = os.pathsep.join([*os.get_exec_path(), *map(str, reversed(debians))])
    initdb = shutil.which("initdb", path=path)
    if initdb is None:
        skip_or_fail("there is no PostgreSQL server here (on Debian and Ubuntu: apt install postgresql)")
    return Path(initdb).resolve().parent


def _unprivileged() -> pwd.struct_passwd:
    """Return a user to run the server as: it refuses to be root's."""
    for user in pwd.getpwall():
        if user.pw_name in UNPRIVILEGED:
            return user
    return skip_or_fail("it refuses to run as root, and there is no other user")


def skip_or_fail(reason: str) -> NoReturn:
    """Skip the test, or fail where PARLOUR_REQUIRE_POSTGRES=1."""
    if os.environ.get("PARLOUR_REQUIRE_POSTGRES") == "1":
        pytest.fail(f"This test needs PostgreSQL: {reason}.")
    pytest.skip(f"needs PostgreSQL: {reason}")
