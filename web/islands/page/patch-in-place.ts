import { find, h } from '../dom.ts'
import { keepPlace } from './keep-place.ts'
import { type Changes, patch } from './patch.ts'
import { pageNodeOf } from './served.ts'

/** Time for which a changed element is highlighted, in milliseconds. */
const MARKED_MS = 4_000
/** Maximum number of changed parts that an announcement to screen readers names. */
const MOST_NAMES = 3

/** The invisible status line for screen readers. The line is empty until the first announcement. */
const status = h('p', { class: 'unseen', role: 'status' })
document.body.append(status)

/** Highlights a changed element when it becomes visible on the screen. */
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    observer.unobserve(target)
    target.classList.add('changed')
    setTimeout(() => target.classList.remove('changed'), MARKED_MS)
  }
})

let changes: Changes = { marked: new Set(), shortened: new Set() }

/**
 * Brings a part of the page up to date: applies the differences between the content that was served before and the
 * newly served content. Changed elements are highlighted when they become visible, and announced to screen readers.
 */
export function patchInPlace(servedElement: Element, freshElement: Element): void {
  const element = pageNodeOf(servedElement)
  if (!(element instanceof Element)) return
  if (changes.marked.size + changes.shortened.size === 0) setTimeout(tell)
  keepPlace(element, () => patch(servedElement, freshElement, changes))
}

/** Announces a sentence to screen readers. */
export function say(sentence: string): void {
  status.textContent = sentence
}

/**
 * Announces the collected changes to screen readers, except changes of hidden elements. Must run after the scripts of
 * the page have hidden the elements that are not for the connected wallet.
 */
function tell(): void {
  const { marked, shortened } = changes
  changes = { marked: new Set(), shortened: new Set() }
  const isSeen = (element: Element) => element.isConnected && element.checkVisibility()
  const seenElements = [...marked].filter(isSeen)
  const parts = new Set(seenElements.map((element) => element.closest('.state, li, tr, dt, dd, article, p') ?? element))
  for (const part of parts) observer.observe(part)
  const names = [
    ...new Set([...seenElements, ...[...shortened].filter(isSeen)].flatMap((element) => nameOf(element) ?? [])),
  ]
  const moreClause = names.length > MOST_NAMES ? ' and more' : ''
  if (names.length > 0) say(`Updated: ${names.slice(0, MOST_NAMES).join(', ')}${moreClause}.`)
}

/**
 * Returns a name for the place of an element on the page. The name is the first of these that exists: the text of the
 * task's state if the element is in it (such as `Delivered`), the heading of the nearest part of the page that contains
 * the element, `Price` if the element is in the price. Returns null if none exists.
 */
function nameOf(element: Element): string | null {
  const state = element.closest('.head .state')
  if (state !== null) return state.textContent
  for (let part: Element | null = element; part !== null; part = part.parentElement) {
    const heading = find(':scope > h2', part)
    if (heading !== null) return (find('a', heading) ?? heading.firstChild)?.textContent?.trim() ?? null
  }
  return element.closest('.price') === null ? null : 'Price'
}
