// Copies the secret on the page that shows it once. The page works without this script.
const field = document.getElementById('secret')
const button = document.getElementById('copy')
const status = document.getElementById('copy-status')

const copy = async () => {
  field.select()
  // The clipboard API exists only in secure contexts.
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

// The browser keeps the page for "back". It must not keep the secret.
window.addEventListener('pagehide', () => {
  field.value = ''
  document.getElementById('download').removeAttribute('href')
})
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
