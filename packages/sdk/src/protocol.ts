// The web-app SDK for browsers. app.ts runs in the app's frame and host.ts on the platform page around it. This file
// defines their messages and those of the authorization server. docs/for-web-apps.md describes them.

/** A new version gets a new script. */
export const version = 1

interface Versioned {
  version: typeof version
}

/** Frame → page, by `postMessage`: asks for a host. */
export interface Hello extends Versioned {
  type: 'latchkey_hello'
  /** Returned in the answer to this hello. */
  nonce: string
}

/** Page → frame, by `postMessage`, with a port. Everything else goes through the port. */
export interface Welcome extends Versioned {
  type: 'latchkey_welcome'
  nonce: string
  /** The app that the page shows in this frame. */
  appId: string
  /** The organization in which the user works; null when not given. */
  organizationId: string | null
}

/** Parameters that the frame adds to an authorization request. */
export interface AuthorizationParameters {
  redirect_uri: string
  state: string
  /** Absent on the legacy interface. */
  code_challenge?: string
  /** The organization of the previous token, when the page has not named one. */
  organization_id?: string
}

export type FrameMessage =
  | { type: 'authorize'; parameters: AuthorizationParameters }
  /** The answer to this request has arrived or is no longer needed. */
  | { type: 'finished'; state: string }

export type PageMessage =
  | { type: 'selection'; ids: string[] }
  | { type: 'filter'; filter: object }
  | { type: 'show_selected'; on: boolean }
  /** The authorization server has not sent an answer. */
  | { type: 'unanswered'; state: string }
  /** The page disconnects from the frame. */
  | { type: 'gone' }

/** Authorization server → page, from the frame in which it answers: asks which frame shows the app. */
export interface RelayRequest extends Versioned {
  type: 'relay_request'
  state: string
}

/** Page → authorization server: the index of the frame in `window.frames`. */
export interface RelayResponse extends Versioned {
  type: 'relay_response'
  state: string
  frame: number
}

/** Authorization server → frame. Only the origin of the redirect URI can read it. */
export interface AuthorizationResponse extends Versioned {
  type: 'authorization_response'
  response: {
    state?: string
    error?: string
    error_description?: string
    code?: string
    access_token?: string
    expires_in?: string
    scope?: string
    organization_id?: string
  }
}

/** A message of this protocol, of this type and version, else null. */
export const messageOf = <Message extends Versioned & { type: string }>(
  type: Message['type'],
  data: unknown,
): Message | null => {
  const message = data as Partial<Message> | null
  return message?.type === type && message.version === version ? (message as Message) : null
}

/**
 * An unguessable text for `state`, `nonce` and similar values.
 * @param bytes its entropy
 */
export const randomText = (bytes = 32) => base64url(crypto.getRandomValues(new Uint8Array(bytes)))

export const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

const isBrowser = typeof document !== 'undefined'

/** @throws outside a browser. Servers that render pages may import the modules, but not call them. */
export const requireBrowser = (name: string) => {
  if (!isBrowser) throw new TypeError(`${name} runs in a browser only`)
}

/**
 * The address of the server that the running script comes from: its origin, with the path before `/sdk/`. null in a
 * module, which needs the option instead, and outside a browser.
 */
export const scriptServer = (): string | null => {
  const script = isBrowser ? document.currentScript : null
  if (!script || !(script instanceof HTMLScriptElement) || !script.src) return null
  const { origin, pathname } = new URL(script.src)
  return origin + (/^(.*)\/sdk\/[^/]+$/.exec(pathname)?.[1] ?? '')
}
