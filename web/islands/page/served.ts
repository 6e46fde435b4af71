/** Node of the page for each node of a served tree. */
const pageNodes = new WeakMap<Node, Node>()
let main: Element | null = null

/** Stores a part of the page as served, before islands change it. Example: `keepServed(main)`. */
export function keepServed(element: Element): Element {
  const served = element.cloneNode(true) as Element
  pair(served, element)
  return served
}

/** Stores the content of a page that updates itself; other pages have none. */
export function keepMain(element: Element | null): void {
  main = element instanceof HTMLElement && element.dataset.live !== undefined ? keepServed(element) : null
}

/** Returns the content of the page as last served; null: the page does not update itself. */
export function servedMain(): Element | null {
  return main
}

/** Returns the node of the page for a served node. */
export function pageNodeOf(served: Node): Node | undefined {
  return pageNodes.get(served)
}

/** Links a served tree to the nodes of the page, which are still as served. */
export function pair(served: Node, node: Node): void {
  pageNodes.set(served, node)
  for (const [index, child] of served.childNodes.entries()) {
    const other = node.childNodes[index]
    if (other !== undefined) pair(child, other)
  }
}
