export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A NumericDate as Latchkey writes it: whole seconds since 1970 (RFC 7519 §2). */
export const isSeconds = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0

/** Counts the strings that are followed by a colon, at any depth. */
const namesWritten = (text: string) => {
  const strings = text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/g)
  return [...strings].filter(([, colon]) => colon !== undefined).length
}

/** The same, when no white space follows a quote. Counts too many when a string contains `":`. */
const nameEnds = (text: string) => {
  let count = 0
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) count++
  return count
}

const namesRead = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  let count = Array.isArray(value) ? 0 : Object.keys(value).length
  for (const one of Object.values(value)) count += namesRead(one)
  return count
}

/** True when an object repeats a name: parsers differ in which value they use (RFC 8725 §2.4). */
const hasTwins = (text: string, value: unknown) => {
  const read = namesRead(value)
  // Every read name was written, so the quick count is right when both numbers are equal.
  const isSurelyWhole = !/"\s/.test(text) && nameEnds(text) === read
  return !isSurelyWhole && namesWritten(text) !== read
}

/** Reads a JSON object; null for anything else. */
export const parseObject = (text: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Reads a JSON object from an untrusted source; also null when an object repeats a name. */
export const parseStrictObject = (text: string): JsonObject | null => {
  const value = parseObject(text)
  try {
    return value && !hasTwins(text, value) ? value : null
  } catch {
    return null // too deep
  }
}
