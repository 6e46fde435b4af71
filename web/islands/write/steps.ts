import { fill, h } from '../dom.ts'

const names = ['Checked by the market’s rules', 'Signed by your wallet', 'Written into the chain', 'Done'] as const

/** The steps of a write, shown as a list in which the current step is marked. */
export interface Steps {
  element: HTMLElement
  /**
   * Marks the current step.
   * @param at index of the current step
   * @param word text that tells what the step waits for
   */
  show(at: number, word: string): void
}

/** Creates the list of steps, with a status line for screen readers. */
export function makeSteps(): Steps {
  const list = h('ol', { class: 'steps' })
  const status = h('p', { class: 'soft', role: 'status' })
  return {
    element: h('div', { class: 'tight' }, list, status),
    show: (at, word) => {
      status.textContent = word
      fill(
        list,
        names.map((name, index) =>
          h(
            'li',
            { 'aria-current': index === at && at < names.length - 1 ? 'step' : null },
            h('span', {}, name),
            h('span', { class: 'is' }, index < at || at === names.length - 1 ? 'done' : ''),
          ),
        ),
      )
    },
  }
}
