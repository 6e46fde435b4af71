import { payoutWrites } from './payout-writes.ts'
import type { FaultedWrite, Parts } from './recipe.ts'
import { requestersWrites } from './requesters-writes.ts'
import { verdictWrites } from './verdict-writes.ts'
import { workersWrites } from './workers-writes.ts'

const recipes = [...workersWrites, ...requestersWrites, ...verdictWrites, ...payoutWrites]

/** As many runs in a row take each kind of write once. */
export const kindsOfWrite = recipes.length

/** The write of a run. */
export async function aFaultedWrite(parts: Parts): Promise<FaultedWrite> {
  const recipe = recipes[parts.seed % recipes.length]
  if (recipe === undefined) throw new Error(`a run has a whole number as seed, not ${parts.seed}`)
  return await recipe(parts)
}
