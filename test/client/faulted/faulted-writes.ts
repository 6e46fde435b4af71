import { payoutWrites } from './payout-writes.ts'
import type { FaultedWrite, Parts } from './recipe.ts'
import { requestersWrites } from './requesters-writes.ts'
import { verdictWrites } from './verdict-writes.ts'
import { walletWrites } from './wallet-writes.ts'
import { workersWrites } from './workers-writes.ts'

const promptWrites = { ...workersWrites, ...requestersWrites, ...verdictWrites, ...payoutWrites, ...walletWrites }

/** The writes that can be made beside others. */
export const promptNames = Object.keys(promptWrites) as readonly (keyof typeof promptWrites)[]

/** The write of a run: as many runs in a row as there are `promptNames` take each of them once. */
export async function aFaultedWrite(parts: Parts): Promise<FaultedWrite> {
  const write = promptNames[parts.seed % promptNames.length]
  if (write === undefined) throw new Error(`a run has a whole number as seed, not ${parts.seed}`)
  return { write, ...(await promptWrites[write](parts)) }
}
