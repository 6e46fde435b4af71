import { join } from 'node:path'
import type { Release } from './released-packages.ts'

/** Facts that decide whether a package can be released, in addition to its files. */
export interface ReleasePlace {
  /** True if the registry has this version. Null if this is not known, or if the package has no registry. */
  isPublished: boolean | null
  /** The commit that is released. */
  commit: string
  /** The commit to which the tag of this version points; null if the tag does not exist. */
  taggedCommit: string | null
  /** The newest earlier release of the same part whose tag this clone has; null if there is none. */
  before: { tag: string; commit: string } | null
  /**
   * The commit of the recorded schema. Tests compare the schema of the service with it
   * (scripts/schema/record-release.ts).
   */
  recordedCommit: string
  /**
   * URL of the repository whose workflow signs the provenance statement, such as `https://github.com/o/n`; null if
   * there is no statement.
   */
  provenance: string | null
}

/**
 * Finds the reason why a package cannot be released, as a sentence that says what to change; null if there is none.
 *
 * Example: `client/CHANGELOG.md has no section "## 1.0.1" with a text.`
 */
export function findProblem(release: Release, place: ReleasePlace): string | null {
  const { part, folder, version, tag, notes, registry } = release
  const manifest = join(folder, registry === 'pypi' ? 'pyproject.toml' : 'package.json')
  if (notes === null) return `${join(folder, 'CHANGELOG.md')} has no section "## ${version}" with a text.`
  const { isPublished, commit, taggedCommit, before, recordedCommit, provenance } = place
  if (isPublished === false && taggedCommit !== null && taggedCommit !== commit) {
    return `${tag} is the tag of another commit (${taggedCommit.slice(0, 8)}): set a new version in ${manifest}.`
  }
  if (part === 'service' && before !== null && before.commit !== recordedCommit) {
    return (
      `The release before is ${before.tag}, and the recorded schema is that of ${recordedCommit.slice(0, 8)}: run ` +
      `node scripts/schema/record-release.ts ${before.tag}, and commit what passes the tests.`
    )
  }
  if (registry === 'npm' && provenance !== null) return findProvenanceProblem(release, manifest, provenance)
  return null
}

/**
 * Returns the line for the field `repository` of a package's manifest. Example: `"repository": {"type": "git", "url":
 * "git+https://...", "directory": "client"}`.
 */
export function repositoryLine({ folder }: Pick<Release, 'folder'>, url: string): string {
  return `"repository": {"type": "git", "url": "git+${url}.git", "directory": "${folder}"}`
}

/** Checks that the manifest names the repository of the provenance statement. npm refuses a package if they differ. */
function findProvenanceProblem(release: Release, manifest: string, provenance: string): string | null {
  const { repository } = release
  const isNamed =
    repository
      ?.replace(/^git\+/, '')
      .replace(/\.git$/, '')
      .toLowerCase() === provenance.toLowerCase()
  if (isNamed) return null
  const presentRepository = repository === null ? 'no "repository"' : `"repository" ${repository}`
  return `${manifest} has ${presentRepository}, and the provenance statement is about ${provenance}: write ${repositoryLine(release, provenance)} into it.`
}
