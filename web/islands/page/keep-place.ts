/**
 * Changes a part of the page, and scrolls by the height that appeared or disappeared above the reader's place: the element with
 * the focus, else the first one on the screen.
 */
export function keepPlace(element: Element, change: () => void): void {
  const { activeElement: focused, documentElement: root } = document
  const places = (scrollY === 0 ? [] : [focused, ...element.querySelectorAll('*')])
    .filter((one) => one !== null && element.contains(one) && one !== element)
    .map((one) => ({ one: one as Element, top: (one as Element).getBoundingClientRect().top }))
    .filter(({ top }) => top >= 0 && top < root.clientHeight)
  change()
  const place = places.find(({ one }) => one.isConnected)
  if (place === undefined) return
  const moved = place.one.getBoundingClientRect().top - place.top
  if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' })
}
