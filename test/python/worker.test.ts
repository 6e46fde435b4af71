import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Hex } from 'viem'
import { afterEach, expect, inject, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findPython, PYTHON_PACKAGES } from '../../scripts/stack/find-python.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aDeploymentOf } from '../support/other-deployment.ts'

const environment = openEnvironment()

interface Worker {
  /** The next event of this kind. */
  until(event: string): Promise<Record<string, string>>
  exitCode(): Promise<number | null>
}

let running: ChildProcess | null = null
afterEach(() => {
  running?.kill('SIGKILL')
  running = null
})

/** Starts it, on tasks of a tag. */
function startWorker(actor: Actor, tag: string, changes: Record<string, string> = {}): Worker {
  const python = findPython()
  if (python === null) throw new Error(`this test needs ${PYTHON_PACKAGES.join(', ')}`)
  const script = join(repositoryRoot, 'examples/python/worker.py')
  const child = spawn(python, [script, '--tag', tag, '--tasks', '1', '--pause-seconds', '0.2'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      BASE_URL: environment.baseUrl,
      WORKER_KEY: actor.key,
      DEPLOYMENT: inject('conformanceStack').deploymentFile,
      ...changes,
    },
  })
  running = child
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    until: async (event) => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`the worker ended before: ${event}`)
        const told = JSON.parse(value) as Record<string, string>
        if (told.event === event) return told
      }
    },
    exitCode: () => ended,
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
