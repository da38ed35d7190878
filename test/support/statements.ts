/** Commands to a store, parsed from the bytes on their way. */

const readSimple = (buffer: Buffer, at: number) => {
  const end = buffer.indexOf('\r\n', at)
  return end < 0 ? null : { text: buffer.toString('latin1', at, end), next: end + 2 }
}

/** One RESP array of bulk strings: a command with its arguments. */
const readCommand = (buffer: Buffer) => {
  const head = readSimple(buffer, 0)
  if (!head) return null
  const words: string[] = []
  let at = head.next
  for (let i = 0; i < Number(head.text.slice(1)); i++) {
    const size = readSimple(buffer, at)
    if (!size) return null
    const end = size.next + Number(size.text.slice(1))
    if (buffer.length < end + 2) return null
    words.push(buffer.toString('utf8', size.next, end))
    at = end + 2
  }
  return { words, next: at }
}

/** Calls `seen` with each Redis command in lower case. @see https://redis.io/docs/latest/develop/reference/protocol-spec/ */
export const redisCommands = (seen: (name: string) => void) => () => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let one = readCommand(rest); one; one = readCommand(rest)) {
      rest = rest.subarray(one.next)
      seen((one.words[0] ?? '').toLowerCase())
    }
  }
}

/**
 * Calls `seen` for each statement that a Postgres client has executed: Execute (E) or a simple Query (Q).
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export const postgresStatements = (seen: () => void) => () => {
  let rest: Buffer = Buffer.alloc(0)
  let started = false
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = started ? 1 : 0 // The first message has no type.
      if (rest.length < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return
      if (started && 'EQ'.includes(String.fromCharCode(rest[0] as number))) seen()
      started = true
      rest = rest.subarray(end)
    }
  }
}
