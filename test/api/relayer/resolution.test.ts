import { zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reserveGas, usedGasOf } from '../../../api/intents/gas-accounts.queries.ts'
import { applyResolution, type Resolution } from '../../../api/relayer/confirmations/resolution.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { bindIntent, getIntent } from '../../support/bound-intent.ts'
import { aHash } from '../../support/rows/insert-row.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

/** A foreign call for which ten wei are set aside. */
async function aCoveredIntent() {
  const account = { name: aHash(), quotaWei: 100n, lifetimeSeconds: 60 }
  await reserveGas(api.sql as never, account, 10n)
  const intent = await bindIntent(api, { terms: { relayClass: 'foreign', gasLimit: 1n, gas: { account, wei: 10n } } })
  return { intent, account }
}

const mined = { txHash: aHash(), blockNumber: 9n, blockHash: aHash() }
const apply = (
  intent: Parameters<typeof applyResolution>[1],
  given: Omit<Parameters<typeof applyResolution>[2], 'mined'>,
) => api.sql.begin((tx) => applyResolution(tx, intent, { ...given, mined }))

async function rowOf({ id }: { id: string }) {
  const [row] = await api.sql<{ gasReservedWei: bigint | null; seconds: number }[]>`
    select status, relay_mode, tx_hash, block_number, held_until_block, terminal_reason, refund_status, failure,
      gas_reserved_wei, extract(epoch from relay_after - now())::float8 as seconds
    from intents where id = ${id}`
  return row ?? expect.fail('no row')
}

const finding = 'for the test'
const decisions: [Resolution, object][] = [
  [
    { next: 'complete', hash: zeroHash, blockNumber: 9n },
    { status: 'broadcast', txHash: zeroHash },
  ],
  [
    { next: 'relay', mode: 'prepaid' },
    { status: 'recorded', relayMode: 'prepaid' },
  ],
  [{ next: 'wait' }, { status: 'recorded', relayMode: 'open' }],
  [
    { next: 'hold', finding, untilBlock: 12n },
    { status: 'held', failure: finding, heldUntilBlock: 12n },
  ],
  [
    { next: 'hold', finding },
    { status: 'held', heldUntilBlock: null },
  ],
  [
    { next: 'fail', reason: finding, refund: true },
    { status: 'failed', terminalReason: finding, refundStatus: 'pending', txHash: mined.txHash, blockNumber: 9n },
  ],
  [
    { next: 'fail', reason: finding, refund: false },
    { status: 'failed', refundStatus: null },
  ],
]

describe('a resolution', () => {
  it.each(decisions)('given %o, then it is stored, and its gas is charged once', async (decision, columns) => {
    const isEnd = decision.next === 'fail'
    for (const [gasWei, used, reserved] of [
      [12n, 12n, 0n],
      [3n, isEnd ? 3n : 10n, 7n],
      [null, 10n, 10n],
      [undefined, isEnd ? 0n : 10n, 10n],
    ] as const) {
      const { intent, account } = await aCoveredIntent()
      expect(await apply(intent, { decision, ...(gasWei !== undefined && { gasWei }) })).toBe(true)
      expect(await rowOf(intent)).toMatchObject({ ...columns, gasReservedWei: isEnd ? null : reserved })
      expect(await usedGasOf(api.sql, account.name)).toBe(used)
    }
  })

  it.each(decisions)(
    'given %o of an intent that changed meanwhile, then nothing is stored or charged',
    async (decision) => {
      const { intent, account } = await aCoveredIntent()
      const before = await rowOf(intent)
      expect(await apply({ ...intent, version: intent.version + 1n } as never, { decision, gasWei: 3n })).toBe(false)
      expect(await rowOf(intent)).toMatchObject({ ...before, seconds: expect.any(Number) })
      expect(await usedGasOf(api.sql, account.name)).toBe(10n)
    },
  )

  it.each([
    ['recorded', 0, 5],
    ['recorded', 3, 5],
    ['held', 0, 10],
    ['held', 8, 2_560],
    ['held', 9, 3_600],
    ['held', 5_000, 3_600],
  ])('given it holds an intent that is %s, looked at %i times, then for %i seconds', async (status, looks, seconds) => {
    const { id } = await bindIntent(api)
    // Another status begins with no look.
    for (const columns of [{ status }, { looks }])
      await api.sql`update intents set ${api.sql(columns)} where id = ${id}`
    await apply(await getIntent(api, id), { decision: { next: 'hold', finding } })
    expect(Math.round((await rowOf({ id })).seconds)).toBe(seconds)
  })
})
