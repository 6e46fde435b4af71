import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHttpServer } from '../../../api/server/http-server.ts'
import { type Client, createClient } from '../../../client/src/create-client.ts'
import { readActions } from '../../../client/src/reads/actions.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { runTool } from '../../support/client/silent-io.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { createLogRows } from './log-rows.ts'

let api: TestApi
let server: Server
let client: Client
let log: ReturnType<typeof createLogRows>
let env: Record<string, string>
const directory = mkdtempSync(join(tmpdir(), 'task-market-events-'))

beforeAll(async () => {
  api = await startTestApi()
  await api.deps.events.start()
  const { id: taskId } = await api.seed.task({ requester: anActor().address })
  log = createLogRows(api, { taskId, subject: anActor().address })
  server = createHttpServer(api.app, { hostname: '127.0.0.1', log: api.deps.log, bodyTimeout: 60_000 })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { deployment } = api.deps
  const file = join(directory, 'deployment.json')
  writeFileSync(file, JSON.stringify(deployment))
  client = createClient({ url, deployment, timing: { pauseMs: 2, maxPauseMs: 10 } })
  env = { TASK_MARKET_URL: url, TASK_MARKET_DEPLOYMENT: file, TASK_MARKET_HOME: join(directory, 'home') }
})
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await api?.stop()
  rmSync(directory, { recursive: true })
})
beforeEach(async () => {
  await log.clear()
  await log.append(1)
})

const rowsNow = async () => {
  const rows = await api.sql<{ text: string }[]>`
    select block_number || ' ' || transaction_hash || ' ' || (args->>'refund') as text from task_event`
  return rows.map(({ text }) => text).sort()
}

const step = fc.oneof(
  fc.record({ act: fc.constant('mine' as const), events: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ act: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ act: fc.constant('cut' as const) }),
  fc.record({ act: fc.constant('restart' as const) }),
)

describe('client.events', () => {
  it(
    'given reorgs, cut connections and ids that are begun anew, then a client that applies the entries ends with the rows',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
          await log.clear()
          let [head, run] = [100, 0]
          const settle = async () => {
            await log.append(head, `run ${run}`)
          }
          await settle()
          const live = new Map<string, { block: number; text: string }>()
          const end = new AbortController()
          const onRestart = (fromBlock: number) => {
            for (const [id, { block }] of live) if (block >= fromBlock) live.delete(id)
          }
          const reading = (async () => {
            for await (const event of client.events({ fromBlock: 0, signal: end.signal, onRestart })) {
              const { id, block, txHash } = event
              if (event.kind === 'reverted') live.delete(event.data.eventId)
              else if (event.kind === 'task.cancelled') {
                live.set(id, { block: block.number, text: `${block.number} ${txHash} ${event.data.refund}` })
              }
            }
          })()
          for (const todo of steps) {
            if (todo.act === 'mine') {
              head += 1
              await log.mine(head, todo.events)
            } else if (todo.act === 'reorg') {
              await api.sql`delete from task_event where block_number > ${head - todo.depth}`
              await log.mine(head, 1)
            } else if (todo.act === 'cut') server.closeAllConnections()
            else run += 1
            await settle()
          }
          const expected = await rowsNow()
          await vi.waitFor(() => expect([...live.values()].map(({ text }) => text).sort()).toEqual(expected), 60_000)
          end.abort()
          await reading
        }),
        { numRuns: byDepth(2, 200) },
      )
    },
    byDepth(120_000, 1_200_000),
  )

  it('given a query that is refused, then a ReadError says so', async () => {
    await expect(client.events({ taskId: 'nonsense' }).next()).rejects.toThrow('taskId')
  })
})

