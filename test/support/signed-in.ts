import { createVisitor, type VisitedPage, type Visitor } from './visitor.ts'

/** A browser in which this person has signed in. */
export const signedIn = async (
  origin: string,
  person: { email: string; password: string },
): Promise<Visitor> => {
  const visitor = createVisitor(origin)
  await signIn(visitor, person)
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
