import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../client/src/create-client.ts'
import { findProcess, isProcessAlive, processName } from '../../../client/src/store/file-process.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import { lookUpWrite } from '../../../client/src/writes/look-up.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { aWalletDirectory } from '../../support/client/wallets.ts'
import { OWN_HOST, startPaidService, testDeployment } from './paid-service.ts'

const key = `0x${'42'.repeat(32)}` as const
const account = privateKeyToAccount(key)
const task = { description: 'Haiku', reward: '5000000', duration: 24, tags: [] }
const isLinux = process.platform === 'linux'

/** A command below a parent that never collects its exit code, so that it stays defunct after its end. */
async function startBelow(command: string, program = ''): Promise<{ parent: ChildProcess; pid: number }> {
  // The shell that began the command would take its end; the one that is in its place when it is named does not.
  const parent = spawn('sh', ['-c', `${command} & exec sh -c "echo $!; exec sleep 600"`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PROGRAM: program },
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [pid] = (await once(parent.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer]
  onTestFinished(() => void (findProcess(Number(pid)) === null || process.kill(Number(pid), 'SIGKILL')))
  return { parent, pid: Number(pid) }
}

const node = `'${process.execPath}' --disable-warning=ExperimentalWarning --input-type=module -e "$PROGRAM"`

async function untilDefunct(pid: number): Promise<void> {
  while (findProcess(pid)?.isDefunct === false) await new Promise((resolve) => setImmediate(resolve))
}

/** Creates a task; `url` and `directory` are of the test. */
const creation = (url: string, directory: string) => `
  const { createClient } = await import(${JSON.stringify(join(repositoryRoot, 'client/src/create-client.ts'))})
  const { fileStore } = await import(${JSON.stringify(join(repositoryRoot, 'client/src/store/file-store.ts'))})
  const { privateKeyToAccount } = await import('viem/accounts')
  const market = createClient({
    url: ${JSON.stringify(url)},
    account: privateKeyToAccount('${key}'),
    deployment: ${JSON.stringify(testDeployment)},
    store: fileStore({ directory: ${JSON.stringify(directory)} }),
  })
  await market.write('createTask', ${JSON.stringify(task)})`

describe('A client that was killed after it had sent a payment', () => {
  test('given that it is defunct and the same command is repeated, under its host name, another one or with a foreign process of its id, then there is one task', async () => {
    const directory = aWalletDirectory()
    let victim: number | null = null
    const service = await startPaidService({
      amount: 5_000_000n,
      onPaid: () => {
        const pid = victim
        victim = null
        if (pid !== null) process.kill(pid, 'SIGKILL')
        return pid !== null
      },
    })
    onTestFinished(service.stop)
    const below = await startBelow(node, creation(service.url, directory))
    victim = below.pid
    await untilDefunct(below.pid)
    const path = join(directory, account.address.toLowerCase(), 'state.json')
    const state = readFileSync(path, 'utf8')
    expect(Object.values(JSON.parse(state).entries)).toMatchObject([{ state: 'sent' }])
    for (const changed of [
      state,
      state.replaceAll(`"${hostname()}:`, '"pod-1:'),
      state.replaceAll(new RegExp(`"${hostname()}:\\d+:`, 'g'), `"${hostname()}:${below.parent.pid}:`),
    ]) {
      writeFileSync(path, changed)
      const store = fileStore({ directory })
      const market = createClient({ url: service.url, account, deployment: testDeployment, store })
      expect(await market.write('createTask', task)).toMatchObject({ kind: 'completed', joined: true })
    }
    expect(new Set(service.payments.map(({ key }) => key)).size).toBe(1)
    expect(service.tasks()).toHaveLength(1)
  })
})

describe('A client of a service whose own host is another one than that of its URL', () => {
  const timing = { pauseMs: 10, maxPauseMs: 10 }

  async function aLostWrite() {
    const directory = aWalletDirectory()
    const service = await startPaidService({ amount: 5_000_000n, isBehindProxy: true, onPaid: () => true })
    onTestFinished(service.stop)
    const open = (waitMs: number, now?: number) => {
      const store = fileStore({ directory })
      const options = { url: service.url, account, deployment: testDeployment, store, timing: { ...timing, waitMs } }
      const market = createClient(options)
      return now === undefined
        ? market
        : { ...market, lookUp: () => lookUpWrite({ ...market.context, now: async () => now }, key) }
    }
    const outcome = await open(0).write('createTask', task)
    expect(outcome).toMatchObject({ kind: 'unknown' })
    const { key } = outcome as { key: string }
    return { service, open, key }
  }

  test('given that its command is repeated, then the same payment shows the completed write', async () => {
    const { service, open } = await aLostWrite()
    const taskId = expect.stringMatching(/^0x/)
    expect(await open(5_000).write('createTask', task)).toMatchObject({ kind: 'completed', taskId, paid: 5_000_000n })
    expect(service.payments).toHaveLength(1)
  })

  test('given that its key is looked up, then it is open while its payment can act, and completed after that', async () => {
    const { service, open, key } = await aLostWrite()
    const early = await open(0).lookUp(key)
    expect(early).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining(`the service has the host ${OWN_HOST}`),
    })
    const later = Math.floor(Date.now() / 1000) + 3_600
    expect(await open(0, later).lookUp(key)).toMatchObject({ kind: 'completed' })
    expect(service.payments).toHaveLength(1)
  })
})

describe('The name of a process', () => {
  test('given this process or one of another machine, then it may be running', () => {
    expect(isProcessAlive(processName)).toBe(true)
    expect(isProcessAlive('pod-1:1:9f1c2b3a-88123:3f9a4c8e')).toBe(true)
  })

  test('given this process’s id in another name, or an id that is none, then it has ended', () => {
    expect(isProcessAlive(`${hostname()}:${process.pid}:9f1c2b3a-1:3f9a4c8e`)).toBe(false)
    for (const id of ['0', '-1', 'x', '4194305']) expect(isProcessAlive(`${hostname()}:${id}::3f9a4c8e`)).toBe(false)
  })

  test.runIf(isLinux)(
    'given a process that is running, reused or defunct, then only the first one is alive',
    async () => {
      const { pid } = await startBelow('sleep 600')
      const nameOf = (start: string | undefined) => `${hostname()}:${pid}:${start}:3f9a4c8e`
      const start = findProcess(pid)?.start
      expect(isProcessAlive(nameOf(start))).toBe(true)
      expect(isProcessAlive(nameOf('9f1c2b3a-1'))).toBe(false)
      process.kill(pid, 'SIGKILL')
      await untilDefunct(pid)
      expect(findProcess(pid)).toMatchObject({ start, isDefunct: true })
      expect(isProcessAlive(nameOf(start))).toBe(false)
    },
  )
})
