import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'

/**
 * The most that the main entry loads in a browser, and the most with everything that later calls load. Kilobytes (1000 bytes) of
 * the minified bundle after `gzip -9`.
 */
const bars = [
  { external: 'every package', isExternal: (name: string) => /^[^./]/.test(name), most: 26, mostInAll: 46 },
  { external: 'viem alone', isExternal: (name: string) => /^viem(\/|$)/.test(name), most: 42, mostInAll: 48 },
]

test.each(bars)('given the main entry with $external external, then it is within its bar', async (bar) => {
  const chunks = await bundleEntry(bar.isExternal)
  const loaded = listLoaded(chunks)
  const later = chunks.filter((chunk) => !loaded.includes(chunk))
  const size = kilobytes(loaded)
  const inAll = kilobytes(chunks)
  const figures = `${size} kB of at most ${bar.most}, later calls load ${kilobytes(later)}, in all ${inAll} of at most ${bar.mostInAll}`
  const report = `The entry with ${bar.external} external: ${figures}.`
  console.log(report)
  expect(size, `${report}\n${listLargest(loaded)}`).toBeLessThanOrEqual(bar.most)
  expect(inAll, `${report}\n${listLargest(chunks)}`).toBeLessThanOrEqual(bar.mostInAll)
})

test('given the main entry, then it needs its declared packages and nothing of Node', async () => {
  const chunks = await bundleEntry((name) => /^[^./]/.test(name))
  const chunkNames = chunks.map(({ fileName }) => fileName)
  const names = chunks.flatMap(({ imports }) => imports).filter((name) => !chunkNames.includes(name))
  expect(new Set(names)).toEqual(new Set(['viem', 'openapi-fetch']))
})

/** The chunks of the main entry, the one that a browser loads first. */
async function bundleEntry(external: (name: string) => boolean): Promise<OutputChunk[]> {
  const input = join(repositoryRoot, 'client', 'src', 'index.ts')
  const bundle = await rolldown({ input, external, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/** The chunks that are loaded with the entry; the rest is loaded by calls of `import()`. */
function listLoaded(chunks: readonly OutputChunk[]): OutputChunk[] {
  const loaded = chunks.filter(({ isEntry }) => isEntry)
  for (const { imports } of loaded) {
    loaded.push(...chunks.filter((chunk) => imports.includes(chunk.fileName) && !loaded.includes(chunk)))
  }
  return loaded
}

function kilobytes(chunks: readonly OutputChunk[]): number {
  const code = chunks.map((chunk) => chunk.code).join('\n')
  return Math.round(gzipSync(code, { level: 9 }).length / 100) / 10
}

/** The ten largest modules, one a line, with the bytes of their code before it is compressed. */
function listLargest(chunks: readonly OutputChunk[]): string {
  return chunks
    .flatMap(({ modules }) => Object.entries(modules))
    .map(([path, { renderedLength }]) => ({ path: relative(repositoryRoot, path), renderedLength }))
    .sort((one, other) => other.renderedLength - one.renderedLength)
    .slice(0, 10)
    .map(({ path, renderedLength }) => `${renderedLength} ${path}`)
    .join('\n')
}
