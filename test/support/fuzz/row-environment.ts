import type { Hex } from 'viem'
import { type Actor, anActor } from '../actors.ts'
import type { TestApi } from '../api.ts'
import { storeArtifactBytes } from '../artifact-bytes.ts'
import { aProgramme } from '../bonus-rows.ts'
import { addVault, aVault, vaultAddress, vaultContracts } from '../fake-vaults.ts'
import { aHash, START } from '../rows/insert-row.ts'
import type { TaskColumns, TaskTexts } from '../rows/task-rows.ts'
import { aSignedUpload } from '../signed-upload.ts'
import { insertSettledVault } from '../vault-rows.ts'
import { accessPassword, type FuzzEnvironment, type KnownTask } from './environment.ts'
import { type Stage, stages } from './stages.ts'

const visibilities: readonly Partial<TaskTexts>[] = [
  ...([{}, {}, { submissionVisibility: 'reveal_all' }, { submissionVisibility: 'winner_only' }] as const),
  ...([{ submissionVisibility: 'never' }, { taskVisibility: 'unlisted' }, { taskVisibility: 'private' }] as const),
]
/** Visibilities that let any caller read everything. */
const isPublic = (index: number) => index % visibilities.length < 2

interface Actors {
  requester: Actor
  alice: Actor
  bob: Actor
  evaluator: Actor
  resolver: Actor
}

/** An environment of rows, as the chain would have made them, without a chain. */
export async function createRowEnvironment(api: TestApi): Promise<FuzzEnvironment> {
  const actors = { requester: anActor(), alice: anActor(), bob: anActor(), evaluator: anActor(), resolver: anActor() }
  const tasks: KnownTask[] = []
  const texts = { submissionId: [], artifact: [], artifactId: [], feedback: [], pitchId: [], proofId: [] } as Record<
    string,
    string[]
  >
  const passwordHash = await api.deps.passwords.hash(accessPassword)
  const making = { api, actors, texts, passwordHash }
  for (const [index, stage] of stages.entries()) tasks.push(await seedTask(making, stage, index))
  texts.taskDropId = [await aDrop(making)]
  texts.uploadUrl = await uploadUrls(api)
  texts.creditOwner = [actors.bob.address]
  addVault(api, aVault)
  texts.vaultId = [aVault.vaultId]
  texts.sponsoredTaskId = [aHash()]
  const settled = { taskId: texts.sponsoredTaskId[0] as Hex, worker: actors.alice.address, amount: 1_000n }
  const { sponsoredTasksHook: hook } = vaultContracts
  await insertSettledVault(api.sql, { vaultId: aVault.vaultId, vault: vaultAddress, hook, ...settled })
  const log = { epoch: '0123456789ab', origin: '', head: 1n, headTime: START, finalBlock: 0n, finalTime: START }
  await api.sql`insert into service.event_log ${api.sql({ ...log, lastSequence: 0n })}`
  await api.seed.credit(actors.bob.address, 5_000n)
  await aProgramme(api.sql)
  await api.seed.agent(actors.alice.address, { agentId: 7n, completedTasks: 2, ratings: [70] })
  return {
    actors: [actors.requester, actors.alice, actors.bob, actors.evaluator, actors.resolver, anActor()],
    tasks,
    texts: { ...texts, ...(await readTexts(api)) },
    now: () => api.chain.now,
    ask: async (method, path, body, headers) =>
      (method === 'GET' ? await api.get(path, headers) : await api.post(path, body, headers)).body,
    importWithdrawalAddress: async (wallet) => {
      await api.sql`insert into service.withdrawal_addresses (wallet, address) values (${wallet}, ${wallet})`
    },
    activateWebhook: async (id) => {
      await api.sql`update service.webhooks set status = 'active', next_attempt_at = 'infinity' where id = ${id}`
    },
    upload: async (url, headers, body) => {
      const { pathname, search } = new URL(url)
      const { status } = await api.app.request(pathname + search, { method: 'PUT', headers, body })
      if (status !== 200) throw new Error(`an upload was answered ${status}`)
    },
  }
}

interface Making {
  api: TestApi
  actors: Actors
  texts: Record<string, string[]>
  passwordHash: string
}

