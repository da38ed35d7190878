import { randomBytes } from 'node:crypto'
import t from 'tap'
import {
  type AuthorizationAnswer,
  type AuthorizationParameters,
  createAuthorizationRequests,
} from '../../../src/core/authorization/requests.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import { createLimits } from '../../../src/core/limits/limits.ts'
import { generousLimits } from '../../support/generous-limits.ts'
import { onEachStores } from '../../support/open-stores.ts'

const parameters: AuthorizationParameters = {
  interface: 'current',
  clientId: 'app1',
  redirectUri: 'https://app.example/cb',
  responseType: 'code',
  state: 'é"\n',
  permissions: null,
  workspaceIds: ['wks1'],
  organizationHint: null,
  loginHint: null,
  prompts: ['consent'],
  codeChallenge: null,
  webMessage: null,
}
const keyring = createKeyring([randomBytes(32)])
const denied: AuthorizationAnswer = { kind: 'refused', error: 'access_denied' }

await onEachStores(t, 'authorization requests', async (t, { records, counters }) => {
  const limits = createLimits(counters, { ...generousLimits, authorizations: 2 })
  const requests = createAuthorizationRequests({ records, limits, keyring, now: () => 1000 })
  const from = { browser: 'browser', countedAs: 'nobody' }

  t.test('a request belongs to one browser', async (t) => {
    const request = await requests.begin(parameters, from)
    t.match(request, { ...parameters, createdAt: 1000, organizationId: null, answer: null })
    t.match(request.id, /^[\w-]{32}$/)
    t.same(await requests.find(request.id, 'browser'), request)
    t.equal(await requests.find(request.id, 'another'), null)
    t.not((await requests.begin(parameters, from)).id, request.id)
  })

  t.test('a malformed id finds no request', async (t) => {
    for (const id of ['', '\0', 'a\0b', 'no such', '../x', 'é', 'x'.repeat(5000), '__proto__'])
      t.equal(await requests.find(id, 'browser'), null, JSON.stringify(id.slice(0, 20)))
  })

  t.test('the first answer is final', async (t) => {
    const request = await requests.begin(parameters, from, 'chosen-id')
    t.equal(await requests.chooseOrganization(request, 'org1'), true)
    t.match(await requests.find('chosen-id', 'browser'), { organizationId: 'org1', answer: null })
    const given = await Promise.all(
      Array.from({ length: 50 }, () => requests.answer(request, denied)),
    )
    t.equal(given.filter(Boolean).length, 1)
    t.match(await requests.find('chosen-id', 'browser'), { answer: denied })
    t.equal(await requests.chooseOrganization(request, 'org2'), false, 'nothing changes after it')
  })

  t.test('an answered request is no longer counted', async (t) => {
    const begin = async () => {
      const countedAs = await limits.authorizationBegun('192.0.2.1', null)
      return requests.begin(parameters, { browser: 'browser', countedAs })
    }
    const [first] = [await begin(), await begin()]
    await t.rejects(begin(), { name: 'OAuthError', reason: 'authorizations_of_address' })
    await Promise.all(Array.from({ length: 10 }, () => requests.answer(first, denied)))
    await begin()
    await t.rejects(begin(), { name: 'OAuthError', status: 429 }, 'ten answers have freed one slot')
  })
})
