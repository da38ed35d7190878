/** The part of a setting's schema that limits its value. */
interface SettingSchema {
  type?: string
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  default?: unknown
}

/** What is wrong with the text; null: nothing. */
const faultIn = (text: string, { type, enum: words, minimum, maximum }: SettingSchema) => {
  if (words) return words.includes(text) ? null : `must be one of ${words.join(', ')}`
  if (type === 'boolean') return text === 'true' || text === 'false' ? null : 'must be boolean'
  if (type !== 'integer') return null
  const value = Number(text)
  if (!Number.isInteger(value)) return 'must be integer'
  if (minimum !== undefined && value < minimum) return `must be >= ${minimum}`
  return maximum !== undefined && value > maximum ? `must be <= ${maximum}` : null
}

const valueIn = (text: string, { type }: SettingSchema) => {
  if (type === 'integer') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}

/**
 * Reads settings from variables by the schemas of setting.ts. A variable that is missing, empty or wrong gives the
 * default. No validator is compiled for this: that would take a tenth of the start.
 * @param faults receives one line for each wrong variable
 */
export const readSettings = (
  schemas: Readonly<Record<string, SettingSchema>>,
  source: NodeJS.ProcessEnv,
  faults: string[],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const text = source[name]
      const fault = text ? faultIn(text, schema) : null
      if (fault) faults.push(`${name} ${fault}`)
      return [name, text && !fault ? valueIn(text, schema) : schema.default]
    }),
  )
