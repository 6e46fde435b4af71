import type { Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import type { TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { accessCases } from '../access/expectations.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** What each caller is told of a worker's part in a task, by the worklists and by the routes below the task. */

const requester = anActor()
const alice = anActor()
const bob = anActor()
const evaluator = anActor()
const resolver = anActor()
const stranger = anActor()
const callers = { requester, alice, bob, evaluator, resolver, stranger, anonymous: null }

interface Made {
  taskId: Hex
  entry: Kind['entry']
  name: string
  isPublic: boolean
}

const api = aStartedApi()
const tasks: Made[] = []
beforeAll(async () => {
  for (const { taskVisibility, mode: submissionVisibility, state } of accessCases) {
    for (const entry of ['submission', 'pitch', 'bid'] as const) {
      tasks.push({
        taskId: await aTask({ taskVisibility, submissionVisibility, state, entry }),
        entry,
        name: [taskVisibility, submissionVisibility, state, entry].join(' '),
        isPublic: taskVisibility === 'public',
      })
    }
  }
})

type AccessCase = (typeof accessCases)[number]

interface Kind {
  taskVisibility: AccessCase['taskVisibility']
  submissionVisibility: AccessCase['mode']
  state: AccessCase['state']
  entry: 'submission' | 'pitch' | 'bid'
}

/** A contest that alice alone entered; a task of the state `completed` was awarded to bob. */
async function aTask({ taskVisibility, submissionVisibility, state, entry }: Kind): Promise<Hex> {
  const { id } = await api.seed.task(
    {
      requester: requester.address,
      status: state === 'rejected' ? 'cancelled' : state,
      disputeResolver: resolver.address,
      appealDeadline: START + 600n,
    },
    { taskVisibility, submissionVisibility },
    { viewers: [alice.address, bob.address] },
  )
  const hasVerdict = state === 'rejected' || state === 'appealing'
  await api.seed.evaluation(id, evaluator.address, hasVerdict ? { verdict: 'reject', verdictAt: START } : {})
  if (entry === 'submission') await api.seed.submission(id, alice.address)
  if (entry === 'pitch') await api.seed.pitch(id, alice.address)
  if (entry === 'bid') await api.seed.bid({ id, bidDeadline: START - 1n }, alice.address, 5n)
  if (state === 'completed') await api.seed.award(id, bob.address)
  return id
}

const headersOf = async (caller: Actor | null) => (caller === null ? {} : await readHeadersOf(caller))

const shownTo = new Map<Actor | null, Promise<Set<Hex>>>()

/** The tasks in which the routes below them show a caller that alice submitted or pitched; asked once a caller. */
async function listShown(caller: Actor | null): Promise<Set<Hex>> {
  const known = shownTo.get(caller) ?? askRoutes(caller)
  shownTo.set(caller, known)
  return await known
}

async function askRoutes(caller: Actor | null): Promise<Set<Hex>> {
  const headers = await headersOf(caller)
  const shown = new Set<Hex>()
  for (const { taskId, entry } of tasks) {
    if (entry === 'bid') continue
    const list = entry === 'pitch' ? 'pitches' : 'submissions'
    const { status, body } = await api.get(`/api/tasks/${taskId}/${list}`, headers)
    if (status !== 200) continue
    const workers = body.map(({ workerAddress }: { workerAddress: string }) => workerAddress.toLowerCase())
    if (workers.includes(alice.address)) shown.add(taskId)
  }
  return shown
}

const nameOf = (taskId: Hex) => tasks.find((task) => task.taskId === taskId)?.name

async function inboxOf(owner: Actor, caller: Actor | null) {
  const ids: Hex[] = []
  let url: string | undefined = `/api/agents/inbox?address=${owner.address}&section=asWorker`
  while (url !== undefined) {
    const { body, headers }: Awaited<ReturnType<TestApi['get']>> = await api.get(url, await headersOf(caller))
    ids.push(...body.asWorker.map(({ id }: { id: Hex }) => id))
    const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    url = next === undefined ? undefined : new URL(next).pathname + new URL(next).search
  }
  return ids
}

test.each(Object.entries(callers))(
  'given %s, then the inbox tells what the routes below the tasks tell',
  async (_, caller) => {
    const inbox = await inboxOf(alice, caller)
    const shown = await listShown(caller)
    if (caller === alice) {
      // Bids are the bidder's own; every other part is shown to it below the task.
      expect(inbox.filter((id) => !shown.has(id)).map(nameOf)).toEqual(
        inbox.filter((id) => nameOf(id)?.endsWith('bid')).map(nameOf),
      )
      expect([...shown].filter((id) => !inbox.includes(id)).map(nameOf)).toEqual([])
      return
    }
    expect(inbox.filter((id) => !shown.has(id)).map(nameOf)).toEqual([])
    // All others are told alike: what every caller sees of public tasks.
    const ofAnyone = await listShown(null)
    const expected = tasks.filter(({ taskId, isPublic }) => isPublic && ofAnyone.has(taskId)).map(({ name }) => name)
    expect(inbox.map(nameOf).sort()).toEqual(expected.sort())
  },
)

test.each(Object.entries(callers))(
  'given %s, then no queue tells more than the routes below the tasks',
  async (_, caller) => {
    const shown = await listShown(caller)
    for (const owner of [alice, requester, evaluator, resolver, bob]) {
      const { body } = await api.get(`/api/agents/action-queue?address=${owner.address}`, await headersOf(caller))
      const entries: { id: string; task: { id: Hex }; role: string }[] = [...body.items, ...body.waiting]
      const tells = (entry: (typeof entries)[number]) =>
        (owner === alice && entry.role === 'worker') || JSON.stringify(entry).toLowerCase().includes(alice.address)
      const hidden = entries.filter((entry) => tells(entry) && !shown.has(entry.task.id))
      // The owner of a bid may be told of it.
      expect(
        hidden.filter(({ task }) => caller !== alice || !nameOf(task.id)?.endsWith('bid')).map(({ id }) => id),
      ).toEqual([])
      if (caller !== owner) {
        expect(entries.filter(({ task }) => !nameOf(task.id)?.startsWith('public')).map(({ id }) => id)).toEqual([])
      }
    }
  },
)

test('given the worker itself, then its queue has what is hidden from others', async () => {
  const { body } = await api.get(`/api/agents/action-queue?address=${alice.address}`, await headersOf(alice))
  const ids = [...body.items, ...body.waiting].map(({ task }: { task: { id: Hex } }) => nameOf(task.id))
  expect(ids).toContain('unlisted public appealing submission')
  expect(ids).toContain('public winner_only appealing submission')
})
