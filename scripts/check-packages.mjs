/**
 * `npm run check:packages`: packs the packages for npm, and checks the tarballs with publint and "Are the types wrong?".
 * `npm run build` must have built them.
 *
 * Prints a line of JSON for each package: its file, its size, and every problem.
 */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const root = join(import.meta.dirname, '..')

/** Node 20 resolves as `node16` does; `node10` cannot know `exports` at all. */
const resolutions = ['node16-cjs', 'node16-esm', 'bundler']

/** Without scripts: a build would replace files that other programs are reading. */
function pack(name, folder) {
  const options = ['--ignore-scripts', '--json', '--pack-destination', folder]
  const text = execFileSync('npm', ['pack', `./packages/${name}`, ...options], { cwd: root })
  const [packed] = JSON.parse(text.toString())
  return { path: join(folder, packed.filename), bytes: packed.size, unpacked: packed.unpackedSize }
}

async function typeProblems(data) {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(data)))
  if (!result.types) return ['no types']
  return result.problems
    .filter(({ resolutionKind }) => !resolutionKind || resolutions.includes(resolutionKind))
    .map((problem) => JSON.stringify(problem))
}

async function lint(data) {
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
  return messages.map((message) => formatMessage(message, pkg, { color: false }))
}

async function check(name, folder) {
  const packed = pack(name, folder)
  const data = fs.readFileSync(packed.path)
  return { name, ...packed, problems: [...(await lint(data)), ...(await typeProblems(data))] }
}

/** @param folder for the tarballs; by default they are deleted */
const [given] = process.argv.slice(2)
const folder = given ?? fs.mkdtempSync(join(tmpdir(), 'latchkey-packages-'))
for (const name of ['verify', 'sdk']) {
  const result = await check(name, folder)
  console.log(JSON.stringify(result))
  if (result.problems.length > 0) process.exitCode = 1
}
if (!given) fs.rmSync(folder, { recursive: true })
