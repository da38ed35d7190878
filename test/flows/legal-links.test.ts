/** The pages where people decide link to the app's own privacy policy and terms. */
import { beginDevice } from '../support/device.ts'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import type { VisitedPage } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const policy_uri = 'https://legal.example/privacy'

const linksOn = ({ dom }: VisitedPage) =>
  dom.querySelectorAll('.app-legal a').map((link) => ({
    href: link.getAttribute('href'),
    rel: link.getAttribute('rel'),
    target: link.getAttribute('target') ?? null,
    words: link.parentNode?.textContent.replace(/\s+/g, ' ').trim(),
  }))

const headingOf = ({ dom }: VisitedPage) => dom.querySelector('h1')?.textContent ?? ''

await onEachBackend('privacy policy and terms', async (t, { running, issuer, world }) => {
  const app = await createApp(running, {
    name: 'Careful',
    policy_uri,
    redirect_uris: ['https://careful.example/cb'],
    tos_uri: 'https://careful.example/terms',
    device_flow: true,
  })
  const visitor = await signedIn(issuer, world.kim)
  const url = () => authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })
  const [rel, target] = ['noopener noreferrer', null]
  const links = [
    { href: policy_uri, rel, target, words: 'Privacy Careful (legal.example)' },
    { href: 'https://careful.example/terms', rel, target, words: 'Terms Careful' },
  ]
  const installPage = await visitor.get(url())
  t.match(headingOf(installPage), /^Install Careful in/)
  t.same(linksOn(installPage), links)

  await install(running, world.acme, app)
  const consent = await visitor.get(url())
  t.notMatch(headingOf(consent), /^Install/)
  t.same(linksOn(consent), links, 'the consent page')

  const { body } = await beginDevice(issuer, app)
  const entry = await visitor.get(body.verification_uri_complete)
  const device = await visitor.submit(entry, {})
  t.match(device.text, body.user_code)
  t.same(linksOn(device), links, 'the page for a device')

  await running.operator('PATCH', `/apps/${app.client_id}`, { policy_uri: null, tos_uri: null })
  t.same(linksOn(await visitor.get(url())), [])
})
