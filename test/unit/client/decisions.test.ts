import fc from 'fast-check'
import { type Address, decodeFunctionData } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { WriteName } from '../../../client/src/api/write-names.ts'
import { createClient } from '../../../client/src/create-client.ts'
import { createWriteFlow } from '../../../client/src/mcp/write-flow.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import { chargeOf, decidedBy, planRequest } from '../../../client/src/writes/write-request.ts'
import type { TaskFacts } from '../../../client/src/writes/write-spec.ts'
import { writes } from '../../../client/src/writes/write-table.ts'
import { runTool, wordsOf } from '../../support/client/silent-io.ts'
import { aWalletDirectory } from '../../support/client/wallets.ts'
import { toolEnvironment } from './hostile-service.ts'
import { startPaidService, testDeployment } from './paid-service.ts'

const account = (digit: string) => `0x${digit.repeat(40)}`
const taskId = `0x${'ab'.repeat(32)}`
const FEE = 1_000n
const signer = {
  address: account('a') as Address,
  signMessage: () => Promise.reject(new Error('nothing is signed')),
  signTypedData: () => Promise.reject(new Error('nothing is signed')),
}

/** Amounts at stake in the task of a write, base units. */
interface Stakes {
  reward: bigint
  /** The reward that a creation or an update names. */
  named: bigint
  stakeBps: bigint
  /** Basis points of the reward that an evaluator gets; awards of a verdict. */
  feeBps: bigint
  awarded: bigint
}

interface Case {
  input: (stakes: Stakes) => object
  /**
   * The most that leaves the wallet, or the escrow that it has a right in, by this write and by whatever the parties and
   * states that it introduces may do afterwards.
   */
  most: (stakes: Stakes) => bigint
}

const onTask =
  (fields: (stakes: Stakes) => object = () => ({})) =>
  (stakes: Stakes) => ({ taskId, ...fields(stakes) })
const nothing = () => 0n
const fee = () => FEE
const feeAndReward = ({ reward }: Stakes) => FEE + reward
const named = ({ named }: Stakes) => named
const increase = ({ named, reward }: Stakes) => FEE + (named > reward ? named - reward : 0n)

/** Every write of the package, by the rules of the market: who may take what once it is made. */
const cases: Record<WriteName, Case> = {
  // The evaluator and the resolver of a creation may give all of the reward away.
  createTask: {
    input: ({ named, feeBps }) => ({
      duration: 24,
      reward: named.toString(),
      evaluator: account('e'),
      disputeResolver: account('d'),
      evaluatorFeeBps: Number(feeBps),
    }),
    most: named,
  },
  updateTask: { input: onTask(({ named }) => ({ reward: named.toString() })), most: increase },
  cancelTask: { input: onTask(), most: fee },
  refundExpiredTask: { input: onTask(), most: fee },
  // The worker of a delivery that was never refused is paid, whichever account asks.
  settleStaleTask: { input: onTask(), most: ({ reward }) => reward },
  createClaim: { input: onTask(), most: ({ reward, stakeBps }) => (reward * stakeBps) / 10_000n },
  forfeitTask: { input: onTask(), most: nothing },
  createBid: { input: onTask(() => ({ price: '5' })), most: fee },
  acceptAuction: { input: onTask(), most: fee },
  // The lowest bidder is assigned, whichever account asks; of an own task the price leaves the escrow.
  selectWinner: { input: onTask(), most: ({ reward }) => reward },
  createPitch: { input: onTask(() => ({ pitchText: 'x' })), most: fee },
  selectWorker: { input: onTask(() => ({ pitchId: 'p', workerAddress: account('a') })), most: feeAndReward },
  createSubmission: { input: onTask(() => ({ artifacts: [] })), most: fee },
  createSubmissionFromKeys: { input: onTask(() => ({ artifacts: [] })), most: fee },
  createProof: { input: onTask(() => ({ proofData: 'x', proofType: 'url' })), most: fee },
  acceptSubmission: { input: onTask(() => ({ worker: account('a') })), most: feeAndReward },
  acceptSubmissions: { input: onTask(() => ({ winners: [] })), most: feeAndReward },
  rejectSubmission: { input: onTask(() => ({ worker: account('a') })), most: fee },
  objectToDelivery: { input: onTask(), most: fee },
  // Who decides about the task can award all of it to an account of their own, whatever their fee is.
  assignEvaluator: {
    input: onTask(({ feeBps }) => ({ evaluator: account('e'), evaluatorFeeBps: Number(feeBps) })),
    most: feeAndReward,
  },
  // A rejection takes the whole reward from the worker, a partial verdict what it does not award.
  evaluateTask: {
    input: onTask(({ awarded, feeBps }) => ({
      verdict: (['approve', 'reject', 'partial'] as const)[Number(feeBps) % 3],
      awards: [{ worker: account('a'), amount: awarded.toString(), rank: 1 }],
    })),
    most: feeAndReward,
  },
  appealVerdict: { input: onTask(), most: fee },
  resolveDispute: {
    input: onTask(({ awarded }) => ({
      verdict: 'partial',
      awards: [{ worker: account('a'), amount: awarded.toString(), rank: 1 }],
    })),
    most: feeAndReward,
  },
  finalizeVerdict: { input: onTask(), most: nothing },
  timeOutEvaluator: { input: onTask(), most: fee },
  rateWorker: { input: onTask(() => ({ worker: account('a'), rating: 5 })), most: fee },
  adoptIdentity: { input: () => ({ agentId: '42' }), most: fee },
  registerIdentity: { input: () => ({}), most: fee },
  pushCredit: { input: () => ({ address: account('a') }), most: nothing },
  // Of a withdrawal, what its entry makes of the request that the client builds.
  withdraw: { input: ({ named }) => ({ authorization: { value: named } }), most: named },
  // Tokens beside USDC: a person is always asked.
  withdrawToken: { input: () => ({}), most: nothing },
  claimSponsoredReward: { input: () => ({ vaultId: taskId, taskId }), most: nothing },
  setBoundOnly: { input: () => ({ boundOnly: true }), most: nothing },
}

