import { join } from 'node:path'
import { startChild, tailOf } from '../../ops/process/child.ts'
import { localDirectory, repositoryRoot } from '../../ops/process/paths.ts'

/**
 * Runs a script of this repository to its end, as a child process.
 * @param path path from the root of the repository
 * @returns the output of the script
 * @throws with the end of the script's output if it fails
 */
export async function runScript(path: string, args: string[] = []): Promise<string> {
  const child = await startChild({
    name: path,
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(repositoryRoot, path), ...args],
    cwd: repositoryRoot,
    logFile: join(localDirectory, 'logs', `${path.replaceAll('/', '-')}.log`),
    stopSignal: 'SIGTERM',
  })
  const end = await child.ended
  if (end.description !== 'code 0') throw new Error(`${path} ended with ${end.description}\n${tailOf(child.readLog())}`)
  return child.readLog()
}
