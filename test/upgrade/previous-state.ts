/** What users, apps and operators hold of a server of an earlier version: previous-state.json, beside the dump. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answers } from '../support/visitor.ts'
import type { TestApp } from '../support/world.ts'

export interface PreviousState {
  /** The commit whose server made it. */
  commit: string
  /** When it was made, as milliseconds since 1970. */
  madeAt: number
  issuer: string
  organization: string
  ana: Answers & { id: string }
  kim: Answers & { id: string }
  confidential: TestApp
  legacy: TestApp
  resourceServer: { authorization: string }
  operatorToken: string
  current: { access_token: string; refresh_token: string }
  /** A family of Kim, with a refresh token that was already used. */
  rotated: { used: string; newest: string }
  install: { access_token: string }
  legacyTokens: { access_token: string; refresh_token: string }
  keySets: Record<'current' | 'legacy', { id: string; client_id: string; secret: string }>
  /** The cookies of Ana's browser. */
  cookies: [name: string, value: string][]
}

export const dumpFile = join(import.meta.dirname, 'previous-state.sql')
export const stateFile = join(import.meta.dirname, 'previous-state.json')

export const readState = (): PreviousState => JSON.parse(readFileSync(stateFile, 'utf8'))
/** @returns SQL without the commands of psql */
export const readDump = (): string =>
  readFileSync(dumpFile, 'utf8').replace(/^\\(?:un)?restrict .*$/gm, '')
