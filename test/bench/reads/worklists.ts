import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Database } from '../../../api/db/client.ts'
import { medianOf } from '../figures/statistics.ts'
import { fetchBytes } from './http-get.ts'
import { anew } from './measure.ts'
import { NOW } from './rows.ts'
import { loadWalletTasks } from './wallet-rows.ts'

/** A list of a wallet. */
export interface WorklistResult {
  name: string
  /** `self`: with the read-identity headers of the wallet. */
  caller: 'self' | 'anyone'
  /** p50 of the wallet with the most tasks by that of the one with the fewest. */
  ratio: number
}

/** Tasks of the two wallets, over all roles. */
const sizes = [1_000, 50_000]

/** Inbox and action queue of a wallet with a thousand tasks and of one with fifty thousand, in one database. */
export async function measureWorklists(
  { sql, url }: { sql: Database; url: string },
  { blocks, requests }: { blocks: number; requests: number },
): Promise<WorklistResult[]> {
  const wallets = sizes.map((tasks, place) => ({
    tasks,
    account: privateKeyToAccount(`0x${String(place + 1).repeat(64)}`),
  }))
  for (const { tasks, account } of wallets) {
    await loadWalletTasks(sql, { address: account.address.toLowerCase() as Address, tasks, now: NOW })
  }
  await sql`analyze`
  const results: WorklistResult[] = []
  for (const name of ['inbox', 'action-queue']) {
    for (const caller of ['anyone', 'self'] as const) {
      const times = wallets.map((): number[] => [])
      for (let round = 0; round <= blocks * requests; round += 1) {
        for (const [place, { account }] of wallets.entries()) {
          const headers = caller === 'self' ? await readHeadersOf(account) : {}
          const before = performance.now()
          await fetchBytes(anew(`${url}/api/agents/${name}?address=${account.address}`), headers)
          // The first request prepares its statements.
          if (round > 0) times[place]?.push(performance.now() - before)
        }
      }
      const medians = times.map((taken) => medianOf(taken))
      results.push({ name, caller, ratio: (medians.at(-1) ?? 0) / (medians[0] ?? Number.NaN) })
    }
  }
  return results
}

async function readHeadersOf(account: ReturnType<typeof privateKeyToAccount>): Promise<Record<string, string>> {
  return {
    'X-Service-Caller-Address': account.address,
    'X-Service-Caller-Signature': await account.signMessage({
      message: `service:read:${account.address.toLowerCase()}`,
    }),
  }
}
