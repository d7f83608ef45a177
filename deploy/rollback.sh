#!/bin/sh
# Takes an installation with docker compose back to an earlier release while clients order: deploy/rollback.sh 1.0.0
# After a break, run it again. docs/operators/deploying.md
set -eu
# shellcheck source=deploy/production/release.sh
. "$(dirname "$0")/production/release.sh"
steps=4

step "Check the image of $version" 'nothing has changed'
check_image
read_releases
! is_newer "$version" "$current" || stop "$version is newer than $current. To upgrade to it: deploy/upgrade.sh $version"
# Temporal may have lost its data.
back=$(way_to "${other:-$(setting DEPLOYMENT_VERSION)}")

step "Start the workers of $version, unless they run" "$back"
workers up --detach --wait --no-deps --no-recreate worker bulk-worker
step "Promote: new orders go to $version again" "$back"
ops deploy promote "$version"
step 'Replace the API, then the process of operators' "$back"
replace_api_and_operators
echo "Orders of the other releases end with their workers. To drain and stop these: deploy/upgrade.sh $version"
