/** Maps each node of a stored copy to the corresponding node of the page. */
const pageNodes = new WeakMap<Node, Node>()
let main: Element | null = null

/**
 * Returns a copy of a part of the page as it was served. Must be called before scripts change this part. Example:
 * `keepServed(main)`.
 */
export function keepServed(element: Element): Element {
  const served = element.cloneNode(true) as Element
  pair(served, element)
  return served
}

/** Stores a copy of the page's main content, if the page updates itself. */
export function keepMain(element: Element | null): void {
  main = element instanceof HTMLElement && element.dataset.live !== undefined ? keepServed(element) : null
}

/** Returns the stored copy of the page's main content; null if the page does not update itself. */
export function servedMain(): Element | null {
  return main
}

/** Returns the node of the page that corresponds to a node of a stored copy. */
export function pageNodeOf(served: Node): Node | undefined {
  return pageNodes.get(served)
}

/** Links each node of a copy to the node of the page at the same position. Both trees must still be equal. */
export function pair(served: Node, node: Node): void {
  pageNodes.set(served, node)
  for (const [index, child] of served.childNodes.entries()) {
    const other = node.childNodes[index]
    if (other !== undefined) pair(child, other)
  }
}
