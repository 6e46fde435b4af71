import { zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { reserveGas, usedGasOf } from '../../../api/intents/gas-accounts.queries.ts'
import { applyResolution, type Resolution } from '../../../api/relayer/confirmations/resolution.ts'
import { bindIntent, getIntent } from '../../support/bound-intent.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi()

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
const { txHash } = mined

describe('a resolution', () => {
  it.each<[string, Resolution, object]>([
    ['to complete', { next: 'complete', hash: zeroHash, blockNumber: 9n }, { status: 'broadcast', txHash: zeroHash }],
    ['to relay', { next: 'relay', mode: 'prepaid' }, { status: 'recorded', relayMode: 'prepaid' }],
    ['to wait', { next: 'wait' }, { status: 'recorded', relayMode: 'open' }],
    [
      'to hold until a block',
      { next: 'hold', finding, untilBlock: 12n },
      { status: 'held', failure: finding, heldUntilBlock: 12n },
    ],
    ['to hold', { next: 'hold', finding }, { status: 'held', heldUntilBlock: null }],
    [
      'to fail and refund',
      { next: 'fail', reason: finding, refund: true },
      { status: 'failed', terminalReason: finding, refundStatus: 'pending', txHash, blockNumber: 9n },
    ],
    ['to fail', { next: 'fail', reason: finding, refund: false }, { status: 'failed', refundStatus: null }],
  ])(
    'given the decision %s, then it is stored unless its intent has changed, and its gas is charged once',
    async (_, decision, columns) => {
      const isEnd = decision.next === 'fail'
      for (const [gasWei, used, reserved] of [
        [12n, 12n, 0n],
        [3n, isEnd ? 3n : 10n, 7n],
        [null, 10n, 10n],
        [undefined, isEnd ? 0n : 10n, 10n],
      ] as const) {
        const { intent, account } = await aCoveredIntent()
        const changed = { ...intent, version: intent.version + 1n }
        expect(await apply(changed, { decision, gasWei: 3n })).toBe(false)
        expect(await apply(intent, { decision, ...(gasWei !== undefined && { gasWei }) })).toBe(true)
        expect(await rowOf(intent)).toMatchObject({ ...columns, gasReservedWei: isEnd ? null : reserved })
        expect(await usedGasOf(api.sql, account.name)).toBe(used)
      }
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
