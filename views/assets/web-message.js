// Posts the answer to an authorization request to its recipient, and to no other origin.
{
  const { origin, platform, response } = JSON.parse(document.documentElement.dataset.answer)
  const version = 1
  const isFramed = window.parent !== window
  // Connects pages of this origin: a window in which the user answers sends the answer to the frame that asked first.
  const channel = new BroadcastChannel('latchkey-web-message')

  const hand = (recipient, answer) =>
    recipient.postMessage({ type: 'authorization_response', version, response: answer }, origin)

  // Only the platform page knows the frame of the app. Whatever it names, only `origin` can read the message.
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
    // The user may now be asked in a window. Its answer to this request belongs to the same recipient.
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
