import assert from 'node:assert/strict'
import { pageKind } from '../support/visitor.ts'
import { type Drive, part, pick } from './choices.ts'
import type { DayFamily } from './day.ts'
import { askForConsent, consent, disconnect } from './requests.ts'
import { approvedNow, isDead, type ModelFamily } from './rules.ts'

/** Steps of users in their browsers. */
export const personSteps: Drive<'authorize' | 'disconnect'> = {
  authorize: async (day, step) => {
    const [user, app] = [pick(day.users, step.user), pick(day.apps, step.app)]
    if (!user || !app) return
    const { page, verifier } = await askForConsent(day, user, app)
    const { install } = app
    const may = !user.disabled && user.member && !app.disabled && install && !install.suspended
    assert.equal(pageKind(page) === 'decide', Boolean(may), 'a consent page, if allowed')
    assert.equal(page.left, null, 'no response without one')
    if (!may) return
    const offered = approvedNow(
      app,
      install,
      { ...({} as ModelFamily), user, permissions: app.permissions, workspaceIds: null },
      day.workspaceIds,
    )
    const permissions = part(offered.permissions, step.mask)
    const places = part(offered.workspaceIds, step.mask >> 5)
    const workspaceIds = places.length > 0 ? places : offered.workspaceIds.slice(0, 1)
    const code = await consent(user, page, { permissions, workspaceIds })
    assert.ok(code, 'a code')
    const isLimited = workspaceIds.length < offered.workspaceIds.length
    day.families.push({
      app,
      user,
      install,
      permissions,
      workspaceIds: isLimited ? workspaceIds : null,
      live: 0,
      ended: false,
      since: Date.now(),
      tokens: [code],
      verifier,
    })
  },

  disconnect: async (day, { user: number, app: which }) => {
    const [user, app] = [pick(day.users, number), pick(day.apps, which)]
    if (!user || !app) return
    const isOfBoth = (family: DayFamily) => family.user === user && family.app === app
    const isConnected = day.families.some((one) => isOfBoth(one) && !isDead(one)) && !app.disabled
    const isDone = await disconnect(day, user, app)
    assert.ok(isDone || !isConnected, 'a connected app can be disconnected')
    if (!isDone) return
    assert.ok(!user.disabled && user.member, 'only a member can disconnect')
    for (const family of day.families) if (isOfBoth(family)) family.ended = true
  },
}
