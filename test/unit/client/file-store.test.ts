import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { takeLease } from '../../../client/src/store/file-lease.ts'
import { processName } from '../../../client/src/store/file-process.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import type { WalletState } from '../../../client/src/store/store.ts'
import { webStore } from '../../../client/src/store/web-store.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { aWalletDirectory } from '../../support/client/wallets.ts'

const wallet = `0x${'ab'.repeat(20)}`

interface Adder {
  /** How often it adds one to a task's count. */
  times: number
  /** It ends while it has the lock. */
  dies?: boolean
  /** How far its clock is ahead, milliseconds. */
  aheadMs?: number
}

/** Another process that changes the files. */
function startAdder(directory: string, adder: Adder) {
  return spawn(process.execPath, adderArguments(directory, adder), { stdio: ['ignore', 'inherit', 'inherit'] })
}

function adderArguments(directory: string, { times, dies = false, aheadMs = 0 }: Adder): string[] {
  const store = join(repositoryRoot, 'client', 'src', 'store', 'file-store.ts')
  const program = `
    const { fileStore } = await import(${JSON.stringify(store)})
    const store = fileStore({ directory: ${JSON.stringify(directory)}, now: () => Date.now() + ${aheadMs} })
    for (let time = 0; time < ${times}; time++) await store.update('${wallet}', (state) => {
      ${dies ? 'process.kill(process.pid, "SIGKILL")' : ''}
      const task = state.tasks['0x1'] ?? { counted: '0', reward: null }
      state.tasks['0x1'] = { ...task, counted: String(Number(task.counted) + 1) }
    })`
  return ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
}

const count = (directory: string) =>
  fileStore({ directory }).update(wallet, (state) => Number(state.tasks['0x1']?.counted ?? 0))

describe('The files of a wallet', () => {
  test('given several processes that change it at once, then no change is lost', async () => {
    const directory = aWalletDirectory()
    await Promise.all([20, 20].map((times) => once(startAdder(directory, { times }), 'exit')))
    expect(await count(directory)).toBe(40)
  })

  test('given a process that dies while it has the lock, then the next one goes on', async () => {
    const directory = aWalletDirectory()
    const adder = startAdder(directory, { times: 1, dies: true })
    await once(adder, 'exit')
    expect(readdirSync(join(directory, wallet))).toContain('lock')
    expect(await count(directory)).toBe(0)
    expect(readdirSync(join(directory, wallet))).not.toContain('lock')
  })

  test('given a change, then only the owner of the files can read them', async () => {
    const directory = aWalletDirectory()
    await fileStore({ directory }).update(wallet, (state) => {
      state.tasks['0x1'] = { counted: '1', reward: null }
    })
    expect(statSync(join(directory, wallet)).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, wallet, 'state.json')).mode & 0o777).toBe(0o600)
  })

  test('given a damaged state or configuration, then nothing goes on', async () => {
    const directory = aWalletDirectory()
    const store = fileStore({ directory })
    await store.update(wallet, (state) => {
      state.tasks['0x1'] = { counted: '1', reward: null }
    })
    const path = join(directory, wallet, 'state.json')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 10))
    await expect(store.update(wallet, () => {})).rejects.toThrow(/damaged/)
    writeFileSync(join(directory, wallet, 'config.json'), '{"limits": {"perCall": 5}}')
    await expect(store.config(wallet)).rejects.toThrow(/config/)
  })

  test('given a setting under a name that there is not, then no default takes its place', async () => {
    const directory = aWalletDirectory()
    const store = fileStore({ directory })
    await store.update(wallet, () => {})
    const path = join(directory, wallet, 'config.json')
    for (const text of ['{"limits": {"percall": "5"}}', '{"perCall": "5"}', '{"limits": []}', '[]', 'null']) {
      writeFileSync(path, text)
      await expect(store.config(wallet)).rejects.toThrow(/config/)
    }
  })

  test('given a state that is no state, or a link to a place that is not there, then nothing goes on', async () => {
    const directory = aWalletDirectory()
    const store = fileStore({ directory })
    const path = (name: string) => join(directory, wallet, name)
    mkdirSync(join(directory, wallet))
    for (const text of ['null', '[]', '{}', '{"entries": {}}']) {
      writeFileSync(path('state.json'), text)
      await expect(store.update(wallet, () => {})).rejects.toThrow(/damaged/)
    }
    rmSync(path('state.json'))
    for (const name of ['state.json', 'config.json']) symlinkSync(join(directory, 'unmounted', name), path(name))
    await expect(store.update(wallet, () => {})).rejects.toThrow(/cannot be read/)
    await expect(store.config(wallet)).rejects.toThrow(/cannot be read/)
  })

  test('given an entry of an earlier version, then it has no calls at work, on a machine and in a browser', async () => {
    const old = JSON.stringify({
      entries: { k: { key: 'k', state: 'sent', owner: 'x', updatedAt: Date.now() } },
      tasks: {},
    })
    const directory = aWalletDirectory()
    mkdirSync(join(directory, wallet))
    writeFileSync(join(directory, wallet, 'state.json'), old)
    const storage = { getItem: () => old, setItem: () => {} }
    const browser = webStore({ storage, locks: { request: (_, work) => work() } })
    for (const store of [fileStore({ directory }), browser]) {
      expect(await store.update(wallet, (state) => state.entries.k?.runs)).toEqual({})
    }
  })

  test('given no directory, then there is no ledger in whatever place the process is', () => {
    expect(() => fileStore({ directory: '' })).toThrow(/no name/)
  })

  test('given a place that cannot be written, then nothing goes on', async () => {
    const directory = aWalletDirectory()
    writeFileSync(join(directory, wallet), 'no folder')
    chmodSync(join(directory, wallet), 0o400)
    await expect(fileStore({ directory }).update(wallet, () => {})).rejects.toThrow(/cannot be made/)
  })
})

