import type { DemoAddresses } from './demo.ts'

const indented = (line: string) => `    ${line}`

/** The text with the addresses and sign-ins. */
export const welcome = (demo: DemoAddresses): string => {
  const { issuer, client, dataApi, account, examples, people } = demo
  const width = Math.max(...people.map(({ email }) => email.length))
  return [
    '',
    `  Demo client     ${client}   start here`,
    `  Server          ${issuer}`,
    ...(dataApi === null ? [] : [`  Data API        ${dataApi}`]),
    `  Connected apps  ${account}`,
    `  Documentation   ${issuer}/docs`,
    '',
    '  Sign in as',
    ...people.map(
      ({ email, password, part }) => `    ${email.padEnd(width)}  ${password}   ${part}`,
    ),
    ...(examples.length === 0
      ? []
      : ['', '  Start an example beside it (examples/README.md)', ...examples.map(indented)]),
    '',
    '  Ctrl-C stops everything. The data stays in data/demo. Delete it to start again.',
    '',
  ].join('\n')
}
