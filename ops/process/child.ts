import { type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { forgetProcess, recordProcess, signalProcess } from './process-registry.ts'

export interface ChildOptions {
  /** Name for messages. Example: `postgres`. */
  name: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** User of the process; only root can set it. */
  user?: { uid: number; gid: number }
  /**
   * File that receives its output. A pipe would break when the launcher is killed, and the child must survive that. A file above
   * 10 MB is first renamed to `<logFile>.previous`.
   */
  logFile: string
  /** Signal that ends it cleanly. */
  stopSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  /** Time from the stop signal to the kill of the group, milliseconds. Default 10 s. */
  stopTimeoutMilliseconds?: number
  /** Directory that is removed with the process if the launcher is killed. */
  temporaryDirectory?: string
}

/** The end of a child. Example: `code 1`, `signal SIGKILL`. */
export type ChildEnd = { description: string }

export interface Child {
  name: string
  pid: number
  /** Resolves when the child has ended, for any reason. */
  ended: Promise<ChildEnd>
  /** Returns the end; null: it runs. */
  findEnd(): ChildEnd | null
  /** Returns its output in this run. */
  readLog(): string
  /** Ends the child and its process group. Resolves when they are gone. It may be called again. */
  stop(): Promise<void>
}

/**
 * Starts a process as the leader of its own group, with its output in a file, and records it for `endLeftovers`. In its own group
 * a terminal's Ctrl-C reaches only the launcher, which stops its children in order. If this process exits without stopping the
 * child, the child still gets its stop signal.
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
        // The group is killed in any case, with all processes that the child started.
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

/** Size above which a log file is renamed at a start, bytes. */
const LARGE_LOG_BYTES = 10_000_000

/** Opens a log file for appending, so that it may be truncated meanwhile. `start`: position of this process's first line. */
function openLog(path: string): { file: number; start: number } {
  if (existsSync(path) && statSync(path).size > LARGE_LOG_BYTES) renameSync(path, `${path}.previous`)
  const file = openSync(path, 'a')
  return { file, start: fstatSync(file).size }
}

/** Returns the text from a position, or all of it after a truncation. */
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
 * Time limit for a process to become ready, milliseconds. It bounds a process that hangs; a process that ends is reported at
 * once. A first start loads all its code, and a recovery of Postgres writes a thousand files to a shared disk.
 */
const READY_TIMEOUT_MS = 120_000

/**
 * Polls `check` until it returns a value other than null.
 * @param options.timeoutMilliseconds default 120 s
 * @throws if the child ends first, or after `timeoutMilliseconds`, with the end of its log
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

/** Returns the last lines of a log, indented for a message. Control characters are escaped for the terminal. */
export function tailOf(log: string, lines = 30): string {
  return escapeHidden(log.replaceAll('\r\n', '\n'))
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .map((line) => `    ${line}`)
    .join('\n')
}
