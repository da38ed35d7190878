// The playground: GraphiQL, and a header that signs in and shows what the token may do.
import { GraphiQL } from 'graphiql'
import { getOperationAST, parse } from 'graphql'
import { createClient } from 'graphql-ws'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createCurrentSignIn, createLegacySignIn, isLegacyResponse } from './sign-in.mjs'

const { issuer, clientIds } = await (await fetch('/playground/settings.json')).json()
const arrived = new URL(location.href)
const hasResponse = /[?&#](code|access_token|error)=/.test(location.href)
const isLegacy = hasResponse
  ? isLegacyResponse()
  : arrived.searchParams.get('interface') === 'legacy'
const id = isLegacy ? clientIds.legacy : clientIds.current

const [status, main] = [document.querySelector('p'), document.querySelector('main')]
const [signInButton, signOutButton] = document.querySelectorAll('button')
document.querySelector('#apps').setAttribute('href', new URL('/account/apps', issuer).href)
document.querySelectorAll('nav a')[isLegacy ? 1 : 0].ariaCurrent = 'page'

const say = (text) => status.replaceChildren(text)
const attempt = (work) => work().catch((error) => say(error.error_description ?? error.message))

const memory = { tokens: null, refreshing: null }
const createSignIn = isLegacy ? createLegacySignIn : createCurrentSignIn
const failed = ({ message }) => {
  say(message)
  return null
}
const signIn = id ? await createSignIn({ issuer, id }).catch(failed) : null

const accessToken = async () => {
  const { tokens } = memory
  if (tokens?.expiresIn?.() < 60)
    // One refresh at a time: a refresh token is valid once.
    memory.refreshing ??= signIn
      .refresh(tokens)
      .then((newer) => Object.assign(memory, { tokens: newer }))
      .finally(() => Object.assign(memory, { refreshing: null }))
  await memory.refreshing
  return memory.tokens?.access_token
}

const url = new URL('/graphql', location.href)
const wsUrl = new URL(url)
wsUrl.protocol = url.protocol.replace('http', 'ws')
const subscriptions = createClient({ url: wsUrl.href })

const post = async (question, headers = {}) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  return response.json()
}

/** The current interface takes the token from a header, the legacy one from a variable. */
const fetcher = async (question, options = undefined) => {
  const token = await accessToken()
  const isOwn = !token || question.variables?.secretKey !== undefined
  const variables = isLegacy && !isOwn && { accessToken: token, ...question.variables }
  const sent = variables ? { ...question, variables } : question
  const operation = getOperationAST(parse(question.query), question.operationName)
  if (operation?.operation === 'subscription') return subscriptions.iterate(sent)
  return post(sent, {
    ...(!isLegacy && token && { authorization: `Bearer ${token}` }),
    ...options?.headers,
  })
}

/** The names of the workspaces that the token reaches, from the API itself. */
const workspaceNames = async () => {
  const { data } = await fetcher({ query: '{ workspaces { name } }' })
  return data?.workspaces?.map(({ name }) => name) ?? []
}

const show = async () => {
  const isSignedIn = memory.tokens !== null
  signInButton.hidden = !signIn || isSignedIn
  signOutButton.hidden = !isSignedIn
  if (isSignedIn) {
    const permissions = memory.tokens.scope?.replaceAll(' ', ', ') || 'reading only'
    const workspaces = isLegacy ? [] : await workspaceNames()
    say(
      isLegacy
        ? `Permissions: ${permissions}`
        : `Permissions: ${permissions}. Workspaces: ${workspaces.join(', ') || 'none'}`,
    )
  } else if (!id) {
    const name = isLegacy ? 'PLAYGROUND_LEGACY_CLIENT_ID' : 'PLAYGROUND_CLIENT_ID'
    const place = isLegacy ? 'as the variable accessToken' : 'as the header authorization'
    say(
      `To sign in here, register a public app with the redirect URI ${arrived.origin}/playground and set ${name}. Or give a token ${place}.`,
    )
  } else if (signIn) say('Signed out')
}

signInButton.onclick = () => attempt(async () => location.assign(await signIn.start()))
signOutButton.onclick = () =>
  attempt(async () => {
    const { tokens } = memory
    memory.tokens = null
    await show()
    await signIn.end(tokens)
  })

const defaultQuery = isLegacy
  ? '{\n  databases {\n    _id\n    name\n    fields {\n      _id\n      name\n      type\n    }\n  }\n}\n'
  : '{\n  workspaces {\n    id\n    name\n  }\n}\n'
const prefix = isLegacy ? 'legacy' : 'current'
/** Ends with the tab. Each interface has its own queries. */
const storage = {
  getItem: (key) => sessionStorage.getItem(`${prefix} ${key}`),
  setItem: (key, value) => sessionStorage.setItem(`${prefix} ${key}`, value),
  removeItem: (key) => sessionStorage.removeItem(`${prefix} ${key}`),
  clear: () => {},
  get length() {
    return sessionStorage.length
  },
}

if (hasResponse) {
  history.replaceState(null, '', isLegacy ? '/playground?interface=legacy' : '/playground')
  if (signIn)
    await attempt(async () => Object.assign(memory, { tokens: await signIn.finish(arrived) }))
}
if (memory.tokens || !hasResponse) await attempt(show)
else signInButton.hidden = !signIn
createRoot(main).render(createElement(GraphiQL, { fetcher, defaultQuery, storage }))
