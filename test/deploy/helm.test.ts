// Nightly, and when deploy/helm changes: it needs Helm.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service } from 'kubernetes-models/v1'
import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import { secretSettings } from '../../src/config/secret-files.ts'
import { isInstalled, whereFound } from '../support/installed.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { helm, type Manifest, release, settings, text, yaml } from './manifests.ts'

const kinds: Record<string, new (data: Manifest) => { validate(): void }> = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
}
const isThere = isInstalled('helm', 'version')
const equipped = whereFound(isThere, 'helm')

const everything = [
  'operatorIngress.enabled=true',
  'migrations=hook',
  'metrics.serviceMonitor.enabled=true',
  'networkPolicy.additionalEgress[0].to[0].ipBlock.cidr=10.9.0.0/24',
]
const usual: Manifest[] = isThere ? release('operatorIngress.enabled=true') : []
const full: Manifest[] = isThere ? release(...everything) : []

const named = (kind: string, name: string, all = usual): Manifest =>
  all.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)
const one = (kind: string, all = usual): Manifest => named(kind, 'latchkey', all)
const podOf = (workload: Manifest) => workload.spec.template.spec

t.test('helm finds no fault in the chart', equipped, async (t) => {
  t.match(helm('lint', '--strict'), '0 chart(s) failed')
})

t.test('every manifest matches its schema', equipped, async (t) => {
  const least = release(
    ...['ingress', 'networkPolicy', 'autoscaler', 'disruptionBudget'].map(
      (name) => `${name}.enabled=false`,
    ),
    'settings.ISSUER=https://auth.example',
  )
  t.same(
    least.map(({ kind }) => kind).toSorted(),
    ['ConfigMap', 'Deployment', 'Service'],
    'the others can be switched off',
  )
  t.equal(one('Deployment', least).spec.replicas, 2)
  const found = new Set<string>()
  for (const manifest of [...usual, ...full, ...least]) {
    found.add(manifest.kind)
    // Prometheus defines this kind.
    if (manifest.kind === 'ServiceMonitor') continue
    const Kind = kinds[manifest.kind]
    if (!Kind) t.fail(manifest.kind)
    else t.doesNotThrow(() => new Kind(manifest).validate(), manifest.kind)
  }
  t.same([...found].toSorted(), [...Object.keys(kinds), 'ServiceMonitor'].toSorted())
})

t.test('values that cannot work are refused before anything is applied', equipped, async (t) => {
  const wrong: [value: string, said: RegExp][] = [
    ['settings.LATCHKEY_MASTER_KEY=abc', /LATCHKEY_MASTER_KEY/],
    ['settings.ISSUER=http://auth.example', /ISSUER/],
    ['migrations=never', /migrations/],
    ['image.digest=sha256:12', /digest/],
    ['ingres.enabled=false', /ingres/],
    ['secret.keys={REDIS_URL}', /keys/],
  ]
  for (const [value, said] of wrong) t.throws(() => release(value), { message: said }, value)
})

t.test('the version of the chart is that of the server', async (t) => {
  const { version } = JSON.parse(text('package.json'))
  t.match(yaml('deploy/helm/latchkey/Chart.yaml'), { version, appVersion: version })
})

t.test('an image can be named by its digest', equipped, async (t) => {
  const { version } = JSON.parse(text('package.json'))
  const imageOf = (...values: string[]) =>
    podOf(one('Deployment', release(...values))).containers[0].image
  t.equal(imageOf(), `latchkey:${version}`)
  const digest = `sha256:${'a'.repeat(64)}`
  t.equal(
    imageOf('image.repository=r.example/latchkey', `image.digest=${digest}`),
    `r.example/latchkey@${digest}`,
  )
})

