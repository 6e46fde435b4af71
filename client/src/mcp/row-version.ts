import type { components } from '../api/openapi.ts'
import type { ClientContext } from '../context.ts'
import { taskShape } from '../http/shapes.ts'
import { sha256Hex } from '../payments/payment-text.ts'
import { readJson } from '../reads/read-json.ts'
import { readSubmissions } from '../reads/submissions.ts'
import { Refused } from '../writes/write-spec.ts'

/**
 * The task fields on which decisions about the task depend. Excludes fields that other parties can change between two
 * calls, such as submission counts.
 */
const fields = [
  'id',
  'requester',
  'description',
  'reward',
  'mode',
  'status',
  'expiryTime',
  'claimedBy',
  'claimRound',
  'termsHash',
  'stakeBps',
  'platformFeeBps',
  'evaluator',
  'evaluatorFeeBps',
  'evaluationWindow',
  'appealWindow',
  'disputeResolver',
  'verdictType',
  'verdictScore',
  'hookContract',
  'hooks',
  'auctionType',
  'auctionStartPrice',
  'auctionFloorPrice',
  'maxPrice',
  'currentLowestBid',
  'awards',
] as const satisfies readonly (keyof components['schemas']['TaskDetail'])[]

/**
 * A worker's newest submission to the task. `submissionId` and `deliverableHash` are null if the wallet may read no
 * submission of the worker.
 */
export interface JudgedSubmission {
  worker: string
  submissionId: string | null
  deliverableHash: string | null
  isRejected: boolean
}

/**
 * The service's answer about the task of a write. `version`: a hash of the task's fields named in `fields`, and of the
 * submissions in `submissions`.
 */
export interface TaskRow {
  version: string
  platformFeeBps: number
  /** The newest submission of each worker whom the write names. */
  submissions: JudgedSubmission[]
  /** The operation ids of the writes that the service offers this wallet for the task now. */
  offered: string[]
}

/**
 * Reads the task, and the newest submission of each worker whom the write names. The version is a hash of the task's
 * main fields and these submissions. A confirmed acceptance therefore applies only to the submission that the preview
 * showed.
 * @throws Refused when the task or the submissions cannot be read
 */
export async function readTaskRow(context: ClientContext, taskId: string, input: object = {}): Promise<TaskRow> {
  const answer = await readJson(context, `/api/tasks/${taskId.toLowerCase()}`, {}, taskShape)
  if (!answer.ok) throw new Refused('task_unreadable', `The task cannot be read: ${answer.message}`)
  const row = answer.body as Record<string, unknown>
  const { platformFeeBps, pendingActions } = row
  const actions = (Array.isArray(pendingActions) ? pendingActions : []) as { request?: { operationId?: unknown } }[]
  const submissions = await readNewest(context, taskId.toLowerCase(), workersIn(input))
  return {
    version: await sha256Hex(JSON.stringify([...fields.map((name) => row[name] ?? null), submissions])),
    submissions,
    platformFeeBps: Number.isSafeInteger(platformFeeBps) ? Number(platformFeeBps) : 0,
    offered: actions.flatMap(({ request }) => (typeof request?.operationId === 'string' ? [request.operationId] : [])),
  }
}

/**
 * Returns the addresses of the workers whom a write names, in lower case. The write names them in `worker`, or in the
 * rows of `winners` and `awards`.
 */
function workersIn(input: object): string[] {
  const { worker, winners, awards } = input as { worker?: unknown; winners?: unknown; awards?: unknown }
  const rows = [winners, awards].flatMap((list) => (Array.isArray(list) ? (list as { worker?: unknown }[]) : []))
  const workerAddresses = [worker, ...rows.map((row) => row.worker)].filter(
    (one): one is string => typeof one === 'string',
  )
  return [...new Set(workerAddresses.map((one) => one.toLowerCase()))]
}

/**
 * Reads each worker's newest submission to the task.
 * @throws Refused when the submissions cannot be read
 */
async function readNewest(context: ClientContext, taskId: string, workers: string[]): Promise<JudgedSubmission[]> {
  if (workers.length === 0) return []
  const newestByWorker = new Map<string, JudgedSubmission>()
  for (const { id, workerAddress, deliverableHash, rejectedAt } of await readSubmissions(context, taskId)) {
    const worker = workerAddress.toLowerCase()
    newestByWorker.set(worker, { worker, submissionId: id, deliverableHash, isRejected: rejectedAt !== null })
  }
  return workers.map(
    (worker) => newestByWorker.get(worker) ?? { worker, submissionId: null, deliverableHash: null, isRejected: false },
  )
}
