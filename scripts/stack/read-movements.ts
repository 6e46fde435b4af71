import type { AccountBalance, AccountBooks, Movement } from './movements-text.ts'

/** Maximum number of movements that are read. A page of the service has a hundred. */
const MAX_MOVEMENTS = 10_000

interface Page {
  block: number
  timestamp: string
  assets: { asset: string; contracts: { accounts: { account: string; amount: string }[] }[] }[]
  movements: Movement[]
  nextCursor: string | null
}

/**
 * Reads all pages of the movements of an account or a task, newest first. The movements end with the block of the first
 * page, because a cursor leads only to older movements.
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
