import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, waitUntilReady } from '../../../ops/process/child.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { findFreePort } from '../../../ops/process/ports.ts'
import { type BenchStack, startBenchStack } from '../writes/bench-stack.ts'

export interface UploadStack extends BenchStack {
  /** The bare server, which writes whatever it is sent to the same disk. */
  bareUrl: string
  /** Removes what the bare server wrote. */
  clearBare(): void
}

/** The whole local stack, and the bare server beside it. */
export async function startUploadStack(): Promise<UploadStack> {
  const folder = mkdtempSync(join(tmpdir(), 'task-market-bench-'))
  const files = join(folder, 'files')
  const clearBare = () => {
    rmSync(files, { recursive: true, force: true })
    mkdirSync(files)
  }
  clearBare()
  const stack = await startBenchStack('')
  const port = await findFreePort()
  const bareUrl = `http://127.0.0.1:${port}`
  const bare = await startChild({
    name: 'bare',
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'bare-writer.ts'), files, String(port)],
    cwd: repositoryRoot,
    env: process.env,
    logFile: join(folder, 'bare.log'),
    stopSignal: 'SIGINT',
  })
  const stop = async () => {
    await bare.stop()
    await stack.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const answers = async () => ((await fetch(bareUrl).catch(() => null))?.ok ? true : null)
  try {
    await waitUntilReady(bare, answers, { timeoutMilliseconds: 30_000, intervalMilliseconds: 50 })
  } catch (error) {
    await stop()
    throw error
  }
  return { ...stack, bareUrl, clearBare, stop }
}
