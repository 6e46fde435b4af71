import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { localDirectory } from '../../../ops/process/paths.ts'
import type { Environment } from '../environment/environment.ts'

/** For each API process: index of the first log file of a fault case. */
export type LogMarks = number[]

/** Notes where a fault case's logs begin: a running process continues in its file. */
export function noteLogs(environment: Environment): LogMarks {
  return environment.replicas.map(({ logFiles, state }) => (state === 'down' ? logFiles.length : logFiles.length - 1))
}

/** Copies the logs of a fault case's processes out of the temporary directory. @returns the directory */
export function keepLogs(
  environment: Environment,
  { marks, seed, name }: { marks: LogMarks; seed: string; name: string },
): string {
  const directory = join(localDirectory, 'faults', seed, name.replace(/[^a-z0-9]+/gi, '-'))
  mkdirSync(directory, { recursive: true })
  const files = environment.replicas.flatMap(({ logFiles }, index) => logFiles.slice(marks[index] ?? 0))
  for (const file of files) if (existsSync(file)) copyFileSync(file, join(directory, basename(file)))
  return directory
}
