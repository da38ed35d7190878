// A spreadsheet takes such a cell for a formula, whoever wrote it. @see https://owasp.org/www-community/attacks/CSV_Injection
const formula = /^[=+\-@\t\r\n]/

const cell = (value: string) => {
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record (RFC 4180 §2); what would be a formula gets an apostrophe before it. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
