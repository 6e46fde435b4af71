import type { Client } from '../../../client/src/index.ts'
import { identityOfTab } from '../write/identity-of-tab.ts'

/** Between two reads while the service has no stream, and however much happens, milliseconds. */
const PAUSE_MS = 60_000
const LEAST_PAUSE_MS = 1_000
/** A signed identity is taken for over so long before its end, seconds: an update asks for no signature. */
const MARGIN_SECONDS = 180

/**
 * Reads again when something happens to a wallet, while the tab is visible and no signature is needed for it.
 * @param isBack something can have happened since the last read
 * @returns ends it
 */
export function keepCurrent(client: Client, read: () => Promise<unknown>, { isBack }: { isBack: boolean }): () => void {
  const end = new AbortController()
  const address = client.context.account?.address ?? ''
  const validMs = ((identityOfTab(address).read()?.expires ?? 0) - MARGIN_SECONDS) * 1000 - Date.now()
  if (document.hidden || validMs <= 0) return () => {}
  const timer = setTimeout(() => end.abort(), validMs)
  const follow = async () => {
    let isCurrent = !isBack
    for await (const _ of client.changes({ address, pauseMs: PAUSE_MS, signal: end.signal })) {
      // An update that fails leaves what is there.
      if (!isCurrent) await read().catch(() => {})
      isCurrent = false
      await new Promise((resolve) => setTimeout(resolve, LEAST_PAUSE_MS))
    }
  }
  void follow()
  return () => {
    clearTimeout(timer)
    end.abort()
  }
}
