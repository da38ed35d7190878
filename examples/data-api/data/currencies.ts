const codes = new Set(
  'USD GBP EUR AUD BRL CAD CZK DKK HKD HUF ILS INR JPY MYR MXN NZD NOK PHP PLN SGD SEK CHF TWD THB TRY'.split(
    ' ',
  ),
)

/** A currency of amounts, by its ISO 4217 code. */
export const isCurrency = (code: unknown): code is string =>
  typeof code === 'string' && codes.has(code)
