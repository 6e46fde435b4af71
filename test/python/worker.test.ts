import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findPython, PYTHON_PACKAGES } from '../../scripts/stack/find-python.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aDeploymentOf } from '../support/other-deployment.ts'

const environment = openEnvironment()
const packageRoot = join(repositoryRoot, 'clients/python')

interface Worker {
  /** The next event of this kind. */
  until(event: string): Promise<Record<string, string>>
  exitCode(): Promise<number | null>
}

let home: string
const running: ChildProcess[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'task-market-python-'))
})
afterEach(async () => {
  await Promise.all(
    running.splice(0).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }),
  )
  rmSync(home, { recursive: true })
})

/** Starts a program on the package, its journal in a folder of the test. */
function startProgram(script: string, args: string[], environmentOfIt: Record<string, string>) {
  const python = findPython()
  if (python === null) throw new Error(`this test needs ${PYTHON_PACKAGES.join(', ')}`)
  const child = spawn(python, ['-W', 'ignore', join(repositoryRoot, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: packageRoot,
      HOME: home,
      BASE_URL: environment.baseUrl,
      DEPLOYMENT: inject('conformanceStack').deploymentFile,
      ...environmentOfIt,
    },
  })
  running.push(child)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return { lines: createInterface(child.stdout), exitCode: () => ended }
}

/** Starts the worker, on tasks of a tag. */
function startWorker(actor: Actor, tag: string, changes: Record<string, string> = {}): Worker {
  const started = startProgram('clients/python/examples/worker.py', ['--tag', tag, '--tasks', '1'], {
    WORKER_KEY: actor.key,
    ...changes,
  })
  const lines = started.lines[Symbol.asyncIterator]()
  return {
    until: async (event) => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`the worker ended before: ${event}`)
        const told = JSON.parse(value) as Record<string, string>
        if (told.event === event) return told
      }
    },
    exitCode: started.exitCode,
  }
}

/** A task with a tag of its own. */
async function aTask(requester: Actor, fields: Record<string, unknown>): Promise<{ taskId: Hex; tag: string }> {
  const tag = `python-${crypto.randomUUID()}`
  return { taskId: await environment.createTask(requester, { tags: [tag], ...fields }), tag }
}

test.each([{ mode: 'bounty' }, { mode: 'claim' }])('the worker earns the reward of a $mode', async (fields) => {
  const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
  const money = await environment.chain.watch({ worker: worker.address })
  const { taskId, tag } = await aTask(requester, { description: 'Count these five words', ...fields })
  const agent = startWorker(worker, tag)
  expect(await agent.until('delivered')).toMatchObject({ taskId })
  const { body: submissions } = await environment.get(`/tasks/${taskId}/submissions`)
  expect(await (await fetch(submissions[0].fileUrl)).text()).toBe('The description has 4 words.\n')
  await environment.accept(requester, taskId, worker)
  expect(await agent.until('done')).toEqual({ event: 'done', earned: '1850000' })
  expect(await agent.exitCode()).toBe(0)
  expect(await money.changes()).toEqual({ worker: 1_850_000n })
})

test('the worker pays for its pitch, by a payment that names it, and earns the reward when it is selected', async () => {
  const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
  const money = await environment.chain.watch({ worker: worker.address })
  const { taskId, tag } = await aTask(requester, { mode: 'pitch', pitchDeadline: 3600 })
  const agent = startWorker(worker, tag)
  expect(await agent.until('entered')).toMatchObject({ taskId })
  const { body: pitches } = await environment.get(`/tasks/${taskId}/pitches`)
  const pitch = pitches[0].id
  // Consent is on since its first payment: that named the request.
  const { body: consent } = await environment.get(`/wallet/consent?address=${worker.address}`)
  expect(consent).toMatchObject({ required: true })
  const workerAddress = worker.account.address
  const message = `service:select-worker:${taskId}:${pitch}:${workerAddress.toLowerCase()}`
  const signature = await requester.account.signMessage({ message })
  const selection = { pitchId: pitch, workerAddress, signature }
  expect((await environment.pay(requester, `/tasks/${taskId}/pitches/select`, selection)).status).toBe(200)
  expect(await agent.until('delivered')).toMatchObject({ taskId })
  await environment.accept(requester, taskId, worker)
  expect(await agent.until('done')).toEqual({ event: 'done', earned: '1850000' })
  expect(await money.changes()).toEqual({ worker: 1_849_000n })
})

test('the worker pays no other account than the forwarder that it was told', async () => {
  const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
  const money = await environment.chain.watch({ worker: worker.address })
  const { tag } = await aTask(requester, { mode: 'pitch', pitchDeadline: 3600 })
  const agent = startWorker(worker, tag, { DEPLOYMENT: aDeploymentOf(requester.address) })
  expect(await agent.until('refused')).toMatchObject({ message: expect.stringContaining('another payment') })
  expect(await money.changes()).toEqual({ worker: 0n })
})

test.each([
  ['bounty', 1_850_000n],
  ['claim', 1_850_000n],
  ['pitch', 1_849_000n],
  ['benchmark', 1_849_000n],
  ['dutch', null],
])('requester and worker in Python settle a task of the mode %s', async (mode, earned) => {
  const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
  const money = await environment.chain.watch({ worker: worker.address })
  const tag = `python-${crypto.randomUUID()}`
  const agent = startWorker(worker, tag)
  const args = ['--mode', mode, '--tag', tag, '--reward', '2', 'Count these five words']
  const asking = startProgram('clients/python/examples/requester.py', args, { REQUESTER_KEY: requester.key })
  const told: string[] = []
  for await (const line of asking.lines) told.push(line.split(' ')[0] ?? '')
  const selected = mode === 'pitch' ? ['selected'] : []
  expect(told).toEqual(['created', ...selected, 'accepted', 'rated'])
  expect(await asking.exitCode()).toBe(0)
  const done = await agent.until('done')
  const changes = await money.changes()
  if (earned === null) expect(changes.worker).toBe(BigInt(done.earned ?? '0') - 1000n)
  else expect(changes).toEqual({ worker: earned })
})

test('updates, splits, rejections, bids, evaluators and identities are written, and a refusal is one', async () => {
  const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
  const evaluator = (await environment.aWallet()).account.address
  const keys = { REQUESTER_KEY: requester.key, WORKER_KEY: worker.key, EVALUATOR: evaluator }
  const program = startProgram('test/python/operations.py', [], keys)
  const lines: string[] = []
  for await (const line of program.lines) lines.push(line)
  expect(JSON.parse(lines[0] ?? 'null')).toEqual({
    // The fee, and what the reward grew by.
    updated: { paid: 501_000, reward: '2500000', text: 'Count again', end: 'cancelled' },
    split: ['2000000'],
    rejected: true,
    bid: '1500000',
    judged: evaluator,
    refused: 'not_requester',
    agent: true,
  })
  expect(await program.exitCode()).toBe(0)
})
