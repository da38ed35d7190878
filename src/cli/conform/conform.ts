import { writeFile } from 'node:fs/promises'
import { singleAction } from '../command.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { print } from '../output.ts'
import { readPlan } from './plan.ts'
import { type Trial, tryAll } from './try.ts'

const sentence = ({ attempt, expected, status, errors }: Trial) =>
  `${attempt} was answered ${status}${errors ? ' with errors' : ''}, and is to be ${expected}`

const inXml = (text: string) =>
  text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`).replace(/\p{Cc}/gu, ' ')

const junitOf = (trials: readonly Trial[]) => {
  const failures = trials.filter(({ passed }) => !passed).length
  const cases = trials.map((trial) => {
    const head = `<testcase classname="${inXml(trial.request)}" name="${inXml(trial.attempt)}"`
    const failure = `<failure message="${inXml(sentence(trial))}">${inXml(trial.repeat)}</failure>`
    return trial.passed ? `${head}/>` : `${head}>${failure}</testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="latchkey conform" tests="${trials.length}" failures="${failures}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n')
}

const markdownOf = (trials: readonly Trial[], findings: readonly Trial[]) =>
  [
    '# Conformance of a data API',
    '',
    `${trials.length} tried, ${findings.length} found.`,
    ...findings.flatMap((trial) => [
      ...['', `## ${trial.request.replace(/[\\`*_[\]<>#|]/g, '\\$&')}`, '', `${sentence(trial)}.`],
      ...['', ...trial.repeat.split('\n').map((line) => `    ${line}`)],
    ]),
    '',
  ].join('\n')

export const conform = singleAction('conform', 'try hostile tokens against a data API', {
  summary: 'Send tokens of a test server, right and wrong ones, to a data API that trusts it.',
  positionals: ['file'],
  options: {
    junit: { value: 'file', help: 'write all that was tried as JUnit XML' },
    markdown: { value: 'file', help: 'write what was found as Markdown' },
  },
  notes: [
    'The file says what to call; docs/conform.md describes it. Requests that are let in are really done, so use data of',
    'a test. Exits with 1 when something was let in that is to be refused, or refused that is to be let in.',
  ],
  run: async (input, terminal) => {
    const plan = await readPlan(input.argument('file'))
    const trials = await tryAll(plan)
    const findings = trials.filter(({ passed }) => !passed)
    const [junit, markdown] = [input.text('junit'), input.text('markdown')]
    if (junit) await writeFile(junit, junitOf(trials))
    if (markdown) await writeFile(markdown, markdownOf(trials, findings))
    print(terminal, input, { tried: trials.length, findings }, () =>
      [
        ...findings.flatMap((one) => [`${one.request}: ${sentence(one)}`, `  ${one.repeat}`]),
        `${trials.length} tried, ${findings.length} found`,
      ].join('\n'),
    )
    if (findings.length > 0) throw new CommandError(exitCodes.failed, 'the data API is not safe')
  },
})
