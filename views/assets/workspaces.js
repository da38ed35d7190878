// Helps with many workspaces: search by name, tick many at once, count. The page works without this script.
const fill = (words, count) => words.replace('{count}', String(count))

const mostChips = 12

const prepare = (fieldset) => {
  const fold = fieldset.querySelector('details')
  const tools = fieldset.querySelector('.sift')
  if (!fold || !tools) return
  const [find, status] = [tools.querySelector('input'), tools.querySelector('[role="status"]')]
  const lines = [...fieldset.querySelectorAll('.options li')].map((line) => ({
    line,
    box: line.querySelector('input'),
    name: line.textContent.trim().toLowerCase(),
  }))

  // A few that are ticked stay in sight while a search hides their lines.
  const chips = tools.querySelector('.chips')
  const chipOf = ({ line, box }) => {
    const chip = document.createElement('button')
    const name = line.textContent.trim()
    Object.assign(chip, { type: 'button', className: 'chip', textContent: name })
    chip.setAttribute('aria-label', chips.dataset.remove.replace('{name}', name))
    chip.addEventListener('click', () => {
      box.checked = false
      say()
      box.dispatchEvent(new Event('change', { bubbles: true }))
      find.focus()
    })
    return chip
  }

  const count = () => {
    const ticked = lines.filter(({ box }) => box.checked)
    fold.querySelector('summary').textContent = fill(fold.dataset.some, ticked.length)
    chips.replaceChildren(...(ticked.length > mostChips ? [] : ticked.map(chipOf)))
    return ticked.length
  }

  const say = () => {
    const shown = lines.filter(({ line }) => !line.hidden).length
    status.textContent = `${fill(status.dataset.shown, shown)}; ${fill(fold.dataset.some, count())}`
  }

  const sift = () => {
    const wanted = find.value.trim().toLowerCase()
    for (const { line, name } of lines) line.hidden = !name.includes(wanted)
    say()
  }

  find.addEventListener('input', sift)
  // Enter in the search field must not submit the form. It ticks the only line that is shown.
  find.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const shown = lines.filter(({ line }) => !line.hidden)
    if (shown.length !== 1) return
    shown[0].box.checked = true
    find.value = ''
    sift()
    shown[0].box.dispatchEvent(new Event('change', { bubbles: true }))
  })
  for (const button of tools.querySelectorAll('button')) {
    button.addEventListener('click', () => {
      for (const { line, box } of lines) if (!line.hidden) box.checked = button.value === 'tick'
      say()
    })
  }
  fieldset.querySelector('.options').addEventListener('change', say)
  tools.hidden = false
  // A page restored by "back" keeps its earlier ticks.
  window.addEventListener('pageshow', count)
  count()
}

for (const fieldset of document.querySelectorAll('.workspaces')) prepare(fieldset)
