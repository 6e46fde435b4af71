import type { Address } from 'viem'
import type { ChainClocks } from '../../chain/chain.ts'
import { type AnyWrite, taskIdIn, type WriteInput } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'

/** Answers that the preflight waits for. */
export interface PreflightReads {
  subject: ReturnType<AnyWrite['load']>
  /** Null, of a write of a task: a node is asked once the rows show no write that excludes this one. */
  clocks: Promise<ChainClocks> | null
}

/**
 * Stage 3: asks for what the preflight needs while the key is looked up. What fails is thrown where it is waited for.
 * @param request `payer`: the account that the payment names, not proved; null: none
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
