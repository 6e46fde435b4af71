import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withConnection } from './postgres-databases.ts'
import { unprivilegedUser } from './postgres-user.ts'

const run = promisify(execFile)

/**
 * Copies the data directory of a running server (`startPostgres` with `streams`). Uses the server's SQL functions for
 * backups, because the packaged binaries do not include pg_basebackup.
 * @param url URL of the server, with its superuser
 * @param options.log `whole`: also copies the write-ahead log, so a server can start on the copy with everything that
 * is committed. `none`: the copy must read the log from its primary
 */
export async function copyData(url: string, cluster: string, options: { log: 'whole' | 'none' }): Promise<void> {
  makeDirectory(cluster)
  await withConnection(url, async (sql) => {
    const [row] = await sql<{ directory: string }[]>`
      SELECT current_setting('data_directory') AS directory, pg_backup_start('copy', true)`
    if (row === undefined) throw new Error('the server has no data directory')
    const names = readdirSync(row.directory).filter((name) => !leftOut.includes(name))
    await copyFiles(
      names.map((name) => join(row.directory, name)),
      cluster,
    )
    const [backup] = await sql<{ label: string }[]>`SELECT labelfile AS label FROM pg_backup_stop(false)`
    write(join(cluster, 'backup_label'), backup?.label ?? '')
    // Only now: a part of the log that is copied before the backup has ended may be torn.
    if (options.log === 'whole') await copyFiles([join(row.directory, 'pg_wal')], cluster)
    else makeDirectory(join(cluster, 'pg_wal'))
  })
}

/**
 * Entries of the data directory that are not copied with the others. The write-ahead log (`pg_wal`) is copied last or
 * not at all. The other entries describe the running process.
 */
const leftOut = ['pg_wal', 'postmaster.pid', 'postmaster.opts']

/** Creates a directory that only the server's user can enter. */
export function makeDirectory(path: string): void {
  mkdirSync(path, { mode: 0o700 })
  own(path)
}

/**
 * Copies files as the server's user, because this user must own every file. Ignores files that the running server
 * deletes meanwhile.
 */
async function copyFiles(from: string[], to: string): Promise<void> {
  const user = unprivilegedUser()
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid }
  try {
    await run('cp', ['-R', ...from, to], { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...ids })
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const others = stderr.split('\n').filter((line) => line !== '' && !line.includes('No such file or directory'))
    if (stderr === '' || others.length > 0) throw new Error(`data could not be copied: ${stderr}`, { cause: error })
  }
}

/** Writes a file that belongs to the server's user. */
export function write(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 })
  own(file)
}

/** Makes the server's user the owner of a file or directory. */
export function own(path: string): void {
  const user = unprivilegedUser()
  if (user !== null) chownSync(path, user.uid, user.gid)
}
