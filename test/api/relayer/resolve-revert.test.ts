import { type Address, encodeFunctionData, type Hex, zeroAddress, zeroHash } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import { ChainUnavailable, type MinedTransaction } from '../../../api/chain/chain.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { paymentOf, transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { resolveRevert, resolveUncovered } from '../../../api/relayer/confirmations/resolve-revert.ts'
import { isBound, type Relay } from '../../../protocol/relay.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { toLog } from '../../support/contract-log.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aPayment, bindTransfer, insertRelay, relayLog, transferLogs } from './payments.ts'
import { aScriptedNode, type NodeState, reverting } from './scripted-node.ts'

const VALUE = 50n
/** Logs of a deep reorg are searched, and those before it are not: they are in block 9. */
const BOUND_AT = 70n
const REVERT = 'it reverts: Refused'
const [forwarder, stranger]: [Address, Address] = [`0x${'b2'.repeat(20)}`, `0x${'ee'.repeat(20)}`]
const used: Hex = `0x${'77'.repeat(32)}`
const mined: MinedTransaction = {
  hash: `0x${'78'.repeat(32)}`,
  blockNumber: 95n,
  blockHash: zeroHash,
  succeeded: false,
  gasWei: 1n,
  logs: [],
}

const api = aStartedApi()
let payer: Address
let payment: ReturnType<typeof aPayment>
beforeEach(async () => {
  await api.sql`delete from intents`
  payment = aPayment({ value: VALUE })
  payer = payment.from
})

/** A bound call in a relay mode; `transfer`: a transfer of USDC that its owner has signed. */
function anIntent(mode: Relay['mode'] | 'transfer'): Promise<BoundIntent> {
  if (mode === 'transfer') return bindTransfer(api, payment, { to: stranger, boundAtBlock: BOUND_AT })
  const relays: Record<Relay['mode'], Relay> = {
    open: { mode: 'open' },
    signed: { mode: 'signed', actor: payer, signature: '0xab', suffix: '' },
    paid: { mode: 'paid', payment },
    prepaid: { mode: 'prepaid', payment },
    bound: { mode: 'bound', payment: { ...payment, salt: zeroHash } },
  }
  const isOpen = mode === 'open'
  return bindIntent(api, { relay: relays[mode], initiator: isOpen ? null : payer, boundAtBlock: BOUND_AT })
}

/** The node shows that the authorization was used to pay this, or nothing. */
function paid(transfer: { to: Address } | null): Partial<NodeState> {
  const [use, next] = transferLogs(api, { ...payment, to: forwarder, ...transfer }, used)
  return {
    views: { authorizationState: true, prepaidLeft: VALUE },
    logs: { AuthorizationUsed: [use] },
    receipts: { [used]: { logs: transfer === null ? [use] : [use, next] } },
  }
}

const uses = {
  unused: () => ({}),
  arrived: () => paid({ to: forwarder }),
  elsewhere: () => paid({ to: stranger }),
  unproven: () => paid(null),
  spent: () => ({ views: { authorizationState: true, spent: true } }),
  refunded: () => ({
    views: { authorizationState: true, spent: true },
    logs: {
      PrepaidRefunded: [
        toLog({
          abi: paymentForwarderAbi,
          address: forwarder,
          name: 'PrepaidRefunded',
          args: { payer, nonce: payment.nonce, amount: VALUE },
        }),
      ],
    },
  }),
  cancelled: () => ({
    views: { authorizationState: true },
    logs: {
      AuthorizationCanceled: [
        toLog({
          abi: usdcAbi,
          address: api.deps.deployment.usdc,
          name: 'AuthorizationCanceled',
          args: { authorizer: payer, nonce: payment.nonce },
        }),
      ],
    },
  }),
  unseen: () => ({ views: { authorizationState: true } }),
} satisfies Record<string, () => Partial<NodeState>>

