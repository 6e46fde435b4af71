import {
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  stringToBytes,
  zeroHash,
} from 'viem'
import { toCreateTaskParams } from '../../../protocol/creation/create-task-params.ts'
import { normaliseJudging, toEvaluatorTerms } from '../../../protocol/creation/evaluator-terms.ts'
import { ifGiven, secondsOfHours, toAddress, toBytes, toSeconds } from '../../../protocol/normalise.ts'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import { marketAbi } from '../chain/market-abi.ts'
import type { Chain } from '../chain/rpc.ts'
import type { SubmissionRow } from '../reads/submissions.ts'
import { toBaseUnits } from './write-table.ts'

/** What the call of a write needs beside its arguments. */
export interface CallFacts {
  chain: Pick<Chain, 'termsHashOf'>
  /** In the order in which they were committed. @throws Refused */
  readSubmissions(taskId: string): Promise<SubmissionRow[]>
}

/** Null: the market has no such call. */
type CallOf<Name extends WriteName> = (input: WriteInput<Name>, facts: CallFacts) => Hex | null | Promise<Hex | null>

/** Score and confidence of a verdict unless given. */
const MOST_SCORE = 1_000
/** Stands for the hash of a text or file, which the service makes: the market takes any hash once. */
const ANY_HASH = keccak256(stringToBytes('preview'))
const verdicts = { approve: 1, reject: 2, partial: 3 } as const

/** The writes with which the market takes USDC of the wallet. */
export const takesUsdc: readonly WriteName[] = ['createTask', 'updateTask', 'createClaim']

/**
 * The call of the market that a write comes to, for a simulation: the hash of a text or file in it is any hash. Writes
 * that are missing call other contracts.
 */
export const marketCalls: { [Name in WriteName]?: CallOf<Name> } = {
  createTask: (input) => encode('createTask', [creationParams(input)]),
  updateTask: ({ taskId, ...changes }) => {
    const { description, tags, metricDescription, auctionFloorPrice, auctionStartPrice } = changes
    const hasTexts = [description, tags, metricDescription].some((text) => text !== undefined)
    const params = {
      taskId: taskId as Hex,
      reward: amountOf(changes.reward),
      expiryTime: changes.expiryTime ?? 0,
      pitchDeadline: changes.pitchDeadline ?? 0,
      bidDeadline: changes.bidDeadline ?? 0,
      clockPrice: amountOf(auctionFloorPrice ?? auctionStartPrice),
      contentHash: hasTexts ? ANY_HASH : zeroHash,
    }
    return encode('updateTask', [params])
  },
  cancelTask: ({ taskId }) => encode('cancelTask', [taskId as Hex]),
  refundExpiredTask: ({ taskId }) => encode('refundExpired', [taskId as Hex]),
  settleStaleTask: ({ taskId }) => encode('settleStale', [taskId as Hex]),
  createClaim: async ({ taskId, termsHash }, { chain }) =>
    encode('claimTask', [taskId as Hex, (termsHash ?? (await chain.termsHashOf(taskId as Hex))) as Hex]),
  forfeitTask: ({ taskId }) => encode('forfeitAndReopen', [taskId as Hex]),
  createBid: ({ taskId, price }) => encode('submitBid', [taskId as Hex, toBaseUnits(price)]),
  acceptAuction: ({ taskId, minPrice }) => encode('acceptAuction', [taskId as Hex, amountOf(minPrice)]),
  selectWinner: ({ taskId }) => encode('selectLowestBidder', [taskId as Hex]),
  createPitch: ({ taskId }) => encode('submitPitch', [taskId as Hex, ANY_HASH]),
  selectWorker: ({ taskId, workerAddress }) => encode('selectWorker', [taskId as Hex, toAddress(workerAddress)]),
  createSubmission: ({ taskId }) => encode('submitWork', [taskId as Hex, ANY_HASH]),
  createSubmissionFromKeys: ({ taskId }) => encode('submitWork', [taskId as Hex, ANY_HASH]),
  createProof: ({ taskId, proofType, metricValue = '0' }) => {
    const typeHash = keccak256(stringToBytes(proofType))
    return encode('submitProof', [taskId as Hex, ANY_HASH, typeHash, toBaseUnits(metricValue)])
  },
  acceptSubmission: async ({ taskId, worker }, { readSubmissions }) => {
    const deliverable = newestOf(await readSubmissions(taskId), { worker })
    return deliverable && encode('acceptSubmission', [taskId as Hex, toAddress(worker), deliverable])
  },
  acceptSubmissions: async ({ taskId, winners }, { readSubmissions }) => {
    const rows = await readSubmissions(taskId)
    const awarded = winners.map(({ worker, share, submissionId }) => ({
      worker: toAddress(worker),
      shareBps: share,
      deliverable: newestOf(rows, { worker, submissionId }) ?? zeroHash,
    }))
    return encode('acceptSubmissions', [taskId as Hex, awarded])
  },
  rejectSubmission: ({ taskId, worker }) => encode('rejectSubmissions', [taskId as Hex, [toAddress(worker)]]),
  objectToDelivery: ({ taskId }) => encode('objectToDelivery', [taskId as Hex]),
  assignEvaluator: ({ taskId, ...terms }) => {
    const request = { ...normaliseJudging(terms), evaluator: toAddress(terms.evaluator) }
    return encode('assignEvaluator', [taskId as Hex, toEvaluatorTerms(request)])
  },
  evaluateTask: ({ taskId, verdict, score = MOST_SCORE, confidence = MOST_SCORE, evidenceHash = zeroHash, awards }) => {
    const opinion = [verdicts[verdict], score, confidence, evidenceHash as Hex] as const
    return encode('evaluate', [taskId as Hex, ...opinion, toAwards(awards)])
  },
  appealVerdict: ({ taskId }) => encode('appeal', [taskId as Hex]),
  resolveDispute: ({ taskId, verdict, awards }) =>
    encode('resolveDispute', [taskId as Hex, verdicts[verdict], toAwards(awards)]),
  finalizeVerdict: ({ taskId }) => encode('finalizeVerdict', [taskId as Hex]),
  timeOutEvaluator: ({ taskId }) => encode('evaluatorTimeout', [taskId as Hex]),
  rateWorker: ({ taskId, worker, rating }) => {
    const noAgents = { raterAgentId: 0n, workerAgentId: 0n, hasAgent: false }
    const feedback = { feedbackURI: '', feedbackHash: ANY_HASH }
    return encode('rateTask', [{ taskId: taskId as Hex, worker: toAddress(worker), rating, ...noAgents, ...feedback }])
  },
  pushCredit: ({ address }) => encode('pushCredit', [toAddress(address)]),
}

