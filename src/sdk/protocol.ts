// What lives here: the web-app SDK, for browsers. app.ts runs in the app's frame, host.ts on the platform page around
// it; this file is what the two say to each other, and what the authorization server says to them. docs/for-web-apps.md
// has it in words.

/** Another version would be another script. */
export const version = 1

interface Versioned {
  version: typeof version
}

/** Frame → page, by `postMessage`: is there a host? */
export interface Hello extends Versioned {
  type: 'latchkey_hello'
  /** Comes back with the answer to this very question. */
  nonce: string
}

/** Page → frame, by `postMessage`, with a port. Everything else goes through the port. */
export interface Welcome extends Versioned {
  type: 'latchkey_welcome'
  nonce: string
  /** As which app the page has this frame. */
  appId: string
  /** In which organization the person is at work; null: not said. */
  organizationId: string | null
}

/** What an authorization request of the frame adds to what the page knows. */
export interface AuthorizationParameters {
  redirect_uri: string
  state: string
  /** Absent on the legacy interface. */
  code_challenge?: string
  /** Where the token before was good, if the page has not named an organization. */
  organization_id?: string
}

export type FrameMessage =
  | { type: 'authorize'; parameters: AuthorizationParameters }
  /** The answer to this request has come, or nobody waits for it any more. */
  | { type: 'finished'; state: string }

export type PageMessage =
  | { type: 'selection'; ids: string[] }
  | { type: 'filter'; filter: object }
  | { type: 'show_selected'; on: boolean }
  /** The authorization server has shown nothing that could be an answer. */
  | { type: 'unanswered'; state: string }
  /** The page lets go of the frame. */
  | { type: 'gone' }

/** Authorization server → page, from the frame in which it answers: to which of your frames? */
export interface RelayRequest extends Versioned {
  type: 'relay_request'
  state: string
}

/** Page → authorization server: the frame's place in `window.frames`. */
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

/** Unguessable, for `state`, `nonce` and the like. @param bytes how many */
export const randomText = (bytes = 32) => base64url(crypto.getRandomValues(new Uint8Array(bytes)))

export const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

/** The origin of the script that runs; null in a module, which has to be told. */
export const scriptOrigin = (): string | null => {
  const script = document.currentScript
  return script instanceof HTMLScriptElement && script.src ? new URL(script.src).origin : null
}
