import pg from 'pg'

/** The methods that node-postgres calls on a query; its types declare only the first. */
interface Submitted {
  submit(connection: pg.Connection): Error | null | undefined
  handleError(error: Error, connection: pg.Connection): void
  handleReadyForQuery(connection: pg.Connection): void
  callback: ((error: Error | null, result?: pg.QueryResult) => void) | undefined
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig) => Submitted

const giveUp = (query: TimedQuery) => query.giveUp()
const ignore = () => undefined

/**
 * A query with a timeout. `query_timeout` of node-postgres uses closures that V8 allocates in old space (decision
 * 0042): each query would leave garbage that only a full collection frees.
 */
class TimedQuery extends Query {
  readonly #timeout: number
  #timer: NodeJS.Timeout | undefined

  /** @param timeout milliseconds from the moment when it has a connection */
  constructor(config: pg.QueryConfig, timeout: number) {
    super(config)
    this.#timeout = timeout
  }

  /** The query has a connection, and may wait for others on it. */
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

  /** Rejects the caller, who discards the connection as broken. A late reply is ignored. */
  giveUp() {
    const { callback = ignore } = this
    this.callback = ignore
    callback(new Error('Query read timeout'))
  }
}

/** Sends one query. @param timeout milliseconds; after a timeout the connection must not be used again */
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
    // Shows the caller's stack: the error's own stack begins where the reply was read. The pool does the same.
    Error.captureStackTrace(error)
    throw error
  })
}
