import type { Account } from '../account/account.ts'
import type { WriteName } from '../api/write-names.ts'
import { sha256Hex } from '../payments/payment-text.ts'
import { planRequest } from './write-request.ts'
import type { Fields, WriteSpec } from './write-spec.ts'
import { writes } from './write-table.ts'

/** Placeholders for the values that the sender has not chosen yet. */
const notChosen: Fields = { documentSalt: `0x${'00'.repeat(32)}`, createdAt: '' }

/**
 * Returns the hash by which the journal finds an equal write. The hash covers name, path and normalised arguments, so
 * that equal values in different notations have the same hash. It excludes signatures and the values that the client
 * chooses.
 *
 * Example: a task creation with mode `bounty` has the same hash as one without a mode.
 * @throws Refused for invalid arguments
 */
export async function hashRequest(
  name: WriteName,
  path: string,
  { input, account }: { input: object; account: Account },
): Promise<string> {
  const fields = { ...input } as Fields
  return await sha256Hex(JSON.stringify([name, path, toStable(normalised(writes[name], fields, account))]))
}

/**
 * Returns a hash of all values of a request except the document's salt and time. Returns null if the caller passed
 * neither a salt nor a time, because `hashRequest` then returns the same hash.
 *
 * Example: two creations of a task with the same texts and different salts have the same hash.
 * @throws Refused for invalid arguments
 */
export async function hashPurpose(
  name: WriteName,
  path: string,
  { input, account }: { input: object; account: Account },
): Promise<string | null> {
  const fields = Object.entries(input)
  const purpose = fields.filter(([field]) => !Object.hasOwn(notChosen, field))
  if (purpose.length === fields.length) return null
  return await hashRequest(name, path, { input: Object.fromEntries(purpose), account })
}

function normalised({ operation, build }: WriteSpec, fields: Fields, account: Account): Fields {
  // Arguments of a withdrawal are not a request yet, so they are compared in the form that its builder takes.
  if (build !== undefined)
    return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, asWritten(value)]))
  const isOpen = (name: string) => fields[name] === undefined
  const openChoices = Object.entries(notChosen).filter(([name]) => isOpen(name))
  const plan = planRequest(operation, { ...fields, ...Object.fromEntries(openChoices) }, { account, task: null })
  const ofRequest = Object.entries(plan.input).filter(
    ([name]) => name !== 'signature' && !(isOpen(name) && Object.hasOwn(notChosen, name)),
  )
  return Object.fromEntries(ofRequest)
}

/**
 * Brings a value to one form for the comparison: a text of digits becomes a bigint, any other text becomes lower case.
 * Example: `0xAB` and `0xab` both become `0xab`.
 */
function asWritten(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return /^[0-9]+$/.test(value) ? BigInt(value) : value.toLowerCase()
}

/**
 * Returns the value with sorted object keys and without undefined fields. Equal values then have the same JSON. A
 * bigint becomes a text of its digits and the letter `n`.
 */
function toStable(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(toStable)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, toStable(member)]),
  )
}
