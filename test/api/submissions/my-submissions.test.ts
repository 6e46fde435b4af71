import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mySubmissionSchema } from '../../../api/features/submissions/submissions.schemas.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'

const requester = anActor()
const stranger = anActor()

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

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
    const shown = [await api.seed.submission(open.id, alice.address), await api.seed.submission(open.id, alice.address)]
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
    const response = await createApp(onDatabase(api.deps, sql)).request(path, { headers: await readHeadersOf(caller) })
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
