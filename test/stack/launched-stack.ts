import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import type { StackDescription } from '../../scripts/stack/stack-file.ts'

/** One run of `npm start`, with all its files in a directory of the test. */
export interface LaunchedStack {
  /** Resolves when a line of its output matches. @throws with the output when it ends before that */
  untilLine(pattern: RegExp): Promise<string>
  /** Resolves when it has ended. */
  ended: Promise<{ code: number | null; output: string }>
  signal(name: NodeJS.Signals): void
  /** Ends the bootstrap and the launcher by SIGKILL, so that neither can clean up. */
  crash(): Promise<void>
}

export interface LaunchOptions {
  args?: string[]
  /** Variables beside those of this process. */
  environment?: Record<string, string>
  /** Starts with `npm start`, as a user does. Default false: what npm would start, without a process of npm. */
  withNpm?: boolean
}

/** Starts the launcher. Example: `launchStack(directory, { args: ['--no-seed'] })` starts a stack without demo tasks. */
export function launchStack(
  directory: string,
  { args = [], environment = {}, withNpm = false }: LaunchOptions = {},
): LaunchedStack {
  const [command, ...first] = withNpm
    ? ['npm', 'start', '--']
    : [process.execPath, join(repositoryRoot, 'scripts', 'bootstrap.mjs'), 'start']
  const child = spawn(command, [...first, ...args], {
    cwd: repositoryRoot,
    env: { ...process.env, LOCAL_DIRECTORY: directory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const waiting = new Set<() => void>()
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8')
    for (const look of waiting) look()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }))
  })
  const untilLine = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const line = output.split('\n').find((candidate) => pattern.test(candidate))
        if (line === undefined) return
        waiting.delete(look)
        resolve(line)
      }
      waiting.add(look)
      look()
      ended.then(() => reject(new Error(`it ended before ${pattern}:\n${output}`)))
    })
  return { untilLine, ended, signal: (name) => child.kill(name), crash: () => crash(child, directory, ended) }
}

async function crash(child: ChildProcess, directory: string, ended: Promise<unknown>): Promise<void> {
  const { pid } = JSON.parse(readFileSync(join(directory, 'launcher.json'), 'utf8'))
  // The bootstrap first: it would forward the end to the launcher.
  child.kill('SIGSTOP')
  process.kill(pid, 'SIGKILL')
  child.kill('SIGKILL')
  await ended
}

export function readStackFile(directory: string): StackDescription {
  return JSON.parse(readFileSync(join(directory, 'stack.json'), 'utf8'))
}

/** The process of a part of the stack, by the name it is recorded under. */
export function pidOf(directory: string, name: string): number {
  const records = readdirSync(join(directory, 'processes')).map((file) =>
    JSON.parse(readFileSync(join(directory, 'processes', file), 'utf8')),
  )
  const record = records.find((candidate) => candidate.name === name)
  if (record === undefined) throw new Error(`no process ${name} is recorded`)
  return record.pid
}

/**
 * Every process of this machine whose working directory or environment names `directory`, as `pid command`. Reads
 * /proc.
 */
export function listProcessesOf(directory: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((pid) => mentions(pid, directory))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`)
}

function mentions(pid: string, directory: string): boolean {
  // A zombie process has no command line.
  if (read(`/proc/${pid}/cmdline`) === '') return false
  const workingDirectory = () => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`)
    } catch {
      return ''
    }
  }
  return [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`), workingDirectory()].some((text) =>
    text.includes(directory),
  )
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
