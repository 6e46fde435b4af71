import fc from 'fast-check'
import { decodeAbiParameters, keccak256, size } from 'viem'
import { expect, test } from 'vitest'
import { commitToText } from '../../../../protocol/documents/text-commitment.ts'
import { alice, bob, taskId } from '../../../support/task-snapshots.ts'

const layout = [{ type: 'bytes32' }, { type: 'address' }, { type: 'string' }] as const
const commit = (text: string) => commitToText({ taskId, worker: alice, text })

test('given any text, then its preimage has it, in lower-case hex, and the hash is that of the bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const { preimage, hash } = commit(text)
      const [task, worker, decoded] = decodeAbiParameters(layout, preimage)
      expect([task, worker.toLowerCase(), decoded]).toEqual([taskId, alice, text])
      expect(preimage).toBe(preimage.toLowerCase())
      expect(size(preimage)).toBe(128 + Math.ceil(Buffer.byteLength(text) / 32) * 32)
      expect(hash).toBe(keccak256(preimage))
    }),
  )
})

test('given another task, worker or text, then the hash is another', () => {
  const hashes = [
    commit('a'),
    commit('b'),
    commitToText({ taskId, worker: bob, text: 'a' }),
    commitToText({ taskId: `0x${'99'.repeat(32)}`, worker: alice, text: 'a' }),
  ].map(({ hash }) => hash)
  expect(new Set(hashes).size).toBe(4)
})
