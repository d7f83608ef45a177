#!/bin/sh
# Upgrades an installation with docker compose to a release while clients order, or starts its first one: deploy/upgrade.sh 2.0.0
# After a break, run it again. docs/operators/deploying.md
set -eu
# shellcheck source=deploy/production/release.sh
. "$(dirname "$0")/production/release.sh"
steps=9

# While the script waits, a person may roll back in another terminal.
check_current() {
  read_releases
  [ "$current" = "$version" ] || stop "Orders now go to $current, so no worker was stopped."
}

is_upgrade() {
  [ -n "$previous" ] && [ "$previous" != "$version" ]
}

# Whether the first word is a line of the others.
is_one_of() {
  printf '%s\n' "$@" | tail -n +2 | grep -qxF -e "$1"
}

previous=$(setting DEPLOYMENT_VERSION)
! is_newer "$previous" "$version" ||
  stop "$version is older than $previous. To go back to it: deploy/rollback.sh $version"

step "Check the image of $version" 'nothing has changed'
check_image

if [ -z "$previous" ]; then
  others=$(other_workers)
  [ -z "$others" ] || stop "These workers run: $others. Write their release, such as 1.0.0, after DEPLOYMENT_VERSION= in .env."
  # Temporal knows none before the first workers.
  current=unversioned
  other=''
  back='this is the first release'
  step 'Start the servers' "$back"
  compose up --detach --wait --no-recreate postgres temporal temporal-ui
  compose run --rm --no-TTY --no-deps temporal-namespace
else
  # The schema may still be that of the previous release.
  image=$previous
  read_releases
  image=$version
  # After a break, .env may name another release than the current one. A person may have written a third one.
  is_one_of "$current" "$version" "$previous" unversioned || is_one_of "$version" "$replaced" ||
    stop "Orders go to $current, which .env does not name. Write DEPLOYMENT_VERSION=$current there, and run this again."
fi

if is_upgrade; then
  back="stop here, $previous works on the new schema, too"
  step 'Back up the database' "$back"
  deploy/backup.sh || {
    echo 'The backup is not complete: see above. Press Enter to upgrade all the same'
    read -r _ || stop 'Nothing has changed.'
  }
fi

if [ "$previous" != "$version" ]; then
  step 'Migrate the schema' "$back"
  compose run --rm --no-TTY --no-deps migrate
fi

if is_upgrade; then
  step 'Replay the workflows that continue with the new code' "$back"
  ops replay --since 1d --no-orders ||
    stop 'These workflows cannot continue with it: docs/developers/changing-a-workflow.md' 'No order has changed its release.'
fi

# These steps are repeated after a break, too.
number=4
back=$(way_to "$other")
undo="docker compose --project-name $(project "$version") stop"
[ "$current" != "$version" ] || undo=$back
step "Start the workers of $version" "$undo"
workers up --detach --wait --no-deps worker bulk-worker ||
  stop "They do not start. Their log: docker compose --project-name $(project "$version") logs" "To go back: $undo."
step "Promote: new orders go to $version" "$back"
ops deploy promote "$version"
step 'Replace the API, then the process of operators' "$back"
replace_api_and_operators

others=$(other_workers)
step "Wait until you trust $version" "$back"
if [ -n "$others" ]; then
  echo "Press Enter to drain and stop the workers of: $others"
  read -r _ || stop "They run until you finish: deploy/upgrade.sh $version"
  check_current
fi

step 'Drain and stop the workers of the other releases' "$back"
ops deploy drain ||
  stop 'The workers keep running. Wait, and run this again; or move the orders:' \
    "  OPS_OPERATOR='$OPS_OPERATOR' docker compose run --rm --no-deps ops deploy drain <release> --timeout 60 --move-stragglers"
check_current
for other in $others; do
  docker compose --project-name "$other" stop
done
echo "$version runs alone."
