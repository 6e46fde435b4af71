import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agentStatsSchema } from '../../../api/features/agents/agents.schemas.ts'
import { workItemSchema } from '../../../api/features/agents/list-work.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { START } from '../../support/rows/insert-row.ts'
import type { TaskTexts } from '../../support/rows/task-rows.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { aStartedApi } from '../writes/started-api.ts'

const requester = anActor()
const stranger = anActor()

const api = aStartedApi()

const statsOf = async (query: string, caller: Actor | null = null) => {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  const { status, body } = await api.get(`/api/agents/stats?${query}`, headers)
  expect(status).toBe(200)
  return agentStatsSchema.parse(body)
}

/** A task whose award to the worker is rated. */
async function aRating(worker: Address, { texts = {}, rating = 80, ratedAt = START }: Rated = {}) {
  const task = await api.seed.task({ requester: requester.address }, texts)
  await api.seed.award(task.id, worker, { rating })
  await api.seed.rating(task, worker, rating, 'well done')
  await api.sql`update rating set rated_at = ${ratedAt} where task_id = ${task.id}`
}
interface Rated {
  texts?: Partial<TaskTexts> | null
  rating?: number
  ratedAt?: bigint
}

const nothing = {
  agentId: null,
  actorType: 'human',
  completedTasks: 0,
  ratedTasks: 0,
  totalStars: 0,
  averageRating: null,
  credibility: 0,
  totalEarnings: '0',
  distinctRequesters: 0,
  ratedVolume: '0',
  skills: [],
  emailAddress: null,
  recentRatings: [],
}

describe('the record of a worker', () => {
  test('given an address without history, then it is zeros', async () => {
    const { account, address } = anActor()
    expect(await statsOf(`address=${address}`)).toEqual({ ...nothing, address: account.address })
  })

  test('given counters, then they are served with the raw mean and the credibility, by address and by id', async () => {
    const alice = anActor()
    const columns = {
      agentId: 812n,
      completedTasks: 4,
      ratings: [90, 81, 100],
      totalEarnings: 12_345n,
      distinctRequesters: 2,
      ratedVolume: 13_000n,
    }
    await api.seed.agent(alice.address, columns)
    await api.seed.identity(812n, alice.address)
    const expected = {
      ...nothing,
      address: alice.account.address,
      agentId: '812',
      actorType: 'agent',
      completedTasks: 4,
      ratedTasks: 3,
      totalStars: 271,
      averageRating: 271 / 3,
      credibility: 230,
      totalEarnings: '12345',
      distinctRequesters: 2,
      ratedVolume: '13000',
    }
    expect(await statsOf(`address=${alice.account.address}`)).toEqual(expected)
    expect(await statsOf('agentId=812')).toEqual(expected)
  })

  test('given an id that was only sent to its owner, or that is unknown, then it is 404', async () => {
    await api.seed.agent(anActor().address)
    await api.seed.identity(900n, anActor().address, null)
    for (const agentId of ['900', '901', String(2n ** 256n - 1n)]) {
      expect(await api.get(`/api/agents/stats?agentId=${agentId}`)).toMatchObject({ status: 404 })
    }
  })

  test.each(['', 'agentId=-1', `agentId=${2n ** 256n}`, `address=0x${'1'.repeat(40)}&agentId=1`])(
    'given the query %o, then it is 400',
    async (query) => {
      expect(await api.get(`/api/agents/stats?${query}`)).toMatchObject({ status: 400 })
    },
  )
})

describe('the skills of a worker', () => {
  test('given tags, then they are the most frequent first, then by name, 20 at most, and only those with a text', async () => {
    const alice = anActor()
    const many = Array.from({ length: 25 }, (_, index) => `many ${String(index).padStart(2, '0')}`)
    await api.seed.agent(alice.address, {
      skills: { b: 3, a: 3, once: 2, secret: 9, ...Object.fromEntries(many.map((tag) => [tag, 1])) },
    })
    await api.seed.tags('a', 'b', 'once', ...many)
    const { skills } = await statsOf(`address=${alice.address}`)
    expect(skills).toEqual(['a', 'b', 'once', ...many.slice(0, 17)])
  })
})

