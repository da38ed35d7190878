// Hands the answer of an authorization request to the page that it is for: to one origin, and to nobody else.
{
  const { origin, platform, response } = JSON.parse(document.documentElement.dataset.answer)
  const version = 1
  const isFramed = window.parent !== window
  // Between pages of this origin: from a window in which a person has answered to the frame that had asked first.
  const channel = new BroadcastChannel('latchkey-web-message')

  const hand = (recipient, answer) =>
    recipient.postMessage({ type: 'authorization_response', version, response: answer }, origin)

  // Only the platform page knows which of its frames the app is in; whatever it says, only `origin` can read.
  let relayed = null
  const relay = (answer) => {
    relayed = answer
    parent.postMessage({ type: 'relay_request', version, state: answer.state }, platform)
  }
  addEventListener('message', ({ source, origin: sender, data }) => {
    if (source !== parent || sender !== platform || relayed === null) return
    if (data?.type !== 'relay_response' || data.version !== version) return
    if (data.state !== relayed.state) return
    const frame = Number.isInteger(data.frame) ? parent.frames[data.frame] : undefined
    if (frame) hand(frame, relayed)
    relayed = null
  })

  const deliver = platform === null ? (answer) => hand(parent, answer) : relay

  if (isFramed) {
    deliver(response)
    // Somebody may be asked in a window now: its answer to this very request belongs to the same recipient.
    channel.onmessage = ({ data }) => {
      const isOurs = data.origin === origin && data.platform === platform
      if (!isOurs || !data.response?.state || data.response.state !== response.state) return
      channel.postMessage({ arrived: response.state })
      deliver(data.response)
    }
  } else {
    channel.onmessage = ({ data }) => {
      if (response.state && data.arrived === response.state) window.close()
    }
    channel.postMessage({ origin, platform, response })
  }
}
