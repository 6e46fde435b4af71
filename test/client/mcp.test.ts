import type { Hex } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { fileStore } from '../../client/src/store/file-store.ts'
import { runTool, wordsOf } from '../support/client/silent-io.ts'
import { anAttendedTerminal, hasTerminals } from '../support/client/terminal.ts'
import { aClient, aWalletDirectory, quickTiming } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTextFile } from '../support/conformance-fixtures.ts'
import { lossyFetch } from './lossy-fetch.ts'
import { environmentOf, startMcpHost } from './mcp-host.ts'

const environment = openEnvironment()
const aTask = { description: 'Write a haiku about escrow', reward: '500000', duration: 24, tags: ['haiku'] }
const accept = () => ({ action: 'accept' as const, content: { confirm: true } })
const decline = () => ({ action: 'decline' as const })

/** A wallet with a registered withdrawal address, and its folder. */
async function aWithdrawer() {
  const [wallet, safe] = [await environment.aWallet(), await environment.aWallet()]
  const directory = aWalletDirectory()
  const env = environmentOf(wallet, directory)
  expect(await runTool(wordsOf(`wallet set-withdrawal-address ${safe.address} --yes`), { env })).toMatchObject({
    exit: 0,
  })
  return { wallet, safe, directory }
}

describe('A conversation', () => {
  test('given a bounty, then each party does its part by preview and confirmation', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const asRequester = await startMcpHost(requester)
    const asWorker = await startMcpHost(worker)
    const money = await environment.chain.watch({ requester: requester.address, worker: worker.address })

    const creation = await asRequester.preview('createTask', aTask)
    expect(creation).toMatchObject({
      price: '500000',
      decides: '500000',
      needsPerson: false,
      effects: { reward: '500000' },
      isActSimulated: true,
    })
    const created = await asRequester.confirm(creation)
    expect(created).toMatchObject({ kind: 'completed', paid: '500000', taskId: expect.stringMatching(/^0x/) })
    const taskId = String(created.taskId)

    const offers = (await asWorker.call('list_actions', { taskId })).data.actions as {
      ready: Ready
      missing: string[]
    }[]
    const offer = offers.find(({ ready }) => ready.arguments.write === 'createSubmission')
    expect(offer).toMatchObject({ missing: ['artifacts'] })
    const artifacts = [{ fileName: 'a.txt', mimeType: 'text/plain', file: Buffer.from('Agora').toString('base64') }]
    const delivery = await asWorker.preview('createSubmission', { ...offer?.ready.arguments.input, artifacts })
    expect(await asWorker.confirm(delivery)).toMatchObject({ kind: 'completed' })

    const queue = (await asRequester.call('list_actions')).data.actions as { ready: Ready; missing: string[] }[]
    const acceptance = queue.find(({ ready }) => ready.arguments.write === 'acceptSubmission')
    expect(acceptance?.missing).toEqual(['worker'])
    const input = { ...acceptance?.ready.arguments.input, worker: worker.address }
    // A thousandth and the payout, beside the creation: 1.001 USDC in a day are above the threshold.
    const payout = await asRequester.preview('acceptSubmission', input)
    expect(payout).toMatchObject({
      price: '1000',
      decides: '501000',
      needsPerson: true,
      effects: { released: '500000', platformFee: '37500' },
    })
    expect(await asRequester.confirm(payout)).toMatchObject({ kind: 'refused', reason: 'person_needed' })
    const { directory } = asRequester
    const questions: string[] = []
    const asked = await startMcpHost(requester, {
      directory,
      onAsk: (message) => {
        questions.push(message)
        return accept()
      },
    })
    expect(await asked.confirm(await asked.preview('acceptSubmission', input))).toMatchObject({ kind: 'completed' })
    expect(questions).toEqual([expect.stringContaining('decides together 0.501 USDC')])
    expect(await money.changes()).toEqual({ requester: -501_000n, worker: 462_500n })
  })
})

