import { secp256k1 } from '@noble/curves/secp256k1'
import { type Hex, parseTransaction } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeEach, describe, expect, it } from 'vitest'
import { startOutbox } from '../../../api/relayer/loops/run-outbox.ts'
import { watchBroadcast } from '../../../api/relayer/loops/watch-broadcast.ts'
import { type Relayer, SignerUnavailable } from '../../../api/relayer/signers/relayer.ts'
import { createRemoteRelayer } from '../../../api/relayer/signers/remote-key.ts'
import { fillNonceGaps } from '../../../api/relayer/transactions/fill-nonce-gaps.ts'
import { openNonceSequence } from '../../../api/relayer/transactions/nonce-sequences.queries.ts'
import { createRelayerPort, createRelayerServices } from '../../../api/relayer/transactions/relayer-services.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aPayment } from './payments.ts'
import { aScriptedNode, reverting } from './scripted-node.ts'

const api = aStartedApi({ REPLACE_AFTER_MS: '20000', RESEND_AFTER_MS: '4000' })
beforeEach(async () => {
  await api.sql`delete from attempts`
  await api.sql`delete from intents`
  await api.sql`delete from relayers`
})

/** A signer elsewhere, which a test holds back or breaks. */
function aSigner(digit: string) {
  const key = digit.repeat(64)
  const address = privateKeyToAddress(`0x${key}`).toLowerCase() as Hex
  const signer = { before: async (): Promise<void> => {}, asked: 0 }
  const relayer = createRemoteRelayer(
    {
      kind: 'web3signer',
      address,
      requestSignature: async ({ digest }) => {
        signer.asked += 1
        await signer.before()
        return secp256k1.sign(digest.slice(2), key)
      },
    },
    { onChange: () => {}, now: () => clock.now },
  )
  return { signer, relayer }
}
const clock = { now: 0 }

/** An outbox of these relayers, whose workers run when a test says so. */
async function anOutbox(...relayers: Relayer[]) {
  return await anOutboxOf('outbox plain', relayers)
}

async function anOutboxOf(loop: 'outbox plain' | 'outbox refunds', relayers: readonly Relayer[]) {
  clock.now = 0
  for (const { address } of relayers) await openNonceSequence(api.sql, address, 0n)
  const node = aScriptedNode(api)
  const services = createRelayerServices(relayers, api.deps.config)
  Object.assign(node.deps, { relayer: services })
  const relay = { deps: node.deps, results: new Map(), onSent: () => {} }
  const workers: (() => Promise<unknown>)[] = []
  startOutbox(relay, (name, run) => {
    if (name === loop) workers.push(async () => run(new AbortController().signal))
    return { wake: () => {}, stop: async () => {} }
  })
  return { node, relay, services, work: (count = 1) => Promise.all(workers.slice(0, count).map((worker) => worker())) }
}

const listAttempts = () => api.sql<{ relayer: Hex; nonce: bigint; raw: Hex; purpose: string; intentId: string }[]>`
  select relayer, nonce, raw, purpose, intent_id from attempts order by id`
const listIntents = () => api.sql<{ status: string; relayTries: number; seconds: number }[]>`
  select status, relay_tries, extract(epoch from relay_after - now())::float8 as seconds from intents order by created_at`
const nextNonces = async () => (await api.sql`select next_nonce from relayers`).map(({ nextNonce }) => nextNonce)
const broken = () => Promise.reject(new SignerUnavailable('web3signer answered 500'))

