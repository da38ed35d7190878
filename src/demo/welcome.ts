import type { DemoAddresses } from './demo.ts'

/** What a person needs to begin. */
export const welcome = ({ issuer, client, dataApi, account, people }: DemoAddresses): string => {
  const width = Math.max(...people.map(({ email }) => email.length))
  return [
    '',
    `  Demo client     ${client}   begin here`,
    `  Server          ${issuer}`,
    ...(dataApi === null ? [] : [`  Data API        ${dataApi}`]),
    `  Connected apps  ${account}`,
    '',
    '  Sign in as',
    ...people.map(
      ({ email, password, part }) => `    ${email.padEnd(width)}  ${password}   ${part}`,
    ),
    '',
    '  Ctrl-C stops everything. The data stays in data/demo; delete it to begin anew.',
    '',
  ].join('\n')
}
