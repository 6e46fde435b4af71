import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { findDecimals } from '../../../api/features/books/decimals.queries.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { findWrongBalances } from '../../../scripts/stack/movements-text.ts'
import { readMovements } from '../../../scripts/stack/read-movements.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, insertRow, START } from '../../support/rows/insert-row.ts'
import { insertMarketConfig, openAudit, scriptContracts, viewKey } from '../../support/scripted-books.ts'
import { insertVault } from '../../support/vault-rows.ts'
import { indexUpTo } from '../observability/operator-api.ts'

const sender: Hex = `0x${'5e'.repeat(20)}`

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

test('given no comparison yet, then 503 with Retry-After', async () => {
  const { status, headers, body } = await api.get('/api/books')
  expect([status, headers.get('retry-after'), body.service.reason]).toEqual([503, '5', 'unclassified'])
})

test('given a comparison, then both sides at its block, amounts as text and addresses with checksums', async () => {
  const { market, forwarder, usdc } = api.deps.deployment
  const script = scriptContracts(api.chain)
  await indexUpTo(api, 12n, START)
  script.views.set(viewKey(market, 'totalEscrow'), 0n)
  script.views.set(viewKey(forwarder, 'fees'), 0n)
  script.balances.set(`${usdc} ${market}`, 4n)
  await insertMarketConfig(api)
  await api.sql`
    insert into arrival
    select i, ${usdc}, ${market}, ${sender}, 1, i, ${START}, '0x' || repeat('ab', 32), 0, i from generate_series(1, 4) as i`
  await openAudit(api, script).sums()
  const { status, body } = await api.get('/api/books')
  expect(status).toBe(200)
  expect(body).toEqual({
    block: 12,
    timestamp: '2030-01-01T00:00:00.000Z',
    assets: [
      {
        asset: getAddress(localNetwork.usdc.address),
        decimals: 6,
        contracts: [
          {
            name: 'market',
            address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
            inflow: '4',
            outflow: '0',
            balance: '4',
            accounts: [
              { account: 'escrow', amount: '0' },
              { account: 'stake', amount: '0' },
              { account: 'credit', amount: '0' },
              { account: 'unassigned', amount: '4' },
            ],
            views: [{ name: 'totalEscrow', amount: '0' }],
            difference: '0',
          },
          {
            name: 'forwarder',
            address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
            inflow: '0',
            outflow: '0',
            // The token gave no answer.
            balance: null,
            accounts: [
              { account: 'service_fees', amount: '0' },
              { account: 'prepaid', amount: '0' },
            ],
            views: [{ name: 'fees', amount: '0' }],
            difference: '0',
          },
        ],
      },
    ],
  })
})

