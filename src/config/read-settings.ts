/** The part of a setting's schema that limits its value. */
interface SettingSchema {
  type?: string
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  default?: unknown
}

/** @returns the value, or what is wrong with the text */
type Reading = { value: unknown } | { fault: string }

const readWhole = (text: string, { minimum, maximum }: SettingSchema): Reading => {
  const value = Number(text)
  if (!Number.isInteger(value)) return { fault: 'must be integer' }
  if (minimum !== undefined && value < minimum) return { fault: `must be >= ${minimum}` }
  if (maximum !== undefined && value > maximum) return { fault: `must be <= ${maximum}` }
  return { value }
}

const readText = (text: string, schema: SettingSchema): Reading => {
  if (schema.enum)
    return schema.enum.includes(text)
      ? { value: text }
      : { fault: `must be one of ${schema.enum.join(', ')}` }
  if (schema.type === 'integer') return readWhole(text, schema)
  if (schema.type !== 'boolean') return { value: text }
  return text === 'true' || text === 'false'
    ? { value: text === 'true' }
    : { fault: 'must be boolean' }
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
      const reading = text ? readText(text, schema) : { value: schema.default }
      if ('value' in reading) return [name, reading.value]
      faults.push(`${name} ${reading.fault}`)
      return [name, schema.default]
    }),
  )