interface Ready {
  arguments: { write: string; input: Record<string, unknown> }
}

describe('What stands between a model and a write', () => {
  test('given a token of another time, request or server, then nothing is sent', async () => {
    const wallet = await environment.aWallet()
    const [host, other] = [await startMcpHost(wallet), await startMcpHost(wallet)]
    const money = await environment.chain.watch({ wallet: wallet.address })
    const [first, second] = [
      await host.preview('createTask', aTask),
      await host.preview('createTask', { ...aTask, reward: '400000' }),
    ]
    const refusal = { kind: 'refused', reason: 'invalid_token' }
    expect(await other.confirm(first)).toMatchObject(refusal)
    expect(await host.confirm(first, { requestHash: second.confirm.arguments.requestHash })).toMatchObject(refusal)
    // An attempt uses the token up.
    expect(await host.confirm(first)).toMatchObject(refusal)
    expect(await host.confirm(second, { decides: '1' })).toMatchObject(refusal)
    const third = await host.preview('createTask', aTask)
    expect(await host.confirm(third, { write: 'cancelTask' })).toMatchObject(refusal)
    expect(await money.changes()).toEqual({ wallet: 0n })

    const fourth = await host.preview('createTask', aTask)
    expect(await host.confirm(fourth)).toMatchObject({ kind: 'completed' })
    expect(await host.confirm(fourth)).toMatchObject(refusal)
    expect(await money.changes()).toEqual({ wallet: -500_000n })
  })

  test('given another submission of the worker since the preview, then nothing is accepted', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const host = await startMcpHost(requester, { onAsk: accept })
    const taskId = await environment.createTask(requester, { reward: '500000' })
    const first = await environment.submit(worker, taskId)
    const input = { taskId, worker: worker.address }
    const acceptance = await host.preview('acceptSubmission', input)
    expect(acceptance).toMatchObject({ submissions: [{ submissionId: first }] })
    const money = await environment.chain.watch({ worker: worker.address })
    const second = await environment.submit(worker, taskId, [aTextFile('Something else')])
    expect(await host.confirm(acceptance)).toMatchObject({ kind: 'refused', reason: 'terms_changed' })
    expect(await money.changes()).toEqual({ worker: 0n })
    const again = await host.preview('acceptSubmission', input)
    expect(again).toMatchObject({ submissions: [{ submissionId: second }] })
    expect(await host.confirm(again)).toMatchObject({ kind: 'completed' })
  })

  test('given a write that an earlier process left open, then it is seen through by its key', async () => {
    const wallet = await environment.aWallet()
    const directory = aWalletDirectory()
    const before = aClient(wallet, {
      store: fileStore({ directory }),
      fetch: lossyFetch({ arrives: true }),
      timing: { ...quickTiming, waitMs: 500 },
    })
    const lost = await before.write('createTask', aTask)
    expect(lost).toMatchObject({ kind: 'unknown' })
    const money = await environment.chain.watch({ wallet: wallet.address })
    const host = await startMcpHost(wallet, { directory })
    const seen = await host.call('continue_write', { key: lost.key })
    expect(seen.data).toMatchObject({ kind: 'completed', key: lost.key, taskId: expect.stringMatching(/^0x/) })
    expect(await money.changes()).toEqual({ wallet: 0n })
    const unknown = await host.call('continue_write', { key: crypto.randomUUID() })
    expect(unknown.data).toMatchObject({ kind: 'refused', reason: 'unknown_key' })
  })

  test('given a withdrawal, then a person must agree, and it goes to the registered address', async () => {
    const { wallet, safe, directory } = await aWithdrawer()
    const money = await environment.chain.watch({ safe: safe.address })
    const input = { amountBaseUnits: '5000' }

    const alone = await startMcpHost(wallet, { directory })
    const preview = await alone.preview('withdraw', input)
    expect(preview).toMatchObject({ payTo: safe.address, needsPerson: true, effects: { withdrawn: '5000' } })
    expect(await alone.confirm(preview)).toMatchObject({
      kind: 'refused',
      reason: 'person_needed',
      message: expect.stringContaining('needs a person'),
    })
    const elsewhere = await alone.call('preview_write', { write: 'withdraw', input: { ...input, to: wallet.address } })
    expect(elsewhere).toMatchObject({ isError: true, data: { code: 'BAD_REQUEST', issues: [{ path: 'input.to' }] } })

    for (const answer of [
      decline,
      () => ({ action: 'cancel' as const }),
      () => ({ ...accept(), content: { confirm: false } }),
    ]) {
      const declining = await startMcpHost(wallet, { directory, onAsk: answer })
      const refused = await declining.confirm(await declining.preview('withdraw', input))
      expect(refused).toMatchObject({ kind: 'refused', reason: 'declined' })
    }
    expect(await money.changes()).toEqual({ safe: 0n })

    for (const era of ['modern', 'legacy'] as const) {
      const accepting = await startMcpHost(wallet, { era, directory, onAsk: accept })
      const done = await accepting.confirm(await accepting.preview('withdraw', input))
      expect(done).toMatchObject({ kind: 'completed' })
    }
    expect(await money.changes()).toEqual({ safe: 10_000n })
  })

  test.runIf(hasTerminals)('given a host without forms, then the person at the terminal decides', async () => {
    const { wallet, safe, directory } = await aWithdrawer()
    const money = await environment.chain.watch({ safe: safe.address })
    const { path, shown } = await anAttendedTerminal(
      () => 'y',
      (number) => number,
    )
    const host = await startMcpHost(wallet, { directory, ownProcess: true, terminal: path })
    const preview = () => host.preview('withdraw', { amountBaseUnits: '5000' })
    expect(await host.confirm(await preview())).toMatchObject({ kind: 'refused', reason: 'declined' })
    expect(await host.confirm(await preview())).toMatchObject({ kind: 'completed' })
    expect(shown()).toContain('0.005 USDC leave the wallet')
    expect(await money.changes()).toEqual({ safe: 5_000n })
  })

  test('given a wallet without a registered address, then no withdrawal is previewed', async () => {
    const host = await startMcpHost(await environment.aWallet(), { onAsk: accept })
    const input = { amountBaseUnits: '5000' }
    const preview = await host.call('preview_write', { write: 'withdraw', input })
    expect(preview).toMatchObject({ isError: true, data: { reason: 'no_withdrawal_address' } })
  })
})

