import type { DemoAddresses } from './demo.ts'

const indented = (line: string) => `    ${line}`

/** What a person needs to begin. */
export const welcome = (demo: DemoAddresses): string => {
  const { issuer, client, dataApi, account, examples, people } = demo
  const width = Math.max(...people.map(({ email }) => email.length))
  return [
    '',
    `  Demo client     ${client}   begin here`,
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
    '  Ctrl-C stops everything. The data stays in data/demo; delete it to begin anew.',
    '',
  ].join('\n')
}
