import type { Address } from 'viem'
import type { Refusal } from '../refusal.ts'
import { refuse } from '../refusal.ts'
import type { CreationMarket, CreationTerms } from './creation-terms.ts'
import { refuseExtras } from './extras.ts'
import { refuseTerms } from './refuse-terms.ts'

/**
 * Whether a task may be created on these terms: null admits. Bad input is refused before any payment is asked for.
 * Interface, "Tasks" (refused with 400 before the 402). `requester`: the payer; null in a payment's first round.
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
