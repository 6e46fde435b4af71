import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeFunctionResult, type Hex, keccak256, numberToHex, stringToBytes, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { CallReverted } from '../../../client/src/chain/node.ts'
import {
  expectBids,
  expectClaim,
  expectFeedbacks,
  expectPitches,
  expectProofs,
  expectSubmissions,
} from '../../../client/src/verify/expect-rows.ts'
import { expectTask, type TaskOnChain } from '../../../client/src/verify/expect-task.ts'
import { compare, Told, Unknowable } from '../../../client/src/verify/expected.ts'
import { marketAbi } from '../../../client/src/verify/market-abi.ts'
import { insistOnAnswers, openMarketAt, readTaskLogs } from '../../../client/src/verify/read-chain.ts'
import { readHistory } from '../../../client/src/verify/task-history.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { hashDocument } from '../../../protocol/documents/canonical-json.ts'
import { toProofTypeHash } from '../../../protocol/rules/proof-type.ts'
import { toModeSelector } from '../../../protocol/rules/selectors.ts'

const id = `0x${'1f'.repeat(32)}` as Hex
const worker = `0x${'a1'.repeat(20)}` as Hex
const txHash = `0x${'2e'.repeat(32)}` as Hex
const block = { number: 7, time: 1_900_000_000n }
const view = {
  requester: zeroAddress,
  mode: toModeSelector('benchmark'),
  auctionType: '0x00000000' as Hex,
  status: 8,
  reward: 5n,
  escrow: 0n,
  feeBps: 750,
  stakeBps: 0,
  createdAt: 1,
  expiryTime: 2,
  pitchDeadline: 0,
  bidDeadline: 0,
  clockPrice: 0n,
  contentHash: zeroHash,
  tagsHash: zeroHash,
  worker,
  price: 0n,
  stake: 0n,
  deliverable: zeroHash,
  submissionCount: 1,
  activeSubmissions: 1,
  pitchCount: 1,
  bidCount: 1,
  proofCount: 1,
  awardCount: 1,
  round: 0,
  objected: false,
  hasEvaluator: false,
  hookSet: zeroHash,
} as const
const file = {
  fileName: 'a.txt',
  mimeType: 'text/plain',
  role: 'final',
  displayOrder: 0,
  sizeBytes: 1,
  sha256Hash: 'aa',
  keccak256Hash: '0xbb',
}
const manifest = hashDocument({ artifacts: [file] })
const feedback = hashDocument({ feedbackText: 'Quick' })

const log = (eventName: string, args: object) => ({ eventName, args, block, txHash }) as never
/** A task with a row of every list. */
function aTask(): TaskOnChain {
  const terms = { tags: [], listed: true, contentHash: zeroHash }
  const logs = [
    log('TaskCreated', { terms }),
    log('PitchSubmitted', { worker, pitchHash: txHash }),
    log('BidSubmitted', { worker, price: 4n }),
    log('TaskWorkerSelected', { worker, price: 5n, kind: 0, stake: 0n }),
    log('TaskSubmitted', { worker, deliverable: manifest.hash, status: 1, phaseDeadline: 0 }),
    log('ProofSubmitted', { worker, proofHash: txHash, proofType: toProofTypeHash('url'), metricValue: 1n }),
    log('TaskCompleted', { worker, rank: 1, grossAmount: 5n, workerPayment: 4n, platformFee: 1n, selfAward: false }),
    log('TaskRated', { worker, rating: 90, feedbackHash: feedback.hash }),
    log('DisputeResolved', { resolver: worker, verdict: 1, awards: [] }),
  ]
  const history = readHistory(logs, { taskId: id, mode: 'benchmark' })
  return { id, block, head: block, view, hooks: { hooks: [], defaultCount: 0 }, termsHash: zeroHash, history }
}