/** The forwarder shows that it relayed this intent, by a transaction with these bytes. */
function relayed(intent: BoundIntent, data: Hex): Partial<NodeState> {
  const spent = paymentOf(intent)
  const call = {
    // A bound payment names its call, under whatever number.
    intentId: spent !== null && isBound(spent) ? aHash() : intent.chainIntentId,
    actor: intent.initiator ?? zeroAddress,
    paymentNonce: spent?.nonce ?? zeroHash,
  }
  return {
    views: { relayed: true, authorizationState: true, spent: true },
    logs: { IntentRelayed: [relayLog(api, call, used)] },
    transactions: { [used]: { to: forwarder, data } },
  }
}

type Use = keyof typeof uses
type Ended = [mode: Relay['mode'] | 'transfer', use: Use, shown: Partial<NodeState>, isMined: boolean, expected: object]

const isReverting: Partial<NodeState> = { simulate: () => reverting() }
const fail = (reason: string, refund = false) => ({ next: 'fail', reason, refund })
const failByRevert = (reason = REVERT, refund = false) => ({ ...fail(reason, refund), isRevert: true })
const expired = fail('the authorization expired before the write could act')
const cancelled = fail('the payer cancelled the authorization')
const spent = {
  next: 'hold',
  finding: 'the forwarder spent this authorization on another call, where the indexer does not show yet',
}
const elsewhere = `transaction ${used} used the authorization to pay another account`
const made = { next: 'complete', hash: used, blockNumber: 9n }
const otherwise = fail('the payer used the nonce of this payment for another authorization')

