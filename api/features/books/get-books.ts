import { z } from 'zod'
import type { Transaction } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { invalidRequest } from '../../http/parse.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { toTimestamp } from '../../http/response-schemas.ts'
import { findBooks, type SumsRound } from '../../read-model/books.queries.ts'
import { defineRoute } from '../define-route.ts'
import { type AccountKey, accountName } from './account-name.ts'
import { ownedAccount, toAssets, toAssetsOf, toMovement } from './books.mapper.ts'
import { booksOut } from './books.schemas.ts'
import { findDecimals } from './decimals.queries.ts'
import { movementCursor, toMovementCursor } from './movement-cursor.ts'
import { listMovementsOfAccount, listMovementsOfTask, sumAccount } from './movements.queries.ts'

const query = z.object({
  account: accountName.optional().meta({
    description:
      'One account of the ledger, with its movements: `service_fees`, `bonus_reserve`, an address, or a class and its owner, such as `escrow:<task id>` or `credit:<address>`.',
  }),
  taskId: bytes32.optional().meta({ description: 'The accounts of one task, with its movements.' }),
  cursor: movementCursor.optional().meta({ description: '`nextCursor` of the page before.' }),
  limit: queryIntegerOr(50, { min: 1, max: 100 }),
})

/**
 * Returns the result of the latest comparison of the ledger with the contracts: the sums of the ledger's rows, and the
 * amounts that the contracts report. A request starts no comparison. See the interface specification, "Open data".
 *
 * Example: `GET /api/books` answers `{"block": 172, "timestamp": "2026-11-28T15:50:13.000Z", "assets": [{..}, ..]}`.
 */
export const getBooks = defineRoute({
  operationId: 'getBooks',
  method: 'get',
  path: '/books',
  tag: 'service',
  summary: 'Compare the money of the rows with that of the contracts',
  description:
    'What market, forwarder, bonus programme and some vaults hold and owe, by the contracts and by the ledger of the ' +
    'service, at one block. With `account` or `taskId` the same of these accounts, and their movements up to that block. ' +
    'A difference that two comparisons in a row find is also told by `/ready`.',
  query,
  responses: {
    200: { description: 'The last comparison.', schema: booksOut },
    503: { description: 'Nothing was compared yet. Retry-After says when to ask again.' },
  },
  handler: async (deps, { query: request }) => {
    if (request.account !== undefined && request.taskId !== undefined) {
      throw invalidRequest([{ path: 'account', message: 'must be left out where taskId is given' }])
    }
    if (request.account === undefined && request.taskId === undefined && request.cursor !== undefined) {
      throw invalidRequest([{ path: 'cursor', message: 'needs the account or taskId that it is of' }])
    }
    const { sums } = await findBooks(deps.sql)
    if (sums === null) throw notCompared()
    const { block, timestamp, assets } = sums
    const head = { block: Number(block), timestamp: toTimestamp(BigInt(timestamp)) }
    const accounts = accountsOf(request)
    if (accounts.length === 0) {
      const names = assets.map(({ asset }) => asset)
      return { ...head, assets: toAssets(assets, await findDecimals(deps.sql, names, deps.deployment)) }
    }
    return { ...head, ...(await findAccounts(deps, { sums, accounts, asked: request })) }
  },
})

function notCompared() {
  const message = 'Rows and contracts were not compared yet; ask again in a few seconds.'
  return new ServiceError(503, 'unclassified', message, {
    detail: 'not_ready',
    headers: { 'Retry-After': '5' },
    isRefusal: true,
  })
}

function accountsOf({ account, taskId }: z.output<typeof query>): AccountKey[] {
  if (taskId !== undefined) return ['escrow', 'stake'].map((accountClass) => ({ accountClass, owner: taskId }))
  return account === undefined ? [] : [account]
}

/**
 * Returns the balances and the movements of accounts up to one block: the block of the latest comparison of the ledger
 * with the contracts. All values are from one snapshot of the database.
 */
async function findAccounts(
  { sql: customPlans, deployment }: Pick<Deps, 'sql' | 'deployment'>,
  { sums, accounts, asked }: { sums: SumsRound; accounts: readonly AccountKey[]; asked: z.output<typeof query> },
) {
  const sql = asked.taskId === undefined ? customPlans : customPlans.byKey
  const until = BigInt(sums.block)
  const page = { until, before: asked.cursor ?? null, limit: asked.limit + 1 }
  const [rows, ...accountSums] = await sql.begin('isolation level repeatable read read only', (tx) => {
    const [account] = accounts
    const listing =
      asked.taskId === undefined && account !== undefined
        ? listMovementsOfAccount(tx, ownedAccount(deployment, account), page)
        : listMovementsOfTask(tx, asked.taskId ?? '0x', page)
    return Promise.all([listing, ...accounts.map((key) => findSums(tx, { key, sums, until }))])
  })
  const pageRows = rows.slice(0, asked.limit)
  const last = rows.length > asked.limit ? pageRows.at(-1) : undefined
  const ofAccounts = accountSums.flat()
  const decimalsOf = await findDecimals(
    sql,
    ofAccounts.map(({ asset }) => asset),
    deployment,
  )
  return {
    assets: toAssetsOf(deployment, { assets: sums.assets, sums: ofAccounts, decimalsOf }),
    movements: pageRows.map(toMovement),
    nextCursor: last === undefined ? null : toMovementCursor(last),
  }
}

/**
 * Returns the balance of an account in each asset. The accounts `service_fees` and `bonus_reserve` have too many
 * movements to sum in a request. So their balance is taken from the latest comparison of the ledger with the contracts.
 */
async function findSums(tx: Transaction, { key, sums, until }: { key: AccountKey; sums: SumsRound; until: bigint }) {
  const { accountClass, owner } = key
  if (accountClass === 'wallet') return []
  if (owner !== null) {
    return (await sumAccount(tx, { accountClass, owner }, until)).map((sum) => ({ ...key, ...sum }))
  }
  return sums.assets.flatMap(({ asset, contracts }) =>
    contracts
      .flatMap(({ accounts }) => accounts)
      .flatMap(({ account, amount }) =>
        account === accountClass && amount !== null ? [{ ...key, asset, amount: BigInt(amount) }] : [],
      ),
  )
}
