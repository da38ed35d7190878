import t from 'tap'
import { isCanonicalBase64url } from '../../../../packages/verify/src/rules/base64url.ts'

const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']

t.test('base64url accepts one spelling per value', async (t) => {
  for (const beginning of ['', 'Q', 'QU', 'QUJ', 'QUJD', 'QUJDR']) {
    for (const last of alphabet) {
      const text = beginning + last
      const isWrittenSo = Buffer.from(text, 'base64url').toString('base64url') === text
      if (isCanonicalBase64url(text) !== isWrittenSo) t.fail(text)
    }
  }
  t.ok(isCanonicalBase64url(''))
})
