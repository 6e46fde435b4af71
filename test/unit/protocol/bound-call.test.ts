import fc from 'fast-check'
import { bytesToHex, concatHex, type Hex, keccak256, numberToHex, pad } from 'viem'
import { expect, it } from 'vitest'
import { boundNonceOf } from '../../../protocol/bound-call.ts'
import vectors from '../../../protocol/vectors/vectors.json' with { type: 'json' }

it('given any call, then its nonce is the hash of the words that the interface names', () => {
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((value): Hex => bytesToHex(value))
  const someBytes = fc.uint8Array({ maxLength: 100 }).map((value): Hex => bytesToHex(value))
  const typeHash = vectors.boundCallType.hash as Hex
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