function encode<Name extends ContractFunctionName<typeof marketAbi>>(
  functionName: Name,
  args: ContractFunctionArgs<typeof marketAbi, 'nonpayable', Name>,
): Hex {
  return encodeFunctionData({ abi: marketAbi, functionName, args } as EncodeFunctionDataParameters)
}

function creationParams(input: WriteInput<'createTask'>) {
  const { mode = 'bounty', taskVisibility = 'public', stakeRequired = false, stakeBps = 0, auctionType, tags } = input
  const params = toCreateTaskParams({
    mode,
    auctionType,
    tags,
    taskVisibility,
    stakeRequired,
    stakeBps,
    reward: toBaseUnits(input.reward),
    duration: secondsOfHours(input.duration),
    pitchDeadline: ifGiven(input.pitchDeadline, ofSeconds),
    bidDeadline: ifGiven(input.bidDeadline, secondsOfHours),
    auctionStartPrice: ifGiven(input.auctionStartPrice, toBaseUnits),
    auctionFloorPrice: ifGiven(input.auctionFloorPrice, toBaseUnits),
    hookContract: ifGiven(input.hookContract, toAddress),
    hookContracts: input.hookContracts?.map(toAddress),
    hookData: ifGiven(input.hookData, toBytes),
    evaluator: ifGiven(input.evaluator, toAddress),
    ...normaliseJudging(input),
  })
  return { ...params, contentHash: ANY_HASH }
}

function ofSeconds(window: number): bigint {
  return BigInt(toSeconds(window, 'seconds'))
}

/** The deliverable that a winner is awarded for: the named submission, else the worker's newest. */
function newestOf(
  rows: readonly SubmissionRow[],
  { worker, submissionId }: { worker: string; submissionId?: string | undefined },
): Hex | null {
  const own = rows.filter(({ workerAddress }) => workerAddress.toLowerCase() === worker.toLowerCase())
  const row = submissionId === undefined ? own.at(-1) : own.find(({ id }) => id === submissionId)
  return (row?.deliverableHash ?? null) as Hex | null
}

function toAwards(awards: WriteInput<'evaluateTask'>['awards'] = []) {
  return awards.map(({ worker, amount, rank }) => ({ worker: toAddress(worker), amount: toBaseUnits(amount), rank }))
}

function amountOf(text: string | undefined): bigint {
  return text === undefined ? 0n : toBaseUnits(text)
}
