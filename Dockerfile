# An ordinary user, a root that may be read-only, and one volume for the data.
# docs/deploy.md says how to name it by digest.
ARG BUN_IMAGE=oven/bun:1.4.5-slim
FROM ${BUN_IMAGE}
WORKDIR /app
COPY LICENSE package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production
COPY src ./src
COPY workers ./workers
COPY data/demo ./data/demo
RUN mkdir /data && chown bun:bun /data
USER bun
# A volume is for real decisions: no demo is made in an empty one.
ENV HOST=0.0.0.0 DATA_DIR=/data DEMO=0
# Each thread lets its garbage grow with the memory that it believes there is.
ENV BUN_JSC_forceRAMSize=1000000000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Healthy once a base answers: before the first load it is not.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["bun", "src/admin/healthcheck.ts"]
CMD ["bun", "src/main.ts"]
