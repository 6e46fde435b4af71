/**
 * Replaces the lines between two marker lines of a page. The marker lines stay.
 * @example replaceBlock('<!-- a -->\nold\n<!-- end -->\n', { begin: '<!-- a -->\n', end: '<!-- end -->' }, 'new\n')
 *   // '<!-- a -->\nnew\n<!-- end -->\n'
 * @throws Error if a marker line is missing
 */
export function replaceBlock(page: string, { begin, end }: { begin: string; end: string }, content: string): string {
  const start = page.indexOf(begin)
  const stop = page.indexOf(end, start)
  if (start < 0 || stop < 0) throw new Error(`a page has no block between "${begin.trim()}" and "${end}"`)
  return page.slice(0, start + begin.length) + content + page.slice(stop)
}
