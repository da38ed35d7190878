// The sentence of a decision follows the boxes: the server says what is ticked. The page works without this script.
const main = document.querySelector('main')
const sum = main.querySelector('[data-sentence]')
const form = main.querySelector('form:has([name="decision"])')
let turn = 0

const asked = () => {
  const data = new FormData(form)
  const places = data.getAll('workspace_ids').filter((one) => one !== '')
  const isList = form.querySelector('[name="workspace_ids"]') !== null && !places.includes('*')
  const all = form.querySelectorAll('.options [name="workspace_ids"]').length
  const isLater = data.has('later_workspaces') && places.length === all
  const query = new URLSearchParams(data.getAll('permissions').map((one) => ['permissions', one]))
  if (isList) query.set('places', String(places.length))
  if (isLater) query.set('later', '1')
  return query
}

const spoken = (part) => {
  if (typeof part === 'string') return part
  const name = document.createElement('bdi')
  name.textContent = part.name
  return name
}

const say = async () => {
  const own = ++turn
  main.classList.remove('follows')
  const response = await fetch(`${sum.dataset.sentence}?${asked()}`)
  if (!response.ok || own !== turn) return
  const sentences = await response.json()
  if (own !== turn) return
  sum.replaceChildren(...sentences.flatMap((one) => [...one.map(spoken), ' ']))
  main.classList.add('follows')
}

// A page may begin with less than the sentence says: its style sheet hides the sentence then.
if (getComputedStyle(sum).visibility === 'hidden') void say().catch(() => undefined)
form.addEventListener('change', () => void say().catch(() => undefined))
// A page restored by "back" keeps its earlier ticks.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) void say().catch(() => undefined)
})
