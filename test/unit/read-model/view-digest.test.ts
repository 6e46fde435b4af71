import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { digestView, viewDirectories } from '../../../api/features/tasks/list/view-digest.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'

/** The modules that make the fragments of tasks: rows, their view and its text. */
const makers = ['api/features/tasks/tasks.queries.ts', 'api/features/tasks/list/task-fragments.ts']

/** Follows imports of values, of our own files. */
async function listImported(from: readonly string[]): Promise<Set<string>> {
  const seen = new Set<string>()
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return
    seen.add(path)
    const text = await readFile(join(repositoryRoot, path), 'utf8')
    const imports = text.matchAll(/^(?:import|export) (?!type )[^;']*? from '(\.[^']+)'/gms)
    for (const [, imported = ''] of imports) await follow(join(dirname(path), imported))
  }
  for (const path of from) await follow(path)
  return seen
}

test('the digest has all that the view of a task is made by', async () => {
  const imported = await listImported(makers)
  expect([...imported]).toEqual(
    expect.arrayContaining(['api/domain/view-interval.ts', 'api/text/json-text.ts', 'protocol/phase.ts']),
  )
  const isDigested = (path: string) => viewDirectories.some((directory) => path.startsWith(`${directory}/`))
  expect([...imported].filter((path) => !isDigested(path))).toEqual([])
})

test('another name in signed texts gives another digest, and the same name the same', async () => {
  const [one, other, again] = await Promise.all(
    ['service', 'another', 'service'].map((SERVICE_NAME) => digestView({ SERVICE_NAME })),
  )
  expect(one).toBe(again)
  expect(one).not.toBe(other)
})
