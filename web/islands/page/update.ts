import { fill } from '../dom.ts'
import { patchInPlace } from './patch-in-place.ts'
import { keepServed, pageNodeOf } from './served.ts'

/** Maps each element that `update` filled to a copy of the content at that time. */
const contents = new WeakMap<Element, Element>()

/** Fills an element with content. A later call for the same element keeps unchanged nodes and their event listeners. */
export function update(place: Element, ...children: Parameters<typeof fill>[1][]): void {
  const fresh = place.cloneNode(false) as Element
  fill(fresh, ...children)
  const served = contents.get(place)
  if (served !== undefined && isUntouched(served, place)) {
    patchInPlace(served, fresh)
  } else {
    place.replaceChildren(...fresh.childNodes)
    contents.set(place, keepServed(place))
  }
}

function isUntouched(served: Element, place: Element): boolean {
  const nodes = [...served.childNodes].map(pageNodeOf)
  return nodes.length === place.childNodes.length && nodes.every((node) => node?.parentNode === place)
}
