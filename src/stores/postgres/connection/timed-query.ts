import pg from 'pg'

/** What node-postgres calls on a query; its types know only the first. */
interface Submitted {
  submit(connection: pg.Connection): Error | null | undefined
  handleError(error: Error, connection: pg.Connection): void
  handleReadyForQuery(connection: pg.Connection): void
  callback: ((error: Error | null, result?: pg.QueryResult) => void) | undefined
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig) => Submitted

const giveUp = (query: TimedQuery) => query.giveUp()
const nobody = () => undefined

/**
 * A query that is given up when no answer comes. `query_timeout` of node-postgres does the same with closures that V8
 * allocates among what is old (decision 0042): at each query it would leave garbage that only a collection of the
 * whole heap takes away.
 */
class TimedQuery extends Query {
  readonly #timeout: number
  #timer: NodeJS.Timeout | undefined

  /** @param timeout milliseconds, from when it has a connection */
  constructor(config: pg.QueryConfig, timeout: number) {
    super(config)
    this.#timeout = timeout
  }

  /** It has a connection, on which others may be before it. */
  begin() {
    this.#timer ??= setTimeout(giveUp, this.#timeout, this)
  }

  override submit(connection: pg.Connection) {
    this.begin()
    return super.submit(connection)
  }

  override handleError(error: Error, connection: pg.Connection) {
    clearTimeout(this.#timer)
    super.handleError(error, connection)
  }

  override handleReadyForQuery(connection: pg.Connection) {
    clearTimeout(this.#timer)
    super.handleReadyForQuery(connection)
  }

  /** Whoever waits is told, and lets go of the connection as a broken one; what is heard of it later is dropped. */
  giveUp() {
    const { callback = nobody } = this
    this.callback = nobody
    callback(new Error('Query read timeout'))
  }
}

/**
 * Sends one query.
 * @param timeout milliseconds; the connection of a query that got no answer must not be used again
 */
export const ask = <Row extends object>(
  on: pg.Pool | pg.PoolClient,
  config: pg.QueryConfig,
  timeout: number,
): Promise<pg.QueryResult<Row>> => {
  const query = new TimedQuery(config, timeout)
  if (on instanceof pg.Pool) return on.query(query as never) as Promise<pg.QueryResult<Row>>
  query.begin()
  const answer = new Promise<pg.QueryResult<Row>>((resolve, reject) => {
    const settle = (error: Error | null, result: pg.QueryResult<Row>) =>
      error ? reject(error) : resolve(result)
    void on.query(query as never, settle as never)
  })
  return answer.catch((error) => {
    // Of the caller's way here: the error's own one begins where the answer was read. The pool does the same.
    Error.captureStackTrace(error)
    throw error
  })
}
