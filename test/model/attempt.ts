import assert from 'node:assert/strict'
import type { TokenResponse } from '../support/flows.ts'
import { urlAt } from './choices.ts'
import type { Day, DayApp, DayFamily } from './day.ts'
import { presentToken } from './requests.ts'
import { type Ask, type ModelFamily, type Outcome, present } from './rules.ts'
import { everything } from './wishes.ts'

/** Codes and retry windows expire after a minute; those that are nearly that old are skipped. */
const almostAMinute = 45_000

/** The response must match the model, and its new tokens are stored. */
export const expectOutcome = (
  day: Day,
  answer: TokenResponse,
  outcome: Outcome,
  app: DayApp,
  family: DayFamily | null,
) => {
  const { status, body } = answer
  if (outcome.kind === 'refused') {
    assert.deepEqual(
      { status, error: body.error },
      { status: outcome.status, error: outcome.error },
    )
    assert.equal('access_token' in body, false)
    return
  }
  const { reach, generation } = outcome
  assert.equal(status, 200, JSON.stringify(body))
  const words = String(body.scope).split(' ').filter(Boolean)
  assert.deepEqual([...words].sort(), [...reach.permissions].sort())
  if (app.interface === 'current') assert.deepEqual(body.workspace_ids, reach.workspaceIds)
  assert.equal(body.organization_id, day.organizationId)
  if (family) {
    assert.equal(typeof body.refresh_token, 'string')
    const known = family.tokens[generation]
    if (known === undefined) {
      assert.equal(family.tokens.includes(body.refresh_token), false, 'a new refresh token')
      family.tokens[generation] = body.refresh_token
    } else assert.equal(body.refresh_token, known, 'the same successor')
  } else assert.equal('refresh_token' in body, false)
  const install = (family ? family.install : app.install) as NonNullable<DayApp['install']>
  day.accessTokens.push({
    family,
    app,
    install,
    epoch: app.epoch,
    ...reach,
    revoked: false,
    text: body.access_token,
  })
}

interface Attempt {
  family: DayFamily
  generation: number
  at: number
  by?: DayApp
  secret?: string
  ask?: Ask
  /** Makes the proof wrong. */
  more?: Record<string, string>
}

export const tooOld = ({ live, since, app, ended }: ModelFamily) =>
  !ended && (live === 0 || app.retryWindow > 0) && Date.now() > since + almostAMinute

/** Presents a token as this attempt says, and compares the response with the model. */
export const attempt = async (day: Day, attempt: Attempt): Promise<void> => {
  const { family, generation, at, ask = everything, more } = attempt
  const by = attempt.by ?? family.app
  if (tooOld(family)) return
  const credentials =
    attempt.secret === undefined
      ? by.credentials
      : { ...by.credentials, client_secret: attempt.secret }
  const now = Date.now()
  const answer = await presentToken(
    urlAt(day, at),
    family,
    generation,
    { app: by, credentials },
    ask,
    more,
  )
  const outcome = present(
    family,
    {
      generation,
      by,
      authentic: attempt.secret === undefined,
      proven: more === undefined,
      ask,
      now,
    },
    day.workspaceIds,
  )
  expectOutcome(day, answer, outcome, by, family)
}

/**
 * One token at four instances at once: one succeeds, or with a retry window all get the same;
 * otherwise the family is revoked.
 */
export const race = async (day: Day, family: DayFamily) => {
  if (tooOld(family)) return
  const { app, live: generation } = family
  const by = { app, credentials: app.credentials }
  const answers = await Promise.all(
    [0, 1, 0, 1].map((at) => presentToken(urlAt(day, at), family, generation, by, everything)),
  )
  const won = answers.filter(({ status }) => status === 200)
  const ordered = [...won, ...answers.filter(({ status }) => status !== 200)]
  for (const answer of ordered) {
    const presentation = { generation, by: app, authentic: true, proven: true, ask: everything }
    const outcome = present(family, { ...presentation, now: Date.now() }, day.workspaceIds)
    expectOutcome(day, answer, outcome, app, family)
  }
}
