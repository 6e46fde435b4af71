import type { Abi, AbiEvent, AbiParameter } from 'viem'
import { toStoredText } from './stored-text.ts'

/**
 * Maximum number of bits of an integer type whose values become JSON numbers. Values of wider types become decimal
 * strings.
 */
const widestNumberBits = 32

/** The arguments of an event, by their names. */
export type EventArgs = Readonly<Record<string, unknown>>

/**
 * Returns whether values of an integer type become decimal strings in JSON. Example: `isWideInteger('uint40')` is true.
 */
export function isWideInteger(type: string): boolean {
  return Number(/\d+$/.exec(type)?.[0]) > widestNumberBits
}

/**
 * Converts the arguments of an event to JSON, in the order of the event's declaration. Integers above 32 bits become
 * decimal strings, addresses and bytes lower-case hex, structs objects. The result omits the arguments named in `omit`.
 * Example: `BidSubmitted` becomes `{ worker: '0xa1..', price: '4000000', bidCount: 2 }`.
 * @throws if the arguments do not fit the declaration
 */
export function toEventArgsJson(
  event: AbiEvent,
  args: EventArgs,
  omit: readonly string[] = [],
): Record<string, unknown> {
  return objectOf(
    event.inputs.filter((input) => !omit.includes(input.name ?? '')),
    args,
  )
}

/**
 * Returns the declaration of an event. Example: `getEventAbi(taskMarketAbi, 'BidSubmitted')`.
 * @throws if the ABI declares no event with the name, or more than one
 */
export function getEventAbi(abi: Abi, name: string): AbiEvent {
  const events = abi.filter((item): item is AbiEvent => item.type === 'event' && item.name === name)
  const [event] = events
  if (event === undefined || events.length > 1) throw new Error(`the ABI declares ${events.length} events ${name}`)
  return event
}

function objectOf(parameters: readonly AbiParameter[], values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const name = parameter.name ?? ''
      return [name, toJson(parameter, values[name])]
    }),
  )
}

function toJson(parameter: AbiParameter, value: unknown): unknown {
  const array = /^(.*)\[\d*\]$/.exec(parameter.type)
  if (array !== null) {
    if (!Array.isArray(value)) throw new Error(`${parameter.name} is no array`)
    const element = { ...parameter, type: array[1] ?? '' }
    return value.map((item) => toJson(element, item))
  }
  if ('components' in parameter) return objectOf(parameter.components, toRecord(parameter.name ?? '', value))
  if (/^u?int\d+$/.test(parameter.type)) return isWideInteger(parameter.type) ? String(value) : Number(value)
  if (parameter.type === 'bool') return Boolean(value)
  if (typeof value !== 'string') throw new Error(`${parameter.name} is no ${parameter.type}`)
  return parameter.type === 'string' ? toStoredText(value) : value.toLowerCase()
}

/**
 * Returns a struct's fields by name. Example: `toRecord('terms', { reward: 5n })`.
 * @param name the name of the argument, for the error message
 * @throws if the value is no struct
 */
export function toRecord(name: string, value: unknown): EventArgs {
  if (typeof value !== 'object' || value === null) throw new Error(`${name} is no struct`)
  return value as Record<string, unknown>
}
