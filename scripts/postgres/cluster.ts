import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { majorVersionOf, type PostgresBinaries } from './postgres-binaries.ts'
import type { SystemUser } from './postgres-user.ts'

/** A cluster (the data directory of a PostgreSQL server), and what is needed to create it. */
export interface Cluster {
  binaries: PostgresBinaries
  /** Directory that contains the cluster, its password and its log. */
  home: string
  cluster: string
  user: SystemUser | null
}

/**
 * Creates a cluster (the data directory of a PostgreSQL server) with a random password.
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

/** Returns the options of initdb. Clusters with equal options can be copies of each other. */
function initdbOptions(binaries: PostgresBinaries): string[] {
  // From 17 on there is a locale that folds all of Unicode and is the same on every machine.
  const version = majorVersionOf(binaries)
  const locale = version >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []
  // Passwords here are random, so more rounds of their hash protect nothing. Each connection takes 9 ms for 4,096 rounds.
  const hashRounds = version >= 16 ? ['--set=scram_iterations=1'] : []
  return [
    '-U',
    'postgres',
    '--encoding=UTF8',
    '--locale=C',
    ...locale,
    ...hashRounds,
    '--auth=scram-sha-256',
    '--no-sync',
    '--no-instructions',
  ]
}

/**
 * Creates a cluster like `initializeCluster`, but by copying a template: the first cluster that was created on this
 * machine in this way. The copy takes a sixth of the time. All copies have the same password. Therefore this function
 * is only for servers that end with their process.
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

/**
 * Deletes the template that `copyCluster` copies. Called if a copy does not run. The next call of `copyCluster` creates
 * a new template.
 */
export function forgetTemplate(place: Cluster): void {
  discard(templateOf(place))
}

/**
 * Stores a copy of a new cluster as the template. If another process has stored a template meanwhile, that template
 * stays. If the directory cannot be written, there is no template.
 */
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

/** Returns the directory of the template. It depends on the server's binaries, the options of initdb, and the user. */
function templateOf({ binaries, user }: Cluster): string {
  const { mtimeMs, size } = statSync(binaries.initdb)
  const facts = [binaries.initdb, mtimeMs, size, user?.uid ?? process.getuid?.(), ...initdbOptions(binaries)].join(' ')
  const name = createHash('sha256').update(facts).digest('hex').slice(0, 16)
  return join(repositoryRoot, 'node_modules', '.cache', 'postgres', name)
}

/**
 * Copies a cluster and its password file, with owners and permissions. Node's own copy function does not keep the
 * owners.
 */
function copyFiles(from: string, to: string): boolean {
  return spawnSync('cp', ['-a', join(from, 'cluster'), join(from, 'password'), to]).status === 0
}

/**
 * Returns the environment variables that the server needs. Other variables of the caller's shell, such as PGPORT or a
 * locale, must not change the server.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
}

function idsOf(user: SystemUser | null): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid }
}
