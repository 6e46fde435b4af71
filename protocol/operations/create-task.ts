import { toCreateTaskParams } from '../creation/create-task-params.ts'
import { normaliseTerms, type TermsRequest } from '../creation/normalise-terms.ts'
import { toOwnHooks } from '../creation/own-hooks.ts'
import { nothing } from '../decisions.ts'
import type { HashedDocument } from '../documents/canonical-json.ts'
import { type TaskTexts, toTaskDocument } from '../documents/task-document.ts'
import { exampleSalt } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { ifGiven, toAddress, toBytes } from '../normalise.ts'
import { rewardPrice } from '../prices.ts'
import type { SubmissionVisibility } from '../visibilities.ts'

/**
 * A request for a new task. The contract call contains only the task's terms and a hash of the task's texts. Only the
 * service stores the task drop (a named group of tasks), the allowed viewers and the password.
 */
interface CreateTaskRequest extends TermsRequest {
  description: string
  submissionVisibility?: SubmissionVisibility | undefined
  metricDescription?: string | undefined
  metricTarget?: string | undefined
  hookContract?: string | undefined
  hookData?: string | undefined
  taskDropId?: string | undefined
  taskDropCreate?: { name: string; description?: string | undefined } | undefined
  allowedViewers?: readonly string[] | undefined
  accessPassword?: string | undefined
  documentSalt: string
}

/** A normalised request for a new task. */
export type Creation = ReturnType<typeof normalise>

/**
 * Creates a task (specification, "Create task"). The payer becomes the requester, and the payment is the reward.
 * Example: a bounty with `reward: '5000000'` costs exactly 5_000_000n base units, all of which become escrow.
 */
export const createTask = marketCall('createTask')({
  name: 'tasks.create',
  operationId: 'createTask',
  path: '/tasks',
  modes: ['paid'],
  facts: [],
  choices: ['documentSalt'],
  normalise,
  args: (creation) => [{ ...toCreateTaskParams(creation), contentHash: documentOfCreation(creation).hash }],
  price: rewardPrice,
  decides: nothing,
})

/**
 * Builds the document with the texts of a new task.
 * Example: `{ text: '{"description":"Write a haiku about escrow.",...}', hash: '0x..', texts }`.
 * @returns the document's JSON and hash, and the texts
 */
export function documentOfCreation(creation: Creation): HashedDocument & { texts: TaskTexts } {
  const { description, tags, taskVisibility, submissionVisibility, documentSalt } = creation
  const { metricDescription = null, metricTarget = null } = creation
  const texts = { description, tags, taskVisibility, submissionVisibility, metricDescription, metricTarget }
  return { ...toTaskDocument(texts, documentSalt), texts }
}

function normalise(request: CreateTaskRequest) {
  return {
    ...normaliseTerms(request),
    description: request.description,
    submissionVisibility: request.submissionVisibility ?? 'public',
    metricDescription: request.metricDescription,
    metricTarget: request.metricTarget,
    hookContract: ifGiven(request.hookContract, toAddress),
    hookData: ifGiven(request.hookData, toBytes),
    taskDropId: request.taskDropId?.toLowerCase(),
    taskDropCreate: request.taskDropCreate,
    allowedViewers: request.allowedViewers?.map(toAddress),
    accessPassword: request.accessPassword,
    documentSalt: toBytes(request.documentSalt),
  }
}

export const createTaskListing: ListingOf<typeof createTask> = {
  summary: 'Create a task and escrow its reward',
  description:
    'Paid: exactly the reward, all of which goes into escrow. Windows are rounded up to whole seconds, one second to ' +
    'ten years. Fields of modes other than the requested one are ignored.',
  gas: { typicalGas: 330_000, gasCeiling: 600_000 },
  allowance: (creation) => ({ ownHooks: toOwnHooks(creation).length }),
  example: {
    description: 'Write a haiku about escrow.',
    tags: ['poetry'],
    reward: '5000000',
    duration: 24,
    mode: 'bounty',
    taskVisibility: 'public',
    submissionVisibility: 'public',
    stakeRequired: false,
    stakeBps: 0,
    evaluatorFeeBps: 0,
    documentSalt: exampleSalt,
  },
}
