import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readDatabase, readLogSize, readSessions } from './read-database.ts'
import { memoryOf, openFilesOf, postmasterOf, privateMemoryOf } from './read-processes.ts'
import type { Measured } from './samples.ts'
import { FILE_SECONDS, type Stage } from './stage.ts'

/** Values of one sample. */
export interface Reading {
  measured: Record<string, Measured>
  /** For the progress line and the report, not judged. */
  facts: { blocks: number; databaseMb: number; overdue: Readonly<Record<string, number>> }
}

/** Reads every part once. @throws when a part is down */
export async function takeSample(stage: Stage, requests: number): Promise<Reading> {
  const { environment, standbySql } = stage
  const { sql, indexer, anvil, client, replicas } = environment
  const measured: Record<string, Measured> = {}
  const note = (name: string, value: number, life = 0) => {
    measured[name] = { value, life }
  }
  const processes = [
    ['an API process that is killed at times', replicas[0].pid()],
    ['an API process that is never restarted', replicas[1].pid()],
    ['the indexer', indexer.pid],
    ['GraphQL', stage.graphqlPid()],
  ] as const
  for (const [name, pid] of processes) {
    note(`memory of ${name}, MB`, memoryOf(pid), pid)
    note(`open files of ${name}`, openFilesOf(pid), pid)
  }
  const [{ directory } = { directory: '' }] = await sql<{ directory: string }[]>`
    select current_setting('data_directory') as directory`
  for (const [name, cluster] of [
    ['Postgres', directory],
    ['the standby', stage.standbyCluster],
  ] as const) {
    const postmaster = postmasterOf(cluster)
    const { all, largest } = privateMemoryOf(postmaster)
    note(`private memory of ${name}, MB`, all, postmaster)
    note(`private memory of the largest session of ${name}, MB`, largest, postmaster)
  }
  const blocks = Number(await client.getBlockNumber())
  note('memory of the chain, KB a block', (memoryOf(anvil.pid) * 1000) / (blocks + 1_000))
  const database = await readDatabase(sql, { schema: indexer.schema, fileSeconds: FILE_SECONDS })
  note('connections to Postgres', database.connections)
  note('connections to the standby', (await readSessions(standbySql)).connections)
  note('oldest transaction of Postgres, s', database.oldestTransaction)
  note(
    'rows that should be pruned',
    Object.values(database.overdue).reduce((sum, count) => sum + count, 0),
  )
  note('rows of the indexer for reorgs', database.reorgRows)
  note('tasks that wait for the search', database.waitingForSearch)
  note('unfinished writes', database.unfinishedWrites)
  note('log of Postgres, MB', await readLogSize(sql))
  note('log of the standby, MB', await readLogSize(standbySql))
  for (const [name, value] of Object.entries(readFiles(stage, requests))) note(name, value)
  note('processes that ended by themselves', environment.log.unexpectedExits.length)
  return { measured, facts: { blocks, databaseMb: database.databaseMb, overdue: database.overdue } }
}

/** Files of the run, all of which are below the temporary directory: see main.ts. */
function readFiles({ environment }: Stage, requests: number): Record<string, number> {
  const { TMPDIR: root = '' } = process.env
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name))
  const sizeOf = (part: readonly string[]) => part.reduce((sum, path) => sum + sizeOrNone(path), 0)
  const isIn = (folder: string) => (path: string) => path.startsWith(folder)
  const { artifactDirectory, directory } = environment
  const logs = paths.filter(isIn(join(directory, 'logs')))
  const chain = paths.filter((path) => path.includes('task-market-anvil-'))
  const foldersOfServers = ['-standby-', '-postgres-', 'task-market-anvil-']
  const temporary = paths.filter(
    (path) =>
      !isIn(artifactDirectory)(path) &&
      !isIn(join(directory, 'logs'))(path) &&
      !foldersOfServers.some((part) => path.includes(part)),
  )
  return {
    'files of the chain, MB': sizeOf(chain) / 1e6,
    'files in the area of uploads': paths.filter(isIn(join(artifactDirectory, 'uploads'))).length,
    'temporary files': temporary.length,
    'log lines, bytes a request': sizeOf(logs) / Math.max(1, requests),
  }
}

function sizeOrNone(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
