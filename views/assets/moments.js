// Shows times in the zone of the reader, and in UTC on demand. Without this script they are in UTC.
const line = document.querySelector('.zone')
const [{ tag, words }, [said, button]] = [line.dataset, line.children]
const minute = {
  ...{ year: 'numeric', month: 'long', day: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' },
}
const forms = {
  day: { dateStyle: 'long' },
  time: { timeStyle: 'medium' },
  moment: minute,
  second: { ...minute, second: '2-digit' },
}
const made = new Map()
const write = (date, form, timeZone) => {
  const key = `${form} ${timeZone}`
  const format = made.get(key) ?? new Intl.DateTimeFormat(tag, { ...forms[form], timeZone })
  return made.set(key, format).get(key).format(date)
}
const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
const isOther = (date, zone) => write(date, 'day', zone) !== write(date, 'day', 'UTC')
const show = (zone) => {
  for (const time of document.querySelectorAll('time[data-form]')) {
    const date = new Date(time.dateTime)
    // A time below the heading of another day has its own.
    const form = time.dataset.form === 'time' && isOther(date, zone) ? 'second' : time.dataset.form
    if (form in forms) time.textContent = write(date, form, zone)
    time.title = `${write(date, 'moment', own)} · ${write(date, 'moment', 'UTC')}`
  }
  const name = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: 'longGeneric' })
  const part = zone !== 'UTC' && name.formatToParts().find(({ type }) => type === 'timeZoneName')
  said.textContent = words.replace('%', part ? part.value : 'UTC')
}
const labels = [button.textContent, button.dataset.own]
button.addEventListener('click', () => {
  show(button.textContent === labels[0] ? 'UTC' : own)
  button.textContent = labels.find((label) => label !== button.textContent)
})
button.hidden = own === 'UTC'
if (!button.hidden) show(own)
