import assert from 'node:assert/strict'
import { attempt, expectOutcome, race, tooOld } from './attempt.ts'
import { type Drive, pick, pickFamily, urlAt } from './choices.ts'
import type { Day, DayApp } from './day.ts'
import { machineToken, revokeToken } from './requests.ts'
import { machine } from './rules.ts'
import { askOf } from './wishes.ts'

const revoke = async (day: Day, by: DayApp, at: number, text: string, revoked: () => void) => {
  const { status } = await revokeToken(urlAt(day, at), by, text)
  assert.equal(status, by.disabled ? 401 : 200)
  if (!by.disabled) revoked()
}

/** Steps of clients. */
export const tokenSteps: Drive<
  | 'redeem'
  | 'redeem all'
  | 'replay'
  | 'race'
  | 'wrong secret'
  | 'wrong proof'
  | 'steal'
  | 'machine'
  | 'revoke refresh token'
  | 'revoke access token'
> = {
  redeem: async (day, { family: number, wish, mask, at }) => {
    const family = pickFamily(day, number)
    if (!family) return
    const ask = askOf(day, family.app, family, wish, mask)
    await attempt(day, { family, generation: family.live, at, ask })
  },
  'redeem all': async (day, { at }) => {
    for (const family of day.families.filter((one) => !one.ended))
      await attempt(day, { family, generation: family.live, at })
  },
  replay: async (day, { family: number, back, wish, mask, at }) => {
    const family = pickFamily(day, number)
    if (!family || family.live === 0) return
    const ask = askOf(day, family.app, family, wish, mask)
    await attempt(day, { family, generation: back % family.live, at, ask })
  },
  race: async (day, { family: number }) => {
    const family = pickFamily(day, number)
    if (family) await race(day, family)
  },
  'wrong secret': async (day, { family: number, at }) => {
    const family = pickFamily(day, number)
    if (!family) return
    await attempt(day, { family, generation: family.live, at, secret: 'lkcs_wrong' })
  },
  'wrong proof': async (day, { family: number, at }) => {
    const family = pickFamily(day, number)
    if (family?.live !== 0) return
    const more = { redirect_uri: 'https://other.example/cb' }
    await attempt(day, { family, generation: 0, at, more })
  },
  steal: async (day, { family: number, app, at }) => {
    const [family, by] = [pickFamily(day, number), pick(day.apps, app)]
    if (!family || !by || by === family.app) return
    await attempt(day, { family, generation: family.live, at, by })
  },
  machine: async (day, { app: number, wish, mask, at }) => {
    const app = pick(day.apps, number)
    if (app?.interface !== 'current') return
    const ask = askOf(day, app, null, wish, mask)
    const answer = await machineToken(urlAt(day, at), day, app, ask)
    expectOutcome(day, answer, machine(app, true, ask, day.workspaceIds), app, null)
  },

  'revoke refresh token': async (day, { family: number, back, app, at }) => {
    const [family, other] = [pickFamily(day, number), pick(day.apps, app)]
    if (!family || !other || tooOld(family)) return
    // Mostly its own client; sometimes any app.
    const by = back < 5 ? family.app : other
    const text = family.tokens[Math.max(0, family.live - (back % 2))] as string
    await revoke(day, by, at, text, () => {
      if (by === family.app) family.ended = true
    })
  },
  'revoke access token': async (day, { token: number, app, at }) => {
    const [token, by] = [pick(day.accessTokens, number), pick(day.apps, app)]
    if (!token || !by) return
    await revoke(day, by, at, token.text, () => {
      if (by === token.app) token.revoked = true
    })
  },
}
