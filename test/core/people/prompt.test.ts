import t from 'tap'
import { interactionError, parsePrompt, wantsNewSignIn } from '../../../src/core/people/prompt.ts'

t.test('prompt is a set of pages, or none (OpenID Connect Core §3.1.2.1)', async (t) => {
  const cases: [string | undefined, ReturnType<typeof parsePrompt>][] = [
    [undefined, { prompts: [], isSilent: false }],
    ['', { prompts: [], isSilent: false }],
    ['login', { prompts: ['login'], isSilent: false }],
    ['consent  select_account', { prompts: ['consent', 'select_account'], isSilent: false }],
    ['login login', { prompts: ['login'], isSilent: false }],
    ['none', { prompts: [], isSilent: true }],
    ['none none', { prompts: [], isSilent: true }],
  ]
  for (const [sent, expected] of cases) t.same(parsePrompt(sent), expected, String(sent))
})

t.test('none cannot be combined, and an unknown value is an error', async (t) => {
  const beside = ['none login', 'consent none', 'none select_account login']
  const unknown = ['NONE', 'create', 'login\tconsent', '__proto__', 'login bogus', 'none\0']
  for (const sent of [...beside, ...unknown])
    t.throws(() => parsePrompt(sent), { name: 'OAuthError', code: 'invalid_request' }, sent)
})

t.test(
  'a silent request gets an error that needs a page without naming it (§3.1.2.6)',
  async (t) => {
    const cases = [
      ['sign_in', 'login_required'],
      ['choose_organization', 'interaction_required'],
      ['install', 'interaction_required'],
      ['ask_admin', 'interaction_required'],
      ['paused', 'interaction_required'],
      ['out_of_reach', 'interaction_required'],
      ['consent', 'interaction_required'],
    ] as const
    for (const [page, error] of cases) t.equal(interactionError(page), error, page)
  },
)

t.test('prompt=login is satisfied by a sign-in since the request began', async (t) => {
  t.equal(wantsNewSignIn(['login'], 1000, 1001), true, 'before it')
  t.equal(wantsNewSignIn(['login'], 1001, 1001), false, 'since')
  t.equal(wantsNewSignIn(['login'], 1001, undefined), true, 'nothing has started')
  t.equal(wantsNewSignIn(['consent'], 1000, 1001), false, 'not requested')
})
