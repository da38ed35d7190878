import type { FastifyInstance } from 'fastify'
import { Conflict, found, Invalid, NotFound } from '../../core/language/service-errors.ts'
import { mostTestPeople } from '../../core/organizations/test-people.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import { linked, table, words } from '../rendering/forms/blocks.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import { fieldRefusal } from '../rendering/forms/form-page.ts'
import { environmentFile, secretPart } from '../rendering/forms/secret-page.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import type { UserVisit } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'
import { createDeveloperForms, showDeveloper } from './form.ts'
import { type Gate, sandboxGate } from './gate.ts'

const path = '/developer/sandbox'
const doneAt = (done: string) => `/developer?done=sandbox_${done}`
const peoplePath = `${path}/people`
const shownAt = (handover: string) => `${peoplePath}/added?${new URLSearchParams({ handover })}`

/** The pages on which the owner of a sandbox adds and removes test people. */
const developerTestPeople = (scope: FastifyInstance, deps: PageServices) => {
  const { browser, sandboxes, testPeople, oneTimeTestPeople, recentSignIn } = deps
  const guarded = sandboxGate(deps)
  const withSandbox: Gate<UserVisit> = (work) =>
    guarded(async (visit) =>
      (await sandboxes.ofOwner(visit.session.user.id)) ? work(visit) : leave(visit, '/developer'),
    )
  const form = createDeveloperForms(scope, deps, withSandbox)

  form(peoplePath, async ({ request, text, session, cause }) => {
    const said = text.developer.sandbox.people
    const people = await testPeople.ofOwner(session.user.id)
    const isFull = people.length >= mostTestPeople
    return {
      heading: said.title,
      lead: said.lead(mostTestPeople),
      notice: doneNotice(request, { removed: said.removed }),
      blocks: [
        table({
          columns: [said.name, said.password.email, text.organization.keyWorkloads.action],
          rows: people.map(({ id, name, email }) => [
            name,
            email,
            linked(said.remove, `${peoplePath}/${id}/remove`, name),
          ]),
          empty: said.none,
        }),
        ...(isFull ? [words(said.full(mostTestPeople))] : []),
      ],
      fields: [
        {
          ...{ name: 'name', kind: 'text', label: said.name, most: 100 },
          ...{ isRequired: true, missing: said.nameFault },
        },
      ],
      submit: isFull ? null : said.add,
      cancelUrl: null,
      back: { label: said.back, href: '/developer' },
      secret: { oneTime: oneTimeTestPeople, shownAt },
      work: async ({ name }, { handover, mark }) => {
        try {
          const person = { ownerId: session.user.id, name: String(name), form: handover }
          const made = await testPeople.add(person, cause)
          await oneTimeTestPeople.offer(handover, made, mark)
          return shownAt(handover)
        } catch (error) {
          if (error instanceof Invalid) return fieldRefusal('name', said.nameFault)
          if (!(error instanceof Conflict)) throw error
          // The second click of a double click leads to the person that the first one added.
          return error.reason === 'email_taken' ? shownAt(handover) : peoplePath
        }
      },
    }
  })

  form(`${peoplePath}/:user_id/remove`, async ({ request, text, session, cause }) => {
    const { user_id: id } = request.params as { user_id: string }
    const people = await testPeople.ofOwner(session.user.id)
    const person = found(people.find((one) => one.id === id) ?? null, 'test person')
    const { title, removal } = text.developer.sandbox.people
    const { heading, lead, submit } = removal
    return {
      ...{ title, heading: heading(person.name), lead, submit },
      ...{ fields: [], isDanger: true, cancelUrl: peoplePath },
      work: async () => {
        await testPeople.remove({ ownerId: session.user.id, id }, cause)
        return `${peoplePath}?done=removed`
      },
    }
  })

  /** Shows the password once, and answers 410 to every later request. */
  const showPassword = async (visit: UserVisit) => {
    const { request, reply, text, session } = visit
    if (!recentSignIn.isRecent(session)) return recentSignIn.askAgain(reply, peoplePath)
    const { people } = text.developer.sandbox
    const said = people.password
    const mark = browser.sessionMark(request)
    const made = await oneTimeTestPeople.take(queried(request, 'handover'), mark)
    const secret = made && {
      heading: said.heading(made.name),
      shown: {
        idLabel: said.email,
        clientId: made.email,
        secretLabel: said.label,
        secret: made.password,
        usage: said.usage,
        ...environmentFile(made.email.replace(/@.*/, ''), made.name, {
          EMAIL: made.email,
          PASSWORD: made.password,
        }),
      },
      lost: said.lost,
      backUrl: peoplePath,
    }
    const part = secretPart(secret, { ...text.developer.secret, back: people.link }, peoplePath)
    return showDeveloper(deps, visit, { title: said.title, ...part })
  }
  scope.get(`${peoplePath}/added`, withSandbox(showPassword))
}

/** The pages on which an owner of an app creates and deletes a sandbox, and adds its people. */
export const developerSandbox = (scope: FastifyInstance, deps: PageServices) => {
  const { sandboxes } = deps
  const form = createDeveloperForms(scope, deps, sandboxGate(deps))

  form(path, async ({ text, session, cause }) => {
    const { creation, names } = text.developer.sandbox
    if (await sandboxes.ofOwner(session.user.id)) return doneAt('exists')
    const { title, heading, lead, submit } = creation
    return {
      ...{ title, heading, lead, submit, fields: [], cancelUrl: '/developer' },
      work: async () => {
        try {
          await sandboxes.create(session.user.id, names, cause)
          return doneAt('created')
        } catch (error) {
          // The second click of a double click finds the sandbox that the first one made.
          if (error instanceof Conflict) return doneAt('exists')
          throw error
        }
      },
    }
  })

  form(`${path}/delete`, async ({ text, session, cause }) => {
    const sandbox = await sandboxes.ofOwner(session.user.id)
    if (!sandbox) return doneAt('deleted')
    const { title, heading, lead, submit } = text.developer.sandbox.deletion
    return {
      ...{ title, heading: heading(sandbox.name), lead, submit },
      ...{ fields: [], isDanger: true, cancelUrl: '/developer' },
      work: async () => {
        try {
          await sandboxes.remove(session.user.id, cause)
        } catch (error) {
          if (!(error instanceof NotFound)) throw error
        }
        return doneAt('deleted')
      },
    }
  })

  developerTestPeople(scope, deps)
}
