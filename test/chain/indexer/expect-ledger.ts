import { formatUnits } from 'viem'
import { expect } from 'vitest'
import { lower, type Subject } from './expectation.ts'
import { holderOf, type LedgerChain, placeOf, readLedgerChain } from './ledger-chain.ts'
import { isEventOf } from './ledger-events.ts'
import { type LedgerRow, readLedger, sumAccounts } from './ledger-rows.ts'

/**
 * The ledger against the chain alone: every account net against the Transfer logs of the tokens, in every transaction,
 * every day and in all; the sums of all internal accounts against the contracts' views and the tokens' balances; every row
 * against the event that it follows from, and every fee of a relay against its row.
 */
export async function expectLedgerEqual({ sql, chain }: Pick<Subject, 'sql' | 'chain'>): Promise<void> {
  const rows = await readLedger(sql, 'analytics.ledger')
  expect(listDifferences(rows, await readLedgerChain(chain))).toEqual([])
  expect(await differentVaultFlows({ sql, chain }, rows)).toEqual([])
}

/** A sentence for each difference between rows of the ledger and the chain. */
export function listDifferences(rows: readonly LedgerRow[], side: LedgerChain): string[] {
  return [
    ...differentRows(rows, side),
    ...differentPlaces(rows, side),
    ...differentNets(rows, side),
    ...differentSums(rows, side),
    ...differentFees(rows, side),
  ]
}

/** Amounts above zero, one row an id, no contract of ours as a wallet, the task of its accounts, and the units. */
function differentRows(rows: readonly LedgerRow[], { holders, decimals }: LedgerChain): string[] {
  const ids = new Set<string>()
  const ours = new Set(holders.map(({ address }) => address))
  return rows.flatMap(({ id, asset, from, to, amount, units, taskId }) => {
    const tasks = [from, to].flatMap((account) => (/^(escrow|stake):/.test(account) ? [account.split(':')[1]] : []))
    const places = decimals.get(asset)
    const problems = {
      'has no amount': amount <= 0n,
      'is there twice': ids.has(id),
      'has a contract of ours as a wallet': ours.has(from) || ours.has(to),
      'has another task': tasks.some((task) => task !== taskId),
      'has other units': places !== undefined && units !== formatUnits(amount, places),
    }
    ids.add(id)
    return Object.entries(problems).flatMap(([problem, isSo]) => (isSo ? [`${id} ${problem}`] : []))
  })
}

/** Block, time and event of each row, and the relayed call of its transaction. */
function differentPlaces(rows: readonly LedgerRow[], { events, times }: LedgerChain): string[] {
  const eventAt = new Map(events.map((event) => [placeOf({ tx: event.transactionHash, ...event }), event]))
  const selectors = new Map(
    events.flatMap((event) =>
      event.eventName === 'IntentRelayed' ? [[event.transactionHash, event.args.selector]] : [],
    ),
  )
  return rows.flatMap((row) => {
    const event = eventAt.get(placeOf(row))
    if (event === undefined) return [`${row.id} has no log`]
    const problems = {
      'is of another event': !isEventOf(row.kind, event),
      'is in another block': row.blockNumber !== event.blockNumber,
      'has another time': row.at !== times.get(event.blockNumber),
      'has another operation': row.operation !== (selectors.get(row.tx) ?? null),
    }
    return Object.entries(problems).flatMap(([problem, isSo]) => (isSo ? [`${row.id} ${problem}`] : []))
  })
}