t.test('pods run unprivileged with a read-only file system', equipped, async (t) => {
  for (const pod of [podOf(one('Deployment')), podOf(named('Job', 'latchkey-migrate', full))]) {
    t.match(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    t.equal(pod.automountServiceAccountToken, false)
    for (const { securityContext, resources } of [
      ...(pod.initContainers ?? []),
      ...pod.containers,
    ]) {
      t.match(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      t.ok(resources.limits.memory && resources.requests.cpu)
    }
  }
})

t.test('a pod or a job applies the migrations, never both', equipped, async (t) => {
  t.same(
    podOf(one('Deployment')).initContainers.map(({ args }: Manifest) => args),
    [['migrate']],
  )
  t.notOk(named('Job', 'latchkey-migrate'))
  const job = named('Job', 'latchkey-migrate', full)
  t.notOk(podOf(one('Deployment', full)).initContainers)
  t.same(podOf(job).containers[0].args, ['migrate'])
  t.match(job.metadata.annotations, { 'helm.sh/hook': 'pre-install,pre-upgrade' })
  // The job runs before the map of the release exists.
  const variables = Object.fromEntries(
    podOf(job).containers[0].env.map(({ name, value }: Manifest) => [name, value]),
  )
  t.same(variables, one('ConfigMap', full).data)
  const { labels } = job.spec.template.metadata
  t.notMatch(labels, one('Service', full).spec.selector, 'no request is sent to the job')
})

t.test('selectors match the pods, and ports match the settings', equipped, async (t) => {
  const { labels } = one('Deployment').spec.template.metadata
  for (const selector of [
    one('Deployment').spec.selector.matchLabels,
    one('Service').spec.selector,
    one('PodDisruptionBudget').spec.selector.matchLabels,
  ])
    t.same(selector, labels)
  const isolated = one('NetworkPolicy', full).spec.podSelector.matchLabels
  t.match(labels, isolated)
  t.match(named('Job', 'latchkey-migrate', full).spec.template.metadata.labels, isolated)
  const [container] = podOf(one('Deployment')).containers
  const ports = Object.fromEntries(
    container.ports.map((port: Manifest) => [port.name, port.containerPort]),
  )
  t.same(ports, { http: 3000, metrics: Number(one('ConfigMap').data.METRICS_PORT) })
  const open: number[] = one('NetworkPolicy').spec.ingress.flatMap((rule: Manifest) =>
    rule.ports.map(({ port }: Manifest) => port),
  )
  t.same(open, [ports.http, ports.metrics])
  for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    t.equal(container[name].httpGet.port, 'http', name)
  const [endpoint] = one('ServiceMonitor', full).spec.endpoints
  const offered = one('Service', full).spec.ports.map(({ name }: Manifest) => name)
  t.ok(offered.includes(endpoint.port))
  t.match(
    one('Service', full).metadata.labels,
    one('ServiceMonitor', full).spec.selector.matchLabels,
  )
})

/** Paths of every route, from Fastify's printed tree. */
const routesOf = (tree: string): string[] => {
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', path] = /^([│ ]*)[├└]── (\S+) \(/.exec(line) ?? []
    if (path === undefined) return []
    const depth = indent.length / 4
    parents[depth] = `${parents[depth - 1] ?? ''}${path}`
    return [`${parents[depth]}`.replace(/\/?\*$/, '/*')]
  })
}

interface IngressPath {
  path: string
  pathType: 'Exact' | 'Prefix'
}
const pathsOf = (name: string): IngressPath[] => named('Ingress', name).spec.rules[0].http.paths

/** Matching as in Kubernetes: a prefix, element by element. */
const isMatched = (paths: IngressPath[], route: string) =>
  paths.some(({ path, pathType }) =>
    pathType === 'Exact' ? route === path : route === path || route.startsWith(`${path}/`),
  )

t.test('the public ingress has every route except the operator’s', equipped, async (t) => {
  const [stores, ...rest] = await testStores()
  if (!stores) throw new Error('there is no store to test with')
  const environment = {
    METRICS_TOKEN: 'metrics-token',
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'latchkey',
    OIDC_CLIENT_SECRET: 'secret',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@id.example',
  }
  const running = await startLatchkey(stores, { environment })
  t.teardown(async () => {
    await running.stop()
    await Promise.all([stores, ...rest].map((one) => one.drop()))
  })
  const tree = running.instances[0]?.server.printRoutes({ commonPrefix: false }) ?? ''
  const routes = routesOf(tree)
  t.ok(routes.includes('/api/admin/v1/apps/:client_id/secrets/:secret_id'))
  const isInside = (route: string) => /^\/(api\/admin|metrics|health)(\/|$)/.test(route)
  for (const route of routes) {
    t.equal(isMatched(pathsOf('latchkey'), route), !isInside(route), `public: ${route}`)
    const isOperators = route.startsWith('/api/admin/')
    t.equal(isMatched(pathsOf('latchkey-operator'), route), isOperators, `operator: ${route}`)
  }
  const classes = ['latchkey', 'latchkey-operator'].map(
    (name) => named('Ingress', name).spec.ingressClassName,
  )
  t.equal(new Set(classes).size, 2, 'on another ingress controller')
})

