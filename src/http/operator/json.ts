// What the domain calls `redirectUris` is `redirect_uris` in JSON. A schema is the list of what leaves the server: a
// field of an item that its schema does not name, such as a digest, is never copied.
import type { Static, TObject, TSchema } from 'typebox'
import { type CamelKeys, camelCase, type SnakeKeys } from '../../core/language/case.ts'

/** A schema for each field of a type, by its name in JSON. */
export type FieldSchemas<Item> = Record<keyof SnakeKeys<Item>, TSchema>

/** What is a text in JSON may be a time inside; lists need not be changeable. */
type Inside<Value> = string extends Value
  ? Value | Date
  : Value extends readonly (infer Item)[]
    ? readonly Item[]
    : Value

/** What an item must have to be written as JSON of this type. */
export type Source<Json> = CamelKeys<{ [Name in keyof Json]: Inside<Json[Name]> }>

const written = (value: unknown) => (value instanceof Date ? value.toISOString() : value)

/** @returns writes an item as its schema says */
export const jsonOf = <Schema extends TObject>(schema: Schema) => {
  const names = Object.keys(schema.properties).map((name) => [name, camelCase(name)] as const)
  return (item: Source<Static<Schema>>) =>
    Object.fromEntries(
      names.map(([name, field]) => [name, written(item[field as keyof typeof item])]),
    ) as Static<Schema>
}
