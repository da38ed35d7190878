import { type Answers, createVisitor, formFields, walk } from '../../support/visitor.ts'

const arrived = async (url: string | URL, person: Answers) => {
  const { origin } = new URL(url)
  return walk(createVisitor(origin), url, person)
}

/** The URL at the redirect URI after the library has sent the user's browser to `url`. */
export const callbackOf = async (url: string | URL, person: Answers): Promise<URL> => {
  const { left, status, url: last } = await arrived(url, person)
  if (!left) throw new Error(`not back at the app: ${status} ${last.href}`)
  return left
}

/** The same for `response_mode=form_post`: the request that the browser sends to the app. */
export const postedCallbackOf = async (url: string | URL, person: Answers): Promise<Request> => {
  const { dom } = await arrived(url, person)
  const form = dom.querySelector('form')
  if (!form) throw new Error('no form that leads back to the app')
  const body = new URLSearchParams(formFields(form))
  return new Request(form.getAttribute('action') ?? '', { method: 'POST', body })
}

/** The error that a library throws. Fails the test if it does not throw. */
export const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: unknown) => error,
  )