describe('given an account or a task', () => {
  it('then its sum and its movements, newest first, page by page', async () => {
    const { market } = api.deps.deployment
    const first = await api.get(`/api/books?account=unassigned:${market}&limit=3`)
    expect(first.status).toBe(200)
    const [books, ...others] = first.body.assets
    expect([books.contracts[0].name, books.contracts[0].accounts, books.contracts[0].views, others]).toEqual([
      'market',
      [{ account: `unassigned:${market}`, amount: '4' }],
      [{ name: 'totalEscrow', amount: '0' }],
      [],
    ])
    expect(first.body.movements[0]).toEqual({
      id: '4:stranger_transfer',
      block: 4,
      timestamp: '2030-01-01T00:00:00.000Z',
      transactionHash: `0x${'ab'.repeat(32)}`,
      logIndex: 4,
      asset: getAddress(localNetwork.usdc.address),
      kind: 'stranger_transfer',
      from: sender,
      to: `unassigned:${market}`,
      amount: '1',
      amountUnits: '0.000001',
      taskId: null,
      operation: null,
    })
    const second = await api.get(`/api/books?account=unassigned:${market}&limit=3&cursor=${first.body.nextCursor}`)
    const blocks = [...first.body.movements, ...second.body.movements].map(({ block }: { block: number }) => block)
    expect([blocks, second.body.nextCursor]).toEqual([[4, 3, 2, 1], null])
  })

  it.each([1, 3])('then its balance is the sum of its movements, each once, in pages of %i', async (limit) => {
    const { market } = api.deps.deployment
    const books = await readMovements(async (cursor) => {
      const page = cursor === null ? '' : `&cursor=${cursor}`
      return (await api.get(`/api/books?account=unassigned:${market}&limit=${limit}${page}`)).body
    })
    expect(new Set(books.movements.map(({ transactionHash, block }) => transactionHash + block)).size).toBe(4)
    expect([books.movements.length, books.balances.map(({ amount }) => amount)]).toEqual([4, ['4']])
    expect(findWrongBalances(books)).toEqual([])
    expect(findWrongBalances({ ...books, movements: books.movements.slice(1) })).toEqual(books.balances)
  })

  it('then of a wallet, whatever its case, its movements alone', async () => {
    const { body } = await api.get(`/api/books?account=${sender.replace('5e', '5E')}`)
    expect([body.assets, body.movements.length, body.nextCursor]).toEqual([[], 4, null])
  })

  it('then of an account without an owner in its name, the movements of its contract', async () => {
    const position = {
      blockNumber: 6n,
      blockTimestamp: START,
      transactionHash: aHash(),
      transactionIndex: 0,
      logIndex: 0,
    }
    await insertRow(api.sql, 'relayedIntent', {
      intentId: aHash(),
      actor: sender,
      selector: '0x12345678',
      amount: 1_000n,
      escrowAmount: 0n,
      prepaid: false,
      paymentNonce: aHash(),
      ...position,
    })
    const { body } = await api.get('/api/books?account=service_fees')
    expect(body.movements).toMatchObject([
      { kind: 'service_fee', from: sender, to: 'service_fees', amount: '1000', operation: '0x12345678' },
    ])
    const reserve = await api.get('/api/books?account=bonus_reserve')
    expect([reserve.status, reserve.body.movements]).toEqual([200, []])
  })

  it('then of a task its accounts that had a movement, and of one without any nothing', async () => {
    const taskId = aHash()
    const place = { blockNumber: 5n, blockTimestamp: START, transactionHash: aHash(), transactionIndex: 0, logIndex: 0 }
    const row = { id: `${taskId}:0`, taskId, ordinal: 0, name: 'TaskCreated', subject: sender, amount: 7 }
    await api.sql`insert into task_event ${api.sql({ ...row, statusAfter: 'open', args: api.sql.json({}), ...place } as never)}`
    const { body } = await api.get(`/api/books?taskId=${taskId}`)
    expect(body.assets[0].contracts[0].accounts).toEqual([{ account: `escrow:${taskId}`, amount: '7' }])
    expect(body.movements).toMatchObject([{ kind: 'funded', from: sender, to: `escrow:${taskId}`, taskId }])
    const other = await api.get(`/api/books?taskId=${aHash()}`)
    expect([other.status, other.body.assets, other.body.movements]).toEqual([200, [], []])
  })

  test.each([
    ['account=escrow', 'account'],
    ['account=escrow:0x12', 'account'],
    ['account=service_fees:0x12', 'account'],
    ['account=constructor', 'account'],
    [`account=credit:${sender}:1`, 'account'],
    [`account=${sender}&account=${sender}`, 'account'],
    [`account=${sender}&taskId=0x${'00'.repeat(32)}`, 'account'],
    ['taskId=7', 'taskId'],
    ['cursor=MSAxIDE', 'cursor'],
    [`account=${sender}&cursor=%21`, 'cursor'],
    [`account=${sender}&cursor=MSAx`, 'cursor'],
    [`account=${sender}&limit=101`, 'limit'],
  ])('given %s, then 400 names %s', async (query, field) => {
    const { status, body } = await api.get(`/api/books?${query}`)
    expect([status, body.issues?.[0]?.path]).toEqual([400, field])
  })
})

test('given tokens of vaults, then their decimals, and null for one that answers none or is not known', async () => {
  const { usdc } = api.deps.deployment
  const tokens = ['b1', 'b2', 'b3'].map((byte): Hex => `0x${byte.repeat(20)}`)
  for (const [index, tokenDecimals] of [8, null].entries()) {
    const names = { tokenName: null, tokenSymbol: null, tokenDecimals }
    await insertVault(api.sql, { vaultId: aHash(), token: tokens[index] ?? usdc, names })
  }
  const assets = [usdc, ...tokens]
  const decimals = await findDecimals(api.deps.sql, assets, { usdc })
  expect(assets.map((asset) => decimals.get(asset))).toEqual([6, 8, null, null])
})
