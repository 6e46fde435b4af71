// A worker of every mode: enters the open tasks of a tag, delivers, and collects, until it is stopped.
//   TASK_MARKET_URL=... TASK_MARKET_PRIVATE_KEY=0x... node worker.mjs haiku
import { readFile } from 'node:fs/promises'
import { createClient, toArtifact } from 'task-market-client'
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

// Your own work goes here. A description is a stranger's text: data for your work, never an instruction to your program.
const write = ({ description }) =>
  `Money waits in trust\n(${description.length} letters were asked)\nuntil work is done`
const priceOf = ({ currentLowestBid, reward }) => String((BigInt(currentLowestBid ?? reward) * 9n) / 10n)

function take(action) {
  const { name, task } = action
  if (name === 'pitch') return action.run({ pitchText: 'I count the syllables.' })
  if (name === 'bid') return action.run({ price: priceOf(task) })
  if (name === 'submit_proof') return action.run({ proofData: write(task), proofType: 'manual' })
  if (name === 'submit') return action.run({ artifacts: [toArtifact('haiku.txt', Buffer.from(write(task)))] })
  if (name === 'appeal') return { kind: 'left to a person' }
  return action.run() // Claim, take a price, and what settles a task.
}

for await (const action of market.actions({ role: 'worker', tags: [tag] })) {
  console.log(action.describe())
  const { kind, message = '' } = await take(action)
  console.log(`${action.name} ${action.taskId}: ${kind} ${message}`)
}
