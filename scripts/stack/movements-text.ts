/** A movement of money in the answer of `GET /api/books`. */
export interface Movement {
  block: number
  timestamp: string
  transactionHash: string
  asset: string
  kind: string
  from: string
  to: string
  amount: string
  amountUnits: string | null
}

/** An account with its balance in an asset, base units. */
export interface AccountBalance {
  asset: string
  account: string
  amount: string
}

/** All movements of an account or a task, with the balances of its accounts. */
export interface AccountBooks {
  block: number
  timestamp: string
  balances: readonly AccountBalance[]
  movements: readonly Movement[]
  /** True if older movements were left out, so that balances cannot be compared with their sum. */
  isCut: boolean
}

/** Returns the balances that differ from the sum of their movements. Returns none if older movements were left out. */
export function findWrongBalances({ balances, movements, isCut }: AccountBooks): AccountBalance[] {
  if (isCut) return []
  return balances.filter(({ asset, account, amount }) => {
    const ofAsset = movements.filter((movement) => movement.asset === asset)
    const into = sumOf(ofAsset.filter(({ to }) => to === account))
    const outOf = sumOf(ofAsset.filter(({ from }) => from === account))
    return into - outOf !== BigInt(amount)
  })
}

function sumOf(movements: readonly Movement[]): bigint {
  return movements.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

/**
 * Formats movements of money for a terminal: one line for each movement with its transaction, in the given order. The
 * balances follow.
 */
export function toMovementsText(books: AccountBooks): string {
  const { block, timestamp, balances, movements, isCut } = books
  const wrongBalances = findWrongBalances(books)
  return [
    `block ${block}, ${timestamp}`,
    '',
    ...(movements.length === 0 ? ['no movements'] : movements.map(toLine)),
    ...(isCut ? ['older movements are left out'] : []),
    '',
    ...balances.map(
      (balance) =>
        `balance ${balance.account}  ${balance.amount} of ${balance.asset}${wrongBalances.includes(balance) ? '  differs from the movements' : ''}`,
    ),
  ].join('\n')
}

function toLine({ block, timestamp, transactionHash, kind, from, to, amount, amountUnits }: Movement): string {
  const shownAmount = (amountUnits ?? `${amount} base units`).padStart(16)
  return [block, timestamp, kind.padEnd(20), shownAmount, `${from} -> ${to}`, transactionHash].join('  ')
}
