// What a change of an app would change, and whom it concerns.
import { type Static, Type } from 'typebox'

const counted = (what: string) =>
  Type.Optional(Type.Integer({ description: `${what} Only where one is read.` }))

/** Whom a change of an app concerns. */
export const reachFields = {
  organizations: counted('Organizations in which the app is installed.'),
  people: counted('People who use it there.'),
}

const anyValue = Type.Unsafe<unknown>({ description: 'null: none.' })

/** A setting of an app that a change or a document would change. */
export const settingChange = Type.Object({
  field: Type.String(),
  before: anyValue,
  after: anyValue,
})
export type SettingChangeJson = Static<typeof settingChange>
