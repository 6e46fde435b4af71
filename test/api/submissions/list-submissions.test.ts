import { getAddress, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mySubmissionSchema, submissionSchema } from '../../../api/features/submissions/submissions.schemas.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { aStartedApi } from '../writes/started-api.ts'

const requester = anActor()
const alice = anActor()
const bob = anActor()
const stranger = anActor()

const api = aStartedApi()
beforeAll(async () => {
  await api.seed.agent(alice.address, { agentId: 3n, completedTasks: 2, ratings: [80, 90] })
})

const listOf = async (taskId: string, caller: Actor | null = null) => {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  return await api.get(`/api/tasks/${taskId}/submissions`, headers)
}

test('lists submissions in the order they were committed, in the promised shape', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const first = await api.seed.submission(task.id, alice.address, { files: ['poem.txt', 'sources.zip'] })
  const second = await api.seed.submission(task.id, bob.address, { files: null, rejectedAt: START + 5n })
  const { status, body } = await listOf(task.id)
  expect(status).toBe(200)
  const [one, two] = z.array(submissionSchema).length(2).parse(body)
  expect(one).toMatchObject({
    id: first.id,
    taskId: task.id,
    workerAddress: getAddress(alice.address),
    workerAgentId: '3',
    deliverableHash: first.deliverable,
    rejectedAt: null,
    signature: null,
    workerStats: { completedTasks: 2, ratedTasks: 2, totalStars: 170, averageRating: 85 },
    artifacts: [
      { fileName: 'poem.txt', role: 'final', mediaKind: 'text', displayOrder: 0, textPreview: 'text' },
      { fileName: 'sources.zip', role: 'attachment', mediaKind: 'archive', displayOrder: 1 },
    ],
  })
  expect(one?.artifacts[0]?.storageUri).toBe(`artifact:${first.artifactIds[0]}`)
  expect(one?.artifacts[0]?.previewUrl).toContain(`/api/artifacts/${first.artifactIds[0]}?expires=`)
  expect(one?.artifacts[1]).not.toHaveProperty('previewUrl')
  expect(one?.fileUrl).toBe(one?.artifacts[0]?.previewUrl)
  expect(two).toMatchObject({
    id: second.id,
    rejectedAt: '2030-01-01T00:00:05.000Z',
    artifacts: [],
    fileUrl: null,
    workerStats: null,
  })
})

test('shows a signature to its signer alone', async () => {
  const task = await api.seed.task({ requester: requester.address })
  await api.seed.submission(task.id, alice.address)
  const signatureFor = async (caller: Actor | null) => (await listOf(task.id, caller)).body[0].signature
  expect(await signatureFor(alice)).toBe('0x5165')
  for (const caller of [requester, bob, null]) expect(await signatureFor(caller)).toBeNull()
})

test('files stay with the worker who stored them, when another commits the same hash', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const { deliverable, artifactIds } = await api.seed.submission(task.id, alice.address)
  const copy = await api.seed.submission(task.id, bob.address, { files: null })
  await api.sql`update submission set deliverable = ${deliverable} where id = ${copy.id}`
  const { body } = await listOf(task.id)
  expect(body.map((row: { artifacts: { id: string }[] }) => row.artifacts.map(({ id }) => id))).toEqual([
    artifactIds,
    [],
  ])
})

test('an unknown task and a private one answer alike: 404', async () => {
  const secret = await api.seed.task({ requester: requester.address }, { taskVisibility: 'private' })
  const unknown = await listOf(aHash())
  const hidden = await listOf(secret.id, stranger)
  expect(unknown.status).toBe(404)
  expect([hidden.status, hidden.body]).toEqual([404, unknown.body])
  expect((await listOf(secret.id, requester)).status).toBe(200)
})

test('a submission without a manifest, of another task or of none is 404', async () => {
  const [task, other] = [
    await api.seed.task({ requester: requester.address }),
    await api.seed.task({ requester: requester.address }),
  ]
  const direct = await api.seed.submission(task.id, alice.address, { files: null })
  const stored = await api.seed.submission(task.id, alice.address)
  const statusOf = async (taskId: string, id: string) =>
    (await api.get(`/api/tasks/${taskId}/submissions/${id}/manifest`)).status
  expect(await statusOf(task.id, stored.id)).toBe(200)
  for (const [taskId, id] of [
    [task.id, direct.id],
    [other.id, stored.id],
    [task.id, aHash()],
    [aHash(), stored.id],
  ] as const) {
    expect(await statusOf(taskId, id)).toBe(404)
  }
})

test('a task with many submissions lists all of them, with their files, in at most three statements', async () => {
  const { id } = await api.seed.task({ requester: requester.address })
  for (let entry = 0; entry < 30; entry += 1) {
    await api.seed.submission(id, anActor().address, { files: ['work.txt', 'sources.zip'] })
  }
  const { sql, count } = countStatements(api.sql)
  const response = await createApp(onDatabase(api.deps, sql)).request(`/api/tasks/${id}/submissions`)
  const rows = (await response.json()) as { artifacts: unknown[] }[]
  expect(rows.map(({ artifacts }) => artifacts.length)).toEqual(Array(30).fill(2))
  expect(count()).toBeGreaterThan(0)
  expect(count()).toBeLessThanOrEqual(3)
})

