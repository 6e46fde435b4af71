import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { type Address, type Hex, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { byDepth } from '../../support/depth.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { type ArithmeticHarness, openArithmeticHarness } from './arithmetic-harness.ts'
import { creditOf, earnedOf, feeOfReward } from './sponsored-rewards.ts'

/** The read side divides rewards and builds trees of claims again: both sides are given the same completions. */
const CASES = byDepth(200, 5_000)
/** Few enough for one call's gas. */
const BATCH = 100
const SEED = 8196
const LARGEST_CHARGE = 2n ** 128n - 1n
const LARGEST_REWARD = 2n ** 72n - 1n
const MOST_WINNERS = 50
const LEAF = ['bytes32', 'uint64', 'bytes32', 'bytes32', 'uint256', 'address', 'uint256']

interface SettlementCase {
  vaultId: Hex
  epoch: bigint
  taskId: Hex
  gross: bigint
  feeBps: bigint
  base: bigint
  requester: Address
  workers: Address[]
  amounts: bigint[]
}

interface Result {
  fee: bigint
  earned: bigint[]
  credited: bigint
  creditedFee: bigint
  root: Hex
}

let harness: ArithmeticHarness
let random: Random

beforeAll(async () => {
  harness = await openArithmeticHarness('SponsoredHarness')
  random = createRandom(SEED)
})

afterAll(async () => {
  await harness?.close()
})

test('given any awards, when a reward is settled, then both sides credit the same, and the root is that of the tree', async () => {
  const seen = { released: 0, selfAwards: 0, gaps: 0, fifty: 0 }
  for (let compared = 0; compared < CASES; compared += BATCH) {
    const cases = Array.from({ length: BATCH }, aCase)
    const results = (await harness.ask('settlements', [cases])) as Result[]
    for (const [index, one] of cases.entries()) {
      const expected = settle(one)
      expect(results[index]).toEqual(expected)
      if (expected.root === zeroHash) seen.released += 1
      if (one.workers.includes(one.requester)) seen.selfAwards += 1
      if (expected.root !== zeroHash && expected.earned.includes(0n)) seen.gaps += 1
      if (one.workers.length === MOST_WINNERS) seen.fifty += 1
    }
  }
  // The cases mean something only if each of these occurred.
  expect(Object.entries(seen).filter(([, count]) => count < 5)).toEqual([])
})

function settle({ vaultId, epoch, taskId, gross, feeBps, base, requester, workers, amounts }: SettlementCase): Result {
  const fee = feeOfReward(gross, Number(feeBps))
  const awards = workers.map((worker, index) => ({ worker, amount: amounts[index] ?? 0n }))
  const charge = { gross, fee, base, requester }
  const earned = earnedOf(charge, awards)
  const { credited, fee: creditedFee } = creditOf(charge, awards)
  const leaves = earned.flatMap((amount, index) =>
    amount === 0n ? [] : [[vaultId, epoch, taskId, taskId, BigInt(index), workers[index], amount]],
  )
  const root = leaves.length === 0 ? zeroHash : (StandardMerkleTree.of(leaves, LEAF).root as Hex)
  return { fee, earned, credited, creditedFee, root }
}

/** Most have few awards and any size; some have fifty, units that do not divide, or awards of the requester to itself. */
function aCase(): SettlementCase {
  const requester = anAddress()
  const count = random.chance(0.05) ? MOST_WINNERS : 1 + random.below(6)
  const base = 1n + bigBelow(random.chance(0.3) ? 100n : LARGEST_REWARD)
  return {
    vaultId: aHash(),
    epoch: BigInt(random.below(3)),
    taskId: aHash(),
    gross: 1n + bigBelow(random.chance(0.3) ? 50n : LARGEST_CHARGE),
    feeBps: BigInt(random.below(2_001)),
    base,
    requester,
    workers: Array.from({ length: count }, () => (random.chance(0.1) ? requester : anAddress())),
    amounts: amountsOf(base, count),
  }
}

/** At most `base` together; at times all of it. */
function amountsOf(base: bigint, count: number): bigint[] {
  let rest = base
  return Array.from({ length: count }, (_, index) => {
    const amount = index === count - 1 && random.chance(0.5) ? rest : bigBelow(rest + 1n)
    rest -= amount
    return amount
  })
}

function bigBelow(limit: bigint): bigint {
  return BigInt(aHash()) % limit
}

function aHash(): Hex {
  return hexOf(32)
}

function anAddress(): Address {
  return hexOf(20)
}

function hexOf(bytes: number): Hex {
  return `0x${Array.from({ length: bytes }, () => random.below(256).toString(16).padStart(2, '0')).join('')}`
}
