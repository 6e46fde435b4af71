import type { WriteName } from '../../../client/src/api/write-names.ts'
import { aClaimTask, anAuctionTask } from '../../support/conformance-fixtures.ts'
import { aDelivery, aTaskOf, FEE, marketEvents, mustPay, REWARD, type Recipe } from './recipe.ts'

/** Longer than `SHORT_HOURS`, seconds. */
const LONGER_SECONDS = 4
const SHORT_HOURS = 3 / 3_600
/** Time for a claim or a bid: longer than what passes in other runs. */
const WINDOW_SECONDS = 30

/** What a requester does, and any caller for it: creation and change of tasks, each end of one, selection, refusal and rating. */
export const requestersWrites = {
  createTask: async (parts) => {
    const wallet = await parts.aWallet()
    const input = { description: `Task ${parts.seed}`, reward: String(REWARD), duration: 24, tags: [] }
    const countDone = marketEvents(parts, 'TaskCreated', [null, wallet.address])
    return { wallet, input, cost: REWARD, countDone }
  },
  updateTask: async (parts) => {
    const { requester: wallet, taskId } = await aTaskOf(parts)
    // The text would change each time.
    const input = { taskId, reward: String(REWARD + 5_000n), description: `Task ${parts.seed}, again` }
    const countDone = marketEvents(parts, 'TaskUpdated', [taskId])
    return { wallet, input, cost: FEE + 5_000n, countDone }
  },
  cancelTask: async (parts) => {
    const { requester: wallet, taskId } = await aTaskOf(parts)
    const countDone = marketEvents(parts, 'TaskCancelled', [taskId])
    return { wallet, input: { taskId }, cost: FEE - REWARD, countDone }
  },
  refundExpiredTask: async (parts) => {
    const { requester: wallet, taskId } = await aTaskOf(parts, { duration: SHORT_HOURS })
    await parts.environment.chain.passTime(LONGER_SECONDS)
    const countDone = marketEvents(parts, 'TaskExpired', [taskId])
    return { wallet, input: { taskId }, cost: FEE - REWARD, countDone }
  },
  selectWorker: async (parts) => {
    const { requester: wallet, taskId } = await aTaskOf(parts, { mode: 'pitch' })
    const worker = await parts.aWallet()
    const pitch = { workerAddress: worker.address, pitchText: `Pitch ${parts.seed}`, signature: '0x00' }
    const { pitchId } = await mustPay(parts, worker, `/tasks/${taskId}/pitches`, pitch)
    const input = { taskId, pitchId, workerAddress: worker.address }
    const countDone = marketEvents(parts, 'TaskWorkerSelected', [taskId, worker.address])
    return { wallet, input, cost: FEE, countDone }
  },
  acceptSubmission: async (parts) => {
    const { requester: wallet, taskId, worker } = await aDelivery(parts)
    const input = { taskId, worker: worker.address }
    const countDone = marketEvents(parts, 'TaskCompleted', [taskId, worker.address])
    return { wallet, input, cost: FEE, countDone }
  },
  acceptSubmissions: async (parts) => {
    const { requester: wallet, taskId, worker, others } = await aDelivery(parts, { workers: 2 })
    const winners = [worker, ...others].map(({ address }) => ({ worker: address, share: 5_000 }))
    // Each of the two.
    const countAwards = marketEvents(parts, 'TaskCompleted', [taskId])
    const countDone = async () => (await countAwards()) / winners.length
    return { wallet, input: { taskId, winners }, cost: FEE, countDone }
  },
  rejectSubmission: async (parts) => {
    const { requester: wallet, taskId, worker } = await aDelivery(parts)
    const input = { taskId, worker: worker.address }
    const countDone = marketEvents(parts, 'SubmissionRejected', [taskId, worker.address])
    return { wallet, input, cost: FEE, countDone }
  },
  objectToDelivery: async (parts) => {
    const { requester: wallet, taskId } = await aDelivery(parts, { task: aClaimTask() })
    const countDone = marketEvents(parts, 'DeliveryObjected', [taskId])
    return { wallet, input: { taskId }, cost: FEE, countDone }
  },
  forfeitTask: async (parts) => {
    const wallet = await parts.aWallet()
    const worker = await parts.aWallet()
    // Time passes in other runs as well.
    const taskId = await parts.alone(async () => {
      const { environment } = parts
      const task = aClaimTask({ reward: String(REWARD), duration: WINDOW_SECONDS / 3_600 })
      const taskId = await environment.createTask(wallet, task)
      await environment.claim(worker, taskId)
      await environment.chain.passTime(WINDOW_SECONDS)
      return taskId
    })
    const countDone = marketEvents(parts, 'TaskReopened', [taskId])
    return { wallet, input: { taskId }, cost: 0n, countDone }
  },
  selectWinner: async (parts) => {
    const { environment, aWallet } = parts
    const [wallet, requester, worker] = [await aWallet(), await aWallet(), await aWallet()]
    const taskId = await parts.alone(async () => {
      const fields = { reward: String(REWARD), bidDeadline: WINDOW_SECONDS / 3_600 }
      const taskId = await environment.createTask(requester, anAuctionTask('english', fields))
      await mustPay(parts, worker, `/tasks/${taskId}/bids`, { taskId, price: '15000' })
      await environment.chain.passTime(WINDOW_SECONDS)
      return taskId
    })
    const countDone = marketEvents(parts, 'TaskWorkerSelected', [taskId, worker.address])
    return { wallet, input: { taskId }, cost: 0n, countDone }
  },
  rateWorker: async (parts) => {
    const { requester: wallet, taskId, worker } = await aDelivery(parts)
    await parts.environment.accept(wallet, taskId, worker)
    const input = { taskId, worker: worker.address, rating: parts.seed % 101, feedbackText: `Run ${parts.seed}` }
    const countDone = marketEvents(parts, 'TaskRated', [taskId, worker.address])
    return { wallet, input, cost: FEE, countDone }
  },
} satisfies Partial<Record<WriteName, Recipe>>
