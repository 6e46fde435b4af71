import { plain } from '../words/text.ts'

type Child = Node | string | null | false | readonly Child[]
type Props = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>

/**
 * Creates an HTML element. A property with a function adds an event listener. A property with `true` sets an attribute
 * without a value. A property with false, null or undefined is ignored. A string child is inserted as text and not as
 * HTML, and a name such as `[U+202E]` replaces each invisible character.
 * @example h('button', { class: 'button', onclick: () => close() }, 'Close')
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value))
  }
  append(element, children)
  return element
}

/** Replaces the content of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren()
  append(element, children)
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === false) continue
    if (typeof child === 'string') element.append(plain(child))
    else if (child instanceof Node) element.append(child)
    else append(element, child)
  }
}

/** Returns the first element that matches a selector; null if no element matches. */
export function find<Kind extends Element = HTMLElement>(selector: string, within: ParentNode = document): Kind | null {
  return within.querySelector<Kind>(selector)
}
