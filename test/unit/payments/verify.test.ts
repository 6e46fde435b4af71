import { encodePaymentSignatureHeader } from '@x402/core/http'
import { type Address, type Hex, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Chain } from '../../../api/chain/chain.ts'
import type { Deployment } from '../../../api/chain/deployment.ts'
import { NOT_DEPLOYED } from '../../../api/chain/take-signature.ts'
import { findAuthorizationUse } from '../../../api/payments/authorization-use.ts'
import { bazaarExtension } from '../../../api/payments/bazaar-extension.ts'
import { readSwitchCounter } from '../../../api/payments/bound-only-switch.ts'
import { boundCallExtension, paymentRequirement } from '../../../api/payments/challenge.ts'
import { decodePayment } from '../../../api/payments/decode.ts'
import { findPrepaidLeft } from '../../../api/payments/prepaid-limit.ts'
import { isSpentInForwarder } from '../../../api/payments/spent.ts'
import { isAuthorizationUsed, verifyPayment } from '../../../api/payments/verify.ts'
import { aFakeChain } from '../../support/fake-chain.ts'

const [usdc, forwarder, payer, stranger] = ['a1', 'b2', 'c3', 'd4'].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
  Address,
]
const usdcDomain = { name: 'USD Coin', version: '2' }
const deployment = { chainId: 8453, usdc, usdcDomain, forwarder } as Deployment
const requirement = paymentRequirement(deployment, 5000n)
const clocks = { head: 1000n, current: 1000n }
const authorization = {
  from: payer,
  value: 5000n,
  validAfter: 0n,
  validBefore: 1300n,
  nonce: zeroHash,
  signature: `0x${'11'.repeat(64)}1b` as Hex,
}
const bound = { ...authorization, salt: zeroHash }
const ended = { ...authorization, validBefore: 900n }

/** A node at which everything is right, but for what is changed. */
function aChain(changes: Partial<Record<keyof Chain, () => Promise<unknown>>> = {}): Chain {
  const right = {
    hasCode: async () => false,
    usdcBalance: async () => 5000n,
    verifyTypedData: async () => true,
    readContract: async () => false,
  }
  return { ...aFakeChain(1n), ...right, ...changes } as Chain
}

/** Answers in turn. */
function answers(...list: unknown[]): () => Promise<unknown> {
  return async () => list.shift()
}

const yes = async () => true
const no = async () => false
const invalid = (message: string, detail: string) => ({
  verdict: 'invalid',
  problem: { message, detail },
})
const valid = { verdict: 'valid' }
const used = { verdict: 'used' }
const forged = invalid('The signature is not the payer’s over this authorization.', 'signature_invalid')
const tooLow = invalid('The payer holds 4999 USDC base units, 5000 are needed.', 'balance_too_low')
const toForwarder = invalid(`The authorization must pay to ${requirement.payTo}.`, 'payment_differs')
const noneBound = invalid(
  'This deployment takes no bound payments: sign a plain authorization, without `payload.bound`.',
  'no_bound_calls',
)

test.each<[string, object, Parameters<typeof aChain>[0], object]>([
  ['everything right', {}, {}, valid],
  ['an envelope around a wallet without code', { isWrapped: true }, {}, invalid(NOT_DEPLOYED, 'wallet_not_deployed')],
  ['an envelope around a wallet with code', { isWrapped: true }, { hasCode: yes }, valid],
  ['another receiver', { to: stranger }, {}, toForwarder],
  ['another receiver that has the money', { to: stranger }, { readContract: yes }, toForwarder],
  [
    'another amount',
    { authorization: { ...authorization, value: 4999n } },
    {},
    invalid('The authorization must be over exactly 5000.', 'payment_differs'),
  ],
  ['a bound payment that is not taken', { authorization: bound }, {}, noneBound],
  ['a signature of another', {}, { verifyTypedData: no }, forged],
  ['a used nonce', {}, { readContract: yes }, used],
  ['too little money', {}, { usdcBalance: async () => 4999n }, tooLow],
  [
    'money that it has moved just now',
    {},
    { usdcBalance: async () => 4999n, readContract: answers(false, true) },
    used,
  ],
  ['an end that is over, after it was used', { authorization: ended }, { readContract: yes }, used],
])('given a payment with %s, then the service says so', async (_, changes, chain, expected) => {
  const presented = { authorization, to: forwarder, accepted: requirement, isWrapped: false, ...changes }
  const ports = { chain: aChain(chain), deployment }
  expect(await verifyPayment(ports, presented, { requirement, clocks })).toEqual(expected)
})

