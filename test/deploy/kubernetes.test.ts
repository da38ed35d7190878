import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Secret, Service } from 'kubernetes-models/v1'
import t from 'tap'
import { readConfig } from '../../src/config.ts'
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
const pod = one('Deployment').spec.template.spec

t.test('every manifest is what its schema says', async (t) => {
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
    'all are applied but the secret',
  )
})

t.test('pods run unprivileged and write nowhere', async (t) => {
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

t.test('everything selects the pods, and the ports are those of the settings', async (t) => {
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
  const open = one('NetworkPolicy').spec.ingress.flatMap((rule: Manifest) =>
    rule.ports.map(({ port }: Manifest) => port),
  )
  t.same(open, [ports.http, ports.metrics])
  for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    t.equal(container[name].httpGet.port, 'http', name)
})

t.test('a template of secrets has none, and all settings exist', async (t) => {
  const { stringData } = one('Secret')
  for (const [name, value] of Object.entries(stringData)) t.equal(value, '', name)
  const known = settings()
  const given = { ...one('ConfigMap').data, ...stringData }
  for (const name of Object.keys(given)) t.ok(known.has(name), name)
  t.doesNotThrow(() =>
    readConfig({
      ...given,
      DATABASE_URL: 'postgres://a:b@db/latchkey',
      LATCHKEY_MASTER_KEY: 'q9Xh0m1yqgkFvJmC5fV4sYwYF0c1xQF7r0Tn3V2oKzE=',
    }),
  )
})
