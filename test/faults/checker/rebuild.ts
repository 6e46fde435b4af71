import postgres from 'postgres'
import { createHeadReader, findIndexedHead } from '../../../ops/indexer/indexed-head.ts'
import { startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { dropDatabase } from '../../../scripts/postgres/postgres-databases.ts'
import { dumpRows } from '../../support/row-dump.ts'
import type { Environment } from '../environment/environment.ts'
import { pollUntil } from '../poll-until.ts'
import { describeDifference } from './describe-difference.ts'
import { type Violation, violationsOf } from './violation.ts'

const violation = violationsOf('indexed tables equal a rebuild')

/** Indexes the whole chain into another database with a second Ponder, and compares every row of every table. */
export async function checkRebuild(environment: Environment): Promise<Violation[]> {
  const { anvil, postgres: server, deploymentFile, indexer, sql } = environment
  const name = `rebuild_${Date.now()}`
  const databaseUrl = await server.createDatabase(name)
  try {
    const env = { ...process.env, LOCAL_CHAIN: '1' }
    const fresh = await startIndexer({ rpcUrls: [anvil.url], databaseUrl, deploymentFile, env })
    const freshSql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    try {
      const { number: head } = await createHeadReader(anvil.url)()
      for (const [connection, schema] of [
        [sql, indexer.schema],
        [freshSql, fresh.schema],
      ] as const) {
        await pollUntil(
          `the rows of block ${head}`,
          async () => ((await findIndexedHead(connection, schema))?.blockNumber ?? -1n) >= head,
        )
      }
      const live = await dumpRows(sql, indexer.schema)
      const rebuilt = await dumpRows(freshSql, fresh.schema)
      if (live.hash === rebuilt.hash && live.tables.size > 0) return []
      const difference = describeDifference(live, rebuilt).join('\n      ')
      return [violation(`block ${head}`, `sha256 ${live.hash} and ${rebuilt.hash}\n      ${difference}`, 'lost')]
    } finally {
      await freshSql.end()
      await fresh.stop()
    }
  } finally {
    await dropDatabase(server.url, name)
  }
}
