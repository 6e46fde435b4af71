// A requester on fetch and viem alone: publishes a bounty, takes the first delivery, pays and rates it.
//   BASE_URL=https://... REQUESTER_KEY=0x... DEPLOYMENT=deployments/8453.json node requester.mjs haiku
// Payments go to the forwarder of the deployment file, whatever a server asks for. A local stack's is .local/deployment.json.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { keccak256, stringToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const { BASE_URL: base, REQUESTER_KEY: key, DEPLOYMENT: file } = process.env
const [tag = 'haiku'] = process.argv.slice(2)
const account = privateKeyToAccount(key)
const { chainId, usdc: token, contracts } = JSON.parse(readFileSync(file, 'utf8'))
const [usdc, forwarder] = [token.address, contracts.forwarder.address]
const domain = { name: token.name, version: token.version, chainId, verifyingContract: usdc }
const uint = ['value', 'validAfter', 'validBefore'].map((name) => ({ name, type: 'uint256' }))
const address = ['from', 'to'].map((name) => ({ name, type: 'address' }))
const primaryType = 'TransferWithAuthorization'
const types = { [primaryType]: [...address, ...uint, { name: 'nonce', type: 'bytes32' }] }
const pause = () => new Promise((resolve) => setTimeout(resolve, 2_000))

/** A paid write: one key is one write and one payment, however often it is sent. `most`: its highest price. */
async function write(path, fields, most) {
  const [id, body] = [randomUUID(), JSON.stringify(fields)]
  const headers = { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': id }
  const send = () => fetch(base + path, { method: 'POST', headers, body, redirect: 'error' })
  headers['PAYMENT-SIGNATURE'] = await pay(await send(), { path, id, body, most })
  for (;;) {
    // After a lost or undecided answer the record of the key says what happened; without one the same request is sent again.
    const answer = await send().catch(() => null)
    if (answer?.status === 200) return await answer.json()
    const look = await fetch(`${base}/api/intents?idempotencyKey=${id}`, { headers }).catch(() => null)
    const record = await look?.json().catch(() => null)
    if (record?.status === 'completed') return record
    if (record?.status === 'failed') throw new Error(`${path} failed: ${record.terminalReason}`)
    if (answer && answer.status < 500 && answer.status !== 409) throw new Error(`${path}: ${await answer.text()}`)
    await pause()
  }
}

/** The payment of a challenge; its nonce names this request, so that it pays for no other. */
async function pay(challenged, { path, id, body, most }) {
  const { resource, accepts, error } = await challenged.json()
  if (challenged.status !== 402) throw new Error(`${path}: ${error}`)
  const [accepted] = accepts
  const { network, asset, payTo, amount } = accepted
  const isOurs = network === `eip155:${chainId}` && asset.toLowerCase() === usdc.toLowerCase()
  if (!isOurs || payTo.toLowerCase() !== forwarder.toLowerCase()) throw new Error(`${path} asks for another payment`)
  if (BigInt(amount) > BigInt(most)) throw new Error(`${path} asks for ${amount}, and ${most} is the most`)
  const digest = createHash('sha256').update(body).digest('hex')
  const named = `service:pay:${chainId}:${forwarder.toLowerCase()}:POST ${path}:${id}:${digest}`
  const validBefore = String(Math.floor(Date.now() / 1000) + 300)
  const nonce = keccak256(stringToBytes(named))
  const authorization = { from: account.address, to: payTo, value: amount, validAfter: '0', validBefore, nonce }
  const signature = await account.signTypedData({ domain, types, primaryType, message: authorization })
  const payment = { x402Version: 2, resource, accepted, payload: { signature, authorization } }
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}

const task = { description: 'A haiku about escrow', reward: '2000000', duration: 24, tags: [tag] }
const { taskId } = await write('/api/tasks', task, task.reward)
console.log(`published ${taskId}`)
let deliveries = []
while (deliveries.length === 0) {
  deliveries = await fetch(`${base}/api/tasks/${taskId}/submissions`).then((answer) => answer.json())
  if (deliveries.length === 0) await pause()
}
const worker = deliveries[0].workerAddress
await write(`/api/tasks/${taskId}/accept`, { worker }, 1_000)
await write(`/api/tasks/${taskId}/rate`, { worker, rating: 90 }, 1_000)
console.log(`paid ${worker}`)
