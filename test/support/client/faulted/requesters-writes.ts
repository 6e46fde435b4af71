import { aClaimTask } from '../../conformance-fixtures.ts'
import { aDelivery, aTaskOf, FEE, marketEvents, mustPay, REWARD, type Recipe } from './recipe.ts'

/** Longer than `SHORT_HOURS`, seconds. */
const LONGER_SECONDS = 4
const SHORT_HOURS = 3 / 3_600

/** What a requester does: creation and change of tasks, each end of one, selection, refusal and rating. */
export const requestersWrites: readonly Recipe[] = [
  async (parts) => {
    const wallet = await parts.aWallet()
    const input = { description: `Task ${parts.seed}`, reward: String(REWARD), duration: 24, tags: [] }
    const countDone = marketEvents(parts, 'TaskCreated', [null, wallet.address])
    return { write: 'createTask', wallet, input, cost: REWARD, countDone }
  },
  async (parts) => {
    const { requester: wallet, taskId } = await aTaskOf(parts)
    // The text would change each time.
    const input = { taskId, reward: String(REWARD + 5_000n), description: `Task ${parts.seed}, again` }
    const countDone = marketEvents(parts, 'TaskUpdated', [taskId])
    return { write: 'updateTask', wallet, input, cost: FEE + 5_000n, countDone }
  },
  async (parts) => {
    const { requester: wallet, taskId } = await aTaskOf(parts)
    const countDone = marketEvents(parts, 'TaskCancelled', [taskId])
    return { write: 'cancelTask', wallet, input: { taskId }, cost: FEE - REWARD, countDone }
  },
  async (parts) => {
    const { requester: wallet, taskId } = await aTaskOf(parts, { duration: SHORT_HOURS })
    await parts.environment.chain.passTime(LONGER_SECONDS)
    const countDone = marketEvents(parts, 'TaskExpired', [taskId])
    return { write: 'refundExpiredTask', wallet, input: { taskId }, cost: FEE - REWARD, countDone }
  },
  async (parts) => {
    const { requester: wallet, taskId } = await aTaskOf(parts, { mode: 'pitch' })
    const worker = await parts.aWallet()
    const pitch = { workerAddress: worker.address, pitchText: `Pitch ${parts.seed}`, signature: '0x00' }
    const { pitchId } = await mustPay(parts, worker, `/tasks/${taskId}/pitches`, pitch)
    const input = { taskId, pitchId, workerAddress: worker.address }
    const countDone = marketEvents(parts, 'TaskWorkerSelected', [taskId, worker.address])
    return { write: 'selectWorker', wallet, input, cost: FEE, countDone }
  },
  async (parts) => {
    const { requester: wallet, taskId, worker } = await aDelivery(parts)
    const input = { taskId, worker: worker.address }
    const countDone = marketEvents(parts, 'TaskCompleted', [taskId, worker.address])
    return { write: 'acceptSubmission', wallet, input, cost: FEE, countDone }
  },
  async (parts) => {
    const { requester: wallet, taskId, worker, others } = await aDelivery(parts, { workers: 2 })
    const winners = [worker, ...others].map(({ address }) => ({ worker: address, share: 5_000 }))
    // Each of the two.
    const countAwards = marketEvents(parts, 'TaskCompleted', [taskId])
    const countDone = async () => (await countAwards()) / winners.length
    return { write: 'acceptSubmissions', wallet, input: { taskId, winners }, cost: FEE, countDone }
  },
  async (parts) => {
    const { requester: wallet, taskId, worker } = await aDelivery(parts)
    const input = { taskId, worker: worker.address }
    const countDone = marketEvents(parts, 'SubmissionRejected', [taskId, worker.address])
    return { write: 'rejectSubmission', wallet, input, cost: FEE, countDone }
  },
  async (parts) => {
    const { requester: wallet, taskId } = await aDelivery(parts, { task: aClaimTask() })
    const countDone = marketEvents(parts, 'DeliveryObjected', [taskId])
    return { write: 'objectToDelivery', wallet, input: { taskId }, cost: FEE, countDone }
  },
  async (parts) => {
    const { requester: wallet, taskId, worker } = await aDelivery(parts)
    await parts.environment.accept(wallet, taskId, worker)
    const input = { taskId, worker: worker.address, rating: parts.seed % 101, feedbackText: `Run ${parts.seed}` }
    const countDone = marketEvents(parts, 'TaskRated', [taskId, worker.address])
    return { write: 'rateWorker', wallet, input, cost: FEE, countDone }
  },
]
