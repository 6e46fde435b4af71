import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChild, waitUntilReady } from '../../ops/process/child.ts'
import { findProcessIdentity } from '../../ops/process/process-identity.ts'
import { endOwnProcesses } from '../../ops/process/process-registry.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'task-market-processes-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A shell that starts a child process, writes its id to a file, and waits. */
async function startFamily(script: string) {
  const child = await startChild({
    name: 'family',
    command: 'sh',
    args: ['-c', script],
    logFile: join(directory, 'family.log'),
    stopSignal: 'SIGTERM',
    stopTimeoutMilliseconds: 200,
  })
  const findGrandchild = async () => (/^\d+\n/.test(child.readLog()) ? Number(child.readLog()) : null)
  return { child, grandchild: await waitUntilReady(child, findGrandchild) }
}

test('given a child with a child process, when it is stopped, then both have ended', async () => {
  const { child, grandchild } = await startFamily('sleep 600 & echo $!; wait')
  await child.stop()
  expect(findProcessIdentity(child.pid)).toBeNull()
  await expect.poll(() => findProcessIdentity(grandchild)).toBeNull()
})

test('given a child that ignores its stop signal, when it is stopped, then it is killed', async () => {
  const { child, grandchild } = await startFamily('trap "" TERM; sleep 600 & echo $!; while :; do wait; done')
  await child.stop()
  expect(child.findEnd()).toEqual({ description: 'signal SIGKILL' })
  await expect.poll(() => findProcessIdentity(grandchild)).toBeNull()
})

test('given a child that was not stopped, when own processes are ended, then it and its children end, and its name is returned', async () => {
  const { child, grandchild } = await startFamily('sleep 600 & echo $!; wait')
  expect(await endOwnProcesses()).toEqual(['family'])
  expect(findProcessIdentity(child.pid)).toBeNull()
  await expect.poll(() => findProcessIdentity(grandchild)).toBeNull()
})

test('given a child that fails, when waited for, then the error has its exit and the last lines of its log', async () => {
  const child = await startChild({
    name: 'failing',
    command: 'sh',
    args: ['-c', 'echo out of luck; exit 3'],
    logFile: join(directory, 'failing.log'),
    stopSignal: 'SIGTERM',
  })
  const never = waitUntilReady(child, async () => null)
  await expect(never).rejects.toThrow(/failing ended with code 3\n {4}out of luck/)
})

test('given a command that does not exist, when started, then an error is thrown', async () => {
  const missing = startChild({
    name: 'missing',
    command: join(directory, 'missing'),
    args: [],
    logFile: join(directory, 'missing.log'),
    stopSignal: 'SIGTERM',
  })
  await expect(missing).rejects.toThrow('missing could not be started')
})

const logs = (script: string) =>
  startChild({
    name: 'logs',
    command: 'sh',
    args: ['-c', script],
    cwd: directory,
    logFile: join(directory, 'log'),
    stopSignal: 'SIGTERM',
  })

test('given a log file of an earlier run, when a child starts, then its lines follow, and it reads its own alone', async () => {
  await (await logs('echo first')).ended
  const second = await logs('echo second')
  await second.ended

  expect(second.readLog()).toBe('second\n')
  expect(readFileSync(join(directory, 'log'), 'utf8')).toBe('first\nsecond\n')
})

test('given a log file that is cut while a child writes, then its later lines begin the file', async () => {
  const child = await logs('echo long before; while [ -s log ]; do :; done; echo after')
  await expect.poll(() => child.readLog()).toBe('long before\n')
  truncateSync(join(directory, 'log'))
  await child.ended

  expect(child.readLog()).toBe('after\n')
})

test('given a log file above 10 MB, when a child starts, then that one is put aside', async () => {
  writeFileSync(join(directory, 'log'), Buffer.alloc(10_000_001, 'x'))
  await (await logs('echo new')).ended

  expect(readFileSync(join(directory, 'log'), 'utf8')).toBe('new\n')
  expect(statSync(join(directory, 'log.previous')).size).toBe(10_000_001)
})
