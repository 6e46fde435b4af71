// Functions that run in a page: they see nothing of this file but themselves, and the types of a document are not those of
// the tests.

/**
 * What a page has of markup that strangers must not make, and every text that it shows or names.
 * @returns {{ handlers: string[], foreign: string[], schemes: string[], leaving: string[], texts: string[] }}
 */
export function readMarkup() {
  const elements = [...document.querySelectorAll('*')]
  const attributes = elements.flatMap((element) => [...element.attributes])
  const links = [...document.querySelectorAll('a[href]')]
  const unwanted = 'img[src="x"], main script, iframe, object, embed, base, style, [style], b'
  const leavesUnguarded = ({ origin, protocol, rel }) =>
    protocol.startsWith('http') && origin !== location.origin && !rel.includes('noopener')
  return {
    handlers: attributes.filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
    foreign: elements.filter((element) => element.matches(unwanted)).map(({ outerHTML }) => outerHTML.slice(0, 120)),
    schemes: [...new Set(links.map(({ protocol }) => protocol))],
    leaving: links.filter(leavesUnguarded).map(({ href }) => href),
    texts: [document.documentElement.textContent ?? '', ...attributes.map(({ value }) => value)],
  }
}

/**
 * The vocabularies of an XML text. A text with an error has another one besides.
 * @param {string} source
 * @returns {string[]}
 */
export function readVocabularies(source) {
  const elements = [...new DOMParser().parseFromString(source, 'application/xml').querySelectorAll('*')]
  return [...new Set(elements.map(({ namespaceURI }) => namespaceURI ?? ''))]
}

/**
 * Buttons that are shown, but do nothing without a script: those of no form that has an address, except of texts to copy.
 * @returns {string[]}
 */
export function readScriptButtons() {
  const isShown = (element) => element.checkVisibility()
  const isSent = (button) => button.type === 'submit' && button.form !== null && button.form.hasAttribute('action')
  return [...document.querySelectorAll('button:not(.copy)')]
    .filter((button) => isShown(button) && !isSent(button))
    .map(({ textContent }) => textContent.trim())
}

/**
 * How far a page reaches beyond the right edge of its window, CSS pixels.
 * @returns {number}
 */
export function readOverflow() {
  return Math.max(0, document.documentElement.scrollWidth - innerWidth)
}

/** Writes violations of the policy of a page to its console. */
export function reportPolicyViolations() {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(`policy: ${violatedDirective} ${blockedURI}`),
  )
}

/**
 * The element that has the focus: its name as text, whether it is seen inside the window, and whether an outline shows it. Null:
 * none, as between the last element of a page and its first.
 * @returns {{ name: string, isSeen: boolean, hasOutline: boolean } | null}
 */
export function readFocus() {
  const element = document.activeElement
  if (element === null || element === document.body) return null
  const { top, left, bottom, right } = element.getBoundingClientRect()
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const label = element.labels?.[0]?.textContent
  return {
    name: (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim().replace(/\s+/g, ' '),
    isSeen: top < innerHeight && left < innerWidth && bottom > 0 && right > 0,
    hasOutline: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0,
  }
}

/**
 * Everything that moves on a page by itself, or would when it changes.
 * @returns {string[]}
 */
export function readMotion() {
  const moves = (value) => value.split(',').some((time) => Number.parseFloat(time) > 0)
  return [...document.querySelectorAll('*')].flatMap((element) => {
    const { transitionDuration, animationDuration, animationName, scrollBehavior } = getComputedStyle(element)
    const isMoving = moves(transitionDuration) || (animationName !== 'none' && moves(animationDuration))
    return isMoving || scrollBehavior === 'smooth' ? [element.outerHTML.slice(0, 120)] : []
  })
}
