import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Database } from '../../../api/db/client.ts'
import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted } from '../figures/figures.ts'
import { medianOf } from '../figures/statistics.ts'
import { fetchBytes } from './http-get.ts'
import { anew } from './measure.ts'
import { NOW } from './rows.ts'
import { loadWalletTasks } from './wallet-rows.ts'

/** Tasks of the two wallets, over all roles. */
const sizes = [1_000, 50_000]

/** Inbox and action queue of a wallet with a thousand tasks and of one with fifty thousand, in one database. */
export async function measureWorklists(
  { sql, url }: { sql: Database; url: string },
  { blocks, requests }: { blocks: number; requests: number },
): Promise<Figure[]> {
  const wallets = sizes.map((tasks, place) => ({
    tasks,
    account: privateKeyToAccount(`0x${String(place + 1).repeat(64)}`),
  }))
  for (const { tasks, account } of wallets) {
    await loadWalletTasks(sql, { address: account.address.toLowerCase() as Address, tasks, now: NOW })
  }
  await sql`analyze`
  const figures: Figure[] = []
  for (const name of ['inbox', 'action-queue']) {
    // `self`: with the read-identity headers of the wallet.
    for (const caller of ['anyone', 'self']) {
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
      const ratio = (medians.at(-1) ?? 0) / (medians[0] ?? Number.NaN)
      figures.push(counted(`${name} for ${caller}, p50 of 50,000 tasks by 1,000`, ratio, { most: 3 }))
    }
  }
  return figures
}

async function readHeadersOf(account: ReturnType<typeof privateKeyToAccount>): Promise<Record<string, string>> {
  return {
    'X-Service-Caller-Address': account.address,
    'X-Service-Caller-Signature': await account.signMessage({
      message: `service:read:${account.address.toLowerCase()}`,
    }),
  }
}
