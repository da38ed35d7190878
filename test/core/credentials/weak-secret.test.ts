import { randomBytes } from 'node:crypto'
import t from 'tap'
import { isWeakSecret } from '../../../src/core/credentials/weak-secret.ts'
import { newSecret } from '../../../src/core/crypto/identifiers.ts'

t.test('secrets that a person thought of are weak', async (t) => {
  for (const text of [
    'o'.repeat(16),
    'ababababababababab',
    '0123456789'.repeat(3),
    '0123456789abcdef',
    'abcdefghijklmnop',
    'zyxwvutsrqponmlkjihg',
    'qwertyuiopasdfghjkl',
    '1234567890123456',
    'changeme-changeme',
    'change-me-in-production-please',
    'REPLACE_WITH_YOUR_TOKEN',
    'your-operator-token-here',
    'latchkey-operator-token',
    'operator-token-1234567890',
    'password12345678',
    'admin-secret-2026!!',
    'secretsecretsecret1',
    'test-test-test-12345',
    'Xy1Xy1Xy1Xy1Xy1Xy1Xy1',
    `${'a'.repeat(50)}-b`,
    'aaaabbbbccccdddd',
    '1212112122121121',
  ])
    t.equal(isWeakSecret(text), true, text)
})

t.test('random secrets are not weak in any alphabet', async (t) => {
  for (let at = 0; at < 2000; at++)
    for (const text of [
      randomBytes(32).toString('hex'),
      randomBytes(16).toString('base64url'),
      randomBytes(12).toString('base64'),
      crypto.randomUUID(),
      newSecret('operatorToken'),
      String(randomBytes(16).reduce((sum, byte) => sum * 256n + BigInt(byte), 1n)),
    ])
      if (isWeakSecret(text)) t.fail(text)
  // Seven different digits.
  const sevenDigits = '574248585634732574342268342335434244852'
  for (const text of [sevenDigits, 'correct-horse-battery-staple', 'of-a-file-that-ends-so-0123'])
    t.equal(isWeakSecret(text), false, text)
})
