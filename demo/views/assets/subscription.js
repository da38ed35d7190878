// Shows the state of the subscription, which the server of this page has open, until it has ended.
const status = document.querySelector('#subscription [role="status"]')

const update = async () => {
  const response = await fetch(location.href)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const newer = page.querySelector('#subscription [role="status"]')
  if (!newer) return
  if (newer.textContent !== status.textContent) status.replaceChildren(...newer.childNodes)
  if (newer.dataset.state !== 'ended') setTimeout(update, 1000)
}

if (status.dataset.state !== 'ended') setTimeout(update, 1000)