describe('The action queue', () => {
  let wallet = anActor()
  const follow = async (until: (ids: string[]) => boolean) => {
    const seen: { items: string[]; available: string[]; closed: string[] }[] = []
    for await (const { items, available, closed } of readActions(client.context, wallet.address)) {
      const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id.split(':').at(-1) ?? '')
      seen.push({
        items: ids(items),
        available: ids(available),
        closed: closed.map((id) => id.split(':').at(-1) ?? ''),
      })
      if (until(seen.at(-1)?.items ?? [])) break
      await changeTask()
    }
    return seen
  }
  let changeTask = async () => {}
  beforeEach(async () => {
    wallet = anActor()
    const { id } = await api.seed.task({
      requester: anActor().address,
      mode: 'claim',
      status: 'claimed',
      worker: wallet.address,
    })
    const own = createLogRows(api, { taskId: id, subject: wallet.address })
    changeTask = async () => {
      await api.sql`update task set status = 'cancelled' where id = ${id}`
      await own.mine(3, 1)
      await own.append(3)
    }
  })

  it('given a task of the wallet that ends, then its work is told and closed, by a stream', async () => {
    expect(await follow((items) => items.length === 0)).toEqual([
      { items: ['submit_work'], available: ['submit_work'], closed: [] },
      { items: [], available: [], closed: ['submit_work'] },
    ])
  })

  it('given a service that has no stream for it, then by reads', async () => {
    const refused = vi.spyOn(api.deps.events, 'findRefusal').mockReturnValue('process')
    expect((await follow((items) => items.length === 0)).at(-1)).toEqual({
      items: [],
      available: [],
      closed: ['submit_work'],
    })
    refused.mockRestore()
  })

  it('given `watch --actions`, then a line an item', async () => {
    const { exit, out } = await runTool(['watch', '--actions', wallet.address, '--limit', '1'], { env })
    expect(exit).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ kind: 'action.available', intent: 'submit_work', role: 'worker' })
    expect((await runTool(['watch', '--actions', wallet.address, '--kind', 'task.created'], { env })).exit).not.toBe(0)
  })
})

