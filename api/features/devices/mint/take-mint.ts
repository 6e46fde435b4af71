import type { Address } from 'viem'
import type { Database } from '../../../db/client.ts'
import { ServiceError } from '../../../errors/service-error.ts'
import type { ClientRateLimits, RateLimitName } from '../../../http/client-rate-limits.ts'
import { hasUsedMarket } from './mints.queries.ts'

/** The key of the counters that count the mints of all wallets together. */
const ALL_WALLETS = 'all'

/** A function that gives back the rate limit units that the mint of an agent's identity consumed. */
export type ReturnMint = () => Promise<void>

export interface MintAccount {
  wallet: Address
  usdc: Address
  rateLimits: Pick<ClientRateLimits, 'consume' | 'refund'>
}

/**
 * Takes one mint of an agent's identity from the rate limits: from the client's limit (`mints`) and from the limit of
 * all wallets (`allMints`). If one of them is used up, takes nothing from both. A wallet that has used the market then
 * takes its mint from `reservedMints` (docs/build/limits.md).
 * @returns a function that gives the mint back; null when the limits allow no mint
 */
export async function takeMint(sql: Database, account: MintAccount): Promise<ReturnMint | null> {
  const { rateLimits } = account
  if (await hasUnit(rateLimits, 'mints')) {
    if (await hasUnit(rateLimits, 'allMints', ALL_WALLETS)) {
      return async () => {
        await rateLimits.refund('mints')
        await rateLimits.refund('allMints', ALL_WALLETS)
      }
    }
    await rateLimits.refund('mints')
  }
  if (!(await hasUsedMarket(sql, account))) return null
  if (!(await hasUnit(rateLimits, 'reservedMints', ALL_WALLETS))) return null
  return () => rateLimits.refund('reservedMints', ALL_WALLETS)
}

async function hasUnit(
  rateLimits: Pick<ClientRateLimits, 'consume'>,
  name: RateLimitName,
  subject?: string,
): Promise<boolean> {
  try {
    await rateLimits.consume(name, subject)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.status === 429) return false
    throw error
  }
}
