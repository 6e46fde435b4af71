import type { Database, Transaction } from '../db/client.ts'

/** The block that all rows of a snapshot are of. */
export interface IndexedBlock {
  blockNumber: bigint
  /** Unix seconds. */
  blockTimestamp: bigint
  /** False while rows are missing. */
  ready: boolean
  /** Deployment of the tables: those of another one are filled from the first block. */
  schemaVersion: string
}

/** Runs statements that see the rows of one moment, and with them the block that they are of. */
export async function inOneSnapshot<Rows>(
  sql: Database,
  read: (tx: Transaction, block: IndexedBlock) => Promise<Rows>,
): Promise<{ block: IndexedBlock; rows: Rows } | null> {
  const snapshot = await sql.begin('isolation level repeatable read read only', async (tx) => {
    const [block] = await tx<IndexedBlock[]>`
      select block_number, block_timestamp, ready, coalesce(schema_version, '') as schema_version from indexed_head`
    return block === undefined || !block.ready ? null : { block, rows: await read(tx, block) }
  })
  return snapshot as { block: IndexedBlock; rows: Rows } | null
}