describe('The lease of a wallet’s files', () => {
  const addOne = (state: WalletState) => {
    const task = state.tasks['0x1'] ?? { counted: '0', reward: null }
    state.tasks['0x1'] = { ...task, counted: String(Number(task.counted) + 1) }
  }

  test.each([1, 29, 31, 3_600])(
    'given a holder that is paused for %i s, then a process that takes the lease loses no change, and neither does it',
    async (seconds) => {
      const directory = aWalletDirectory()
      let runs = 0
      await fileStore({ directory }).update(wallet, (state) => {
        runs += 1
        // In the middle of its change, as a paused process that goes on: what it has read is not what is there now.
        if (runs === 1 && seconds > 30) {
          const options = { times: 3, aheadMs: seconds * 1_000 }
          expect(spawnSync(process.execPath, adderArguments(directory, options)).status).toBe(0)
        }
        addOne(state)
      })
      expect(runs).toBe(seconds > 30 ? 2 : 1)
      expect(await count(directory)).toBe(seconds > 30 ? 4 : 1)
      expect(readdirSync(join(directory, wallet))).toEqual(['state.json'])
    },
  )

  test('given a lease of another machine, then it is taken after 30 s without renewal, and not before', async () => {
    const directory = aWalletDirectory()
    const path = join(directory, 'lock')
    let now = 1_800_000_000_000
    const clock = () => now
    writeFileSync(path, 'pod-1:1:9f1c2b3a-88123:3f9a4c8e 11111111-2222-4333-8444-555555555555')
    utimesSync(path, now / 1_000, now / 1_000)
    let isTaken = false
    const taking = takeLease(path, clock).then((lease) => {
      isTaken = true
      return lease
    })
    for (const seconds of [5, 29, 30]) {
      now = 1_800_000_000_000 + seconds * 1_000
      await new Promise((resolve) => setImmediate(resolve))
      expect([seconds, isTaken]).toEqual([seconds, false])
    }
    now += 1_000
    const lease = await taking
    expect(readFileSync(path, 'utf8')).toBe(`${processName} ${lease.token}`)
    await lease.check()
    await lease.release()
    expect(readdirSync(directory)).toEqual([])
  })

  test('given a holder that works on, then it renews its lease every 5 s, and the lease of a taker is left alone', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const path = join(aWalletDirectory(), 'lock')
    let now = 1_800_000_000_000
    const renewed: number[] = []
    const clock = () => {
      renewed.push(now)
      return now
    }
    const lease = await takeLease(path, clock)
    const before = renewed.length
    for (const _ of Array.from({ length: 12 })) {
      now += 5_000
      vi.advanceTimersByTime(5_000)
    }
    expect(renewed.slice(before)).toEqual(Array.from({ length: 12 }, (_, at) => 1_800_000_000_000 + (at + 1) * 5_000))
    const taker = 'pod-2:1:: 11111111-2222-4333-8444-555555555555'
    writeFileSync(path, taker)
    await expect(lease.check()).rejects.toThrow(/has taken/)
    await lease.release()
    expect(readFileSync(path, 'utf8')).toBe(taker)
  })

  /** A lease whose process has ended; a right to replace it that was made by such a process. */
  const dead = (token: string) => `${hostname()}:4194305::3f9a4c8e ${token}`
  test.each([
    { of: 'a lease', files: { lock: dead('1') } },
    { of: 'a lease, and of one that was replacing it', files: { lock: dead('1'), 'lock.over.1': dead('2') } },
    { of: 'a lease without a token', files: { lock: `${hostname()}:4194305` } },
  ])('given a dead process of $of and many takers at once, then one at a time has it', async ({ files }) => {
    const directory = aWalletDirectory()
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
    const atOnce: number[] = []
    let holders = 0
    const take = async () => {
      const lease = await takeLease(join(directory, 'lock'), Date.now)
      holders += 1
      atOnce.push(holders)
      for (const _ of Array.from({ length: 20 })) await lease.check()
      holders -= 1
      await lease.release()
    }
    await Promise.all(Array.from({ length: 12 }, take))
    expect(atOnce).toEqual(Array.from({ length: 12 }, () => 1))
    expect(readdirSync(directory)).toEqual([])
  })

  test('given a file that a holder has left that was paused, then the next one deletes it before it reads', async () => {
    const directory = aWalletDirectory()
    const store = fileStore({ directory })
    await store.update(wallet, addOne)
    const left = join(directory, wallet, 'state.json.11111111-2222-4333-8444-555555555555')
    writeFileSync(left, '{"entries": {}, "tasks": {}}')
    expect(await count(directory)).toBe(1)
    expect(readdirSync(join(directory, wallet))).toEqual(['state.json'])
  })
})
