/** The node of the page that a node of a served tree stands for. */
const pageNodes = new WeakMap<Node, Node>()
let main: Element | null = null

/** Remembers a part of the page as it was served, before islands change it. Example: `keepServed(main)`. */
export function keepServed(element: Element): Element {
  const served = element.cloneNode(true) as Element
  pair(served, element)
  return served
}

/** Remembers the content of a page that updates itself; other pages have none. */
export function keepMain(element: Element | null): void {
  main = element instanceof HTMLElement && element.dataset.live !== undefined ? keepServed(element) : null
}

/** The content of the page as it was served last; null: the page does not update itself. */
export function servedMain(): Element | null {
  return main
}

/** Returns the node of the page that a served one stands for. */
export function pageNodeOf(served: Node): Node | undefined {
  return pageNodes.get(served)
}

/** Says that a served tree stands for nodes of the page, which are still as they were served. */
export function pair(served: Node, node: Node): void {
  pageNodes.set(served, node)
  for (const [index, child] of served.childNodes.entries()) {
    const other = node.childNodes[index]
    if (other !== undefined) pair(child, other)
  }
}