const { schemas } = JSON.parse(readFileSync(join(repositoryRoot, 'docs', 'openapi.json'), 'utf8')).components
const fieldsOf = (name: string) => Object.keys(schemas[name].properties).sort()
const rulesOf = (rules: unknown) => Object.keys(rules as object).sort()
const firstOf = ({ rows }: { rows: ReadonlyMap<string, unknown> }) => [...rows.values()][0]

describe('The table of rules', () => {
  test('given the schema of an answer, then each of its fields has a rule', async () => {
    const chain = aTask()
    const task = expectTask(chain, { tags: [], description: 'x' } as never) as unknown as Record<string, unknown[]>
    const read = async (path: string) => (path.includes('feedback') ? feedback.text : manifest.text)
    const submissions = await expectSubmissions(chain, { submissionVisibility: 'public', read })
    const submission = firstOf(submissions) as { artifacts: unknown[] }
    const rules = {
      TaskDetail: task,
      Award: task.awards?.[0],
      Submission: submission,
      Artifact: submission.artifacts[0],
      Pitch: firstOf(expectPitches(chain)),
      Bid: firstOf(expectBids(chain)),
      Proof: firstOf(expectProofs(chain, 'public')),
      Claim: expectClaim(chain),
      Feedback: firstOf(await expectFeedbacks(chain, read)),
    }
    for (const [name, rule] of Object.entries(rules)) expect(rulesOf(rule), name).toEqual(fieldsOf(name))
    for (const name of ['primaryAward', 'resolution'] as const) {
      const nested = schemas.TaskDetail.properties[name]
      const object = [nested, ...(nested.anyOf ?? [])].find(({ properties }) => properties !== undefined)
      expect(rulesOf(task[name]), name).toEqual(Object.keys(object.properties).sort())
    }
  })
})

test('given an evaluator whose time was over, then the task has no terms of an evaluator', () => {
  const chain = aTask()
  const assigned = { evaluator: worker, resolver: zeroAddress, feeBps: 200, evaluationWindow: 9, appealWindow: 9 }
  const logs = [log('EvaluatorAssigned', assigned), log('EvaluatorTimedOut', { evaluator: worker, status: 1 })]
  const history = readHistory(logs, { taskId: id, mode: 'bounty' })
  const task = expectTask({ ...chain, history }, { tags: [], description: 'x' } as never)
  const none = { evaluator: null, evaluatorFeeBps: null, evaluationWindow: null, appealWindow: null }
  expect(task).toMatchObject({ ...none, evaluatorDeadline: null, netReward: '5' })
})

test('given a document of the hash that is no manifest, then its files are unknowable', async () => {
  const chain = aTask()
  for (const text of ['no JSON', 'null', '{"artifacts":[null]}']) {
    const deliverable = keccak256(stringToBytes(text))
    const logs = [log('TaskSubmitted', { worker, deliverable, status: 1, phaseDeadline: 0 })]
    const history = readHistory(logs, { taskId: id, mode: 'bounty' })
    const options = { submissionVisibility: 'public', read: async () => text }
    const submission = firstOf(await expectSubmissions({ ...chain, history }, options)) as { artifacts: unknown }
    expect(submission.artifacts).toBeInstanceOf(Unknowable)
  }
})

describe('A comparison', () => {
  test('given equal, other, omitted, invented and untold values, then each has its status', () => {
    const told = new Told('x', (value) => (value === '' ? null : value === 'y'), 'why')
    const expected = {
      a: '0xab',
      b: 1,
      c: new Unknowable('no chain says it'),
      d: [1, 2],
      e: { f: null },
      g: told,
      h: told,
    }
    const statuses = compare('', { a: '0xAB', b: 2, c: 3, d: [1], e: { f: null, z: 1 }, g: 'y', h: '' }, expected)
    expect(statuses.map(({ path, status }) => `${path} ${status}`)).toEqual([
      'a verified',
      'b differs',
      'c unknowable',
      'd[0] verified',
      'd[1] differs',
      'e.f verified',
      'e.z unknowable',
      'g verified',
      'h unknowable',
    ])
    expect(compare('', { d: [1, 2, 3] }, { d: [1, 2] }).at(-1)).toMatchObject({
      path: 'd[2]',
      why: 'the chain has no such row',
    })
  })
})

