#!/bin/sh
# Takes an installation with docker compose back to an earlier release while clients order: deploy/rollback.sh 1.0.0
# After a break, run it again. docs/operators/deploying.md
set -eu
# shellcheck source=deploy/production/release.sh
. "$(dirname "$0")/production/release.sh"
steps=4
back="deploy/upgrade.sh $(setting DEPLOYMENT_VERSION)"

step "Check the image of $version" 'nothing has changed'
check_image
step "Start the workers of $version, unless they run" "$back"
workers up --detach --wait --no-deps --no-recreate worker bulk-worker
step "Promote: new orders go to $version again" "$back"
ops deploy promote "$version"
step 'Replace the API, then the process of operators' "$back"
replace_api_and_operators
echo "Orders of the other releases end with their workers. To drain and stop these: deploy/upgrade.sh $version"
