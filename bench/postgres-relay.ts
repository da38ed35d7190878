import { connect, createServer } from 'node:net'

/** Where a client of Postgres connects. */
export interface PostgresAddress {
  user: string
  database: string
  /** Folder of the Unix socket. */
  folder: string
  port: number
}

/** Parts of an address with a Unix socket, which has no host. */
export const postgresAddress = (url: string): PostgresAddress => {
  const [, user, database, query] = /^postgres:\/\/([^@]*)@\/([^?]*)\?(.*)$/.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  return {
    user: user ?? '',
    database: database ?? '',
    folder: parameters.get('host') ?? '',
    port: Number(parameters.get('port')),
  }
}

/**
 * Listens on a TCP port of this machine for the packaged Postgres, which listens on a Unix socket only. For clients that
 * know no Unix sockets. Its cost is in this process, neither in the server under test nor in Postgres.
 */
export const relayPostgres = async ({ folder, port }: PostgresAddress) => {
  const server = createServer({ noDelay: true }, (client) => {
    const postgres = connect(`${folder}/.s.PGSQL.${port}`)
    client.pipe(postgres).pipe(client)
    client.once('error', () => postgres.destroy())
    postgres.once('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    stop: () => void server.close(),
  }
}