describe('the revert of a call', () => {
  it.each<Ended>([
    ['open', 'unused', {}, false, { next: 'relay', mode: 'open' }],
    ['open', 'unused', {}, true, failByRevert('the call reverted on chain')],
    ['signed', 'unused', isReverting, true, failByRevert()],
    ['paid', 'unused', {}, false, { next: 'relay', mode: 'paid' }],
    ['paid', 'unused', {}, true, failByRevert('the call reverted on chain')],
    ['paid', 'unused', isReverting, false, failByRevert()],
    ['paid', 'unused', { timestamp: START + 99n }, false, { next: 'relay', mode: 'paid' }],
    ['paid', 'unused', { timestamp: START + 100n }, false, expired],
    ['paid', 'arrived', { timestamp: START + 100n }, true, { next: 'relay', mode: 'prepaid' }],
    ['paid', 'arrived', isReverting, false, { next: 'relay', mode: 'prepaid' }],
    ['paid', 'refunded', isReverting, false, fail(REVERT, true)],
    ['paid', 'spent', isReverting, false, spent],
    ['paid', 'cancelled', isReverting, false, cancelled],
    ['paid', 'elsewhere', { ...isReverting, safe: 9n }, false, fail(elsewhere)],
    ['paid', 'elsewhere', { ...isReverting, safe: 8n }, false, { next: 'hold', finding: elsewhere, untilBlock: 9n }],
    [
      'paid',
      'unproven',
      isReverting,
      false,
      { next: 'hold', finding: `transaction ${used} used the authorization, and not to pay 50 here` },
    ],
    ['prepaid', 'unused', isReverting, false, { next: 'relay', mode: 'paid' }],
    ['prepaid', 'arrived', isReverting, false, failByRevert(REVERT, true)],
    ['prepaid', 'arrived', {}, false, { next: 'relay', mode: 'prepaid' }],
    ['prepaid', 'refunded', isReverting, false, fail(REVERT, true)],
    ['bound', 'unused', isReverting, false, failByRevert()],
    ['bound', 'unused', {}, true, failByRevert('the call reverted on chain')],
    ['bound', 'unused', { timestamp: START + 100n }, false, expired],
    ['bound', 'cancelled', isReverting, false, cancelled],
    ['bound', 'arrived', isReverting, false, otherwise],
    ['bound', 'elsewhere', isReverting, false, otherwise],
    ['transfer', 'unused', {}, false, { next: 'relay', mode: null }],
    ['transfer', 'unused', {}, true, failByRevert('the call reverted on chain')],
    ['transfer', 'unused', isReverting, false, failByRevert()],
    ['transfer', 'unused', { timestamp: START + 100n }, false, expired],
    ['transfer', 'elsewhere', {}, true, made],
    ['transfer', 'arrived', {}, false, fail('the authorization was used for another transfer')],
    ['transfer', 'cancelled', {}, false, fail('the owner cancelled the authorization')],
  ])(
    'given a %s call whose payment is %s (%o, mined: %s), then it follows from the chain',
    async (mode, use, shown, isMined, expected) => {
      const intent = await anIntent(mode)
      const { deps } = aScriptedNode(api, { ...uses[use](), ...shown })
      expect(await resolveRevert(deps, intent, isMined ? mined : null)).toEqual(expected)
    },
  )

  it.each<[Relay['mode'] | 'transfer', Use]>([
    ['paid', 'unseen'],
    ['prepaid', 'unseen'],
    ['bound', 'unseen'],
    ['transfer', 'unseen'],
    // The forwarder has spent it, and shows neither the relay nor a refund.
    ['bound', 'spent'],
  ])(
    'given the node does not show where the payment of a %s call went (%s), then nothing is concluded',
    async (mode, use) => {
      const intent = await anIntent(mode)
      const { deps } = aScriptedNode(api, { ...isReverting, ...uses[use]() })
      await expect(resolveRevert(deps, intent, null)).rejects.toThrow(ChainUnavailable)
      await expect(resolveUncovered(deps, intent)).rejects.toThrow(ChainUnavailable)
    },
  )

  it('given a payment that arrived is above the day’s limit, then it goes back', async () => {
    const intent = await anIntent('paid')
    const shown = uses.arrived()
    const { deps } = aScriptedNode(api, {
      ...shown,
      ...isReverting,
      views: { ...shown.views, prepaidLeft: VALUE - 1n },
    })
    expect(await resolveRevert(deps, intent, null)).toEqual({
      next: 'fail',
      reason:
        'another account submitted the payment, and 50 base units are above the 49 of prepaid money that may act today',
      refund: true,
    })
  })

  it('given a payment that arrived, and a deployment without a day’s limit, then its call acts', async () => {
    const intent = await anIntent('paid')
    const shown = uses.arrived()
    const { deps } = aScriptedNode(api, { ...shown, ...isReverting, views: { ...shown.views, prepaidLeft: 0n } })
    const { bound: _, ...deployment } = deps.deployment
    expect(await resolveRevert({ ...deps, deployment }, intent, null)).toEqual({ next: 'relay', mode: 'prepaid' })
  })

  it('given the indexer shows where a payment was spent, then an operator reads it', async () => {
    const intent = await anIntent('paid')
    const transactionHash = aHash()
    const call = { intentId: aHash(), actor: payer, paymentNonce: payment.nonce, amount: VALUE }
    await insertRelay(api, call, transactionHash)
    const { deps } = aScriptedNode(api, { ...uses.spent(), ...isReverting })
    const finding = `the forwarder spent this authorization on another call, in transaction ${transactionHash}`
    expect(await resolveRevert(deps, intent, null)).toEqual({ next: 'hold', finding })
  })

  it.each(['open', 'paid', 'prepaid', 'bound'] as const)(
    'given the forwarder relayed a %s call, then it is complete, unless its bytes are another’s',
    async (mode) => {
      const intent = await anIntent(mode)
      const { data } = transactionOfIntent(intent as never, api.deps.deployment)
      for (const resolve of [resolveRevert, resolveUncovered]) {
        const own = aScriptedNode(api, { ...relayed(intent, data), ...isReverting })
        expect(await resolve(own.deps, intent, null)).toEqual(made)
        const plain = encodeFunctionData({
          abi: paymentForwarderAbi,
          functionName: 'relayPaid',
          args: [aHash(), payment, '0xab', 0n, stranger, '0x12345678'],
        })
        const other = aScriptedNode(api, { ...relayed(intent, plain), ...isReverting })
        const { next } = await resolve(other.deps, intent, null)
        expect(next).toBe(mode === 'open' ? 'fail' : 'hold')
        const hidden = aScriptedNode(api, { ...relayed(intent, data), logs: {} })
        await expect(resolve(hidden.deps, intent, null)).rejects.toThrow(ChainUnavailable)
      }
    },
  )

  it('given the forwarder spent a bound payment, and the node shows other relays of its payer alone, then nothing is concluded', async () => {
    const intent = await anIntent('bound')
    const other = { mode: 'bound', payment: { ...payment, nonce: aHash(), salt: zeroHash } }
    const { deps } = aScriptedNode(api, { ...relayed({ ...intent, relay: other } as never, '0x'), ...isReverting })
    await expect(resolveRevert(deps, intent, null)).rejects.toThrow(ChainUnavailable)
  })

  it.each([
    ['its bind', BOUND_AT - 1n, null],
    ['its transaction', 94n, mined],
  ])('given the node is behind %s, then nothing is concluded', async (_, number, transaction) => {
    const { deps } = aScriptedNode(api, { number })
    await expect(resolveRevert(deps, await anIntent('open'), transaction)).rejects.toThrow(ChainUnavailable)
    const { deps: later } = aScriptedNode(api, { number: number + 1n })
    expect(await resolveRevert(later, await anIntent('open'), transaction)).toMatchObject({
      next: transaction ? 'fail' : 'relay',
    })
  })

  it.each<[string, { status: string; blockNumber?: bigint }, Use, Partial<NodeState>, boolean, string]>([
    ['is to be mined again, and the call reverts', { status: 'broadcast' }, 'unused', isReverting, true, 'wait'],
    ['is to be mined again, and the payer cancelled', { status: 'broadcast' }, 'cancelled', isReverting, true, 'fail'],
    ['is to be mined again, and the call can act', { status: 'broadcast' }, 'unused', {}, false, 'relay'],
    [
      'was mined again with it, and the call can act',
      { status: 'completed', blockNumber: 95n },
      'unused',
      {},
      true,
      'relay',
    ],
    [
      'was mined again before it, and the call reverted',
      { status: 'completed', blockNumber: 94n },
      'unused',
      {},
      true,
      'fail',
    ],
  ])(
    'given an earlier write that a reorg undid %s, then the revert counts as late as it must',
    async (_, earlier, use, shown, isMined, next) => {
      const { id } = await anIntent('open')
      await api.sql`update intents set ${api.sql({ undoneBlock: 3n, watched: true, ...earlier })} where id = ${id}`
      const { deps } = aScriptedNode(api, { ...uses[use](), ...shown })
      const resolution = await resolveRevert(deps, await anIntent('paid'), isMined ? mined : null)
      expect(resolution.next).toBe(next)
    },
  )

  it('given an earlier write was mined again in a lower block than the transaction, when the node is between both, then nothing is concluded', async () => {
    const { id } = await anIntent('open')
    const again = { undoneBlock: 3n, watched: true, status: 'completed', blockNumber: 90n }
    await api.sql`update intents set ${api.sql(again)} where id = ${id}`
    const { deps } = aScriptedNode(api, { number: 94n })
    await expect(resolveRevert(deps, await anIntent('paid'), mined)).rejects.toThrow(ChainUnavailable)
  })
})

const USED_UP = 'the gas that this service spends on code of other accounts was used up: send it directly'

it.each<Ended>([
  ['open', 'unused', {}, false, fail(USED_UP)],
  ['paid', 'unused', {}, false, fail(USED_UP)],
  ['prepaid', 'arrived', {}, false, fail(USED_UP, true)],
  ['bound', 'unused', {}, false, fail(USED_UP)],
  ['bound', 'cancelled', {}, false, cancelled],
  ['transfer', 'unused', {}, false, fail(USED_UP)],
  ['transfer', 'elsewhere', {}, false, made],
])(
  'given no gas is left for a %s call whose payment is %s, then it ends and owes what arrived',
  async (mode, use, shown, _, expected) => {
    const intent = await anIntent(mode)
    const { deps, ran } = aScriptedNode(api, { ...uses[use](), ...shown })
    expect(await resolveUncovered(deps, intent)).toEqual(expected)
    expect(ran).toEqual([])
  },
)
