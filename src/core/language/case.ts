// Names are camelCase inside, and snake_case in columns and on the wire. The types convert like the functions, so the
// compiler checks a generic mapping field by field.

/** `redirectUris` → `redirect_uris` */
export type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Name

/** `redirect_uris` → `redirectUris` */
export type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** The same fields by their names on the wire; their values stay as they are. */
export type SnakeKeys<Row> = { [Name in keyof Row as Snake<Name & string>]: Row[Name] }

/** The same fields by their names inside; their values stay as they are. */
export type CamelKeys<Json> = { [Name in keyof Json as Camel<Name & string>]: Json[Name] }

export const snakeCase = <Name extends string>(name: Name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Snake<Name>

export const camelCase = <Name extends string>(name: Name) =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>

const renamed = (row: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [rename(name), value]))

/** The same fields by their names on the wire. */
export const snakeKeys = <Row extends object>(row: Row) => renamed(row, snakeCase) as SnakeKeys<Row>

/** The same fields by their names inside. */
export const camelKeys = <Json extends object>(json: Json) =>
  renamed(json, camelCase) as CamelKeys<Json>
