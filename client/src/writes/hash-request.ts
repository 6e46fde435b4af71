import type { Account } from '../account/account.ts'
import type { WriteName } from '../api/write-names.ts'
import { sha256Hex } from '../payments/payment-text.ts'
import { planRequest } from './write-request.ts'
import type { Fields, WriteSpec } from './write-spec.ts'
import { writes } from './write-table.ts'

/** Placeholders for values that the sender has not chosen yet. */
const notChosen: Fields = { documentSalt: `0x${'00'.repeat(32)}`, createdAt: '' }

/**
 * Returns the hash by which the journal finds an equal write: of the path and the normalised arguments. An address in another
 * case, a leading zero of an amount and an explicit default do not change the hash. Values that the client chooses, and
 * signatures, are excluded.
 *
 * Example: a creation of mode `bounty` has the hash of one without a mode.
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
 * Returns the hash of a request without the values that its sender may choose; null: the request has none of them.
 *
 * Example: two creations of the same texts with two salts have one purpose.
 * @throws Refused as `hashRequest` does
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
  const chosen = Object.entries(notChosen).filter(([name]) => isOpen(name))
  const plan = planRequest(operation, { ...fields, ...Object.fromEntries(chosen) }, { account, task: null })
  const ofRequest = Object.entries(plan.input).filter(
    ([name]) => name !== 'signature' && !(isOpen(name) && Object.hasOwn(notChosen, name)),
  )
  return Object.fromEntries(ofRequest)
}

/** Returns an amount or hex value in one form: without leading zeros, in lower case. */
function asWritten(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return /^[0-9]+$/.test(value) ? BigInt(value) : value.toLowerCase()
}

/** Sorts keys and drops those without a value. A bigint becomes text that no other value has. */
function toStable(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(toStable)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, toStable(inner)]),
  )
}
