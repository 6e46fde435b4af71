import { type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { forgetProcess, recordProcess, signalProcess } from './process-registry.ts'

export interface ChildOptions {
  /** Name of the child in messages. Example: `postgres`. */
  name: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** User and group that run the process. Only a process of root can set another user or group than its own. */
  user?: { uid: number; gid: number }
  /**
   * File that receives the child's output. A pipe to the launcher would not do: if the launcher were killed, the pipe
   * would break. If the file is above 10 MB when the child is started, it is first renamed to `<logFile>.previous`.
   */
  logFile: string
  /** Signal that ends the child cleanly. */
  stopSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  /** Time in milliseconds between the stop signal and the kill of the process group. Default: 10,000. */
  stopTimeoutMilliseconds?: number
  /**
   * Directory with temporary files of the child. If the launcher is killed, `endLeftovers` of a later launcher removes
   * the directory and the child's record.
   */
  temporaryDirectory?: string
}

/** Describes how a child ended. Examples: `code 1`, `signal SIGKILL`. */
export type ChildEnd = { description: string }

export interface Child {
  name: string
  pid: number
  /** Resolves when the child has ended, for any reason. */
  ended: Promise<ChildEnd>
  /** Returns how the child ended; null if the child runs. */
  findEnd(): ChildEnd | null
  /** Returns the output of the child since its start. */
  readLog(): string
  /** Ends the child and its process group, and resolves when they have ended. Further calls have no effect. */
  stop(): Promise<void>
}

/**
 * Starts a process as the leader of its own process group. Writes the output to a file, and records the process for
 * `endLeftovers`. The process that calls this function is the launcher. A terminal's Ctrl-C reaches only the launcher,
 * so the launcher can stop its children one after the other. If the launcher exits while the child runs, the child is
 * sent `options.stopSignal`.
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
      const childEnd = new Promise<ChildEnd>((resolveEnd) => {
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
        const waitController = new AbortController()
        const timeout = delay(options.stopTimeoutMilliseconds ?? 10_000, 'late', { signal: waitController.signal })
        const first = await Promise.race([childEnd, timeout])
        waitController.abort()
        // The group is killed in any case, with all processes that the child started.
        signalProcess(-pid, 'SIGKILL')
        if (first === 'late') await childEnd
      }
      resolve({
        name: options.name,
        pid,
        ended: childEnd,
        findEnd: () => end,
        readLog: () => readFrom(options.logFile, log.start),
        stop,
      })
    })
  })
}

/** Maximum size of a log file, in bytes. A larger file is renamed when its child process is started. */
const LARGE_LOG_BYTES = 10_000_000

/** Opens a log file for appending. `start`: the position in bytes at which the output of the new child begins. */
function openLog(path: string): { file: number; start: number } {
  if (existsSync(path) && statSync(path).size > LARGE_LOG_BYTES) renameSync(path, `${path}.previous`)
  const file = openSync(path, 'a')
  return { file, start: fstatSync(file).size }
}

/**
 * Returns the text of a file from a position in bytes. If the file is shorter than the position, because another
 * process has truncated the file, returns the whole text.
 */
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
 * Time limit in milliseconds for a process to become ready. The limit is long because a first start loads all code, and
 * a recovery of PostgreSQL writes a thousand files. If the process ends, the wait fails at once.
 */
const READY_TIMEOUT_MS = 120_000

/**
 * Polls `check` until it returns a value other than null, and returns that value.
 * @param options.timeoutMilliseconds default: 120,000
 * @throws if the child ends before `check` returns a value, or if `timeoutMilliseconds` have passed; the error message
 * contains the last lines of the child's log
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

/** Returns the last lines of a log, indented for an error message. Control characters are escaped for a terminal. */
export function tailOf(log: string, lines = 30): string {
  return escapeHidden(log.replaceAll('\r\n', '\n'))
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .map((line) => `    ${line}`)
    .join('\n')
}
