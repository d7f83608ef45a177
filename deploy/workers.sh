#!/bin/sh
# Starts the workers of a release with docker compose, and again those whose settings in .env have changed: deploy/workers.sh 1.0.0
# docs/operators/deploying.md
set -eu
# shellcheck source=deploy/production/release.sh
. "$(dirname "$0")/production/release.sh"
steps=2

step "Check the image of $version" 'nothing has changed'
check_image
step "Start the workers of $version" "deploy/workers.sh $version"
workers up --detach --wait --no-deps worker bulk-worker
