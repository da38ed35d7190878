// The search in the header: "/" goes to its field, and what a text finds is listed below it. The page works without this.
// A block: the scripts of a page share their names.
{
  const form = document.querySelector('.search-all')
  const [field, list] = [form.querySelector('input'), form.querySelector('ul')]
  let [turn, waiting] = [0, 0]
  const close = () => {
    turn++
    clearTimeout(waiting)
    list.replaceChildren()
  }

  const lineOf = (link) => {
    const [line, kind] = [document.createElement('li'), document.createElement('span')]
    kind.textContent = link.closest('section').querySelector('h2').textContent
    line.append(document.importNode(link, true))
    line.firstChild.append(' ', kind)
    return line
  }

  const show = async () => {
    const own = ++turn
    const query = new URLSearchParams({ q: field.value })
    const response = await fetch(`${form.action}?${query}`, { redirect: 'error' }).catch(() => null)
    if (!response?.ok || own !== turn) return
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const found = [...page.querySelectorAll('main section th[scope="row"] a')]
    if (own === turn) list.replaceChildren(...found.slice(0, 8).map(lineOf))
  }

  field.addEventListener('input', () => {
    if (field.value.trim() === '') return close()
    clearTimeout(waiting)
    waiting = setTimeout(show, 150)
  })

  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close()
      return field.focus()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const places = [field, ...list.querySelectorAll('a')]
    if (!step || places.length === 1) return
    event.preventDefault()
    places.at((places.indexOf(document.activeElement) + step) % places.length)?.focus()
  })

  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) close()
  })

  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
    field.select()
  })
}
