import type { Address, Hex } from 'viem'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AttemptPurpose, insertAttempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { fillNonceGaps } from '../../../api/relayer/transactions/fill-nonce-gaps.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { captureLog } from '../../support/captured-log.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aScriptedNode, type NodeState } from './scripted-node.ts'

/** A transaction is replaced after 20 seconds, and sent again after 4. */
const SETTINGS = { REPLACE_AFTER_MS: '20000', RESEND_AFTER_MS: '4000', LOG_LEVEL: 'warn' }
const stranger: Address = `0x${'ee'.repeat(20)}`
const log = captureLog()

const api = aStartedApi(SETTINGS, undefined, log)
let relayer: Address
beforeAll(async () => {
  relayer = api.deps.relayer.accounts[0].address
})
beforeEach(async () => {
  await api.sql`delete from attempts`
  await api.sql`delete from intents`
  await api.sql`delete from relayers`
})

interface Stored {
  nonce?: bigint
  purpose?: AttemptPurpose
  intentId?: string | null
  /** Seconds ago. */
  signed?: number
  sent?: number | null
  address?: Address
}

/** A sequence whose next nonce is 5. */
const openSequence = (address = relayer) => api.sql`
  insert into relayers ${api.sql({ address, nextNonce: 5n })} on conflict do nothing`

/** Stores a transaction of the sequence. @returns its bytes */
async function store({ nonce = 3n, purpose = 'call', intentId = null, ...at }: Stored = {}): Promise<Hex> {
  const { signed = 0, sent = 0, address = relayer } = at
  const [hash, raw] = [aHash(), aHash()]
  await openSequence(address)
  const fees = { maxFeePerGas: 3_000n, maxPriorityFeePerGas: 1_000n }
  await insertAttempt(api.sql, { intentId, relayer: address, nonce, hash, raw, purpose, gasLimit: 100_000n, ...fees })
  await api.sql`
    update attempts set created_at = now() - make_interval(secs => ${signed}), sent_at = now() - make_interval(secs => ${sent})
    where hash = ${hash}`
  return raw
}

/** One pass, on a node that has mined three transactions. */
async function pass(shown: Partial<NodeState> = {}, node = aScriptedNode(api, { minedNonce: 3n, ...shown })) {
  await openSequence()
  await fillNonceGaps({ deps: node.deps, results: new Map(), onSent: () => {} })
  return node
}

const listAttempts = () => api.sql<{ purpose: string; raw: Hex; intentId: string | null }[]>`
  select purpose, nonce, intent_id, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas from attempts order by id`

const nextNonce = async () => (await api.sql<{ nextNonce: bigint }[]>`select next_nonce from relayers`)[0]?.nextNonce

