/** The packages in the bundle: their licences ask for their texts beside the code, and the SBOM lists them. */
import * as fs from 'node:fs'
import { join } from 'node:path'

const legal = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i

/** @param {{ inputs: object }} metafile of esbuild @returns each package once, sorted by name and version */
export function bundledPackages({ inputs }) {
  const folders = new Set()
  for (const path of Object.keys(inputs)) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]
    if (folder) folders.add(folder)
  }
  const packages = new Map()
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(fs.readFileSync(join(folder, 'package.json')))
    packages.set(`${name}@${version}`, { name, version, license, texts: legalTexts(folder) })
  }
  return [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function legalTexts(folder) {
  const names = fs.readdirSync(folder).filter((name) => legal.test(name))
  return names.sort().map((name) => fs.readFileSync(join(folder, name), 'utf8').trim())
}

/** THIRD-PARTY-LICENSES.txt */
export const noticesOf = (packages) =>
  packages
    .map(({ name, version, license, texts }) => {
      const heading = `${name} ${version} (${license})`
      return [heading, '='.repeat(heading.length), '', ...texts, ''].join('\n')
    })
    .join('\n')
