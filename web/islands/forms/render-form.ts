import { MIN_REWARD } from '../../../client/src/index.ts'
import { parseUsdc, usdcText } from '../../words/amount.ts'
import { h } from '../dom.ts'
import { type Control, FieldProblem } from './control.ts'
import type { Field, Values } from './fields.ts'
import { renderFiles } from './file-field.ts'
import { showProblem } from './problem.ts'
import { renderShares } from './shares-field.ts'

/** Renders the fields of a form, and returns their elements and a function that reads all values. */
export function renderFields(fields: readonly Field[]): { elements: HTMLElement[]; read: () => Values | null } {
  const controls = fields.map((field) => ({ field, ...renderControl(field) }))
  return {
    elements: controls.map(({ element }) => element),
    read: () => readAll(controls),
  }
}

/**
 * Returns the values of all fields; null if a required value is missing, or a value is not allowed. Shows a problem
 * beside each wrong field, and moves the focus to the first of these fields.
 */
function readAll(controls: readonly (Control & { field: Field })[]): Values | null {
  const values: Record<string, unknown> = {}
  let first: HTMLElement | null = null
  for (const { element, field, read } of controls) {
    try {
      const value = read()
      if (value === undefined && field.isOptional !== true) throw new FieldProblem('This is needed.')
      if (value !== undefined) values[field.name] = value
      showProblem(element, null)
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error
      showProblem(element, error.message)
      first ??= element.querySelector<HTMLElement>('input, textarea, select')
    }
  }
  first?.focus()
  return first === null ? values : null
}

function renderControl(field: Field): Control {
  switch (field.kind) {
    case 'choice':
      return renderChoice(field)
    case 'files':
      return renderFiles(field)
    case 'shares':
      return renderShares(field)
    case 'lines': {
      const { name, most, value = '' } = field
      const input = h('textarea', { name, maxlength: most })
      input.value = value
      return labelled(field, input, () => (input.value.trim() === '' ? undefined : input.value))
    }
    default: {
      const input = h('input', { name: field.name, autocomplete: 'off', spellcheck: 'false', ...attributesOf(field) })
      return labelled(field, input, () => {
        const text = input.value.trim()
        return text === '' ? undefined : readText(field, text)
      })
    }
  }
}

type TextField = Exclude<Field, { kind: 'choice' | 'files' | 'shares' | 'lines' }>

function attributesOf(field: TextField): Record<string, string | number | undefined> {
  switch (field.kind) {
    case 'text':
      return { maxlength: field.most, value: field.value }
    case 'usdc':
      return { inputmode: 'decimal', value: field.value === undefined ? undefined : usdcText(field.value) }
    case 'number':
      return { type: 'number', min: field.least, max: field.most, step: 'any', value: field.value }
    case 'integer':
      return { inputmode: 'numeric', maxlength: field.most }
    case 'address':
      return { class: 'hex', placeholder: '0x…', maxlength: 42 }
    case 'time':
      return { type: 'datetime-local' }
  }
}

/**
 * Converts the text of a field to the field's value.
 * @throws FieldProblem if the text is not allowed
 */
function readText(field: TextField, text: string): unknown {
  switch (field.kind) {
    case 'text':
      return text
    case 'usdc':
      return readUsdc(field, text)
    case 'number': {
      const value = Number(text)
      if (value >= field.least && value <= field.most) return value
      throw new FieldProblem(`A number from ${field.least} to ${field.most}.`)
    }
    case 'integer':
      if (/^\d+$/.test(text)) return text
      throw new FieldProblem('A whole number, such as 42.')
    case 'address':
      if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text
      throw new FieldProblem('An address: 0x and 40 hex digits.')
    case 'time': {
      const seconds = Math.floor(new Date(text).getTime() / 1000)
      if (seconds * 1000 > Date.now()) return seconds
      throw new FieldProblem('A time that is not over.')
    }
  }
}

function readUsdc({ least = MIN_REWARD, most }: Extract<Field, { kind: 'usdc' }>, text: string): string {
  const units = parseUsdc(text)
  if (units === null) throw new FieldProblem('An amount such as 12.50, with at most six decimals.')
  if (units < least) throw new FieldProblem(`At least ${usdcText(least)} USDC.`)
  if (most !== undefined && units > most) throw new FieldProblem(`At most ${usdcText(most)} USDC.`)
  return units.toString()
}

function labelled(field: Field, input: HTMLElement, read: () => unknown): Control {
  const label = field.isOptional === true ? `${field.label} (optional)` : field.label
  const element = h(
    'label',
    {},
    h('span', {}, label, field.hint !== undefined && h('small', { class: 'soft' }, ` ${field.hint}`)),
    input,
  )
  return { element, read }
}

function renderChoice({ name, label, options, isOptional }: Extract<Field, { kind: 'choice' }>): Control {
  const inputs = options.map(([value]) => h('input', { type: 'radio', name, value, checked: options.length === 1 }))
  const element = h(
    'fieldset',
    {},
    h('legend', {}, isOptional === true ? `${label} (optional)` : label),
    options.length === 0 && h('p', { class: 'soft' }, 'There is nothing to choose from yet.'),
    h(
      'div',
      { class: 'choices' },
      options.map(([, text, about = ''], index) =>
        h(
          'label',
          {},
          inputs[index] ?? null,
          h('span', {}, text),
          about !== '' && h('small', { class: 'soft' }, about.slice(0, 300)),
        ),
      ),
    ),
  )
  return { element, read: () => inputs.find(({ checked }) => checked)?.value }
}
