import { expect } from 'vitest'
import { auditSums } from '../../../api/books/audit-sums.ts'
import { auditTasks } from '../../../api/books/audit-tasks.ts'
import type { BooksDeps } from '../../../api/books/run-round.ts'
import { readDeployment } from '../../../api/chain/deployment.ts'
import { createChain } from '../../../api/chain/viem-chain.ts'
import { connectDatabase } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { findBooks } from '../../../api/read-model/books.queries.ts'
import { oneNode } from '../../support/one-node.ts'
import type { MarketChain } from './market-chain.ts'

/** Rounds of the sums: two confirm a difference, and each looks at another page of vaults and accounts. */
const SUM_ROUNDS = 4

/** What the audit of the service finds in all sums and, through all tasks, twice, in these: nothing. */
export async function expectBooksEqual(chain: MarketChain, url: string): Promise<void> {
  const deployment = await readDeployment(chain.deploymentFile)
  const sql = connectDatabase({ url, max: 2 })
  try {
    await migrate(sql)
    await sql`update service.audits set state = null, due_at = now()`
    const port = createChain({ nodes: oneNode(chain.url), deployment, findIndexed: () => null, isStale: () => false })
    const deps: BooksDeps = { sql, chain: port, deployment, log: { warn: () => {} } }
    for (let round = 0; round < SUM_ROUNDS; round += 1) {
      await auditSums(deps)
      await sql`update service.audits set due_at = now()`
    }
    const [counted] = await sql<{ pages: number }[]>`select count(*)::int / 47 + 2 as pages from market.task`
    // A rotation begins a minute after the one before.
    let now = Date.now()
    for (let page = 0; page < 2 * (counted?.pages ?? 0); page += 1) {
      now += 60_000
      await auditTasks(deps, () => now)
      await sql`update service.audits set due_at = now()`
    }
    const { sums, tasks } = await findBooks(sql)
    expect(sums).toMatchObject({ differences: [], suspects: [], unread: {} })
    expect(tasks).toMatchObject({ differences: [], suspects: [], unread: { tasks: 0 } })
  } finally {
    await sql.end()
  }
}
