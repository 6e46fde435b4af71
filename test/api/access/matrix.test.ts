import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { mintAccessGrant } from '../../../api/identity/access-grant.ts'
import { routes } from '../../../api/server/routes.ts'
import { listReferenceCodes } from '../../../protocol/rules/reference-code.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { storeArtifactBytes } from '../../support/artifact-bytes.ts'
import { isDeep } from '../../support/depth.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'
import {
  accessCases,
  isShownInRecords,
  type Role,
  roles,
  type State,
  type SubmissionVisibility,
  seesSubmissions,
  seesTask,
  taskVisibilities,
} from './expectations.ts'

/** Roles x routes x visibilities x states: every combination is requested over HTTP. */

const names = ['requester', 'evaluator', 'resolver', 'alice', 'bob', 'worker', 'invited', 'stranger'] as const
type Name = (typeof names)[number]
const actors = Object.fromEntries(names.map((name) => [name, anActor()])) as Record<Name, Actor>
const workers = ['alice', 'bob'] as const

const identities = new Map<Role, Record<string, string>>()
/** A verified device of each wallet; an unknown one for callers without a wallet. */
const devices = new Map<Role, { deviceId: string; apiToken: string }>()
const noDevice = { deviceId: randomUUID(), apiToken: 'none' }
const api = aStartedApi()
beforeAll(async () => {
  for (const name of names) {
    identities.set(name, await readHeadersOf(actors[name]))
    const { body } = await api.post('/api/devices', { walletAddress: actors[name].address }, identities.get(name))
    devices.set(name, body)
  }
})

/** The stored hash of the password; grants are bound to it. */
const passwordHash = 'what a password became'

interface Fixture {
  taskId: Hex
  code: string
  submissions: Record<(typeof workers)[number], { id: Hex; artifactId: string }>
  /** Of alice's award; any hash for a task without one. */
  acceptanceTxHash: Hex
  proofs: Record<(typeof workers)[number], Hex>
  pitchId: Hex
  feedbackId: Hex
}

/** A task with a submission and a proof of alice and of bob each, and a pitch and a bid of bob, in a state. */
async function aFixture(
  taskVisibility: (typeof taskVisibilities)[number],
  submissionVisibility: SubmissionVisibility,
  state: State,
): Promise<Fixture> {
  const address = (name: Name): Address => actors[name].address
  const task = await api.seed.task(
    {
      requester: address('requester'),
      status: state === 'rejected' ? 'cancelled' : state,
      disputeResolver: address('resolver'),
      worker: state === 'rejected' ? null : address('worker'),
    },
    { taskVisibility, submissionVisibility },
    { passwordHash, viewers: [address('invited')] },
  )
  const hasVerdict = state === 'rejected' || state === 'appealing'
  await api.seed.evaluation(task.id, address('evaluator'), hasVerdict ? { verdict: 'reject', verdictAt: START } : {})
  const submit = async (name: 'alice' | 'bob') => {
    const { id, deliverable, artifactIds } = await api.seed.submission(task.id, address(name))
    const [artifactId = ''] = artifactIds
    await storeArtifactBytes(api.deps, artifactId, Buffer.from('text'))
    return { id, deliverable, artifactId }
  }
  const submissions = { alice: await submit('alice'), bob: await submit('bob') }
  const proofs = {
    alice: (await api.seed.proof(task.id, address('alice'))).id,
    bob: (await api.seed.proof(task.id, address('bob'))).id,
  }
  const { id: pitchId } = await api.seed.pitch(task.id, address('bob'))
  await api.seed.claim(task.id, address('worker'))
  await api.seed.bid({ ...task, bidDeadline: START + 1n }, address('bob'), 7n)
  const { deliverable } = submissions.alice
  const { transactionHash } =
    state === 'completed'
      ? await api.seed.award(task.id, address('alice'), { deliverable })
      : { transactionHash: aHash() }
  const { id: feedbackId } = await api.seed.rating(task, address('alice'), 80, 'Thanks')
  const [code = ''] = listReferenceCodes('task', task.id)
  const acceptanceTxHash = transactionHash
  return { taskId: task.id, code, submissions, acceptanceTxHash, proofs, pitchId, feedbackId }
}

