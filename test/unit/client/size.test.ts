import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'

/** Kilobytes, compressed; viem is the caller's own. */
const MOST = 45

test('given the main entry without viem, then it stays small, and needs nothing of Node', async () => {
  const bundle = await rolldown({
    input: join(repositoryRoot, 'client', 'src', 'index.ts'),
    external: /^viem/,
    platform: 'browser',
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const [chunk] = output
  expect(chunk.imports.filter((name) => !name.startsWith('viem'))).toEqual([])
  expect(gzipSync(chunk.code).length / 1024).toBeLessThan(MOST)
})
