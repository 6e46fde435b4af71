import type { ChainHead } from '../../chain/chain.ts'
import { listWatchedBlocks } from '../../intents/finality.queries.ts'
import type { RelayContext } from '../transactions/relay-context.ts'
import { finalizeSafeBlocks } from './finalize-safe-blocks.ts'
import { reopenBlock } from './reopen-block.ts'

/** Blocks compared in one pass. */
const PASS_SIZE = 500
/** Interval at which intents of safe blocks are finalized, milliseconds. */
const RELEASE_EVERY_MS = 10_000

/** A block may be replaced between two polls of the head: this many are compared at every new head. */
const RECENT_BLOCKS = 8n

/** Watches the chain for blocks that vanish with what they decided. */
export interface ReorgWatch {
  /** Polls the head; compares every watched block when it does not follow the last one, and at the first call. */
  pass(): Promise<void>
}

/** What it misses is found before an intent is finalized: that step compares the block too. */
export function createReorgWatch(relay: RelayContext): ReorgWatch {
  const { deps } = relay
  let last: ChainHead | null = null
  let releasedAt = Number.NEGATIVE_INFINITY

  const compare = async (head: ChainHead): Promise<void> => {
    if (last?.hash === head.hash) return
    // A node that is behind proves nothing; a chain that really got shorter grows past this height again.
    if (last !== null && head.number < last.number) return
    const isContinued = last !== null && (await follows(deps.chain, last, head))
    await reopenVanished(relay, head, isContinued ? head.number - RECENT_BLOCKS : 0n)
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

/** Whether the block seen last is still part of the chain. */
async function follows(chain: RelayContext['deps']['chain'], last: ChainHead, head: ChainHead): Promise<boolean> {
  if (head.parentHash === last.hash) return true
  return (await chain.blockHash(last.number)) === last.hash
}

async function reopenVanished(relay: RelayContext, head: ChainHead, from: bigint): Promise<void> {
  const { deps } = relay
  // Above this head nothing can be said: such a block may have come after it. A chain that really got shorter is
  // compared again when it has grown past that height.
  for (const block of await listWatchedBlocks(deps.sql, { from, limit: PASS_SIZE })) {
    if (block.blockNumber > head.number) continue
    const hash = await deps.chain.blockHash(block.blockNumber)
    if (hash !== null && hash !== block.blockHash) await reopenBlock(relay, block)
  }
}
