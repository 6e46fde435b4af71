import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { actionQueueSchema, inboxSchema } from '../../../api/features/tasks/worklists/worklists.schemas.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { START } from '../../support/rows/insert-row.ts'
import type { TaskAccess, TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'

const DAY = 86_400n
const [requester, stranger] = [anActor(), anActor()]

const api = aStartedApi()

describe('the action queue', () => {
  const queueOf = async (owner: Actor, caller: Actor | null = owner) => {
    const headers = caller === null ? {} : await readHeadersOf(caller)
    const { status, body } = await api.get(`/api/agents/action-queue?address=${owner.account.address}`, headers)
    expect(status).toBe(200)
    return actionQueueSchema.parse(body)
  }

  test('given work in every role, then each task, role and intent is one item with requests to send', async () => {
    const alice = anActor()
    const delivered = await api.seed.task({
      requester: alice.address,
      mode: 'claim',
      status: 'pending_approval',
      worker: stranger.address,
    })
    await api.seed.submission(delivered.id, stranger.address)
    const toDeliver = await api.seed.task({
      requester: requester.address,
      mode: 'claim',
      status: 'claimed',
      worker: alice.address,
      expiryTime: START + 3600n,
    })
    const toEvaluate = await api.seed.task({
      requester: requester.address,
      mode: 'claim',
      status: 'review',
      worker: stranger.address,
      evaluatorDeadline: START + 2n * DAY,
    })
    await api.seed.evaluation(toEvaluate.id, alice.address)
    const { items, total, urgentTotal, waiting } = await queueOf(alice)
    expect(items.map(({ id, priority, dueAt }) => [id, priority, dueAt])).toEqual([
      [`${toDeliver.id}:worker:submit_work`, 'urgent', '2030-01-01T01:00:00.000Z'],
      [`${toEvaluate.id}:evaluator:evaluate_work`, 'required', '2030-01-03T00:00:00.000Z'],
      [`${delivered.id}:requester:review_work`, 'required', '2030-04-02T00:00:00.000Z'],
    ])
    expect([total, urgentTotal, waiting]).toEqual([3, 1, []])
    expect(items[0]).toMatchObject({
      task: {
        id: toDeliver.id,
        title: 'Write a haiku about escrow',
        mode: 'claim',
        status: 'claimed',
        phase: 'active',
        reward: '5000000',
      },
      role: 'worker',
      intent: 'submit_work',
      progress: null,
      actions: [
        {
          action: 'submit',
          eligibleAddress: alice.account.address,
          request: {
            method: 'POST',
            path: `/api/tasks/${toDeliver.id}/submissions`,
            operationId: 'createSubmission',
            sign: `service:submit:${toDeliver.id}`,
          },
        },
      ],
    })
  })

  test('given unrated awards, then rating follows with its progress until all are rated', async () => {
    const alice = anActor()
    const task = await api.seed.task({ requester: alice.address })
    const winners = [anActor(), anActor(), anActor()]
    for (const [index, winner] of winners.entries()) {
      await api.seed.submission(task.id, winner.address)
      await api.seed.award(task.id, winner.address, { rank: index + 1, ...(index === 0 && { rating: 80 }) })
    }
    const { items } = await queueOf(alice)
    expect(items).toMatchObject([
      {
        id: `${task.id}:requester:rate_workers`,
        priority: 'follow_up',
        dueAt: null,
        progress: { completed: 1, total: 3 },
        actions: winners.slice(1).map(({ account }) => ({ action: 'rate', targetWorker: account.address })),
      },
    ])
    await api.sql`update award set rating = 1 where task_id = ${task.id}`
    await api.sql`update task set unrated_awards = 0 where id = ${task.id}`
    expect((await queueOf(alice)).items).toEqual([])
  })

  test('given an expired task, then its recovery is urgent; given an announced settlement, then it is not offered', async () => {
    const alice = anActor()
    const expired = await api.seed.task({ requester: alice.address, expiryTime: START })
    const stale = await api.seed.task({
      requester: requester.address,
      mode: 'claim',
      status: 'pending_approval',
      worker: alice.address,
      expiryTime: START - 90n * DAY + 60n,
    })
    const { items, waiting } = await queueOf(alice)
    expect(items.map(({ id, priority }) => [id, priority])).toEqual([
      [`${expired.id}:requester:settle_expired`, 'urgent'],
    ])
    // Not twice, although it is offered to the requester and to anyone.
    expect(items[0]?.actions.map(({ action, role }) => [action, role])).toEqual([['refund_expired', 'requester']])
    expect(waiting.map(({ id, dueAt }) => [id, dueAt])).toEqual([
      [`${stale.id}:worker:waiting_for_review`, '2030-01-01T00:01:00.000Z'],
    ])
    api.chain.now = START + 60n
    const later = await queueOf(alice)
    api.chain.now = START
    expect(later.items.map(({ id }) => id)).toContain(`${stale.id}:worker:settle_expired`)
    expect(later.waiting).toEqual([])
  })

  test('given open markets, then neither entering nor changing a task is work', async () => {
    const alice = anActor()
    const open = await api.seed.task({ requester: alice.address })
    const { items, waiting } = await queueOf(alice)
    expect(items).toEqual([])
    expect(waiting.map(({ id, dueAt }) => [id, dueAt])).toEqual([
      [`${open.id}:requester:waiting_for_submissions`, '2030-01-02T00:00:00.000Z'],
    ])
  })

  test('given unlisted, private and textless tasks, then only the address itself is told', async () => {
    const alice = anActor()
    for (const texts of [{ taskVisibility: 'unlisted' }, { taskVisibility: 'private' }, null] as const) {
      await api.seed.task({ requester: alice.address, expiryTime: START }, texts)
    }
    expect((await queueOf(alice)).items).toHaveLength(3)
    for (const caller of [null, stranger]) {
      expect(await queueOf(alice, caller)).toEqual({ items: [], total: 0, urgentTotal: 0, waiting: [] })
    }
  })

  test('given a lowest bid after its deadline, then the selection is work of both sides, and only the bidder is told of its own', async () => {
    const [alice, bob] = [anActor(), anActor()]
    const bidDeadline = START - 10n
    const auction = await api.seed.task({
      requester: alice.address,
      mode: 'auction',
      auctionType: 'reverse_english',
      bidDeadline,
    })
    await api.seed.bid(auction, bob.address, 5n)
    const idsOf = async (owner: Actor, caller: Actor | null) => (await queueOf(owner, caller)).items.map(({ id }) => id)
    expect(await idsOf(alice, null)).toEqual([`${auction.id}:requester:select_auction_winner`])
    expect(await idsOf(bob, bob)).toEqual([`${auction.id}:worker:select_auction_winner`])
    for (const caller of [null, stranger, alice]) expect(await idsOf(bob, caller)).toEqual([])
  })

  test('given hidden submissions, then neither commands nor entries tell others who made them', async () => {
    const [alice, bob] = [anActor(), anActor()]
    const task = await api.seed.task({ requester: alice.address }, { submissionVisibility: 'reveal_all' })
    await api.seed.submission(task.id, bob.address)
    const told = async (owner: Actor, caller: Actor | null) =>
      JSON.stringify(await queueOf(owner, caller)).toLowerCase()
    expect(await told(alice, alice)).toContain(bob.address)
    expect(await told(bob, bob)).toContain('waiting_for_review')
    for (const caller of [null, stranger, bob]) expect(await told(alice, caller)).not.toContain(bob.address)
    for (const caller of [null, stranger, alice]) expect(await told(bob, caller)).not.toContain(task.id)
  })

  test('given more workers to rate than are shown, then the newest tasks are shown, and all are counted', async () => {
    const alice = anActor()
    const made = { public: [] as string[], unlisted: [] as string[] }
    for (const [taskVisibility, count] of [
      ['public', 203],
      ['unlisted', 3],
    ] as const) {
      for (let index = 0; index < count; index += 1) {
        const task = await api.seed.task({ requester: alice.address }, { taskVisibility })
        await api.seed.award(task.id, stranger.address)
        made[taskVisibility].push(`${task.id}:requester:rate_workers`)
      }
    }
    const waiting = await api.seed.task({
      requester: alice.address,
      mode: 'claim',
      status: 'pending_approval',
      worker: stranger.address,
    })
    await api.seed.submission(waiting.id, stranger.address)
    const review = `${waiting.id}:requester:review_work`
    const idsOf = async (caller: Actor | null) => {
      const { items, total, urgentTotal } = await queueOf(alice, caller)
      return { ids: items.map(({ id }) => id), total, urgentTotal }
    }
    const newestFirst = made.public.toReversed()
    expect(await idsOf(alice)).toEqual({
      ids: [review, ...made.unlisted.toReversed(), ...newestFirst.slice(0, 196)],
      total: 207,
      urgentTotal: 0,
    })
    expect(await idsOf(null)).toEqual({ ids: [review, ...newestFirst.slice(0, 199)], total: 204, urgentTotal: 0 })
  })
})

describe('the inbox', () => {
  const inboxOf = async (owner: Actor, caller: Actor | null = owner, query = '') => {
    const headers = caller === null ? {} : await readHeadersOf(caller)
    const {
      status,
      body,
      headers: answered,
    } = await api.get(`/api/agents/inbox?address=${owner.account.address}${query}`, headers)
    expect(status).toBe(200)
    const { asRequester, asWorker, invitedPrivateTasks } = inboxSchema.parse(body)
    const ids = (tasks: { id: string }[]) => tasks.map(({ id }) => id)
    return {
      asRequester: ids(asRequester),
      asWorker: ids(asWorker),
      invitedPrivateTasks: ids(invitedPrivateTasks),
      links: (answered.get('link') ?? '').split(', ').filter((link) => link !== ''),
      actions: [asRequester, asWorker, invitedPrivateTasks].flat().flatMap(({ pendingActions }) => pendingActions),
    }
  }

  const aTask = (
    columns: Partial<TaskColumns> = {},
    texts: Partial<TaskTexts> | null = {},
    access: Partial<TaskAccess> = {},
  ) => api.seed.task({ requester: requester.address, ...columns }, texts, access)

  test('given tasks of a requester, then running ones come first, each part newest first, without actions', async () => {
    const alice = anActor()
    const columns = { requester: alice.address }
    const first = await aTask({ ...columns, status: 'expired' })
    const second = await aTask(columns)
    const third = await aTask({ ...columns, status: 'cancelled' })
    const fourth = await aTask({ ...columns, mode: 'claim', status: 'review' })
    await aTask()
    const { asRequester, asWorker, actions } = await inboxOf(alice, null)
    expect(asRequester).toEqual([fourth.id, second.id, third.id, first.id])
    expect([asWorker, actions]).toEqual([[], []])
  })

  test('given every part of a worker, then each task is listed once', async () => {
    const alice = anActor()
    const claimed = await aTask({ mode: 'claim', status: 'claimed', worker: alice.address })
    const delivered = await aTask({ mode: 'claim', status: 'pending_approval', worker: alice.address })
    await api.seed.submission(delivered.id, alice.address)
    const submitted = await aTask()
    await api.seed.submission(submitted.id, alice.address)
    const pitched = await aTask({ mode: 'pitch' })
    await api.seed.pitch(pitched.id, alice.address)
    const proven = await aTask({ mode: 'benchmark' })
    await api.seed.proof(proven.id, alice.address)
    const awarded = await aTask()
    await api.seed.submission(awarded.id, alice.address)
    await api.seed.award(awarded.id, alice.address)
    const expected = [proven, pitched, submitted, delivered, claimed, awarded].map(({ id }) => id)
    expect((await inboxOf(alice)).asWorker).toEqual(expected)
    expect((await inboxOf(alice, null)).asWorker).toEqual(expected)
  })

  test('given a bid, then only the bidder is told', async () => {
    const alice = anActor()
    const auction = await aTask({ mode: 'auction', auctionType: 'english', bidDeadline: 1_893_460_000n })
    await api.seed.bid(auction, alice.address, 5n)
    expect((await inboxOf(alice)).asWorker).toEqual([auction.id])
    for (const caller of [null, stranger, requester]) expect((await inboxOf(alice, caller)).asWorker).toEqual([])
  })

  test('given unlisted and private tasks, then only the address itself is told', async () => {
    const alice = anActor()
    const hidden = [
      await aTask({ requester: alice.address }, { taskVisibility: 'unlisted' }),
      await aTask({ requester: alice.address }, { taskVisibility: 'private' }),
      await aTask({ requester: alice.address }, null),
    ].map(({ id }) => id)
    expect((await inboxOf(alice)).asRequester).toEqual(hidden.toReversed())
    for (const caller of [null, stranger, requester]) expect((await inboxOf(alice, caller)).asRequester).toEqual([])
  })

  test('given invitations, then those to tasks without a part are listed, to the invited alone', async () => {
    const alice = anActor()
    const invited = { viewers: [alice.address] }
    const entered = await aTask({}, { taskVisibility: 'private' }, invited)
    await api.seed.submission(entered.id, alice.address)
    const ended = await aTask({ status: 'expired' }, { taskVisibility: 'private' }, invited)
    const running = await aTask({}, { taskVisibility: 'private' }, invited)
    await aTask({}, { taskVisibility: 'private' })
    const own = await inboxOf(alice)
    expect([own.asWorker, own.invitedPrivateTasks]).toEqual([[entered.id], [running.id, ended.id]])
    for (const caller of [null, stranger, requester]) {
      const { asWorker, invitedPrivateTasks } = await inboxOf(alice, caller)
      expect([asWorker, invitedPrivateTasks]).toEqual([[], []])
    }
  })

  test('given an entry by a direct call into a private task, then not even its worker is shown the task', async () => {
    const alice = anActor()
    const task = await aTask({}, { taskVisibility: 'private' })
    await api.seed.submission(task.id, alice.address)
    expect((await inboxOf(alice)).asWorker).toEqual([])
  })

  test('given more tasks than a page, then Links lead through each section exactly, whatever is created meanwhile', async () => {
    const alice = anActor()
    const made: Hex[] = []
    const make = async (count: number, columns: Partial<TaskColumns>) => {
      for (let index = 0; index < count; index += 1) {
        made.push((await aTask({ requester: alice.address, ...columns })).id)
      }
    }
    await make(130, { status: 'expired' })
    const ended = made.splice(0).toReversed()
    await make(280, {})
    const running = made.splice(0).toReversed()
    const claimed = await aTask({ mode: 'claim', status: 'claimed', worker: alice.address })
    const first = await inboxOf(alice)
    expect(first.asRequester).toEqual(running.slice(0, 200))
    expect(first.asWorker).toEqual([claimed.id])
    const found = [...first.asRequester]
    let links = first.links
    for (; links.length > 0; await make(3, {})) {
      expect(links).toHaveLength(1)
      expect(links[0]).toMatch(/; rel="next"; title="asRequester"$/)
      const next = new URL(/<([^>]+)>/.exec(links[0] ?? '')?.[1] ?? '')
      const page = await inboxOf(alice, alice, `&${next.searchParams}`.replace(/&address=[^&]+/, ''))
      expect([page.asWorker, page.invitedPrivateTasks]).toEqual([[], []])
      found.push(...page.asRequester)
      links = page.links
    }
    expect(found).toEqual([...running, ...ended])
  })

  test('given a task that ends between two pages, then it is not lost', async () => {
    const alice = anActor()
    const ids: Hex[] = []
    for (let index = 0; index < 203; index += 1) ids.unshift((await aTask({ requester: alice.address })).id)
    const [link = ''] = (await inboxOf(alice)).links
    const [, after = ''] = /after=([^&>]+)/.exec(link) ?? []
    await api.sql`update task set status = 'expired', ended_at = 1 where id = ${ids[201] ?? ''}`
    const page = await inboxOf(alice, alice, `&section=asRequester&after=${after}`)
    expect(page.asRequester).toEqual([ids[200], ids[202], ids[201]])
  })

  test.each(['?address=ADDRESS&after=running-1', '?address=ADDRESS&section=asWorker&after=x'])(
    'given %j, then it is refused',
    async (query) => {
      expect((await api.get(`/api/agents/inbox${query.replace('ADDRESS', requester.address)}`)).status).toBe(400)
    },
  )
})
