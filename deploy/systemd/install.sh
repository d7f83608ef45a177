#!/bin/sh
# Prepares this machine for the release in whose folder it is, as root: the units, Temporal's configuration, and the settings in
# /etc/digital-goods, unless there are some. Usage: deploy/systemd/install.sh [postgres://host:port/database?sslmode=verify-full]
set -eu
umask 022
here=$(dirname "$(readlink -f "$0")")
settings=/etc/digital-goods

cp "$here"/*.service /etc/systemd/system
systemctl daemon-reload
mkdir -p $settings
cp -R "$here/../../temporal-config" $settings

cd $settings
[ -e service.env ] || node "$here/make-settings.mjs" "$@"

# Lets only the units of the group read these certificates. A machine may have none.
share() {
  getent group "$1" >/dev/null || groupadd --system "$1"
  [ -d "$2" ] || return 0
  chown -R "root:$1" "$2"
  chmod -R g=rX "$2"
  chmod 711 certificates
}
share digital-goods certificates/client
share temporal certificates/server
