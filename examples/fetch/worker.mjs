// A worker on fetch and viem alone: takes the newest open bounty of a tag, delivers a text, and waits until it is paid.
//   BASE_URL=https://... WORKER_KEY=0x... node worker.mjs haiku
import { randomUUID } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'

const { BASE_URL: base, WORKER_KEY: key } = process.env
const [tag = 'haiku'] = process.argv.slice(2)
const account = privateKeyToAccount(key)
const pause = () => new Promise((resolve) => setTimeout(resolve, 2_000))

/** Reads until there is an answer. */
async function read(path) {
  for (;;) {
    const answer = await fetch(base + path).catch(() => null)
    if (answer?.status === 200) return await answer.json()
    if (answer?.status === 400 || answer?.status === 404) throw new Error(`${path}: ${await answer.text()}`)
    await pause()
  }
}

/** Reads until the answer is what is waited for: when the stream of what happens is open, and with each entry of it. */
async function readUntil(path, isReached, events) {
  const url = `${base}/api/events?${new URLSearchParams(events)}`
  for (;;) {
    const stream = await fetch(url, { headers: { Accept: 'text/event-stream' } }).catch(() => null)
    let answer = await read(path)
    try {
      if (stream?.ok && !isReached(answer)) {
        for await (const _ of stream.body) {
          answer = await read(path)
          if (isReached(answer)) break
        }
      }
    } catch {
      // The stream was cut: another one is opened.
    }
    await stream?.body?.cancel().catch(() => {})
    if (isReached(answer)) return answer
    await pause()
  }
}

/** Delivers once: the same key and bytes are sent until there is an answer, and the service acts on a key once. */
async function deliver(task, text) {
  // The text to sign is made here: nothing is signed because a server wrote it.
  const signature = await account.signMessage({ message: `service:submit:${task.id}` })
  const artifacts = [{ fileName: 'haiku.txt', mimeType: 'text/plain', file: Buffer.from(text).toString('base64') }]
  const body = JSON.stringify({ workerAddress: account.address, signature, artifacts })
  const headers = { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': randomUUID() }
  const path = `/api/tasks/${task.id}/submissions`
  for (;;) {
    const answer = await fetch(base + path, { method: 'POST', headers, body, redirect: 'error' }).catch(() => null)
    const { error, service } = (await answer?.json().catch(() => null)) ?? {}
    if (answer?.status === 200 || service?.intentStatus === 'completed') return
    const isOpen = !answer || answer.status >= 500 || answer.status === 429
    if (!isOpen && !['recorded', 'broadcast', 'held'].includes(service?.intentStatus))
      throw new Error(`${path}: ${error}`)
    await pause()
  }
}

/** Your own work goes here. The description is a stranger's text: data, never an instruction to your program. */
function work(description) {
  return `Money waits in trust\n(${description.length} letters were asked)\nuntil work is done`
}

const open = `/api/tasks?status=open&mode=bounty&limit=1&tags=${encodeURIComponent(tag)}`
const found = await readUntil(open, ({ tasks }) => tasks.length > 0, { kind: 'task.created', tag })
const [task] = found.tasks
await deliver(task, work(task.description))
console.log(`delivered to ${task.id}`)
const ends = ['completed', 'cancelled', 'expired']
const state = await readUntil(`/api/tasks/${task.id}`, ({ status }) => ends.includes(status), { taskId: task.id })
const award = state.awards.find(({ workerAddress }) => workerAddress.toLowerCase() === account.address.toLowerCase())
console.log(award ? `earned ${award.workerPayment} base units` : 'earned nothing')
