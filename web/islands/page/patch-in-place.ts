import { find, h } from '../dom.ts'
import { keepPlace } from './keep-place.ts'
import { type Changes, patch } from './patch.ts'
import { pageNodeOf } from './served.ts'

/** Time for which a change is marked on the screen, milliseconds. */
const MARKED_MS = 4_000
/** Maximum number of parts that an announcement names. */
const MOST_NAMES = 3

/** The status line for screen readers; empty and invisible until an announcement. */
const status = h('p', { class: 'unseen', role: 'status' })
document.body.append(status)

/** Marks changes when they appear on the screen. */
const marking = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    marking.unobserve(target)
    target.classList.add('changed')
    setTimeout(() => target.classList.remove('changed'), MARKED_MS)
  }
})

let changes: Changes = { marked: new Set(), shortened: new Set() }

/**
 * Updates a part of the page to the served content. It marks differences for a moment when they are seen, and announces them to
 * screen readers.
 */
export function patchInPlace(served: Element, fresh: Element): void {
  const element = pageNodeOf(served)
  if (!(element instanceof Element)) return
  if (changes.marked.size + changes.shortened.size === 0) setTimeout(tell)
  keepPlace(element, () => patch(served, fresh, changes))
}

/** Announces a sentence to screen readers. */
export function say(sentence: string): void {
  status.textContent = sentence
}

/** Announces the changes after the parts that depend on the wallet are shown or hidden. */
function tell(): void {
  const { marked, shortened } = changes
  changes = { marked: new Set(), shortened: new Set() }
  const isSeen = (element: Element) => element.isConnected && element.checkVisibility()
  const seen = [...marked].filter(isSeen)
  const parts = new Set(seen.map((element) => element.closest('.state, li, tr, dt, dd, article, p') ?? element))
  for (const part of parts) marking.observe(part)
  const names = [...new Set([...seen, ...[...shortened].filter(isSeen)].flatMap((element) => nameOf(element) ?? []))]
  const more = names.length > MOST_NAMES ? ' and more' : ''
  if (names.length > 0) say(`Updated: ${names.slice(0, MOST_NAMES).join(', ')}${more}.`)
}

/** Returns the name of the part of an element: its heading; for the task's state its word. */
function nameOf(element: Element): string | null {
  const state = element.closest('.head .state')
  if (state !== null) return state.textContent
  for (let part: Element | null = element; part !== null; part = part.parentElement) {
    const heading = find(':scope > h2', part)
    if (heading !== null) return (find('a', heading) ?? heading.firstChild)?.textContent?.trim() ?? null
  }
  return element.closest('.price') === null ? null : 'Price'
}
