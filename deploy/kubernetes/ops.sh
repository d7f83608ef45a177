#!/bin/sh
# Runs one local command of the ops CLI in the cluster, as a Job from the CronJob `ops` of the current namespace: prints its
# output, and exits with 1 if it fails. Usage: deploy/kubernetes/ops.sh deploy promote 1.0.0
set -eu
[ $# -gt 0 ] || { echo 'Name a command of the ops CLI, such as: deploy status' >&2; exit 2; }

# The words as JSON.
words() {
  for word; do printf '"%s",' "$(printf %s "$word" | sed 's/["\\]/\\&/g')"; done
}
# Your name for the audit log.
list=$(words --operator "${OPS_OPERATOR:-$(id -un)}" "$@")
name=ops-$(date +%Y%m%d-%H%M%S)-$$

kubectl create job "$name" --from=cronjob/ops --dry-run=client --output=json |
  kubectl patch --local --filename=- --type=json --output=json \
    --patch="[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/args\",\"value\":[${list%,}]}]" |
  kubectl create --filename=- >&2

exec "$(dirname "$0")/follow.sh" "$name"
