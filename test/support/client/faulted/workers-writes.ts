import { identityRegistrarAbi } from '../../../../abis/identity-registrar.ts'
import type { WriteInput } from '../../../../client/src/api/write-names.ts'
import { aClaimTask, anAuctionTask } from '../../conformance-fixtures.ts'
import { countEvents } from './count-events.ts'
import { aTaskOf, type FaultedWrite, FEE, marketEvents, type Parts, REWARD, type Recipe } from './recipe.ts'

const STAKE_BPS = 1_000

/** What a worker does: entries of every mode, free, paid and staked, and the registration of an identity. */
export const workersWrites: readonly Recipe[] = [
  async (parts) => {
    const { environment, aWallet, seed } = parts
    const wallet = await aWallet()
    const { taskId } = await aTaskOf(parts)
    const file = Buffer.from(`work ${seed}`).toString('base64')
    const artifacts = [{ fileName: 'work.txt', mimeType: 'text/plain', file }]
    const countDone = async () => (await environment.chain.task(taskId)).submissionCount
    return { write: 'createSubmission', wallet, input: { taskId, artifacts }, cost: 0n, countDone }
  },
  async (parts) => {
    const pitchText = `Pitch ${parts.seed}`
    return await anEntry(parts, { write: 'createPitch', task: { mode: 'pitch' }, input: { pitchText } })
  },
  async (parts) => {
    const task = anAuctionTask('reverse_english', { reward: String(REWARD) })
    return await anEntry(parts, { write: 'createBid', task, input: { price: '15000' } })
  },
  async (parts) => {
    const task = { mode: 'benchmark', metricDescription: 'Requests a second', metricTarget: '5000' }
    const input = { proofData: `https://example.com/${parts.seed}`, proofType: 'url', metricValue: '6000' }
    return await anEntry(parts, { write: 'createProof', task, input })
  },
  async (parts) => {
    const task = aClaimTask({ stakeBps: STAKE_BPS })
    const cost = (REWARD * BigInt(STAKE_BPS)) / 10_000n
    return await anEntry(parts, { write: 'createClaim', task, input: {}, cost })
  },
  async (parts) => {
    const task = anAuctionTask('dutch', { reward: String(REWARD), auctionFloorPrice: '10000' })
    return await anEntry(parts, { write: 'acceptAuction', task, input: {} })
  },
  async ({ environment, aWallet }) => {
    const wallet = await aWallet()
    const { identityRegistrar: address } = environment.chain.deployment
    const event = { address, abi: identityRegistrarAbi, name: 'AgentRegistered' }
    const countDone = () => countEvents(environment, event, [wallet.address])
    return { write: 'registerIdentity', wallet, input: {}, cost: FEE, countDone }
  },
]

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
): Promise<FaultedWrite> {
  const wallet = await parts.aWallet()
  const { taskId } = await aTaskOf(parts, task)
  const countDone = marketEvents(parts, entries[write], [taskId, wallet.address])
  return { write, wallet, input: { taskId, ...input } as WriteInput<Entry>, cost, countDone }
}
