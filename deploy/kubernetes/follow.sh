#!/bin/sh
# Prints the output of a Job of the current namespace, waits until the Job ends, and exits with 1 if it failed. Usage:
# deploy/kubernetes/follow.sh migrate-1-0-0
set -eu
[ $# -eq 1 ] || { echo 'Name a Job, such as: migrate-1-0-0' >&2; exit 2; }

ended() { kubectl get job "$1" --output='jsonpath={.status.conditions[?(@.status=="True")].type}'; }

# kubectl names what is wrong, such as a misspelt name or another namespace. Later errors may be those of a pod that is not there yet.
kubectl get job "$1" >/dev/null

# Until the pod runs, it has no log. A command may end before anybody sees it run.
tries=120
until kubectl logs --follow "job/$1" 2>/dev/null; do
  tries=$((tries - 1))
  [ $tries -gt 0 ] || { echo "The pod of the job $1 does not start: kubectl describe job $1" >&2; exit 1; }
  sleep 1
done
# Its pod may be started again.
while :; do
  case $(ended "$1") in
  *Complete*) exit 0 ;;
  *Failed*) echo "The job $1 failed: kubectl describe job $1" >&2; exit 1 ;;
  esac
  sleep 1
done
