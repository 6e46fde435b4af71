import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

/**
 * Replaces the paths of pages in a text by links. The links are relative to the page in which the text will stand.
 * @param page path of this page
 * @example linkPages('Use `docs/operate/keys.md`.', 'docs/operate/settings.md') // 'Use [Keys](keys.md).'
 */
export function linkPages(text: string, page: string): string {
  return text.replace(/`?(docs\/[\w/-]+\.md)`?/g, (_, path: string) => {
    const [, title = path] = /^# (.+)$/m.exec(readFileSync(join(repositoryRoot, path), 'utf8')) ?? []
    return `[${title}](${relative(dirname(page), path)})`
  })
}
