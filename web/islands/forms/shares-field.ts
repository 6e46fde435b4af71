import { parseUsdc, usdcText } from '../../words/amount.ts'
import { h } from '../dom.ts'
import { shortAddress } from '../session.ts'
import { type Control, FieldProblem } from './control.ts'
import type { Field, Share } from './fields.ts'

type SharesField = Extract<Field, { kind: 'shares' }>

/**
 * Renders an input for the part of each worker, and the sum of all parts. Parts in percent must add up to 100. Amounts
 * in USDC may add up to less than the total.
 */
export function renderShares({ name, label, hint, workers, unit, total, isOptional }: SharesField): Control {
  const evenPart = unit === 'percent' && workers.length > 0 ? total / BigInt(workers.length) : 0n
  const inputs = workers.map((worker, index) => {
    // The remainder of the division goes to the first worker.
    const part = evenPart + (index === 0 && workers.length > 0 ? total - evenPart * BigInt(workers.length) : 0n)
    const value = unit === 'percent' ? percent(part) : ''
    return { worker, input: h('input', { inputmode: 'decimal', name: `${name}-${index}`, value, autocomplete: 'off' }) }
  })
  const sum = h('output', { role: 'status' })
  const update = () => {
    const parts = inputs.map(({ input }) => parse(input.value, unit))
    const partSum = parts.some((part) => part === null)
      ? null
      : parts.reduce<bigint>((all, part) => all + (part ?? 0n), 0n)
    sum.textContent = describe(partSum, { unit, total })
    sum.classList.toggle('wrong', partSum === null || partSum > total || (unit === 'percent' && partSum !== total))
  }
  const element = h(
    'fieldset',
    { oninput: update },
    h('legend', {}, label),
    hint !== undefined && h('small', { class: 'soft' }, hint),
    workers.length === 0 && h('p', { class: 'soft' }, 'No worker has delivered yet.'),
    inputs.map(({ worker, input }) =>
      h(
        'label',
        { class: 'share' },
        h('span', { class: 'hex', title: worker }, shortAddress(worker)),
        input,
        h('small', {}, unit === 'percent' ? '%' : 'USDC'),
      ),
    ),
    h('p', { class: 'sum' }, sum),
  )
  update()
  const read = (): Share[] | undefined => {
    const shares = inputs.map(({ worker, input }) => ({ worker, part: parse(input.value, unit) }))
    const parts = shares.flatMap(({ worker, part }) => (part === null ? [] : [{ worker, part }]))
    if (parts.length < shares.length) throw new FieldProblem('Each part is a number with a few decimals, or 0.')
    const partSum = parts.reduce((all, { part }) => all + part, 0n)
    if (partSum > total || (unit === 'percent' && partSum !== total))
      throw new FieldProblem(describe(partSum, { unit, total }))
    return partSum === 0n && isOptional !== true ? undefined : parts
  }
  return { element, read }
}

/**
 * Converts a text to base units of USDC, or to basis points if the unit is percent. Returns null if the text is not a
 * number.
 */
function parse(text: string, unit: SharesField['unit']): bigint | null {
  if (text.trim() === '') return 0n
  if (unit === 'usdc') return parseUsdc(text)
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(text.trim())
  return match === null ? null : BigInt(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`)
}

function percent(part: bigint): string {
  return (Number(part) / 100).toString()
}

function describe(partSum: bigint | null, { unit, total }: Pick<SharesField, 'unit' | 'total'>): string {
  if (partSum === null) return 'One part is no number.'
  if (unit === 'percent') return `${percent(partSum)} % of 100 %`
  return `${usdcText(partSum)} of ${usdcText(total)} USDC; ${partSum > total ? 'too much' : `${usdcText(total - partSum)} goes back`}`
}
