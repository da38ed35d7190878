const read = [
  'authorization',
  'dpop',
  'x-original-method',
  'x-original-uri',
  'x-forwarded-method',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-uri',
] as const

export type ReadHeader = (typeof read)[number]

/** The headers that a check reads, each with all its values: Node keeps one of several, and an attacker sends two. */
export type SentHeaders = Partial<Record<ReadHeader, string[]>>

const known = new Map<string, ReadHeader>(read.map((name) => [name, name]))

/** @param rawHeaders alternating names and values, as they were sent */
export const sentHeaders = (rawHeaders: readonly string[]): SentHeaders => {
  const sent: SentHeaders = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = known.get((rawHeaders[at] as string).toLowerCase())
    if (name === undefined) continue
    const values = sent[name] ?? []
    values.push(rawHeaders[at + 1] as string)
    sent[name] = values
  }
  return sent
}
