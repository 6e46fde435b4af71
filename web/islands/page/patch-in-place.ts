import { find, h } from '../dom.ts'
import { keepPlace } from './keep-place.ts'
import { type Changes, patch } from './patch.ts'
import { pageNodeOf } from './served.ts'

/** How long a change is marked once it is on the screen, milliseconds. */
const MARKED_MS = 4_000
/** Parts that are named at most when they change together. */
const MOST_NAMES = 3

/** Makes no sound and takes no place until it says something. */
const status = h('p', { class: 'unseen', role: 'status' })
document.body.append(status)

/** Marks what has changed when it comes on the screen. */
const marking = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    marking.unobserve(target)
    target.classList.add('changed')
    setTimeout(() => target.classList.remove('changed'), MARKED_MS)
  }
})

let changes: Changes = { marked: new Set(), shortened: new Set() }

/** Brings a part of the page to what is served now: what is different is marked for a moment when it is seen, and said to those who do not see it. */
export function patchInPlace(served: Element, fresh: Element): void {
  const element = pageNodeOf(served)
  if (!(element instanceof Element)) return
  if (changes.marked.size + changes.shortened.size === 0) setTimeout(tell)
  keepPlace(element, () => patch(served, fresh, changes))
}

/** Says a sentence to those who do not see the page. */
export function say(sentence: string): void {
  status.textContent = sentence
}

/** Once what depends on the wallet is shown or hidden. */
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

/** The part of the page that an element is in, by its heading; the state of the task by its word. */
function nameOf(element: Element): string | null {
  const state = element.closest('.head .state')
  if (state !== null) return state.textContent
  for (let part: Element | null = element; part !== null; part = part.parentElement) {
    const heading = find(':scope > h2', part)
    if (heading !== null) return (find('a', heading) ?? heading.firstChild)?.textContent?.trim() ?? null
  }
  return element.closest('.price') === null ? null : 'Price'
}