const anAmount = fc.bigInt({ min: 1_000n, max: 10n ** 13n })
const stakes: fc.Arbitrary<Stakes> = fc
  .record({ reward: anAmount, named: anAmount, stakeBps: fc.bigInt(0n, 10_000n), feeBps: fc.bigInt(0n, 10_000n) })
  .chain((known) => fc.bigInt(0n, known.reward).map((awarded) => ({ ...known, awarded })))

describe('What a write decides', () => {
  test.each(Object.keys(cases) as WriteName[])('%s counts the most that can be taken by it, and no more', (name) => {
    const { input, most } = cases[name]
    const { operation, needsTask, build } = writes[name]
    fc.assert(
      fc.property(stakes, (atStake) => {
        const { reward, stakeBps } = atStake
        const present = { reward, requester: signer.address, stake: (reward * stakeBps) / 10_000n, claimRound: 0 }
        const task: TaskFacts = { present, mostReward: reward, offered: {} }
        const given = { ...input(atStake) }
        const request = { documentSalt: taskId, createdAt: '2030-01-01T00:00:00.000Z', ...given }
        const planned = build === undefined ? planRequest(operation, request, { account: signer, task }).input : request
        const decided = decidedBy(operation, planned, { task, wallet: signer.address })
        expect(decided + chargeOf(operation, planned, task).most).toBe(most(atStake))
        // Without the facts of its task nothing but the price would count.
        if (decided > 0n && name !== 'withdraw') expect(needsTask).toBe(true)
      }),
    )
  })

  test('given a creation with an evaluator and a resolver, then its dry run names both and the reward for a program', async () => {
    const service = await startPaidService({ amount: 2_000_000n })
    onTestFinished(service.stop)
    const [evaluator, disputeResolver] = [account('e'), account('d')]
    const judges = `--field evaluator=${evaluator} --field disputeResolver=${disputeResolver}`
    const { exit, out } = await runTool(
      wordsOf(`task create --description x --reward 2 --hours 24 ${judges} --dry-run`),
      { env: toolEnvironment(service.url, testDeployment) },
    )
    const effects = { reward: '2000000', evaluator, disputeResolver, decidedByThem: '2000000' }
    expect([exit, JSON.parse(out)]).toEqual([0, expect.objectContaining({ kind: 'preview', effects })])
    expect(service.payments).toEqual([])
  })

  test('given a switch of a wallet, then its preview for a model moves nothing and needs a person', async () => {
    const { context } = createClient({
      url: 'http://127.0.0.1:1',
      account: signer,
      store: fileStore({ directory: aWalletDirectory() }),
      deployment: { ...testDeployment, bound: true },
    })
    const preview = createWriteFlow(context).preview({ name: 'setBoundOnly', input: { boundOnly: false } })
    await expect(preview).resolves.toMatchObject({ decides: '0', needsPerson: true, isActSimulated: false })
  })

  test('given a submission of files, then its dry run shows the call that is made of their hashes', async () => {
    const env = toolEnvironment('http://127.0.0.1:1', testDeployment)
    const line = `task submit ${taskId} --file ${env.TASK_MARKET_DEPLOYMENT} --dry-run`
    const { exit, out } = await runTool(wordsOf(line), { env })
    const { call, callProblem } = JSON.parse(out)
    expect([exit, callProblem, call.target]).toEqual([0, null, testDeployment.market])
    expect(decodeFunctionData({ abi: taskMarketAbi, data: call.data })).toMatchObject({ functionName: 'submitWork' })
  })
})