function headersOf(role: Role, taskId: Hex): Record<string, string> {
  const { URL_SIGNING_SECRET } = api.deps.config
  if (role === 'grantHolder' || role === 'otherGrantHolder') {
    const granted = role === 'grantHolder' ? taskId : (`0x${'99'.repeat(32)}` as const)
    const { grant } = mintAccessGrant(URL_SIGNING_SECRET, { taskId: granted, passwordVersion: passwordHash }, START)
    return { 'X-Service-Task-Access-Grant': grant }
  }
  return identities.get(role) ?? {}
}

/** How one caller sends requests. */
interface Asking {
  post: (path: string, body: object) => Promise<Answer>
  device: { deviceId: string; apiToken: string }
}

/** Requests by the route's path: short forms of the answers to one caller. */
const looks: Record<
  string,
  (fixture: Fixture, get: (path: string) => Promise<Answer>, asking: Asking) => Promise<unknown>
> = {
  '/tasks/{taskId}': async ({ taskId }, get) => (await get(`/api/tasks/${taskId}`)).body?.description ?? null,
  '/tasks/{taskId}/submissions': ({ taskId }, get) => workersIn(get(`/api/tasks/${taskId}/submissions`)),
  '/tasks/{taskId}/proofs': ({ taskId }, get) => workersIn(get(`/api/tasks/${taskId}/proofs`)),
  '/tasks/{taskId}/proofs/{proofId}/preimage': ({ taskId, proofs }, get) =>
    statusesOf((name) => get(`/api/tasks/${taskId}/proofs/${proofs[name]}/preimage`)),
  '/tasks/{taskId}/pitches': ({ taskId }, get) => workersIn(get(`/api/tasks/${taskId}/pitches`)),
  '/tasks/{taskId}/pitches/{pitchId}/preimage': async ({ taskId, pitchId }, get) =>
    (await get(`/api/tasks/${taskId}/pitches/${pitchId}/preimage`)).status,
  '/tasks/{taskId}/submissions/{submissionId}/manifest': ({ taskId, submissions }, get) =>
    statusesOf((name) => get(`/api/tasks/${taskId}/submissions/${submissions[name].id}/manifest`)),
  '/tasks/{taskId}/artifacts/{artifactId}/preview': async ({ taskId, submissions }, get) => {
    const bytesOf = async (name: 'alice' | 'bob') => {
      const preview = await get(`/api/tasks/${taskId}/artifacts/${submissions[name].artifactId}/preview`)
      if (preview.status !== 200) return preview
      return await get(preview.body.previewUrl.slice(api.deps.config.PUBLIC_BASE_URL.length))
    }
    return await statusesOf(bytesOf)
  },
  'POST /tasks/{taskId}/submissions/{submissionId}/preview': ({ taskId, submissions }, get, { post, device }) =>
    statusesOf((name) => fileOf(post(`/api/tasks/${taskId}/submissions/${submissions[name].id}/preview`, device), get)),
  'POST /tasks/{taskId}/submissions/{submissionId}/download': (fixture, get, { post }) =>
    statusesOf((name) => {
      const { taskId, submissions, acceptanceTxHash } = fixture
      const path = `/api/tasks/${taskId}/submissions/${submissions[name].id}/download`
      return fileOf(post(path, { acceptanceTxHash }), get)
    }),
  '/submissions/mine': async ({ taskId }, get) => {
    const rowsOf = async (name: 'alice' | 'bob') => {
      const rows: { taskId: Hex; taskDescription: string | null }[] = []
      let path: string | undefined = `/api/submissions/mine?workerAddress=${actors[name].address}`
      while (path !== undefined) {
        const { body, headers }: Answer = await get(path)
        rows.push(...body.filter((row: { taskId: Hex }) => row.taskId === taskId))
        const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '') ?? []
        path = next && new URL(next, 'http://localhost').pathname + new URL(next, 'http://localhost').search
      }
      return rows.map(({ taskDescription }: { taskDescription: string | null }) => taskDescription)
    }
    return await Promise.all(workers.map(rowsOf))
  },
  '/agents/{address}/work': async ({ taskId }, get) => {
    const { body } = await get(`/api/agents/${actors.alice.address}/work?limit=50`)
    const item = body.find((item: { taskId: Hex }) => item.taskId === taskId)
    return item && { taskTitle: item.taskTitle, files: item.artifacts.length }
  },
  '/tasks/{taskId}/claim': async ({ taskId }, get) => (await get(`/api/tasks/${taskId}/claim`)).status,
  '/tasks/{taskId}/bids': async ({ taskId }, get) => {
    const { status, body } = await get(`/api/tasks/${taskId}/bids`)
    return status === 200 ? body.map(({ price }: { price: string }) => price) : status
  },
  '/tasks/{taskId}/feedbacks': async ({ taskId }, get) => {
    const { status, body } = await get(`/api/tasks/${taskId}/feedbacks`)
    return body.feedbacks?.[0].feedbackText ?? status
  },
  '/feedback/{id}': async ({ feedbackId }, get) => (await get(`/api/feedback/${feedbackId}`)).status,
  '/tasks/{taskId}/private-access/viewers': async ({ taskId }, get) =>
    (await get(`/api/tasks/${taskId}/private-access/viewers`)).status,
}

