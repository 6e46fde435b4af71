import type { Abi, AbiEvent, AbiParameter } from 'viem'
import { toStoredText } from './stored-text.ts'

/** Widest integers that are JSON numbers; wider ones, which are amounts, times and nonces, are decimal strings. */
const widestNumberBits = 32

/** The arguments of an event, by their names. */
export type EventArgs = Readonly<Record<string, unknown>>

/** Returns whether an integer type becomes a decimal string. Example: `isWideInteger('uint40')` is true. */
export function isWideInteger(type: string): boolean {
  return Number(/\d+$/.exec(type)?.[0]) > widestNumberBits
}

/**
 * Converts the arguments of an event to JSON, in the order of its declaration: amounts and times as decimal strings, addresses
 * and bytes as lower-case hex, structs as objects. Leaves out the arguments named in `omit`.
 * Example: `BidSubmitted` becomes `{ worker: '0xa1..', price: '4000000', bidCount: 2 }`.
 * @throws when the ABI declares no such event, or the arguments do not fit its declaration
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
 * @throws when there is none, or more than one
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
 * Returns a struct's values by their names. Example: `toRecord('terms', { reward: 5n })`.
 * @throws when the value is no struct
 */
export function toRecord(name: string, value: unknown): EventArgs {
  if (typeof value !== 'object' || value === null) throw new Error(`${name} is no struct`)
  return value as Record<string, unknown>
}
