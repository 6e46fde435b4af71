import { beforeEach, describe, expect, it } from 'vitest'
import type { LoopOptions } from '../../../api/concurrency/loop.ts'
import { startOutbox } from '../../../api/relayer/loops/run-outbox.ts'
import { createReceiptsRun } from '../../../api/relayer/loops/watch-receipts.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { aStartedApi, openSequences } from '../writes/started-api.ts'
import { aPayment } from './payments.ts'
import { aScriptedNode } from './scripted-node.ts'

const api = aStartedApi({ RELAYER_KEYS: ['1', '2'].map((digit) => `0x${digit.repeat(64)}`).join(',') }, openSequences)
beforeEach(async () => {
  await api.sql`delete from attempts`
  await api.sql`delete from intents`
})

/** An outbox whose loops run when a test says so. */
function anOutbox() {
  const node = aScriptedNode(api)
  const relay = { deps: node.deps, results: new Map(), onSent: () => {} }
  const loops: { name: string; run: LoopOptions['run']; woken: number; isStopped: boolean }[] = []
  const outbox = startOutbox(relay, (name, run) => {
    const loop = { name, run, woken: 0, isStopped: false }
    loops.push(loop)
    const stop = async () => {
      loop.isStopped = true
    }
    const wake = () => {
      loop.woken += 1
    }
    return { wake, stop }
  })
  const of = (name: string) => loops.filter((loop) => loop.name === name)
  return { outbox, node, loops, of, wokenOf: (name: string) => of(name).map(({ woken }) => woken) }
}

const stopping = (isStopping = false) => (isStopping ? AbortSignal.abort() : new AbortController().signal)
const workers = ['outbox plain', 'outbox foreign', 'outbox refunds']

describe('the outbox', () => {
  it('given it is woken and stopped, then a worker of each part runs, and every loop ends', async () => {
    const { outbox, loops, wokenOf } = anOutbox()
    outbox.wake()
    expect(workers.map(wokenOf)).toEqual([[1, 0, 0, 0], [1, 0], [1]])
    expect(wokenOf('outbox')).toEqual([1])
    await outbox.stop()
    expect(loops.every(({ isStopped }) => isStopped)).toBe(true)
  })

  it.each([
    ['a call', {}, [[1, 0, 0, 0], [0, 0], [0]]],
    ['a foreign call', { relayClass: 'foreign' }, [[0, 0, 0, 0], [1, 0], [0]]],
    ['a refund', { status: 'failed', refundStatus: 'pending' }, [[0, 0, 0, 0], [0, 0], [1]]],
  ])('given %s is due, then the poll wakes a worker of its part', async (_, columns, woken) => {
    const { id } = await bindIntent(api)
    if (Object.keys(columns).length > 0) await api.sql`update intents set ${api.sql(columns)} where id = ${id}`
    const { of, wokenOf } = anOutbox()
    expect(await of('outbox')[0]?.run(stopping())).toBe(1_000)
    expect(workers.map(wokenOf)).toEqual(woken)
  })

  it('given it is empty, then its poll pauses for longer until it is woken', async () => {
    const { outbox, of, wokenOf } = anOutbox()
    const [poll] = of('outbox')
    expect(await poll?.run(stopping())).toBe(10_000)
    outbox.wake()
    expect(wokenOf('outbox')).toEqual([1])
    await bindIntent(api)
    await api.sql`update intents set relay_after = now() + interval '1 hour'`
    expect(await poll?.run(stopping())).toBe(1_000)
    outbox.wake()
    expect(wokenOf('outbox')).toEqual([1])
  })

  it('given an intent is notified while the poll finds none, then the poll runs again', async () => {
    const { outbox, of, wokenOf } = anOutbox()
    const { run } = of('outbox')[0] ?? {}
    await bindIntent(api)
    await run?.(stopping())
    await api.sql`delete from intents`
    const running = run?.(stopping())
    outbox.wake()
    expect(await running).toBe(10_000)
    expect(wokenOf('outbox')).toEqual([1])
  })

  it('given more work than a run takes, then a run ends all the same, and the next one goes on at once', async () => {
    for (let intents = 0; intents < 9; intents += 1) await bindIntent(api)
    const { of, node } = anOutbox()
    const [worker] = of('outbox plain')
    expect(await worker?.run(stopping())).toBe(0)
    expect(node.sent).toHaveLength(8)
    expect(await worker?.run(stopping())).toBe(30_000)
    expect(node.sent).toHaveLength(9)
  })

  it('given workers that found nothing, then each wake takes the next one', async () => {
    const { outbox, of, wokenOf } = anOutbox()
    for (const { run } of of('outbox plain').slice(1)) expect(await run(stopping())).toBe(30_000)
    outbox.wake()
    outbox.wake()
    expect(wokenOf('outbox plain')).toEqual([0, 1, 1, 0])
    // The one that runs again is not idle.
    const again = of('outbox plain')[3]?.run(stopping())
    outbox.wake()
    expect(wokenOf('outbox plain')).toEqual([1, 1, 1, 0])
    await again
  })

  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
  ])('given %i calls are due, then one worker relays them all by turns, and wakes %i others', async (count, woken) => {
    for (let made = 0; made < count; made += 1) await bindIntent(api)
    const { of, wokenOf } = anOutbox()
    await of('outbox plain')[2]?.run(stopping())
    const relayers = await api.sql<{ relayer: string }[]>`select relayer from attempts order by id`
    const [one, two] = api.deps.relayer.accounts
    expect(relayers.map(({ relayer }) => relayer)).toEqual([one, two, one].slice(0, count).map((each) => each?.address))
    expect(wokenOf('outbox plain')).toEqual([woken, 0, 0, 0])
  })

  it.each([
    ['the process stops', true],
    ['no relayer can pay for gas', false],
  ])('given %s, then nothing is taken', async (_, isStopping) => {
    await bindIntent(api)
    const { of, node } = anOutbox()
    const balances = { read: async () => [] }
    if (!isStopping) Object.assign(node.deps, { relayer: { ...node.deps.relayer, balances } })
    await of('outbox plain')[0]?.run(stopping(isStopping))
    expect(node.sent).toEqual([])
  })
})

