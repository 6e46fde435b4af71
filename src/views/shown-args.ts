import type { Layout, Place } from '../../protocol/rules/packed-args.ts'

/**
 * Two SQL expressions for the place in the packed arguments at which a list element begins. Outside lists, both
 * expressions are '0'.
 */
interface Begin {
  /** SQL expression for an index in `numbers`, from 0: the place of the list element's first number. */
  number: string
  /** SQL expression for an index in `bytes`, from 0: the place of the list element's first byte. */
  byte: string
}

/**
 * Returns an SQL expression for the JSON text of an event's arguments. The expression reads a row of `_task_history`
 * with the alias `e`.
 */
export function shownArgs({ fields, numbers, size }: Layout): string {
  return showStruct(fields, { begin: { number: '0', byte: '0' }, numbers, size })
}

interface Context extends Pick<Layout, 'numbers' | 'size'> {
  begin: Begin
}

function showStruct(fields: readonly [string, Place][], context: Context): string {
  const parts = fields.map(([name, place], index) => `'${index === 0 ? '' : ','}"${name}":' || ${show(place, context)}`)
  return `'{' || ${[...parts, "'}'"].join(' || ')}`
}

function show(place: Place, context: Context): string {
  const { begin } = context
  if (place.kind === 'struct') return showStruct(place.fields, context)
  if (place.kind === 'subject') return `'"0x' || encode(e.subject_bytes, 'hex') || '"'`
  if (place.kind === 'text') return 'to_json(e.text)::text'
  if (place.kind === 'bytes') {
    return `'"0x' || encode(substring(e.bytes, ${begin.byte} + ${place.offset + 1}, ${place.size}), 'hex') || '"'`
  }
  if (place.kind === 'number') {
    const digits = `split_part(e.numbers, ',', ${begin.number} + ${place.index + 1})`
    if (place.shown === 'boolean') return `case ${digits} when '1' then 'true' else 'false' end`
    return place.shown === 'text' ? `'"' || ${digits} || '"'` : digits
  }
  const element = show(place.element, {
    ...context,
    begin: { number: `${context.numbers} + i * ${place.numbers}`, byte: `${context.size} + i * ${place.size}` },
  })
  const last = `(coalesce(octet_length(e.bytes), 0) - ${context.size}) / ${place.size} - 1`
  return `'[' || coalesce((select string_agg(${element}, ',' order by i) from generate_series(0, ${last}) as i), '') || ']'`
}
