// An app in a frame. It only has to call init to get its tokens.
{
  const find = (id) => document.getElementById(id)
  const time = new Intl.DateTimeFormat([], { timeStyle: 'medium' })

  const tell = (words, kind) => {
    find('state').textContent = words
    find('state').className = `notice ${kind}`
  }

  const onConnect = (response) => {
    const { accessToken, ...shown } = response
    if (accessToken)
      shown.accessToken = `${accessToken.slice(0, 12)} … ${accessToken.length} characters`
    find('response').textContent = JSON.stringify(shown, null, 2)
    find('ask').hidden = response.connected || !response.canAsk
    if (response.connected) tell(`Connected until ${time.format(response.expiresAt)}.`, 'good')
    else tell(`Not connected: ${response.error}.`, 'warn')
  }

  const latchkey = Latchkey.init({
    appId: document.body.dataset.appId,
    onConnect,
    onSelection: (ids) => {
      find('selection').textContent =
        ids.length === 0 ? 'nothing' : `${ids.length}: ${ids.join(', ')}`
    },
    onFilter: (filter) => {
      find('filter').textContent = JSON.stringify(filter)
    },
    onShowSelected: (on) => {
      find('only').textContent = on ? 'yes' : 'no'
    },
  })

  find('ask').addEventListener('click', () => {
    if (!latchkey.ask()) tell('The browser has blocked the window.', 'warn')
  })
  find('renew').addEventListener('click', () => latchkey.renew())
}
