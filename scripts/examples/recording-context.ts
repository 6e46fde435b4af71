import { type Hex, isHex, type PrivateKeyAccount } from 'viem'
import { type DevRole, devAccount } from '../chain/dev-accounts.ts'
import type { ChainControl } from './chain-control.ts'
import { type Recorder, textAt } from './recorder.ts'
import type { ExampleStack } from './stack.ts'
import { signVerb } from './wallets.ts'

/** The tools of a recording, and steps that several recordings use. These steps record no examples. */
export interface RecordingContext extends Recorder {
  chain: ChainControl
  deployment: ExampleStack['deployment']
  importWithdrawalAddress: ExampleStack['importWithdrawalAddress']
  compareBooks: ExampleStack['compareBooks']
  wallet(role: DevRole): PrivateKeyAccount
  /** Returns the id of the public demo task whose description begins with `title`. */
  findSeededTask(title: string): Promise<Hex>
  /**
   * Creates a task of the requester. @param fields fields that differ from the default, a public bounty of 2 USDC for a
   * day @returns the task's id
   */
  createTask(fields: Record<string, unknown>): Promise<Hex>
  /** Claims a task for a worker, without a stake. */
  claim(worker: DevRole, taskId: Hex): Promise<void>
  /** Submits one file to a task. @returns the submission's id */
  submit(worker: DevRole, taskId: Hex): Promise<Hex>
  /** Returns the request body that submits one file. */
  submissionBody(worker: DevRole, taskId: Hex): Promise<Record<string, unknown>>
}

/** The file of every recorded submission. */
export const deliveredFile = { fileName: 'haiku.txt', mimeType: 'text/plain', text: 'Money waits in trust' }

export function openContext(
  recorder: Recorder,
  {
    chain,
    ...stack
  }: { chain: ChainControl } & Pick<ExampleStack, 'deployment' | 'importWithdrawalAddress' | 'compareBooks'>,
): RecordingContext {
  const wallet = (role: DevRole) => devAccount(role).account
  const submissionBody: RecordingContext['submissionBody'] = async (worker, taskId) => {
    const { fileName, mimeType, text } = deliveredFile
    return {
      taskId,
      workerAddress: wallet(worker).address,
      artifacts: [{ fileName, mimeType, role: 'final', file: Buffer.from(text).toString('base64') }],
      signature: await signVerb(wallet(worker), 'submit', taskId),
    }
  }
  return {
    ...recorder,
    ...stack,
    chain,
    wallet,
    submissionBody,
    findSeededTask: async (title) => {
      const { body } = await recorder.perform('listTasks', { query: { limit: '100' } })
      const { tasks } = body as { tasks: { id: Hex; description: string }[] }
      const seededTask = tasks.find(({ description }) => description.startsWith(title))
      if (seededTask === undefined) throw new Error(`the seed has no task "${title}"`)
      return seededTask.id
    },
    createTask: async (fields) => {
      const body = { description: 'Write a haiku about escrow', reward: '2000000', duration: 24, tags: [], ...fields }
      return hexAt((await recorder.perform('createTask', { payer: 'requester', body })).body, 'taskId')
    },
    claim: async (worker, taskId) => {
      const signature = await signVerb(wallet(worker), 'claim', taskId)
      const body = { taskId, workerAddress: wallet(worker).address, signature }
      await recorder.perform('createClaim', { params: { taskId }, body })
    },
    submit: async (worker, taskId) => {
      const body = await submissionBody(worker, taskId)
      return hexAt((await recorder.perform('createSubmission', { params: { taskId }, body })).body, 'submissionId')
    },
  }
}

/** Returns the hex string (0x…) at a path of keys in parsed JSON. @throws if there is none at this path */
export function hexAt(value: unknown, ...path: (string | number)[]): Hex {
  const text = textAt(value, ...path)
  if (isHex(text)) return text
  throw new Error(`no hex at ${path.join('.')}: ${text}`)
}
