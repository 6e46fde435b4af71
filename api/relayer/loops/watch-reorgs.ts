import type { Hex } from 'viem'
import type { ChainHead } from '../../chain/chain.ts'
import { listWatchedBlocks } from '../../intents/finality.queries.ts'
import type { RelayContext } from '../transactions/relay-context.ts'
import { finalizeSafeBlocks } from './finalize-safe-blocks.ts'
import { reopenBlock } from './reopen-block.ts'

/** The largest number of blocks that one check compares. */
const PASS_SIZE = 500
/** The milliseconds between two runs of `finalizeSafeBlocks`, which makes the outcomes in safe blocks final. */
const RELEASE_EVERY_MS = 10_000

/**
 * The number of recent blocks that are compared at every new block. Several blocks may be replaced between two polls.
 */
const RECENT_BLOCKS = 8n

/** The check for reorgs. It finds intents whose outcome is in a block that is no longer part of the chain. */
export interface ReorgWatch {
  /**
   * Compares the stored blocks (the blocks with the outcome of an intent or refund) with the chain. Which stored blocks
   * a call compares depends on the call:
   * - The first call compares all stored blocks.
   * - If a reorg removed the block that was the latest at the previous call, the call compares all stored blocks.
   * - Any other call compares only stored blocks among the `RECENT_BLOCKS` newest blocks of the chain.
   *
   * Every ten seconds, a call also finalizes the outcomes in safe blocks.
   */
  pass(): Promise<void>
}

/** Creates the check for reorgs. If it misses a reorg, `finalizeSafeBlocks` finds the reorg later. */
export function createReorgWatch(relay: RelayContext): ReorgWatch {
  const { deps } = relay
  let last: ChainHead | null = null
  /** The hashes of the newest blocks up to `last`, by block number. Each block is the parent of the next. */
  let linkedBlocks = new Map<bigint, Hex>()
  let releasedAt = Number.NEGATIVE_INFINITY

  const compare = async (head: ChainHead): Promise<void> => {
    if (last?.hash === head.hash) return
    // A lagging node proves nothing; a chain that really got shorter grows past this height again.
    if (last !== null && head.number < last.number) return
    const isLinked = last !== null && head.parentHash === last.hash
    const isContinued = isLinked || (last !== null && (await deps.chain.blockHash(last.number)) === last.hash)
    linkedBlocks = new Map([
      ...(isLinked ? linkedBlocks : []),
      [head.number - 1n, head.parentHash],
      [head.number, head.hash],
    ])
    linkedBlocks.delete(head.number - RECENT_BLOCKS - 1n)
    await reopenVanished(relay, { head, linked: linkedBlocks, from: isContinued ? head.number - RECENT_BLOCKS : 0n })
    last = head
  }
  return {
    pass: async () => {
      await compare(await deps.chain.confirmedHead())
      if (performance.now() - releasedAt < RELEASE_EVERY_MS) return
      await finalizeSafeBlocks(relay)
      releasedAt = performance.now()
    },
  }
}

async function reopenVanished(
  relay: RelayContext,
  { head, linked, from }: { head: ChainHead; linked: ReadonlyMap<bigint, Hex>; from: bigint },
): Promise<void> {
  const { deps } = relay
  // Nothing is known above this head: such a block may have come after it. A chain that really got shorter is compared
  // again when it has grown past that height.
  for (const block of await listWatchedBlocks(deps.sql, { from, limit: PASS_SIZE })) {
    if (block.blockNumber > head.number) continue
    const hash = linked.get(block.blockNumber) ?? (await deps.chain.blockHash(block.blockNumber))
    if (hash !== null && hash !== block.blockHash) await reopenBlock(relay, block)
  }
}
