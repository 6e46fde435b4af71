import type { Hex } from 'viem'
import { pollUntil } from '../poll-until.ts'
import type { Environment } from './environment.ts'

/** An outage of the database or the indexer may lie in between, milliseconds. */
const DEADLINE_MS = 120_000

/** Waits until the rows have the block of a write: a step that needs what it made is refused before. @throws after two minutes */
export async function untilIndexed({ sql }: Environment, hash: Hex): Promise<void> {
  const isIndexed = async () => {
    const rows = await sql<{ isIndexed: boolean }[]>`
      select coalesce(intents.block_number <= head.block_number, false) as "isIndexed"
      from service.intents, market.indexed_head as head where intents.tx_hash = ${hash}`
    return rows.some((row) => row.isIndexed)
  }
  await pollUntil(`the rows of ${hash}`, () => isIndexed().catch(() => false), DEADLINE_MS)
}
