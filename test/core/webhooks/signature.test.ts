import { Webhook as Verifier } from 'standardwebhooks'
import t from 'tap'
import { newWebhookSecret, signWebhook } from '../../../src/core/webhooks/signature.ts'

const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

t.test('signs the reference example of the specification', async (t) => {
  const message = { id, timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
  t.equal(signWebhook(message, [secret]), 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

t.test('a verifying library accepts it with any of the secrets only', async (t) => {
  const [one, two, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
  const timestamp = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ type: 'install.created', data: { name: 'Žofie 🌻 "x"' } })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook({ id, timestamp, body }, [one, two]),
  }
  t.match(headers['webhook-signature'], /^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
  for (const good of [one, two]) t.same(new Verifier(good).verify(body, headers), JSON.parse(body))
  t.throws(() => new Verifier(other).verify(body, headers))
  t.throws(() => new Verifier(one).verify(`${body} `, headers), 'another body')
  t.throws(() => new Verifier(one).verify(body, { ...headers, 'webhook-id': 'msg1' }), 'another id')
  const later = { ...headers, 'webhook-timestamp': String(timestamp + 1) }
  t.throws(() => new Verifier(one).verify(body, later), 'another time')
})

t.test('a secret has 256 random bits after its prefix', async (t) => {
  const secrets = Array.from({ length: 50 }, () => newWebhookSecret())
  t.equal(new Set(secrets).size, secrets.length)
  for (const one of secrets) {
    t.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
    t.equal(Buffer.from(one.slice(6), 'base64').length, 32)
  }
  t.equal(
    newWebhookSecret(() => Buffer.alloc(32)),
    `whsec_${Buffer.alloc(32).toString('base64')}`,
  )
})
