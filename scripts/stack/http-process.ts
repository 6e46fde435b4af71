import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { repositoryRoot } from '../../ops/process/paths.ts'

const compileCache = join(repositoryRoot, 'node_modules', '.cache', 'api')

export interface HttpProcess {
  /** URL without a path. */
  url: string
  port: number
  child: Child
  stop(): Promise<void>
}

export interface HttpProcessOptions {
  /** Name of the program in messages. */
  name: string
  /** Working directory; default: this repository. */
  root?: string
  /** Arguments for Node: Node's options, and then the program and its arguments. */
  args: string[]
  port: number
  /** Path that answers with status 200 as soon as the program is ready. */
  healthPath: string
  /** Environment variables in addition to those of this process. */
  environment: Record<string, string>
  logFile: string
}

/**
 * Starts a Node program that serves HTTP on 127.0.0.1, and waits until `healthPath` answers with status 200.
 * @throws with the end of the program's log if it does not start
 */
export async function startHttpProcess(options: HttpProcessOptions): Promise<HttpProcess> {
  const { name, root = repositoryRoot, args, port, healthPath, environment, logFile } = options
  const url = `http://127.0.0.1:${port}`
  const child = await startChild({
    name,
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', ...args],
    cwd: root,
    // Loading the code takes most of a start.
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...environment },
    logFile,
    stopSignal: 'SIGTERM',
  })
  try {
    await waitUntilReady(child, () => isHealthy(`${url}${healthPath}`), { intervalMilliseconds: 50 })
  } catch (error) {
    await child.stop()
    throw error
  }
  return { url, port, child, stop: child.stop }
}

async function isHealthy(url: string): Promise<true | null> {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.ok ? true : null
  } catch {
    return null
  }
}