/** Differences of each address, by transaction, by day, and in all. */
function differentNets(rows: readonly LedgerRow[], { chain, holders, vaults, events, times, decimals }: LedgerChain) {
  const nets = new Map<string, bigint>()
  const add = (at: { asset: string; tx: string; seconds: bigint }, account: string, amount: bigint) => {
    for (const period of [at.tx, `day ${at.seconds / 86_400n}`, 'all']) {
      const key = `${at.asset} ${period} ${account}`
      nets.set(key, (nets.get(key) ?? 0n) + amount)
    }
  }
  const addresses = new Set(holders.map(({ address }) => address))
  const funded = new Set(rows.filter(({ kind }) => kind === 'vault_funded').map(({ asset, tx }) => `${asset} ${tx}`))
  for (const event of events) {
    if (event.eventName !== 'Transfer' || !decimals.has(lower(event.address))) continue
    const { from, to, value } = event.args
    const at = {
      asset: lower(event.address),
      tx: event.transactionHash,
      seconds: times.get(event.blockNumber) ?? -1n,
    }
    // A transfer of others to a vault is no row until its exit returns it.
    const isGift = vaults.has(lower(to)) && !addresses.has(lower(from)) && !funded.has(`${at.asset} ${at.tx}`)
    if (isGift || !(addresses.has(lower(from)) || addresses.has(lower(to)))) continue
    add(at, lower(from), -value)
    add(at, lower(to), value)
  }
  for (const { asset, tx, at: seconds, from, to, amount } of rows) {
    add({ asset, tx, seconds }, holderOf(from, chain), amount)
    add({ asset, tx, seconds }, holderOf(to, chain), -amount)
  }
  return [...nets].filter(([, net]) => net !== 0n).map(([key, net]) => `${key}: ${net} more on chain`)
}

/** Sums of internal accounts: those that a contract states, and all of an address together against its balance. */
function differentSums(rows: readonly LedgerRow[], { chain, views, balances }: LedgerChain): string[] {
  const sums = sumAccounts(rows)
  const compare = (name: string, sum: bigint, amount: bigint) =>
    sum === amount ? [] : [`${name}: ${sum} of ${amount}`]
  return [
    ...views.flatMap(({ asset, account, amount }) =>
      compare(`${asset} ${account}`, sums.get(`${asset} ${account}`) ?? 0n, amount),
    ),
    ...balances.flatMap(({ asset, address, amount }) => {
      const accounts = [...sums].filter(([key]) => {
        const [accountAsset, account = ''] = key.split(' ')
        return accountAsset === asset && holderOf(account, chain) === address
      })
      const sum = accounts.reduce((total, [, each]) => total + each, 0n)
      return compare(`${asset} at ${address}`, sum, amount)
    }),
  ]
}

/** A relay that costs more than its call took has one row of the fee, and no other relay has one. */
function differentFees(rows: readonly LedgerRow[], { events }: LedgerChain): string[] {
  const fees = events.flatMap((event) => {
    if (event.eventName !== 'IntentRelayed' || !('escrowAmount' in event.args)) return []
    const { intentId, actor, amount, escrowAmount } = event.args
    return amount > escrowAmount ? [`${intentId}:service_fee ${lower(actor)} ${amount - escrowAmount}`] : []
  })
  const shown = rows
    .filter(({ kind }) => kind === 'service_fee')
    .map(({ id, from, amount }) => `${id} ${from} ${amount}`)
  const [expected, actual] = [new Set(fees), new Set(shown)]
  return [
    ...fees.filter((fee) => !actual.has(fee)).map((fee) => `${fee} has no row`),
    ...shown.filter((fee) => !expected.has(fee)).map((fee) => `${fee} is no fee`),
  ]
}

/**
 * What the books say of every vault, by its totals, is what the ledger brought into its accounts and out of it; other
 * contracts of ours may send it more, past its functions.
 */
async function differentVaultFlows({ sql, chain }: Pick<Subject, 'sql' | 'chain'>, rows: LedgerRow[]) {
  const vaults = await sql`
    SELECT vault, funded_total AS inflow,
      withdrawn_total + claimed_total + collected_total + coalesce(returned, 0) AS outflow
    FROM market.sponsored_vault v LEFT JOIN market.vault_epoch e ON e.id = v.vault_id || ':0'`
  const sumOf = (isCounted: (row: LedgerRow) => boolean) =>
    rows.filter(isCounted).reduce((sum, { amount }) => sum + amount, 0n)
  return vaults
    .map(({ vault, inflow, outflow }) => {
      const isAt = (account: string) => holderOf(account, chain) === vault
      const into = sumOf(({ from, to }) => !isAt(from) && isAt(to) && !to.startsWith('unassigned:'))
      // A vault that is the fee recipient collects its fees into what it does not count.
      const out = sumOf(({ from, to }) => isAt(from) && (!isAt(to) || to.startsWith('unassigned:')))
      return { vault, shown: [inflow, outflow], ledger: [into, out] }
    })
    .filter(({ shown, ledger }) => shown.join() !== ledger.join())
}
