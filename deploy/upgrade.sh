#!/bin/sh
# Upgrades an installation with docker compose to a release while clients order, or starts its first one: deploy/upgrade.sh 2.0.0
# After a break, run it again. docs/operators/deploying.md
set -eu
# shellcheck source=deploy/production/release.sh
. "$(dirname "$0")/production/release.sh"
steps=9
previous=$(setting DEPLOYMENT_VERSION)
[ "$(printf '%s\n' "$previous" "$version" | sort -V | tail -n 1)" = "$version" ] ||
  stop "$version is older than $previous. To go back to it: deploy/rollback.sh $version"

step "Check the image of $version" 'nothing has changed'
check_image

if [ -z "$previous" ]; then
  back='this is the first release'
  step 'Start the servers' "$back"
  compose up --detach --wait --no-recreate postgres temporal temporal-ui
  compose run --rm --no-TTY --no-deps temporal-namespace
elif [ "$previous" != "$version" ]; then
  back="stop here, $previous works on the new schema, too"
  step 'Back up the database' "$back"
  deploy/backup.sh
fi

if [ "$previous" != "$version" ]; then
  step 'Migrate the schema' "$back"
  compose run --rm --no-TTY --no-deps migrate
fi

if [ -n "$previous" ] && [ "$previous" != "$version" ]; then
  step 'Replay the workflows that continue with the new code' "$back"
  ops replay --since 1d --no-orders ||
    stop 'These workflows cannot continue with it: docs/developers/changing-a-workflow.md' 'No order has changed its release.'
  back="deploy/rollback.sh $previous"
fi

# The other steps are repeated after a break, too.
number=4
[ "$previous" != "$version" ] || back='deploy/rollback.sh <the release before>'
step "Start the workers of $version" "$back"
workers up --detach --wait --no-deps worker bulk-worker
step "Promote: new orders go to $version" "$back"
ops deploy promote "$version"
step 'Replace the API, then the process of operators' "$back"
replace_api_and_operators

# The other releases whose workers run.
status=$(ops deploy status)
others=$(printf '%s\n' "$status" | awk -F '  +' '$2 ~ /^(replaced|not promoted)$/ && $3 != "-" { printf "%s%s", space, $1; space = " " }')
step "Wait until you trust $version" "${others:+deploy/rollback.sh }${others:-$back}"
if [ -n "$others" ]; then
  echo "Press Enter to drain and stop the workers of: $others"
  read -r _ || stop "They run until you finish: deploy/upgrade.sh $version"
fi

step 'Drain and stop the workers of the other releases' "deploy/rollback.sh, which starts its workers again"
ops deploy drain ||
  stop 'The workers keep running. Wait, and run this again; or move the orders:' \
    '  docker compose run --rm --no-deps ops deploy drain <release> --timeout 60 --move-stragglers'
for old in $others; do
  docker compose --project-name "$(project "$old")" stop
done
echo "$version runs alone."
