#!/bin/sh
# Prepares this machine for the release in whose folder it is, as root: the units, Temporal's configuration, and the first time the
# settings in /etc/digital-goods. Usage: deploy/systemd/install.sh [postgres://host:port/database?sslmode=verify-full]
set -eu
umask 022
here=$(dirname "$(readlink -f "$0")")
settings=/etc/digital-goods

cp "$here"/*.service /etc/systemd/system
systemctl daemon-reload
mkdir -p $settings
cp -R "$here/../../temporal-config" $settings

[ ! -e $settings/service.env ] || exit 0
cd $settings
node "$here/make-settings.mjs" "$@"
# The units are in these groups.
for group in digital-goods temporal; do
  getent group $group >/dev/null || groupadd --system $group
done
chown -R root:digital-goods certificates/client
chown -R root:temporal certificates/server
chmod -R g=rX certificates/client certificates/server
chmod 711 certificates
