import t from 'tap'
import { relyingPartyOf } from '../../../src/core/people/relying-party.ts'

t.test('passkeys are offered where browsers support them', async (t) => {
  const rows: [issuer: string, id: string | null][] = [
    ['https://auth.example.com', 'auth.example.com'],
    ['https://auth.example.com:8443', 'auth.example.com'],
    ['http://localhost:3000', 'localhost'],
    ['http://latchkey.localhost:3000', 'latchkey.localhost'],
    ['http://auth.example.com', null],
    ['http://127.0.0.1:3000', null],
    ['https://192.0.2.7', null],
    ['https://[2001:db8::1]', null],
  ]
  for (const [issuer, id] of rows) {
    t.same(relyingPartyOf(issuer), id && { id, origin: new URL(issuer).origin }, issuer)
  }
})
