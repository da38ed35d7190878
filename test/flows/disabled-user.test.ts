import { currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'

await onEachBackend(
  'a user is disabled and enabled again',
  async (t, { running, issuer, world }) => {
    const { operator, urls } = running
    const { ana, kim, acme, confidential, second } = world
    const set = (disabled: boolean) => operator('PATCH', `/users/${ana.id}`, { disabled })
    const stays = async (visitor: Awaited<ReturnType<typeof signedIn>>) =>
      Promise.all(
        urls.map(async (url) => (await visitor.fetch(`${url}/account/apps`)).status === 200),
      )

    const browsers = [await signedIn(issuer, ana), await signedIn(issuer, ana)]
    const bystander = await signedIn(issuer, kim)
    const tokensOf = async (app: typeof confidential) => {
      const { code, verifier } = await currentCode(running, app, ana)
      return (await exchangeCode(issuer, app, { code, verifier })).body
    }
    const [quiet, shown] = [await tokensOf(confidential), await tokensOf(second)]
    for (const browser of browsers) t.same(await stays(browser), [true, true])

    t.equal((await set(true)).status, 200)
    for (const browser of browsers) t.same(await stays(browser), [false, false])
    t.equal((await refresh(issuer, second, shown.refresh_token)).body.error, 'invalid_grant')

    t.equal((await set(false)).status, 200)
    for (const browser of browsers)
      t.same(
        await stays(browser),
        [false, false],
        'the sessions are gone for good on every instance',
      )
    t.same(await stays(bystander), [true, true], 'sessions of other users stay')
    t.same(await stays(await signedIn(issuer, ana)), [true, true], 'a new session can be opened')

    const later = await refresh(urls[1] as string, confidential, quiet.refresh_token)
    t.match(
      later.body,
      { organization_id: acme },
      'a grant that was not used meanwhile is valid again',
    )
    const ended = await refresh(issuer, second, shown.refresh_token)
    t.equal(ended.body.error, 'invalid_grant', 'a grant that was used meanwhile stays revoked')
  },
  { instances: 2 },
)
