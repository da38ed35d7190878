// A platform's page: tells the app in its frame what is selected, which filter is set, and whether only what is
// selected is shown. The rest is the SDK's.
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

  /** Now, and whenever one of these changes. */
  const follow = (elements, tell) => {
    tell()
    for (const element of elements) element.addEventListener('change', tell)
  }
  follow(rows, tellSelection)
  follow([stage], tellFilter)
  follow([only], tellOnly)
  follow([...rows, stage, only], show)
}
