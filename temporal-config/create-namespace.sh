#!/bin/sh
# Creates the namespace TEMPORAL_NAMESPACE on the server TEMPORAL_ADDRESS, unless it is there. Closed workflows
# are kept for 30 days.
set -eu

until temporal operator cluster health >/dev/null 2>&1; do sleep 2; done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 30d
# A new namespace reaches the server's caches only after some seconds.
until temporal workflow list --namespace "$TEMPORAL_NAMESPACE" --limit 1 >/dev/null 2>&1; do sleep 2; done
