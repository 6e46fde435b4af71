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

let found = []
while (found.length === 0) {
  found = (await read(`/api/tasks?status=open&mode=bounty&limit=1&tags=${encodeURIComponent(tag)}`)).tasks
  if (found.length === 0) await pause()
}
const [task] = found
await deliver(task, work(task.description))
console.log(`delivered to ${task.id}`)
let state = task
while (!['completed', 'cancelled', 'expired'].includes(state.status)) {
  await pause()
  state = await read(`/api/tasks/${task.id}`)
}
const award = state.awards.find(({ workerAddress }) => workerAddress.toLowerCase() === account.address.toLowerCase())
console.log(award ? `earned ${award.workerPayment} base units` : 'earned nothing')
