# Two images: `service` runs API, workers, operators' process, simulator and trials of suppliers; `sandbox` runs what only demos need.
# Both run as `node`, and write to /state and /tmp alone.

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim AS sandbox
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/console/package.json packages/console/
COPY packages/office/package.json packages/office/
COPY packages/parts/package.json packages/parts/
COPY packages/client/package.json packages/client/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node dev/scripts/build.mjs && rm -rf .run && install -d -o node /state
USER node

# Adds the clients' Python package to the downloads. Where it cannot be made, its address leads to the guide that makes it.
FROM sandbox AS downloads
USER root
RUN (apt-get update && apt-get install --yes --no-install-recommends python3-venv && node dev/scripts/build.mjs downloads) \
  || echo 'No Python package: Python or a package index is missing.'
USER node

FROM node:24-slim AS service
WORKDIR /app
RUN install -d -o node /state && ln -s /app/deploy/service /usr/local/bin/service
COPY package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=sandbox /app/dist/workflow-bundle.js dist/
COPY --from=sandbox /app/dist/workflow-bundle-traced.js dist/
COPY --from=sandbox /app/dist/src dist/src
COPY --from=sandbox /app/dist/workflows dist/workflows
COPY --from=sandbox /app/dist/activities dist/activities
COPY --from=sandbox /app/dist/dev/simulator dist/dev/simulator
COPY --from=sandbox /app/dist/dev/trial dist/dev/trial
COPY --from=sandbox /app/dist/console dist/console
COPY --from=sandbox /app/dist/office dist/office
COPY --from=downloads /app/dist/docs dist/docs
COPY deploy/service deploy/
USER node
CMD ["service", "api"]
