import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Secret, Service } from 'kubernetes-models/v1'
import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { kubernetes, type Manifest, settings } from './manifests.ts'

const kinds: Record<string, new (data: Manifest) => { validate(): void }> = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
}

const all = kubernetes()
const one = (kind: string): Manifest => {
  const found = all.filter(({ manifest }) => manifest.kind === kind)
  if (found.length !== 1) throw new Error(`${found.length} of ${kind}`)
  return found[0]?.manifest
}
const named = (kind: string, name: string): Manifest =>
  all.find(({ manifest }) => manifest.kind === kind && manifest.metadata.name === name)?.manifest
const pod = one('Deployment').spec.template.spec

t.test('every manifest matches its schema', async (t) => {
  for (const { file, manifest } of all) {
    if (manifest.kind === 'Kustomization') continue
    const Kind = kinds[manifest.kind]
    if (!Kind) t.fail(`${file}: ${manifest.kind}`)
    else t.doesNotThrow(() => new Kind(manifest).validate(), file)
  }
  const named = one('Kustomization').resources as string[]
  const files = all.map(({ file }) => file)
  t.same(
    files.filter((file) => !named.includes(file)).toSorted(),
    ['kustomization.yaml', 'secret.example.yaml'],
    'everything except the secret is applied',
  )
})

t.test('pods run unprivileged with a read-only file system', async (t) => {
  t.match(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  t.equal(pod.automountServiceAccountToken, false)
  const containers = [...pod.initContainers, ...pod.containers]
  t.equal(containers.length, 2)
  for (const { securityContext, resources } of containers) {
    t.match(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    t.ok(resources.limits.memory && resources.requests.cpu)
  }
})

t.test('selectors match the pods, and ports match the settings', async (t) => {
  const { labels } = one('Deployment').spec.template.metadata
  for (const selector of [
    one('Deployment').spec.selector.matchLabels,
    one('Service').spec.selector,
    one('PodDisruptionBudget').spec.selector.matchLabels,
    one('NetworkPolicy').spec.podSelector.matchLabels,
  ])
    t.same(selector, labels)
  const [container] = pod.containers
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

t.test('the public ingress has every route except the operator’s', async (t) => {
  const [stores, ...rest] = await testStores()
  if (!stores) throw new Error('there is no store to test with')
  const environment = {
    METRICS_TOKEN: 'metrics-token',
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'latchkey',
    OIDC_CLIENT_SECRET: 'secret',
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

t.test('egress of the pods is restricted', async (t) => {
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

t.test('secrets are mounted as files, and all settings exist', async (t) => {
  const { stringData } = one('Secret')
  for (const [name, value] of Object.entries(stringData)) t.equal(value, '', name)
  const [volume] = pod.volumes
  t.equal(volume.secret.secretName, one('Secret').metadata.name)
  t.equal(volume.secret.defaultMode, 0o440)
  t.equal(pod.securityContext.fsGroup, pod.securityContext.runAsGroup)
  const { data } = one('ConfigMap')
  for (const container of [...pod.initContainers, ...pod.containers]) {
    t.notOk(JSON.stringify(container.envFrom).includes('secretRef'), 'none is in the environment')
    const [mount] = container.volumeMounts
    t.match(mount, { name: volume.name, readOnly: true })
    for (const name of Object.keys(stringData))
      t.equal(data[`${name}_FILE`], `${mount.mountPath}/${name}`)
  }
  const known = settings()
  for (const name of Object.keys(data)) t.ok(known.has(name), name)

  const directory = await temporaryDirectory('kubernetes-secrets')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const values: Record<string, string> = {
    ...stringData,
    DATABASE_URL: 'postgres://a:b@db/latchkey',
    REDIS_URL: 'rediss://redis',
    LATCHKEY_MASTER_KEY: 'q9Xh0m1yqgkFvJmC5fV4sYwYF0c1xQF7r0Tn3V2oKzE=',
    LATCHKEY_OPERATOR_TOKEN: '7c2f90d41e5ba8637d0e94c1fb28a65d',
  }
  for (const [name, value] of Object.entries(values)) await writeFile(join(directory, name), value)
  const mounted = Object.entries<string>(data).map(([name, value]) => [
    name,
    value.replace('/run/secrets/latchkey', directory),
  ])
  t.match(readConfig(Object.fromEntries(mounted)), { databaseUrl: values.DATABASE_URL })
})
