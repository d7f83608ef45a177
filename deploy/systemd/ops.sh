#!/bin/sh
# Runs one local command of the ops CLI, or try-supplier, with the code of this release and the settings in /etc/digital-goods: prints
# its output, and exits with its code. Usage, as root: deploy/systemd/ops.sh deploy promote 1.0.0
set -eu
[ $# -gt 0 ] || { echo 'Name a command of the ops CLI, such as: deploy status' >&2; exit 2; }

release=$(readlink -f "$(dirname "$0")/../..")
version=$(basename "$release")
# Only the operators' process has the settings of the sign-in.
case $1 in
invite-admin | unlock-admin) settings=operators ;;
*) settings=local ;;
esac
[ "$1" = try-supplier ] || set -- ops "$@"
# systemd expands variables in the words of a command.
for word; do
  shift
  set -- "$@" "$(printf %s "$word" | sed 's/\$/$$/g')"
done
exec systemd-run --quiet --collect --wait --pipe --pty --same-dir \
  --property=EnvironmentFile=/etc/digital-goods/service.env \
  --property="EnvironmentFile=/etc/digital-goods/$settings.env" \
  --property="EnvironmentFile=-/etc/digital-goods/$version.env" \
  --setenv="DEPLOYMENT_VERSION=$version" \
  --setenv="OPS_OPERATOR=${OPS_OPERATOR:-${SUDO_USER:-$(id -un)}}" \
  "$release/deploy/service" "$@"
