const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const page = (body) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tasks</title><h1>Tasks</h1>${body}`
const rowOf = (cells) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`
export const policy = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }
export const signedOutPage = page('<p><a href="/sign-in">Sign in</a></p>')
export const failedPage = (why) => page(`<p>${escaped(why)}</p><p><a href="/">Go on</a></p>`)
export const tasksPage = (name, rows) =>
  page(`<form action="/sign-out" method="post" enctype="text/plain">${escaped(name)}
<button>Sign out</button></form><table>${rows.map(rowOf).join('')}</table>`)
