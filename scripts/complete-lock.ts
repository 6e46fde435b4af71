import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { repositoryRoot } from '../ops/process/paths.ts'

/**
 * Adds optional packages of other platforms to package-lock.json. npm leaves out such packages if the registry that it
 * used does not have them. Without them, `npm ci` refuses the lock file on those platforms ("Missing: ... from lock
 * file"). Run this script after every change of dependencies. `--check` only reports.
 */

const packageEntry = z.looseObject({
  version: z.string().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
const lockFile = z.looseObject({ packages: z.record(z.string(), packageEntry) })

type Packages = z.infer<typeof lockFile>['packages']

const systems = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openbsd', 'netbsd', 'sunos', 'aix', 'openharmony']
const processors: Record<string, string> = { amd64: 'x64', arm: 'arm' }
for (const name of ['x64', 'arm64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32']) {
  processors[name] = name
}

const path = join(repositoryRoot, 'package-lock.json')
const lock = lockFile.parse(JSON.parse(readFileSync(path, 'utf8')))
const missingPackages = listMissing(lock.packages)

if (missingPackages.length === 0) {
  console.log('package-lock.json is complete')
} else if (process.argv.includes('--check')) {
  console.error(`package-lock.json lacks ${missingPackages.map(({ name }) => name).join(', ')}`)
  console.error('run: node scripts/complete-lock.ts')
  process.exitCode = 1
} else {
  for (const { location, name, version } of missingPackages) {
    lock.packages[location] = { version, ...platformOf(name), optional: true }
  }
  const sortedPackages = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sortedPackages) }, null, 2)}\n`)
  console.log(`added ${missingPackages.length} packages of other platforms to package-lock.json`)
}

interface Missing {
  location: string
  name: string
  version: string
}

/**
 * Lists the optional dependencies that no entry of the lock file satisfies. Each comes with the path at which npm would
 * install it.
 */
function listMissing(packages: Packages): Missing[] {
  const missingPackages: Missing[] = []
  const versions = new Map(Object.entries(packages).map(([location, entry]) => [location, entry.version]))
  for (const [parent, entry] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      const version = range.replace(/^[~^]/, '')
      const nearestPlace = placesOf(parent, name).find((place) => versions.has(place))
      if (nearestPlace !== undefined && (version !== range || versions.get(nearestPlace) === version)) continue
      const location = nearestPlace === undefined ? `node_modules/${name}` : `${parent}/node_modules/${name}`
      versions.set(location, version)
      missingPackages.push({ location, name, version })
    }
  }
  return missingPackages
}

/** Lists the paths at which a package at `parent` can find the package `name`, the nearest path first. */
function placesOf(parent: string, name: string): string[] {
  const places: string[] = []
  for (let place = parent; place !== ''; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    places.push(`${place}/node_modules/${name}`)
  }
  return [...places, `node_modules/${name}`]
}

/**
 * Derives the platform fields (`os`, `cpu`, `libc`) from a package's name. npm uses these fields to skip the package on
 * other platforms.
 */
function platformOf(name: string): { os?: string[]; cpu?: string[]; libc?: string[] } {
  const words = name.split(/[/-]/)
  const os = words.find((word) => systems.includes(word))
  const cpu = words.map((word) => processors[word]).find((word) => word !== undefined)
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) {
    throw new Error(`cannot tell the platform of ${name}: add it to package-lock.json by hand`)
  }
  const onLinux = os === 'linux'
  const musl = onLinux && words.some((word) => word.startsWith('musl'))
  const glibc = onLinux && words.some((word) => word.startsWith('gnu'))
  return {
    cpu: [cpu],
    ...(os === undefined ? {} : { os: [os] }),
    ...(musl ? { libc: ['musl'] } : {}),
    ...(glibc ? { libc: ['glibc'] } : {}),
  }
}
