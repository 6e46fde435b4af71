import type { Hex } from 'viem'
import { inject } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import type { Actor } from '../actors.ts'
import type { Environment } from '../conformance.ts'
import { aClaimTask } from '../conformance-fixtures.ts'
import type { FuzzEnvironment, KnownTask } from './environment.ts'

const auction = { mode: 'auction', maxPrice: '2000000', bidDeadline: 1 }

/** An environment made through the service, in the states that need no deadline. */
export async function createStackEnvironment(environment: Environment): Promise<FuzzEnvironment> {
  const [requester, alice, bob, carol] = [
    await environment.aWallet(),
    await environment.aWallet(),
    await environment.aWallet(),
    await environment.aWallet(),
  ]
  const tasks: KnownTask[] = []
  const texts: Record<string, string[]> = { submissionId: [], artifact: [], artifactId: [], feedback: [] }
  const create = async (fields: Record<string, unknown>, facts: Partial<KnownTask> = {}): Promise<Hex> => {
    const id = await environment.createTask(requester, fields)
    tasks.push({
      id,
      mode: (fields.mode ?? 'bounty') as KnownTask['mode'],
      status: 'open',
      expired: false,
      due: false,
      auctionType: (fields.auctionType ?? null) as KnownTask['auctionType'],
      claimRound: 0,
      isPrivate: false,
      requester,
      worker: null,
      evaluator: null,
      resolver: null,
      active: [],
      pitch: null,
      proofId: null,
      unrated: [],
      ...facts,
    })
    return id
  }
  const submit = async (worker: Actor, taskId: Hex) => {
    const id = await environment.submit(worker, taskId)
    const rows = (await environment.get(`/tasks/${taskId}/submissions`)).body
    const { artifacts } = rows.find((row: { id: string }) => row.id === id)
    texts.submissionId?.push(id)
    texts.artifactId?.push(artifacts[0].id)
    texts.artifact?.push(`${taskId}/${artifacts[0].id}`)
    const task = tasks.find((known) => known.id === taskId)
    if (task !== undefined) task.active = [...task.active, { worker, id }]
  }
  for (const fields of [{}, { mode: 'benchmark' }, aClaimTask(), { mode: 'pitch' }]) await create(fields)
  await create({ ...auction, auctionType: 'english' })
  await create({ ...auction, auctionType: 'dutch', auctionFloorPrice: '1000000' })
  const dropped = await create({ taskDropCreate: { name: 'Summer' } })
  texts.taskDropId = [(await environment.get(`/tasks/${dropped}`)).body.taskDropId]
  const contested = await create({})
  await submit(alice, contested)
  await submit(bob, contested)
  const claimed = await create(aClaimTask(), { status: 'claimed', worker: alice })
  await environment.claim(alice, claimed)
  const delivered = await create(aClaimTask(), { status: 'pending_approval', worker: bob })
  await environment.claim(bob, delivered)
  await submit(bob, delivered)
  const completed = await create({}, { status: 'completed', unrated: [bob] })
  await submit(alice, completed)
  await submit(bob, completed)
  await environment.split(requester, completed, [
    [alice, 5000],
    [bob, 5000],
  ])
  texts.feedback?.push(
    await environment.rate(requester, completed, { worker: alice, rating: 60, feedbackText: 'fine' }),
  )
  const started = { chain: await environment.chain.headTime(), host: performance.now() }
  return {
    actors: [requester, alice, bob, carol],
    tasks,
    texts: { ...texts, ...(await readTexts(environment)) },
    now: () => started.chain + BigInt(Math.floor((performance.now() - started.host) / 1000)),
    ask: async (method, path, body, headers = {}) => {
      const init = { method, headers: { 'Content-Type': 'application/json', ...headers } }
      const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
      return await (await environment.fetch(`${environment.baseUrl}${path}`, sent)).json()
    },
    importWithdrawalAddress: async (wallet) => {
      const sql = connectDatabase({ url: inject('conformanceStack').databaseUrl, max: 1 })
      await sql`insert into service.withdrawal_addresses (wallet, address) values (${wallet}, ${wallet})`
      await sql.end()
    },
    upload: async (url, headers, body) => {
      const { status } = await environment.fetch(url, { method: 'PUT', headers, body })
      if (status !== 200) throw new Error(`an upload was answered ${status}`)
    },
  }
}

async function readTexts({ post, get }: Environment): Promise<Record<string, string[]>> {
  const key = crypto.randomUUID()
  await post('/tasks', { body: { description: 'Held', reward: '2000000', duration: 24, tags: [] }, key })
  const { documents } = (await get('/legal/current')).body
  return {
    idempotencyKey: [key],
    contentHash: documents.map(({ contentHash }: { contentHash: string }) => contentHash),
  }
}
