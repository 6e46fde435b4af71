import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serviceVersion } from '../../../api/version.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
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
