// What reads bytes of a stranger or a tenant: where from, how much at most, and what makes it slow.

import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers'
import Fastify, { type FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { parseCompact } from '../../packages/verify/src/compact.ts'
import { bearerToken } from '../../packages/verify/src/credentials.ts'
import { parseStrictObject } from '../../packages/verify/src/json.ts'
import { isThumbprint, normalUrl } from '../../packages/verify/src/rules/dpop-proof.ts'
import { readUserCode } from '../../src/core/authorization/user-code.ts'
import { isPlatformOrigin } from '../../src/core/authorization/web-message.ts'
import { checkedDocument } from '../../src/core/client-documents/document.ts'
import { demandAssertionType } from '../../src/core/clients/assertion-rules.ts'
import {
  isUnclaimed,
  matchRedirectUri,
  originOf,
  redirectUriFault,
} from '../../src/core/clients/redirect-uri.ts'
import { isResource } from '../../src/core/clients/resource-limits.ts'
import { hasResource, stemsOf } from '../../src/core/clients/resources.ts'
import { type Workload, workloadFaults } from '../../src/core/clients/workloads.ts'
import { readCompactJws } from '../../src/core/crypto/compact-jws.ts'
import { isClientIdShaped, isIdShaped } from '../../src/core/crypto/identifiers.ts'
import { readAssertion } from '../../src/core/grants/id-jag.ts'
import { pastedToken } from '../../src/core/inspection/token-inspection.ts'
import { acceptedTags, bestLanguage } from '../../src/core/language/best-language.ts'
import { nameFaults } from '../../src/core/language/display-text.ts'
import { readIpAddress } from '../../src/core/language/ip-address.ts'
import { placeShape } from '../../src/core/language/paging.ts'
import { ownNameShape, sentenceFaultsAt } from '../../src/core/language/permission-catalogue.ts'
import { splitList } from '../../src/core/language/scope.ts'
import { brandFaults } from '../../src/core/organizations/organization-brand.ts'
import { objectOf } from '../../src/core/outbound/discovery.ts'
import { freshSeconds } from '../../src/core/outbound/freshness.ts'
import { verifyWithKeys } from '../../src/core/outbound/verify-with-keys.ts'
import {
  isEmailAddress,
  normaliseEmail,
  typedEmailPattern,
} from '../../src/core/people/email-address.ts'
import { longestHash, readHash, textOfKeycloak } from '../../src/core/people/foreign-hash.ts'
import { passwordFaults } from '../../src/core/people/password-rules.ts'
import { deviceOf } from '../../src/core/people/user-agent.ts'
import { meets, readFilter } from '../../src/core/provisioning/filter.ts'
import { readGroup } from '../../src/core/provisioning/group-patch.ts'
import { readOperations, readPath } from '../../src/core/provisioning/patch-operations.ts'
import { patchedUser } from '../../src/core/provisioning/user-patch.ts'
import {
  createWorkBudget,
  filterInSlices,
  within,
} from '../../src/core/provisioning/work-budget.ts'
import { unlinked } from '../../src/http/mail/unlinked.ts'
import { readClientCredentials } from '../../src/http/oauth/client-credentials.ts'
import { readOnce, readPairs } from '../../src/http/oauth/form.ts'
import { sendError } from '../../src/http/oauth/problem.ts'
import { queryPairs } from '../../src/http/oauth/query.ts'
import { newApp } from '../../src/http/operator/apps/schemas.ts'
import { preconditionOf } from '../../src/http/operator/etag.ts'
import { hasDotSegment } from '../../src/http/operator/front.ts'
import { acceptJsonOnly } from '../../src/http/operator/json-body.ts'
import { readImportLine } from '../../src/http/operator/reports/import-lines.ts'
import { createValidatorCompiler, withoutText } from '../../src/http/operator/validation.ts'
import { sendResource } from '../../src/http/scim/answers.ts'
import { groupResource } from '../../src/http/scim/resources.ts'
import { csvLine } from '../../src/pages/rendering/csv.ts'
import { readForm } from '../../src/pages/rendering/forms/uploads.ts'

export interface Parser {
  name: string
  /** The most characters that reach it. */
  most: number
  /** Reads a text. A refusal is an answer like any other. */
  read(text: string): unknown
  /** Where it parses: the file, and what is found there (`test/support/parser-sites.ts`). */
  sites?: string[]
  /** Texts that are slow for this one. */
  worst?: (most: number) => string[]
}

const kibibyte = 1024
/** All headers of a request together; a URL; a response's headers. */
const headers = 16 * kibibyte
/** A form, or JSON. */
const body = 64 * kibibyte
const scimBody = 2 * kibibyte * kibibyte

const requestWith = (given: Record<string, string>, url = '/'): FastifyRequest =>
  ({ headers: given, body: {}, raw: { url } }) as unknown as FastifyRequest
/** As a socket delivers it. */
const inPackets = async function* (text: string) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 64 * kibibyte) {
    yield bytes.subarray(at, at + 64 * kibibyte)
    await setImmediate()
  }
}
const noFields = readOnce([])
const owner = { email: 'kim@example.com', name: 'Kim' }
const service = ['Latchkey', 'auth.example.com']
const base64url = (text: string) => Buffer.from(text).toString('base64url')
const filled = (most: number, begin: string, middle: string, end = '') =>
  begin + middle.repeat(Math.floor((most - begin.length - end.length) / middle.length)) + end
