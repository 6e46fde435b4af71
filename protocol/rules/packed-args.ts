import { type AbiEvent, type AbiParameter, concat, type Hex, hexToBytes } from 'viem'
import { type EventArgs, isWideInteger, toRecord } from './event-args.ts'
import { toStoredText } from './stored-text.ts'

/**
 * The place of one argument of an event in a `PackedArgs`. `number`: an index in the list of numbers. `bytes`: an
 * offset in the bytes. `text`: the event's only text. `subject`: the account that the event is about, which is stored
 * in a separate column. Indexes and offsets start at 0. Inside an element of a list, they count from the start of the
 * element.
 */
export type Place =
  | { kind: 'number'; index: number; shown: 'text' | 'number' | 'boolean' }
  | { kind: 'bytes'; offset: number; size: number }
  | { kind: 'text' }
  | { kind: 'subject' }
  | { kind: 'struct'; fields: readonly [name: string, Place][] }
  | { kind: 'list'; element: Place; numbers: number; size: number }

/**
 * The locations of an event's arguments in the packed form (`PackedArgs`). If one argument is a list, the elements of
 * the list come after all other arguments.
 */
export interface Layout {
  fields: readonly [name: string, Place][]
  /** Count of the event's numbers. Numbers in the elements of the event's list are not counted. */
  numbers: number
  /**
   * Size in bytes of the event's addresses and hashes. The subject is not counted. Addresses and hashes in the elements
   * of the event's list are not counted either.
   */
  size: number
}

/** The values of an event's arguments without the arguments' names. */
export interface PackedArgs {
  /** The event's numbers as decimal digits, separated by commas; null if the event has no numbers. */
  numbers: string | null
  /** Addresses and hashes, one after the other; null if the event has none. */
  bytes: Uint8Array | null
  /** The event's text; null if the event has none. */
  text: string | null
}

/**
 * Computes the layout of the arguments of an event of a task. The task id is left out. The event's first address
 * becomes the subject, the account that the event is about.
 * Example: for `BidSubmitted`, the subject is the worker, and the numbers are `price` and `bidCount`.
 * @throws if an argument's type is not supported, or if the event has two lists
 */
export function layOutArgs({ inputs }: AbiEvent): Layout {
  const counter = { numbers: 0, size: 0 }
  const shownInputs = inputs.filter(({ name }) => name !== 'taskId')
  const subject = shownInputs.find(({ type }) => type === 'address')
  const fields = shownInputs.map((input): [string, Place] => [
    input.name ?? '',
    input === subject ? { kind: 'subject' } : place(input, counter),
  ])
  if (JSON.stringify(fields).split('"kind":"list"').length > 2) throw new Error('an event has two lists')
  return { fields, ...counter }
}

/**
 * Packs the arguments of an event, with the layout that `layOutArgs` computed for the event.
 * Example: the event `BidSubmitted` with the price 4_000_000n and the bid count 2 has the numbers `4000000,2` and no
 * bytes.
 * @param subject the account that the event is about
 * @throws if the event's first address is not `subject`
 */
export function packArgs(layout: Layout, args: EventArgs, subject: Hex | null): PackedArgs {
  const packedArgs: Packed = { numbers: [], bytes: [], text: null, rest: [] }
  const isSubject = (value: unknown) => subject !== null && String(value).toLowerCase() === subject.toLowerCase()
  for (const [name, of] of layout.fields) {
    if (of.kind !== 'subject') pack(of, args[name], packedArgs)
    else if (!isSubject(args[name]))
      throw new Error(`the event is about ${subject}, and its ${name} is another account`)
  }
  for (const { element, values } of packedArgs.rest) for (const value of values) pack(element, value, packedArgs)
  return {
    numbers: packedArgs.numbers.length === 0 ? null : packedArgs.numbers.join(','),
    bytes: packedArgs.bytes.length === 0 ? null : hexToBytes(concat(packedArgs.bytes)),
    text: packedArgs.text,
  }
}

interface Packed {
  numbers: string[]
  bytes: Hex[]
  text: string | null
  rest: { element: Place; values: readonly unknown[] }[]
}

function place(parameter: AbiParameter, counter: { numbers: number; size: number }): Place {
  const { type } = parameter
  const array = /^(.*)\[\]$/.exec(type)
  if (array !== null) {
    const inside = { numbers: 0, size: 0 }
    const element = place({ ...parameter, type: array[1] ?? '' }, inside)
    if (inside.size === 0) throw new Error(`the elements of ${parameter.name} have no bytes to count them by`)
    return { kind: 'list', element, ...inside }
  }
  if ('components' in parameter) {
    return { kind: 'struct', fields: parameter.components.map((part) => [part.name ?? '', place(part, counter)]) }
  }
  if (type === 'string') return { kind: 'text' }
  if (type === 'bool' || /^u?int\d+$/.test(type)) {
    counter.numbers += 1
    const shownForm = type === 'bool' ? 'boolean' : isWideInteger(type) ? 'text' : 'number'
    return { kind: 'number', index: counter.numbers - 1, shown: shownForm }
  }
  const size = type === 'address' ? 20 : Number(/^bytes(\d+)$/.exec(type)?.[1])
  if (Number.isNaN(size)) throw new Error(`${parameter.name} is a ${type}, which has no place`)
  counter.size += size
  return { kind: 'bytes', offset: counter.size - size, size }
}

function pack(of: Place, value: unknown, packedArgs: Packed): void {
  if (of.kind === 'number') packedArgs.numbers.push(String(of.shown === 'boolean' ? Number(value) : value))
  else if (of.kind === 'bytes') packedArgs.bytes.push(value as Hex)
  else if (of.kind === 'text') packedArgs.text = toStoredText(String(value))
  else if (of.kind === 'list') packedArgs.rest.push({ element: of.element, values: value as readonly unknown[] })
  else if (of.kind === 'struct')
    for (const [name, field] of of.fields) pack(field, toRecord(name, value)[name], packedArgs)
}
