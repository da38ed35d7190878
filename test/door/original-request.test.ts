/** The request that a proof must name, as the headers of the proxy tell it. */
import t, { type Test } from 'tap'
import { originalRequest, sentHeaders } from '../../src/door/original-request.ts'
import { createHolder, hashOf } from '../support/dpop.ts'
import { question, startDoor } from './start-door.ts'

const api = 'https://api.example'
const forwarded = (part: Record<string, string> = {}) => ({
  'X-Forwarded-Method': 'GET',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'api.example',
  'X-Forwarded-Uri': '/records?limit=1',
  ...part,
})
const original = (part: Record<string, string> = {}) => ({
  'X-Original-Method': 'GET',
  'X-Original-URI': '/records?limit=1',
  ...part,
})
const read = (headers: Record<string, string>, origins: string[] = []) =>
  originalRequest(sentHeaders(Object.entries(headers).flat()), origins)

const request = { method: 'GET', url: `${api}/records?limit=1` }

t.test('either group of headers names the request', async (t) => {
  const good: [headers: Record<string, string>, origins: string[]][] = [
    [forwarded(), []],
    [forwarded(), [api]],
    [forwarded({ 'X-Forwarded-Host': 'api.example:443' }), [api]],
    [forwarded(), ['https://other.example', api]],
    [original(), [api]],
    [original({ 'X-Original-URI': `${api}/records?limit=1` }), []],
    [original({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'api.example' }), []],
    [{ ...forwarded(), ...original() }, []],
  ]
  for (const [headers, origins] of good)
    t.same(read(headers, origins), { request }, JSON.stringify([headers, origins]))
})

t.test('two groups of headers must name the same request', async (t) => {
  const both = { ...forwarded(), ...original() }
  for (const part of [
    { 'X-Original-URI': '/else' },
    { 'X-Original-Method': 'POST' },
    { 'X-Forwarded-Uri': '/else' },
    { 'X-Forwarded-Method': 'POST' },
    { 'X-Original-URI': 'https://evil.example/records?limit=1' },
  ])
    t.match(read({ ...both, ...part }), { fault: /two headers name/ }, JSON.stringify(part))
  const twice = [...Object.entries(forwarded()).flat(), 'x-forwarded-uri', '/records?limit=1']
  t.match(originalRequest(sentHeaders(twice), []), { fault: /is repeated/ })
})

t.test('anything that is missing or malformed is a fault', async (t) => {
  const faulty: Record<string, string>[] = [
    {},
    { 'X-Forwarded-Method': 'GET' },
    original(),
    forwarded({ 'X-Forwarded-Proto': 'wss' }),
    forwarded({ 'X-Forwarded-Proto': 'https, http' }),
    forwarded({ 'X-Forwarded-Host': 'api.example, evil.example' }),
    forwarded({ 'X-Forwarded-Host': 'user@api.example' }),
    forwarded({ 'X-Forwarded-Host': 'api.example/path' }),
    forwarded({ 'X-Forwarded-Host': '' }),
    forwarded({ 'X-Forwarded-Uri': 'records' }),
    forwarded({ 'X-Forwarded-Uri': '/re cords' }),
    forwarded({ 'X-Forwarded-Uri': '' }),
    forwarded({ 'X-Forwarded-Method': 'get' }),
    forwarded({ 'X-Forwarded-Method': '' }),
    original({ 'X-Original-URI': 'https://api.example' }),
    original({ 'X-Original-URI': 'javascript://api.example/x' }),
  ]
  for (const headers of faulty) t.ok('fault' in read(headers), JSON.stringify(headers))
})

const createBound = async (t: Test, origins: string[]) => {
  const scene = await startDoor(t, { origins })
  const holder = await createHolder()
  const token = scene.server.token({ cnf: { jkt: holder.jkt } })
  const prove = (url: string, htm = 'GET') => holder.prove(url, { htm, ath: hashOf(token) })
  const send = async (proof: string, headers: Record<string, string>) =>
    scene.ask(question, [
      ...['Authorization', `DPoP ${token}`, 'DPoP', proof],
      ...Object.entries(headers).flat(),
    ])
  return { ...scene, token, prove, send }
}

t.test('a proof for another origin is refused', async (t) => {
  const { prove, send, log } = await createBound(t, [api])
  t.equal((await send(await prove(`${api}/records`), forwarded())).status, 200)
  const evil = { 'X-Forwarded-Host': 'evil.example', Host: 'evil.example' }
  const stolen = await prove('https://evil.example/records')
  t.equal((await send(stolen, forwarded(evil))).status, 401)
  t.equal((await send(stolen, original(evil))).status, 401)
  t.ok(log.some(({ about }) => about.hint === 'the origin is not in DOOR_ORIGINS'))
})

t.test('a bound token needs a proof, and a proxy that names the request', async (t) => {
  const { prove, send, check, token, ask } = await createBound(t, [])
  const proof = await prove(`${api}/records`)
  const nameless = await send(proof, {})
  t.match(nameless, { status: 401, body: /invalid_dpop_proof/ })
  t.notMatch(
    nameless.headers['www-authenticate'],
    'algs=',
    'it does not offer what it cannot check',
  )
  t.equal((await send(proof, forwarded())).status, 200, 'the refusal did not consume the proof')
  t.equal((await send(proof, forwarded())).status, 401, 'again')
  const challenged = await send(await prove(`${api}/records`, 'POST'), forwarded())
  t.match(challenged, { status: 401, headers: { 'www-authenticate': /^DPoP .*algs=/ } })
  t.equal((await check(token)).status, 401)
  const two = ['DPoP', await prove(`${api}/records`), 'DPoP', await prove(`${api}/records`)]
  const head = ['Authorization', `DPoP ${token}`, ...Object.entries(forwarded()).flat()]
  t.equal((await ask(question, [...head, ...two])).status, 401)
  t.equal((await ask(question, head)).status, 401, 'no proof')
  t.equal((await send('not.a.proof', forwarded())).status, 401)
})

t.test('of many checks with one proof, one succeeds', async (t) => {
  const { prove, send } = await createBound(t, [])
  const proof = await prove(`${api}/records`)
  const all = await Promise.all(Array.from({ length: 50 }, () => send(proof, forwarded())))
  t.equal(all.filter(({ status }) => status === 200).length, 1)
  t.equal(all.filter(({ status }) => status === 401).length, 49)
})
