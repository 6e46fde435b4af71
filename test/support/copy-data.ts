import { execFile } from 'node:child_process'
import { chownSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withConnection } from '../../scripts/postgres/postgres-databases.ts'
import { unprivilegedUser } from '../../scripts/postgres/postgres-user.ts'

const run = promisify(execFile)

/**
 * Copies the data directory of a running server (`startPostgres` with `streams`). By the functions for backups, as the
 * packaged binaries have no pg_basebackup.
 * @param url its superuser
 * @param options.log `whole`: a server can start on the copy, and has what was committed until now; `none`: it has to
 * read the log from its primary
 */
export async function copyData(url: string, cluster: string, options: { log: 'whole' | 'none' }): Promise<void> {
  const log = join(cluster, 'pg_wal')
  await withConnection(url, async (sql) => {
    const [row] = await sql<{ directory: string }[]>`
      SELECT current_setting('data_directory') AS directory, pg_backup_start('copy', true)`
    if (row === undefined) throw new Error('the server has no data directory')
    await copyFiles(row.directory, cluster)
    const [backup] = await sql<{ label: string }[]>`SELECT labelfile AS label FROM pg_backup_stop(false)`
    write(join(cluster, 'backup_label'), backup?.label ?? '')
    // What was copied of the log before the backup had ended may be torn.
    rmSync(log, { recursive: true })
    await copyFiles(join(row.directory, 'pg_wal'), log)
  })
  if (options.log === 'none') {
    for (const { name, parentPath } of readdirSync(log, { withFileTypes: true, recursive: true })) {
      if (/^[0-9A-F]{24}/.test(name)) rmSync(join(parentPath, name), { force: true })
    }
  }
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(cluster, name), { force: true })
}

/** Copies as the user of the servers, who must own every file. A running server deletes some meanwhile. */
async function copyFiles(from: string, to: string): Promise<void> {
  const user = unprivilegedUser()
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid }
  try {
    await run('cp', ['-R', from, to], { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...ids })
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const others = stderr.split('\n').filter((line) => line !== '' && !line.includes('No such file or directory'))
    if (stderr === '' || others.length > 0) throw new Error(`${from} could not be copied: ${stderr}`, { cause: error })
  }
}

/** Writes a file of the server's user. */
export function write(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 })
  own(file)
}

/** Gives a file, or a directory, to the user of the servers. */
export function own(path: string): void {
  const user = unprivilegedUser()
  if (user !== null) chownSync(path, user.uid, user.gid)
}
