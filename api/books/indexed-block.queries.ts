import type { Database, Transaction } from '../db/client.ts'

/** The block that all indexer rows of a snapshot belong to. */
export interface IndexedBlock {
  blockNumber: bigint
  /** The block's time, in Unix seconds. */
  blockTimestamp: bigint
  /** False while the indexer's rows are incomplete. */
  ready: boolean
  /**
   * The indexer deployment that wrote the rows. Each new deployment indexes all blocks again and writes rows of its
   * own.
   */
  schemaVersion: string
}

/**
 * Runs `read` on one database snapshot. Returns the result of `read` with the block that the snapshot's rows belong to.
 * If no block is indexed or the rows are incomplete, does not call `read` and returns null.
 */
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
