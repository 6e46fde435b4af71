import type { AccountBalance, AccountBooks, Movement } from './movements-text.ts'

/** Maximum movements read; a page of the service has a hundred. */
const MAX_MOVEMENTS = 10_000

interface Page {
  block: number
  timestamp: string
  assets: { asset: string; contracts: { accounts: { account: string; amount: string }[] }[] }[]
  movements: Movement[]
  nextCursor: string | null
}

/**
 * Reads all pages of an account's or a task's movements, newest first, up to the block of the first page. A cursor leads only to
 * older ones.
 * @param read reads a page. Example: `(cursor) => getJson('/api/books?account=service_fees', cursor)`
 */
export async function readMovements(read: (cursor: string | null) => Promise<Page>): Promise<AccountBooks> {
  const { block, timestamp, assets, movements: newestMovements, nextCursor: olderCursor } = await read(null)
  const movements = [...newestMovements]
  let cursor = olderCursor
  while (cursor !== null && movements.length < MAX_MOVEMENTS) {
    const page = await read(cursor)
    movements.push(...page.movements)
    cursor = page.nextCursor
  }
  return { block, timestamp, balances: assets.flatMap(toBalances), movements, isCut: cursor !== null }
}

function toBalances({ asset, contracts }: Page['assets'][number]): AccountBalance[] {
  return contracts.flatMap(({ accounts }) => accounts.map((account) => ({ asset, ...account })))
}
