import { spawn } from 'node:child_process'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { forgetProcess, recordProcess, signalProcess } from '../../ops/process/process-registry.ts'

export interface CommandRun {
  exitCode: number
  /** Standard output and standard error of the command, in the order of arrival. */
  output: string
  seconds: number
}

/**
 * Runs a command to its end, without input and in its own process group. If this process must end, `endOwnProcesses`
 * ends the group.
 * @param options.folder working directory; default: the root of the repository
 * @param options.echo true to print the output line by line as it arrives; lines of other commands may come between
 */
export function runCommand(
  command: string,
  args: string[],
  options: { name: string; echo?: boolean; environment?: Record<string, string>; folder?: string },
): Promise<CommandRun> {
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd: options.folder ?? repositoryRoot,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.environment },
  })
  const { pid } = child
  if (pid !== undefined) {
    recordProcess({ name: options.name, pid, stopSignal: 'SIGTERM', temporaryDirectory: null })
  }
  const chunks: Buffer[] = []
  const collect = (chunk: Buffer) => {
    chunks.push(chunk)
    if (options.echo) print(chunk)
  }
  const unendedChunks: Buffer[] = []
  const print = (chunk: Buffer) => {
    const end = chunk.lastIndexOf('\n') + 1
    unendedChunks.push(chunk.subarray(0, end))
    if (end > 0) process.stdout.write(Buffer.concat(unendedChunks.splice(0)))
    unendedChunks.push(chunk.subarray(end))
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`${options.name} could not be started`, { cause })))
    child.once('exit', () => {
      if (pid === undefined) return
      forgetProcess(pid)
      // Processes that it left would keep the pipe open, and this process waiting.
      signalProcess(-pid, 'SIGKILL')
    })
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(unendedChunks))
      const seconds = (performance.now() - startedAt) / 1000
      resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString('utf8'), seconds })
    })
  })
}

/** Runs a script of this repository or of a dependency. @param path path from the root of the repository */
export function runNode(
  path: string,
  args: string[],
  options: { name: string; echo?: boolean; environment?: Record<string, string> },
): Promise<CommandRun> {
  return runCommand(process.execPath, ['--disable-warning=ExperimentalWarning', path, ...args], options)
}