/** The expected answer of each, by the specification. */
function expectedLooks(taskVisibility: string, mode: SubmissionVisibility, state: State, role: Role) {
  const sees = seesTask(taskVisibility, state, role)
  const whose = seesSubmissions(mode, state, role)
  const rows = workers.map((name) => (sees && whose.includes(name) ? 200 : 404))
  const status = sees ? 200 : 404
  const isShown = (name: string) => role === name || isShownInRecords(taskVisibility, role)
  const text = sees ? 'Write a haiku about escrow' : null
  return {
    'POST /tasks/{taskId}/submissions/{submissionId}/preview': workers.map((name) => {
      if (['anonymous', 'grantHolder', 'otherGrantHolder'].includes(role)) return 401
      if (!sees) return 404
      return role === 'requester' || role === name ? 200 : 403
    }),
    'POST /tasks/{taskId}/submissions/{submissionId}/download': workers.map((name, index) => {
      if (rows[index] === 404) return 404
      return state === 'completed' && name === 'alice' ? 200 : 409
    }),
    // A submission and a proof of each, of which each caller sees their own.
    '/submissions/mine': workers.map((name) =>
      role === name || (sees && whose.includes(name) && isShown(name)) ? [text, text] : [],
    ),
    '/agents/{address}/work':
      state === 'completed'
        ? {
            taskTitle: isShown('alice') ? text : null,
            files: sees && whose.includes('alice') && isShown('alice') ? 1 : 0,
          }
        : undefined,
    '/tasks/{taskId}': sees ? 'Write a haiku about escrow' : null,
    // Each has a submission and a proof, which is a submission, too.
    '/tasks/{taskId}/submissions': sees ? [...whose, ...whose] : 404,
    '/tasks/{taskId}/proofs': sees ? whose : 404,
    '/tasks/{taskId}/proofs/{proofId}/preimage': rows,
    '/tasks/{taskId}/pitches': sees ? ['bob'] : 404,
    '/tasks/{taskId}/pitches/{pitchId}/preimage': status,
    '/tasks/{taskId}/submissions/{submissionId}/manifest': rows,
    '/tasks/{taskId}/artifacts/{artifactId}/preview': rows,
    '/tasks/{taskId}/claim': status,
    '/tasks/{taskId}/bids': sees ? ['7'] : 404,
    '/tasks/{taskId}/feedbacks': sees ? 'Thanks' : 404,
    '/feedback/{id}': status,
    '/tasks/{taskId}/private-access/viewers': viewersStatus(taskVisibility, sees, role),
  }
}

/** Spec, "Private access": the requester alone reads the list, by read-auth headers. */
function viewersStatus(taskVisibility: string, sees: boolean, role: Role): number {
  if (role === 'anonymous' || role === 'grantHolder' || role === 'otherGrantHolder') return 401
  if (!sees) return 404
  if (role !== 'requester') return 403
  return taskVisibility === 'private' ? 200 : 409
}

/** Every fifth role, others for the next case. In the deep tests all of them. */
function rolesOf(index: number): readonly Role[] {
  return roles.filter((_, place) => isDeep || (place + index) % 5 === 0)
}

