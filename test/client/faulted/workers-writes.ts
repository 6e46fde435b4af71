import type { Hex } from 'viem'
import type { WriteName } from '../../../client/src/api/write-names.ts'
import type { Actor } from '../../support/actors.ts'
import { aClaimTask, anAuctionTask } from '../../support/conformance-fixtures.ts'
import { aLocalFile, anUploadRequest, type KeyedFile, toKeyedFile } from '../../support/uploads.ts'
import { aTaskOf, FEE, marketEvents, type Parts, type PreparedWrite, REWARD, type Recipe } from './recipe.ts'

const STAKE_BPS = 1_000

/** What a worker does: entries of every mode, free, paid and staked. */
export const workersWrites = {
  createSubmission: async (parts) => {
    const { environment, aWallet, seed } = parts
    const wallet = await aWallet()
    const { taskId } = await aTaskOf(parts)
    const file = Buffer.from(`work ${seed}`).toString('base64')
    const artifacts = [{ fileName: 'work.txt', mimeType: 'text/plain', file }]
    const countDone = async () => (await environment.chain.task(taskId)).submissionCount
    return { wallet, input: { taskId, artifacts }, cost: 0n, countDone }
  },
  createSubmissionFromKeys: async (parts) => {
    const wallet = await parts.aWallet()
    const { taskId } = await aTaskOf(parts)
    const artifacts = [await anUpload(parts, wallet, taskId)]
    const countDone = async () => (await parts.environment.chain.task(taskId)).submissionCount
    return { wallet, input: { taskId, artifacts }, cost: 0n, countDone }
  },
  createPitch: async (parts) => {
    const pitchText = `Pitch ${parts.seed}`
    return await anEntry(parts, { write: 'createPitch', task: { mode: 'pitch' }, input: { pitchText } })
  },
  createBid: async (parts) => {
    const task = anAuctionTask('reverse_english', { reward: String(REWARD) })
    return await anEntry(parts, { write: 'createBid', task, input: { price: '15000' } })
  },
  createProof: async (parts) => {
    const task = { mode: 'benchmark', metricDescription: 'Requests a second', metricTarget: '5000' }
    const input = { proofData: `https://example.com/${parts.seed}`, proofType: 'url', metricValue: '6000' }
    return await anEntry(parts, { write: 'createProof', task, input })
  },
  createClaim: async (parts) => {
    const task = aClaimTask({ stakeBps: STAKE_BPS })
    const cost = (REWARD * BigInt(STAKE_BPS)) / 10_000n
    return await anEntry(parts, { write: 'createClaim', task, input: {}, cost })
  },
  acceptAuction: async (parts) => {
    const task = anAuctionTask('dutch', { reward: String(REWARD), auctionFloorPrice: '10000' })
    return await anEntry(parts, { write: 'acceptAuction', task, input: {} })
  },
} satisfies Partial<Record<WriteName, Recipe>>

const entries = {
  createPitch: 'PitchSubmitted',
  createBid: 'BidSubmitted',
  createProof: 'ProofSubmitted',
  createClaim: 'TaskWorkerSelected',
  acceptAuction: 'TaskWorkerSelected',
} as const
type Entry = keyof typeof entries

/** A worker's part in a task of another wallet, counted by its event. */
async function anEntry(
  parts: Parts,
  {
    write,
    task,
    input,
    cost = FEE,
  }: { write: Entry; task: Record<string, unknown>; input: Record<string, unknown>; cost?: bigint },
): Promise<PreparedWrite> {
  const wallet = await parts.aWallet()
  const { taskId } = await aTaskOf(parts, task)
  const countDone = marketEvents(parts, entries[write], [taskId, wallet.address])
  return { wallet, input: { taskId, ...input }, cost, countDone }
}

/** A file that the worker uploads for a task. @throws when it is not stored */
async function anUpload({ environment, seed }: Parts, worker: Actor, taskId: Hex): Promise<KeyedFile> {
  const file = aLocalFile(`work ${seed}`)
  const body = await anUploadRequest(worker, taskId, file)
  const target = (await environment.post(`/tasks/${taskId}/submissions/request-upload-url`, { body, key: null })).body
  const put = { method: 'PUT', headers: target.uploadHeaders, body: new Uint8Array(file.bytes) }
  const { status } = await environment.fetch(target.uploadUrl, put)
  if (status !== 200) throw new Error(`the upload answered ${status}`)
  return toKeyedFile(target.artifactKey, file)
}
