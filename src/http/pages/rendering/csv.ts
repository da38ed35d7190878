/** A spreadsheet takes what begins so for a formula; the full-width and small forms are read as the plain ones. */
const starters = '=+\\-@＝＋－＠﹦﹢﹣﹫'

/**
 * Where a spreadsheet may begin a cell: at the start, and behind whatever it takes for a separator, which its locale
 * decides and not we. Quotes keep no other separator from splitting, as they do not stand at the start of that cell.
 * White space, quotes and what cannot be seen may be dropped before a cell is read.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulas = new RegExp(`(^|[,;|\\t\\r\\n])([\\s"\\p{C}\\p{Z}]*)(?=[${starters}])`, 'gu')

const withoutFormulas = (value: string) => {
  const text = value.replaceAll(formulas, "$1$2'")
  return /^[\t\r\n]/.test(text) ? `'${text}` : text
}

const cell = (value: string) => {
  const text = withoutFormulas(value)
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record (RFC 4180 §2); what would be a formula gets an apostrophe before it. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
