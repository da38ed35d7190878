// Data of the pages for sign-in and sign-out.
import type { Phrase } from '../../../words/phrase.ts'
import type { AppCard, PageFrame, SignedInUser } from './frame.ts'

export type SignInPages = {
  'sign-in': PageFrame & {
    app: AppCard | null
    returnTo: string
    /** The reason to sign in again; empty when there is none. */
    again: string
    email: string
    error: string | null
    /** The field that shows the error; null when it concerns no field. */
    errorField: 'email' | 'password' | null
    /** A hint without an error. */
    notice: string | null
    withPassword: boolean
    /** Link for a user who forgot their password; null when no link can be sent. */
    forgottenUrl: string | null
    /** The platform's OpenID provider. */
    provider: { label: string; href: string } | null
    withPasskey: boolean
  }
  'forgotten-password': PageFrame & {
    action: string
    email: string
    error: string | null
    /** The address of the request; null before it. */
    sentTo: string | null
  }
  'new-password': PageFrame & {
    action: string
    token: string
    heading: Phrase
    label: string
    email: string
    consequence: string | null
    error: string | null
  }
  'password-link-end': PageFrame & {
    heading: string
    message: string
    action: { label: string; href: string }
  }
  'sign-out': PageFrame & { returnTo: string }
  /** An app asks for a sign-out but cannot prove that it concerns this user. */
  'end-session': PageFrame & {
    user: SignedInUser
    /** null when the app is unknown. */
    app: AppCard | null
    action: string
    /** Names and values of the hidden fields. */
    fields: [string, string][]
    /** The next address of the browser; null when it stays here. */
    returns: Phrase | null
  }
  'signed-out': PageFrame & {
    signInUrl: string
    /** Link to sign out at the platform's provider; null when not needed or not possible. */
    providerUrl: string | null
  }
  confirm: PageFrame & {
    user: SignedInUser
    app: AppCard | null
    returnTo: string
    hasPasskey: boolean
    addUrl: string
    /** The form that denies the app's request; null when there is no request. */
    denyAction: string | null
    error: string | null
  }
}
