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

const get = async (options) => {
  const { rawId, response } = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      allowCredentials: withBytes(options.allowCredentials),
    },
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

const ask = async (form) => {
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
  return (passkey === 'create' ? create : get)(await response.json())
}

const prepare = (form) => {
  const [button, problem] = [form.querySelector('button'), form.querySelector('[data-problem]')]
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    problem.textContent = ''
    try {
      const credential = await ask(form)
      if (credential === null) return
      form.elements.credential.value = credential
      form.submit()
    } catch (error) {
      const { cancelled, failed } = form.dataset
      problem.textContent = error.name === 'NotAllowedError' ? cancelled : failed
      button.disabled = false
    }
  })
}

if (window.PublicKeyCredential) {
  for (const form of document.querySelectorAll('form[data-passkey]')) prepare(form)
  for (const one of document.querySelectorAll('[data-without-passkeys]')) one.hidden = true
}
