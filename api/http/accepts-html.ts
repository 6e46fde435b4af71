/**
 * Tells a browser from other clients: a browser names `text/html`, a program that takes everything does not.
 * Example: true for `text/html,application/xhtml+xml;q=0.9`, false for `*` + `/*` and for `application/json`.
 */
export function acceptsHtml(accept: string | undefined): boolean {
  const weightOf = (type: string) => {
    for (const part of (accept ?? '').split(',')) {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      if (name !== type) continue
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return weight === undefined ? 1 : Number(weight.slice(2)) || 0
    }
    return 0
  }
  const html = weightOf('text/html')
  return html > 0 && html >= weightOf('application/json')
}
