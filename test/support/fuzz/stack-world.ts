import type { Hex } from 'viem'
import type { Actor } from '../actors.ts'
import type { World } from '../conformance.ts'
import { aClaimTask } from '../conformance-scenes.ts'
import type { FuzzWorld, KnownTask } from './world.ts'

const auction = { mode: 'auction', maxPrice: '2000000', bidDeadline: 1 }

/** A world made through the service, as far as it gets without waiting for a deadline. */
export async function createStackWorld(world: World): Promise<FuzzWorld> {
  const [requester, alice, bob, carol] = [
    await world.aWallet(),
    await world.aWallet(),
    await world.aWallet(),
    await world.aWallet(),
  ]
  const tasks: KnownTask[] = []
  const texts: Record<string, string[]> = { submissionId: [], artifact: [], artifactId: [], feedback: [] }
  const create = async (fields: Record<string, unknown>, facts: Partial<KnownTask> = {}): Promise<Hex> => {
    const id = await world.createTask(requester, fields)
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
    const id = await world.submit(worker, taskId)
    const rows = (await world.get(`/tasks/${taskId}/submissions`)).body
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
  texts.taskDropId = [(await world.get(`/tasks/${dropped}`)).body.taskDropId]
  const contested = await create({})
  await submit(alice, contested)
  await submit(bob, contested)
  const claimed = await create(aClaimTask(), { status: 'claimed', worker: alice })
  await world.claim(alice, claimed)
  const delivered = await create(aClaimTask(), { status: 'pending_approval', worker: bob })
  await world.claim(bob, delivered)
  await submit(bob, delivered)
  const completed = await create({}, { status: 'completed', unrated: [bob] })
  await submit(alice, completed)
  await submit(bob, completed)
  await world.split(requester, completed, [
    [alice, 5000],
    [bob, 5000],
  ])
  texts.feedback?.push(await world.rate(requester, completed, { worker: alice, rating: 60, feedbackText: 'fine' }))
  const started = { chain: await world.chain.headTime(), host: performance.now() }
  return {
    actors: [requester, alice, bob, carol],
    tasks,
    texts: { ...texts, ...(await readTexts(world)) },
    now: () => started.chain + BigInt(Math.floor((performance.now() - started.host) / 1000)),
    ask: async (method, path, body, headers = {}) => {
      const init = { method, headers: { 'Content-Type': 'application/json', ...headers } }
      const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
      return await (await world.fetch(`${world.baseUrl}${path}`, sent)).json()
    },
    upload: async (url, headers, body) => {
      const { status } = await world.fetch(url, { method: 'PUT', headers, body })
      if (status !== 200) throw new Error(`an upload was answered ${status}`)
    },
  }
}

async function readTexts({ post, get }: World): Promise<Record<string, string[]>> {
  const key = crypto.randomUUID()
  await post('/tasks', { body: { description: 'Held', reward: '2000000', duration: 24, tags: [] }, key })
  const { documents } = (await get('/legal/current')).body
  return {
    idempotencyKey: [key],
    contentHash: documents.map(({ contentHash }: { contentHash: string }) => contentHash),
  }
}
