import type { Client } from '../../../client/src/index.ts'
import { identityMs } from '../write/identity-of-tab.ts'

/** Pause in milliseconds between two reads of the wallet's data while the service has no event stream. */
const PAUSE_MS = 60_000
/** Minimum pause in milliseconds between two reads of the wallet's data when events are frequent. */
const LEAST_PAUSE_MS = 1_000

/**
 * Reads the data of a wallet again after each event of the wallet, and when an action of the wallet becomes possible or
 * impossible because a deadline passes. Reads only while the tab is visible and the wallet's signed read identity is
 * valid.
 * @param isBack true to read at once, because events may have been missed since the last read
 * @param onEnd runs when the read identity expires and the wallet must sign a new one
 * @returns a function that stops the updates
 */
export function keepCurrent(
  client: Client,
  read: () => Promise<unknown>,
  { isBack, onEnd }: { isBack: boolean; onEnd: () => void },
): () => void {
  const end = new AbortController()
  const address = client.context.account?.address ?? ''
  if (document.hidden) return () => {}
  const timer = setTimeout(() => {
    end.abort()
    onEnd()
  }, identityMs(address))
  const follow = async () => {
    let isCurrent = !isBack
    for await (const _ of client.changes({ address, actions: address, pauseMs: PAUSE_MS, signal: end.signal })) {
      // A failed update keeps the earlier content.
      if (!isCurrent && identityMs(address) > 0) await read().catch(() => {})
      isCurrent = false
      await new Promise((resolve) => setTimeout(resolve, LEAST_PAUSE_MS))
    }
  }
  if (identityMs(address) > 0) void follow()
  return () => {
    clearTimeout(timer)
    end.abort()
  }
}
