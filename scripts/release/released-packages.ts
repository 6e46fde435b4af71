import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'

/** A part of this repository that has versions of its own. */
export interface ReleasedPackage {
  /** The part's name in tags. Example: `client` in `client@1.0.0`. */
  part: string
  /** Relative to the repository. */
  folder: string
  /** Registry of the package; null: the tag is the release. */
  registry: 'npm' | 'pypi' | null
}

/** Every one, in the order in which they are published. */
export const releasedPackages: readonly ReleasedPackage[] = [
  { part: 'service', folder: '.', registry: null },
  { part: 'contracts', folder: 'contracts', registry: 'npm' },
  { part: 'client', folder: 'client', registry: 'npm' },
  { part: 'python', folder: 'clients/python', registry: 'pypi' },
]

/** The current release of a package. */
export interface Release extends ReleasedPackage {
  /** The name in its registry. */
  name: string
  version: string
  /** Example: `client@1.0.0`. */
  tag: string
  /** The section of CHANGELOG.md about the version; null: there is none. */
  notes: string | null
  /** The URL in `repository` of the manifest; null: it names none. */
  repository: string | null
}

/** Reads version and changelog of a package. */
export function readRelease(releasedPackage: ReleasedPackage): Release {
  const read = (file: string) => readFileSync(join(repositoryRoot, releasedPackage.folder, file), 'utf8')
  const { name, version, repository }: Manifest =
    releasedPackage.registry === 'pypi' ? projectOf(read('pyproject.toml')) : JSON.parse(read('package.json'))
  return {
    ...releasedPackage,
    name,
    version,
    tag: `${releasedPackage.part}@${version}`,
    notes: notesOf(read('CHANGELOG.md'), version),
    repository: repository?.url ?? null,
  }
}

interface Manifest {
  name: string
  version: string
  repository?: { url: string }
}

/** Name and version of a project of Python: its first lines of these names. */
function projectOf(manifest: string): Manifest {
  const fieldOf = (key: string) => new RegExp(`^${key} = "([^"]+)"$`, 'm').exec(manifest)?.[1] ?? ''
  return { name: fieldOf('name'), version: fieldOf('version') }
}

/** The text below the heading of a version. Example: of `1.0.0` what follows `## 1.0.0`. */
export function notesOf(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version)
  const notes = section?.slice(section.indexOf('\n')).trim()
  return notes === undefined || notes === '' ? null : notes
}