describe('a nonce sequence', () => {
  it.each([
    ['more than it gave out', 7n, 7n],
    ['all that it gave out', 5n, 5n],
    ['far more than can be', 10n ** 9n, 21n],
  ])('given the chain has mined %s, then it goes on there, and nothing is sent', async (_, minedNonce, next) => {
    await store({ nonce: minedNonce, sent: null })
    const { sent } = await pass({ minedNonce })
    expect([await nextNonce(), sent]).toEqual([next, []])
  })

  const usesElsewhere = async () => {
    const metric = api.deps.observe.metrics.registry.getSingleMetric('taskmarket_relayer_used_elsewhere_total')
    const { values } = (await metric?.get()) ?? { values: [] }
    return values.find(({ labels }) => labels.relayer === relayer)?.value
  }

  it('given another program has used its key, then that is counted once, from a count that is there before', async () => {
    await pass({ minedNonce: 5n })
    const before = await usesElsewhere()
    expect(before).toBeTypeOf('number')
    await pass({ minedNonce: 7n })
    await pass({ minedNonce: 7n })
    expect(await usesElsewhere()).toBe((before ?? 0) + 1)
  })

  it('given a transaction of ours is claimed and mined while the sequences are read, then none is counted', async () => {
    await pass({ minedNonce: 5n })
    const before = await usesElsewhere()
    const node = aScriptedNode(api)
    const getTransactionCount = async () => {
      await api.sql`update relayers set next_nonce = 6`
      return 6n
    }
    await pass({}, { ...node, deps: { ...node.deps, chain: { ...node.deps.chain, getTransactionCount } } })
    expect(await usesElsewhere()).toBe(before)
  })

  it.each<[string, Stored[], boolean]>([
    ['nothing waits behind it', [], false],
    ['another has waited behind it for long', [{ nonce: 4n, signed: 22 }], true],
    ['another has waited behind it for a while', [{ nonce: 4n, signed: 18 }], false],
    ['one before it was signed long ago', [{ nonce: 2n, signed: 22 }], false],
    ['the oldest behind it has waited for long', [{ nonce: 4n, signed: 22 }, { nonce: 5n }], true],
  ])(
    'given nothing was signed for the first open nonce, and %s, then it is filled in time',
    async (_, stored, isFilled) => {
      for (const each of stored) await store(each)
      const { sent } = await pass()
      const attempts = await listAttempts()
      const filling = attempts.slice(stored.length)
      expect(filling).toMatchObject(isFilled ? [{ purpose: 'cancellation', nonce: 3n, maxFeePerGas: 3_000n }] : [])
      expect(sent).toEqual(filling.map(({ raw }) => raw))
      // A line that repeats within a while is counted, and not written.
      if (isFilled) expect(log.lines('gap filled')).toMatchObject([{ relayer, nonce: 3 }])
    },
  )

  const dearer = { fees: { maxFeePerGas: 4_000n, maxPriorityFeePerGas: 1_000n } }
  it.each<[string, Stored, Partial<NodeState>, 'nothing' | 'same' | 'cancellation']>([
    ['a moment ago', { signed: 3, sent: 3 }, {}, 'nothing'],
    ['and sent a while ago', { signed: 5, sent: 5 }, {}, 'same'],
    ['and never sent', { signed: 1, sent: null }, {}, 'same'],
    ['a while ago', { signed: 18, sent: 1 }, {}, 'nothing'],
    ['long ago', { signed: 22, sent: 1 }, {}, 'cancellation'],
    [
      'long ago, as a cancellation with the present fees',
      { signed: 22, sent: 1, purpose: 'cancellation' },
      {},
      'nothing',
    ],
    [
      'long ago, as a silent cancellation with the present fees',
      { signed: 22, sent: 5, purpose: 'cancellation' },
      {},
      'same',
    ],
    [
      'long ago, as a cancellation with lower fees',
      { signed: 22, sent: 1, purpose: 'cancellation' },
      dearer,
      'cancellation',
    ],
  ])(
    'given the transaction of the first open nonce was signed %s, then it goes on',
    async (_, stored, shown, expected) => {
      const raw = await store(stored)
      const { sent, state } = await pass(shown)
      const [, replacement] = await listAttempts()
      if (expected === 'cancellation') {
        const least = state.fees.maxFeePerGas > 3_375n ? state.fees.maxFeePerGas : 3_375n
        expect(replacement).toMatchObject({
          purpose: 'cancellation',
          nonce: 3n,
          gasLimit: 21_000n,
          maxFeePerGas: least,
        })
        expect(sent).toEqual([replacement?.raw])
      } else {
        expect(replacement).toBeUndefined()
        expect(sent).toEqual(expected === 'same' ? [raw] : [])
      }
    },
  )

  it.each([
    ['is on its way with it', { status: 'broadcast' }, false],
    ['has ended', { status: 'failed' }, true],
    ['is refunded with it', { status: 'failed', refundStatus: 'refunding' }, false],
  ])('given an intent that %s, then its transaction is replaced in one place', async (_, columns, isCancelled) => {
    const { id: intentId } = await bindIntent(api)
    await api.sql`update intents set ${api.sql(columns)} where id = ${intentId}`
    await store({ signed: 22, sent: 1, intentId })
    await pass()
    expect((await listAttempts()).slice(1)).toMatchObject(isCancelled ? [{ purpose: 'cancellation', intentId }] : [])
  })

  it('given its key is of another process, then what is signed is sent, and nothing else signed', async () => {
    const raw = await store({ address: stranger, signed: 22, sent: 5 })
    const ownNonce = (address: Address) => Promise.resolve(address === stranger ? 3n : 5n)
    const node = aScriptedNode(api)
    node.deps.chain.getTransactionCount = ownNonce
    expect((await pass({}, node)).sent).toEqual([raw])
    await api.sql`update attempts set nonce = 4`
    await pass({}, node)
    expect(await listAttempts()).toHaveLength(1)
  })

  it('given another process signs for the nonce meanwhile, then this one signs nothing', async () => {
    const raw = await store({ signed: 22, sent: 5 })
    const { estimateFeesPerGas } = api.chain
    const node = aScriptedNode(api, { minedNonce: 3n })
    node.deps.chain.estimateFeesPerGas = async () => {
      await store({ signed: 0, purpose: 'cancellation' })
      return await estimateFeesPerGas()
    }
    await pass({}, node)
    expect(await listAttempts()).toHaveLength(2)
    expect(node.sent).toEqual([raw])
  })

  it('given the node does not answer about one sequence, then the others go on', async () => {
    await openSequence(`0x${'00'.repeat(20)}`)
    const raw = await store({ signed: 5, sent: 5 })
    const node = aScriptedNode(api)
    node.deps.chain.getTransactionCount = async (address) =>
      address === relayer ? 3n : Promise.reject(new Error('no answer'))
    await pass({}, node)
    expect(node.sent).toEqual([raw])
    const lines = log.lines('nonce sequence check failed')
    expect(lines).toMatchObject([{ relayer: `0x${'00'.repeat(20)}` }])
  })
})
