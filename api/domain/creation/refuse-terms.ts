import type { Address } from 'viem'
import type { TaskTerms } from '../../../protocol/creation/task-terms.ts'
import type { Refusal } from '../refusal.ts'
import type { TermsMarket } from './creation-terms.ts'
import { refuseEvaluator } from './evaluation.ts'
import { refuseHooks } from './hooks.ts'
import { refusePrices } from './prices.ts'
import { refuseWindows } from './windows.ts'

/**
 * Checks the terms of a new task. If the market contract would not accept the terms, returns a refusal. Otherwise
 * returns null. See the interface specification, "Tasks".
 * @param requester the payer; null while the payer is unknown
 */
export function refuseTerms(
  terms: TaskTerms,
  market: TermsMarket,
  { requester }: { requester: Address | null },
): Refusal | null {
  return (
    refusePrices(terms) ??
    refuseWindows(terms) ??
    refuseHooks(terms, market) ??
    refuseEvaluator(terms, { requester, platformFeeBps: market.platformFeeBps })
  )
}
