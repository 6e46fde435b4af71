import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { type Address, bytesToHex, concatHex, type Hex, hashTypedData, keccak256, numberToHex, pad, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import vectors from '../../../contracts/test/bound-vectors/vectors.json' with { type: 'json' }
import {
  boundNonceOf,
  boundOnlyText,
  callTailOf,
  paymentRequestText,
  requestHashOf,
  uploadText,
} from '../../../protocol/bound-call.ts'
import { authorizationTypes } from '../../../protocol/signed/transfer-authorization.ts'

const usdc: Address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const taskId: Hex = `0x${'ab'.repeat(32)}`
const place = { chainId: 8453, forwarder: '0x306395bf23e50afec5f3456c80102480a4e286b6' } as const

describe.each(vectors.vectors)('the vector of $path on chain $chainId', (vector) => {
  const forwarder = vector.forwarder as Address
  const { chainId, method, path, key } = vector
  const bodySha256 = createHash('sha256').update(vector.body).digest('hex')
  const text = paymentRequestText('service', { chainId, forwarder }, { method, path, key, bodySha256 })

  it('given the request, then text and salt are those of the vector', () => {
    expect(text).toBe(vector.requestText)
    expect(requestHashOf(text)).toBe(vector.salt)
  })

  it('given the call, then the nonce is that of the vector', () => {
    const call = { target: vector.target as Address, data: vector.data as Hex, escrowAmount: BigInt(vector.escrow) }
    expect(boundNonceOf(call, { chainId, forwarder, salt: requestHashOf(text) })).toBe(vector.nonce)
  })

  it('given the authorization, then its digest is that of the vector', () => {
    const { from, to, value, validAfter, validBefore, digest } = vector.receiveWithAuthorization
    const message = {
      from: from as Address,
      to: to as Address,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: vector.nonce as Hex,
    }
    const typedData = {
      ...authorizationTypes(
        { chainId, usdc, usdcDomain: { name: 'USD Coin', version: '2' } },
        'ReceiveWithAuthorization',
      ),
      message,
    }
    expect(hashTypedData(typedData)).toBe(digest)
  })
})

it('given any call, then its nonce is the hash of the words that the interface names', () => {
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((value): Hex => bytesToHex(value))
  const someBytes = fc.uint8Array({ maxLength: 100 }).map((value): Hex => bytesToHex(value))
  const typeHash = keccak256(
    toHex(
      'BoundCall(uint256 chainId,address forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32 salt)',
    ),
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 31 }),
      fc.tuple(bytes(20), bytes(20)),
      fc.tuple(someBytes, fc.bigInt(0n, 2n ** 256n - 1n), bytes(32)),
      (chainId, [forwarder, target], [data, escrowAmount, salt]) => {
        const words = [typeHash, numberToHex(chainId, { size: 32 }), pad(forwarder), pad(target), keccak256(data)]
        const expected = keccak256(concatHex([...words, numberToHex(escrowAmount, { size: 32 }), salt]))
        expect(boundNonceOf({ target, data, escrowAmount }, { chainId, forwarder, salt })).toBe(expected)
      },
    ),
  )
})

describe('the signed texts', () => {
  it('given the call of a submission, then its tail is that of the vector', () => {
    const [, dataHash] = /:call:8453:0x[0-9a-f]{40}:(0x[0-9a-f]{64})$/.exec(vectors.texts.submitBoundToCall) ?? []
    const data = vectors.vectors.find((vector) => keccak256(vector.data as Hex) === dataHash)?.data as Hex
    expect(`service:submit:${taskId}${callTailOf(data, place)}`).toBe(vectors.texts.submitBoundToCall)
  })

  it('given the switch of a wallet, then its text is that of the vector', () => {
    const wallet = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'
    const switched = { wallet, isOn: true, counter: 0n, validBefore: 1_800_000_000n } as const
    expect(`service:${boundOnlyText(place, switched)}`).toBe(vectors.texts.boundOnly)
    expect(boundOnlyText(place, { ...switched, isOn: false })).toMatch(/^bound-only:off:8453:/)
  })

  it('given an upload, then its text is that of the vector', () => {
    const worker = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
    expect(uploadText('service', place, { taskId, worker })).toBe(vectors.texts.upload)
  })
})
