// What the middleware of every framework shares: the requirement of a route, the credential of a request, the answer.
import type { Access } from './access.ts'
import { answerTo, type ChallengeOptions, type GuardAnswer, wrongUse } from './answers.ts'
import { authorize } from './authorize.ts'
import { bearerToken, type Credential, credentialIn, type RequestHeaders } from './credentials.ts'
import { ProofInvalid, WrongUse } from './errors.ts'
import {
  type FoundId,
  type IdFrom,
  type IdOf,
  type Requirement,
  readRequirement,
} from './requirement.ts'
import { isAddress } from './settings.ts'
import type { Verifier } from './verifier.ts'

export type { FoundId }

/** An id, or a function that finds it in the request after the token was verified. */
export type IdIn<Request> = IdFrom<{ access: Access; request: Request }>

interface Needs<Request> extends Pick<Requirement, 'permissions' | 'acr' | 'maxAge'> {
  /** The organization that owns the requested data. */
  organization: IdIn<Request>
  /** The workspace of the requested data. */
  workspace?: IdIn<Request>
}

/** The token is in `Authorization`, which carries tokens of the current interface only. */
interface InHeader<Request> extends Needs<Request>, Partial<Pick<Requirement, 'interface'>> {
  token?: never
}

/** The token is in another place. */
interface InRequest<Request> extends Needs<Request>, Pick<Requirement, 'interface'> {
  token: (request: Request) => Credential | null
}

/** The requirement of a route. */
export type RouteRequirement<Request> = InHeader<Request> | InRequest<Request>

export interface GuardOptions extends Omit<ChallengeOptions, 'dpop'> {
  verifier: Pick<Verifier, 'verify'> & Partial<Pick<Verifier, 'report'>>
  /**
   * The public address of this API without a path: `https://api.example.com`. With it, key-bound tokens are accepted
   * (`Authorization: DPoP`). Proofs contain the address, and the Host header cannot be trusted.
   */
  publicUrl?: string
}

/** How the requests of a framework are read. */
export interface Reader<Request> {
  /** All values of a header, because a repeated one is refused. */
  headers(request: Request): RequestHeaders
  method(request: Request): string
  /** Path and query as the client has sent them. */
  target(request: Request): string
}

/** The access of a request, or the answer that refuses it. */
export type Guarded =
  | { readonly access: Access; readonly answer: null }
  | { readonly access: null; readonly answer: GuardAnswer }

const credentialOf =
  <Request>(publicUrl: string | undefined, { headers, method, target }: Reader<Request>) =>
  (request: Request): Credential | null => {
    if (publicUrl === undefined) return bearerToken(headers(request))
    const path = target(request)
    const url = publicUrl + path
    const credential = credentialIn(headers(request), { method: method(request), url })
    // The target `*`, or another address, cannot be joined to ours (RFC 9112 §3.2).
    if (typeof credential === 'object' && !path.startsWith('/')) {
      if (credential !== null) throw new ProofInvalid('proof_url')
    }
    return credential
  }

const readRoute = <Request>(requirement: RouteRequirement<Request>) => {
  const { token, ...rest } = { ...requirement }
  if (Object.hasOwn({ ...requirement }, 'token') && typeof token !== 'function')
    throw new TypeError('`token` must be a function of the request, or be left out')
  const needs = (token === undefined ? { interface: 'current', ...rest } : rest) as Needs<Request> &
    Pick<Requirement, 'interface'>
  // The functions take the request too, but here only their presence counts.
  readRequirement(needs as Requirement)
  return { token, needs }
}

const readOptions = ({ verifier, publicUrl, ...challenges }: GuardOptions) => {
  if (typeof verifier?.verify !== 'function')
    throw new TypeError('`verifier` must be the result of createVerifier')
  if (publicUrl !== undefined && !isAddress(publicUrl))
    throw new TypeError('`publicUrl` must be an address such as https://api.example.com')
  return {
    verifier,
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    challenges: { ...challenges, dpop: publicUrl !== undefined },
  }
}

/**
 * Makes guards of routes.
 * @throws TypeError when an option or a requirement is incomplete
 */
export const createGuards = <Request>(options: GuardOptions, reader: Reader<Request>) => {
  const { verifier, publicUrl, challenges } = readOptions(options)

  const idOf = <One extends Request>(idIn: IdIn<One>, request: One): IdOf =>
    typeof idIn === 'string' ? idIn : ({ access }) => idIn({ access, request })

  return <One extends Request>(requirement: RouteRequirement<One>) => {
    const { token: given, needs } = readRoute(requirement)
    const tokenOf = given ?? credentialOf(publicUrl, reader)
    const { organization, workspace } = needs
    return async (request: One): Promise<Guarded> => {
      try {
        const access = await authorize(verifier, tokenOf(request), {
          ...needs,
          organization: idOf(organization, request),
          ...(workspace !== undefined && { workspace: idOf(workspace, request) }),
        } as Requirement)
        return { access, answer: null }
      } catch (error) {
        const answer = error instanceof WrongUse ? wrongUse : answerTo(error, challenges)
        if (!answer) throw error
        return { access: null, answer }
      }
    }
  }
}
