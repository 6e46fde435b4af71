import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { growClaimTree, type SettlementLeaf } from '../../../../api/domain/sponsored/claim-proofs.ts'

const leafTypes = ['bytes32', 'uint64', 'bytes32', 'bytes32', 'uint256', 'address', 'uint256']
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((one): Hex => `0x${Buffer.from(one).toString('hex')}`)
const aLeaf = fc.record({
  worker: hex(20) as fc.Arbitrary<Address>,
  amount: fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }),
  gap: fc.integer({ min: 1, max: 5 }),
})

test('given any settlement, then root and proofs are those of StandardMerkleTree', () => {
  const settlement = fc.record({
    vaultId: hex(32),
    taskId: hex(32),
    epoch: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    awards: fc.array(aLeaf, { minLength: 1, maxLength: 50 }),
  })
  fc.assert(
    fc.property(settlement, ({ awards, ...head }) => {
      let next = -1
      const leaves: SettlementLeaf[] = awards.map(({ gap, ...leaf }) => {
        next += gap
        return { index: next, ...leaf }
      })
      const { vaultId, epoch, taskId } = head
      const values = leaves.map(({ index, worker, amount }) => [
        vaultId,
        BigInt(epoch),
        taskId,
        taskId,
        BigInt(index),
        worker,
        amount,
      ])
      const [expected, tree] = [StandardMerkleTree.of(values, leafTypes), growClaimTree(head, leaves)]
      expect(tree.root).toBe(expected.root)
      for (const position of [0, Math.floor(leaves.length / 2), leaves.length - 1]) {
        expect(tree.proofOf(position)).toEqual(expected.getProof(position))
      }
    }),
    { numRuns: 25 },
  )
})