async function seedTask({ api, actors, texts, passwordHash }: Making, stage: Stage, index: number): Promise<KnownTask> {
  const { assigned = false, delivered = false, evaluated = false, ...row } = stage
  const { requester, alice, bob, evaluator, resolver } = actors
  const columns = {
    ...row,
    requester: requester.address,
    createdAtMs: (START - 86_400n) * 1000n - BigInt(index),
    ...(assigned && { worker: alice.address, workerAssignedAt: START }),
    ...(evaluated && { disputeResolver: resolver.address }),
    ...(row.lowestBid !== undefined && { lowestBidder: bob.address }),
  }
  const visibility = visibilities[index % visibilities.length] ?? {}
  const isPrivate = visibility.taskVisibility === 'private'
  const task = await api.seed.task(columns, visibility, isPrivate ? { passwordHash, viewers: [bob.address] } : {})
  if (assigned && row.mode === 'claim') await api.seed.claim(task.id, alice.address)
  if (evaluated)
    await api.seed.evaluation(task.id, evaluator.address, { disputeResolver: resolver.address, ...verdictOf(row) })
  const pitch = row.mode === 'pitch' ? { worker: alice, id: (await api.seed.pitch(task.id, alice.address)).id } : null
  const proofId = row.mode === 'benchmark' && delivered ? (await api.seed.proof(task.id, bob.address)).id : null
  texts.pitchId?.push(...(pitch === null ? [] : [pitch.id]))
  texts.proofId?.push(...(proofId === null ? [] : [proofId]))
  const active: { worker: Actor; id: Hex }[] = []
  const deliverables = new Map<Actor, Hex>()
  for (const worker of delivered ? (assigned ? [alice] : [alice, bob]) : []) {
    const files = ['work.txt', 'all.zip']
    const { id, deliverable, artifactIds } = await api.seed.submission(task.id, worker.address, { files })
    deliverables.set(worker, deliverable)
    for (const artifact of artifactIds) await storeArtifactBytes(api.deps, artifact, Buffer.from('work'))
    active.push({ worker, id })
    texts.submissionId?.push(id)
    texts.artifactId?.push(...artifactIds)
    if (isPublic(index)) texts.artifact?.push(...artifactIds.map((artifact) => `${task.id}/${artifact}`))
  }
  const isCompleted = row.status === 'completed'
  const isRated = isCompleted && row.mode === 'bounty'
  const deliverable = deliverables.get(alice)
  if (isCompleted) await api.seed.award(task.id, alice.address, deliverable && { deliverable })
  if (isRated) texts.feedback?.push((await api.seed.rating(task, alice.address, 70, 'fine')).id)
  return {
    id: task.id,
    mode: row.mode,
    status: row.status,
    claimRound: 0,
    requester,
    active,
    auctionType: (row.auctionType ?? null) as KnownTask['auctionType'],
    isPrivate,
    pitch,
    proofId,
    worker: assigned ? alice : null,
    evaluator: evaluated ? evaluator : null,
    resolver: evaluated ? resolver : null,
    expired: task.expiryTime <= START,
    stale: task.expiryTime <= START - 90n * 86_400n,
    due: isDue(task),
    unrated: isCompleted && !isRated ? [alice] : [],
  }
}

/** A drop with a public task. */
async function aDrop({ api, actors: { requester } }: Making): Promise<string> {
  const id = await api.seed.drop(requester.address)
  await api.seed.dropMember(id, await api.seed.task({ requester: requester.address }))
  return id
}

/** URLs that accept the JSON text "work", each once. */
async function uploadUrls({ deps }: TestApi): Promise<string[]> {
  const uploads = Array.from({ length: 20 }, () =>
    aSignedUpload(deps, { sizeBytes: '"work"'.length, mimeType: 'application/json' }),
  )
  return (await Promise.all(uploads)).map(({ target }) => new URL(target, deps.config.PUBLIC_BASE_URL).href)
}

/** The verdict of a task whose status has one. */
function verdictOf({ status }: Pick<Stage, 'status'>) {
  if (!['appealing', 'disputed'].includes(status)) return {}
  return {
    verdict: 'reject',
    score: 100,
    confidence: 900,
    evidenceHash: `0x${'0'.repeat(64)}`,
    fee: 0n,
    verdictAt: START - 200n,
  }
}

function isDue({
  pitchDeadline,
  bidDeadline,
  evaluatorDeadline,
  appealDeadline,
  resolutionDeadline,
}: TaskColumns): boolean {
  const deadline = resolutionDeadline ?? appealDeadline ?? evaluatorDeadline ?? bidDeadline ?? pitchDeadline
  return deadline !== null && deadline <= START
}

/** Keys of writes that wait for their payment, and other texts of the service. */
async function readTexts(api: TestApi): Promise<Record<string, string[]>> {
  const keys = Array.from({ length: 3 }, () => crypto.randomUUID())
  const body = { description: 'Held', reward: '2000000', duration: 24, tags: [] }
  for (const key of keys) await api.post('/api/tasks', body, { 'X-Service-Idempotency-Key': key })
  const { documents } = (await api.get('/api/legal/current')).body
  return {
    idempotencyKey: keys,
    contentHash: documents.map(({ contentHash }: { contentHash: string }) => contentHash),
  }
}
