import { encodeFunctionData, type Hex } from 'viem'
import { expect, inject, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { WriteInput } from '../../client/src/api/write-names.ts'
import { createClient } from '../../client/src/create-client.ts'
import { fileStore } from '../../client/src/store/file-store.ts'
import type { Outcome } from '../../client/src/writes/outcome.ts'
import { createRandom } from '../chain/indexer/random.ts'
import type { Actor } from '../support/actors.ts'
import { type FaultPlan, planFaults } from '../support/client/fault-plan.ts'
import { startFaultProxy } from '../support/client/fault-proxy.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'
import { byDepth } from '../support/depth.ts'

const environment = openEnvironment()
const runs = byDepth(60, 2_000)
const firstSeed = Number(process.env.CLIENT_SEED ?? 1)
const AT_ONCE = 8
const REWARD = 20_000n
/** Shorter than the longest delay of the proxy, so that requests arrive after their caller has left them. */
const timing = { requestMs: 2_500, waitMs: 6_000, pauseMs: 50, maxPauseMs: 300 }

interface Task {
  write: 'createTask' | 'createSubmission' | 'acceptSubmission'
  wallet: Actor
  input: WriteInput<'createTask'> | WriteInput<'createSubmission'> | WriteInput<'acceptSubmission'>
  /** What it costs when it is done, base units. */
  cost: bigint
  /** The wallet's balance before it, base units. */
  balance: bigint
  /** How often it has been done, by the chain alone. */
  countDone(): Promise<number>
}

/** `first`: what the caller was told while exchanges broke; `last`: by the same call afterwards. */
interface Result {
  seed: number
  plan: FaultPlan
  task: Task
  first: Outcome<unknown>
  last: Outcome<unknown>
}

test(
  `given exchanges that are cut, held back and copied (${runs} runs), then no write is paid twice or reported wrong`,
  async () => {
    const seeds = Array.from({ length: runs }, (_, run) => firstSeed + run)
    const results: Result[] = []
    const queue = [...seeds]
    const next = async () => {
      for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) results.push(await runSeed(seed))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
    // Only now has everything arrived that was held back: what was refused must not have happened after all.
    const wrong = (await Promise.all(results.map(judge))).filter((problem) => problem !== null)
    expect(wrong).toEqual([])
    const kinds = new Map<string, number>()
    for (const { first } of results) kinds.set(first.kind, (kinds.get(first.kind) ?? 0) + 1)
    console.log(`outcomes while exchanges broke: ${JSON.stringify(Object.fromEntries(kinds))}`)
    expect(results).toHaveLength(runs)
  },
  byDepth(240_000, 5_400_000),
)

async function runSeed(seed: number): Promise<Result> {
  const { baseUrl, deployment, rpcUrl } = inject('conformanceStack')
  const random = createRandom(seed)
  const task = await aTask(seed)
  const plan = planFaults(random)
  const proxy = await startFaultProxy(baseUrl, plan)
  const client = createClient({
    url: baseUrl,
    account: task.wallet.account,
    deployment,
    rpcUrl,
    store: fileStore({ directory: aWalletDirectory() }),
    timing,
    // The read identity names the service's own host; the bytes go through the proxy.
    fetch: (input, init) => fetch(String(input).replace(baseUrl, proxy.url), init),
  })
  const first = await client.write(task.write, task.input as never)
  proxy.mend()
  const last = first.kind === 'completed' ? first : await continueWrite(client, task)
  await proxy.stop()
  return { seed, plan, task, first, last }
}

/** The same call again, as a caller makes it who does not know the outcome. */
async function continueWrite(client: ReturnType<typeof createClient>, task: Task): Promise<Outcome<unknown>> {
  return await client.write(task.write, task.input as never, { waitMs: 30_000 })
}

async function judge({ seed, plan, task, first, last }: Result): Promise<string | null> {
  const done = await task.countDone()
  const paid = task.balance - (await environment.chain.balanceOf(task.wallet.address))
  const story = JSON.stringify({ seed, plan: [...plan], first, last, done, paid: String(paid) }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  if (done > 1 || paid > task.cost) return `twice: ${story}`
  if (paid !== BigInt(done) * task.cost) return `paid for nothing, or done for nothing: ${story}`
  if (last.kind !== 'completed') return `not done though nothing was broken any more: ${story}`
  return done === 1 ? null : `reported as done: ${story}`
}

let funding: Promise<unknown> = Promise.resolve()

/** One after the other: the account that mints sends one transaction at a time. */
function aWallet(): Promise<Actor> {
  const wallet = funding.then(() => environment.aWallet())
  funding = wallet
  return wallet
}

async function aTask(seed: number): Promise<Task> {
  const wallet = await aWallet()
  const { balanceOf, task } = environment.chain
  const file = Buffer.from(`work ${seed}`).toString('base64')
  const artifacts = [{ fileName: 'work.txt', mimeType: 'text/plain', file }]
  if (seed % 3 === 0) {
    const input = { description: `Task ${seed}`, reward: String(REWARD), duration: 24, tags: [] }
    const countDone = () => countTasks(wallet.address)
    return { write: 'createTask', wallet, input, cost: REWARD, balance: await balanceOf(wallet.address), countDone }
  }
  const other = await aWallet()
  if (seed % 3 === 1) {
    const taskId = await environment.createTask(other, { reward: String(REWARD) })
    const countDone = async () => (await task(taskId)).submissionCount
    return {
      write: 'createSubmission',
      wallet,
      input: { taskId, artifacts },
      cost: 0n,
      balance: await balanceOf(wallet.address),
      countDone,
    }
  }
  const taskId = await environment.createTask(wallet, { reward: String(REWARD) })
  await environment.submit(other, taskId)
  const countDone = async () => (await task(taskId)).awardCount
  const input = { taskId, worker: other.address }
  return { write: 'acceptSubmission', wallet, input, cost: 1_000n, balance: await balanceOf(wallet.address), countDone }
}

async function countTasks(requester: Hex): Promise<number> {
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'nonceOf', args: [requester] })
  const { market } = environment.chain.deployment
  return Number(await environment.chain.request('eth_call', [{ to: market, data }, 'latest']))
}
