import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { foldWrites, openFolding } from '../../../api/intents/fold-writes.queries.ts'
import { hasPaid } from '../../../api/intents/has-paid.ts'
import { listAttempts } from '../../../api/relayer/transactions/attempts.queries.ts'
import { anActor } from '../../support/actors.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'
import { aStartedApi } from './started-api.ts'

const relayer: Address = `0x${'a1'.repeat(20)}`
const foreignSignature: Hex = `0x${'cd'.repeat(65)}`

const api = aStartedApi({ WRITE_ANSWER_MS: '100' })
beforeEach(async () => {
  agreeToEverything(api)
  await api.sql`delete from attempts`
  await api.sql`update intents set status_at = now()`
  await api.sql`insert into relayers ${api.sql({ address: relayer, nextNonce: 100n })} on conflict do nothing`
})

const fold = () => foldWrites(api.sql, { limit: 100 })

/** A paid creation that was completed so many days ago, by the transaction with this nonce. */
async function aCompletedCreate(days: number, { watched = false, nonce = 50n, ...create } = aCreate()) {
  const { body } = await create.roundTwo()
  expect(body.service).toMatchObject({ reason: 'intent_in_flight' })
  const [txHash, taskId] = [aHash(), aHash()]
  const columns = { status: 'completed', watched, txHash, taskId, blockNumber: 5n, blockHash: aHash() }
  await api.sql`update intents set ${api.sql(columns)}, result = '{"a":1}' where idempotency_key = ${create.key}`
  await api.sql`
    update intents set status_at = now() - make_interval(days => ${days}) where idempotency_key = ${create.key}`
  const id = await create.id()
  await anAttempt(id, { nonce, hash: txHash })
  return { ...create, id, txHash, taskId }
}

function aCreate(payer = anActor()) {
  return { ...aPaidCreate(api, {}, payer), payer, watched: false, nonce: 50n }
}

async function anAttempt(intentId: string, { nonce, hash = aHash() }: { nonce: bigint; hash?: Hex }) {
  const row = { intentId, relayer, nonce, hash, raw: '0x02', purpose: 'call', gasLimit: 1n }
  await api.sql`insert into attempts ${api.sql({ ...row, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })}`
}

async function rowOf(id: string) {
  const [row] = await api.sql`select * from intents where id = ${id}`
  return row
}

const isFolded = async (id: string) => (await rowOf(id))?.calldata === '0x'

describe('a folded write', () => {
  it('answers its key, its reader and its payment as before', async () => {
    const { id, txHash, taskId, payer, ...create } = await aCompletedCreate(11)
    const answers = async () => {
      const { body: again, status } = await create.roundOne()
      // Another key for the same payment.
      const other = randomUUID()
      await api.sql`update intents set idempotency_key = ${other} where id = ${id}`
      const presented = await create.roundTwo()
      await api.sql`delete from intents where idempotency_key = ${create.key}`
      await api.sql`update intents set idempotency_key = ${create.key} where id = ${id}`
      return [status, again.service, presented.status, presented.body.service]
    }
    const before = await answers()
    expect(before).toMatchObject([
      409,
      { reason: 'idempotency_key_reused', intentId: id, intentStatus: 'completed', txHash },
      409,
      { reason: 'payment_already_spent', intentId: id, txHash },
    ])
    expect(await fold()).toBe(1)
    expect(await isFolded(id)).toBe(true)
    expect(await answers()).toEqual(before)
    // The signature that it was bound with holds whatever its wallet says now.
    api.chain.verifyTypedData = async () => false
    expect(await answers()).toEqual(before)

    const { usdc } = api.deps.deployment
    const [paid] = await api.sql`select ${hasPaid(api.sql, { wallet: payer.address, usdc })} as is_paid`
    expect(paid).toEqual({ isPaid: true })
    const [stranger] = await api.sql`select ${hasPaid(api.sql, { wallet: anActor().address, usdc })} as is_paid`
    expect(stranger).toEqual({ isPaid: false })
    expect(await rowOf(id)).toMatchObject({ taskId, paymentValue: 1_000_000n, paymentNonce: null, result: null })
  })

  it('given a signature that its payer did not make, then it is not said what the nonce funded', async () => {
    const { id, ...create } = await aCompletedCreate(11)
    await fold()
    await api.sql`
      update intents set idempotency_key = gen_random_uuid(),
        payment_signature = service.mark_of_signature(${foreignSignature}) where id = ${id}`
    api.chain.verifyTypedData = async () => false
    expect(await create.roundTwo()).toMatchObject({ status: 402, body: { service: { detail: 'signature_invalid' } } })
  })

  it('given the payment in its header, then its payer reads it, and another payment of the payer reads nothing', async () => {
    const payer = anActor()
    const [{ id, header }, other] = [
      await aCompletedCreate(11, aCreate(payer)),
      await aCompletedCreate(11, aCreate(payer)),
    ]
    const read = async (value: string) =>
      (await api.get(`/api/intents?intentId=${id}`, { 'PAYMENT-SIGNATURE': value })).status
    const before = [await read(header()), await read(other.header())]
    expect(before).toEqual([200, 404])
    expect(await fold()).toBe(2)
    expect([await read(header()), await read(other.header())]).toEqual(before)
  })
})