t.test('the public ingress of an issuer with a path', equipped, async (t) => {
  const all = release(
    'settings.ISSUER=https://example.com/auth/',
    'settings.ENDPOINT_ALIASES=/old/token=token',
  )
  const [{ http }] = named('Ingress', 'latchkey', all).spec.rules
  const paths: Manifest[] = http.paths
  t.same(
    paths.filter(({ pathType }) => pathType === 'Exact').map(({ path }) => path),
    [
      '/auth/',
      '/auth',
      '/.well-known/oauth-authorization-server/auth',
      '/.well-known/openid-configuration/auth',
      '/old/token',
      '/auth/old/token',
    ],
  )
  const prefixes = paths.filter(({ pathType }) => pathType === 'Prefix')
  t.ok(prefixes.length > 20)
  for (const { path } of prefixes) t.match(path, /^\/auth\/(?!api\/admin)[^/]/)
})

t.test('egress of the pods is restricted', equipped, async (t) => {
  const { egress, policyTypes } = one('NetworkPolicy').spec
  t.same(policyTypes, ['Ingress', 'Egress'])
  const ports: number[] = []
  for (const { to, ports: allowed } of egress) {
    t.ok(to?.length > 0, 'every rule has a destination')
    for (const { port } of allowed) ports.push(port)
    for (const { ipBlock } of to) {
      if (ipBlock?.cidr !== '0.0.0.0/0') continue
      for (const inside of ['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'])
        t.ok(ipBlock.except.includes(inside), `webhooks cannot reach ${inside}`)
      t.ok(ipBlock.except.includes('100.64.0.0/10'))
    }
  }
  t.same([...new Set(ports)], [53, 5432, 6379, 4318, 443])
})

t.test('secrets are mounted as files, and all settings exist', equipped, async (t) => {
  const pod = podOf(one('Deployment'))
  const [volume] = pod.volumes
  const keys: string[] = volume.secret.items.map(({ key, path }: Manifest) => {
    t.equal(key, path)
    return key
  })
  t.equal(volume.secret.defaultMode, 0o440)
  t.equal(pod.securityContext.fsGroup, pod.securityContext.runAsGroup)
  const { data } = one('ConfigMap')
  for (const container of [...pod.initContainers, ...pod.containers]) {
    t.notOk(JSON.stringify(container.envFrom).includes('secretRef'), 'none is in the environment')
    const [mount] = container.volumeMounts
    t.match(mount, { name: volume.name, readOnly: true })
    for (const name of keys) t.equal(data[`${name}_FILE`], `${mount.mountPath}/${name}`)
  }
  const known = settings()
  for (const name of Object.keys(data)) t.ok(known.has(name), name)
  const { properties } = JSON.parse(text('deploy/helm/latchkey/values.schema.json'))
  for (const name of [...secretSettings, ...keys])
    t.equal(properties.settings.properties[name], false, `${name} cannot be a plain value`)

  const directory = await temporaryDirectory('kubernetes-secrets')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const values: Record<string, string> = {
    DATABASE_URL: 'postgres://a:b@db/latchkey',
    REDIS_URL: 'rediss://redis',
    LATCHKEY_MASTER_KEY: 'q9Xh0m1yqgkFvJmC5fV4sYwYF0c1xQF7r0Tn3V2oKzE=',
    LATCHKEY_OPERATOR_TOKEN: '7c2f90d41e5ba8637d0e94c1fb28a65d',
  }
  t.same(Object.keys(values).toSorted(), keys.toSorted())
  for (const [name, value] of Object.entries(values)) await writeFile(join(directory, name), value)
  const mounted = Object.entries<string>(data).map(([name, value]) => [
    name,
    value.replace('/run/secrets/latchkey', directory),
  ])
  t.match(readConfig(Object.fromEntries(mounted)), { databaseUrl: values.DATABASE_URL })
})
