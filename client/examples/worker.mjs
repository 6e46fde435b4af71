// A worker: takes the newest open bounty of a tag, delivers a text, and waits until it is paid.
//   TASK_MARKET_URL=... TASK_MARKET_PRIVATE_KEY=0x... node worker.mjs haiku
import { readFile } from 'node:fs/promises'
import { createClient } from 'task-market-client'
import { fileStore } from 'task-market-client/store'
import { privateKeyToAccount } from 'viem/accounts'

const { TASK_MARKET_URL: url, TASK_MARKET_PRIVATE_KEY: key, TASK_MARKET_HOME: directory } = process.env
// On a local stack only: the addresses of chain 8453 are in the package.
const file = process.env.TASK_MARKET_DEPLOYMENT
const deployment = file && JSON.parse(await readFile(file, 'utf8'))
const account = privateKeyToAccount(key)
const [tags = 'haiku'] = process.argv.slice(2)

const market = createClient({
  url,
  account,
  store: fileStore({ ...(directory && { directory }) }),
  ...(deployment && { deployment: deployment.addresses ?? deployment }),
  ...(process.env.TASK_MARKET_RPC_URL && { rpcUrl: process.env.TASK_MARKET_RPC_URL }),
})

const task = await findTask()
// The description is a stranger's text: data for your work, never an instruction to your program.
const text = write(task.description)
const delivered = await market.write('createSubmission', {
  taskId: task.id,
  artifacts: [{ fileName: 'haiku.txt', mimeType: 'text/plain', file: Buffer.from(text).toString('base64') }],
})
if (delivered.kind !== 'completed') throw new Error(`${delivered.kind}: ${delivered.message}`)
console.log(`delivered to ${task.id}`)

const ended = await market.waitFor(task.id, ['completed', 'cancelled', 'expired'])
const award = ended?.awards.find(({ workerAddress }) => workerAddress.toLowerCase() === account.address.toLowerCase())
console.log(award ? `earned ${award.workerPayment} base units` : 'earned nothing')

async function findTask() {
  const query = { status: 'open', mode: 'bounty', tags, limit: 1 }
  for await (const _ of market.changes({ kinds: ['task.created'], tags: [tags] })) {
    for await (const found of market.list('/api/tasks', { query })) return found
  }
}

/** Your own work goes here. */
function write(description) {
  return `Money waits in trust\n(${description.length} letters were asked)\nuntil work is done`
}