describe('the recent ratings of a worker', () => {
  test('given more than ten, then they are the newest', async () => {
    const alice = anActor()
    for (let index = 0; index < 12; index += 1) {
      await aRating(alice.address, { rating: index, ratedAt: START + BigInt(index) })
    }
    const { recentRatings } = await statsOf(`address=${alice.address}`)
    expect(recentRatings.map(({ rating }) => rating)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
    expect(recentRatings[0]?.createdAt).toBe('2030-01-01T00:00:11.000Z')
  })

  test.each([
    ['public', [true, true, true, true]],
    ['unlisted', [false, false, true, true]],
    ['private', [false, false, true, true]],
  ] as const)(
    'given one of a task that is %s, then texts are shown to anonymous callers, strangers, the worker, the requester: %o',
    async (taskVisibility, expected) => {
      const alice = anActor()
      await aRating(alice.address, { texts: { taskVisibility, description: 'Title\nmore' } })
      const shown = await Promise.all(
        [null, stranger, alice, requester].map(async (caller) => {
          const [rating] = (await statsOf(`address=${alice.address}`, caller)).recentRatings
          expect(rating?.rating).toBe(80)
          const texts = [rating?.taskTitle, rating?.feedbackText]
          return texts.every((text) => text !== null) ? true : texts.some((text) => text !== null)
        }),
      )
      expect(shown).toEqual(expected)
    },
  )

  test('given a task without content here, then there is no title', async () => {
    const alice = anActor()
    await aRating(alice.address, { texts: null })
    const { recentRatings } = await statsOf(`address=${alice.address}`, alice)
    expect(recentRatings).toMatchObject([{ taskTitle: null }])
  })

  test('given one or ten, then they cost the same statements', async () => {
    const counts = await Promise.all(
      [1, 10].map(async (ratings) => {
        const alice = anActor()
        for (let index = 0; index < ratings; index += 1) await aRating(alice.address)
        const counted = countStatements(api.sql)
        const app = createApp(onDatabase(api.deps, counted.sql))
        expect((await app.request(`/api/agents/stats?address=${alice.address}`)).status).toBe(200)
        return counted.count()
      }),
    )
    expect(counts[1]).toBe(counts[0])
  })
})

const workOf = async (worker: Actor, caller: Actor | null = null, query = '') => {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  const { status, body } = await api.get(`/api/agents/${worker.account.address}/work${query}`, headers)
  expect(status).toBe(200)
  return z.array(workItemSchema).parse(body)
}

/** A settled task with an award of the worker, and its deliverable. */
async function aWork(worker: Actor, { texts = {}, ...award }: Work = {}) {
  const task = await api.seed.task({ requester: requester.address }, texts)
  const delivery = await api.seed.submission(task.id, worker.address, { files: award.files ?? ['work.txt'] })
  await api.seed.award(task.id, worker.address, { ...award, deliverable: delivery.deliverable })
  return { taskId: task.id, ...delivery }
}
interface Work {
  texts?: Partial<TaskTexts> | null
  files?: string[]
  rank?: number
  rating?: number
  settledAt?: bigint
}

async function setKinds(artifactIds: string[], kinds: string[]): Promise<void> {
  for (const [index, kind] of kinds.entries()) {
    await api.sql`update service.artifacts set media_kind = ${kind} where id = ${artifactIds[index] ?? ''}`
  }
}

describe('the work of a worker', () => {
  test('given awards, then they are listed newest first, rated or not and of any rank, with the awarded files', async () => {
    const alice = anActor()
    await api.seed.agent(alice.address, { agentId: 12n })
    const first = await aWork(alice, { rating: 90, texts: { description: `${'x'.repeat(90)}\nmore` } })
    const second = await aWork(alice, { rank: 2, settledAt: START + 5n })
    // Another submission to the task was not awarded.
    await api.seed.submission(second.taskId, alice.address, { files: ['other.txt'] })
    await aWork(anActor())
    const items = await workOf(alice)
    expect(items).toMatchObject([
      {
        taskId: second.taskId,
        taskTitle: 'Write a haiku about escrow',
        completedAt: '2030-01-01T00:00:05.000Z',
        artifacts: [{ id: second.artifactIds[0], submissionId: second.id, fileName: 'work.txt', workerAgentId: '12' }],
      },
      { taskId: first.taskId, taskTitle: 'x'.repeat(80), completedAt: '2030-01-01T00:00:00.000Z' },
    ])
    expect(items.map(({ artifacts }) => artifacts.length)).toEqual([1, 1])
  })

  test('given a split, then every recipient has an item with their own files', async () => {
    const [alice, bob] = [anActor(), anActor()]
    const { taskId, artifactIds } = await aWork(alice)
    const ofBob = await api.seed.submission(taskId, bob.address)
    await api.seed.award(taskId, bob.address, { rank: 2, deliverable: ofBob.deliverable })
    const filesOf = async (worker: Actor) =>
      (await workOf(worker)).flatMap(({ artifacts }) => artifacts.map(({ id }) => id))
    expect([await filesOf(alice), await filesOf(bob)]).toEqual([artifactIds, ofBob.artifactIds])
  })

  test.each([
    ['', ['image', 'video', 'audio']],
    ['?includePreviewUrls=media', ['image', 'video', 'audio']],
    ['?includePreviewUrls=none', []],
  ])('given %j, then the kinds with URLs are %j', async (query, kinds) => {
    const alice = anActor()
    const all = ['image', 'video', 'audio', 'pdf', 'text', 'archive', 'unknown']
    const { artifactIds } = await aWork(alice, { files: all.map((_, index) => `${index}.txt`) })
    await setKinds(artifactIds, all)
    const [item] = await workOf(alice, null, query)
    const withUrl = item?.artifacts.filter(({ previewUrl, previewExpiresAt }) => previewUrl && previewExpiresAt)
    expect(withUrl?.map(({ mediaKind }) => mediaKind)).toEqual(kinds)
    expect(item?.artifacts.filter(({ previewUrl }) => previewUrl === undefined)).toHaveLength(all.length - kinds.length)
  })

  test('given an award of a task that the caller must not see, then it is listed without title and files', async () => {
    const alice = anActor()
    await aWork(alice, { texts: { taskVisibility: 'private' } })
    await aWork(alice, { texts: { taskVisibility: 'unlisted' } })
    await aWork(alice, { texts: { submissionVisibility: 'never' } })
    await aWork(alice, { texts: null })
    const shown = async (caller: Actor | null) =>
      (await workOf(alice, caller)).map(({ taskTitle, artifacts }) => [taskTitle !== null, artifacts.length]).sort()
    // The last one has no text for any caller; the service knows who stored its files.
    expect(await shown(alice)).toEqual([
      [false, 1],
      [true, 1],
      [true, 1],
      [true, 1],
    ])
    expect(await shown(requester)).toEqual([
      [false, 1],
      [true, 1],
      [true, 1],
      [true, 1],
    ])
    for (const caller of [stranger, null])
      expect(await shown(caller)).toEqual([
        [false, 0],
        [false, 0],
        [false, 0],
        [true, 0],
      ])
  })

  test('given any limit, then it is twelve by default and fifty at most, in four statements', async () => {
    const alice = anActor()
    const tasks: Hex[] = []
    for (let index = 0n; index < 14n; index += 1n) tasks.push((await aWork(alice, { settledAt: START + index })).taskId)
    const newest = tasks.toReversed()
    expect((await workOf(alice)).map(({ taskId }) => taskId)).toEqual(newest.slice(0, 12))
    const { sql, count } = countStatements(api.sql)
    const response = await createApp(onDatabase(api.deps, sql)).request(`/api/agents/${alice.address}/work?limit=13`)
    expect(((await response.json()) as { taskId: Hex }[]).map(({ taskId }) => taskId)).toEqual(newest.slice(0, 13))
    expect(count()).toBeLessThanOrEqual(4)
    expect((await api.get(`/api/agents/${alice.address}/work?limit=51`)).status).toBe(400)
  })
})
