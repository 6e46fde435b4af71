import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { extractCommit } from '../../scripts/release/extract-commit.ts'
import { runCommand } from '../../scripts/stack/run-command.ts'
import type { Cleanups } from '../support/cleanups.ts'

/** The setting of the port of each program, and what answers 200 when it serves. */
const places = {
  api: { port: 'PORT', path: '/ready' },
  indexer: { port: 'INDEXER_PORT', path: '/ready' },
  graphql: { port: 'GRAPHQL_PORT', path: '/health' },
}

/** A running program of a release; `url` is without a path. */
export interface ReleaseProgram {
  program: keyof typeof places
  url: string
  child: Child
}

/**
 * Makes a tree of a commit with the packages that it names.
 * @returns its root
 * @throws in a clone without the commit, with the command that fetches it
 */
export async function installCommit(commit: string, cleanups: Cleanups): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'task-market-released-'))
  cleanups.defer(() => rm(root, { recursive: true, force: true }))
  await extractCommit(commit, root)
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const { exitCode, output } = await runCommand('npm', ['ci', ...options], { name: 'npm ci', folder: root })
  if (exitCode !== 0) throw new Error(`npm ci of ${commit} failed:\n${output}`)
  return root
}

/** Starts a program of the release in `root` at a free port, and does not wait for it. */
export async function startProgram(
  root: string,
  program: keyof typeof places,
  { settings, logFile, cleanups }: { settings: Record<string, string>; logFile: string; cleanups: Cleanups },
): Promise<ReleaseProgram> {
  const port = await findFreePort()
  const child = await startChild({
    name: `${program} in ${root}`,
    command: process.execPath,
    args: [join(root, 'scripts', `${program}.ts`)],
    cwd: root,
    env: { PATH: process.env.PATH, ...settings, [places[program].port]: String(port) },
    logFile,
    stopSignal: 'SIGTERM',
  })
  cleanups.defer(child.stop)
  return { program, url: `http://127.0.0.1:${port}`, child }
}

/** Waits until it serves. */
export async function untilReady({ program, url, child }: ReleaseProgram): Promise<void> {
  await waitUntilReady(child, async () => {
    const status = await fetch(`${url}${places[program].path}`).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => null,
    )
    return status === 200 ? true : null
  })
}

/** Waits until a line of its log matches. */
export async function untilLogged({ child }: ReleaseProgram, line: RegExp): Promise<void> {
  await waitUntilReady(child, async () => (line.test(child.readLog()) ? true : null))
}
