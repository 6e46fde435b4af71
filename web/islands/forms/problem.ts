import { fill, h } from '../dom.ts'

/**
 * Shows a problem beside a field; null removes the shown problem.
 * @param element the element that contains the field
 */
export function showProblem(element: HTMLElement, problem: string | null): void {
  const input = element.querySelector<HTMLElement>('input, textarea, select')
  const line = element.querySelector<HTMLElement>(':scope > .wrong') ?? h('span', { class: 'wrong' })
  fill(line, problem)
  if (problem === null) {
    line.remove()
    input?.removeAttribute('aria-invalid')
    return
  }
  line.id ||= `problem-${crypto.randomUUID()}`
  input?.setAttribute('aria-invalid', 'true')
  input?.setAttribute('aria-describedby', line.id)
  element.append(line)
}
