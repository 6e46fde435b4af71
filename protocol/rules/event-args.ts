import type { Abi, AbiEvent, AbiParameter } from 'viem'
import { toStoredText } from './stored-text.ts'

/** Integers up to this width are JSON numbers; wider ones, which are amounts, times and nonces, decimal strings. */
const widestNumberBits = 32

/**
 * The arguments of an event as JSON, in the order of its declaration: amounts and times as decimal strings, addresses
 * and bytes as lower-case hex, structs as objects. Leaves out the arguments named in `omit`.
 * @throws when the ABI declares no such event, or the arguments do not fit its declaration
 */
export function toEventArgsJson(
  event: AbiEvent,
  args: Readonly<Record<string, unknown>>,
  omit: readonly string[] = [],
): Record<string, unknown> {
  return objectOf(
    event.inputs.filter((input) => !omit.includes(input.name ?? '')),
    args,
  )
}

/** The declaration of an event. @throws when there is none, or more than one */
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
  if ('components' in parameter) return objectOf(parameter.components, toRecord(parameter, value))
  const integer = /^u?int(\d+)$/.exec(parameter.type)
  if (integer !== null) return Number(integer[1]) > widestNumberBits ? String(value) : Number(value)
  if (parameter.type === 'bool') return Boolean(value)
  if (typeof value !== 'string') throw new Error(`${parameter.name} is no ${parameter.type}`)
  return parameter.type === 'string' ? toStoredText(value) : value.toLowerCase()
}

function toRecord(parameter: AbiParameter, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error(`${parameter.name} is no struct`)
  return value as Record<string, unknown>
}
