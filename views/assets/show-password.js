// Shows what is typed into a password field. The page works without this script.
for (const box of document.querySelectorAll('input[data-shows]')) {
  const fields = box.dataset.shows.split(' ').map((id) => document.getElementById(id))
  const show = () => {
    for (const field of fields) field.type = box.checked ? 'text' : 'password'
  }
  box.checked = false
  box.closest('label').hidden = false
  box.addEventListener('change', show)
  // Browsers store what is typed into text fields, and offer it to the next user.
  box.form.addEventListener('submit', () => {
    box.checked = false
    show()
  })
}
