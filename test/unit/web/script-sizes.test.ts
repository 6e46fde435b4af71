import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { islandFiles, scriptFiles } from '../../../web/generated/manifest.ts'

const folder = join(import.meta.dirname, '../../../web/generated')

/** Of `gzip -9`; services send brotli, which is smaller. */
function kilobytes(files: Iterable<string>): number {
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length)
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

test.each(Object.entries(islandFiles))(
  'given a page with the island %s, then it loads at most 8 kB at first',
  (_, files) => {
    expect(kilobytes(new Set([...islandFiles.page, ...files]))).toBeLessThanOrEqual(8)
  },
)

test('given the first write of a visitor, then it loads at most 70 kB more', () => {
  const early: readonly string[] = Object.values(islandFiles).flat()
  const isElsewhere = (file: string) =>
    /^(account|follow-actions|verify-task|changes|events|end-note|keep-current|keep-live|live|messages-of|patch-in-place|update|wait-for|work|states|sponsored-claims|preview|clock|hash-worker|show-task|viewers|entries|own-entries)-/.test(
      file,
    )
  const files = scriptFiles.filter((file) => !early.includes(file) && !isElsewhere(file))
  expect(kilobytes(files)).toBeLessThanOrEqual(70)
})
