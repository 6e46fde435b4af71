import { type Address, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import type { Chain } from '../../../api/chain/chain.ts'
import { acceptPresentedAgain } from '../../../api/writes/stages/accept-presented-again.ts'
import { anActor } from '../../support/actors.ts'
import { bindIntent, getIntent } from '../../support/bound-intent.ts'
import { toLog } from '../../support/contract-log.ts'
import { aPayment, transferLogs } from '../relayer/payments.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'
import { aStartedApi } from './started-api.ts'

const api = aStartedApi({ WRITE_ANSWER_MS: '150' })

/** The reward of a paid create. */
const VALUE = 1_000_000n
const stranger: Address = `0x${'ee'.repeat(20)}`

/** What the chain shows of the use of an authorization. */
interface Use {
  isSpent?: boolean
  isRefunded?: boolean
  isCancelled?: boolean
  /** It happens while the call is simulated, which reverts for it. */
  isLate?: boolean
  /** It paid the forwarder, or another account. */
  paid?: { to?: Address }
}

/** Lets the chain show this use of whatever authorization is asked about, and agree to everything else. */
function show({ isSpent = false, isRefunded, isCancelled, isLate = false, paid }: Use): void {
  agreeToEverything(api)
  const { forwarder, usdc } = api.deps.deployment
  const { readContract } = api.chain
  let logs: ReturnType<typeof toLog>[] = []
  let isUsed = !isLate
  const shown: Partial<Chain> = {
    readContract: async (call) => {
      if (call.functionName === 'authorizationState') return isUsed as never
      return call.functionName === 'spent' ? (isSpent as never) : await readContract(call)
    },
    simulate: async () => {
      isUsed = true
      return { outcome: 'reverted', revert: { errorName: 'Error', message: 'it is used', data: null } }
    },
    getLogs: async ({ event: { name }, args }) => {
      const [from, nonce] = [Object.values(args)[0] as Address, args.nonce]
      if (name === 'AuthorizationUsed' && paid !== undefined) {
        logs = transferLogs(api, { from, nonce, to: paid.to ?? forwarder, value: VALUE })
        return logs.slice(0, 1)
      }
      if (name === 'AuthorizationCanceled' && isCancelled) {
        return [toLog({ abi: usdcAbi, address: usdc, name, args: { authorizer: from, nonce } }, 3)]
      }
      const refund = { payer: from, nonce, amount: 1n }
      return name === 'PrepaidRefunded' && isRefunded
        ? [toLog({ abi: paymentForwarderAbi, address: forwarder, name, args: refund })]
        : []
    },
    getTransactionReceipt: async (hash) => ({
      hash,
      blockNumber: 9n,
      blockHash: zeroHash,
      succeeded: true,
      gasWei: 1n,
      logs,
    }),
  }
  Object.assign(api.chain, shown)
}

async function orphansOf(payer: Address) {
  return await api.sql`select refund_status, facts, bound_at_block from intents where initiator = ${payer} and status = 'failed'`
}

const signAnother = { status: 402, body: { service: { reason: 'payment_rejected', detail: 'authorization_used' } } }
const spent = (text: string) => ({
  status: 409,
  body: { error: expect.stringContaining(text), service: { reason: 'payment_already_spent' } },
})

it.each<[string, Use, object, boolean]>([
  ['arrived', { paid: {} }, spent('its money goes back to the payer'), true],
  ['arrived while its call was simulated', { paid: {}, isLate: true }, spent('its money goes back to the payer'), true],
  ['went back', { isSpent: true, isRefunded: true }, spent('its money goes back to the payer'), true],
  ['was spent by a write of which nothing is recorded', { isSpent: true }, spent('has no record of'), false],
  ['paid another account', { paid: { to: stranger } }, signAnother, false],
  ['was cancelled', { isCancelled: true }, signAnother, false],
  ['was used, and the node does not show how', {}, signAnother, false],
])(
  'given the authorization of a new write %s, then the answer says so, and money that arrived is owed',
  async (_, use, answer, isOwed) => {
    const payer = anActor()
    const create = aPaidCreate(api, {}, payer)
    show(use)
    const first = await create.roundTwo()
    expect(first).toMatchObject(answer)
    // The chain is shorter than what is searched for its use.
    const orphan = { refundStatus: 'pending', facts: { stray: 'true' }, boundAtBlock: 0n }
    expect(await orphansOf(payer.address)).toEqual(isOwed ? [orphan] : [])
    // The key stays the caller's, for another payment.
    if (first.status === 409) expect(first.body.service.idempotencyKey).toBe(create.key)
  },
)

it('given an orphaned payment is presented again, then it is owed once, until an operator has to decide', async () => {
  const payer = anActor()
  const create = aPaidCreate(api, {}, payer)
  show({ paid: {} })
  await create.roundTwo()
  expect(await create.roundTwo()).toMatchObject(spent('its money goes back to the payer'))
  await api.sql`update intents set refund_status = 'failed' where initiator = ${payer.address}`
  expect(await create.roundTwo()).toMatchObject(spent('left to the operator'))
  expect(await orphansOf(payer.address)).toHaveLength(1)
})

it('given the payer did not sign what is presented, then it is not said what the nonce funded', async () => {
  const payer = anActor()
  const create = aPaidCreate(api, {}, payer)
  agreeToEverything(api)
  expect(await create.roundTwo()).toMatchObject({ status: 409, body: { service: { reason: 'intent_in_flight' } } })
  await api.sql`update intents set idempotency_key = gen_random_uuid(), payment_signature = '0xcd' where initiator = ${payer.address}`
  api.chain.verifyTypedData = async () => false
  expect(await create.roundTwo()).toMatchObject({ status: 402, body: { service: { detail: 'signature_invalid' } } })
  agreeToEverything(api)
  expect(await create.roundTwo()).toMatchObject(spent('funds another write already'))
})

it('given a payment with a field that is too long, then 400 names the field; given none, then none', async () => {
  agreeToEverything(api)
  const create = aPaidCreate(api, {}, anActor(), `0x${'ab'.repeat(4_097)}`)
  expect(await create.roundTwo()).toMatchObject({
    status: 400,
    body: { service: { reason: 'payment_rejected' }, issues: [{ path: 'payload.signature' }] },
  })
  const headers = { 'X-Service-Idempotency-Key': create.key, 'PAYMENT-SIGNATURE': 'eA==' }
  expect((await api.post('/api/tasks', create.body, headers)).body).not.toHaveProperty('issues')
})

/** Signatures of a payment: its first one, and others. */
const [signature, newer, other] = ['0xab', '0xcd', '0xef'] as const
const again = { signature: newer }
const genuine = (refundStatus: string | null) => ({ isGenuine: true, refundStatus })
const pending = genuine('pending')
it.each<[string, Record<string, unknown>, Record<string, unknown>, boolean | null, object, string | null]>([
  ['under its first signature', {}, {}, null, pending, null],
  ['under a newer signature', {}, again, true, pending, newer],
  ['under a wrong signature', {}, again, false, { isGenuine: false, refundStatus: 'pending' }, null],
  ['under a newer signature, its refund left to an operator', { refundStatus: 'failed' }, again, true, pending, newer],
  [
    'under a newer signature, its refund on its way',
    { refundStatus: 'refunding' },
    again,
    true,
    genuine('refunding'),
    null,
  ],
  ['under a newer signature, which owes nothing', { refundStatus: null }, again, true, genuine(null), null],
  ['under the signature that its refund has by now', { refundSignature: newer }, again, true, pending, newer],
  ['under its first signature, which holds again', { refundSignature: other }, {}, true, pending, signature],
  ['under its first signature, which holds no more', { refundSignature: other }, {}, false, pending, other],
  ['with another value', {}, { ...again, value: 7n }, true, pending, null],
  ['with another validAfter', {}, { ...again, validAfter: 7n }, true, pending, null],
  ['with another validBefore', {}, { ...again, validBefore: 7n }, true, pending, null],
])(
  'given a payment that goes back is presented again %s, then that is kept where it serves the refund',
  async (_, columns, changes, holds, answer, kept) => {
    agreeToEverything(api)
    api.chain.verifyTypedData = async () => holds ?? expect.fail('nothing has to be asked')
    const payment = aPayment()
    const { id } = await bindIntent(api, { relay: { mode: 'paid', payment } })
    await api.sql`update intents set ${api.sql({ status: 'failed', refundStatus: 'pending', ...columns })} where id = ${id}`
    expect(await acceptPresentedAgain(api.deps, await getIntent(api, id), { ...payment, ...changes })).toEqual(answer)
    expect((await getIntent(api, id)).refundSignature).toBe(kept)
  },
)
