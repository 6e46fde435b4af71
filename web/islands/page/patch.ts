import { pageNodeOf, pair } from './served.ts'

/**
 * Selector of the entries of lists. `kindOf` tells two entries of a list apart by their first action, file, link or
 * time.
 */
const items = 'article, li, tr'
/** Maximum number of pairs of an old and a new node that are compared to update the page. */
const MOST_PAIRS = 250_000

/** The result of an update of the page: the elements that are new, have a new text or lost a child element. */
export interface Changes {
  /** New elements, and elements whose text was changed. */
  marked: Set<Element>
  /** Elements from which a child element was removed. */
  shortened: Set<Element>
}

/**
 * Brings a part of the page up to date: applies the differences between the content that was served before and the
 * newly served content. Unchanged nodes keep their focus, selection, and changes by scripts.
 * @param servedElement copy of the content that was served before; the function changes it to a copy of the new content
 * @param freshElement the new content; its new nodes are moved to the page
 * @param changes receives the changed elements
 */
export function patch(servedElement: Element, freshElement: Element, changes: Changes): void {
  const element = pageNodeOf(servedElement)
  if (!(element instanceof Element)) return
  for (const { name, value } of freshElement.attributes) {
    if (servedElement.getAttribute(name) !== value) element.setAttribute(name, value)
  }
  for (const { name } of servedElement.attributes) if (!freshElement.hasAttribute(name)) element.removeAttribute(name)
  for (const name of servedElement.getAttributeNames()) servedElement.removeAttribute(name)
  for (const { name, value } of freshElement.attributes) servedElement.setAttribute(name, value)
  patchChildren(servedElement, freshElement, { element, changes })
}

function patchChildren(
  servedElement: Element,
  freshElement: Element,
  { element, changes }: { element: Element; changes: Changes },
): void {
  const [before, after] = [[...servedElement.childNodes], [...freshElement.childNodes]]
  const matches = align(before, after)
  const keptNodes = new Set(matches.values())
  for (const node of before) {
    if (keptNodes.has(node)) continue
    const shownNode = pageNodeOf(node) as ChildNode | undefined
    if (shownNode?.parentNode === element) {
      shownNode.remove()
      if (shownNode instanceof Element) changes.shortened.add(element)
    }
    node.remove()
  }
  let [place, servedPlace] = [null as ChildNode | null, null as ChildNode | null]
  for (const node of after) {
    const match = matches.get(node)
    if (match === undefined) {
      const copy = node.cloneNode(true) as ChildNode
      insertBehind(element, place, node)
      if (node instanceof Element) changes.marked.add(node)
      else noteText(element, node, changes)
      insertBehind(servedElement, servedPlace, copy)
      pair(copy, node)
      place = node
      servedPlace = copy
      continue
    }
    const shownNode = pageNodeOf(match) as ChildNode | undefined
    if (match instanceof Element && node instanceof Element) {
      if (!match.isEqualNode(node)) patch(match, node, changes)
    } else if (match.nodeValue !== node.nodeValue) {
      match.nodeValue = node.nodeValue
      if (shownNode !== undefined) shownNode.nodeValue = node.nodeValue
      noteText(element, node, changes)
    }
    // A node that an island removed is no place.
    if (shownNode?.parentNode === element) place = shownNode
    servedPlace = match
  }
}

/**
 * Records an element whose text was changed. Does not record relative times. Does not record a price if the page itself
 * updates the price.
 */
function noteText(element: Element, { nodeValue }: Node, { marked }: Changes): void {
  if (nodeValue?.trim() !== '' && element.closest('time, .price:has([data-price-now])') === null) marked.add(element)
}

function insertBehind(parent: Element, place: ChildNode | null, node: ChildNode): void {
  if (place === null) parent.prepend(node)
  else place.after(node)
}

/**
 * Maps each new node to the old node that the new node replaces. First pairs nodes with equal texts. Then pairs nodes
 * of the same kind in each gap between two successive pairs.
 */
function align(before: readonly ChildNode[], after: readonly ChildNode[]): Map<ChildNode, ChildNode> {
  const matches = new Map<ChildNode, ChildNode>()
  let [from, to] = [0, 0]
  for (const [index, otherIndex] of [...findSame(before.map(textOf), after.map(textOf)), null].map(
    (pair) => pair ?? ([before.length, after.length] as const),
  )) {
    matchAlike(before.slice(from, index), after.slice(to, otherIndex), matches)
    const [oldNode, node] = [before[index], after[otherIndex]]
    if (oldNode !== undefined && node !== undefined) matches.set(node, oldNode)
    from = index + 1
    to = otherIndex + 1
  }
  return matches
}

function matchAlike(
  before: readonly ChildNode[],
  after: readonly ChildNode[],
  matches: Map<ChildNode, ChildNode>,
): void {
  const remainingNodes = before.map((node) => ({ node, kind: kindOf(node) }))
  let from = 0
  for (const node of after) {
    const kind = kindOf(node)
    const index = remainingNodes.findIndex((oldNode, at) => at >= from && oldNode.kind === kind)
    const match = remainingNodes[index]
    if (match === undefined) continue
    matches.set(node, match.node)
    from = index + 1
  }
}

/**
 * Returns the pairs of indexes in the longest common subsequence of two lists. For lists that are too long to compare,
 * returns only the pairs of equal items at the start.
 */
function findSame(before: readonly string[], after: readonly string[]): [number, number][] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  const pairs = Array.from({ length: start }, (_, index): [number, number] => [index, index])
  const [rows, columns] = [before.length - start, after.length - start]
  if (rows * columns > MOST_PAIRS) return pairs
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0
  const isSame = (row: number, column: number) => before[start + row] === after[start + column]
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row * width + column] = isSame(row, column)
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
    }
  }
  for (let [row, column] = [0, 0]; row < rows && column < columns; ) {
    if (isSame(row, column)) {
      pairs.push([start + row, start + column])
      row += 1
      column += 1
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1
    else column += 1
  }
  return pairs
}

/** Returns the HTML of an element, or the text of any other node. Relative times are left out. */
function textOf(node: Node): string {
  if (!(node instanceof Element)) return `${node.nodeValue}`
  return node.outerHTML.replaceAll(/(<time\b[^>]*>)[^<]*/g, '$1')
}

/** Returns the kind of a node. An old and a new node can be matched only if their kinds are equal. */
function kindOf(node: Node): string {
  if (!(node instanceof Element)) return node.nodeName
  const { nodeName, id } = node
  if (id !== '') return `${nodeName} #${id}`
  if (node.matches('section')) return `${nodeName} ${node.querySelector('h2')?.firstChild?.nodeValue}`
  if (!node.matches(items)) return `${nodeName} ${node.className}`
  const about = node.querySelector<HTMLElement>('[data-act], [data-file], a[href], [datetime]')
  const { act, worker, file } = about?.dataset ?? {}
  return `${nodeName} ${act} ${worker} ${file} ${about?.getAttribute('href')} ${about?.getAttribute('datetime')}`
}
