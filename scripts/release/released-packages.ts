import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'

/** A part of this repository that has its own versions. */
export interface ReleasedPackage {
  /** The part's name in tags. Example: `client` in `client@1.0.0`. */
  part: string
  /** Folder of the part, relative to the root of the repository. */
  folder: string
  /** Registry to which the package is published. Null if nothing is published: the git tag is the release. */
  registry: 'npm' | 'pypi' | null
}

/** All parts with their own versions, in the order in which they are published. */
export const releasedPackages: readonly ReleasedPackage[] = [
  { part: 'service', folder: '.', registry: null },
  { part: 'contracts', folder: 'contracts', registry: 'npm' },
  { part: 'client', folder: 'client', registry: 'npm' },
  { part: 'python', folder: 'clients/python', registry: 'pypi' },
]

/** The version of a package that is to be released. */
export interface Release extends ReleasedPackage {
  /** Name of the package in its registry. */
  name: string
  version: string
  /** Git tag of the version. Example: `client@1.0.0`. */
  tag: string
  /** The section about this version in CHANGELOG.md; null if there is none. */
  notes: string | null
  /** The URL in the field `repository` of the manifest; null if the manifest has none. */
  repository: string | null
}

/** Reads the manifest and the changelog of a package. */
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

/** Returns name and version from the manifest of a Python project: the first lines of the file with these names. */
function projectOf(manifest: string): Manifest {
  const fieldOf = (key: string) => new RegExp(`^${key} = "([^"]+)"$`, 'm').exec(manifest)?.[1] ?? ''
  return { name: fieldOf('name'), version: fieldOf('version') }
}

/** Returns the text below the heading of a version in a changelog. Example: for `1.0.0`, the text after `## 1.0.0`. */
export function notesOf(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version)
  const notes = section?.slice(section.indexOf('\n')).trim()
  return notes === undefined || notes === '' ? null : notes
}
