/** Shows a parameter as a row of a list. */
export const addRow = (list, name, value) => {
  const row = document.createElement('div')
  const term = document.createElement('dt')
  const detail = document.createElement('dd')
  term.textContent = name
  detail.textContent = value
  detail.className = 'code'
  row.append(term, detail)
  list.append(row)
}

/** The claims of a JWT, which this page does not verify: it only shows them. */
export const claimsOf = (token) => {
  const binary = atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (one) => one.codePointAt(0))))
}
