// Types of settings. The description of each setting becomes its text in docs/configuration.md (`npm run docs:configuration`).
import { type Static, type TObject, type TProperties, Type } from 'typebox'

/** The values of a group of settings. */
export type SettingValues<Settings extends TProperties> = Static<TObject<Settings>>

type Bounds = Record<'default' | 'minimum' | 'maximum', number>

/** @param description one or two sentences in Markdown, with links as they work in `docs/` */
export const text = (description: string, fallback = '') =>
  Type.String({ description, default: fallback })

export const flag = (description: string, fallback: boolean) =>
  Type.Boolean({ description, default: fallback })

export const whole = (description: string, bounds: Bounds) =>
  Type.Integer({ description, ...bounds })

export const port = (description: string, fallback: number) =>
  whole(description, { default: fallback, minimum: 0, maximum: 65_535 })

export const count = (description: string, fallback: number) =>
  whole(description, { default: fallback, minimum: 1, maximum: 1_000_000 })

/** A count for which 0 has a meaning of its own. */
export const countOrZero = (description: string) =>
  whole(description, { default: 0, minimum: 0, maximum: 10_000_000 })

export const days = (description: string, fallback: number, minimum: number) =>
  whole(description, { default: fallback, minimum, maximum: 36_500 })

export const choice = <const Names extends string[]>(
  description: string,
  names: [...Names],
  fallback: Names[number],
) => Type.Enum(names, { description, default: fallback })
