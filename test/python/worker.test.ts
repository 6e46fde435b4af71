import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findPython, PYTHON_PACKAGES } from '../../scripts/stack/find-python.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { byDepth } from '../support/depth.ts'

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
function startWorker(actor: Actor, tag: string): Worker {
  const started = startProgram('clients/python/examples/worker.py', ['--tag', tag, '--tasks', '1'], {
    WORKER_KEY: actor.key,
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

/** By mode: what the worker pays in fees, base units. The walk of the page settles a bounty. */
const modes: [mode: string, fees: bigint][] = [
  ['pitch', 1_000n],
  ['dutch', 1_000n],
]
const deepModes: typeof modes = [
  ['bounty', 0n],
  ['claim', 0n],
  ['benchmark', 1_000n],
]
test.each(byDepth(modes, [...modes, ...deepModes]))(
  'requester and worker in Python settle a task of the mode %s',
  async (mode, fees) => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const money = await environment.chain.watch({ worker: worker.address })
    const tag = `python-${crypto.randomUUID()}`
    const agent = startWorker(worker, tag)
    const args = ['--mode', mode, '--tag', tag, '--reward', '2', 'Count these five words']
    const asking = startProgram('clients/python/examples/requester.py', args, { REQUESTER_KEY: requester.key })
    const told: [event: string, fact?: string][] = []
    for await (const line of asking.lines) told.push(line.split(' ') as [string, string])
    const selected = mode === 'pitch' ? ['selected'] : []
    expect(told.map(([event]) => event)).toEqual(['created', ...selected, 'accepted', 'rated'])
    expect(await asking.exitCode()).toBe(0)
    const { body: submissions } = await environment.get(`/tasks/${told[0]?.[1]}/submissions`)
    // A benchmark is delivered by a proof, which has no file.
    const text = mode === 'benchmark' ? null : await (await fetch(submissions[0].fileUrl)).text()
    expect(text).toBe(mode === 'benchmark' ? null : 'The description has 4 words.\n')
    const { earned } = await agent.until('done')
    expect(await agent.exitCode()).toBe(0)
    expect(mode === 'dutch' || earned === '1850000', earned).toBe(true)
    expect(await money.changes()).toEqual({ worker: BigInt(earned ?? 0) - fees })
    // Consent is on since its first payment, of a fee or a stake: that named the request.
    const { body: consent } = await environment.get(`/wallet/consent?address=${worker.address}`)
    expect(consent).toMatchObject({ required: mode !== 'bounty' })
  },
)

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
