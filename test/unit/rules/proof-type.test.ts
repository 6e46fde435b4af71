import fc from 'fast-check'
import { keccak256, toBytes } from 'viem'
import { expect, test } from 'vitest'
import { proofTypes, toProofType, toProofTypeHash } from '../../../src/rules/proof-type.ts'

test('each type is read back from keccak256 of its name, in any case', () => {
  for (const type of proofTypes) {
    expect(toProofTypeHash(type)).toBe(keccak256(toBytes(type)))
    expect(toProofType(toProofTypeHash(type))).toBe(type)
    expect(toProofType(`0x${toProofTypeHash(type).slice(2).toUpperCase()}`)).toBe(type)
  }
})

test('any other hash is unknown, and none throws: a worker chose it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      expect(toProofType(`0x${Buffer.from(bytes).toString('hex')}`)).toBe('unknown')
    }),
  )
})
