// Options that do not fit the server. Each token would be refused with a reason that only a debugger shows, so they are
// reported as problems.
import { InsufficientScope, type TokenFault, WrongUse } from './errors.ts'
import { isText, isTextList, type JsonObject } from './json.ts'
import type { Pace } from './pace.ts'
import type { Problems } from './problems.ts'
import type { Requirement } from './requirement.ts'
import type { AuthorizationServer, Exchanged } from './server.ts'
import type { Settings } from './settings.ts'

const longest = 200
/** A value for a message of one line. */
const quoted = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const issuerMessage = (source: string, found: string, issuer: string) => {
  const isSlash = found === quoted(issuer.replace(/\/+$/, '')) || found === quoted(`${issuer}/`)
  const hint = isSlash ? ' (they differ only in the slash at the end)' : ''
  return `the issuer of ${source} is ${found}, but \`issuer\` is ${quoted(issuer)}${hint}: set \`issuer\` to the server's ISSUER, byte for byte`
}

/** Milliseconds between two comparisons with the metadata. */
const compareEvery = 300_000
const retryAfter = 30_000

/** Compares `issuer` with the metadata of the server (RFC 8414 §3.3), until the pace is stopped. */
export const compareIssuer = async (deps: {
  server: Pick<AuthorizationServer, 'metadata'>
  settings: Pick<Settings, 'issuer'>
  problems: Problems
  pace: Pace
  onMetadata(metadata: JsonObject): void
}): Promise<void> => {
  const { server, problems, pace } = deps
  const { issuer } = deps.settings
  while (!pace.isStopped()) {
    // The requests for keys and feed report a server that cannot be reached, and a proxy may withhold the metadata.
    const metadata = await server.metadata().catch(() => null)
    if (metadata) deps.onMetadata(metadata)
    if (metadata && isText(metadata.issuer) && metadata.issuer !== issuer)
      problems.report(
        'metadata',
        'issuer',
        issuerMessage('the server', quoted(metadata.issuer), issuer),
      )
    else if (metadata) problems.clear('metadata')
    await pace.pause(metadata ? compareEvery : retryAfter)
  }
}

/** Notices tokens of the server that are refused because of an option or a clock. */
export interface TokenMisfits {
  /** @param payload of a token whose claims were refused */
  refused(reason: TokenFault, payload: JsonObject): void
  accepted(): void
}

/** Milliseconds. Where other tokens are accepted, the sender of a misfit is at fault, not the configuration. */
const provenFor = 3_600_000

export const createTokenMisfits = (
  problems: Problems,
  {
    issuer,
    audience,
    mode,
    now,
    ticks,
  }: Pick<Settings, 'issuer' | 'audience' | 'mode' | 'now' | 'ticks'>,
): TokenMisfits => {
  // Only a signed value is the server's. Without a signature check, the sender could choose what the log says.
  const shown = (value: unknown) => (mode === 'local' ? quoted(value) : 'another one')
  let acceptedAt = Number.NEGATIVE_INFINITY
  const isProven = () => ticks() - acceptedAt < provenFor

  const describe: { [Reason in TokenFault]?: (payload: JsonObject) => void } = {
    issuer: ({ iss }) => {
      if (!isProven())
        problems.report('tokens', 'issuer', issuerMessage('a token', shown(iss), issuer))
    },
    audience: ({ aud }) => {
      const message = `the audience of a token is ${shown(aud)}, but \`audience\` is ${quoted(audience)}: set \`audience\` to the server's TOKEN_AUDIENCE, or to the audience that the operator has given this data API`
      if (!isProven()) problems.report('tokens', 'audience', message)
    },
    not_yet_valid: ({ iat, nbf }) => {
      const ahead = Math.round(Math.max(Number(iat), Number(nbf ?? 0)) - now() / 1000)
      const message = `a token of the server becomes valid only in ${ahead} seconds by the clock of this machine: synchronize both clocks`
      problems.report('tokens', 'clock', message)
    },
  }

  return {
    refused: (reason, payload) => describe[reason]?.(payload),
    accepted: () => {
      acceptedAt = ticks()
      problems.clear('tokens', 'issuer')
      problems.clear('tokens', 'audience')
    },
  }
}

/** Notices wrong uses of this library by its program. */
export const createMisuse = (problems: Problems, { onProblem }: Pick<Settings, 'onProblem'>) => {
  let known: readonly string[] | null = null

  /** A permission that no token can have. On the legacy interface, the metadata do not list them. */
  const misspelt = (error: unknown, { interface: generation }: Requirement) => {
    if (generation !== 'current' || !(error instanceof InsufficientScope)) return null
    const unknown = error.needed.find((one) => known && !known.includes(one))
    const message = `the server has no permission ${quoted(unknown)}, so every token is refused: correct \`permissions\` of the requirement`
    return unknown === undefined ? null : new WrongUse('permission', message)
  }

  return {
    onMetadata: ({ scopes_supported: scopes }: JsonObject) => {
      known = isTextList(scopes) ? scopes : null
    },
    report: (error: unknown, requirement: Requirement) => {
      const wrong = error instanceof WrongUse ? error : misspelt(error, requirement)
      if (!wrong) return
      problems.report('requirement', wrong.reason, wrong.message)
      onProblem(wrong)
    },
  }
}

/** Compares the clocks. The server answered between the two local times, so the difference lies between two limits. */
export const createClockCheck = (
  problems: Problems,
  { clockTolerance }: Pick<Settings, 'clockTolerance'>,
): ((exchanged: Exchanged) => void) => {
  const tolerated = Math.max(5, clockTolerance)
  return ({ sentAt, receivedAt, date }) => {
    const least = (sentAt - date) / 1000 - 1
    const most = (receivedAt - date) / 1000
    const isAhead = least > tolerated
    if (isAhead || most < -tolerated) {
      const seconds = Math.round(isAhead ? least : -most)
      const message = `the clock of this machine is ${seconds} seconds ${isAhead ? 'ahead of' : 'behind'} the server's: synchronize both clocks`
      problems.report('clock', 'clock', message)
    } else if (least >= -tolerated && most <= tolerated) problems.clear('clock')
  }
}
