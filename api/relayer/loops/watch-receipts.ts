import type { Hex } from 'viem'
import type { RelayContext } from '../transactions/relay-context.ts'
import { watchBroadcast } from './watch-broadcast.ts'
import { watchRefunds } from './watch-refunds.ts'

/**
 * The first pause after a transaction was sent, in milliseconds. On a chain that mines each transaction at once, the
 * receipt exists after this pause.
 */
const SHORTEST_PAUSE_MS = 10
/**
 * The poll interval in milliseconds while every sent transaction that this process knows has a receipt. The poll also
 * finds transactions that another process sent before it ended.
 */
const IDLE_PAUSE_MS = 5_000
/** The milliseconds between two checks of every sent transaction if no new block arrives. */
const LONGEST_SILENCE_MS = 1_000

export interface ReceiptsRun {
  /** Makes the next pauses between checks short. Called because a transaction was sent. */
  hurry(): void
  /**
   * Makes the next run check all sent transactions. Called because the indexer stored a block, which may contain a
   * transaction that the node does not return yet.
   */
  expectRows(): void
  /** Checks the sent transactions without a receipt. @returns the pause until the next check, in milliseconds */
  run(): Promise<number>
}

/**
 * Creates the check of the sent transactions of intents and refunds. Each run checks all transactions that have no
 * receipt yet. If the latest block is unchanged and the last check is recent, a run only reads the latest block. The
 * pauses between runs grow up to the polling interval.
 */
export function createReceiptsRun(
  relay: RelayContext,
  { pollingIntervalMs, resendAfterMs }: { pollingIntervalMs: number; resendAfterMs: number },
): ReceiptsRun {
  const longestSilenceMs = Math.min(LONGEST_SILENCE_MS, resendAfterMs / 4)
  let pauseMs = pollingIntervalMs
  let isDue = true
  let passedHead: Hex | null = null
  let passedAt = Number.NEGATIVE_INFINITY

  const isPassNeeded = async (): Promise<boolean> => {
    const isSilent = performance.now() - passedAt >= longestSilenceMs
    // A node without an answer now may have one in the pass.
    const head = await relay.deps.chain.latestHead().catch(() => null)
    const isNeeded = isDue || isSilent || head === null || head.hash !== passedHead
    if (isNeeded) passedHead = head?.hash ?? null
    return isNeeded
  }
  const pass = async (): Promise<number> => {
    isDue = false
    passedAt = performance.now()
    return (await watchBroadcast(relay)) + (await watchRefunds(relay))
  }
  let pendingCount = 0
  return {
    hurry: () => {
      pendingCount = Math.max(pendingCount, 1)
      pauseMs = SHORTEST_PAUSE_MS
    },
    expectRows: () => {
      isDue = true
    },
    run: async () => {
      if (pendingCount === 0 || (await isPassNeeded())) pendingCount = await pass()
      const pause = pendingCount === 0 ? IDLE_PAUSE_MS : pauseMs
      pauseMs = Math.min(pauseMs * 2, pollingIntervalMs)
      return pause
    },
  }
}
