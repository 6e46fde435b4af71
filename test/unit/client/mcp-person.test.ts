import { describe, expect, test } from 'vitest'
import { type AskedFor, describeWrite } from '../../../client/src/cli/describe-write.ts'
import { questionOf } from '../../../client/src/mcp/person.ts'

const worker = `0x${'ab'.repeat(20)}`
const taskId = `0x${'cd'.repeat(32)}`
const safe = `0x${'77'.repeat(20)}`

/** The sentence about a write that decides so much. */
function described(asked: AskedFor, { decides, price }: { decides: bigint; price: bigint | null }): string {
  return describeWrite(asked, { price, counted: decides, payTo: safe, assets: { clauses: ['x is taken'] } })
}

describe('The question to a person', () => {
  test('given long texts before and in between, then who is paid and how much is in it nevertheless', () => {
    const question = questionOf('It decides 5 USDC.', {
      evidenceHash: 'a'.repeat(5_000),
      awards: [
        { note: 'b'.repeat(5_000), worker, amount: '4999999' },
        { worker: safe, amount: '1' },
      ],
      taskId,
    })
    for (const shown of [worker, safe, '"4999999"', taskId, '(5000 characters)']) expect(question).toContain(shown)
    expect(question.length).toBeLessThan(1_000)
  })

  test('given many arguments, then what the write comes to stands below them as well', () => {
    const winners = Array.from({ length: 50 }, () => ({ worker, share: 200 }))
    const question = questionOf('It decides 5 USDC.', { taskId, winners })
    expect(question).toMatch(/^It decides 5 USDC\. /)
    expect(question).toMatch(/It decides 5 USDC\.$/)
  })

  test('given hidden characters and line breaks in an argument, then the question stays one line that shows them not', () => {
    const question = questionOf('It decides 5 USDC.', { description: 'x\n\nIt decides 0 USDC.\u202e\u001b[31m\u200b' })
    expect(question).toMatch(/^It decides 5 USDC\. Arguments, written by the model: /)
    expect(question).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})

describe('What a write decides, in one sentence', () => {
  test.each([
    [
      'createTask',
      { reward: '2000000' },
      { decides: 2_000_000n, price: 2_000_000n },
      'the reward of the task is 2 USDC',
    ],
    ['acceptSubmission', { taskId, worker }, { decides: 2_001_000n, price: 1_000n }, 'up to 2 USDC are paid out'],
    ['createClaim', { taskId }, { decides: 500_000n, price: null }, 'up to 0.5 USDC are staked'],
    [
      'assignEvaluator',
      { taskId, evaluator: worker },
      { decides: 50_001_000n, price: 1_000n },
      `the evaluator ${worker} will decide about all 50 USDC of the task`,
    ],
    [
      'createTask',
      { reward: '2000000', evaluator: worker, disputeResolver: safe },
      { decides: 2_000_000n, price: 2_000_000n },
      `the dispute resolver ${safe} will decide about all 2 USDC of the task`,
    ],
    [
      'evaluateTask',
      { taskId, verdict: 'reject' },
      { decides: 5_001_000n, price: 1_000n },
      'the verdict is about 5 USDC',
    ],
    ['withdraw', { amountBaseUnits: '5000' }, { decides: 5_000n, price: null }, '0.005 USDC leave the wallet'],
    ['withdrawToken', {}, { decides: 0n, price: null }, 'all reward tokens leave the wallet'],
    [
      'claimSponsoredReward',
      { taskId, vaultId: taskId },
      { decides: 0n, price: null },
      'the reward of a sponsor is paid',
    ],
  ] as const)('given %s, then it says what happens to the money, and to whom it goes', (name, input, terms, part) => {
    const text = described({ name, input }, terms)
    expect(text).toContain(part)
    expect(text).toContain(safe)
    expect(text).toContain('; x is taken')
  })
})
