import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { Conflict, Invalid, NotFound } from '../../../core/language/service-errors.ts'
import type { OneTimeSecrets } from '../../../core/organizations/one-time-secrets.ts'
import {
  mostTestPeople,
  type NewTestPerson,
  type TestPeople,
} from '../../../core/organizations/test-people.ts'
import { causeOf } from '../../browser/browser.ts'
import { accountTabs } from '../account/account-tabs.ts'
import { field, queried } from '../rendering/forms.ts'
import { textOf } from '../rendering/reader-text.ts'
import { testPersonFile } from '../rendering/secret-file.ts'
import {
  type DeveloperSandboxDependencies,
  type SandboxVisit,
  sandboxGate,
} from './sandbox-gate.ts'

export interface DeveloperTestPeopleDependencies extends DeveloperSandboxDependencies {
  testPeople: TestPeople
  oneTimeTestPeople: OneTimeSecrets<NewTestPerson>
}

const path = '/developer/sandbox/people'

/** The pages on which the owner of a sandbox adds and removes test people. */
export const developerTestPeople = (
  scope: FastifyInstance,
  deps: DeveloperTestPeopleDependencies,
) => {
  const { browser, renderer, sandboxes, testPeople, oneTimeTestPeople } = deps
  const guarded = sandboxGate(deps)

  const redirect = (reply: FastifyReply, to: string) =>
    reply.header('cache-control', 'no-store').redirect(to, 303)

  const withSandbox = (work: (visit: SandboxVisit) => Promise<FastifyReply>) =>
    guarded(async (visit) =>
      (await sandboxes.ofOwner(visit.session.user.id))
        ? work(visit)
        : redirect(visit.reply, '/developer'),
    )

  const list = async ({ request, reply, session }: SandboxVisit, error: string | null = null) => {
    const text = textOf(request)
    const words = text.developer.sandbox.people
    const people = await testPeople.ofOwner(session.user.id)
    return renderer.page(
      request,
      reply,
      'developer-test-people',
      { session, title: words.title, ...(error !== null && { status: 400 }) },
      {
        tabs: await accountTabs(text, 'developer', session, deps),
        notice:
          queried(request, 'done') === 'removed' ? { words: words.removed, tone: 'good' } : null,
        lead: words.lead(mostTestPeople),
        people: people.map(({ id, name, email }) => ({
          name,
          email,
          removeUrl: `${path}/${id}/remove`,
        })),
        full: people.length < mostTestPeople ? null : words.full(mostTestPeople),
        action: path,
        handover: oneTimeTestPeople.newName(),
        given: field(request, 'name'),
        error,
        field: error === null ? null : '#name',
        backUrl: '/developer',
      },
    )
  }

  const add = async (visit: SandboxVisit) => {
    const { request, reply, session } = visit
    const words = textOf(request).developer.sandbox.people
    const [handover, mark] = [field(request, 'handover'), browser.sessionMark(request)]
    const shownAt = `${path}/added?${new URLSearchParams({ handover })}`
    const name = field(request, 'name').trim()
    try {
      const cause = causeOf(request, session)
      const made = await testPeople.add(session.user.id, name, handover, cause)
      await oneTimeTestPeople.offer(handover, made, mark)
      return redirect(reply, shownAt)
    } catch (error) {
      if (error instanceof Invalid) return list(visit, words.nameFault)
      if (!(error instanceof Conflict)) throw error
      // The second click of a double click leads to the person that the first one added.
      return redirect(reply, error.reason === 'email_taken' ? shownAt : path)
    }
  }

  /** Shows the password once, and answers 410 to every later request. */
  const showPassword = async ({ request, reply, session }: SandboxVisit) => {
    const text = textOf(request)
    const words = text.developer.sandbox.people.password
    const tabs = await accountTabs(text, 'developer', session, deps)
    // The last step, because the password can be shown only once.
    const mark = browser.sessionMark(request)
    const made = await oneTimeTestPeople.take(queried(request, 'handover'), mark)
    const shown = made && {
      idLabel: words.email,
      clientId: made.email,
      secretLabel: words.label,
      secret: made.password,
      usage: words.usage,
      ...testPersonFile(made),
    }
    return renderer.page(
      request,
      reply,
      'developer-test-person',
      { session, title: words.title, ...(shown ? { withScript: true } : { status: 410 }) },
      { tabs, heading: words.heading(made?.name ?? ''), shown, others: [], backUrl: path },
    )
  }

  const idIn = (request: FastifyRequest) => {
    const { user_id: id } = request.params as { user_id: string }
    if (!isIdShaped(id)) throw new NotFound('test person')
    return id
  }

  const askRemove = async ({ request, reply, session }: SandboxVisit) => {
    const id = idIn(request)
    const person = (await testPeople.ofOwner(session.user.id)).find((one) => one.id === id)
    if (!person) return renderer.notFound(request, reply)
    const text = textOf(request)
    const { title, removal } = text.developer.sandbox.people
    const { heading, lead, submit, cancel } = removal
    return renderer.page(
      request,
      reply,
      'developer-confirm',
      { session, title },
      {
        tabs: await accountTabs(text, 'developer', session, deps),
        action: `${path}/${id}/remove`,
        backUrl: path,
        heading: heading(person.name),
        lead: [lead],
        submit,
        cancel,
        isDanger: true,
      },
    )
  }

  const remove = async ({ request, reply, session }: SandboxVisit) => {
    try {
      await testPeople.remove(session.user.id, idIn(request), causeOf(request, session))
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      return renderer.notFound(request, reply)
    }
    return redirect(reply, `${path}?done=removed`)
  }

  scope.get(
    path,
    withSandbox((visit) => list(visit)),
  )
  scope.post(path, withSandbox(add))
  scope.get(`${path}/added`, withSandbox(showPassword))
  scope.get(`${path}/:user_id/remove`, withSandbox(askRemove))
  scope.post(`${path}/:user_id/remove`, withSandbox(remove))
}
