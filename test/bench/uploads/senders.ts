/** The thread of the clients: what it costs to send must not show in what the probe measures. */
import { request } from 'node:http'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { LargeRequest, SentRequest } from './send-at-once.ts'

const port = parentPort as MessagePort

port.on('message', async (requests: LargeRequest[]) => {
  port.postMessage(await Promise.all(requests.map(send)))
})

function send({ url, method, headers, before, shared, after }: LargeRequest): Promise<SentRequest> {
  const bytes = Buffer.from(shared)
  const length = Buffer.byteLength(before) + bytes.length + Buffer.byteLength(after)
  return new Promise((resolve) => {
    const end = (status: number, body: string) => resolve({ status, body: body.slice(0, 500) })
    const sent = request(
      url,
      { method, agent: false, headers: { ...headers, 'content-length': length } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('end', () => end(response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8')))
      },
    )
    sent.on('error', (error) => end(0, error.message))
    sent.write(before)
    sent.write(bytes)
    sent.end(after)
  })
}
