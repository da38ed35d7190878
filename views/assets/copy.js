// Copies an id beside its button, and the secret on the page that shows it once. The pages work without this script.
const secret = document.getElementById('secret')

const selectAndCopy = (field) => {
  field.select()
  return document.execCommand('copy')
}

// The clipboard API exists only in secure contexts.
const copy = async (text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.body.appendChild(document.createElement('textarea'))
  field.value = text
  const isCopied = selectAndCopy(field)
  field.remove()
  if (!isCopied) throw new Error('refused')
}

for (const button of document.querySelectorAll('[data-copied]')) {
  const status = document.getElementById(button.getAttribute('aria-describedby')) ?? button
  button.hidden = false
  button.addEventListener('click', () => {
    copy(button.dataset.copy ?? secret.value).then(
      () => {
        status.textContent = button.dataset.copied
      },
      () => {
        status.textContent = button.dataset.failed
      },
    )
  })
}

if (secret) {
  secret.addEventListener('focus', () => secret.select())
  // The browser keeps the page for "back". It must not keep the secret.
  window.addEventListener('pagehide', () => {
    secret.value = ''
    document.getElementById('download').removeAttribute('href')
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })
}
