// Helps to read the documentation: a button that copies each sample, and a language that is remembered. Everything can
// be read without it.
const words = document.getElementById('copy-words').dataset
const status = document.getElementById('copy-status')
const choices = document.querySelectorAll('.example input')
const kept = 'documentation-language'

const copy = async (code) => {
  // The clipboard API is there in secure contexts only.
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

// Where the browser keeps nothing for a site, the choice lasts for this page.
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
    // What is being read stays where it is, though other examples change their height.
    const before = one.getBoundingClientRect().top
    choose(one.value)
    scrollBy(0, one.getBoundingClientRect().top - before)
    remembered(one.value)
  })
choose(remembered())
