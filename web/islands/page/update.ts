import { fill } from '../dom.ts'
import { patchInPlace } from './patch-in-place.ts'
import { keepServed, pageNodeOf } from './served.ts'

/** Maps each element that `update` filled to a copy of the content with which `update` last filled the element. */
const contents = new WeakMap<Element, Element>()

/** Fills an element with content. A later call for the same element keeps unchanged nodes and their event listeners. */
export function update(place: Element, ...children: Parameters<typeof fill>[1][]): void {
  const freshPlace = place.cloneNode(false) as Element
  fill(freshPlace, ...children)
  const servedPlace = contents.get(place)
  if (servedPlace !== undefined && isUntouched(servedPlace, place)) {
    patchInPlace(servedPlace, freshPlace)
  } else {
    place.replaceChildren(...freshPlace.childNodes)
    contents.set(place, keepServed(place))
  }
}

function isUntouched(servedPlace: Element, place: Element): boolean {
  const nodes = [...servedPlace.childNodes].map(pageNodeOf)
  return nodes.length === place.childNodes.length && nodes.every((node) => node?.parentNode === place)
}
