# shellcheck shell=sh
# What deploy/upgrade.sh, rollback.sh and workers.sh have in common, which read it with `.`. Their argument is the release.
cd "$(dirname "$0")/.." || exit

stop() {
  printf '%s\n' "$@" >&2
  exit 1
}

# A setting of the installation.
setting() {
  sed -n "s/^$1=//p" .env | tr -d "\"'"
}

version=${1:-}
case $version in '' | -* | *[!A-Za-z0-9._-]*) stop "Name the release: $0 2.0.0" ;; esac
[ -f .env ] || stop 'There is no .env here: docs/operators/production.md#docker-compose'
grep -q '^DEPLOYMENT_VERSION=' .env || stop '.env needs a line DEPLOYMENT_VERSION=, which names the release that runs.'
case $(setting COMPOSE_FILE) in
*deploy/production/compose.yml*) ;;
*) stop 'COMPOSE_FILE in .env does not name deploy/production/compose.yml: docs/operators/production.md#docker-compose' ;;
esac
# Your name, for the audit log.
OPS_OPERATOR=${OPS_OPERATOR:-$(id -un)}
export OPS_OPERATOR

number=0
# Says what begins, and how to go back from there.
step() {
  number=$((number + 1))
  printf '\n%s/%s %s.\n    To go back: %s.\n' "$number" "${steps:?}" "$1" "$2"
}

# The release whose images docker compose uses.
image=$version
compose() {
  DEPLOYMENT_VERSION=$image docker compose "$@" </dev/null
}

# The project of the workers of a release. Its name has no dots and no capitals.
project() {
  printf 'digital-goods-%s' "$1" | tr A-Z. a-z-
}

# Docker compose for the workers of the release.
workers() (
  COMPOSE_FILE=$(setting COMPOSE_FILE):deploy/production/workers.yml
  export COMPOSE_FILE
  compose --project-name "$(project "$version")" "$@"
)

# The projects of the other releases whose workers run, in one line.
other_workers() {
  running=$(docker compose ls --quiet)
  printf '%s\n' "$running" | grep '^digital-goods-[0-9]' | grep -vxF "$(project "$version")" | xargs
}

# A local command of the ops CLI, with the code of the image.
ops() {
  compose run --rm --no-TTY --no-deps ops "$@"
}

# Sets `current`, the release that gets new orders (`unversioned` without one), `replaced`, those that did, the last one first, and
# `other`, the first of all these but the release of the script.
read_releases() {
  status=$(ops deploy status)
  current=$(printf '%s\n' "$status" | in_state current)
  replaced=$(printf '%s\n' "$status" | in_state replaced)
  other=$(printf '%s\n' "$current" "$replaced" | grep -vxF -e "$version" -e unversioned | head -n 1)
}

in_state() {
  awk -F '  +' -v state="$1" '$2 == state { print $1 }'
}

# Whether the first release is newer. 2.0.0-rc.1 is older than 2.0.0.
is_newer() {
  [ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | tr - '~' | sort -V | tail -n 1 | tr '~' -)" = "$1" ]
}

# What gives the orders to another release, if one is known.
way_to() {
  if [ -z "$1" ] || [ "$1" = "$version" ]; then
    echo 'no other release is known'
  elif is_newer "$1" "$version"; then
    echo "deploy/upgrade.sh $1"
  else
    echo "deploy/rollback.sh $1"
  fi
}

# Compose builds a missing image, from whatever code is here.
check_image() {
  found=$(ops --version)
  [ "$found" = "$version" ] ||
    stop "The image of $version has the release $found. Build it from the code of $version:" \
      "  DEPLOYMENT_VERSION=$version docker compose build migrate"
}

# One after the other. From now on, compose starts this release.
replace_api_and_operators() {
  cp -p .env .env.new
  sed "s/^DEPLOYMENT_VERSION=.*/DEPLOYMENT_VERSION=$version/" .env >.env.new
  mv .env.new .env
  compose up --detach --wait --no-deps api
  compose up --detach --wait --no-deps operators
}
