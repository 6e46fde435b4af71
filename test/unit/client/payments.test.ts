import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createChallenge, paymentRequirement } from '../../../api/payments/challenge.ts'
import { decodePayment } from '../../../api/payments/decode.ts'
import { writeNames } from '../../../client/src/api/write-names.ts'
import { signPayment } from '../../../client/src/payments/authorization.ts'
import { readChallenge } from '../../../client/src/payments/challenge.ts'
import { writes } from '../../../client/src/writes/write-table.ts'
import document from '../../../docs/openapi.json' with { type: 'json' }

const address = (digits: string) => `0x${digits.repeat(20)}` as const
const deployment = {
  chainId: 8453,
  name: 'base',
  market: address('a1'),
  forwarder: address('b2'),
  usdc: address('c3'),
  usdcDomain: { name: 'USD Coin', version: '2' },
  multicall3: address('d4'),
  identityRegistry: address('e5'),
  identityRegistrar: address('f6'),
  reputationRegistry: address('17'),
  local: true,
}
const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const requirement = paymentRequirement(deployment, 1000n)

const headerOf = (changes: object = {}) =>
  createChallenge({ ...requirement, ...changes }, { error: 'Pay.', url: 'http://x/api/tasks', description: 'x' }).header

describe('The payments of the client', () => {
  test('given a challenge of the service, then it is read, and the payment is what the service decodes', async () => {
    const read = readChallenge(headerOf(), deployment)
    if (!read.ok) throw new Error(read.problem)
    expect(read.challenge.amount).toBe(1000n)
    const authorization = {
      to: deployment.forwarder,
      value: 1000n,
      validBefore: 2_000_000_000,
      nonce: `0x${'07'.repeat(32)}` as const,
    }
    const { payment } = decodePayment(
      await signPayment(account, deployment, { challenge: read.challenge, authorization }),
    )
    expect(payment).toMatchObject({
      to: deployment.forwarder,
      authorization: { from: account.address.toLowerCase(), value: 1000n, validBefore: 2_000_000_000n },
      accepted: requirement,
    })
  })

  test.each([
    ['payTo', { payTo: address('66') }],
    ['asset', { asset: address('66') }],
    ['network', { network: 'eip155:1' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '1e9' }],
    ['scheme', { scheme: 'upto' }],
  ])('given a challenge with another %s, then it is refused', (_, changes) => {
    expect(readChallenge(headerOf(changes), deployment).ok).toBe(false)
  })

  test('given no challenge, or one that is none, then it is refused', () => {
    for (const header of [
      null,
      '',
      'no base64 !',
      btoa('{}'),
      btoa('null'),
      btoa('{"x402Version":2}'),
      btoa('{"x402Version":2,"accepts":[null]}'),
    ]) {
      expect(readChallenge(header, deployment).ok, String(header)).toBe(false)
    }
  })
})

describe('The table of writes', () => {
  test('given the document, then the table has every operation with an idempotency key, at its path', () => {
    const isWrite = (operation: { parameters?: unknown[] }) =>
      JSON.stringify(operation.parameters ?? []).includes('IdempotencyKey')
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods as Record<string, { operationId: string; parameters?: unknown[] }>)
        .filter(isWrite)
        .map(({ operationId }) => [operationId, path]),
    )
    expect(writeNames.map((name) => [name, writes[name].path]).sort()).toEqual(found.sort())
  })
})
