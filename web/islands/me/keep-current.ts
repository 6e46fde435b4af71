import type { Client } from '../../../client/src/index.ts'
import { identityMs } from '../write/identity-of-tab.ts'

/** Between two reads while the service has no stream, and however much happens, milliseconds. */
const PAUSE_MS = 60_000
const LEAST_PAUSE_MS = 1_000

/**
 * Reads again when something happens to a wallet, or when it can do something else by time alone, while the tab is visible and no
 * signature is needed for it.
 * @param isBack something can have happened since the last read
 * @param onEnd is called where a signature is needed
 * @returns ends it
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
      // An update that fails leaves what is there.
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
