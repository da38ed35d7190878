import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, type Visitor } from '../support/visitor.ts'

const bytes = (...parts: (number[] | Buffer | string)[]) =>
  Buffer.concat(parts.map((one) => (typeof one === 'string' ? Buffer.from(one) : Buffer.from(one))))

const clientData = (type: 'create' | 'get', challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin })).toString('base64url')

/** A new passkey as an authenticator hands it over, without attestation (WebAuthn §6.5.4, §8.7). */
const newCredential = (origin: string) => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = (value: string) => bytes([0x58, 32], Buffer.from(value, 'base64url'))
  const key = bytes([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21], point(x), [0x22], point(y))
  const id = randomBytes(16)
  const party = createHash('sha256').update(new URL(origin).hostname).digest()
  const isVerifiedAndNew = [0x45]
  const data = bytes(party, isVerifiedAndNew, Buffer.alloc(4 + 16), [0, id.length], id, key)
  const object = bytes(
    [0xa3, 0x63],
    'fmt',
    [0x64],
    'none',
    [0x67],
    'attStmt',
    [0xa0, 0x68],
    'authData',
    [0x58, data.length],
    data,
  )
  const credentialId = id.toString('base64url')
  return {
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    clientExtensionResults: {},
    response: { attestationObject: object.toString('base64url') },
  }
}

await onEachBackend(
  'passkey answers of a browser',
  async (t, { issuer, world, stores }) => {
    const url = issuer

    /** Sends the form of a page as its script does. */
    const post = async (visitor: Visitor, page: string, path: string, fields = {}) => {
      const { dom } = await visitor.get(page)
      const _csrf = dom.querySelector('input[name="_csrf"]')?.getAttribute('value') ?? ''
      const body = new URLSearchParams({ _csrf, ...fields })
      return visitor.fetch(`${url}${path}`, { method: 'POST', body })
    }
    const challengeAt = async (visitor: Visitor, page: string, path: string) =>
      ((await (await post(visitor, page, path)).json()) as { challenge: string }).challenge

    await t.test('a malformed credential id is refused', async (t) => {
      for (const id of ['\0', 'a\0b', '', 'a b', 'é', 'x'.repeat(1401)]) {
        const visitor = createVisitor(url)
        const challenge = await challengeAt(visitor, '/login', '/login/passkey/options')
        const clientDataJSON = clientData('get', challenge, issuer)
        const credential = JSON.stringify({ id, rawId: id, response: { clientDataJSON } })
        const { status } = await post(visitor, '/login', '/login/passkey', { credential })
        t.equal(status, 401, JSON.stringify(id.slice(0, 9)))
      }
    })

    await t.test('a refused passkey shows the page again with the reason', async (t) => {
      const visitor = await signedIn(url, world.ana)
      const requested = new URLSearchParams({ return_to: '/account/apps', again: 'confirm' })
      const { status, headers } = await visitor.fetch(`${url}/login/passkey?${requested}`)
      t.equal(status, 303)
      t.equal(headers.get('location'), `/login?${requested}`)
    })

    await t.test('unknown transports are dropped', async (t) => {
      const visitor = await signedIn(url, world.ana)
      const page = '/account/passkeys'
      const said: [unknown, string[]][] = [
        [
          ['internal', 'a\0b', 7, null, 'hybrid', 'pigeon', 'internal'],
          ['hybrid', 'internal'],
        ],
        ['usb', []],
        [{ length: 1 }, []],
        [undefined, []],
      ]
      for (const [transports, kept] of said) {
        const challenge = await challengeAt(visitor, page, `${page}/options`)
        const made = newCredential(issuer)
        const clientDataJSON = clientData('create', challenge, issuer)
        const response = { ...made.response, clientDataJSON, transports }
        const credential = JSON.stringify({ ...made, response })
        const added = await post(visitor, page, page, { name: 'Mine', credential })
        t.equal(added.status, 303)
        t.equal(added.headers.get('location'), `${page}?done=added`)
        const rows = await sql(stores, 'select transports from passkeys where credential_id = $1', [
          made.id,
        ])
        t.same(rows, [{ transports: kept }])
      }
    })
  },
  { host: 'localhost' },
)
