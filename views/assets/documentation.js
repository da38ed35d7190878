// Adds a copy button to each sample and remembers the chosen language. The documentation works without this script.
const words = document.getElementById('copy-words').dataset
const status = document.getElementById('copy-status')
const choices = document.querySelectorAll('.example input')
const kept = 'documentation-language'

const copy = async (code) => {
  // The clipboard API exists only in secure contexts.
  if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent)
  getSelection().selectAllChildren(code)
  if (!document.execCommand('copy')) throw new Error('refused')
}

for (const sample of document.querySelectorAll('.sample')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = words.copy
  button.addEventListener('click', () => {
    const say = (outcome) => {
      button.textContent = outcome
      status.textContent = outcome
    }
    copy(sample.querySelector('code')).then(
      () => say(words.copied),
      () => say(words.failed),
    )
    button.addEventListener('blur', () => say(words.copy), { once: true })
  })
  sample.append(button)
}

// Without local storage, the choice lasts for this page.
const remembered = (value) => {
  try {
    if (value === undefined) return localStorage.getItem(kept)
    localStorage.setItem(kept, value)
  } catch {}
  return value ?? null
}

const choose = (language) => {
  for (const one of choices) if (one.value === language) one.checked = true
}

for (const one of choices)
  one.addEventListener('change', () => {
    // Keeps the scroll position although other examples change their height.
    const before = one.getBoundingClientRect().top
    choose(one.value)
    scrollBy(0, one.getBoundingClientRect().top - before)
    remembered(one.value)
  })
choose(remembered())
