/** A line of a stream, without its end. */
export interface TextLine {
  /** From 1. */
  number: number
  /** null: longer than allowed, or not UTF-8 */
  text: string | null
}

const lineFeed = 0x0a
const decoder = new TextDecoder('utf-8', { fatal: true })

const decoded = (bytes: Buffer) => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/**
 * The lines of a stream, chunk by chunk. Memory is bounded by the longest line: the rest of a longer one is dropped unread.
 * @param longest bytes
 */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  longest: number,
): AsyncGenerator<TextLine[]> {
  let pending: Buffer[] = []
  let size = 0
  let number = 0
  const end = (): TextLine => {
    const text = size > longest ? null : decoded(Buffer.concat(pending))
    pending = []
    size = 0
    return { number: ++number, text }
  }
  const keep = (part: Buffer) => {
    size += part.length
    if (size > longest) pending = []
    else if (part.length > 0) pending.push(part)
  }
  for await (const chunk of stream) {
    const lines: TextLine[] = []
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      keep(chunk.subarray(from, at))
      lines.push(end())
      from = at + 1
    }
    keep(chunk.subarray(from))
    if (lines.length > 0) yield lines
  }
  if (size > 0) yield [end()]
}
