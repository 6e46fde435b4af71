import type postgres from 'postgres'

/** Waits for the indexer's notifications until the served rows are those of `blockNumber` or later. */
export async function waitForBlock(sql: postgres.Sql, blockNumber: bigint): Promise<void> {
  let wake: () => void = () => {}
  const listening = await sql.listen('market_head', () => wake())
  try {
    for (;;) {
      const moved = new Promise<void>((resolve) => {
        wake = resolve
      })
      const [head] = await sql`SELECT block_number, ready FROM market.indexed_head`
      if (head?.ready === true && BigInt(head.block_number) >= blockNumber) return
      await moved
    }
  } finally {
    await listening.unlisten()
  }
}
