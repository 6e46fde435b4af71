import { describe, expect, test } from 'vitest'
import { type ClientSemaphore, createClientSemaphore } from '../../../api/concurrency/client-semaphore.ts'

const { signal: never } = new AbortController()

const createQueue = () => createClientSemaphore({ atOnce: 2, maxWaiting: 16, maxWaitingOfClient: 4 })

/** Enters; `state` is `waiting`, `executing` or the reason of the refusal. */
function enter(queue: Pick<ClientSemaphore, 'enter'>, client: string, late: AbortSignal = never) {
  const request = { state: 'waiting', leave: () => {} }
  const entered = queue.enter(client, late).then(
    (leave) => {
      Object.assign(request, { state: 'executing', leave })
    },
    (error) => {
      request.state = error.refusal
    },
  )
  return Object.assign(request, { entered })
}

/** Resolves after all promises that are due. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

async function statesOf(requests: readonly { state: string }[]): Promise<string[]> {
  await settle()
  return requests.map(({ state }) => state)
}

describe('the turns of clients', () => {
  test('given four clients, two execute and the others follow in their order', async () => {
    const queue = createQueue()
    const requests = ['a', 'b', 'c', 'd'].map((client) => enter(queue, client))
    expect(await statesOf(requests)).toEqual(['executing', 'executing', 'waiting', 'waiting'])
    requests[1]?.leave()
    expect(await statesOf(requests)).toEqual(['executing', 'executing', 'executing', 'waiting'])
    requests[0]?.leave()
    expect(await statesOf(requests)).toEqual(['executing', 'executing', 'executing', 'executing'])
  })

  test('given one client, one of its requests executes and another client precedes those that wait', async () => {
    const queue = createQueue()
    const requests = ['a', 'a', 'a', 'b'].map((client) => enter(queue, client))
    expect(await statesOf(requests)).toEqual(['executing', 'waiting', 'waiting', 'executing'])
    requests[0]?.leave()
    expect(await statesOf(requests)).toEqual(['executing', 'executing', 'waiting', 'executing'])
  })

  test('given four waiting requests of a client, its fifth is refused and other clients still get in', async () => {
    const queue = createQueue()
    const requests = Array.from({ length: 6 }, () => enter(queue, 'a'))
    expect((await statesOf(requests)).slice(4)).toEqual(['waiting', 'client_waiting'])
    expect(await statesOf([enter(queue, 'b'), enter(queue, 'c')])).toEqual(['executing', 'waiting'])
  })

  test('given sixteen waiting requests, the next is refused until one has left', async () => {
    const queue = createQueue()
    const requests = Array.from({ length: 18 }, (_, index) => enter(queue, `client ${index}`))
    expect((await statesOf(requests)).filter((state) => state === 'waiting').length).toBe(16)
    expect(await statesOf([enter(queue, 'late')])).toEqual(['all_waiting'])
    requests[0]?.leave()
    expect(await statesOf([enter(queue, 'later')])).toEqual(['waiting'])
  })

  test('given a request that waits too long, it is refused and its place is free', async () => {
    const queue = createQueue()
    const first = enter(queue, 'a')
    const late = new AbortController()
    const second = enter(queue, 'a', late.signal)
    const third = enter(queue, 'a')
    late.abort()
    expect(await statesOf([first, second, third])).toEqual(['executing', 'client_executing', 'waiting'])
    first.leave()
    expect(await statesOf([third])).toEqual(['executing'])
  })

  test('given a request that executes, the end of its waiting time does not end its execution', async () => {
    const queue = createQueue()
    const late = new AbortController()
    const first = enter(queue, 'a', late.signal)
    await settle()
    late.abort()
    expect(await statesOf([first, enter(queue, 'a')])).toEqual(['executing', 'waiting'])
  })
})