describe('the watch for receipts', () => {
  const POLL_MS = 1_000
  /** A watch, and how often it asked for a receipt. */
  function aWatch(resendAfterMs = 4_000_000) {
    const node = aScriptedNode(api)
    let asked = 0
    node.deps.chain.getTransactionReceipt = async () => {
      asked += 1
      return null
    }
    const relay = { deps: node.deps, results: new Map(), onSent: () => {} }
    const watch = createReceiptsRun(relay, { pollingIntervalMs: POLL_MS, resendAfterMs })
    const run = async () => {
      const before = asked
      return [await watch.run(), asked - before]
    }
    return { ...watch, run, node }
  }
  async function aSentCall() {
    const { id } = await bindIntent(api)
    await api.sql`update intents set ${api.sql({ status: 'broadcast', txHash: `0x${'77'.repeat(32)}` })} where id = ${id}`
  }

  it('given nothing is on its way, then it looks every five seconds', async () => {
    const { run } = aWatch()
    expect(await run()).toEqual([5_000, 0])
    await aSentCall()
    expect(await run()).toEqual([POLL_MS, 1])
  })

  it('given no new head, then it looks at a transaction once, or when rows are expected, or a second later', async () => {
    await aSentCall()
    const { run, expectRows, node } = aWatch()
    expect(await run()).toEqual([POLL_MS, 1])
    expect(await run()).toEqual([POLL_MS, 1])
    expect(await run()).toEqual([POLL_MS, 0])
    expectRows()
    expect(await run()).toEqual([POLL_MS, 1])
    expect(await run()).toEqual([POLL_MS, 0])
    node.state.hash = `0x${'0c'.repeat(32)}`
    expect(await run()).toEqual([POLL_MS, 1])
    expect(await run()).toEqual([POLL_MS, 0])
    node.deps.chain.latestHead = () => Promise.reject(new Error('no answer'))
    expect(await run()).toEqual([POLL_MS, 1])
  })

  it('given a call and a refund are on their way, then it goes on watching', async () => {
    await aSentCall()
    const { id } = await bindIntent(api, { relay: { mode: 'paid', payment: aPayment() } })
    await api.sql`update intents set ${api.sql({ status: 'failed', refundStatus: 'refunding' })} where id = ${id}`
    expect(await aWatch().run()).toEqual([POLL_MS, 1])
  })

  it('given the last pass is long ago, then it looks without a new head', async () => {
    await aSentCall()
    const { run } = aWatch(0)
    for (let runs = 0; runs < 3; runs += 1) expect(await run()).toEqual([POLL_MS, 1])
  })

  it('given bytes were sent, then its pauses grow from the shortest to the polling interval', async () => {
    await aSentCall()
    const { run, hurry } = aWatch()
    hurry()
    const pauses: unknown[] = []
    for (let runs = 0; runs < 9; runs += 1) pauses.push((await run())[0])
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, POLL_MS, POLL_MS])
  })
})
