// What the operator decides: the organization of each person, and the counterpart of each scope.
import { readFile } from 'node:fs/promises'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { ownNamePattern } from '../../core/language/permission-catalogue.ts'
import { vocabulary } from '../../core/language/permissions.ts'
import type { Input } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { jsonFile } from '../setting.ts'
import type { Terminal } from '../terminal.ts'

type Place = Record<'organization' | 'role', string>

export const scopeMap = jsonFile(
  'scope-map <file.json>',
  'counterparts of scopes: {"old":["new"]}; [] for a scope that needs none',
)

const permission = new RegExp(ownNamePattern)

/** A record of RFC 4180 without line breaks in its cells; null: it is malformed. */
const cellsOf = (line: string): string[] | null => {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)]
  const length = cells.reduce((sum, [all]) => sum + all.length, 0)
  const texts = cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
  return length === line.length ? texts.map((text) => text.trim()) : null
}

/** @throws CommandError for a file without the columns, and for a malformed line */
const readPlaces = async (path: string) => {
  const wrong = (what: string) => usageError(`--organizations: ${what}`)
  const text = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    throw wrong(`the file cannot be read (${error.code})`)
  })
  const [names = [], ...records] = text
    .replace(/^\u{feff}/u, '')
    .split(/\r?\n/)
    .map(cellsOf)
  if (!names?.includes('user') || !names.includes('organization'))
    throw wrong('the first line must name the columns user,organization')
  const places = new Map<string, Place>()
  const others: [string, string][] = []
  for (const [at, cells] of records.entries()) {
    if (cells?.length === 1 && cells[0] === '') continue
    const cell = (name: string) => cells?.[names.indexOf(name)] ?? ''
    const [person, organization, role] = [cell('user'), cell('organization'), cell('role')]
    const isRole = ['', 'member', 'admin'].includes(role)
    if (cells?.length !== names.length || !person || !isIdShaped(organization) || !isRole)
      throw wrong(`line ${at + 2} is malformed`)
    const first = places.get(person)
    if (!first) places.set(person, { organization, role: role || 'member' })
    else if (first.organization !== organization) others.push([person, organization])
  }
  return { places, others }
}

/** @throws CommandError for a file of another form */
const readScopes = async (input: Input, terminal: Terminal): Promise<Map<string, string[]>> => {
  const json = (await scopeMap.read(input, terminal)) ?? {}
  const isList = (list: unknown) =>
    Array.isArray(list) && list.every((one) => typeof one === 'string' && permission.test(one))
  if (json === null || Array.isArray(json) || !Object.values(json).every(isList))
    throw usageError('--scope-map: the file must be {"old":["new"]}')
  return new Map(Object.entries(json))
}

/** @throws CommandError for wrong options and files */
export const readChoices = async (input: Input, terminal: Terminal) => {
  const generation = input.choice('interface', ['current', 'legacy']) ?? 'current'
  const [one, file] = [input.text('organization'), input.text('organizations')]
  if ((one === undefined) === (file === undefined))
    throw usageError('give --organization or --organizations')
  if (one !== undefined && !isIdShaped(one)) throw usageError('--organization must be an id')
  const all = one && { organization: one, role: 'member' }
  const none = { places: new Map<string, Place>(), others: [] }
  const { places, others } = file ? await readPlaces(file) : none
  const scopes = await readScopes(input, terminal)
  // Each grant of a person has a refresh token.
  for (const scope of ['offline_access', ...vocabulary[generation]])
    if (!scopes.has(scope)) scopes.set(scope, scope === 'offline_access' ? [] : [scope])
  return {
    generation,
    /** Absent: the person is in no organization. */
    placeOf: (person: string): Place | undefined => all || places.get(person),
    organizations: new Set([...(all ? [all] : places.values())].map((place) => place.organization)),
    /** Further organizations of people, which are lost. */
    others,
    /** Absent: the scope has no counterpart. */
    counterpartOf: (scope: string) => scopes.get(scope),
  }
}

export type Choices = Awaited<ReturnType<typeof readChoices>>