describe('a remote signer', () => {
  it('given it signs, then no transaction of the database is open meanwhile, and the intent is left to it', async () => {
    await bindIntent(api)
    const { relayer, signer } = aSigner('1')
    const outbox = await anOutbox(relayer)
    let isOpen: unknown
    signer.before = async () => {
      const [open] = await api.sql`
        select count(*)::int as transactions from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`
      isOpen = [open?.transactions, (await listIntents())[0]?.seconds]
    }
    await outbox.work()
    expect(isOpen).toEqual([0, expect.closeTo(10, 0)])
    expect(signer.asked).toBe(1)
    expect(await listAttempts()).toMatchObject([{ relayer: relayer.address, nonce: 0n, purpose: 'call' }])
    expect(await listIntents()).toMatchObject([{ status: 'broadcast', relayTries: 0 }])
    expect(outbox.node.sent).toHaveLength(1)
    expect(await nextNonces()).toEqual([1n])
  })

  it('given several calls at once, then each has a nonce of its own, and none is signed twice', async () => {
    for (let made = 0; made < 6; made += 1) await bindIntent(api)
    const { relayer, signer } = aSigner('1')
    const outbox = await anOutbox(relayer)
    await outbox.work(4)
    const attempts = await listAttempts()
    expect(attempts.map(({ nonce }) => nonce)).toEqual([0n, 1n, 2n, 3n, 4n, 5n])
    expect(new Set(attempts.map(({ intentId }) => intentId)).size).toBe(6)
    expect(attempts.map(({ raw }) => parseTransaction(raw).nonce ?? 0)).toEqual([0, 1, 2, 3, 4, 5])
    expect(signer.asked).toBe(6)
  })

  it('given it signs a refund, then its transaction is stored, and the refund waits for that transaction', async () => {
    const { id } = await bindIntent(api, { relay: { mode: 'paid', payment: aPayment() } })
    await api.sql`update intents set status = 'failed', refund_status = 'pending' where id = ${id}`
    const { relayer, signer } = aSigner('1')
    const outbox = await anOutboxOf('outbox refunds', [relayer])
    outbox.node.state.views = { prepaidLeft: 10n ** 9n }
    await outbox.work()
    expect(signer.asked).toBe(1)
    const [attempt] = await api.sql<{ hash: Hex; raw: Hex }[]>`select hash, raw from attempts where purpose = 'refund'`
    expect(outbox.node.sent).toEqual([attempt?.raw])
    expect(await api.sql`select refund_status, refund_tx_hash from intents`).toEqual([
      { refundStatus: 'refunding', refundTxHash: attempt?.hash },
    ])
  })

  it('given it fails, then no nonce is claimed, the call waits, and is signed once it answers', async () => {
    const intent = await bindIntent(api)
    const { relayer, signer } = aSigner('1')
    const outbox = await anOutbox(relayer)
    const port = createRelayerPort(outbox.services, outbox.node.deps.chain)
    signer.before = broken
    await outbox.work()
    expect(await listIntents()).toMatchObject([{ status: 'recorded', relayTries: 1 }])
    expect([await listAttempts(), await nextNonces()]).toEqual([[], [0n]])
    // While it is left alone no write is admitted: nothing is charged that could not be relayed.
    expect(await port.isFunded()).toBe(false)
    clock.now = 1_000
    expect(await port.isFunded()).toBe(true)
    signer.before = async () => {}
    await api.sql`update intents set relay_after = now() where id = ${intent.id}`
    await outbox.work()
    expect(await listAttempts()).toMatchObject([{ nonce: 0n }])
  })

  it('given one hangs, then the other relayers take every other call meanwhile', async () => {
    for (let made = 0; made < 5; made += 1) await bindIntent(api)
    const [one, two] = [aSigner('1'), aSigner('2')]
    let fail = (_reason: Error) => {}
    one.signer.before = () =>
      new Promise((_, reject) => {
        fail = reject
      })
    const outbox = await anOutbox(one.relayer, two.relayer)
    const stuck = outbox.work(1)
    await expect.poll(() => one.signer.asked, { interval: 1 }).toBe(1)
    await outbox.work(3)
    expect((await listAttempts()).map(({ relayer }) => relayer)).toEqual(Array(4).fill(two.relayer.address))
    fail(new SignerUnavailable('web3signer did not answer in time'))
    await stuck
    expect((await listIntents()).filter(({ status }) => status === 'recorded')).toHaveLength(1)
    await api.sql`update intents set relay_after = now() where status = 'recorded'`
    await outbox.work()
    expect((await listAttempts()).at(-1)?.relayer).toBe(two.relayer.address)
  })

  it('given another process claims the nonce meanwhile, then those bytes are dropped, and the next nonce is signed', async () => {
    await bindIntent(api)
    const { relayer, signer } = aSigner('1')
    const outbox = await anOutbox(relayer)
    signer.before = async () => {
      if (signer.asked === 1) await api.sql`update relayers set next_nonce = 1`
    }
    await outbox.work()
    expect(signer.asked).toBe(2)
    const [attempt, ...others] = await listAttempts()
    expect([attempt?.nonce, others]).toEqual([1n, []])
    expect(outbox.node.sent).toEqual([attempt?.raw])
  })

  it('given the intent changes meanwhile, then nothing is stored or sent, and no nonce claimed', async () => {
    await bindIntent(api)
    const { relayer, signer } = aSigner('1')
    const outbox = await anOutbox(relayer)
    signer.before = async () => {
      await api.sql`update intents set status = 'failed', terminal_reason = 'it ended'`
    }
    await outbox.work()
    expect([await listAttempts(), outbox.node.sent, await nextNonces()]).toEqual([[], [], [0n]])
  })
})

