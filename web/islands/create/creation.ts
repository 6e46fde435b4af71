import { creationRows } from '../../act/payout-rows.ts'
import { parseUsdc, usdcText } from '../../words/amount.ts'
import { fill, find, h } from '../dom.ts'
import { keepDraft, restoreDraft } from './draft.ts'

/**
 * Makes the form of `/tasks/new` interactive: shows the price and the fields of the chosen mode, and opens the payment
 * sheet.
 */
export function startCreation(): void {
  const form = find<HTMLFormElement>('#new-task')
  if (form === null) return
  restoreDraft(form)
  const update = () => {
    showFields(form)
    showPrice(form)
  }
  form.addEventListener('input', () => {
    update()
    keepDraft(form)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void import('./review.ts').then(({ review }) => review(form))
  })
  update()
  // The button is disabled until now, because a click would have had no effect.
  find<HTMLButtonElement>('[form=new-task]')?.removeAttribute('disabled')
}

/**
 * Shows each element with the attribute `data-shown` only if the attribute's condition is true. Example: an element
 * with `data-shown="mode=auction"` is shown only if the form's field `mode` has the value `auction`.
 */
function showFields(form: HTMLFormElement): void {
  for (const element of form.querySelectorAll<HTMLElement>('[data-shown]')) {
    const [name = '', value] = (element.dataset.shown ?? '').split('=')
    element.hidden = new FormData(form).get(name) !== value
  }
}

function showPrice(form: HTMLFormElement): void {
  const place = find('#price')
  if (place === null) return
  const reward = parseUsdc(String(new FormData(form).get('reward') ?? ''))
  if (reward === null) {
    fill(place, h('p', { class: 'soft' }, 'Type a reward to see what you pay and what a worker receives.'))
    return
  }
  const { feeBps } = form.dataset
  const evaluatorFeeBps = evaluatorFeeOf(new FormData(form))
  const rows = feeBps === undefined ? [] : creationRows(reward, { platformFeeBps: Number(feeBps), evaluatorFeeBps })
  fill(
    place,
    h(
      'dl',
      { class: 'facts' },
      h('dt', { class: 'sum' }, 'Into escrow'),
      h('dd', { class: 'sum' }, `${usdcText(reward)} USDC`),
      rows.map(([label, value]) => [h('dt', {}, label), h('dd', {}, value)]),
    ),
    h(
      'small',
      {},
      'If no worker delivers in time, all of it comes back to you. Nothing is paid before you have reviewed and signed it.',
    ),
  )
}

/**
 * Returns the evaluator's fee in the form, in basis points. Returns 0 if no evaluator is named, or if the text is not a
 * percentage.
 */
function evaluatorFeeOf(form: FormData): number {
  const bps = Math.round(Number(form.get('evaluatorFee')) * 100)
  const isNamed = String(form.get('evaluator') ?? '').trim() !== ''
  return isNamed && bps >= 0 && bps <= 10_000 ? bps : 0
}
