import type { Address, Hex } from 'viem'
import { z } from 'zod'

/** An account of the ledger (docs/build/tables.md, "ledger"). `owner` is null for a class that has only one account. */
export interface AccountKey {
  accountClass: string
  owner: Hex | null
}

const ownerPatterns = { task: /^0x[0-9a-f]{64}$/, address: /^0x[0-9a-f]{40}$/ }

/** The kind of owner that the accounts of each class have, or null if the class has only one account. */
const ownersOfClass: Record<string, keyof typeof ownerPatterns | null> = {
  escrow: 'task',
  stake: 'task',
  credit: 'address',
  service_fees: null,
  prepaid: 'address',
  bonus: 'address',
  bonus_reserve: null,
  vault: 'address',
  vault_reserved: 'address',
  vault_owed: 'address',
  vault_fees: 'address',
  unassigned: 'address',
}

const message =
  'must be an account of the ledger, such as service_fees, credit:<address>, escrow:<task id> or an address'

/** The schema of a ledger account's name. The parsed value has the class and the owner, in lower case. */
export const accountName = z
  .string(message)
  .max(100, message)
  .transform((text, context): AccountKey => {
    const key = parseAccount(text.toLowerCase())
    if (key !== null) return key
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
  .meta({ override: { type: 'string', minLength: 1, maxLength: 100 } })

function parseAccount(text: string): AccountKey | null {
  if (ownerPatterns.address.test(text)) return { accountClass: 'wallet', owner: text as Address }
  const [accountClass = '', owner, ...others] = text.split(':')
  const kind = Object.hasOwn(ownersOfClass, accountClass) ? ownersOfClass[accountClass] : undefined
  if (kind === undefined || others.length > 0) return null
  if (kind === null) return owner === undefined ? { accountClass, owner: null } : null
  return owner !== undefined && ownerPatterns[kind].test(owner) ? { accountClass, owner: owner as Hex } : null
}

/** Returns the name of an account in the form that the ledger uses. Example: `escrow:0x9f0d…`. */
export function toAccountName({ accountClass, owner }: AccountKey): string {
  if (owner === null) return accountClass
  return accountClass === 'wallet' ? owner : `${accountClass}:${owner}`
}
