import { expect } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { connectDatabase } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { loadTaskSnapshots } from '../../../api/read-model/task-snapshot.queries.ts'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import type { Subject } from './expectation.ts'

/** The hash of every task's terms, as the service computes it from the rows, against taskTermsHash. */
export async function expectTermsEqual({ chain, logs }: Subject, { url }: { url: string }): Promise<void> {
  const ids = logs.tasks.map(({ id }) => id)
  const contract = { abi: taskMarketAbi, address: chain.deployment.market, functionName: 'taskTermsHash' } as const
  const hashes = await chain.client.multicall({
    multicallAddress: chain.deployment.multicall3,
    allowFailure: false,
    contracts: ids.map((id) => ({ ...contract, args: [id] as const })),
  })
  const sql = connectDatabase({ url, max: 1 })
  try {
    // Without the service there are no texts, but the queries require their tables.
    await migrate(sql)
    const snapshots = await loadTaskSnapshots(sql, ids)
    const own = ids.map((id) => {
      const snapshot = snapshots.get(id) ?? expect.fail(`no row of ${id}`)
      return { id, mode: snapshot.mode, status: snapshot.status, hash: termsHashOf(snapshot) }
    })
    expect(own).toEqual(own.map((task, index) => ({ ...task, hash: hashes[index] })))
  } finally {
    await sql.end()
  }
}
