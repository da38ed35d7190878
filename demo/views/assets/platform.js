// A platform's page: sends the selection, the filter and "Show Only Selected" to the app in its frame. The SDK does the
// rest.
{
  const { appId, organizationId } = document.querySelector('#platform').dataset
  const frame = document.querySelector('#app')
  const host = LatchkeyHost.attach(frame, { appId, organizationId })

  const stage = document.querySelector('#stage')
  const only = document.querySelector('#only')
  const rows = [...document.querySelectorAll('tbody tr')]
  const isTicked = (row) => row.querySelector('input').checked

  const show = () => {
    for (const row of rows) {
      const isOfStage = stage.value === '' || row.dataset.stage === stage.value
      row.hidden = !isOfStage || (only.checked && !isTicked(row))
    }
  }
  const tellSelection = () => host.select(rows.filter(isTicked).map(({ dataset }) => dataset.id))
  const tellFilter = () =>
    host.filter(stage.value === '' ? {} : { stage: { by: 'is', value: stage.value } })
  const tellOnly = () => host.showSelected(only.checked)

  /** Calls `tell` now and whenever one of the elements changes. */
  const follow = (elements, tell) => {
    tell()
    for (const element of elements) element.addEventListener('change', tell)
  }
  follow(rows, tellSelection)
  follow([stage], tellFilter)
  follow([only], tellOnly)
  follow([...rows, stage, only], show)
}
