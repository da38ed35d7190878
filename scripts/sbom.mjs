/**
 * `node scripts/sbom.mjs`: prints what the server's package and image consist of, as CycloneDX: the packages in the
 * bundle (dist/program/packages.json, from `npm run build`) and those that are installed beside it. The output depends on
 * the commit only: SOURCE_DATE_EPOCH is its time, in seconds.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'

const npmSbom = (...options) =>
  JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...options], {
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    }),
  )

const isOfDevelopment = ({ name }) => name === 'cdx:npm:package:development'

/** The packages in the bundle are development dependencies, but users of the server run their code. */
const asShipped = (component, isBundled) =>
  isBundled
    ? {
        ...component,
        scope: 'required',
        properties: (component.properties ?? []).filter((one) => !isOfDevelopment(one)),
      }
    : component

/** A UUID (version 8, RFC 9562 §5.8) of a text. */
const uuidOf = (text) => {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const { name } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const bundled = new Set(
  JSON.parse(fs.readFileSync('dist/program/packages.json', 'utf8')).map(
    (one) => `${one.name}@${one.version}`,
  ),
)
const all = npmSbom()
const installed = new Set(
  npmSbom('--omit=dev', '--workspaces=false').components.map((one) => one['bom-ref']),
)
const idOf = (one) => `${one.group ? `${one.group}/` : ''}${one.name}@${one.version}`

const components = all.components
  .filter((one) => bundled.has(idOf(one)) || installed.has(one['bom-ref']))
  .map((one) => asShipped(one, bundled.has(idOf(one))))
const missing = [...bundled].filter((id) => !components.some((one) => idOf(one) === id))
if (missing.length > 0) throw new Error(`not in package-lock.json: ${missing.join(', ')}`)

const kept = new Set([
  all.metadata.component['bom-ref'],
  ...components.map((one) => one['bom-ref']),
])
const dependencies = all.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({
    ref,
    dependsOn: (dependsOn ?? []).filter((one) => kept.has(one)),
  }))

const time = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000).toISOString()
const content = {
  ...all,
  metadata: { ...all.metadata, timestamp: time, component: { ...all.metadata.component, name } },
  components,
  dependencies,
}
const serialNumber = `urn:uuid:${uuidOf(JSON.stringify({ ...content, serialNumber: '' }))}`
process.stdout.write(`${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`)