describe('client.actions', () => {
  /** The names and tasks of the actions of a wallet; `meanwhile` runs after each, by its number. */
  const follow = async (
    options: Parameters<Client['actions']>[0],
    { count, meanwhile = async () => {} }: { count: number; meanwhile?: (seen: number) => Promise<void> },
  ) => {
    const seen: string[] = []
    for await (const { name, taskId } of client.actions(options)) {
      seen.push(`${name} ${taskId}`)
      if (seen.length === count) break
      await meanwhile(seen.length)
    }
    return seen
  }
  const aTag = () => `tag ${crypto.randomUUID()}`
  const anOpenTask = async (tag: string, columns: object = {}) => {
    const texts = { tags: [tag] }
    const { id } = await api.seed.task({ requester: anActor().address, ...columns }, texts)
    return id
  }
  const terms = { reward: '1', expiryTime: '1', pitchDeadline: '0', bidDeadline: '0', clockPrice: '0' }
  /** An entry of a task in a new block, after a change of its rows. */
  let block = 10
  const tell = async (taskId: Hex, name: string) => {
    block += 1
    const rows = createLogRows(api, { taskId, subject: anActor().address, ordinal: block })
    await rows.mine(block, 1, name, { requester: anActor().address, ...terms, terms })
    await rows.append(block)
  }
  beforeEach(() => {
    block = 10
  })

  it('given open tasks and one of the wallet, then each entry and the work come once', async () => {
    const [tag, wallet] = [aTag(), anActor().address]
    const entered = await api.seed.task({
      requester: anActor().address,
      mode: 'claim',
      status: 'claimed',
      worker: wallet,
    })
    const [bounty, claim, pitch, dutch] = [
      await anOpenTask(tag),
      await anOpenTask(tag, { mode: 'claim' }),
      await anOpenTask(tag, { mode: 'pitch' }),
      await anOpenTask(tag, { mode: 'auction', auctionType: 'dutch', clockPrice: 1_000n, bidDeadline: START + 600n }),
    ]
    await anOpenTask(aTag())
    const seen = await follow({ role: 'worker', address: wallet, tags: [tag] }, { count: 5 })
    expect(seen.sort()).toEqual(
      [
        `submit ${entered.id}`,
        `submit ${bounty}`,
        `claim ${claim}`,
        `pitch ${pitch}`,
        `auction_accept ${dutch}`,
      ].sort(),
    )
    expect(await follow({ role: 'worker', address: wallet, tags: [tag], mode: 'pitch' }, { count: 2 })).toHaveLength(2)
  })

  it('given a claim that is made and forfeited, then its task is offered again, and a new one as it comes', async () => {
    const [tag, wallet] = [aTag(), anActor().address]
    const id = await anOpenTask(tag, { mode: 'claim' })
    let later: Hex | undefined
    const meanwhile = async (seen: number) => {
      if (seen === 1) {
        await api.sql`update task set status = 'claimed', worker = ${anActor().address} where id = ${id}`
        await tell(id, 'TaskUpdated')
        later = await anOpenTask(tag)
        await tell(later, 'TaskCreated')
      } else {
        await api.sql`update task set status = 'open', worker = null where id = ${id}`
        await tell(id, 'TaskReopened')
      }
    }
    const seen = await follow({ role: 'worker', address: wallet, tags: [tag] }, { count: 3, meanwhile })
    expect(seen).toEqual([`claim ${id}`, `submit ${later}`, `claim ${id}`])
  })

  it('given a run that was refused, then the action comes again, with the refusal', async () => {
    const [tag, address] = [aTag(), anActor().address]
    await anOpenTask(tag)
    const seen: unknown[] = []
    for await (const action of client.actions({ role: 'worker', address, tags: [tag] })) {
      seen.push(action.earlier.map((outcome) => outcome.kind === 'refused' && outcome.reason))
      if (seen.length === 3 || action.name !== 'submit') break
      await action.run({ artifacts: [] })
    }
    expect(seen).toEqual([[], ['no_account'], ['no_account', 'no_account']])
  })

  it('given a task of the wallet as another party, or with its pitch, then it is not offered', async () => {
    const [tag, wallet] = [aTag(), anActor().address]
    await anOpenTask(tag, { requester: wallet })
    await anOpenTask(tag, { evaluator: wallet })
    const pitched = await anOpenTask(tag, { mode: 'pitch' })
    await api.seed.pitch(pitched, wallet)
    const other = await anOpenTask(tag)
    expect(await follow({ role: 'worker', address: wallet, tags: [tag] }, { count: 1 })).toEqual([`submit ${other}`])
  })

  it('given a signal that aborts, then the loop ends', async () => {
    const end = new AbortController()
    const options = { role: 'requester', address: anActor().address, signal: end.signal } as const
    const next = client.actions(options).next()
    end.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('given a service that has no stream, then reads bring the actions, and the reason is told', async () => {
    const refused = vi.spyOn(api.deps.events, 'findRefusal').mockReturnValue('process')
    const [tag, problems] = [aTag(), [] as string[]]
    const id = await anOpenTask(tag)
    const onProblem = (problem: string) => problems.push(problem)
    const options = { role: 'worker', address: anActor().address, tags: [tag], onProblem } as const
    expect(await follow(options, { count: 1 })).toEqual([`submit ${id}`])
    expect(problems.length).toBeGreaterThan(0)
    refused.mockRestore()
  })

  it('given a query that is refused, then a ReadError says so', async () => {
    await expect(client.actions({ role: 'worker', address: 'nonsense' }).next()).rejects.toThrow('address')
    await expect(client.actions({ role: 'worker' }).next()).rejects.toThrow('account')
  })
})

describe('task-market watch', () => {
  it('given entries and a program, then it prints each and runs the program with it on standard input', async () => {
    await log.mine(2, 2)
    await log.append(2)
    const taken = join(directory, 'taken')
    const script = `require('fs').appendFileSync(process.argv[1], require('fs').readFileSync(0))`
    const argv = ['watch', '--from-block', '0', '--limit', '2', '--exec', process.execPath, '--', '-e', script, taken]
    const { exit, out } = await runTool(argv, { env })
    expect(exit).toBe(0)
    expect(out.split('\n').filter(Boolean)).toHaveLength(2)
    expect(readFileSync(taken, 'utf8')).toBe(out)
  })

  it('given a program that fails, then it ends with the entry that is not handled', async () => {
    await log.mine(2, 2)
    await log.append(2)
    const argv = ['watch', '--from-block', '0', '--exec', process.execPath, '--', '-e', 'process.exit(3)']
    const { exit, out, err } = await runTool(argv, { env })
    const { id } = JSON.parse(out) as { id: Hex }
    expect(exit).not.toBe(0)
    expect(err).toContain(`ended with 3 at event ${id}`)
  })
})
