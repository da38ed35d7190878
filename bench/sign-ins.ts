import { setTimeout as sleep } from 'node:timers/promises'
import { operatorToken } from './program.ts'

export interface Person {
  email: string
  password: string
}

/** Calls the Operator API. @returns the parsed answer; {} for an empty one */
export const operate = async (
  port: number,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/admin/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${operatorToken}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

/** Creates users who sign in with a password. */
export const createPeople = async (port: number, count: number): Promise<Person[]> => {
  const people: Person[] = []
  for (let at = 0; at < count; at++) {
    const person = { email: `reader-${at}@bench.test`, password: `orange teapot ${at} on a hill` }
    await operate(port, 'POST', '/users', { ...person, name: `Reader ${at}` })
    people.push(person)
  }
  return people
}

const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')

/** @returns the status of the answer to the form */
const sendForm = async (port: number, { email, password }: Person): Promise<number> => {
  const url = `http://127.0.0.1:${port}/login`
  const page = await fetch(url)
  const token = /name="_csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(page) },
    body: new URLSearchParams({ _csrf: token, return_to: '/', email, password }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/**
 * Reads the sign-in page and sends its form, as a browser does. While the server refuses it because of too many
 * sign-ins (503), the user tries again.
 */
export const signIn = async (port: number, person: Person): Promise<void> => {
  let status = await sendForm(port, person)
  for (; status === 503; status = await sendForm(port, person)) await sleep(200)
  if (status !== 303) throw new Error(`the sign-in was answered with ${status}`)
}

/** Signs users in, some at once. */
export const signInOften = async (
  port: number,
  people: readonly Person[],
  count: number,
  atOnce: number,
): Promise<void> => {
  let next = 0
  const lane = async () => {
    while (next < count) await signIn(port, people[next++ % people.length] as Person)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
