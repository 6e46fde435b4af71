import { type Address, getAbiItem, type Hex, toFunctionSelector } from 'viem'
import { expect, it } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { isCallOfIntent } from '../../../api/relayer/confirmations/call-of-intent.ts'

const anAddress = (byte: string): Address => `0x${byte.repeat(20)}`
const aWord = (byte: string): Hex => `0x${byte.repeat(32)}`
const [forwarder, stranger, payer] = [anAddress('b2'), anAddress('ee'), anAddress('1a')]
const [hash, nonce, otherNonce] = [aWord('aa'), aWord('0e'), aWord('0f')]
const calldata: Hex = '0x12345678'
const intent = {
  id: 'a',
  kind: 'create',
  chainIntentId: aWord('11'),
  initiator: payer,
  calldata,
  relay: { mode: 'bound', payment: { from: payer, nonce } },
} as unknown as BoundIntent
// Under whatever number a relayer gave it.
const relayed = { intentId: otherNonce, actor: payer, selector: calldata, paymentNonce: nonce, transactionHash: hash }

const dataOf = (name: 'relayPaid' | 'relayPrepaid') =>
  `${toFunctionSelector(getAbiItem({ abi: paymentForwarderAbi, name }))}00` as Hex

function decide(transaction: { to: Address; data: Hex } | null, options: { nonce?: Hex; signed?: Hex[] } = {}) {
  const deps = { chain: { getTransaction: async () => transaction }, deployment: { forwarder } }
  const facts = { ...relayed, paymentNonce: options.nonce ?? nonce }
  return isCallOfIntent(deps as never, intent, { relayed: facts as never, signed: options.signed ?? [] })
}

it.each<[string, Address, Hex, boolean]>([
  ['a bound payment to the forwarder', forwarder, calldata, true],
  ['a contract that calls the forwarder', stranger, dataOf('relayPaid'), true],
  ['a plain payment to the forwarder', forwarder, dataOf('relayPaid'), false],
  ['a plain payment that had arrived', forwarder, dataOf('relayPrepaid'), false],
])('given a bound payment was spent by %s, then that decides whose call it was', async (_, to, data, isOwn) => {
  expect(await decide({ to, data })).toBe(isOwn)
})

it('given another payment was spent, then it is no call of this intent', async () => {
  expect(await decide({ to: forwarder, data: calldata }, { nonce: otherNonce })).toBe(false)
})

it('given a transaction that this service signed, then the node is not asked; any other must be shown', async () => {
  expect(await decide(null, { signed: [hash] })).toBe(true)
  await expect(decide(null)).rejects.toThrow(ChainUnavailable)
})