describe('a transaction that is not mined', () => {
  async function aStuckCall(signs: ReturnType<typeof aSigner>) {
    await bindIntent(api)
    const outbox = await anOutbox(signs.relayer)
    await outbox.work()
    await api.sql`update attempts set created_at = now() - interval '22 seconds', sent_at = now() - interval '5 seconds'`
    outbox.node.state.fees = { maxFeePerGas: 9_000n, maxPriorityFeePerGas: 3_000n }
    return outbox
  }

  it('given higher fees help, then the same nonce is signed anew, once', async () => {
    const signs = aSigner('1')
    const { node, relay } = await aStuckCall(signs)
    await watchBroadcast(relay)
    expect(await listAttempts()).toMatchObject([
      { nonce: 0n, purpose: 'call' },
      { nonce: 0n, purpose: 'call' },
    ])
    expect([signs.signer.asked, node.sent.length]).toEqual([2, 2])
    node.state.simulate = () => reverting()
    await api.sql`update attempts set created_at = now() - interval '22 seconds'`
    await watchBroadcast(relay)
    expect((await listAttempts())[2]).toMatchObject({ nonce: 0n, purpose: 'cancellation' })
  })

  it('given another process replaces it meanwhile, then the bytes are dropped', async () => {
    const signs = aSigner('1')
    const { node, relay } = await aStuckCall(signs)
    signs.signer.before = async () => {
      await api.sql`
        insert into attempts (intent_id, relayer, nonce, hash, raw, purpose, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
        select intent_id, relayer, nonce, 'of another process', raw, purpose, 1, 1, 1 from attempts`
    }
    await watchBroadcast(relay)
    expect(await listAttempts()).toHaveLength(2)
    expect(node.sent).toHaveLength(1)
  })

  it('given the signer fails, then the same bytes are sent again', async () => {
    const signs = aSigner('1')
    const { node, relay } = await aStuckCall(signs)
    signs.signer.before = broken
    for (let passes = 0; passes < 2; passes += 1) await watchBroadcast(relay)
    const [attempt, ...others] = await listAttempts()
    expect([node.sent, others]).toEqual([[attempt?.raw, attempt?.raw], []])
    await api.sql`update intents set status = 'failed', terminal_reason = 'it ended'`
    await api.sql`update attempts set sent_at = now() - interval '5 seconds'`
    await fillNonceGaps(relay)
    expect(node.sent).toHaveLength(3)
    signs.signer.before = async () => {}
    clock.now = 1_000
    await fillNonceGaps(relay)
    expect((await listAttempts()).map(({ purpose }) => purpose)).toEqual(['call', 'cancellation'])
  })
})
