import fc from 'fast-check'
import { decodeFunctionData, getAddress, keccak256, stringToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { createTaskBody } from '../../../api/features/tasks/create-task.schemas.ts'
import type { WriteInput } from '../../../client/src/api/write-names.ts'
import { type CallFacts, marketCalls } from '../../../client/src/writes/market-calls.ts'
import { toCreateTaskParams } from '../../../protocol/creation/create-task-params.ts'
import { toEvaluatorTerms } from '../../../protocol/creation/evaluator-terms.ts'
import { createTask } from '../../../protocol/operations/create-task.ts'
import { aTermsBody, kindsOfTask } from '../../support/creation-bodies.ts'
import { encodeMarketCall } from '../../support/market-call.ts'

const address = (digits: string) => `0x${digits.repeat(20)}` as const
const hash = (digits: string) => `0x${digits.repeat(32)}` as const
const taskId = hash('ab')
const anyHash = keccak256(stringToBytes('preview'))
const row = (id: string, worker: string, deliverableHash: string) => ({ id, workerAddress: worker, deliverableHash })
const facts = {
  chain: { termsHashOf: async () => hash('77') },
  readSubmissions: async () => [
    row('1', address('a1'), hash('01')),
    row('2', address('b2'), hash('02')),
    row('3', address('a1'), hash('03')),
  ],
} as unknown as CallFacts

/** The call that the client makes of a write, decoded by the ABI of the contracts. */
async function callOf(name: keyof typeof marketCalls, input: object) {
  const encode = marketCalls[name] as (input: object, facts: CallFacts) => Promise<`0x${string}` | null>
  const data = await encode({ taskId, ...input }, facts)
  return data && decodeFunctionData({ abi: taskMarketAbi, data })
}

describe('The call that the client simulates', () => {
  test.each(kindsOfTask)(
    'given a creation ($mode $auctionType), then it is the one that the service relays',
    (kind) => {
      const parts = { hooks: [address('11'), address('22')], judges: [address('33'), address('44')] }
      fc.assert(
        fc.property(aTermsBody(kind, parts), (terms) => {
          const input = { description: 'x', ...terms } as unknown as WriteInput<'createTask'>
          const params = {
            ...toCreateTaskParams(createTask.normalise({ ...createTaskBody.parse(input), documentSalt: hash('5a') })),
            contentHash: anyHash,
          }
          expect(marketCalls.createTask?.(input, facts)).toBe(
            encodeMarketCall(address('c3'), 'createTask', [params]).data,
          )
        }),
      )
    },
  )

  test('given an acceptance, then it names the newest deliverable of the worker, or the one that is named', async () => {
    const worker = address('A1')
    const expected = [taskId, getAddress(address('a1')), hash('03')]
    expect(await callOf('acceptSubmission', { worker })).toMatchObject({ args: expected })
    const winners = [
      { worker, share: 6_000, submissionId: '1' },
      { worker: address('b2'), share: 4_000 },
    ]
    expect((await callOf('acceptSubmissions', { winners }))?.args?.[1]).toMatchObject([
      { shareBps: 6_000, deliverable: hash('01') },
      { shareBps: 4_000, deliverable: hash('02') },
    ])
    expect(await callOf('acceptSubmission', { worker: address('cc') })).toBeNull()
  })

  test('given the terms of an evaluator, then they are those of the service', async () => {
    const evaluator = address('33')
    const assigned = await callOf('assignEvaluator', { evaluator, evaluatorFeeBps: 5, appealWindowHours: 0.5 })
    const expected = toEvaluatorTerms({ evaluator, evaluatorFeeBps: 5, appealWindowHours: 1_800n })
    expect(assigned?.args?.[1]).toMatchObject(expected)
  })

  test.each([
    ['updateTask', { reward: '5', expiryTime: 9 }, [{ reward: 5n, expiryTime: 9, contentHash: hash('00') }]],
    ['updateTask', { tags: ['a'] }, [{ reward: 0n, contentHash: anyHash }]],
    ['createClaim', {}, [taskId, hash('77')]],
    ['createClaim', { termsHash: hash('66') }, [taskId, hash('66')]],
    ['acceptAuction', { minPrice: '7' }, [taskId, 7n]],
    ['evaluateTask', { verdict: 'approve' }, [taskId, 1, 1_000, 1_000, hash('00'), []]],
    [
      'resolveDispute',
      { verdict: 'partial', awards: [{ worker: address('a1'), amount: '4', rank: 2 }] },
      [taskId, 3, [{ amount: 4n, rank: 2 }]],
    ],
    ['createProof', { proofType: 'url' }, [taskId, anyHash, keccak256(stringToBytes('url')), 0n]],
    ['rateWorker', { worker: address('a1'), rating: 90 }, [{ taskId, rating: 90, hasAgent: false }]],
  ] as const)('given %s with %o, then its arguments are those of the contract', async (name, input, args) => {
    expect((await callOf(name, input))?.args).toMatchObject(args)
  })
})
