import { join } from 'node:path'
import type { Release } from './released-packages.ts'

/** Facts that the release of a package depends on beside its files. */
export interface ReleasePlace {
  /** True when its registry has the version; null: that is not known, or it has no registry. */
  isPublished: boolean | null
  /** The commit that is released. */
  commit: string
  /** The commit that has the tag of the version; null: none has. */
  taggedCommit: string | null
  /** The newest other release of the part that this clone has a tag of; null: there is none. */
  before: { tag: string; commit: string } | null
  /** The commit whose schema tests hold the service to (scripts/schema/record-release.ts). */
  recordedCommit: string
  /** The repository whose workflow signs a provenance statement, such as `https://github.com/o/n`; null: nothing signs one. */
  provenance: string | null
}

/**
 * Finds why a package cannot be released, as a sentence that says what to change; null: it can.
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

/** A line for `repository` of a manifest. Example: `"repository": {"type": "git", "url": "git+https://...", "directory": "client"}`. */
export function repositoryLine({ folder }: Pick<Release, 'folder'>, url: string): string {
  return `"repository": {"type": "git", "url": "git+${url}.git", "directory": "${folder}"}`
}

/** npm refuses a statement about another repository than the manifest names. */
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
