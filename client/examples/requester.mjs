// A requester: publishes a bounty, takes the first delivery, pays and rates it.
//   TASK_MARKET_URL=... TASK_MARKET_PRIVATE_KEY=0x... node requester.mjs haiku
import { readFile } from 'node:fs/promises'
import { createClient } from 'task-market-client'
import { fileStore } from 'task-market-client/store'
import { privateKeyToAccount } from 'viem/accounts'

const { TASK_MARKET_URL: url, TASK_MARKET_PRIVATE_KEY: key, TASK_MARKET_HOME: directory } = process.env
// On a local stack only: the addresses of chain 8453 are in the package.
const file = process.env.TASK_MARKET_DEPLOYMENT
const deployment = file && JSON.parse(await readFile(file, 'utf8'))
const [tag = 'haiku'] = process.argv.slice(2)

const market = createClient({
  url,
  account: privateKeyToAccount(key),
  store: fileStore({ ...(directory && { directory }) }),
  ...(deployment && { deployment: deployment.addresses ?? deployment }),
  ...(process.env.TASK_MARKET_RPC_URL && { rpcUrl: process.env.TASK_MARKET_RPC_URL }),
})

/** What a write answered; an outcome that is not certain ends the program, and the next start goes on with it. */
async function must(outcome) {
  const { kind, answer, taskId, message } = await outcome
  if (kind !== 'completed') throw new Error(`${kind}: ${message}`)
  return { ...answer, taskId }
}

const { taskId } = await must(
  market.write('createTask', { description: 'A haiku about escrow', reward: '2000000', duration: 24, tags: [tag] }),
)
console.log(`published ${taskId}`)

const delivery = await firstDelivery(taskId)
await must(market.write('acceptSubmission', { taskId, worker: delivery.workerAddress }))
await must(market.write('rateWorker', { taskId, worker: delivery.workerAddress, rating: 90 }))
console.log(`paid ${delivery.workerAddress}`)

async function firstDelivery(taskId) {
  for (;;) {
    for await (const row of market.list('/api/tasks/{taskId}/submissions', { path: { taskId } })) return row
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
}
