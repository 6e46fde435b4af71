import { randomBytes } from 'node:crypto'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { aKey, createPayingClient, type PayingClient } from '../../support/paying-client.ts'
import { type LargeRequest, toShared } from './send-at-once.ts'
import type { UploadStack } from './upload-stack.ts'

const MIME_TYPE = 'application/octet-stream'
const REWARD = 1_000_000n
/** What the JSON around a file may take, bytes. */
const AROUND = 1_000

/** Makes requests with large bodies, one for each worker, all to one fresh task. */
export interface LargeRequests {
  /** Submissions whose JSON bodies have about `bodyBytes`. */
  submissions(): Promise<LargeRequest[]>
  /** The same files, each to the URL that the service gave for it. */
  uploads(): Promise<LargeRequest[]>
  /** The same bytes to the bare server. */
  bare(like: readonly LargeRequest[]): LargeRequest[]
  /** Bytes of one file. */
  fileBytes: number
}

export async function createLargeRequests(
  stack: UploadStack,
  { clients, bodyBytes }: { clients: number; bodyBytes: number },
): Promise<LargeRequests> {
  const requester = privateKeyToAccount(generatePrivateKey())
  await mintLocalUsdc(stack.anvil.url, requester.address, 1_000n * REWARD)
  const client = createPayingClient({ baseUrl: stack.baseUrl(), account: requester })
  const workers = Array.from({ length: clients }, () => privateKeyToAccount(generatePrivateKey()))
  const file = randomBytes(Math.floor((bodyBytes - AROUND) / 4) * 3)
  const [asBytes, asText] = [toShared(file), toShared(Buffer.from(file.toString('base64')))]

  const toSubmission = async (taskId: string, worker: PrivateKeyAccount): Promise<LargeRequest> => ({
    url: `${stack.baseUrl()}/api/tasks/${taskId}/submissions`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-idempotency-key': aKey() },
    before: `{"artifacts":[{"fileName":"file.bin","mimeType":"${MIME_TYPE}","file":"`,
    shared: asText,
    after: `"}],"workerAddress":"${worker.address}","signature":"${await sign(worker, taskId)}"}`,
  })
  const toUpload = async (taskId: string, worker: PrivateKeyAccount): Promise<LargeRequest> => {
    const answer = await client.send({
      path: `/tasks/${taskId}/submissions/request-upload-url`,
      key: aKey(),
      body: {
        workerAddress: worker.address,
        signature: await sign(worker, taskId),
        fileName: 'file.bin',
        mimeType: MIME_TYPE,
        sizeBytes: file.length,
      },
    })
    if (answer.status !== 200) throw new Error(`no upload URL: ${answer.status} ${JSON.stringify(answer.body)}`)
    const { uploadUrl: url, uploadHeaders: headers } = answer.body
    return { url, method: 'PUT', headers, before: '', shared: asBytes, after: '' }
  }
  const forEach = async (make: typeof toSubmission) => {
    const taskId = await createTask(client)
    return await Promise.all(workers.map((worker) => make(taskId, worker)))
  }
  return {
    submissions: () => forEach(toSubmission),
    uploads: () => forEach(toUpload),
    bare: (like) => like.map((request) => ({ ...request, url: `${stack.bareUrl}/`, headers: {} })),
    fileBytes: file.length,
  }
}

const sign = (worker: PrivateKeyAccount, taskId: string) => worker.signMessage({ message: `service:submit:${taskId}` })

async function createTask(client: PayingClient): Promise<string> {
  const body = { description: 'Deliver large files', reward: String(REWARD), duration: 24, tags: ['files'] }
  const answer = await client.pay({ path: '/tasks', key: aKey(), body })
  if (answer.status !== 200) throw new Error(`no task: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.taskId
}
