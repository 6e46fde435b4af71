/** The answer of `GET /api/books`. */
export interface Books {
  block: number
  timestamp: string
  assets: { asset: string; contracts: ContractBooks[] }[]
}

interface ContractBooks {
  name: string
  address: string
  inflow: string | null
  outflow: string | null
  balance: string | null
  accounts: { account: string; amount: string }[]
  views: { name: string; amount: string | null }[]
  difference: string
}

/** The result of the service's own comparison with the contracts: the part `books` in the answer of `GET /ready`. */
export interface BooksCheck {
  reason?: string
  differences?: { sum: string; of: string | null; amount: string; fields?: string[] }[]
}

/**
 * Formats the books as a table for a terminal: for each contract, the balance on the chain and the amounts in the
 * ledger. Amounts are base units.
 */
export function toBooksText({ block, timestamp, assets }: Books, { reason, differences = [] }: BooksCheck): string {
  const lines = [`block ${block}, ${timestamp}`]
  for (const { asset, contracts } of assets) {
    lines.push('', `asset ${asset}`)
    for (const { name, address, inflow, outflow, balance, views, accounts, difference } of contracts) {
      lines.push(
        `  ${name} ${address}`,
        toLine('contract', 'balance', balance),
        ...views.map((view) => toLine('contract', view.name, view.amount)),
        toLine('ledger', 'inflow', inflow),
        toLine('ledger', 'outflow', outflow),
        ...accounts.map(({ account, amount }) => toLine('ledger', account, amount)),
        toLine('', 'difference', difference),
      )
    }
  }
  if (reason !== undefined) lines.push('', reason)
  for (const { sum, of, amount, fields = [] } of differences) {
    lines.push(`  ${[sum, ...(of === null ? [] : [of]), amount, ...fields].join(' ')}`)
  }
  return lines.join('\n')
}

function toLine(side: string, name: string, amount: string | null): string {
  return `    ${side.padEnd(9)} ${name.padEnd(15)} ${(amount ?? 'not read').padStart(32)}`
}