describe('what is folded', () => {
  it.each<[string, () => Promise<{ id: string }>]>([
    ['completed nine days ago', () => aCompletedCreate(9)],
    ['watched for a reorg', () => aCompletedCreate(11, { ...aCreate(), watched: true })],
    ['failed', () => changed({ status: 'failed' })],
    ['with a refund', () => changed({ refundStatus: 'refunded' })],
  ])('is no write that is %s', async (_, make) => {
    const { id } = await make()
    await fold()
    expect(await isFolded(id)).toBe(false)
    expect(await listAttempts(api.sql, [id])).toHaveLength(1)
  })

  async function changed(columns: Record<string, string>) {
    const write = await aCompletedCreate(11)
    await api.sql`update intents set ${api.sql(columns)} where id = ${write.id}`
    await api.sql`update intents set status_at = now() - interval '11 days' where id = ${write.id}`
    return write
  }

  it('are all transactions of a write up to the nonce that was mined, but for the first and the last of a relayer', async () => {
    await anAttempt(await aStranger(), { nonce: 1n })
    const { id } = await aCompletedCreate(11)
    for (const nonce of [49n, 50n, 51n]) await anAttempt(id, { nonce })
    const last = await aCompletedCreate(11, { ...aCreate(), nonce: 99n })
    expect(await fold()).toBe(2)
    expect(await listAttempts(api.sql, [id])).toEqual([])
    expect((await listAttempts(api.sql, [last.id])).map(({ nonce }) => nonce)).toEqual([99n])
  })

  it('given a nonce that no final write is known to have used, then its transaction stays', async () => {
    await anAttempt(await aStranger(), { nonce: 1n })
    const { id } = await aCompletedCreate(11)
    await anAttempt(id, { nonce: 51n })
    await fold()
    expect((await listAttempts(api.sql, [id])).map(({ nonce }) => nonce)).toEqual([51n])
  })

  async function aStranger(): Promise<string> {
    return (await aCompletedCreate(0, { ...aCreate(), nonce: 0n })).id
  }
})

describe('the first fold', () => {
  const version = async () => {
    const [row] = await api.sql`select max(oldest_version)::int as version from service.migrations`
    return row?.version
  }

  it('is a month after the migration that it needs, and ends processes of the release before', async () => {
    const before = await version()
    expect(await openFolding(api.sql)).toBe(false)
    expect(await version()).toBe(before)
    await api.sql`update service.migrations set applied_at = now() - interval '30 days' where name = '0056.sql'`
    expect(await openFolding(api.sql)).toBe(true)
    expect(await version()).toBe(4)
    expect(await openFolding(api.sql)).toBe(true)
  })
})