const typedEmail = new RegExp(typedEmailPattern, 'u')
const inToken = (text: string) => `${base64url('{"alg":"ES256"}')}.${base64url(text)}.AAAA`
const operator = { id: 'configured', permissions: ['*'], organizationIds: null }
const lifetimes = { accessTokenSeconds: { least: 60, most: 3600, preset: 600 } }
const documentRules = { lifetimes, addresses: { allowPrivate: false } }

const scimEmails = Array.from({ length: 20 }, (_, at) => ({ value: `${at}@a.test`, type: 'work' }))
const scimUsers = Array.from({ length: 1900 }, () => ({ a: 'a'.repeat(500), emails: scimEmails }))
const scimMembers = Array.from({ length: 20_000 }, (_, at) => ({ value: `usr${at}` }))
const scimGroups: Record<string, object> = Object.fromEntries(
  ['value', 'VALUE'].map((name) => [
    name,
    {
      displayName: 'Group',
      members: scimMembers.map(({ value }) => ({ type: 'User', display: 'Kim', [name]: value })),
    },
  ]),
)
const scimDraft = { userName: 'a', externalId: null, attributes: {}, active: undefined }

/** Lists of an app in which each entry has faults. */
const faultyLists = ['workloads', 'may_act', 'owners', 'redirect_uris', 'permissions'].flatMap(
  (list) =>
    ['{}', '{"a":1}', '[]', '1', '""'].map((entry) =>
      filled(body - 100, `"${list}":[`, `${entry},`),
    ),
)
const deepWorkload = `{"issuer":"https://a.test","claims":{"a":${'['.repeat(14_000)}${']'.repeat(14_000)}}}`
const operatorApi = Fastify()
acceptJsonOnly(operatorApi)
operatorApi.setValidatorCompiler(createValidatorCompiler())
operatorApi.setSchemaErrorFormatter(withoutText)
operatorApi.setErrorHandler((error, request, reply) => sendError(request, reply, error))
operatorApi.post('/', { schema: { body: Type.Partial(newApp) } }, async (request) =>
  workloadFaults((request.body as { workloads: Workload[] }).workloads, {
    addresses: { allowPrivate: false },
    issuer: 'https://id.example',
  }),
)

