import type { Hex } from 'viem'
import type { AuctionType } from '../../protocol/rules/selectors.ts'
import type { Actor } from './actors.ts'
import type { Http } from './conformance-http.ts'
import type { Reply } from './paying-client.ts'

/** A file as a submission's body carries it. */
export interface FileInput {
  fileName: string
  mimeType: string
  role?: string
  /** Base64. */
  file: string
}

/** Fixtures of tests, made through the service. Each throws when the service refuses. */
export interface Fixtures {
  /** A public bounty of 2 USDC for a day, unless `fields` say otherwise; its id. */
  createTask(requester: Actor, fields?: Record<string, unknown>): Promise<Hex>
  /** One deliverable of a worker; its id. */
  submit(worker: Actor, taskId: Hex, files?: FileInput[]): Promise<Hex>
  /** A claim by the worker, who pays the stake where the task asks for one; its id. */
  claim(worker: Actor, taskId: Hex): Promise<Hex>
  accept(requester: Actor, taskId: Hex, worker: Pick<Actor, 'address'>): Promise<void>
  /** Shares in basis points, by rank. */
  split(requester: Actor, taskId: Hex, shares: [Actor, number][]): Promise<void>
  reject(requester: Actor, taskId: Hex, worker: Actor): Promise<void>
  cancel(requester: Actor, taskId: Hex): Promise<void>
  /** The id of the feedback. */
  rate(requester: Actor, taskId: Hex, fields: { worker: Actor; rating: number; feedbackText?: string }): Promise<Hex>
}

/** The body of a valid task. */
export function aTaskBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { description: 'Write a haiku about escrow', reward: '2000000', duration: 24, tags: ['haiku'], ...fields }
}

/** A text file of a submission. */
export function aTextFile(text = 'Money waits in trust', fields: Partial<FileInput> = {}): FileInput {
  return { fileName: 'haiku.txt', mimeType: 'text/plain', file: Buffer.from(text).toString('base64'), ...fields }
}

/** The body of a submission, signed by its worker. */
export async function aSubmissionBody(worker: Actor, taskId: Hex, artifacts: unknown = [aTextFile()]) {
  const signature = await worker.account.signMessage({ message: `service:submit:${taskId}` })
  return { taskId, workerAddress: worker.account.address, artifacts, signature }
}

/** A task of claim mode, with a stake when its rate is given (basis points). */
export function aClaimTask(fields: { stakeBps?: number } & Record<string, unknown> = {}): Record<string, unknown> {
  return { mode: 'claim', stakeRequired: (fields.stakeBps ?? 0) > 0, ...fields }
}

/**
 * An auction of 2 USDC at most for a day, whose bids end or whose clock stops after half of it. A clock moves between
 * that and 0.5 USDC.
 */
export function anAuctionTask(auctionType: AuctionType, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const reward = String(fields.reward ?? '2000000')
  const clock = {
    ...(auctionType === 'dutch' && { auctionFloorPrice: '500000' }),
    ...(auctionType === 'reverse_dutch' && { auctionStartPrice: '500000' }),
  }
  return { mode: 'auction', auctionType, reward, maxPrice: reward, bidDeadline: 12, ...clock, ...fields }
}

/** The body of a claim, signed by its worker; `round`: how many times the task was reopened. */
export async function aClaimBody(worker: Actor, taskId: Hex, round = 0) {
  const message = `service:claim:${taskId}${round === 0 ? '' : `:${round}`}`
  return { taskId, workerAddress: worker.account.address, signature: await worker.account.signMessage({ message }) }
}

/** The body of a forfeit, signed by its requester. */
export async function aForfeitBody(requester: Actor, taskId: Hex, round = 0) {
  const { account } = requester
  const message = `service:forfeit:${taskId}${round === 0 ? '' : `:${round}`}`
  return { taskId, requesterAddress: account.address, signature: await account.signMessage({ message }) }
}

type Pay = (payer: Actor, path: string, body?: unknown) => Promise<Reply>

export function createFixtures({ pay, get, post }: { pay: Pay } & Pick<Http, 'get' | 'post'>): Fixtures {
  const paid = async (payer: Actor, path: string, body?: unknown) => expectSuccess(path, await pay(payer, path, body))
  return {
    createTask: async (requester, fields) => (await paid(requester, '/tasks', aTaskBody(fields))).taskId,
    submit: async (worker, taskId, files) => {
      const path = `/tasks/${taskId}/submissions`
      const body = await aSubmissionBody(worker, taskId, files)
      return expectSuccess(path, await post(path, { body })).submissionId
    },
    claim: async (worker, taskId) => {
      const path = `/tasks/${taskId}/claim`
      const { claimRound, stakeBps } = (await get(`/tasks/${taskId}`)).body
      const body = await aClaimBody(worker, taskId, claimRound)
      if (stakeBps > 0) return (await paid(worker, path, body)).claimId
      return expectSuccess(path, await post(path, { body })).claimId
    },
    accept: async (requester, taskId, worker) => {
      await paid(requester, `/tasks/${taskId}/accept`, { taskId, worker: worker.address })
    },
    split: async (requester, taskId, shares) => {
      const winners = shares.map(([worker, share]) => ({ worker: worker.address, share }))
      await paid(requester, `/tasks/${taskId}/accept-submissions`, { taskId, winners })
    },
    reject: async (requester, taskId, worker) => {
      await paid(requester, `/tasks/${taskId}/reject-submission`, { taskId, worker: worker.address })
    },
    cancel: async (requester, taskId) => {
      await paid(requester, `/tasks/${taskId}/cancel`)
    },
    rate: async (requester, taskId, { worker, ...fields }) =>
      (await paid(requester, `/tasks/${taskId}/rate`, { taskId, worker: worker.address, ...fields })).feedbackId,
  }
}

function expectSuccess(path: string, { status, body }: Reply) {
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
  return body
}
