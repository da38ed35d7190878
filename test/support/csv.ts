/**
 * Reads CSV by RFC 4180: CRLF between records, doubled quotes within quotes. @throws Error for
 * anything else
 */
export const parseCsv = (text: string): string[][] => {
  const records: string[][] = []
  let at = 0
  const readCell = (): string => {
    if (text[at] !== '"') {
      const end = text.slice(at).search(/[,\r\n"]/)
      const cell = end < 0 ? text.slice(at) : text.slice(at, at + end)
      at += cell.length
      return cell
    }
    let cell = ''
    for (at++; ; at++) {
      if (at >= text.length) throw new Error('a quote does not end')
      if (text[at] !== '"') cell += text[at]
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else break
    }
    at++
    return cell
  }
  while (at < text.length) {
    const record = [readCell()]
    while (text[at] === ',') {
      at++
      record.push(readCell())
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`a record does not end at ${at}`)
    at += 2
    records.push(record)
  }
  return records
}
