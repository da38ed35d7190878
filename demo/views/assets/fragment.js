// Shows the parameters after the # and removes them from the address bar, and so from the history.
const panel = document.querySelector('#fragment')
const parameters = new URLSearchParams(location.hash.slice(1))
history.replaceState(null, '', location.pathname)

const decode = (part) => {
  const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.codePointAt(0),
  )
  return JSON.parse(new TextDecoder().decode(bytes))
}

const fault = () => {
  if (![...parameters].length) return 'There is nothing after the #. Start at the step.'
  if (parameters.get('state') !== panel.dataset.state)
    return 'The state is not the one that was sent, so a real app stops here.'
  if (parameters.has('error')) return `The answer is an error: ${parameters.get('error')}.`
  return null
}

for (const [name, value] of parameters) {
  const row = document.createElement('div')
  const term = document.createElement('dt')
  const detail = document.createElement('dd')
  term.textContent = name
  detail.textContent = value
  detail.className = 'code'
  row.append(term, detail)
  panel.querySelector('dl').append(row)
}
const found = fault()
const status = panel.querySelector('[role="status"]')
status.className = found === null ? 'checked' : 'notice'
status.textContent = found ?? 'The state is the one that was sent, so this answers our own request.'
const token = parameters.get('access_token')
if (token) {
  panel.querySelector('pre').textContent = JSON.stringify(decode(token.split('.')[1]), null, 2)
  panel.querySelector('.inside').hidden = false
}
panel.hidden = false
