import type { Client } from '../../../client/src/index.ts'
import { identityMs } from '../write/identity-of-tab.ts'

/** Pause between two reads, milliseconds, while the service has no stream and for frequent events. */
const PAUSE_MS = 60_000
const LEAST_PAUSE_MS = 1_000

/**
 * Reads again after an event of a wallet, and when time alone changes its possible acts. It reads only while the tab is visible
 * and no signature is required.
 * @param isBack true if events may have been missed since the last read
 * @param onEnd runs when a signature is required
 * @returns a function that stops it
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
