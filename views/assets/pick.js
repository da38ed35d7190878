// Lists what the text of a field finds, to choose from. The page works without this script.
for (const field of document.querySelectorAll('input[data-pick]')) {
  const optionOf = (row) =>
    new Option(row.querySelector('th').textContent.trim(), row.lastElementChild.textContent.trim())
  let [turn, waiting] = [0, 0]
  const show = async () => {
    const own = ++turn
    const query = new URLSearchParams({ q: field.value })
    const response = await fetch(`${field.dataset.pick}&${query}`).catch(() => null)
    if (!response?.ok || own !== turn) return
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    field.list.replaceChildren(...[...page.querySelectorAll('main tbody tr')].map(optionOf))
  }
  field.addEventListener('input', () => {
    clearTimeout(waiting)
    if (field.value.trim() !== '') waiting = setTimeout(show, 150)
  })
}
