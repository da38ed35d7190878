/**
 * A spreadsheet reads a cell that begins with one of these as a formula. It treats full-width and small forms like the
 * plain ones.
 */
const starters = '=+\\-@＝＋－＠﹦﹢﹣﹫'

/**
 * Places where a spreadsheet may begin a cell: at the start of the text and after any separator. The locale of the
 * spreadsheet decides which separator it uses. Quotes do not prevent a split at another separator, because they do not
 * stand at the start of that cell. Spreadsheets may drop white space, quotes and invisible characters before they read
 * a cell. The sign is matched first, so that no character is looked at more than twice.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulas = new RegExp(`(?=[${starters}])(?<=(?:^|[,;|\\t\\r\\n])[\\s"\\p{C}\\p{Z}]*)`, 'gu')

const withoutFormulas = (value: string) => {
  const text = value.replaceAll(formulas, "'")
  return /^[\t\r\n]/.test(text) ? `'${text}` : text
}

const cell = (value: string) => {
  const text = withoutFormulas(value)
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record (RFC 4180 §2). An apostrophe is put before every possible formula. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
