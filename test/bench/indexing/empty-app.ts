import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localDirectory, repositoryRoot } from '../../../ops/process/paths.ts'

/** A Ponder app beside ours: its config, its tables, its events, and handlers that do nothing. */
export interface EmptyApp {
  root: string
  remove(): void
}

export function makeEmptyApp(): EmptyApp {
  mkdirSync(localDirectory, { recursive: true })
  const root = mkdtempSync(join(localDirectory, 'empty-handlers-'))
  const upwards = '../..'
  writeFileSync(join(root, 'ponder.config.ts'), `export { default } from '${upwards}/ponder.config.ts'\n`)
  writeFileSync(join(root, 'ponder.schema.ts'), `export * from '${upwards}/ponder.schema.ts'\n`)
  mkdirSync(join(root, 'src', 'api'), { recursive: true })
  writeFileSync(
    join(root, 'src', 'handlers.ts'),
    `import { ponder } from 'ponder:registry'\n\n${listEvents()
      .map((event) => `ponder.on('${event}', async () => {})\n`)
      .join('')}`,
  )
  writeFileSync(join(root, 'src', 'api', 'index.ts'), readFileSync(join(repositoryRoot, 'src', 'api', 'index.ts')))
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** The events that our handlers are for. */
function listEvents(): string[] {
  const handlers = join(repositoryRoot, 'src', 'handlers')
  const files = readdirSync(handlers, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const events = files.flatMap(({ parentPath, name }) =>
    [...readFileSync(join(parentPath, name), 'utf8').matchAll(/ponder\.on\(\s*'([^']+)'/g)].map(
      ([, event]) => event ?? '',
    ),
  )
  return [...new Set(events)].sort()
}
