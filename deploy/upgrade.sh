#!/bin/sh
# Upgrades an installation with docker compose to a release while clients order, or starts its first one: deploy/upgrade.sh 2.0.0
# After a break, run it again. docs/operators/deploying.md
set -eu
# shellcheck source=deploy/production/release.sh
. "$(dirname "$0")/production/release.sh"
steps=9

# The newest of these releases that is older than this one.
older() {
  { cat && echo "$version"; } | in_order | awk -v own="$version" '$0 == own { exit } { last = $0 } END { print last }'
}

# Somebody may have gone back in the meantime.
check_current() {
  current=$(releases current)
  [ "$current" = "$version" ] || stop "Orders go to $current now, so that no worker was stopped."
}

previous=$(setting DEPLOYMENT_VERSION)
[ "$(printf '%s\n' "$previous" "$version" | in_order | tail -n 1)" = "$version" ] ||
  stop "$version is older than $previous. To go back to it: deploy/rollback.sh $version"

step "Check the image of $version" 'nothing has changed'
check_image

if [ -z "$previous" ]; then
  others=$(other_workers)
  [ -z "$others" ] || stop ".env names no release, but these workers run: $others. Write theirs after DEPLOYMENT_VERSION=."
  back='this is the first release'
  step 'Start the servers' "$back"
  compose up --detach --wait --no-recreate postgres temporal temporal-ui
  compose run --rm --no-TTY --no-deps temporal-namespace
elif [ "$previous" != "$version" ]; then
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

if [ -n "$previous" ] && [ "$previous" != "$version" ]; then
  step 'Replay the workflows that continue with the new code' "$back"
  ops replay --since 1d --no-orders ||
    stop 'These workflows cannot continue with it: docs/developers/changing-a-workflow.md' 'No order has changed its release.'
fi

# The release that gets new orders. Before the first workers, Temporal cannot say.
current=unversioned
[ -z "$previous" ] || current=$(releases current)
case $current in
"$version") before=$(releases replaced | older) ;;
unversioned) before='' ;;
"$previous") before=$previous ;;
*) stop "Orders go to $current, which .env does not name. Write DEPLOYMENT_VERSION=$current there, and run this again." ;;
esac
back=${before:+deploy/rollback.sh $before}
back=${back:-there is no other release}

# These steps are repeated after a break, too.
number=4
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
    "  OPS_OPERATOR=$OPS_OPERATOR docker compose run --rm --no-deps ops deploy drain <release> --timeout 60 --move-stragglers"
check_current
for other in $others; do
  docker compose --project-name "$other" stop
done
echo "$version runs alone."
