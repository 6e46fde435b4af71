import type { Refusal } from '../refusal.ts'
import { refuse } from '../refusal.ts'
import type { CreationTerms } from './creation-terms.ts'
import { refuseExtras } from './extras.ts'
import { refuseWhatIsNotOffered } from './offered.ts'
import { refusePrices } from './prices.ts'
import { refuseWindows } from './windows.ts'

/**
 * Whether a task may be created on these terms: null admits. Bad input is refused before any payment is asked for.
 * Interface, "Tasks" (refused with 400 before the 402). `entriesPaused`: the market takes no new tasks for now.
 */
export function admitCreation(terms: CreationTerms, { entriesPaused }: { entriesPaused: boolean }): Refusal | null {
  return (
    refusePrices(terms) ??
    refuseWindows(terms) ??
    refuseExtras(terms) ??
    refuseWhatIsNotOffered(terms) ??
    (entriesPaused ? refuse(409, 'market_paused', 'The market takes no new tasks for now; try again later.') : null)
  )
}