export const parsers: Parser[] = [
  {
    name: 'the query of a request',
    most: headers,
    read: (text) => queryPairs(requestWith({}, `/authorize?${text}`)),
  },
  {
    name: 'a list of scopes or workspaces',
    most: body,
    read: splitList,
    worst: (most) => [Array.from({ length: most / 5 }, (_, at) => at.toString(36)).join(' ')],
  },
  {
    name: 'a redirect URI',
    most: body,
    read: (text) =>
      [
        () => redirectUriFault(text, 'public'),
        () => redirectUriFault(text, 'confidential'),
        () => originOf(text),
        () => isUnclaimed(text),
        () =>
          matchRedirectUri(['https://app.example/callback', 'http://127.0.0.1/'], text, 'public'),
      ].map((one) => {
        try {
          return one()
        } catch {
          return null
        }
      }),
    worst: (most) => [
      filled(most, 'https://', 'a.'),
      filled(most, 'https://[', ':'),
      filled(most, 'a.', 'a-', ':'),
      filled(most, 'com.', 'a.', ':/'),
      filled(most, 'com.', 'aaaaaaaaaaaaaaa', ':/'),
      filled(most, 'https://', 'a@'),
    ],
    sites: [
      'src/core/clients/redirect-uri.ts /^https?:\\/\\/(?:[a-z0-9][a-z0-9._-]*|\\[[0-9a-f:.]+\\])(?::\\d{1,5})?(?=[/?]|$)/i',
      'src/core/clients/redirect-uri.ts /^[a-z]{2,63}(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+:$/',
      'src/core/clients/redirect-uri.ts /^[a-z]+:\\/\\/[^/?]*@/i',
    ],
  },
  {
    name: 'a resource',
    most: body,
    read: (text) => isResource(text) || hasResource([`${text}/`], text) || stemsOf([text]),
    worst: (most) => [
      filled(most, 'https://', '@', '!'),
      filled(most, 'https://', ':1', '!'),
      filled(most, 'https://a:', '1', '!'),
      filled(most, 'a:', '%aa', '!'),
    ],
    sites: [
      'src/core/clients/resource-limits.ts RegExp',
      'src/core/clients/resources.ts /^[^:]+:\\/\\/[^/]*?(?=(?::\\d+)?\\/)/',
      'packages/verify/src/rules/resource-form.ts /^([a-z][a-z0-9+.-]*):\\/\\/([^/?#]*@)?([^/?#]*?)(?::(\\d*))?([/?#].*)?$/i',
    ],
  },
  {
    name: 'an origin of the platform',
    most: headers,
    read: isPlatformOrigin,
    worst: (most) => [filled(most, 'https://', 'a.'), filled(most, 'https://a', '.a', '!')],
    sites: [
      'src/core/authorization/web-message.ts /^https?:\\/\\/[a-z0-9-]+(?:\\.[a-z0-9-]+)*(?::\\d+)?$/',
    ],
  },
  {
    name: 'the languages of a browser',
    most: headers,
    read: (text) => bestLanguage(acceptedTags(text)),
    worst: (most) => [
      filled(most, '', 'en-a-bb-cc-dd,'),
      filled(most, 'de', ';q=1'),
      filled(most, '', 'de-DE;q=0.1,'),
    ],
    sites: [
      'src/core/language/best-language.ts @formatjs/intl-localematcher',
      'src/core/language/best-language.ts /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/',
    ],
  },
  { name: 'the name of a browser', most: headers, read: deviceOf },
  {
    name: 'client credentials in a header',
    most: headers,
    read: (text) => readClientCredentials(`Basic ${text}`, noFields),
    worst: (most) => [
      filled(most, '', 'AAAA', '='),
      Buffer.from(filled(most / 2, '', '%41')).toString('base64'),
    ],
    sites: [
      'src/http/oauth/client-credentials.ts /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/',
    ],
  },
  {
    name: 'a token of another server, before and at its verification',
    most: body,
    read: async (text) => {
      for (const one of [text, inToken(text), inToken(`{"sub":${JSON.stringify(text)}}`)]) {
        try {
          demandAssertionType(one)
        } catch {
          /* refused */
        }
        readAssertion(one)
        readCompactJws(one)
        await verifyWithKeys(one, async () => new Uint8Array(32), {}).catch(() => undefined)
      }
    },
    worst: (most) => [
      inToken(filled(most / 2, '', '[')),
      inToken(filled(most / 2, '{', '"a":1,', '"a":1}')),
      ...[400, 4000].map((levels) => inToken(`${'{"act":'.repeat(levels)}{}${'}'.repeat(levels)}`)),
    ],
    sites: [
      'src/http/oauth/client-credentials.ts jose',
      'src/core/clients/assertion-rules.ts jose',
      'src/core/clients/authenticate.ts jose',
      'src/core/clients/workload-assertion.ts jose',
      'src/core/grants/id-jag.ts jose',
      'src/core/outbound/verify-with-keys.ts jose',
      'src/core/crypto/compact-jws.ts JSON.parse',
    ],
  },
  {
    name: 'the type of a body',
    most: headers,
    read: (text) => readPairs(requestWith({ 'content-type': text })),
    worst: (most) => [
      filled(most, 'application/x-www-form-urlencoded', ' ', 'x'),
      filled(most, 'application/x-www-form-urlencoded;charset=utf-8', ' ', 'x'),
    ],
    sites: [
      'src/http/oauth/form.ts /^application\\/x-www-form-urlencoded\\s*(;\\s*charset\\s*=\\s*"?utf-8"?\\s*)?$/i',
    ],
  },
  {
    name: 'a token at the data API',
    most: body,
    read: (text) => {
      for (const one of [text, inToken(text)]) {
        try {
          bearerToken({ authorization: `Bearer ${one}` })
        } catch {
          /* refused */
        }
        try {
          parseCompact(one)
        } catch {
          /* refused */
        }
      }
      parseStrictObject(text)
      isThumbprint(text)
      normalUrl(text)
    },
    worst: (most) => [
      filled(most, '{"a": "', '\\"', '"}'),
      filled(most, '{"a":[', '"" ,', '""]}'),
      filled(most, '{"a": ', '[', ''),
      filled(most, '{"a" :', '{"a":', ''),
      filled(most, 'https://a/', '%41'),
      filled(most, 'A', '=', 'A'),
    ],
    sites: [
      'packages/verify/src/credentials.ts /^(?:bearer|dpop) +([A-Za-z0-9\\-._~+/]+=*)$/i',
      'packages/verify/src/json.ts /"(?:[^"\\\\]|\\\\.)*"\\s*(:)?/g',
      'packages/verify/src/json.ts JSON.parse',
      'packages/verify/src/rules/dpop-proof.ts /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]|[A-Za-z0-9_-][AQgw])?$/',
    ],
  },
  {
    name: 'the metadata document of an app',
    most: 32 * kibibyte,
    read: (text) =>
      checkedDocument('https://app.example/client', Buffer.from(text), documentRules as never),
    worst: (most) => [
      filled(most, '{"a":"', '\\"', '"}'),
      filled(most, '{"a":"', '{', '"}'),
      filled(most, '', '{"a":'),
      `{${Array.from({ length: most / 12 }, (_, at) => `"${at}":[]`).join()}}`,
      filled(most, '{"redirect_uris":[', '"a",', '"a"]}'),
      filled(most, '{"scope":"', 'a ', '"}'),
    ],
    sites: [
      'src/core/client-documents/document.ts /("(?:[^"\\\\]|\\\\.)*")(\\s*:)?|[{}]/g',
      'src/core/client-documents/document.ts JSON.parse',
    ],
  },
  {
    name: 'the metadata of an issuer, and the keys of another server',
    most: 128 * kibibyte,
    read: (text) => objectOf({ body: Buffer.from(text) } as never),
    sites: ['src/core/outbound/discovery.ts JSON.parse'],
  },
  {
    name: 'how long a response of another server is fresh',
    most: headers,
    read: (text) =>
      freshSeconds({ headers: { 'cache-control': text, expires: text, vary: text } } as never, 0, {
        least: 1,
        most: 9,
      }),
    worst: (most) => [
      filled(most, '', 'a=1,'),
      filled(most, 'max-age="', ' ', 'x'),
      filled(most, 'a', ' ', '='),
    ],
    sites: ['src/core/outbound/freshness.ts http-cache-semantics'],
  },
  {
    name: 'the answer of an authenticator',
    most: 12 * kibibyte,
    read: (text) => {
      const bytes = Buffer.from(text, 'latin1')
      try {
        decodeAttestationObject(bytes as never)
      } catch {
        /* refused */
      }
      isoCBOR.decodeFirst(bytes as never)
    },
    worst: (most) => [
      filled(most, '', '\x81'),
      filled(most, '', '\xa1\x01'),
      filled(most, '\x9b\x00\x00\x00\x01\x00\x00\x00\x00', '\x01'),
      filled(most, '\xbb\x00\x00\x00\x00\x7f\xff\xff\xff', '\x01'),
      filled(most, '\xb9\xff\xff', '\x01'),
    ],
    sites: [
      'src/core/people/passkey-ceremonies.ts @simplewebauthn/server',
      'src/core/people/passkey-ceremonies.ts JSON.parse',
    ],
  },
  {
    name: 'a filter of SCIM',
    most: headers,
    read: (text) => readFilter(text, 'invalidFilter' as never),
    worst: (most) => [
      filled(most, 'a eq "', '\\"'),
      filled(most, '', '('),
      filled(4000, 'a', '.a'),
      filled(4000, '', 'a pr or '),
    ],
    sites: [
      'src/core/provisioning/filter.ts /\\s*(?:([()[\\]]|\\.[A-Za-z$][\\w$-]*)|("(?:[^"\\\\]|\\\\.)*")|(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)(?![\\w.:])|((?:[A-Za-z$][\\w$-]*)(?:[:.][\\w$-]+)*))/y',
      'src/core/provisioning/filter.ts JSON.parse',
    ],
  },
  {
    name: 'a path of SCIM',
    most: scimBody,
    read: readPath,
    worst: () => [
      filled(1000, 'a[', ']'),
      filled(1000, 'urn:', ':a'),
      filled(1000, 'a[', 'a pr or ', ']'),
    ],
    sites: [
      'src/core/provisioning/patch-operations.ts /^((?:urn:[\\w:.-]+:)?[A-Za-z$][\\w$-]*(?:\\.[A-Za-z$][\\w$-]*)?)(?:\\[(.*)\\](?:\\.([A-Za-z$][\\w$-]*))?)?$/is',
    ],
  },
  {
    name: 'operations of SCIM',
    most: 1000,
    read: (text) => readOperations({ Operations: Array(1000).fill({ op: 'remove', path: text }) }),
  },
  {
    name: 'a filter of SCIM over 1,900 users',
    most: 4096,
    read: (text) => {
      const filter = readFilter(text)
      const budget = createWorkBudget()
      return filterInSlices(scimUsers, (user) => meets(user, filter, budget))
    },
    worst: () => [
      ...['a co "z"', 'emails.value co "z"', 'emails[value co "z" or type co "z"]'].flatMap(
        (term) => [
          term,
          Array(Math.min(100, Math.floor(4090 / (term.length + 4))))
            .fill(term)
            .join(' or '),
        ],
      ),
    ],
  },
  {
    name: 'a filter of SCIM over a group of 20,000 members',
    most: 4096,
    read: (text) =>
      meets({ members: scimMembers }, readFilter(text), within(createWorkBudget(), 25_000)),
    worst: () => [
      'members.value co "zz"',
      'members[value co "z" and value sw "a"]',
      Array(90).fill('members.value co "zz"').join(' or '),
    ],
  },
  {
    name: 'a group of SCIM with 20,000 members',
    most: 20,
    // Reads and writes of the store separate the two parts.
    read: async (name) => {
      const sent = scimGroups[name]
      if (!sent) return
      const { memberIds } = readGroup(sent)
      await setImmediate()
      const members = memberIds.map((userId) => ({ groupId: 'g', userId, userName: userId }))
      await setImmediate()
      const reply = { code: () => reply, type: () => reply, send: () => undefined }
      const at = { createdAt: new Date(0), updatedAt: new Date(0) }
      const group = { id: 'g', displayName: 'Group', externalId: null, ...at }
      await sendResource(reply as never, 200, groupResource('https://id.example', group, members))
    },
    worst: () => Object.keys(scimGroups),
  },
  {
    name: 'operations of SCIM on a user with 20 addresses',
    most: 1000,
    read: (path) => {
      const value = [...scimEmails]
      const ops = [
        { op: 'replace', path: 'emails', value },
        ...Array(999).fill({ op: 'add', path, value }),
      ]
      return patchedUser(scimDraft, readOperations({ Operations: ops }))
    },
    worst: () => [
      'emails',
      'emails.display',
      'name.givenName',
      'emails[value co "z"]',
      'emails[type eq "work"].display',
    ],
  },
  {
    name: 'an e-mail address',
    most: body,
    read: (text) => isEmailAddress(normaliseEmail(text)) || typedEmail.test(text),
    worst: (most) => [
      filled(most, 'a@a', ' ', '!'),
      filled(most, ' ', 'a', '@'),
      filled(254, 'a@a', '.a', '!'),
      filled(254, 'a@', 'a', '!'),
      filled(254, 'a@a', '-', '!'),
    ],
    sites: [
      'src/core/people/email-address.ts RegExp',
      'src/core/people/email-address.ts /^\\s*[^\\s@]+@[^\\s@]+\\s*$/u',
    ],
  },
  {
    name: 'a password',
    most: body,
    read: (text) => passwordFaults(text, owner, service),
    worst: () =>
      ['1', ' ', '.', 'a1', '4a', '\u2488', '\u33ff', '\ufdfa', '\u{1f100}'].map((one) =>
        filled(1000, '', one, 'x'),
      ),
    sites: [
      'src/core/people/password-guesses.ts RegExp',
      'src/core/people/password-rules.ts RegExp',
    ],
  },
  {
    name: 'the name and the address of the user of a password',
    most: 254,
    read: (text) => passwordFaults('correct horse battery', { email: `a@${text}`, name: text }, []),
    worst: () => [filled(254, '', '.'), filled(254, '', 'a-'), filled(254, '', 'a ')],
    sites: ['src/core/people/password-rules.ts /\\.[^.]*$/'],
  },
  {
    name: 'a path of the Operator API',
    most: headers,
    read: hasDotSegment,
    worst: (most) => ['/.', '/%2e', '/..', '%2f.'].map((one) => filled(most, '', one, 'x')),
    sites: [
      'src/http/operator/front.ts /^[^?]*(?:[/\\\\]|%2f|%5c)(?:\\.|%2e){1,2}(?:[/\\\\;?#]|%2f|%5c|%3b|$)/i',
    ],
  },
  {
    name: 'a displayed name, in a form or JSON',
    most: body,
    read: (text) => [nameFaults('/name', text), sentenceFaultsAt('/sentence', text as never)],
    worst: (most) => [
      filled(most, '', '\u2800'),
      filled(most, '', '#\ufe0f'),
      filled(100, '', '#\ufe0f'),
    ],
    sites: ['src/core/language/display-text.ts RegExp'],
  },
  {
    name: 'a name in a mail',
    most: 1000,
    read: unlinked,
    worst: (most) =>
      ['1.', '1-', 'a.', '@a', '://', '1 ', '((1', '+1'].map((one) => filled(most, '', one)),
    sites: [
      'src/http/mail/unlinked.ts RegExp',
      'src/http/mail/unlinked.ts /[+\\uff0b](?:[\\s().\\-/\\p{Pd}]{0,3}\\p{Nd}){7,}|\\p{Nd}(?:[\\s().\\-/\\p{Pd}]{0,3}\\p{Nd}){8,}/gu',
    ],
  },
  {
    name: 'an address of a client, from a proxy',
    most: headers,
    read: readIpAddress,
    worst: (most) => [
      filled(most, '[', ':'),
      filled(200, '"', '1.', '"'),
      filled(200, '', 'a:'),
      filled(200, '[::1]:_', '-', '!'),
    ],
    sites: [
      'src/core/language/ip-address.ts RegExp',
      'src/core/language/ip-address.ts /^\\d{1,3}(?:\\.\\d{1,3}){3}$/',
      'src/core/language/ip-address.ts /^((?:[\\da-f]{1,4}:){7}[\\da-f]{1,4}):\\d{1,5}$/i',
    ],
  },
  {
    name: 'an id, a place in a list, a permission, a colour',
    most: body,
    read: (text) => [
      isIdShaped(text),
      isClientIdShaped(text),
      isClientIdShaped(`https://${text}`),
      placeShape.test(text),
      placeShape.test(`1.${text}`),
      ownNameShape.test(text),
      sentenceFaultsAt('/sentence', { [text]: text } as never),
      brandFaults({ logoUri: text, accent: text }),
    ],
    sites: [
      'src/core/crypto/identifiers.ts RegExp',
      'src/core/language/paging.ts RegExp',
      'src/core/language/permission-catalogue.ts RegExp',
      'src/core/language/permission-catalogue.ts /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/u',
      'src/core/organizations/organization-brand.ts RegExp',
    ],
  },
  {
    name: 'a code that a user typed',
    most: body,
    read: readUserCode,
    sites: ['src/core/authorization/user-code.ts RegExp'],
  },
  {
    name: 'a pasted token',
    most: body,
    read: pastedToken,
    worst: (most) => [
      filled(most, '', ' ', 'bearer'),
      filled(most, 'authorization', ' ', 'x'),
      filled(most, 'authorization: bearer', ' ', 'x'),
    ],
    sites: [
      'src/core/inspection/token-inspection.ts /^\\s*(authorization\\s*:\\s*)?(bearer|dpop)\\s+/i',
    ],
  },
  {
    name: 'entity tags of a request',
    most: headers,
    read: (text) =>
      preconditionOf(requestWith({ 'if-match': text, 'if-none-match': text }), () => '"a"'),
    worst: (most) => [
      filled(most, '', '"",'),
      filled(most, '""', ' ', 'x'),
      filled(most, '""', ' ,', 'x'),
      filled(most, '', '"a" , ', '"'),
    ],
    sites: ['src/http/operator/etag.ts RegExp'],
  },
  {
    name: 'a body of the Operator API, and the pointers to its faults',
    most: body,
    read: (payload) => {
      const headers = { 'content-type': 'application/json' }
      return operatorApi.inject({ method: 'POST', url: '/', headers, payload })
    },
    worst: (most) => [
      ...faultyLists.map((begin) => `{${begin}"a"]}`),
      `{${Array.from({ length: most / 12 }, (_, at) => `"${at}":[]`).join()}}`,
      `{"workloads":[${deepWorkload},${deepWorkload}]}`,
    ],
  },
  {
    name: 'a form with a file',
    most: 1024 * kibibyte,
    read: (text) =>
      readForm(
        requestWith({ 'content-type': 'multipart/form-data; boundary=b' }),
        Readable.from(inPackets(text)),
      ).catch(() => undefined),
    worst: (most) => {
      const head = '--b\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\n'
      return [
        ...['\r\n--', '\r', '\r\n--b', '\r\n--bb', '-'].map((part) => filled(most, head, part)),
        filled(most, '', '--b\r\n\r\n', '--b--'),
        filled(most, '', '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'),
        filled(most, '--b\r\ncontent-disposition: form-data', '; a="b"', '\r\n\r\n--b--'),
        filled(most, '--b\r\n', 'a: b\r\n', '\r\n--b--'),
      ]
    },
    sites: ['src/pages/rendering/forms/uploads.ts @fastify/busboy'],
  },
  {
    name: 'a line of an import',
    most: body,
    read: (text) =>
      [
        text,
        `{"type":"user","id":"a","email":${JSON.stringify(text)},"name":${JSON.stringify(text)}}`,
      ].map((one) => readImportLine(one, operator)),
    worst: (most) => [
      filled(most, '{"type":"app","client_id":"a","redirect_uris":[', '"a",', '"a"]}'),
      filled(most, '{"type":"install","permissions":[', '"a",', '"a"]}'),
      ...faultyLists.map((begin) => `{"type":"app",${begin}"a"]}`),
      `{"type":"user",${Array.from({ length: most / 12 }, (_, at) => `"${at}":[]`).join()}}`,
    ],
    sites: ['src/http/operator/reports/import-lines.ts JSON.parse'],
  },
  {
    name: 'a hash of another server',
    most: longestHash,
    read: (text) => {
      const keycloak = { algorithm: 'pbkdf2', iterations: 1, salt: text, value: text }
      return [readHash(text), readHash(textOfKeycloak(keycloak))]
    },
    worst: (most) =>
      [
        '$argon2id$m=1,t=1,p=1$',
        '$scrypt$ln=1,r=1,p=1$',
        '$pbkdf2-sha1$i=1$',
        'pbkdf2_sha1$1$',
      ].flatMap((begin) => [
        filled(most, begin, 'a', '$'),
        filled(most, begin, '='),
        filled(most, begin, '1'),
      ]),
    sites: ['src/core/people/foreign-hash.ts RegExp', 'src/core/people/foreign-hash.ts /=+$/'],
  },
  {
    name: 'a cell of a table that is downloaded',
    most: body,
    read: (text) => csvLine([text]),
    sites: ['src/pages/rendering/csv.ts RegExp'],
  },
]

