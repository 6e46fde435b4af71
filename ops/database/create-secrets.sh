#!/bin/sh
# Makes the secrets of a deployment, one file each, and leaves those that are there:
#
#   ops/database/create-secrets.sh /etc/task-market/secrets primary.internal:5432 standby.internal:5433
#
# Two are the operator's, and are put beside them by hand: rpc-url (nodes) and relayer-keys. Only root enters the directory;
# containers, which see single files of it, read them as another user.
set -eu
[ $# -eq 3 ] || { echo "usage: $0 DIRECTORY PRIMARY-HOST:PORT STANDBY-HOST:PORT" >&2; exit 1; }
directory=$1 primary=$2 standby=$3
mkdir -p "$directory"
chmod 700 "$directory"
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
put() { # name, content
  [ -e "$directory/$1" ] || { printf '%s\n' "$2" >"$directory/$1"; chmod 444 "$directory/$1"; }
}
put superuser-password "$(random)"
put grafana-password "$(random)"
put indexer-database-url "postgres://market_indexer:$(random)@$primary/market"
put api-database-url "postgres://market_service:$(random)@$primary/market"
put reader-database-url "postgres://market_reader:$(random)@$standby/market"
put exporter-database-url "postgres://market_exporter:$(random)@$standby/market"
put replica-database-url "postgres://market_replica:$(random)@$primary/market"
put url-signing-secret "$(random)"
put device-key-secret "$(random)"
for name in rpc-url relayer-keys; do
  [ -e "$directory/$name" ] || echo "put $directory/$name there, mode 444"
done
