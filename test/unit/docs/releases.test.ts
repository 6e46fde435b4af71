import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serviceVersion } from '../../../api/version.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { findProblem, type ReleasePlace } from '../../../scripts/release/find-problem.ts'
import { notesOf, readRelease, releasedPackages } from '../../../scripts/release/released-packages.ts'

const readJson = (path: string) => JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8'))

test.each(releasedPackages)('given the version of $part, then the changelog and the lock have it', (released) => {
  const { version, notes } = readRelease(released)
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(notes).not.toBeNull()
  if (released.registry === 'pypi') return
  const { packages } = readJson('package-lock.json')
  expect(packages[released.folder === '.' ? '' : released.folder].version).toBe(version)
})

test('given the changes of the service, then they say what an operator does', () => {
  const [service] = releasedPackages.filter(({ part }) => part === 'service').map(readRelease)
  expect(service?.notes).toMatch(/^### For operators\n\n- /m)
})

test('given the version of the service, then its document has it', () => {
  expect(readJson('docs/openapi.json').info.version).toBe(serviceVersion)
})

test.each([
  ['the newest', '## 1.1.0\n\nNew.\n\n## 1.0.0\n\nFirst.\n', '1.1.0', 'New.'],
  ['one with a date', '## 1.0.0 (2026-11-29)\n\nFirst.\n', '1.0.0', 'First.'],
  ['one without a section', '## 1.0.0\n\nFirst.\n', '1.0.1', null],
  ['one without a text', '## 1.0.0\n\n## 0.9.0\n\nBefore.\n', '1.0.0', null],
  ['the beginning of another', '## 1.0.01\n\nOther.\n', '1.0.0', null],
])('given %s, then its notes are found', (_, changelog, version, notes) => {
  expect(notesOf(changelog, version)).toBe(notes)
})

const client = {
  part: 'client',
  folder: 'client',
  registry: 'npm',
  name: 'task-market-client',
  version: '1.1.0',
  tag: 'client@1.1.0',
  notes: 'New.',
  repository: null,
} as const
const place: ReleasePlace = {
  isPublished: false,
  commit: 'a1b2',
  taggedCommit: null,
  before: null,
  recordedCommit: 'e5f6',
  provenance: null,
}
const workflow = { provenance: 'https://github.com/owner/market' }
const ofWorkflow = { repository: 'git+https://github.com/Owner/market.git' }

test.each([
  ['a person', {}, {}, null],
  ['one whose tag was made and not pushed', {}, { taggedCommit: 'a1b2' }, null],
  ['one that is published under its tag', {}, { isPublished: true, taggedCommit: 'c3d4' }, null],
  ['a changelog without it', { notes: null }, {}, 'client/CHANGELOG.md has no section "## 1.1.0" with a text.'],
  [
    'a tag elsewhere',
    {},
    { taggedCommit: 'c3d4' },
    /of another commit \(c3d4\): set a new version in client\/package.json/,
  ],
  [
    'a service behind the one that is recorded',
    { part: 'service' },
    { before: { tag: 'service@1.0.0', commit: 'e5f6' } },
    null,
  ],
  [
    'a service behind one that is not recorded',
    { part: 'service' },
    { before: { tag: 'service@1.0.0', commit: 'c3d4' } },
    /^The release before is service@1.0.0, and the recorded schema is that of e5f6: run node scripts\/schema\/record-release.ts/,
  ],
  ['a workflow of its repository', ofWorkflow, workflow, null],
  ['a workflow, and the service', { registry: null }, workflow, null],
  [
    'a workflow, and no repository',
    {},
    workflow,
    /write "repository": .*"git\+https:\/\/github.com\/owner\/market.git", "directory": "client"/,
  ],
  [
    'a workflow of a fork',
    { repository: 'git+https://github.com/o/n.git' },
    workflow,
    /has "repository" git\+https:\/\/github.com\/o\/n.git, and/,
  ],
] as const)('given a release by %s, then it is made, or refused with what to change', (_, release, of, problem) => {
  const found = findProblem({ ...client, ...release }, { ...place, ...of })
  if (problem instanceof RegExp) expect(found).toMatch(problem)
  else expect(found).toBe(problem)
})
