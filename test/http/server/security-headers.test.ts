import t from 'tap'
import { securityHeaders } from '../../../src/http/server/security-headers.ts'

t.test('HSTS: for an issuer on https, but never for all ports of localhost', async (t) => {
  const sent = (issuer: string) => {
    const { people, programs } = securityHeaders(issuer)
    return [people, programs].map((headers) => headers['strict-transport-security'] ?? null)
  }
  const year = 'max-age=31536000'
  t.same(sent('https://auth.example'), [year, year])
  t.same(sent('https://localhost.example:8443'), [year, year])
  t.same(sent('https://localhost:8443'), [null, null])
  t.same(sent('http://127.0.0.1:3000'), [null, null])
})
