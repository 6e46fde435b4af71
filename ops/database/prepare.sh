#!/bin/sh
# Runs logins.sql on the database `market` and gives each login the password of its URL (create-secrets.sh): before the first
# start, after a restore and at each upgrade. The server is that of PGHOST, PGUSER and PGPASSWORD; without a password root
# connects as the system user postgres, by the socket:
#
#   sudo -u postgres createdb market
#   sudo ops/database/prepare.sh /etc/task-market/secrets
set -eu
[ $# -eq 1 ] || { echo "usage: $0 DIRECTORY-OF-SECRETS" >&2; exit 1; }
secrets=$1
export PGDATABASE=market
run() {
  if [ "$(id -u)" -eq 0 ] && [ -z "${PGPASSWORD:-}" ]; then set -- runuser -u postgres -- psql; else set -- psql; fi
  "$@" --quiet -1 -v ON_ERROR_STOP=1 -f -
}
run <"$(dirname "$0")/logins.sql"
# By standard input, so that no password is an argument; and no statement of it is logged, though it fails.
for name in indexer api reader exporter replica; do
  file=$secrets/$name-database-url
  [ -e "$file" ] || continue
  statement=$(sed -nE "1s|^postgres(ql)?://([a-z_]+):([0-9A-Za-z]+)@.*|ALTER ROLE \2 PASSWORD '\3';|p" "$file")
  [ -n "$statement" ] || { echo "$file: it must be a URL with a login and a password of letters and digits" >&2; exit 1; }
  echo "SET log_min_error_statement = panic; SET log_statement = none; $statement" | run
done
echo "the database is prepared"
