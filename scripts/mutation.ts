/**
 * `npm run test:deep -- mutation [part ...]`: changes the code in small ways, one at a time, and runs the tests that
 * reach the change. A change that no test detects is printed. scripts/mutation/parts.ts lists the parts of the code,
 * the size of each sample, and the share of changes that tests must detect. Results are stored by chunk in
 * .local/mutation. A run that was stopped continues from these results, and a chunk whose sources and tests are
 * unchanged is not run again. The figures of a completely run part replace its earlier figures in
 * docs/internals/mutation.json. docs/internals/mutation.md is generated from this file.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localDirectory, repositoryRoot } from '../ops/process/paths.ts'
import { endOwnProcesses } from '../ops/process/process-registry.ts'
import { keepPart, scoreOf } from './mutation/figures.ts'
import type { MutantResult } from './mutation/mutant-result.ts'
import { type Part, parts } from './mutation/parts.ts'
import { runForgeMutants } from './mutation/run-forge-mutants.ts'
import { runStryker } from './mutation/run-stryker.ts'
import { onStopRequest } from './stack/stop-request.ts'

interface StoredChunk {
  fingerprint: string
  results: MutantResult[]
}

const folder = join(localDirectory, 'mutation')

onStopRequest(async (reason) => {
  console.error(`stopping (${reason})`)
  await endOwnProcesses()
  process.exit(130)
})

mkdirSync(folder, { recursive: true })
const names = process.argv.slice(2)
const unknownNames = names.filter((name) => !parts.some((part) => part.name === name))
if (unknownNames.length > 0) {
  console.error(`no part ${unknownNames.join(', ')}: choose of ${parts.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}
for (const part of parts.filter(({ name }) => names.length === 0 || names.includes(name))) await runPart(part)

async function runPart(part: Part): Promise<void> {
  const results: MutantResult[] = []
  const fingerprint = hashInputs(part)
  for (let chunk = 0; chunk < part.sample; chunk++) {
    const { length } = results
    results.push(...(await runChunk(part, chunk, fingerprint)))
    console.log(`${part.name}, chunk ${chunk + 1} of ${part.sample}: ${results.length - length} mutants`)
  }
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: repositoryRoot, encoding: 'utf8' })
  const { figures, survivors } = keepPart(part, results, commit.trim())
  for (const { file, line, change } of survivors) console.log(`${file}:${line}  ${change}`)
  const score = scoreOf(figures)
  console.log(`${part.name}: ${score.toFixed(1)} % of ${figures.mutants} mutants, ${survivors.length} unnoticed`)
  if (score < (part.bar ?? 0)) process.exitCode = 1
}

async function runChunk(part: Part, chunk: number, fingerprint: string): Promise<MutantResult[]> {
  const path = join(folder, `${part.name}-${chunk}-of-${part.chunks}.json`)
  const storedChunk: StoredChunk | null = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  if (storedChunk?.fingerprint === fingerprint) return storedChunk.results
  const results = await (part.tests === 'forge' ? runForgeMutants : runStryker)({ part, chunk, folder, fingerprint })
  writeFileSync(path, JSON.stringify({ fingerprint, results } satisfies StoredChunk))
  return results
}

/** Returns a hash of a part's sources and of all files that may test them. */
function hashInputs({ sources, tests }: Part): string {
  const isForge = tests === 'forge'
  const hash = createHash('sha256').update(isForge ? '' : JSON.stringify({ sources, tests }))
  const globs = isForge ? ['contracts/{src,test}/**'] : ['{protocol,api,client/src}/**', 'test/{unit,api,support}/**']
  for (const file of globSync(globs, { cwd: repositoryRoot }).sort()) {
    const path = join(repositoryRoot, file)
    if (statSync(path).isFile()) hash.update(file).update(readFileSync(path))
  }
  return hash.digest('hex')
}
