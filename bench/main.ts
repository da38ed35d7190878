import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { compare } from './compare.ts'
import { measureConsole, printConsole } from './console.ts'
import { measureDoor, printDoor } from './door.ts'
import { describedServers, givenServers, noServerGiven } from './given-servers.ts'
import { measureLarge, printLarge } from './large.ts'
import { measureMemory, printMemory } from './memory.ts'
import { checkedParts, type GrownPart, grownParts, measureParts, printParts } from './parts.ts'
import { compareProcesses } from './processes.ts'
import {
  printProcesses,
  printTable,
  printVerification,
  type Regression,
  regressionsOf,
} from './report.ts'
import { scale } from './scale.ts'
import { plotSoak, printSoak, soak } from './soak.ts'
import { measureStart, printStart } from './start.ts'
import { measureStatements, printStatements } from './statements.ts'
import { tail } from './tail.ts'
import { printTails } from './tail-report.ts'
import { measureTakeover } from './takeover.ts'
import { measureVerification } from './verification.ts'
import { compareServers, printServers } from './whole-servers.ts'

const usage = `npm run bench -- [options]

  --quick                  run within a minute
  --only <server>          only this server, or these settings of --memory; can be repeated
  --operation <operation>  only this operation; can be repeated
  --scale                  instead: grow apps, installs and families from 1,000 to 1,000,000
  --processes              instead: the throughput of one, two and four processes
  --large                  instead: a migration, a start and an import with a million families
  --largest <number>       for --scale and --large: the last step
  --verify                 instead: the cost of token verification in a data API
  --door                   instead: the cost of a check of the door
  --start                  instead: the time until the server is ready, and until commands have exited
  --memory                 instead: memory after the start, under load, after sign-ins and at rest
  --parts                  instead: what the CPU time of a request is made of, for the floor and for ours
  --tail                   instead: response times of the floor and ours in turns, and what held up the event loop
  --statements             instead: what each statement of the main requests costs Postgres
  --servers                instead: whole servers beside ours, where HYDRA or KEYCLOAK_HOME is given
  --console                instead: the console of an operator with 100,000 people
  --takeover               instead: time and memory of a takeover, and of the server that imports its lines
  --server <file>          for --servers: a server that this file describes (bench/servers/*.json); can be repeated
  --soak <seconds>         instead: half the peak load for this time, and whether memory and times drift
  --plot <file>            for --soak: write the course as SVG
  --check                  exit with 1 when a ratio to the floor is far beyond noise, and with --parts when the own code
                           of a token request has grown by more than a fifth (for CI)
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
    door: { type: 'boolean', default: false },
    start: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    parts: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    processes: { type: 'boolean', default: false },
    tail: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
    servers: { type: 'boolean', default: false },
    console: { type: 'boolean', default: false },
    takeover: { type: 'boolean', default: false },
    server: { type: 'string', multiple: true, default: [] },
    soak: { type: 'string' },
    plot: { type: 'string' },
    check: { type: 'boolean', default: false },
    json: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** The servers that a check compares. */
const checked = ['floor', 'floor without SQL', 'ours']
/** One measurement of a busy machine may be far off. What is beyond its bound counts when it is so each time. */
const measurements = 4

/** @returns the regressions that further measurements confirm */
const confirmed = async (found: Regression[]): Promise<Regression[]> => {
  let regressions = found
  for (let at = 1; at < measurements && regressions.length > 0; at++) {
    const names = regressions.map(({ name }) => name)
    console.log(`\nmeasured again: ${names.join(', ')}`)
    const report = await compare({
      quick: values.quick,
      only: checked,
      operations: [...new Set(regressions.map(({ operation }) => operation))],
    })
    printTable(report)
    regressions = regressionsOf(report.ratios).filter(({ name }) => names.includes(name))
  }
  return regressions
}

/** @returns what further measurements find as well */
const confirmedParts = async (found: GrownPart[]): Promise<GrownPart[]> => {
  let grown = found
  for (let at = 1; at < measurements && grown.length > 0; at++) {
    const names = grown.map(({ operation }) => operation)
    console.log(`measured again: ${names.join(', ')}`)
    grown = grownParts(await measureParts(values.quick, names))
  }
  return grown
}

const save = async (result: object) => {
  if (values.json) await writeFile(values.json, JSON.stringify(result, null, 2))
}

if (values.help) console.log(usage)
else if (values.scale) await save(await scale(Number(values.largest)))
else if (values.large) {
  const large = await measureLarge(Number(values.largest))
  printLarge(large)
  await save(large)
} else if (values.processes) {
  const processes = await compareProcesses()
  printProcesses(processes)
  await save(processes)
} else if (values.verify) {
  const verification = await measureVerification(values.quick)
  printVerification(verification)
  await save(verification)
} else if (values.door) {
  const costs = await measureDoor(values.quick)
  printDoor(costs)
  await save(costs)
} else if (values.start) {
  const starts = await measureStart(values.quick ? 3 : 9)
  printStart(starts)
  await save(starts)
} else if (values.memory) {
  const memory = await measureMemory(values.quick, values.only)
  printMemory(memory)
  await save(memory)
} else if (values.parts) {
  const chosen = values.check ? checkedParts : values.operation
  const parts = await measureParts(values.quick, chosen)
  printParts(parts)
  await save(parts)
  const grown = values.check ? await confirmedParts(grownParts(parts)) : []
  for (const { operation, share, bound } of grown)
    console.error(
      `own code is ${share.toFixed(3)} of ${operation}, beyond the bound of ${bound.toFixed(3)}`,
    )
  if (grown.length > 0) process.exitCode = 1
} else if (values.tail) {
  const tails = await tail(values.quick, values.operation)
  printTails(tails)
  await save(tails)
} else if (values.statements) {
  const costs = await measureStatements(values.quick)
  printStatements(costs)
  await save(costs)
} else if (values.console) {
  const costs = await measureConsole(values.quick)
  printConsole(costs)
  await save(costs)
} else if (values.takeover) {
  await save(await measureTakeover(values.quick ? [2000] : [2000, 20_000, 100_000]))
} else if (values.servers) {
  const given = [
    ...givenServers(process.env),
    ...(await describedServers(values.server, process.env)),
  ]
  if (given.length === 0) {
    console.error(noServerGiven)
    process.exitCode = 1
  } else {
    const servers = await compareServers(given, values.quick)
    printServers(servers)
    await save(servers)
  }
} else if (values.soak !== undefined) {
  const result = await soak(Number(values.soak))
  printSoak(result)
  if (values.plot) await plotSoak(values.plot, result)
  await save(result)
  if (result.failed > 0 || result.drifts.some(({ drifts }) => drifts)) process.exitCode = 1
} else {
  const { quick, operation: operations, profile } = values
  const only = values.check && values.only.length === 0 ? checked : values.only
  const report = await compare({ quick, only, operations, profile })
  printTable(report)
  await save(report)
  const regressions = values.check ? await confirmed(regressionsOf(report.ratios)) : []
  for (const { name, value, bound } of regressions)
    console.error(`${name} is ${value.toFixed(2)}, beyond the bound of ${bound}`)
  if (regressions.length > 0) process.exitCode = 1
}
