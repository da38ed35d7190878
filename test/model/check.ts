import assert from 'node:assert/strict'
import { introspectAt } from '../support/resource-server.ts'
import type { Day, DayAccessToken, DayFamily } from './day.ts'
import { isLive, meaning } from './rules.ts'

const ask = async (day: Day, at: number, token: string) => {
  const { status, body } = await introspectAt(day.running.urls[at % 2] as string, day.server, token)
  assert.equal(status, 200)
  return body
}

const checkAccessToken = async (day: Day, at: number, token: DayAccessToken) => {
  const body = await ask(day, at, token.text)
  const expected = meaning(token, day.workspaceIds)
  if (!expected) {
    assert.deepEqual(body, { active: false }, 'an invalid access token')
    return
  }
  assert.equal(body.active, true, 'a valid access token')
  assert.deepEqual([...body.permissions].sort(), [...expected.permissions].sort())
  const places = token.app.interface === 'current' ? expected.workspaceIds : null
  assert.deepEqual(body.workspace_ids, places)
}

/** Of a family's tokens at most one is live, and it is the model's. */
const checkFamily = async (day: Day, at: number, family: DayFamily, depth: number) => {
  const newest = family.tokens.length - 1
  const generations = family.tokens.map((_, one) => one).filter((one) => newest - one < depth)
  const answers = await Promise.all(
    generations.map((one) => ask(day, at + one, family.tokens[one] as string)),
  )
  const active = generations.filter((_, index) => answers[index].active === true)
  const expected = generations.filter((one) => isLive(family, one))
  assert.deepEqual(active, expected, 'the live generations of a family')
}

/** Every token of that day matches the model on either instance. */
export const checkAll = async (day: Day): Promise<void> => {
  for (const [at, token] of day.accessTokens.entries()) await checkAccessToken(day, at, token)
  for (const [at, family] of day.families.entries()) await checkFamily(day, at, family, 100)
}

/** The same for a changing selection that always includes the newest. */
export const checkSome = async (day: Day, at: number): Promise<void> => {
  const { accessTokens, families } = day
  const older = <Item>(list: Item[], step: number) => list[step % Math.max(1, list.length)]
  const tokens = new Set([
    accessTokens.at(-1),
    older(accessTokens, at),
    older(accessTokens, at * 7),
  ])
  const some = new Set([families.at(-1), older(families, at)])
  await Promise.all([
    ...[...tokens].map((token) => token && checkAccessToken(day, at, token)),
    ...[...some].map((family) => family && checkFamily(day, at, family, 2)),
  ])
}
