import type { Person } from '../cast.ts'
import { password, people } from '../cast.ts'
import { chapters, pathOf } from './chapters.ts'
import {
  asCurl,
  type Exchange,
  headersOf,
  type PlannedRequest,
  prettyShort,
  shorten,
} from './exchange.ts'
import { explainToken } from './explain.ts'
import { addressOf, type Chapter, type Departure, type Scene, type Step } from './step.ts'
import type { Subscription } from './subscription.ts'

/** View data of a request, before or after it was sent. */
const plannedView = (request: PlannedRequest) => ({
  label: request.label,
  method: 'POST',
  url: request.url,
  headers: headersOf(request).map(([name, value]) => [name, shorten(value)]),
  form: request.form,
  operation: request.operation && {
    query: request.operation.query,
    variables: prettyShort(request.operation.variables),
  },
  curl: asCurl(request),
})

const answerView = (exchange: Exchange, scene: Scene) => ({
  status: `${exchange.status} ${exchange.statusWords}`,
  good: exchange.status < 300,
  headers: exchange.answerHeaders,
  json: prettyShort(exchange.json),
  exact: exchange.body,
  token: explainToken(exchange.json.access_token, scene.seeded.names),
})

const subscriptionView = ({ query, variables, state, since, error }: Subscription) => ({
  query,
  variables: prettyShort(variables),
  state,
  time: `${since.toISOString().slice(11, 19)} UTC`,
  error: error === null ? null : JSON.stringify(error, null, 2),
})

const departureView = (departure: Departure) => ({
  endpoint: departure.endpoint,
  query: departure.query,
  address: addressOf(departure),
  variants: departure.variants.map(({ label, extra }) => ({
    label,
    address: addressOf(departure, extra),
  })),
})

const peopleView = Object.values(people).map(({ email, part }: Person) => ({
  email,
  part,
  password,
}))

/** The list of steps beside the current step. */
const railView = (chapter: Chapter, here: Step, scene: Scene) =>
  chapter.steps.map((step, at) => {
    const path = pathOf(chapter, step)
    const done = scene.visit.shown.has(path)
    return { number: at + 1, path, label: step.short, here: step === here, done }
  })

const nextView = (chapter: Chapter, here: Step) => {
  const next = chapter.steps[chapter.steps.indexOf(here) + 1]
  return next
    ? { label: next.short, href: pathOf(chapter, next) }
    : { label: 'All flows', href: '/' }
}

/** View data of the redirect. */
const returnedView = (scene: Scene) => {
  const { returned } = scene.track
  if (!returned) return null
  const parameters = returned.parameters.map(([name, value]) => ({ name, value }))
  const refused = parameters.find(({ name }) => name === 'error')?.value ?? null
  return { url: returned.url, parameters, refused }
}

const deniedWords = {
  title: 'Access denied',
  lead: 'The browser returned without a code. The app learns that access was denied, and nothing about the user.',
}

/** View data of a step's page. */
export const stepView = (chapter: Chapter, step: Step, scene: Scene) => {
  const path = pathOf(chapter, step)
  const exchanges = scene.visit.shown.get(path) ?? []
  const blocked = step.blocked?.(scene) ?? null
  const leaves =
    step.kind === 'go'
      ? step.departure(scene)
      : step.kind === 'send'
        ? (step.departure?.(scene, exchanges) ?? null)
        : null
  const subscription = step.kind === 'send' && step.subscription && scene.visit.subscription
  const planned = step.kind === 'send' && !blocked ? step.plan(scene) : []
  const returned = step.kind === 'return' ? returnedView(scene) : null
  return {
    ...(returned?.refused ? deniedWords : { title: step.title, lead: step.lead }),
    kind: step.kind,
    path,
    chapter: chapter.title,
    number: chapter.steps.indexOf(step) + 1,
    total: chapter.steps.length,
    button: step.kind === 'send' ? step.button : null,
    blocked,
    planned: planned.map(plannedView),
    exchanges: exchanges.map((one) => ({ ...plannedView(one), answer: answerView(one, scene) })),
    lesson: step.kind !== 'go' && exchanges.length > 0 ? step.lesson(exchanges) : [],
    subscription: subscription ? subscriptionView(subscription) : null,
    departure: leaves && departureView(leaves),
    returned,
    people: step.kind === 'go' ? peopleView : [],
    tries: step.tries?.(scene) ?? [],
    next: nextView(chapter, step),
    rail: railView(chapter, step, scene),
  }
}

/** View data of the first page: the users and the flows. */
export const startView = (dataApi: string | null) => ({
  title: 'See how apps get access',
  people: peopleView,
  playground: dataApi && new URL('/playground', dataApi).href,
  chapters: Object.values(chapters).map((chapter) => ({
    name: chapter.name,
    title: chapter.title,
    steps: chapter.steps.map((step) => ({ label: step.short, path: pathOf(chapter, step) })),
  })),
})
