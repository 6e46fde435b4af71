import type { BonusBounds, BonusRamp, BonusTerms } from '../../../../protocol/rules/bonus.ts'
import type { TaskBonusRow } from '../../../read-model/bonus.queries.ts'

/** Returns the bonus terms that were locked when the worker was assigned, or null if none were locked. */
export function lockOf(row: TaskBonusRow): (BonusTerms & { price: bigint }) | null {
  const { lockPrice: price, lockTokenPerUsdc: tokenPerUsdc } = row
  const { lockBonusBps: bonusBps, lockWorkerSplitBps: workerSplitBps } = row
  if (price === null || tokenPerUsdc === null || bonusBps === null || workerSplitBps === null) return null
  return { price, tokenPerUsdc, bonusBps, workerSplitBps }
}

/**
 * Returns the bonus terms and bounds that the completion of the task used. Returns null if the completion used none.
 */
export function completionOf(row: TaskBonusRow): { terms: BonusTerms; bounds: BonusBounds } | null {
  const { completionTokenPerUsdc: tokenPerUsdc, completionBonusBps: bonusBps } = row
  const { completionWorkerSplitBps: workerSplitBps } = row
  const { completionMaxBonusPerFeeBps: maxBonusPerFeeBps, completionMaxRateDriftBps: maxRateDriftBps } = row
  if (tokenPerUsdc === null || bonusBps === null || workerSplitBps === null) return null
  if (maxBonusPerFeeBps === null || maxRateDriftBps === null) return null
  return { terms: { tokenPerUsdc, bonusBps, workerSplitBps }, bounds: boundsOf({ maxBonusPerFeeBps, maxRateDriftBps }) }
}

/** Returns the bounds of a bonus as numbers. The bounds may be those in force or those of a completed task. */
export function boundsOf({
  maxBonusPerFeeBps,
  maxRateDriftBps,
}: Pick<TaskBonusRow, 'maxBonusPerFeeBps' | 'maxRateDriftBps'>): BonusBounds {
  return { maxBonusPerFeeBps: Number(maxBonusPerFeeBps), maxRateDriftBps: Number(maxRateDriftBps) }
}

/**
 * Returns the bonus multipliers for the ages of wallets. A multiplier applies from an age on; these ages are in
 * seconds.
 */
export function rampOf({ rampAfterSeconds: [second, third, fourth], rampMultiplierBps }: TaskBonusRow): BonusRamp {
  return { afterSeconds: [Number(second), Number(third), Number(fourth)], multiplierBps: rampMultiplierBps }
}
