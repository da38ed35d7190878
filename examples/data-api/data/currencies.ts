/** The currencies of amounts, by their ISO 4217 codes. */
export const currencies: readonly string[] =
  'USD GBP EUR AUD BRL CAD CZK DKK HKD HUF ILS INR JPY MYR MXN NZD NOK PHP PLN SGD SEK CHF TWD THB TRY'.split(
    ' ',
  )

export const isCurrency = (code: unknown): code is string => currencies.includes(code as string)
