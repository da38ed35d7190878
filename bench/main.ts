import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { compare } from './compare.ts'
import { printTable, printVerification, regressionsOf } from './report.ts'
import { scale } from './scale.ts'
import { measureVerification } from './verification.ts'

const usage = `npm run bench -- [options]

  --quick                  run within a minute
  --only <server>          only this server; can be repeated
  --operation <operation>  only this operation; can be repeated
  --scale                  instead: grow apps, installs and families from 1,000 to 1,000,000
  --largest <number>       for --scale: the last step
  --verify                 instead: the cost of token verification in a data API
  --check                  exit with 1 when a ratio to the floor is far beyond noise (for CI)
  --json <file>            write all measurements
  --profile <directory>    write CPU profiles for Chromium's developer tools`

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    operation: { type: 'string', multiple: true, default: [] },
    scale: { type: 'boolean', default: false },
    largest: { type: 'string', default: '1000000' },
    verify: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    json: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const save = async (result: object) => {
  if (values.json) await writeFile(values.json, JSON.stringify(result, null, 2))
}

if (values.help) console.log(usage)
else if (values.scale) await save(await scale(Number(values.largest)))
else if (values.verify) {
  const verification = await measureVerification(values.quick)
  printVerification(verification)
  await save(verification)
} else {
  const { quick, only, operation: operations, profile } = values
  const report = await compare({ quick, only, operations, profile })
  printTable(report)
  await save(report)
  const regressions = values.check ? regressionsOf(report.ratios) : []
  for (const { name, value, bound } of regressions)
    console.error(`${name} is ${value.toFixed(2)}, beyond the bound of ${bound}`)
  if (regressions.length > 0) process.exitCode = 1
}
