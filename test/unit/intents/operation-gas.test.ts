import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gasCeilingOf, operationGasOf, typicalGasOf } from '../../../api/intents/operation-gas.ts'
import { type Operation, operations } from '../../../api/intents/operations.ts'
import { writes } from '../../../api/server/routes.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'

const snapshot = (name: string) =>
  JSON.parse(readFileSync(join(repositoryRoot, 'contracts', 'snapshots', `${name}.json`), 'utf8')) as Record<
    string,
    number | string
  >
const [plain, bonus] = [
  { ...snapshot('contests'), ...snapshot('assignments') },
  { ...snapshot('contests-with-bonus'), ...snapshot('assignments-with-bonus') },
]

/** The measured transactions of each operation: what the service relays of it in daily use. */
const measured: Partial<Record<Operation, { names: string[]; awards?: number }>> = {
  'tasks.create': { names: ['paid.createTask bounty', 'paid.createTask auction', 'paid.createTask evaluated'] },
  'tasks.update': { names: ['paid.updateTask extending', 'paid.updateTask raising the reward'] },
  'tasks.cancel': { names: ['paid.cancelTask'] },
  'tasks.refundExpired': { names: ['paid.refundExpired'] },
  'tasks.accept': { names: ['paid.acceptSubmission', 'paid.acceptSubmission with stake'] },
  'tasks.acceptSubmissions': { names: ['paid.acceptSubmissions among 2'], awards: 2 },
  'tasks.rate': { names: ['paid.rateTask', 'paid.rateTask with ERC-8004 feedback'] },
  'submissions.create': { names: ['signed.submitWork', 'signed.submitWork to a contest'] },
  'submissions.reject': { names: ['paid.rejectSubmissions'] },
  'claims.create': { names: ['signed.claimTask', 'paid.claimTask with stake'] },
  'bids.create': { names: ['paid.submitBid first', 'paid.submitBid lower'] },
  'bids.accept': { names: ['paid.acceptAuction'] },
  'bids.selectWinner': { names: ['open.selectLowestBidder'] },
  'tasks.forfeit': { names: ['signed.forfeitAndReopen', 'signed.forfeitAndReopen with stake'] },
  'tasks.object': { names: ['paid.objectToDelivery'] },
  'tasks.assignEvaluator': { names: ['paid.assignEvaluator'] },
  'tasks.finalizeVerdict': { names: ['open.finalizeVerdict'] },
  'pitches.create': { names: ['paid.submitPitch'] },
  'pitches.select': { names: ['paid.selectWorker'] },
  'proofs.create': { names: ['paid.submitProof'] },
}

describe('The gas of an operation', () => {
  test.each(Object.entries(measured))(
    '%s: what is measured is typical, with a programme of bonuses too',
    (name, { names, awards = 1 }) => {
      const operation = name as Operation
      for (const transaction of names) {
        const [without, withBonus] = [Number(plain[transaction]), Number(bonus[transaction])]
        expect(without).toBeGreaterThan(50_000)
        expect(without).toBeLessThanOrEqual(Number(typicalGasOf({ operation, awards, hookCount: 0 })))
        expect(withBonus).toBeLessThanOrEqual(Number(typicalGasOf({ operation, awards, hookCount: 1 })))
      }
    },
  )

  // Largest inputs: fifty awards to accounts without USDC, ten tags, texts of 256 bytes.
  const largest = Object.entries(snapshot('largest'))

  test.each(operations)('%s: its largest input is below the ceiling', (operation) => {
    const figures = largest.filter(([name]) => name.slice(name.indexOf('.') + 1).split(' ')[0] === operation)
    expect(figures.length, `contracts/test/gas/LargestGas.t.sol measures no call of ${operation}`).toBeGreaterThan(0)
    const ceiling = Number(gasCeilingOf({ operation, awards: 50 }, { hooksGas: 0n, registryGas: 0n }))
    for (const [, gas] of figures) expect(Number(gas)).toBeLessThanOrEqual(ceiling)
  })

  test.each(operations)('%s: its ceiling is above what is typical, and less than a few times as much', (operation) => {
    for (const awards of [1, 50]) {
      const typical = typicalGasOf({ operation, awards, hookCount: 0 })
      const ceiling = gasCeilingOf({ operation, awards }, { hooksGas: 0n, registryGas: 0n })
      expect(ceiling).toBeGreaterThan(typical)
      if (!operation.startsWith('sponsoredTaskVaults.')) expect(ceiling).toBeLessThanOrEqual(typical * 3n)
    }
  })

  test('a split among fifty that pays each for the first time is typical: 2.4 million, 4.0 with bonuses', () => {
    const facts = { operation: 'tasks.acceptSubmissions' as const, awards: 50 }
    expect(typicalGasOf({ ...facts, hookCount: 0 })).toBeGreaterThan(2_400_000n)
    expect(typicalGasOf({ ...facts, hookCount: 1 })).toBeGreaterThan(4_000_000n)
  })

  test('every write that can be free draws on a budget of the day', () => {
    for (const { operation, modes } of writes) {
      const isFree = modes.length === 0 || modes.some((mode) => mode !== 'paid')
      expect([operation, operationGasOf(operation).freeBudget !== undefined]).toEqual([operation, isFree])
    }
  })

  test('docs/build/limits.md has the same figures', () => {
    const documented = readFileSync(join(repositoryRoot, 'docs', 'build', 'limits.md'), 'utf8').split('\n')
    const text = (gas: number) => gas.toLocaleString('en-US')
    const rows = writes.map(({ operation }) => {
      const { typicalGas, gasCeiling, typicalAwardGas, ceilingAwardGas, freeBudget } = operationGasOf(operation)
      const typical = text(typicalGas) + (typicalAwardGas === undefined ? '' : ` + ${text(typicalAwardGas)} an award`)
      const ceiling = text(gasCeiling) + (ceilingAwardGas === undefined ? '' : ` + ${text(ceilingAwardGas)} an award`)
      return `| \`${operation}\` | ${typical} | ${ceiling} | ${freeBudget ?? ''} |`.replace('|  |', '| |')
    })
    expect(rows.filter((row) => !documented.includes(row))).toEqual([])
  })
})
