# Build:  docker build --pull --tag parlour .
# Run:    docker run --env-file .env --volume parlour:/app/var --read-only --tmpfs /tmp parlour
#
# The tables are kept in /app/var: without a volume of your own there they go with the container.
# docs/hosting.md has more.

FROM python:3.13-slim AS packages

RUN ["sh", "-c", "apt-get update && apt-get install --yes --no-install-recommends tini"]

# Wheels only: the slim image has no compiler, and a missing wheel should say so at once.
COPY requirements/run.txt /opt/run.txt
RUN ["python", "-m", "venv", "/opt/venv"]
RUN ["/opt/venv/bin/python", "-m", "pip", "install", "--no-cache-dir", "--disable-pip-version-check", \
     "--only-binary", ":all:", "--require-hashes", "--requirement", "/opt/run.txt"]


FROM python:3.13-slim

ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

# A new volume at /app/var takes over its owner, so that the user below may write there.
RUN ["useradd", "--uid", "10001", "--user-group", "--no-create-home", "--home-dir", "/app", \
     "--shell", "/usr/sbin/nologin", "parlour"]
RUN ["install", "--directory", "--owner", "10001", "--group", "10001", "/app/var"]

WORKDIR /app
COPY --from=packages /opt/venv /opt/venv
COPY --from=packages /usr/bin/tini-static /usr/bin/tini
COPY data data
COPY bot bot
COPY cogs cogs
# Once here instead of at every start and every look at its health: the root may be read-only by then.
RUN ["python", "-m", "compileall", "-q", "bot", "cogs"]

USER 10001
VOLUME /app/var
STOPSIGNAL SIGTERM
# An init as process 1: it passes on signals that arrive before Python listens, and collects orphaned processes.
ENTRYPOINT ["tini", "--"]
# A bot of many shards takes minutes to be ready, and waits for Discord or the database by itself: whoever restarts unhealthy
# containers should do so only for a process that no longer answers.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-m", "bot", "health", "--live", "--health-port", "8080"]
CMD ["python", "-m", "bot", "run", "--health-port", "8080"]
