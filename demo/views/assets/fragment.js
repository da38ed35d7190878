// Shows the parameters after the # and removes them from the address bar, and so from the history.
import { addRow, claimsOf } from './wire.js'

const panel = document.querySelector('#fragment')
const parameters = new URLSearchParams(location.hash.slice(1))
history.replaceState(null, '', location.pathname)

const fault = () => {
  if (![...parameters].length) return 'There is nothing after the #. Start at the step.'
  if (parameters.get('state') !== panel.dataset.state)
    return 'The state is not the one that was sent, so a real app stops here.'
  if (parameters.has('error')) return `The answer is an error: ${parameters.get('error')}.`
  return null
}

for (const [name, value] of parameters) addRow(panel.querySelector('dl'), name, value)
const found = fault()
const status = panel.querySelector('[role="status"]')
status.className = found === null ? 'checked' : 'notice'
status.textContent = found ?? 'The state is the one that was sent, so this answers our own request.'
const token = parameters.get('access_token')
if (token) {
  panel.querySelector('pre').textContent = JSON.stringify(claimsOf(token), null, 2)
  panel.querySelector('.inside').hidden = false
}
panel.hidden = false
