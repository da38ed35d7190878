// The consent page as an app would have it, for its maker and the operator, while they fill in a form. It is the page of a
// request with an example organization, in a frame in which no form is sent and no link is followed.
import type { Membership } from '../../core/authorization/consent-steps.ts'
import type { AuthorizationRequest } from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import { type AppSettings, defaultSettings } from '../../core/clients/app-settings.ts'
import { legalLinkFaults, linkFaults } from '../../core/clients/link.ts'
import { redirectUriFault } from '../../core/clients/redirect-uri.ts'
import { withOneLogo } from '../../core/clients/uploaded-logo.ts'
import { camelKeys } from '../../core/language/case.ts'
import { nameFaults } from '../../core/language/display-text.ts'
import { isLanguage, languageNames, languages } from '../../core/language/languages.ts'
import { type Text, textIn } from '../../words/text.ts'
import { withRequirements } from '../rendering/fields/required-permissions.ts'
import type { Body } from '../rendering/forms/form-field.ts'
import type { FormPreview } from '../rendering/forms/form-page.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { sentLogoPath } from '../rendering/logos.ts'
import type { Block } from '../rendering/view-models/blocks.ts'
import type { UserVisit } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'
import { consentPage } from './decision-pages.ts'

/** What a form does not ask: the settings of a stored app, or the interface of a new one. */
export type KnownSettings = Partial<AppSettings> &
  Pick<AppSettings, 'interface'> & { clientId?: string }

const widths = { narrow: 360, tablet: 768, wide: 1280 } // CSS pixels
const height = 820 // CSS pixels
const example = 'https://example.com/'

const choicesOf = (text: Text): FormPreview['choices'] => [
  {
    ...{ name: 'preview_language', kind: 'select', label: text.preview.language },
    values: [text.language.code],
    options: languages.map((value) => ({ value, label: languageNames[value] })),
  },
  {
    ...{ name: 'preview_width', kind: 'select', label: text.preview.width },
    values: ['narrow'],
    options: Object.entries(widths).map(([value, width]) => ({
      value,
      label: text.preview.pixels(width),
    })),
  },
]

/** The settings with what breaks a rule left out, so that a form with faults has a preview too. */
const drawable = (text: Text, app: AppSettings): AppSettings => {
  const link = (uri: string | null) => (linkFaults('', uri).length > 0 ? null : uri)
  const legal = (uri: string | null) => (legalLinkFaults('', uri).length > 0 ? null : uri)
  const isWhole = (uri: string) => redirectUriFault(uri, app.clientType) === null
  const [first = example] = app.redirectUris.filter(isWhole)
  return {
    ...app,
    name: nameFaults('/name', app.name).length > 0 ? text.preview.app : app.name,
    redirectUris: [first],
    homepageUri: link(app.homepageUri),
    location: link(app.location),
    policyUri: legal(app.policyUri),
    tosUri: legal(app.tosUri),
  }
}

const draftOf = (text: Text, known: KnownSettings, sent: Body): AppSettings => {
  const { needs: _, permission_reasons: lines, optional_permissions: chosen, ...plain } = sent
  const made = withRequirements(text, sent)
  const body = 'body' in made ? made.body : plain
  const typed: Partial<AppSettings> = camelKeys(body)
  const required = { name: '', clientType: 'confidential', redirectUris: [], permissions: [] }
  const app = { ...defaultSettings, ...required, ...known, ...typed } as AppSettings
  return drawable(text, withOneLogo({ ...defaultSettings, ...known }, app))
}

/** A request that nobody has made. No page leads to it. */
const requestOf = (app: App): AuthorizationRequest => ({
  ...{ id: '', browser: '', createdAt: 0, organizationId: null, answer: null },
  ...{ interface: app.interface, clientId: app.clientId, redirectUri: app.redirectUris[0] ?? '' },
  ...{ responseType: 'code', state: null, permissions: null, workspaceIds: null, prompts: [] },
  ...{ organizationHint: null, loginHint: null, codeChallenge: null, webMessage: null },
})

const stepOf = ({ preview }: Text, app: App, now: number) => {
  const install = {
    ...{ id: '', permissions: app.permissions, workspaceIds: null, suspended: false, self: false },
    ...{ approvedBy: preview.admin, createdAt: new Date(now) },
  }
  const membership: Membership & { install: typeof install } = {
    ...{ organizationId: '', organizationName: preview.organization, role: 'member', install },
    ...{ requestedAt: null, refusedAt: null, refusalReason: null, withdrawnAt: null },
    ...{ expiredAt: null, consent: null },
    ...{ usualEnd: { expiresDays: null, idleDays: null }, installExpiresAt: null },
    ...{ consentEnd: null, hostDays: null },
  }
  const workspaces = preview.workspaces.map((name) => ({ id: name, name, isMember: true }))
  return {
    ...{ kind: 'consent' as const, membership, offered: app.permissions, withheld: [] },
    ...{ resources: null, before: null, canSwitch: false, reach: [], workspaces },
    openidScopes: app.openid ? (['openid', 'profile', 'email'] as const).slice() : [],
    workspaceTotal: workspaces.length,
  }
}

/** The part of a form that shows the consent page of the app that it would make. */
export const consentPreview = (deps: PageServices, visit: UserVisit, known: KnownSettings) => {
  const { logos, renderer, now } = deps
  const { request, reply, session } = visit

  const appOf = async (text: Text, sent: Body): Promise<App> => {
    const draft = draftOf(text, known, sent)
    const { uploadedLogo, logoUri } = draft
    const isFetched = logoUri !== null && logoUri === known.logoUri && known.clientId !== undefined
    const fetched = isFetched ? (await logos.stateOf(known.clientId ?? '')).digest : null
    const uploaded = sentLogoPath(uploadedLogo ?? '') && uploadedLogo
    return {
      ...draft,
      ...{ clientId: known.clientId ?? '', familiesEpoch: 0, logoDigest: uploaded ?? fetched },
      admitted: false,
    }
  }

  const show = async (sent: Body): Promise<Block> => {
    const language = field(request, 'preview_language')
    const text = isLanguage(language) ? textIn(language) : visit.text
    const app = await appOf(text, sent)
    const pending = requestOf(app)
    const seen = { ...deps, ...visit, text, pending, app }
    const [{ title }, own] = consentPage(seen, stepOf(text, app, now()))
    const still = { ...own, sentenceUrl: null }
    const html = await renderer.preview(request, reply, 'consent', { title, session, text }, still)
    const width = widths[field(request, 'preview_width') as keyof typeof widths] ?? widths.narrow
    const { preview } = visit.text
    return {
      ...{ kind: 'preview', heading: preview.heading, hint: preview.hint, html, width, height },
      notes: app.logoUri !== null && app.logoDigest === null ? [preview.logoLater] : [],
    }
  }

  return { submit: visit.text.preview.submit, choices: choicesOf(visit.text), show }
}
