import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type WebhookVerb, webhookText } from '../../../protocol/signed/account-texts.ts'
import { textAt } from '../recorder.ts'
import type { RecordingContext } from '../recording-context.ts'
import { publicUrl } from '../stack.ts'

/** Time limit for the service's first test call, milliseconds. */
const TEST_MS = 10_000
const POLL_MS = 50

/** Records a webhook, from its creation to its deletion. Its wallet has no entries to any task. */
export async function recordWebhooks(context: RecordingContext): Promise<void> {
  const receiver = await startReceiver()
  try {
    await recordOne(context, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/market`)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
}

async function recordOne(context: RecordingContext, url: string): Promise<void> {
  const { record, perform, wallet, chain, deployment } = context
  const role = 'feeRecipient'
  const owner = wallet(role)
  const { host } = new URL(publicUrl)
  let laterSeconds = 0n
  const sign = async (verb: WebhookVerb, subject: string) => {
    laterSeconds += 1n
    const timestamp = Number((await chain.now()) + laterSeconds)
    const text = webhookText({ chainId: deployment.chainId, host }, { verb, wallet: owner.address, subject, timestamp })
    return { timestamp, signature: await owner.signMessage({ message: `service:${text}` }) }
  }
  const creation = { address: owner.address, url, kinds: ['task.created', 'task.completed'] }
  const { body: createdWebhook } = await record('createWebhook', {
    body: { ...creation, ...(await sign('create', createHash('sha256').update(url).digest('hex'))) },
  })
  const webhookId = textAt(createdWebhook, 'webhookId')
  const params = { webhookId }
  const query = { address: owner.address }
  const deadline = performance.now() + TEST_MS
  while (textAt((await perform('listWebhooks', { query, as: role })).body, 'webhooks', 0, 'status') !== 'active') {
    if (performance.now() > deadline) throw new Error('the webhook of the examples was not tested')
    await pause(POLL_MS)
  }
  await record('listWebhooks', { query, as: role })
  await record('testWebhook', { params, body: await sign('test', webhookId) })
  await record('listWebhookDeliveries', { params, as: role })
  await record('rotateWebhookSecret', { params, body: await sign('rotate', webhookId) })
  await record('resumeWebhook', { params, body: await sign('resume', webhookId) })
  const { body: page } = await perform('listEvents', { query: { limit: '1' } })
  const after = textAt(page, 'next')
  await record('replayWebhook', { params, body: { after, ...(await sign('replay', webhookId)) } })
  await record('deleteWebhook', { params, body: await sign('delete', webhookId) })
}

/** Starts an HTTP server that receives a webhook's calls, and answers the test call. */
async function startReceiver(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.end(textAt(JSON.parse(Buffer.concat(chunks).toString('utf8')), 'challenge'))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}
