import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

/**
 * Writes those generated files whose contents have changed. With `isCheck`, only prints their names.
 * @param files contents of the files, by path from the root of the repository
 * @returns true if a file differed
 * @example writeGenerated(new Map([['docs/operate/settings.md', text]]), { isCheck: true, script:
 * 'scripts/settings.ts', source: 'settings/table.ts' })
 */
export function writeGenerated(
  files: ReadonlyMap<string, string>,
  { isCheck, script, source }: { isCheck: boolean; script: string; source: string },
): boolean {
  let isStale = false
  for (const [name, content] of files) {
    const path = join(repositoryRoot, name)
    if (existsSync(path) && readFileSync(path, 'utf8') === content) continue
    isStale = true
    if (isCheck) {
      console.error(`${name} differs from ${source}: run node ${script}`)
      continue
    }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return isStale
}
