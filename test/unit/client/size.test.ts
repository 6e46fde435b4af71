import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'

const withoutPackages = bundleEntry(/^[^./]/)

/**
 * The most that the main entry loads in a browser, and the most with everything that later calls load, but for the calls below.
 * Kilobytes (1000 bytes) of the minified bundle after `gzip -9`.
 */
const bars = [
  { external: 'every package', bundle: withoutPackages, most: 26, mostInAll: 46 },
  { external: 'viem alone', bundle: bundleEntry(/^viem(\/|$)/), most: 42, mostInAll: 48 },
]

/** Calls that pages have no use for: the most that their own code adds, kilobytes. */
const others = [
  { call: 'actions', chunk: 'follow-actions', most: 6 },
  { call: 'verify', chunk: 'verify-task', most: 16 },
]

test.each(bars)('given the main entry with $external external, then it is within its bar', async (bar) => {
  const chunks = await bar.bundle
  const loaded = listLoaded(chunks)
  const needed = listLoaded(chunks, { lazily: true, without: others.map(({ chunk }) => chunk) })
  const later = needed.filter((chunk) => !loaded.includes(chunk))
  const size = kilobytes(loaded)
  const inAll = kilobytes(needed)
  const figures = `${size} kB of at most ${bar.most}, later calls load ${kilobytes(later)}, in all ${inAll} of at most ${bar.mostInAll}`
  const report = `The entry with ${bar.external} external: ${figures}.`
  console.log(report)
  expect(size, `${report}\n${listLargest(loaded)}`).toBeLessThanOrEqual(bar.most)
  expect(inAll, `${report}\n${listLargest(needed)}`).toBeLessThanOrEqual(bar.mostInAll)
})

test.each(others)('given the call $call, then its own code is within its bar', async ({ chunk, most }) => {
  const chunks = await withoutPackages
  const before = listLoaded(chunks, { lazily: true, without: others.map((other) => other.chunk) })
  const added = listLoaded(chunks, { root: chunk }).filter((one) => !before.includes(one))
  expect(added.length).toBeGreaterThan(0)
  expect(kilobytes(added), listLargest(added)).toBeLessThanOrEqual(most)
})

test('given the main entry, then it needs its declared packages and nothing of Node', async () => {
  const chunks = await withoutPackages
  const chunkNames = chunks.map(({ fileName }) => fileName)
  const names = chunks.flatMap(({ imports }) => imports).filter((name) => !chunkNames.includes(name))
  expect(new Set(names)).toEqual(new Set(['viem', 'openapi-fetch']))
})

/** The chunks of the main entry, the one that a browser loads first. */
async function bundleEntry(external: RegExp): Promise<OutputChunk[]> {
  const input = join(repositoryRoot, 'client', 'src', 'index.ts')
  const bundle = await rolldown({ input, external, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/**
 * The chunks that are loaded with the entry, or with the chunk of another name.
 * @param options `lazily`: those that calls of `import()` load, too, except `without`
 */
function listLoaded(
  chunks: readonly OutputChunk[],
  { root, lazily = false, without = [] }: { root?: string; lazily?: boolean; without?: readonly string[] } = {},
): OutputChunk[] {
  const loaded = chunks.filter(({ isEntry, name }) => (root === undefined ? isEntry : name === root))
  for (const { imports, dynamicImports } of loaded) {
    const files = lazily ? [...imports, ...dynamicImports] : imports
    const isNew = (chunk: OutputChunk) =>
      files.includes(chunk.fileName) && !loaded.includes(chunk) && !without.includes(chunk.name)
    loaded.push(...chunks.filter(isNew))
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
