import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')
/** The directories that contain all code for the public form of a task. They also contain some unrelated code. */
export const viewDirectories: readonly string[] = [
  'api/db',
  'api/domain',
  'api/features/tasks',
  'api/http',
  'api/read-model',
  'api/text',
  'protocol',
]

/**
 * Returns a digest of the code that builds the public form of a task. The digest covers the sources, the versions of
 * libraries, and the service's name in signed texts. Each release has a different digest. Example:
 * `pYxR0cWm3kq0u4Tj8n1eHw`.
 */
export async function digestView({ SERVICE_NAME }: { SERVICE_NAME: string }): Promise<string> {
  const lists = await Promise.all(viewDirectories.map((directory) => listSources(directory)))
  const files = ['package.json', ...lists.flat().toSorted()]
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file))))
  const digest = createHash('sha256').update(JSON.stringify([SERVICE_NAME, files, texts.map(({ length }) => length)]))
  for (const text of texts) digest.update(text)
  return digest.digest('base64url').slice(0, 22)
}

async function listSources(directory: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, directory), { recursive: true })
  return entries.filter((name) => name.endsWith('.ts')).map((name) => `${directory}/${name}`)
}
