# Build:  docker build --tag parlour .
# Run:    docker run --env-file .env --volume parlour:/app/var parlour
#
# The tables are kept in /app/var: without a volume there they go with the container.

FROM python:3.13-slim AS packages

# Wheels only: the slim image has no compiler, and a missing wheel should say so at once.
COPY requirements/run.txt /opt/run.txt
RUN python -m venv /opt/venv \
    && /opt/venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
        --only-binary :all: --require-hashes --requirement /opt/run.txt


FROM python:3.13-slim

ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

# A new volume at /app/var takes over its owner, so that the user below may write there.
RUN groupadd --gid 10001 parlour \
    && useradd --uid 10001 --gid parlour --no-create-home --home-dir /app --shell /usr/sbin/nologin parlour \
    && install --directory --owner parlour --group parlour /app/var

WORKDIR /app
COPY --from=packages /opt/venv /opt/venv
COPY data data
COPY bot bot
COPY cogs cogs

USER parlour
STOPSIGNAL SIGTERM
CMD ["python", "-m", "bot", "run"]
