import type { Address } from 'viem'
import type { Refusal } from '../refusal.ts'
import { refuse } from '../refusal.ts'
import type { CreationMarket, CreationTerms } from './creation-terms.ts'
import { refuseExtras } from './extras.ts'
import { refuseTerms } from './refuse-terms.ts'

/**
 * Returns the refusal of a new task's terms, or null if they are allowed. Bad input gets the status 400 before the
 * service asks for a payment. See the interface specification, "Tasks".
 * @param requester the payer; null if the request has no payment yet, so the payer is unknown
 */
export function admitCreation(
  terms: CreationTerms,
  market: CreationMarket,
  { requester }: { requester: Address | null },
): Refusal | null {
  return (
    refuseTerms(terms, market, { requester }) ??
    refuseExtras(terms) ??
    (market.entriesPaused
      ? refuse(409, 'market_paused', 'The market takes no new tasks for now; try again later.')
      : null)
  )
}