/** A host with the URIs that it was told of. */
async function aListener(wallet: Parameters<typeof startMcpHost>[0]) {
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
    const [requester, worker, other] = [
      await environment.aWallet(),
      await environment.aWallet(),
      await environment.aWallet(),
    ]
    const taskIds: Hex[] = []
    for (const taskVisibility of ['public', 'unlisted', 'private']) {
      const invited = taskVisibility === 'private' ? { allowedViewers: [worker.address] } : {}
      taskIds.push(await environment.createTask(requester, { taskVisibility, ...invited }))
    }
    const uris = taskIds.map((taskId) => `task-market://tasks/${taskId}`)
    const [own, foreign] = [await aListener(requester), await aListener(other)]
    expect(await own.subscribe([...uris, 'task-market://actions'])).toEqual([...uris, 'task-market://actions'])
    // Of a private task there is nothing for another wallet.
    expect(await foreign.subscribe(uris)).toEqual(uris.slice(0, 2))

    for (const taskId of taskIds.slice(0, 2)) await environment.submit(worker, taskId)
    await environment.cancel(requester, taskIds[2] ?? '0x')
    await vi.waitFor(() => expect(new Set(own.told)).toEqual(new Set([...uris, 'task-market://actions'])), 60_000)
    await vi.waitFor(() => expect(new Set(foreign.told)).toEqual(new Set(uris.slice(0, 2))), 60_000)
  })
})
