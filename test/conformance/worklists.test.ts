import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor, readHeadersOf } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

interface Entry {
  id: string
  priority?: string
  dueAt: string | null
  actions?: { action: string; request: { method: string; path: string } }[]
}

async function queueOf(owner: Actor, caller: Actor | null = owner): Promise<{ items: Entry[]; waiting: Entry[] }> {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  const { status, body } = await environment.get(`/agents/action-queue?address=${owner.account.address}`, { headers })
  expect(status).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body
}

async function idsOf(owner: Actor, caller: Actor | null = owner) {
  const { items, waiting } = await queueOf(owner, caller)
  return { items: items.map(({ id }) => id), waiting: waiting.map(({ id }) => id) }
}

async function inboxOf(owner: Actor, caller: Actor | null = owner) {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  const { body } = await environment.get(`/agents/inbox?address=${owner.account.address}`, { headers })
  return Object.fromEntries(
    Object.entries(body).map(([section, tasks]) => [section, (tasks as { id: Hex }[]).map(({ id }) => id)]),
  )
}

describe('Agents and identity: GET /agents/action-queue', () => {
  test('a bounty goes from waiting to review to rating, and out of the queue', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    expect(await idsOf(requester)).toEqual({ items: [], waiting: [`${taskId}:requester:waiting_for_submissions`] })
    expect(await idsOf(alice)).toEqual({ items: [], waiting: [] })

    await environment.submit(alice, taskId)
    expect(await idsOf(requester)).toEqual({ items: [`${taskId}:requester:review_work`], waiting: [] })
    expect(await idsOf(alice)).toEqual({ items: [], waiting: [`${taskId}:worker:waiting_for_review`] })

    const [review] = (await queueOf(requester)).items
    const accept = review?.actions?.find(({ action }) => action === 'accept')
    const path = accept?.request.path.replace('/api', '') ?? expect.fail('no action')
    expect((await environment.pay(requester, path, { worker: alice.account.address })).status).toBe(200)
    const { items } = await queueOf(requester)
    expect(items).toMatchObject([
      { id: `${taskId}:requester:rate_workers`, priority: 'follow_up', progress: { completed: 0, total: 1 } },
    ])
    expect(await idsOf(alice)).toEqual({ items: [], waiting: [] })

    await environment.rate(requester, taskId, { worker: alice, rating: 60 })
    expect(await idsOf(requester)).toEqual({ items: [], waiting: [] })
  })
})

describe('Agents and identity: GET /agents/inbox', () => {
  test('lists what the address created and entered, without pendingActions', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    expect(await inboxOf(requester, null)).toEqual({ asRequester: [taskId], asWorker: [], invitedPrivateTasks: [] })
    expect(await inboxOf(alice, null)).toEqual({ asRequester: [], asWorker: [taskId], invitedPrivateTasks: [] })
    const { body } = await environment.get(`/agents/inbox?address=${requester.address}`)
    expect(body.asRequester[0].pendingActions).toEqual([])
  })
})
