#!/bin/bash
# The analysts' standby of compose.yaml, in the image of PostgreSQL: copies the primary where there is no copy yet, and becomes
# the server. docs/operate/standby.md has the reasons of the settings.
set -euo pipefail
umask 077
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA"
  url=$(cat /run/secrets/replica-database-url)
  place=${url#*@} login=${url#*://}
  # No argument has the password; the copy's configuration gets it.
  login=${login%%@*} place=${place%%/*}
  PGPASSWORD=${login#*:} pg_basebackup -h "${place%:*}" -p "${place##*:}" -U "${login%%:*}" -D "$PGDATA" -R -X stream
fi
ulimit -d 262144
exec postgres -c hba_file=/etc/task-market/pg_hba.conf -c hot_standby_feedback=off \
  -c max_standby_streaming_delay=30s -c max_standby_archive_delay=30s -c dynamic_shared_memory_type=mmap -c jit=off "$@"