/** Files and sites that read no bytes of a stranger, or only those that another entry bounds; with the reason. */
export const trusted: Readonly<Record<string, string>> = {
  'src/cli/': 'the command line of the operator',
  'src/config/': 'the settings of the operator',
  'src/stores/': 'own statements and addresses of stores',
  'src/app/': 'the wiring: own files and paths',
  'src/words/text.ts JSON.parse': 'the words of this server',
  'src/core/outbound/bounded-fetch.ts JSON.parse':
    'the provider of the platform, chosen by the operator; at most 512 KiB',
  'src/door/': 'forwarded requests: each pattern is linear by its shape',
  'src/core/authorization/device-flow.ts JSON.parse': 'a record that this server wrote',
  'src/core/authorization/requests.ts JSON.parse': 'a record that this server wrote',
  'src/core/grants/install-codes.ts JSON.parse': 'a record that this server wrote',
  'src/core/notifications/mail-choices.ts JSON.parse': 'sealed by this server',
  'src/core/organizations/one-time-secrets.ts JSON.parse': 'sealed by this server',
  'src/pages/rendering/signed-cookie.ts JSON.parse': 'signed by this server',
  'src/core/people/password-links.ts JSON.parse': 'sealed by this server',
  'src/core/people/provider-sign-in.ts JSON.parse': 'a record that this server wrote',
  'src/core/people/relying-party.ts /^\\d+(\\.\\d+){3}$/': 'the issuer, a setting',
  'src/core/people/platform-provider.ts openid-client':
    'the provider of the platform, chosen by the operator; its responses are fetched with a bound',
  'src/core/crypto/checksum.ts node:zlib': 'CRC-32 of a token, linear; nothing is inflated',
  'src/core/outbound/public-keys.ts jose': 'keys of bounded sizes, not text',
  'src/core/outbound/remote-keys.ts jose':
    'keys of bounded sizes; the text is read by discovery.ts',
  'src/core/webhooks/webhooks.ts /=+$/': 'base64 that this server made',
  'src/http/current/engine/':
    'oidc-provider gets parameters that the routes have read, of at most 16 or 64 KiB',
  'src/http/operator/operations.ts /:(\\w+)/g': 'the paths of own operations',
  'src/http/operator/folder-kinds.ts /\\{(\\w+)\\}/g': 'the paths of own operations',
  'src/http/operator/folder-kinds.ts /\\{\\w+\\}/g': 'the paths of own operations',
  'src/http/operator/front.ts JSON.parse': 'the OpenAPI document of this server',
  'src/http/operator/tokens/jwks.ts /^[A-Za-z0-9+/]+=*$/u':
    'the schema allows 8,000 characters, and the signs that are told apart begin once',
  'src/pages/developer/change-form.ts JSON.parse': 'linear, at most 64 KiB of a form',
  'src/pages/operator/apps/successor.ts /^(\\S+?)\\s*:(?:\\s+(.*))?$/':
    'a form of the operator, who changes the platform',
  'src/pages/rendering/documentation.ts JSON.parse': 'a file of this server',
  'src/pages/rendering/documentation.ts node:zlib':
    'compresses files of this server; nothing is inflated',
  'src/pages/developer/sandbox.ts /@.*/': 'the address of a test person, which this server makes',
  'src/http/server/allowed-methods.ts RegExp': 'made of routes: a parameter ends at the next slash',
  'src/http/server/allowed-methods.ts /:\\w+/g': 'the paths of own routes',
  'packages/verify/src/verifier.ts /^(?:lkks_[\\x21-\\x7e]+|(?!eyJ|lk[a-z]{2}_)[\\x21-\\x7e]{16,256})$/':
    'a token of a bounded length; the two forms begin once',
  'packages/verify/src/guard.ts /\\/+$/': 'a setting of the data API',
  'packages/verify/src/misfits.ts /\\/+$/': 'a setting of the data API',
  'packages/verify/src/settings.ts /\\/+$/': 'a setting of the data API',
  'packages/verify/src/nonces.ts /=+$/': 'base64 that the library made',
  'packages/verify/src/proofs.ts /=+$/': 'base64 that the library made',
}
