import { h } from '../dom.ts'

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/**
 * Keeps the text of each `<time data-relative datetime="…">` up to date. Also sets the tooltip of each `<time>` to the
 * time in the visitor's time zone.
 */
export function startTimes(): void {
  const tick = () => {
    for (const element of document.querySelectorAll('time')) show(element)
  }
  tick()
  setInterval(tick, 30_000)
  document.addEventListener('page-refreshed', tick)
}

function show(element: HTMLTimeElement): void {
  const time = Date.parse(element.dateTime)
  if (Number.isNaN(time)) return
  element.title = exactFormat.format(time)
  if (element.dataset.relative === undefined) return
  const text = relativeTime(time - Date.now())
  if (element.textContent !== text) element.textContent = text
}

/**
 * Creates a `<time>` element whose relative text is kept up to date. Example: `timeElement('2030-01-01T00:00:00Z')`
 * shows `in 2 hours`.
 */
export function timeElement(iso: string): HTMLTimeElement {
  const element = h('time', { datetime: iso, 'data-relative': true })
  show(element)
  return element
}

/** Formats a duration relative to now. Example: `relativeTime(7_500_000)` is `in 2 hours`. */
function relativeTime(milliseconds: number): string {
  const seconds = milliseconds / 1000
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60]
  if (Math.abs(seconds) < 60) return seconds < 0 ? 'just now' : 'in less than a minute'
  return relativeFormat.format(Math.trunc(seconds / size), unit)
}
