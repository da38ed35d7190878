import type { DemoAddresses } from './demo.ts'

const indented = (line: string) => `    ${line}`

const placesOf = ({ directory, databaseElsewhere }: DemoAddresses) =>
  databaseElsewhere === null
    ? [`  The data stays in ${directory}. Delete it to start again.`]
    : [
        `  The data stays in ${directory}. Its database is in ${databaseElsewhere}, because the`,
        `  account of Postgres (never root) cannot reach ${directory}. Delete both to start again.`,
      ]

/** The text with the addresses and sign-ins. */
export const welcome = (demo: DemoAddresses): string => {
  const { issuer, client, dataApi, mcpServer, account, appEnv, examples, people } = demo
  const width = Math.max(...people.map(({ email }) => email.length))
  return [
    '',
    `  Demo client     ${client}   start here`,
    `  Server          ${issuer}`,
    ...(dataApi === null
      ? []
      : [
          `  Data API        ${dataApi}`,
          `  Playground      ${new URL('/playground', dataApi)}   for queries to it`,
        ]),
    ...(mcpServer === null
      ? []
      : [
          `  MCP server      ${mcpServer.url}   for AI clients, with the client id ${mcpServer.clientId}`,
        ]),
    `  Connected apps  ${account}`,
    `  Console         ${demo.console}   for the operator`,
    `  Documentation   ${issuer}/docs`,
    '',
    '  Sign in as',
    ...people.map(
      ({ email, password, part }) => `    ${email.padEnd(width)}  ${password}   ${part}`,
    ),
    '',
    '  Run the samples of the documentation in another terminal, after',
    indented(`. ${appEnv}`),
    ...(examples.length === 0
      ? []
      : ['', '  Start an example beside it (examples/README.md)', ...examples.map(indented)]),
    '',
    '  Ctrl-C stops everything.',
    ...placesOf(demo),
    '',
  ].join('\n')
}
