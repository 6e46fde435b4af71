/**
 * `npm run build:web`: bundles the browser code of `web/islands` into `web/generated`, with the hash of its content in the name
 * of each file. `--check` only compares.
 *
 * The worker that hashes files is built first, because its URL is part of the code that starts it. The demo wallets are a bundle
 * of their own, which no other file imports: only a service with a local deployment serves it. The islands are bundled twice:
 * from the first bundle follows which modules a page loads at first and which a write needs.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type CodeSplittingGroup, type InputOptions, type OutputChunk, rolldown } from 'rolldown'
import { repositoryRoot } from '../ops/process/paths.ts'
import { generatedBy } from './generated-by.ts'

/** Entries that pages load, by the name that `scriptTags` takes. */
const entries = ['page', 'create', 'me', 'verify', 'private', 'docs'] as const
const source = join(repositoryRoot, 'web', 'islands')
const target = join(repositoryRoot, 'web', 'generated')

/** Pages are told their deployment by the service: the files of the package would only be weight. */
const withoutDeploymentFiles = {
  name: 'without-deployment-files',
  load: (id: string) =>
    id.endsWith('client/src/deployment/deployment-files.ts') ? 'export const deploymentFiles = {}' : null,
}

/** Calls of the client that no page makes. */
const notCalled = ['actions/follow-actions.ts', 'verify/verify-task.ts']
const withoutOtherCalls = {
  name: 'without-other-calls',
  load: (id: string) => (notCalled.some((path) => id.endsWith(`client/src/${path}`)) ? 'export {}' : null),
}

const files = new Map<string, string>()
const worker = await bundle({ 'hash-worker': join(source, 'hash-worker.ts') })
const demo = await bundle({ 'demo-wallets': join(source, 'demo-wallets.ts') })
const islandInput = Object.fromEntries(entries.map((name) => [name, join(source, `${name}.ts`)]))
const define = { HASH_WORKER_URL: JSON.stringify(`/assets/${entryOf(worker, 'hash-worker').fileName}`) }
const islands = await bundle(islandInput, { define, groups: groupsOf(await bundle(islandInput, { define })) })
for (const chunk of [...worker, ...demo, ...islands]) files.set(chunk.fileName, chunk.code)
files.set('manifest.ts', manifest())

if (process.argv.includes('--check')) compare()
else write()

async function bundle(
  input: Record<string, string>,
  { define = {}, groups = [] }: { define?: Record<string, string>; groups?: CodeSplittingGroup[] } = {},
): Promise<OutputChunk[]> {
  const options: InputOptions = {
    input,
    platform: 'browser',
    logLevel: 'silent',
    tsconfig: false,
    transform: { define, target: 'es2023' },
    plugins: [withoutDeploymentFiles, withoutOtherCalls],
  }
  const build = await rolldown(options)
  const { output } = await build.generate({
    format: 'es',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    ...(groups.length > 0 && { codeSplitting: { groups } }),
  })
  await build.close()
  return output.filter((file) => file.type === 'chunk')
}

function entryOf(chunks: readonly OutputChunk[], name: string): OutputChunk {
  const chunk = chunks.find((one) => one.isEntry && one.name === name)
  if (chunk === undefined) throw new Error(`the bundle has no ${name}`)
  return chunk
}

/**
 * Puts what a write needs into one file, which compresses better than thirty small ones and comes in one request. Modules that
 * a page loads at first stay in the files of the first bundle, and hashes have a file of their own: a page that only reads the
 * chain needs no more.
 */
function groupsOf(chunks: readonly OutputChunk[]): CodeSplittingGroup[] {
  const earlyChunks = chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => loadedWith(entry, chunks))
  const earlyNames = new Map(earlyChunks.flatMap((chunk) => moduleIds(chunk).map((id) => [id, chunk] as const)))
  const readingModules = modulesLoadedWith('read-chain', chunks)
  const writingModules = new Set([...modulesLoadedWith('act', chunks), ...modulesLoadedWith('run-write', chunks)])
  return [
    {
      name: (id) => {
        const chunk = earlyNames.get(id)
        return chunk === undefined || chunk.isEntry ? null : chunk.name
      },
      priority: 3,
    },
    {
      name: 'hash',
      test: (id) => readingModules.has(id) && writingModules.has(id) && !earlyNames.has(id),
      priority: 2,
    },
    { name: 'write', test: (id) => writingModules.has(id) && !earlyNames.has(id), priority: 1 },
  ]
}

function modulesLoadedWith(name: string, chunks: readonly OutputChunk[]): Set<string> {
  const roots = chunks.filter((chunk) => chunk.name === name)
  if (roots.length === 0) throw new Error(`the bundle has no ${name}`)
  return new Set(roots.flatMap((root) => loadedWith(root, chunks)).flatMap(moduleIds))
}

function moduleIds({ modules }: OutputChunk): string[] {
  return Object.keys(modules)
}

/** All files that are loaded with a file, itself first. */
function loadedWith(chunk: OutputChunk, chunks: readonly OutputChunk[]): OutputChunk[] {
  const loadedChunks = [chunk]
  for (const { imports } of loadedChunks) {
    loadedChunks.push(...chunks.filter((one) => imports.includes(one.fileName) && !loadedChunks.includes(one)))
  }
  return loadedChunks
}

function manifest(): string {
  const rows = entries.map((name) => {
    const names = loadedWith(entryOf(islands, name), islands).map(({ fileName }) => `'${fileName}'`)
    return `  ${name}: [${names.join(', ')}],`
  })
  return [
    `// ${generatedBy('scripts/build-web.ts', 'web/islands')}`,
    '',
    '/** The files of each island: its own first, then those that it imports at once. */',
    `export const islandFiles = {\n${rows.join('\n')}\n} as const`,
    '',
    '/** All bundles but the demo wallets. */',
    `export const scriptFiles = [\n${[...islands, ...worker].map(({ fileName }) => `  '${fileName}',`).join('\n')}\n]`,
    '',
    '/** The bundle of the demo wallets, for services with a local deployment alone. */',
    `export const demoWalletsFile = '${entryOf(demo, 'demo-wallets').fileName}'`,
    '',
  ].join('\n')
}

function write(): void {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  for (const [name, text] of files) writeFileSync(join(target, name), text)
  for (const name of entries) {
    const loadedChunks = loadedWith(entryOf(islands, name), islands)
    console.log(`${name.padEnd(8)} ${kilobytes(loadedChunks)} kB at first, all chunks ${kilobytes(islands)} kB`)
  }
  for (const chunk of [...islands, ...worker, ...demo]) console.log(`  ${chunk.fileName} ${kilobytes([chunk])} kB`)
}

function compare(): void {
  const presentFiles = readdirSync(target)
  const isSame =
    presentFiles.length === files.size &&
    [...files].every(([name, text]) => presentFiles.includes(name) && readFileSync(join(target, name), 'utf8') === text)
  if (isSame) return
  console.error('web/generated does not match web/islands: run npm run build:web')
  process.exitCode = 1
}

/** The size after `gzip -9`, in units of 1000 bytes. */
function kilobytes(chunks: readonly OutputChunk[]): string {
  const bytes = chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
  return (bytes / 1000).toFixed(1)
}
