import type { RelayContext } from '../transactions/relay-context.ts'
import { watchBroadcast } from './watch-broadcast.ts'
import { watchRefunds } from './watch-refunds.ts'

/** First pause after bytes went out, milliseconds: a chain that mines at once has the receipt by then. */
const SHORTEST_PAUSE_MS = 10

/** One run over what is on its way. The pauses grow from a few milliseconds to the polling interval. */
export function createReceiptsRun(relay: RelayContext, pollingIntervalMs: number) {
  let pauseMs = pollingIntervalMs
  return {
    /** Bytes were sent: poll soon. */
    hurry: () => {
      pauseMs = SHORTEST_PAUSE_MS
    },
    run: async (): Promise<number> => {
      const pending = (await watchBroadcast(relay)) + (await watchRefunds(relay))
      const pause = pending === 0 ? pollingIntervalMs : pauseMs
      pauseMs = Math.min(pauseMs * 2, pollingIntervalMs)
      return pause
    },
  }
}