describe('Reads of a node', () => {
  /** What the node of a URL throws where it answers an error, or no result. */
  const refusal = (cause: { code?: number; message?: string } | null) =>
    new Error(`Refused: ${cause?.message}`, { cause })
  const to = { number: 20_000, time: 40_000n }
  const aBlock = (tag: unknown) => ({ number: tag, timestamp: numberToHex(2 * Number(tag)) })

  test('given the creation of a task, then logs are read from its block on, in ranges that the node allows', async () => {
    const ranges: number[][] = []
    const done: number[] = []
    const logs = await readTaskLogs(
      async (method, [given]) => {
        if (method === 'eth_getBlockByNumber') return aBlock(given)
        const { fromBlock, toBlock } = given as { fromBlock: Hex; toBlock: Hex }
        const length = Number(toBlock) - Number(fromBlock) + 1
        if (length > 2_000) throw refusal({ message: 'too many blocks' })
        ranges.push([Number(fromBlock), Number(toBlock)])
        return []
      },
      { market: worker, taskId: id, from: 20_000n, to, onProgress: (part, of) => done.push(part / of) },
    )
    expect(logs).toEqual([])
    expect(ranges[0]?.[0]).toBe(10_000)
    expect(ranges.at(-1)?.[1]).toBe(20_000)
    expect(ranges.slice(1).every(([from], at) => from === (ranges[at]?.[1] ?? 0) + 1)).toBe(true)
    expect(done.at(-1)).toBe(1)
    // Grows again below what the node refused.
    expect(ranges.length).toBe(9)
  })

  test('given a node that answers no logs, or has no state of the block, then the check says so', async () => {
    const range = { market: worker, taskId: id, from: 0n, to, onProgress: () => {} }
    const withoutLogs = readTaskLogs(async (method, [given]) => {
      if (method === 'eth_getBlockByNumber') return aBlock(given)
      throw refusal({ message: 'no logs here' })
    }, range)
    await expect(withoutLogs).rejects.toThrow('no logs here')
    const at = { market: worker, taskId: id, block: 5 }
    const refusing = async () => Promise.reject(refusal({ message: 'missing trie node' }))
    await expect(openMarketAt(refusing, at).task()).rejects.toThrow('does not have the state of block 5')
    await expect(openMarketAt(async () => '0x', at).task()).rejects.toThrow(`no market at ${worker}`)
    const unknown = openMarketAt(async () => Promise.reject(new CallReverted('0x')), at)
    expect(await unknown.task()).toBeNull()
    const data = encodeFunctionResult({ abi: marketAbi, functionName: 'hooksOf', result: [[worker], 1n] })
    expect((await openMarketAt(async () => data, at).hooks()).defaultCount).toBe(1)
  })

  test('given a node that is silent or refuses in between, then no log is taken for one that there is not', async () => {
    let count = 0
    const range = { market: worker, taskId: id, from: 36_000n, to, onProgress: () => {} }
    const failing = (fail: () => Error) =>
      readTaskLogs(
        insistOnAnswers(async (method, [given]) => {
          count += 1
          if (count % 3 === 0) throw fail()
          return method === 'eth_getBlockByNumber' ? aBlock(given) : []
        }),
        range,
      )
    const silent = () => new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })
    await expect(failing(silent)).rejects.toThrow('The node could not be reached: the connection was cut')
    await expect(failing(() => refusal({ code: -32005 }))).rejects.toThrow('Refused')
    // A block that a node does not keep any more is an older one.
    const pruned = async (method: string, [given]: unknown[]) => {
      if (method !== 'eth_getBlockByNumber') return []
      if (Number(given) < 5_000) throw refusal(null)
      return aBlock(given)
    }
    expect(await readTaskLogs(pruned, range)).toEqual([])
  })
})
