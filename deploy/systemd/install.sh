#!/bin/sh
# Prepares this machine for the release in whose folder it is, as root: the units, Temporal's configuration without the files that
# you have changed, and the settings in /etc/digital-goods, unless there are some.
# Usage: deploy/systemd/install.sh [postgres://host:port/database?sslmode=verify-full]
set -eu
umask 022
here=$(dirname "$(readlink -f "$0")")
settings=/etc/digital-goods

cp "$here"/*.service /etc/systemd/system
systemctl daemon-reload

# temporal-config.released has the files of the release that was installed last. They show which files you have changed. If a release
# changes one of these, too, its file is written beside yours, with the ending `.new`.
cd "$here/../../temporal-config"
find . -type f | while read -r file; do
  yours=$settings/temporal-config/${file#./}
  released=$settings/temporal-config.released/${file#./}
  mkdir -p "$(dirname "$yours")" "$(dirname "$released")"
  if [ ! -e "$yours" ] || cmp -s "$yours" "$released"; then
    cp "$file" "$yours"
  elif ! cmp -s "$file" "$released" && ! cmp -s "$file" "$yours"; then
    cp "$file" "$yours.new"
  fi
  cp "$file" "$released"
done
find $settings/temporal-config -name '*.new' |
  sed 's|\(.*\)\.new|You have changed \1, so it stays. Merge & of this release into it, then delete &.|'

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
