import {
  createVisitor,
  formFields,
  mainForm,
  type VisitedPage,
  type Visitor,
  whileBusy,
} from './visitor.ts'

/** A browser in which this user has signed in. */
export const signedIn = async (
  origin: string,
  person: { email: string; password: string },
): Promise<Visitor> => {
  const visitor = createVisitor(origin)
  await whileBusy(() => signIn(visitor, person))
  return visitor
}

/** Sends the sign-in form. */
export const signIn = async (
  visitor: Visitor,
  person: { email: string; password: string },
  headers: Record<string, string> = {},
): Promise<VisitedPage> => {
  const page = await visitor.get('/login')
  return visitor.submit(page, { email: person.email, password: person.password }, headers)
}

/** The form of a page with these fields filled in. */
export const filled = (page: VisitedPage, fields: Record<string, string>): URLSearchParams =>
  new URLSearchParams([
    ...formFields(mainForm(page)).filter(([name]) => !(name in fields)),
    ...Object.entries(fields),
  ])

/** Approves on a page without following the redirect. */
export const approve = async (visitor: Visitor, page: VisitedPage): Promise<URL> => {
  const action = new URL(mainForm(page).getAttribute('action') ?? '', page.url)
  const body = filled(page, { decision: 'approve' })
  const response = await visitor.fetch(action, { method: 'POST', body })
  return new URL(response.headers.get('location') ?? '', page.url)
}
