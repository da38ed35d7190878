// Connects a form to the browser's passkeys: gets the options from the server, puts the answer into the form's field
// `credential` and submits the form.

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))

const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const withBytes = (credentials = []) => credentials.map((one) => ({ ...one, id: toBytes(one.id) }))

const create = async (options) => {
  const { rawId, response } = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    },
  })
  return answer(rawId, {
    clientDataJSON: toText(response.clientDataJSON),
    attestationObject: toText(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  })
}

const get = async (options, how = {}) => {
  const { rawId, response } = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      allowCredentials: withBytes(options.allowCredentials),
    },
    ...how,
  })
  return answer(rawId, {
    clientDataJSON: toText(response.clientDataJSON),
    authenticatorData: toText(response.authenticatorData),
    signature: toText(response.signature),
    ...(response.userHandle && { userHandle: toText(response.userHandle) }),
  })
}

const answer = (rawId, response) => {
  const id = toText(rawId)
  const type = 'public-key'
  return JSON.stringify({ id, rawId: id, type, response, clientExtensionResults: {} })
}

// The server counts each question as a sign-in that has begun. So a browser that has never used a passkey here asks for
// one only after a press of the button.
const name = 'latchkey-passkey'
let waiting = null

// A browser may refuse storage.
const isKnown = () => {
  try {
    return localStorage.getItem(name) !== null
  } catch {
    return false
  }
}

const remember = () => {
  try {
    localStorage.setItem(name, '1')
  } catch {
    // Then the button remains.
  }
}

const ask = async (form, how) => {
  const { options, passkey } = form.dataset
  const response = await fetch(options, {
    method: 'POST',
    body: new URLSearchParams(new FormData(form)),
  })
  if (response.status === 403 && response.headers.get('content-type')?.includes('json')) {
    location.assign((await response.json()).location)
    return null
  }
  if (!response.ok) throw new Error('no options')
  return (passkey === 'create' ? create : get)(await response.json(), how)
}

const send = (form, credential) => {
  if (credential === null) return
  remember()
  form.elements.credential.value = credential
  form.submit()
}

/** Offers the passkeys among the suggestions of the e-mail field, until the user signs in another way. */
const suggest = async (form) => {
  if (waiting || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  waiting = new AbortController()
  try {
    send(form, await ask(form, { mediation: 'conditional', signal: waiting.signal }))
  } catch {
    // The user has chosen another way, or the server gives no options now: the button tells.
  }
}

const prepare = (form) => {
  const [button, problem] = [form.querySelector('button'), form.querySelector('[data-problem]')]
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    problem.textContent = ''
    try {
      waiting?.abort()
      send(form, await ask(form))
    } catch (error) {
      const { cancelled, failed } = form.dataset
      problem.textContent = error.name === 'NotAllowedError' ? cancelled : failed
      button.disabled = false
    }
  })
}

if (window.PublicKeyCredential) {
  for (const form of document.querySelectorAll('form[data-passkey]')) prepare(form)
  const signIn = document.querySelector('form[data-passkey="get"]')
  const email = document.querySelector('[autocomplete~="webauthn"]')
  if (signIn && email && isKnown())
    for (const begun of ['pointerover', 'keydown'])
      email.addEventListener(begun, () => void suggest(signIn), { once: true })
  for (const one of document.querySelectorAll('[data-without-passkeys]')) one.hidden = true
}
