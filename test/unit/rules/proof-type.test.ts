import fc from 'fast-check'
import { keccak256, toBytes } from 'viem'
import { expect, test } from 'vitest'
import { proofTypes, toProofType, toProofTypeHash } from '../../../protocol/rules/proof-type.ts'

test('given keccak256 of a type’s name, in any case, then it is read back', () => {
  for (const type of proofTypes) {
    expect(toProofTypeHash(type)).toBe(keccak256(toBytes(type)))
    expect(toProofType(toProofTypeHash(type))).toBe(type)
    expect(toProofType(`0x${toProofTypeHash(type).slice(2).toUpperCase()}`)).toBe(type)
  }
})

test('given any other hash, then it is unknown, without an error: a worker chose it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      expect(toProofType(`0x${Buffer.from(bytes).toString('hex')}`)).toBe('unknown')
    }),
  )
})
