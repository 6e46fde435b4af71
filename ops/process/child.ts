import { type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { forgetProcess, recordProcess, signalProcess } from './process-registry.ts'

export interface ChildOptions {
  /** What to call it in messages: `postgres`, `api`. */
  name: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Run as this user (only root can). */
  user?: { uid: number; gid: number }
  /**
   * Where its output is appended. A file, not a pipe: a child must survive, and be stoppable, when its launcher is killed. One
   * above 10 MB is put aside first, as `<logFile>.previous`.
   */
  logFile: string
  /** The signal that makes it end well. */
  stopSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  /** How long `stop` waits before it kills the group. Default 10 s. */
  stopTimeoutMilliseconds?: number
  /** Removed with the process, should the launcher be killed. */
  temporaryDirectory?: string
}

/** How a child ended: `code 1`, `signal SIGKILL`. */
export type ChildEnd = { description: string }

export interface Child {
  name: string
  pid: number
  /** Resolves when it has ended, for any reason. */
  ended: Promise<ChildEnd>
  /** Null while it runs. */
  findEnd(): ChildEnd | null
  /** Everything it has written in this run. */
  readLog(): string
  /** Ends it and its process group; resolves when it is gone. May be called again. */
  stop(): Promise<void>
}

/**
 * Starts a process as the leader of a group of its own (so a terminal's Ctrl-C reaches only the launcher, which
 * stops its children in order), with its output in a file, and writes it down for `endLeftovers`.
 * Should this process exit without stopping it, the child still gets its stop signal.
 */
export function startChild(options: ChildOptions): Promise<Child> {
  mkdirSync(dirname(options.logFile), { recursive: true })
  const log = openLog(options.logFile)
  const spawnOptions: SpawnOptions = { detached: true, stdio: ['ignore', log.file, log.file], ...options.user }
  if (options.env !== undefined) spawnOptions.env = options.env
  if (options.cwd !== undefined) spawnOptions.cwd = options.cwd
  const child = spawn(options.command, options.args, spawnOptions)
  closeSync(log.file)

  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`${options.name} could not be started`, { cause })))
    child.once('spawn', () => {
      const { pid } = child
      if (pid === undefined) return
      recordProcess({
        name: options.name,
        pid,
        stopSignal: options.stopSignal,
        temporaryDirectory: options.temporaryDirectory ?? null,
      })
      const signalOnExit = () => signalProcess(pid, options.stopSignal)
      process.once('exit', signalOnExit)
      let end: ChildEnd | null = null
      const ended = new Promise<ChildEnd>((resolveEnd) => {
        child.once('exit', (code, signal) => {
          process.off('exit', signalOnExit)
          forgetProcess(pid)
          end = { description: signal === null ? `code ${code}` : `signal ${signal}` }
          resolveEnd(end)
        })
      })
      const stop = async () => {
        if (end !== null) return
        signalProcess(pid, options.stopSignal)
        const waiting = new AbortController()
        const timeout = delay(options.stopTimeoutMilliseconds ?? 10_000, 'late', { signal: waiting.signal })
        const first = await Promise.race([ended, timeout])
        waiting.abort()
        // The group is killed in any case: whatever the child has started itself goes with it.
        signalProcess(-pid, 'SIGKILL')
        if (first === 'late') await ended
      }
      resolve({
        name: options.name,
        pid,
        ended,
        findEnd: () => end,
        readLog: () => readFrom(options.logFile, log.start),
        stop,
      })
    })
  })
}

/** Size from which a log file is put aside at a start, bytes. */
const LARGE_LOG_BYTES = 10_000_000

/** Opens a log file to append to it, so that it may be cut while it is written. `start`: where this process's lines begin. */
function openLog(path: string): { file: number; start: number } {
  if (existsSync(path) && statSync(path).size > LARGE_LOG_BYTES) renameSync(path, `${path}.previous`)
  const file = openSync(path, 'a')
  return { file, start: fstatSync(file).size }
}

/** The text from a place on; of a file that was cut since, all of it. */
function readFrom(path: string, start: number): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const from = size < start ? 0 : start
    const bytes = Buffer.alloc(size - from)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, from))
  } finally {
    closeSync(file)
  }
}

/**
 * How long a process may take to become ready, milliseconds. It bounds a process that hangs; one that ends is reported at
 * once. A first start loads all its code, and a recovery of Postgres writes a thousand files to a disk that others use.
 */
const READY_TIMEOUT_MS = 120_000

/**
 * Polls `check` until it returns a value other than null.
 * @param options.timeoutMilliseconds default 120 s
 * @throws when the child ends first, or after `timeoutMilliseconds`, with the end of its log
 */
export async function waitUntilReady<T>(
  child: Child,
  check: () => Promise<T | null>,
  options: { timeoutMilliseconds?: number; intervalMilliseconds?: number } = {},
): Promise<T> {
  const { timeoutMilliseconds = READY_TIMEOUT_MS, intervalMilliseconds = 20 } = options
  const deadline = Date.now() + timeoutMilliseconds
  for (;;) {
    const end = child.findEnd()
    if (end !== null) throw new Error(`${child.name} ended with ${end.description}\n${tailOf(child.readLog())}`)
    const value = await check()
    if (value !== null) return value
    if (Date.now() > deadline) {
      throw new Error(`${child.name} was not ready in ${timeoutMilliseconds} ms\n${tailOf(child.readLog())}`)
    }
    await delay(intervalMilliseconds)
  }
}

/** The last lines of a log, indented for a message; what strangers put into them is escaped for the terminal. */
export function tailOf(log: string, lines = 30): string {
  return escapeHidden(log.replaceAll('\r\n', '\n'))
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .map((line) => `    ${line}`)
    .join('\n')
}
