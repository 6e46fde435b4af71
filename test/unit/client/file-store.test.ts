import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { fileStore } from '../../../client/src/store/file-store.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'

const wallet = `0x${'ab'.repeat(20)}`
const directories: string[] = []

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-store-'))
  directories.push(directory)
  return directory
}

/** Another process that adds one to a task's count so often, or ends while it has the lock. */
function startAdder(directory: string, times: number, dies = false) {
  const store = join(repositoryRoot, 'client', 'src', 'store', 'file-store.ts')
  const program = `
    const { fileStore } = await import(${JSON.stringify(store)})
    const store = fileStore({ directory: ${JSON.stringify(directory)} })
    for (let time = 0; time < ${times}; time++) await store.update('${wallet}', (state) => {
      ${dies ? 'process.kill(process.pid, "SIGKILL")' : ''}
      const task = state.tasks['0x1'] ?? { counted: '0', reward: null }
      state.tasks['0x1'] = { ...task, counted: String(Number(task.counted) + 1) }
    })`
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

const count = (directory: string) =>
  fileStore({ directory }).update(wallet, (state) => Number(state.tasks['0x1']?.counted ?? 0))

describe('The files of a wallet', () => {
  test('given several processes that change it at once, then no change is lost', async () => {
    const directory = aDirectory()
    const adders = [20, 20, 20].map((times) => startAdder(directory, times))
    await Promise.all(adders.map((adder) => once(adder, 'exit')))
    expect(await count(directory)).toBe(60)
  })

  test('given a process that dies while it has the lock, then the next one goes on', async () => {
    const directory = aDirectory()
    const adder = startAdder(directory, 1, true)
    await once(adder, 'exit')
    expect(readdirSync(join(directory, wallet))).toContain('lock')
    expect(await count(directory)).toBe(0)
    expect(readdirSync(join(directory, wallet))).not.toContain('lock')
  })

  test('given a change, then only the owner of the files can read them', async () => {
    const directory = aDirectory()
    await fileStore({ directory }).update(wallet, (state) => {
      state.tasks['0x1'] = { counted: '1', reward: null }
    })
    expect(statSync(join(directory, wallet)).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, wallet, 'state.json')).mode & 0o777).toBe(0o600)
  })

  test('given a damaged state or configuration, then nothing goes on', async () => {
    const directory = aDirectory()
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
    const directory = aDirectory()
    const store = fileStore({ directory })
    await store.update(wallet, () => {})
    const path = join(directory, wallet, 'config.json')
    for (const text of ['{"limits": {"percall": "5"}}', '{"perCall": "5"}', '{"limits": []}', '[]', 'null']) {
      writeFileSync(path, text)
      await expect(store.config(wallet)).rejects.toThrow(/config/)
    }
  })

  test('given a state that is no state, or a link to a place that is not there, then nothing goes on', async () => {
    const directory = aDirectory()
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

  test('given no directory, then there is no ledger in whatever place the process is', () => {
    expect(() => fileStore({ directory: '' })).toThrow(/no name/)
  })

  test('given a place that cannot be written, then nothing goes on', async () => {
    const directory = aDirectory()
    writeFileSync(join(directory, wallet), 'no folder')
    chmodSync(join(directory, wallet), 0o400)
    await expect(fileStore({ directory }).update(wallet, () => {})).rejects.toThrow(/cannot be made/)
  })
})