describe('the access policy over HTTP', () => {
  test.each(accessCases.map((accessCase, index) => ({ ...accessCase, askingRoles: rolesOf(index) })))(
    'given a $taskVisibility task, $state, whose submissions are $mode, then each role sees what the tables say',
    async ({ taskVisibility, mode, state, askingRoles }) => {
      const fixture = await aFixture(taskVisibility, mode, state)
      const lookAs = async (role: Role) => {
        const headers = headersOf(role, fixture.taskId)
        const get = (path: string) => api.get(path, headers)
        const seen: Record<string, unknown> = {}
        const post = (path: string, body: object) => api.post(path, body, headers)
        const asking = { post, device: devices.get(role) ?? noDevice }
        for (const [path, look] of Object.entries(looks)) seen[path] = await look(fixture, get, asking)
        return { role, ...seen }
      }
      const expected = askingRoles.map((role) => ({ role, ...expectedLooks(taskVisibility, mode, state, role) }))
      expect(await Promise.all(askingRoles.map(lookAs))).toEqual(expected)
    },
  )

  test.each(taskVisibilities)('of a %s task by its code and by procedure, as by its id', async (taskVisibility) => {
    const { taskId, code } = await aFixture(taskVisibility, 'never', 'open')
    const input = encodeURIComponent(JSON.stringify({ taskId }))
    for (const role of roles) {
      const headers = headersOf(role, taskId)
      const byCode = (await api.get(`/api/tasks/${code.toLowerCase()}`, headers)).body
      const byRpc = (await api.get(`/trpc/tasks.get?input=${input}`, headers)).body.result.data
      const expected = seesTask(taskVisibility, 'open', role) ? taskId : null
      const found = { byCode: byCode?.id ?? null, byRpc: byRpc?.id ?? null }
      expect({ role, ...found }).toEqual({ role, byCode: expected, byRpc: expected })
    }
  })

  test('given lists and totals, then they have the public tasks, whoever asks', async () => {
    const fixtures = await Promise.all(taskVisibilities.map((visibility) => aFixture(visibility, 'public', 'open')))
    const [publicTask] = fixtures
    const before = (await api.get('/api/tasks/stats')).body
    for (const role of ['requester', 'grantHolder', 'anonymous'] as const) {
      for (const [index, { taskId, code }] of fixtures.entries()) {
        const headers = headersOf(role, taskId)
        const found = (await api.get(`/api/tasks?q=${code}`, headers)).body.tasks
        expect({ role, found: found.map(({ id }: { id: Hex }) => id) }).toEqual({
          role,
          found: index === 0 ? [publicTask?.taskId] : [],
        })
      }
      for (const query of ['limit=100', `requester=${actors.requester.address}&limit=100`, 'q=haiku&limit=100']) {
        const { tasks } = (await api.get(`/api/tasks?${query}`, headersOf(role, fixtures[2]?.taskId ?? '0x'))).body
        const visibilities = new Set(tasks.map((task: { taskVisibility: string }) => task.taskVisibility))
        expect({ role, query, visibilities: [...visibilities] }).toEqual({ role, query, visibilities: ['public'] })
      }
    }
    await aFixture('private', 'public', 'open')
    await aFixture('unlisted', 'public', 'open')
    expect((await api.get('/api/tasks/stats')).body).toEqual(before)
  })
})

test('given the routes below a task and the lists of work, then all of them are covered here', () => {
  const records = ['/submissions/mine', '/agents/{address}/work']
  const paths = routes.flatMap(({ method, path }) => {
    if (method === 'post') return path.includes('{submissionId}') ? [`POST ${path}`] : []
    const isLookedAt = /\{taskId\}/.test(path) || path.startsWith('/feedback') || records.includes(path)
    return method === 'get' && isLookedAt ? [path] : []
  })
  expect(Object.keys(looks).sort()).toEqual([...new Set(paths)].sort())
})

test('given the routes that accept a grant, then each declares it', () => {
  const silent = routes.filter(
    ({ method, path, audience }) =>
      method === 'get' && audience === 'caller' && path.includes('{taskId}') && !path.endsWith('/viewers'),
  )
  expect(silent.map(({ path }) => path)).toEqual([])
})

/** The workers of a list's rows, in its order; the status of a refusal. */
async function workersIn(answer: Promise<Answer>): Promise<string[] | number> {
  const { status, body } = await answer
  return status === 200 ? body.map(({ workerAddress }: { workerAddress: string }) => nameOf(workerAddress)) : status
}

/** The content behind an answer's URL; a refusal unchanged. */
async function fileOf(answer: Promise<Answer>, get: (path: string) => Promise<Answer>): Promise<Answer> {
  const { status, body } = await answer
  return status === 200 ? await get(body.presignedUrl.slice(api.deps.config.PUBLIC_BASE_URL.length)) : await answer
}

async function statusesOf(ask: (name: 'alice' | 'bob') => Promise<Answer>): Promise<number[]> {
  return (await Promise.all(workers.map(ask))).map(({ status }) => status)
}

function nameOf(workerAddress: string): string {
  return workers.find((name) => actors[name].address === workerAddress.toLowerCase()) ?? workerAddress
}