describe('the submissions of a worker', () => {
  const mine = async (worker: Actor, caller: Actor | null = worker, query = '') => {
    const headers = caller === null ? {} : await readHeadersOf(caller)
    return await api.get(`/api/submissions/mine?workerAddress=${worker.account.address}${query}`, headers)
  }
  const idsIn = ({ body }: { body: { submissionId: Hex }[] }) => body.map(({ submissionId }) => submissionId)

  test('lists a worker’s submissions to all tasks, the newest first, with what became of the tasks', async () => {
    const alice = anActor()
    const [first, second] = [
      await api.seed.task({ requester: requester.address, reward: 7_000_000n }),
      await api.seed.task({ requester: requester.address, mode: 'claim', status: 'pending_approval' }),
    ]
    const older = await api.seed.submission(first.id, alice.address, { rejectedAt: START + 9n })
    const newer = await api.seed.submission(second.id, alice.address, { submittedAt: START + 5n })
    await api.seed.submission(first.id, stranger.address)
    const { status, headers, body } = await mine(alice)
    expect(status).toBe(200)
    expect(z.array(mySubmissionSchema).parse(body)).toEqual([
      {
        submissionId: newer.id,
        taskId: second.id,
        taskDescription: 'Write a haiku about escrow',
        taskStatus: 'pending_approval',
        taskMode: 'claim',
        taskReward: '5000000',
        rejectedAt: null,
        submittedAt: '2030-01-01T00:00:05.000Z',
        deliverableHash: newer.deliverable,
        submitTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
      expect.objectContaining({
        submissionId: older.id,
        taskId: first.id,
        taskStatus: 'open',
        taskMode: 'bounty',
        taskReward: '7000000',
        rejectedAt: '2030-01-01T00:00:09.000Z',
      }),
    ])
    expect(headers.get('cache-control')).toBe('private')
    expect(headers.get('vary')).toContain('X-Service-Caller-Address')
  })

  test('is read on, also through submissions of one block', async () => {
    const alice = anActor()
    const task = await api.seed.task({ requester: requester.address })
    for (const second of [0n, 1n, 1n, 1n, 2n]) {
      await api.seed.submission(task.id, alice.address, { submittedAt: START + second })
    }
    const all = idsIn(await mine(alice))
    const pages: Hex[][] = []
    for (let after = ''; ; after = `&after=${pages.at(-1)?.at(-1)}`) {
      const page = idsIn(await mine(alice, alice, `&limit=2${after}`))
      if (page.length === 0) break
      pages.push(page)
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(pages.flat()).toEqual(all)
  })

  describe('of tasks that others may not see', () => {
    // `test/api/access/matrix.test.ts` has the tasks with texts.
    test('a task without texts is told to its worker and requester alone', async () => {
      const alice = anActor()
      const direct = await api.seed.task({ requester: requester.address }, null)
      await api.seed.submission(direct.id, alice.address, { files: null })
      for (const caller of [alice, requester]) expect((await mine(alice, caller)).body).toHaveLength(1)
      for (const caller of [stranger, null]) expect((await mine(alice, caller)).body).toEqual([])
    })

    test('a page is filled from behind them', async () => {
      const alice = anActor()
      const open = await api.seed.task({ requester: requester.address })
      const closed = await api.seed.task({ requester: requester.address }, { submissionVisibility: 'never' })
      const shown = [
        await api.seed.submission(open.id, alice.address),
        await api.seed.submission(open.id, alice.address),
      ]
      for (let index = 1n; index <= 20n; index += 1n) {
        await api.seed.submission(closed.id, alice.address, { submittedAt: START + index })
      }
      const page = idsIn(await mine(alice, stranger, '&limit=2'))
      expect(page.toSorted()).toEqual(shown.map(({ id }) => id).toSorted())
      expect(idsIn(await mine(alice, stranger, `&limit=2&after=${page[1]}`))).toEqual([])
    })
  })

  describe('given ten thousand submissions', () => {
    const busy = anActor()
    beforeAll(async () => {
      const tasks = await Promise.all(
        (['public', 'private'] as const).map((taskVisibility) =>
          api.seed.task({ requester: requester.address }, { taskVisibility }),
        ),
      )
      for (const [place, { id }] of tasks.entries()) {
        // The public ones are the oldest: for a caller who may not see the rest, all of it is read and passed over.
        await api.sql`
          insert into submission (id, reference_code, task_id, worker, deliverable, submission_index, submitted_at,
            rejected_at, previous_id, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
          select '0x' || lpad(to_hex(${place} * 100000 + n), 64, '0'), 'SUB-' || ${place} || '-' || n, ${id}, ${busy.address},
            '0x' || lpad(to_hex(n), 64, '0'), n, ${START} + ${place} * 100000 + n, null, null, n, ${START}, ${aHash()}, 0, 0
          from generate_series(1, ${place === 0 ? 50 : 9_950}) n`
      }
      await api.sql`analyze`
    })

    const statementsOf = async (caller: Actor, query: string) => {
      const { sql, count } = countStatements(api.sql)
      const path = `/api/submissions/mine?workerAddress=${busy.address}${query}`
      const response = await createApp(onDatabase(api.deps, sql)).request(path, {
        headers: await readHeadersOf(caller),
      })
      return { rows: ((await response.json()) as unknown[]).length, statements: count() }
    }

    test('the worker’s page takes two statements, wherever it is', async () => {
      expect(await statementsOf(busy, '')).toEqual({ rows: 100, statements: 2 })
      const middle = `&limit=100&after=0x${(100_000 + 5_000).toString(16).padStart(64, '0')}`
      expect(await statementsOf(busy, middle)).toEqual({ rows: 100, statements: 2 })
    })

    test('a stranger’s, who sees the last fifty of them, a handful', async () => {
      const { rows, statements } = await statementsOf(stranger, '')
      expect(rows).toBe(50)
      expect(statements).toBeLessThanOrEqual(12)
    })
  })
})
