import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import type { ReadClient } from './chain.ts'

/** Time limit for the mining of transactions that an earlier run sent, milliseconds. */
const DEADLINE_MS = 180_000

/**
 * Waits until no transaction of an account is pending. Otherwise a step that an interrupted run has already sent could
 * be sent twice.
 * @param advice text that is added to the error if transactions are still pending after three minutes
 */
export async function waitForPending(
  client: ReadClient,
  { account, advice, say }: { account: Address; advice: string; say: (line: string) => void },
): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  let saidLine = ''
  for (;;) {
    const [minedCount, all] = await Promise.all([
      client.getTransactionCount({ address: account, blockTag: 'latest' }),
      client.getTransactionCount({ address: account, blockTag: 'pending' }),
    ])
    if (all <= minedCount) return
    const line = `${all - minedCount} transactions of ${account} are not mined yet (from nonce ${minedCount} on); waiting for them`
    if (line !== saidLine) say(line)
    saidLine = line
    if (Date.now() > deadline) throw new Error(`${line}. ${advice}`)
    await delay(1000)
  }
}
