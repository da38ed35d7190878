import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyToken,
  newVerifier,
  post,
  refresh,
  type TokenResponse,
} from '../support/flows.ts'
import { formFields, pageKind, type VisitedPage } from '../support/visitor.ts'
import type { TestApp } from '../support/world.ts'
import type { Day, DayApp, DayFamily, DayUser } from './day.ts'
import type { Ask } from './rules.ts'

const wordsOf = (list: string[] | null) => (list === null ? undefined : list.join(' '))
const fieldsOf = (ask: Ask) => ({
  scope: wordsOf(ask.permissions),
  workspace_ids: wordsOf(ask.workspaceIds),
})

/** Presents a code or refresh token with these credentials at one instance. */
export const presentToken = (
  url: string,
  family: DayFamily,
  generation: number,
  by: { app: DayApp; credentials: TestApp },
  ask: Ask,
  more: Record<string, string> = {},
): Promise<TokenResponse> => {
  const token = family.tokens[generation] as string
  const { verifier } = family
  const redirect = { redirect_uri: family.app.credentials.redirect_uri }
  const fields = { ...fieldsOf(ask), ...more }
  if (by.app.interface === 'current') {
    return generation === 0
      ? exchangeCode(url, by.credentials, { code: token, verifier }, { ...redirect, ...fields })
      : refresh(url, by.credentials, token, fields)
  }
  return generation === 0
    ? legacyToken(url, by.credentials, { grant_type: 'authorization_code', code: token, ...fields })
    : legacyToken(url, by.credentials, {
        grant_type: 'refresh_token',
        refresh_token: token,
        ...fields,
      })
}

export const machineToken = (url: string, day: Day, app: DayApp, ask: Ask) =>
  clientCredentials(url, app.credentials, day.organizationId, fieldsOf(ask))

export const revokeToken = (url: string, app: DayApp, token: string) =>
  post(`${url}/api/oauth/revoke`, {
    token,
    client_id: app.credentials.client_id,
    client_secret: app.credentials.client_secret,
  })

const authorizationUrl = (day: Day, app: DayApp, verifier: string) => {
  const { issuer } = day.running
  const preselected = { organization_id: day.organizationId }
  return app.interface === 'current'
    ? authorizeUrl(issuer, app.credentials, {
        ...preselected,
        code_challenge: challengeOf(verifier),
        prompt: 'consent',
      })
    : legacyAuthorizeUrl(issuer, app.credentials, { ...preselected, force_prompt: 'true' })
}

/** Goes to the app's consent page, signing in on the way if needed and possible. */
export const askForConsent = async (day: Day, user: DayUser, app: DayApp) => {
  const verifier = newVerifier()
  const url = authorizationUrl(day, app, verifier)
  const { email, password } = user.answers
  const first = await user.visitor.get(url)
  const mustSignIn = pageKind(first) === 'sign-in' && !user.disabled
  const page = mustSignIn ? await user.visitor.submit(first, { email, password }) : first
  return { page, verifier }
}

export const consent = async (
  user: DayUser,
  page: VisitedPage,
  ticks: { permissions: string[]; workspaceIds: string[] },
): Promise<string | null> => {
  const after = await user.visitor.submit(page, {
    decision: 'approve',
    permissions: ticks.permissions,
    workspace_ids: ticks.workspaceIds,
  })
  return after.left?.searchParams.get('code') ?? null
}

/** Clicks the app's button on the page of connected apps. @returns false if there is none */
export const disconnect = async (day: Day, user: DayUser, app: DayApp): Promise<boolean> => {
  const page = await user.visitor.get('/account/apps')
  for (const form of page.dom.querySelectorAll('main form')) {
    const fields = Object.fromEntries(formFields(form))
    const isIts =
      fields.client_id === app.credentials.client_id &&
      fields.organization_id === day.organizationId
    if (!isIts) continue
    const body = new URLSearchParams({ ...fields, decision: 'disconnect' })
    const answer = await user.visitor.fetch(new URL('/account/apps', page.url), {
      method: 'POST',
      body,
    })
    return answer.status === 303
  }
  return false
}
