import type { Database, Transaction } from '../db/client.ts'

/** The block of all rows in a snapshot. */
export interface IndexedBlock {
  blockNumber: bigint
  /** Unix seconds. */
  blockTimestamp: bigint
  /** False while rows are missing. */
  ready: boolean
  /** The deployment of the tables; another one starts from the first block. */
  schemaVersion: string
}

/** Runs statements on one snapshot, with the block of its rows. Returns null without an indexed block. */
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
