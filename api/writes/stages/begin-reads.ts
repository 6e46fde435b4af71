import type { Address } from 'viem'
import type { ChainClocks } from '../../chain/chain.ts'
import { type AnyWrite, taskIdIn, type WriteInput } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'

/** The reads of rows and of the chain that begin before the preflight. The preflight waits for their results. */
export interface PreflightReads {
  subject: ReturnType<AnyWrite['load']>
  /**
   * The read of the latest block and the two clocks. Null if the path names a task. The preflight then starts this read
   * itself, after a check of the stored rows.
   */
  clocks: Promise<ChainClocks> | null
}

/**
 * Starts the reads for the preflight in stage 3. They run while the key is looked up. A failed read throws only where
 * its result is awaited.
 * @param request `payer`: the account in the payment, not verified yet; null without a payment
 */
export function beginReads(
  deps: WriteDeps,
  { write, input, payer }: { write: AnyWrite; input: WriteInput; payer: Address | null },
): PreflightReads {
  const reads = {
    subject: write.load(deps, input, payer),
    clocks: taskIdIn(input.params) === null ? deps.chain.latestClocks() : null,
  }
  for (const read of Object.values(reads)) read?.catch(() => {})
  return reads
}
