import fc from 'fast-check'
import { decodeAbiParameters, keccak256, size } from 'viem'
import { expect, test } from 'vitest'
import { commitToText } from '../../../../protocol/documents/text-commitment.ts'
import { alice, taskId } from '../../../support/task-snapshots.ts'

const layout = [{ type: 'bytes32' }, { type: 'address' }, { type: 'string' }] as const

test('given any text, then its preimage has it, in lower-case hex, and the hash is that of the bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const { preimage, hash } = commitToText({ taskId, worker: alice, text })
      const [task, worker, decoded] = decodeAbiParameters(layout, preimage)
      expect([task, worker.toLowerCase(), decoded]).toEqual([taskId, alice, text])
      expect(preimage).toBe(preimage.toLowerCase())
      expect(size(preimage)).toBe(128 + Math.ceil(Buffer.byteLength(text) / 32) * 32)
      expect(hash).toBe(keccak256(preimage))
    }),
  )
})
