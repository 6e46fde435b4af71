import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { majorVersionOf, type PostgresBinaries } from './postgres-binaries.ts'
import type { SystemUser } from './postgres-user.ts'

/** The place of a server's data. */
export interface Cluster {
  binaries: PostgresBinaries
  /** The directory that has the cluster, its password and its log. */
  home: string
  cluster: string
  user: SystemUser | null
}

/**
 * Makes a cluster with a random password.
 * @throws with the output of initdb
 */
export function initializeCluster({ binaries, home, cluster, user }: Cluster): void {
  rmSync(cluster, { recursive: true, force: true })
  const passwordFile = join(home, 'password')
  writeFileSync(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 })
  if (user !== null) chownSync(passwordFile, user.uid, user.gid)
  const initdb = spawnSync(binaries.initdb, ['-D', cluster, `--pwfile=${passwordFile}`, ...initdbOptions(binaries)], {
    encoding: 'utf8',
    cwd: home,
    env: serverEnvironment(),
    ...idsOf(user),
  })
  if (initdb.status !== 0) {
    rmSync(cluster, { recursive: true, force: true })
    throw new Error(`initdb failed\n${initdb.stdout}${initdb.stderr}`, { cause: initdb.error })
  }
}

/** Returns the options of initdb, which decide a cluster besides its place. */
function initdbOptions(binaries: PostgresBinaries): string[] {
  // From 17 on there is a locale that folds all of Unicode and is the same on every machine.
  const locale = majorVersionOf(binaries) >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []
  return [
    '-U',
    'postgres',
    '--encoding=UTF8',
    '--locale=C',
    ...locale,
    '--auth=scram-sha-256',
    '--no-sync',
    '--no-instructions',
  ]
}

/**
 * As `initializeCluster`, by a copy of the first cluster that was made so on this machine, which takes a sixth of the
 * time. They share a password, so this is for servers that are gone with their process.
 */
export function copyCluster(place: Cluster): void {
  const { home, cluster } = place
  const template = templateOf(place)
  rmSync(cluster, { recursive: true, force: true })
  if (existsSync(template) && copyFiles(template, home)) return
  forgetTemplate(place)
  initializeCluster(place)
  keepTemplate(place, template)
}

/** Deletes the template of copies, if a copy of it does not run. The next cluster is then created anew. */
export function forgetTemplate(place: Cluster): void {
  discard(templateOf(place))
}

/** Another process may make it too: the first one stays. A clone that cannot be written to has none. */
function keepTemplate({ home, user }: Cluster, template: string): void {
  const temporaryPath = `${template}-${process.pid}`
  try {
    mkdirSync(dirname(temporaryPath), { recursive: true })
    mkdirSync(temporaryPath, { mode: 0o700 })
    if (user !== null) chownSync(temporaryPath, user.uid, user.gid)
    if (copyFiles(home, temporaryPath)) renameSync(temporaryPath, template)
  } catch {
    // It is there by now, or cannot be.
  }
  discard(temporaryPath)
}

function discard(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch {
    // Another user's.
  }
}

/** A directory for these binaries, their options and this user. */
function templateOf({ binaries, user }: Cluster): string {
  const { mtimeMs, size } = statSync(binaries.initdb)
  const facts = [binaries.initdb, mtimeMs, size, user?.uid ?? process.getuid?.(), ...initdbOptions(binaries)].join(' ')
  const name = createHash('sha256').update(facts).digest('hex').slice(0, 16)
  return join(repositoryRoot, 'node_modules', '.cache', 'postgres', name)
}

/** With their owners and permissions, which Node's own copy leaves out. */
function copyFiles(from: string, to: string): boolean {
  return spawnSync('cp', ['-a', join(from, 'cluster'), join(from, 'password'), to]).status === 0
}

/** Only what the server needs: a PGPORT or a locale of the caller's shell must not change it. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
}

function idsOf(user: SystemUser | null): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid }
}
