import t from 'tap'
import { freePort } from '../support/free-port.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { type Manifest, text, yaml } from './manifests.ts'

const alerts: Manifest[] = yaml('deploy/prometheus/alerts.yaml').groups.flatMap(
  (group: Manifest) => group.rules,
)
const dashboard = JSON.parse(text('deploy/grafana/latchkey.json'))
const panels: Manifest[] = dashboard.panels.filter((panel: Manifest) => panel.type !== 'row')
const expressions: string[] = [
  ...alerts.map((rule) => rule.expr),
  ...panels.flatMap((panel) => panel.targets.map((target: Manifest) => target.expr)),
]
const named = new Set(
  expressions.flatMap((one) => one.match(/\b(latchkey|process|nodejs)_\w+/g) ?? []),
)

/** Names of metrics, in the form of Prometheus series. */
const seriesOf = (exposition: string) =>
  new Map(
    [...exposition.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => [
      name,
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ]),
  )

for (const stores of await testStores()) {
  t.test(
    `every metric is used by a dashboard or alert, and every used one exists (${stores.name})`,
    async (t) => {
      const port = await freePort()
      const running = await startLatchkey(stores, {
        environment: { METRICS_PORT: String(port), DATABASE_POOL_SIZE: '7' },
      })
      t.teardown(async () => {
        await running.stop()
        await stores.drop()
      })
      await fetch(`${running.issuer}/health/ready`)
      const exposition = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const metrics = seriesOf(exposition)

      const there = new Set([...metrics.values()].flat())
      t.same(
        [...named].filter((name) => !there.has(name)),
        [],
        'dashboard and alerts use existing metrics',
      )
      const own = [...metrics].filter(([name]) => name.startsWith('latchkey_'))
      t.ok(own.length >= 15, `${own.length} of our own`)
      const unwatched = own.filter(([, series]) => !series.some((one) => named.has(one)))
      t.same(unwatched, [], 'every metric is used')
      const table = text('docs/observing.md')
      for (const [name] of own) t.match(table, `\`${name}\``, `${name} is explained`)

      const value = (series: string) => {
        const line = exposition.split('\n').find((one) => one.startsWith(`${series} `))
        return line === undefined ? null : Number(line.split(' ')[1])
      }
      t.ok(Number(value('latchkey_store_round_trip_duration_seconds_count{store="postgres"}')) > 0)
      t.equal(value('latchkey_master_keys'), 1)
      // Prometheus sees no increase in a series that starts with its first event, so it must exist
      // before, or no alert fires.
      for (const outcome of ['ok', 'failed'])
        t.equal(value(`latchkey_cleanup_runs_total{outcome="${outcome}"}`), 0)
      t.equal(value('latchkey_grant_families_ended_total{reason="reuse_detected"}'), 0)
      t.equal(value('latchkey_database_connections_max'), 7)
      t.equal(value('latchkey_database_waiting_requests'), 0)
      t.equal(value('latchkey_revocation_feed_readers'), 0)
      t.ok(value('latchkey_table_rows{table="grants"}') !== null)
      const since = value('latchkey_signing_key_status_timestamp_seconds{status="active"}')
      t.ok(Math.abs(Date.now() / 1000 - (since ?? 0)) < 600)
      t.equal(value('latchkey_redis_keys') !== null, stores.redisUrl !== null)
    },
  )
}

t.test('names and units follow Prometheus conventions', async (t) => {
  for (const one of named) {
    if (!one.startsWith('latchkey_')) continue
    t.match(one, /^latchkey(_[a-z]+)+$/)
    t.notMatch(one, /milliseconds|_ms\b/)
  }
})

t.test('each alert has a runbook section, and each section an alert', async (t) => {
  const guide = text('docs/operating.md')
  const sections = [...guide.matchAll(/^### (Latchkey\w+)$/gm)].map(([, name]) => name)
  t.same(
    sections,
    alerts.map((rule) => rule.alert),
  )
  for (const { alert, annotations, labels } of alerts) {
    t.ok(annotations.summary, alert)
    t.match(labels.severity, /^(critical|warning|info)$/)
    t.equal(annotations.runbook_url, `docs/operating.md#${alert.toLowerCase()}`)
  }
})

t.test('the dashboard is complete', async (t) => {
  const ids = dashboard.panels.map((panel: Manifest) => panel.id)
  t.equal(new Set(ids).size, ids.length)
  for (const { title, targets, gridPos } of panels) {
    t.ok(targets.length > 0, title)
    t.ok(gridPos.x + gridPos.w <= 24, title)
  }
})
