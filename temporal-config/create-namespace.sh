#!/bin/sh
# Creates the namespace TEMPORAL_NAMESPACE on the server TEMPORAL_ADDRESS, unless it is there. Closed workflows
# are kept for 30 days. Fails if the server does not answer within two minutes.
set -eu

command -v temporal >/dev/null || { echo 'The program temporal is missing: install the Temporal CLI.' >&2; exit 1; }
deadline=$(($(date +%s) + 120))

# Repeats the command until it succeeds.
wait_for() {
  echo "Waiting for $1 ..."
  shift
  until answer=$("$@" 2>&1); do
    [ "$(date +%s)" -lt $deadline ] || { printf 'It does not answer within two minutes.\n%s\n' "$answer" >&2; exit 1; }
    sleep 2
  done
}

wait_for "the Temporal server at $TEMPORAL_ADDRESS" temporal operator cluster health
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 30d
# A new namespace reaches the server's caches only after some seconds.
wait_for "the namespace $TEMPORAL_NAMESPACE" temporal workflow list --namespace "$TEMPORAL_NAMESPACE" --limit 1