test.each([{ readContract: no }, { readContract: yes, verifyTypedData: no }])(
  'given an end that is over and no proof of a use, then the window is the problem',
  async (changes) => {
    const presented = { authorization: ended, to: forwarder, accepted: requirement, isWrapped: false }
    const verified = await verifyPayment({ chain: aChain(changes), deployment }, presented, { requirement, clocks })
    expect(verified).toMatchObject({ verdict: 'invalid', problem: { field: 'validBefore' } })
  },
)

const reads = [
  ['authorizationState', isAuthorizationUsed],
  ['spent', isSpentInForwarder],
  ['prepaidLeft', findPrepaidLeft],
  [
    'boundOnlyCounter',
    (ports: Parameters<typeof readSwitchCounter>[0], { from }: { from: Address }, at?: { blockNumber: bigint }) =>
      readSwitchCounter(ports, { wallet: from }, at),
  ],
] as const

test.each(reads)('given a block, then %s is read there, and else at the head', async (functionName, read) => {
  const calls: Record<string, unknown>[] = []
  const chain = { ...aChain(), readContract: (async (call: never) => calls.push(call)) as Chain['readContract'] }
  const ports = { chain, deployment: { ...deployment, bound: true as const } }
  await read(ports, authorization)
  await read(ports, authorization, { blockNumber: 7n })
  expect(calls.map((call) => [call.functionName, 'blockNumber' in call, call.blockNumber])).toEqual([
    [functionName, false, undefined],
    [functionName, true, 7n],
  ])
})

describe('The use of an authorization', () => {
  const log = { transactionHash: zeroHash, blockHash: zeroHash, blockNumber: 9n, logIndex: 3 }
  const useOf = (chain: Parameters<typeof aChain>[0]) =>
    findAuthorizationUse({ chain: aChain(chain), deployment }, authorization, { fromBlock: 5n })

  test.each<[string, Parameters<typeof aChain>[0]]>([
    ['unused', { readContract: no }],
    ['spent_on_call', { readContract: yes, getLogs: async () => [] }],
    ['refunded', { readContract: yes, getLogs: async () => [log] }],
    ['unseen', { readContract: answers(true, false), getLogs: async () => [] }],
  ])('is %s', async (use, chain) => {
    expect(await useOf(chain)).toEqual({ use })
  })

  test.each([null, { succeeded: false, blockHash: zeroHash }, { succeeded: true, blockHash: `0x${'09'.repeat(32)}` }])(
    'given a log whose receipt is %o, then the node is not believed',
    async (receipt) => {
      const chain = {
        readContract: answers(true, false),
        getLogs: async () => [log],
        getTransactionReceipt: async () => receipt,
      }
      await expect(useOf(chain)).rejects.toThrow(`the node shows a log of ${zeroHash} and not its receipt`)
    },
  )
})

test('given an amount above 256 bits, then its field is named', () => {
  const { from, nonce } = authorization
  const plain = { from, to: forwarder, value: String(1n << 256n), validAfter: '0', validBefore: '9', nonce }
  const payload = { signature: authorization.signature, authorization: plain }
  const header = encodePaymentSignatureHeader({ x402Version: 2, accepted: requirement, payload })
  expect(decodePayment(header)).toEqual({
    payment: null,
    field: 'payload.authorization.value',
    message: 'payload.authorization.value of PAYMENT-SIGNATURE must be below 2^256.',
  })
})

test('given a deployment that takes bound payments, then the challenge announces them', () => {
  expect(boundCallExtension({})).toEqual({})
  const form = { primaryType: 'ReceiveWithAuthorization', salt: 'payload.bound.salt' }
  expect(boundCallExtension({ bound: true })).toEqual({ 'bound-call': form })
})

describe('The outline of a body in a challenge', () => {
  const outlineOf = (body: z.ZodType) => JSON.stringify(bazaarExtension({ path: '/api/x', body }))

  test('has names and types, and none of a field of several', () => {
    const body = z.object({ free: z.string().optional(), wanted: z.int(), either: z.union([z.string(), z.int()]) })
    expect(outlineOf(body)).toContain('"wanted":{"type":"integer"},"either":{},"free":{"type":"string"}')
  })

  test('has as many fields as there is room for', () => {
    const names = Array.from({ length: 40 }, (_, index) => `aFieldOfMany${index}`)
    const outline = outlineOf(z.object(Object.fromEntries(names.map((name) => [name, z.string().optional()]))))
    const field = ',"aFieldOfMany00":{"type":"string"}'
    expect(outline.length).toBeGreaterThan(800 - field.length)
    expect(outline.length).toBeLessThanOrEqual(800)
  })
})
