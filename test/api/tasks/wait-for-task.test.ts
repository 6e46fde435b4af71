import { beforeAll, describe, expect, test } from 'vitest'
import { type Actor, anActor, expiringReadHeadersOf, readHeadersOf } from '../../support/actors.ts'
import { START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const requester = anActor()
const viewer = anActor()

/** Limit of an answer, which one wait of the tests exceeds: a wait has more time. */
const ANSWER_LIMIT_MS = 8_000

const api = aStartedApi({ ANSWER_LIMIT_MS: `${ANSWER_LIMIT_MS}` })
/** Requests that listen to changes, and details that were made. */
let listening = 0
let made = 0
beforeAll(async () => {
  const { rowChanges, detailTags } = api.deps
  await rowChanges.start()
  const [onChange, keep] = [rowChanges.onChange, detailTags.keep]
  rowChanges.onChange = (listener) => {
    const end = onChange(listener)
    listening += 1
    return () => {
      listening -= 1
      end()
    }
  }
  detailTags.keep = (...args) => {
    made += 1
    keep(...args)
  }
})

const tagTextOf = ({ headers }: { headers: Headers }) => (headers.get('etag') ?? '').replaceAll('"', '')

/** A task, and the text of its tag for a caller. */
async function aTask(visibility: 'public' | 'private' = 'public', headers: Record<string, string> = {}) {
  const { id } = await api.seed.task(
    { requester: requester.address },
    { taskVisibility: visibility },
    visibility === 'private' ? { viewers: [viewer.address] } : undefined,
  )
  return { id, after: tagTextOf(await api.get(`/api/tasks/${id}`, headers)) }
}

const waitUrl = ({ id, after }: { id: string; after: string }, seconds = 30) =>
  `/api/tasks/${id}?wait=${seconds}&after=${after}`

/** What the indexer does with an event of a task. */
async function change(id: string): Promise<void> {
  await api.sql.begin(async (tx) => {
    await tx`update task set submission_count = submission_count + 1, event_count = event_count + 1 where id = ${id}`
    await tx`notify market_head, '2'`
  })
}

/** Resolves when so many requests listen to changes. */
const untilWaiting = async (count = 1) => await expect.poll(() => listening).toBe(count)

test('given another tag, then it answers at once', async () => {
  const task = await aTask()
  const answer = await api.get(waitUrl({ ...task, after: 'A'.repeat(27) }))
  expect([answer.status, answer.body.id, tagTextOf(answer)]).toEqual([200, task.id, task.after])
})

test('given a change while it waits, then it answers with what is there, and another tag', async () => {
  const task = await aTask()
  const waiting = api.get(waitUrl(task))
  await untilWaiting()
  await change(task.id)
  const answer = await waiting
  expect([answer.status, answer.body.submissionCount]).toEqual([200, 1])
  expect(tagTextOf(answer)).not.toBe(task.after)
  expect(answer.body).toEqual((await api.get(`/api/tasks/${task.id}`)).body)
})

test('given a change of another task, then it goes on waiting, and is 304 at the end', async () => {
  const [task, other] = [await aTask(), await aTask()]
  const startedAt = performance.now()
  const waiting = api.get(waitUrl(task, ANSWER_LIMIT_MS / 1000 + 1))
  await untilWaiting()
  await change(other.id)
  const answer = await waiting
  expect([answer.status, answer.body, tagTextOf(answer)]).toEqual([304, '', task.after])
  expect(answer.headers.get('cache-control')).toBe('private')
  expect(performance.now() - startedAt).toBeGreaterThan(ANSWER_LIMIT_MS)
})

test('given a deadline that passes with a block, then it answers', async () => {
  const { id } = await api.seed.task({ requester: requester.address, expiryTime: START + 60n })
  const waiting = api.get(waitUrl({ id, after: tagTextOf(await api.get(`/api/tasks/${id}`)) }))
  await untilWaiting()
  api.chain.now = START + 60n
  try {
    await api.sql`notify market_head, '3'`
    expect((await waiting).body.phase).not.toBe('active')
  } finally {
    api.chain.now = START
  }
})

test('given the reference code, and a task that is not there yet, then it waits for both', async () => {
  const task = await aTask()
  const { referenceCode } = (await api.get(`/api/tasks/${task.id}`)).body
  const byCode = api.get(waitUrl({ ...task, id: referenceCode }))
  const unknown = `0x${'5'.repeat(64)}` as const
  const none = await api.get(`/api/tasks/${unknown}`)
  expect(none.body).toBeNull()
  const appearing = api.get(waitUrl({ id: unknown, after: tagTextOf(none) }))
  await untilWaiting(2)
  await api.seed.task({ id: unknown, requester: requester.address })
  await change(task.id)
  expect((await byCode).body.submissionCount).toBe(1)
  expect((await appearing).body.id).toBe(unknown)
})

test('given as many waits as the pool has connections and more, then other requests are answered', async () => {
  made = 0
  const task = await aTask()
  const leave = new AbortController()
  const waiting = Array.from({ length: 20 }, () => api.app.request(waitUrl(task), { signal: leave.signal }))
  await untilWaiting(20)
  expect((await api.get(`/api/tasks/${task.id}`)).status).toBe(200)
  await expect.poll(() => made).toBe(1 + 20 + 1)
  const [row] = await api.sql<{ busy: bigint }[]>`
    select count(*) as busy from pg_stat_activity
    where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
  expect(row?.busy).toBe(0n)

  const refused = await api.get(waitUrl(task))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
  expect((await api.get(`/api/tasks/${task.id}`)).status).toBe(200)
  // The clients go away, and their places are there again.
  leave.abort()
  await Promise.all(waiting)
  expect((await api.get(waitUrl(task, 1))).status).toBe(304)
})

describe('given a private task', () => {
  const waitAs = async (actor: Actor | null, task: { id: string; after: string }, seconds?: number) =>
    await api.get(waitUrl(task, seconds), actor === null ? {} : await readHeadersOf(actor))

  test('then its tag tells a caller who may not see it nothing, at once', async () => {
    const task = await aTask('private', await readHeadersOf(viewer))
    for (const actor of [null, anActor()]) {
      const answer = await waitAs(actor, task)
      expect([answer.status, answer.body]).toEqual([200, null])
    }
  })

  test('then a caller who may see it learns of a change', async () => {
    const task = await aTask('private', await readHeadersOf(viewer))
    const waiting = waitAs(viewer, task)
    await untilWaiting()
    await change(task.id)
    expect((await waiting).body.submissionCount).toBe(1)
  })

  test('then a caller who may no more see it when it changes is answered null', async () => {
    const task = await aTask('private', await readHeadersOf(viewer))
    const [changed, unchanged] = [waitAs(viewer, task), waitAs(viewer, task, 1)]
    await untilWaiting(2)
    await api.sql`delete from service.task_viewers where viewer = ${viewer.address}`
    expect([(await unchanged).status, (await unchanged).body]).toEqual([200, null])
    await change(task.id)
    expect([(await changed).status, (await changed).body]).toEqual([200, null])
  })

  test('then it is answered as it is at the end, though it was looked at until then', async () => {
    const task = await aTask('private', await readHeadersOf(viewer))
    const { detailTags } = api.deps
    const { find } = detailTags
    let [looks, release] = [0, () => {}]
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    detailTags.find = async (taskId) => {
      looks += 1
      const known = await find(taskId)
      await held
      return known
    }
    const end = performance.now() + 1_000
    const waiting = waitAs(viewer, task, 1)
    try {
      await untilWaiting()
      await api.sql`delete from service.task_viewers where viewer = ${viewer.address}`
      await api.sql`notify market_head, '2'`
      await expect.poll(() => looks).toBe(1)
      await expect.poll(() => performance.now()).toBeGreaterThan(end + 100)
      release()
      expect([(await waiting).status, (await waiting).body]).toEqual([200, null])
    } finally {
      detailTags.find = find
    }
  })

  test('then a read identity that ends while it waits is told of no change', async () => {
    const scope = { baseUrl: api.deps.config.PUBLIC_BASE_URL, now: START }
    const headers = await expiringReadHeadersOf(viewer, scope)
    const task = await aTask('private', headers)
    made = 0
    const waiting = api.get(waitUrl(task), headers)
    await expect.poll(() => made).toBe(1)
    api.chain.now = START + 43_200n
    try {
      await change(task.id)
      const answer = await waiting
      expect([answer.status, answer.body]).toEqual([304, ''])
    } finally {
      api.chain.now = START
    }
  })
})

test.each([
  ['wait=31', 'wait'],
  ['wait=5', 'after'],
  [`after=${'A'.repeat(27)}`, 'wait'],
  [`wait=5&after="${'A'.repeat(27)}"`, 'after'],
  [`wait=5&after=${'A'.repeat(27)}&include=bids`, 'include'],
])('%s is refused, and names %s', async (query, field) => {
  const { id } = await aTask()
  const { status, body } = await api.get(`/api/tasks/${id}?${query}`)
  expect([status, body.issues?.[0]?.path]).toEqual([400, field])
  expect(body.error).toContain(field)
})

test('given a procedure, then it waits, and answers what is there', async () => {
  const task = await aTask()
  const input = encodeURIComponent(JSON.stringify({ taskId: task.id, wait: '1', after: task.after }))
  const { status, body } = await api.get(`/trpc/tasks.get?input=${input}`)
  expect([status, body.result.data.id]).toEqual([200, task.id])
})

test('given the process ends, then waits are answered with what their clients have, and no other begins', async () => {
  const task = await aTask()
  const waiting = [api.get(waitUrl(task)), api.get(waitUrl(task))]
  await untilWaiting(2)
  api.deps.longPolls.stop()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([304, 304])
  const refused = await api.get(waitUrl(task))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '15'])
})
