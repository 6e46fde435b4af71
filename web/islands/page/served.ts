/** Maps each node of a stored copy of the page to the node of the page from which it was copied. */
const pageNodes = new WeakMap<Node, Node>()
let main: Element | null = null

/**
 * Returns a copy of a part of the page as it was served. Must be called before scripts change this part. Example:
 * `keepServed(main)`.
 */
export function keepServed(element: Element): Element {
  const servedCopy = element.cloneNode(true) as Element
  pair(servedCopy, element)
  return servedCopy
}

/** Stores a copy of the page's main content, if the page updates itself. */
export function keepMain(element: Element | null): void {
  main = element instanceof HTMLElement && element.dataset.live !== undefined ? keepServed(element) : null
}

/** Returns the stored copy of the page's main content; null if the page does not update itself. */
export function servedMain(): Element | null {
  return main
}

/** Returns the node of the page that corresponds to a node of a copy (see `keepServed`). */
export function pageNodeOf(servedNode: Node): Node | undefined {
  return pageNodes.get(servedNode)
}

/**
 * Links each node of a copy to the page's node at the same position. Must be called while the copy still equals the
 * page.
 */
export function pair(servedNode: Node, node: Node): void {
  pageNodes.set(servedNode, node)
  for (const [index, child] of servedNode.childNodes.entries()) {
    const other = node.childNodes[index]
    if (other !== undefined) pair(child, other)
  }
}
