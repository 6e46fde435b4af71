/**
 * Changes a part of the page without moving the content that the visitor reads. The reference element is the visible
 * element with the focus, or else the first visible one. Scrolls by the height that the change added or removed above
 * the reference element.
 */
export function keepPlace(element: Element, change: () => void): void {
  const { activeElement: focusedElement, documentElement: root } = document
  const places = (scrollY === 0 ? [] : [focusedElement, ...element.querySelectorAll('*')])
    .filter((one) => one !== null && element.contains(one) && one !== element)
    .map((one) => ({ one: one as Element, top: (one as Element).getBoundingClientRect().top }))
    .filter(({ top }) => top >= 0 && top < root.clientHeight)
  change()
  const place = places.find(({ one }) => one.isConnected)
  if (place === undefined) return
  const shift = place.one.getBoundingClientRect().top - place.top
  if (shift !== 0) scrollBy({ top: shift, behavior: 'instant' })
}
