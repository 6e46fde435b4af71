import type { Hex } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startMcpHost } from './mcp-host.ts'

const environment = openEnvironment()

/** A host with the URIs that it was told of. */
async function aHost(wallet: Parameters<typeof startMcpHost>[0]) {
  const { client } = await startMcpHost(wallet)
  const told: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri))
  /** @returns the URIs that there are for the host's wallet */
  const subscribe = async (uris: readonly string[]) =>
    (await client.listen({ resourceSubscriptions: [...uris] })).honoredFilter.resourceSubscriptions ?? []
  return { subscribe, told }
}

describe('Subscriptions of a host at a running service', () => {
  test('given a host, then it is told what its wallet may see: private, unlisted and public tasks, and its queue', async () => {
    const [requester, worker, other] = await Promise.all([1, 2, 3].map(() => environment.aWallet()))
    if (requester === undefined || worker === undefined || other === undefined) throw new Error('three wallets')
    const taskIds: Hex[] = []
    for (const taskVisibility of ['public', 'unlisted', 'private']) {
      const invited = taskVisibility === 'private' ? { allowedViewers: [worker.address] } : {}
      taskIds.push(await environment.createTask(requester, { taskVisibility, ...invited }))
    }
    const uris = taskIds.map((taskId) => `task-market://tasks/${taskId}`)
    const [own, foreign] = [await aHost(requester), await aHost(other)]
    expect(await own.subscribe([...uris, 'task-market://actions'])).toEqual([...uris, 'task-market://actions'])
    // Of a private task there is nothing for another wallet.
    expect(await foreign.subscribe(uris)).toEqual(uris.slice(0, 2))

    for (const taskId of taskIds.slice(0, 2)) await environment.submit(worker, taskId)
    await environment.cancel(requester, taskIds[2] ?? '0x')
    await vi.waitFor(() => expect(new Set(own.told)).toEqual(new Set([...uris, 'task-market://actions'])), 60_000)
    await vi.waitFor(() => expect(new Set(foreign.told)).toEqual(new Set(uris.slice(0, 2))), 60_000)
  })
})
