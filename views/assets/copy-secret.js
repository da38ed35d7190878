// Helps on the page that shows a secret once; the page works without it.
const field = document.getElementById('secret')
const button = document.getElementById('copy')
const status = document.getElementById('copy-status')

const copy = async () => {
  field.select()
  // The clipboard API is there in secure contexts only.
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value)
  else if (!document.execCommand('copy')) throw new Error('refused')
}

field.addEventListener('focus', () => field.select())
button.hidden = false
button.addEventListener('click', () => {
  copy().then(
    () => {
      status.textContent = button.dataset.copied
    },
    () => {
      status.textContent = button.dataset.failed
    },
  )
})

// A page that the browser keeps for "back" keeps no secret.
window.addEventListener('pagehide', () => {
  field.value = ''
  document.getElementById('download').removeAttribute('href')
})
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
