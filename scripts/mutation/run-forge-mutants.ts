import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { repositoryRoot } from '../contracts/paths.ts'
import { compile, listCompiled } from './compile-mutant.ts'
import { isNoticed, writeCode } from './forge-suites.ts'
import { isInChunk } from './in-chunk.ts'
import { type MutantResult, toLine } from './mutant-result.ts'
import type { ChunkRun } from './parts.ts'
import { type PreparedContracts, prepareContracts } from './prepare-contracts.ts'
import { listSolidityMutants, type SolidityMutant } from './solidity-mutants.ts'

interface StoredResult {
  id: string
  /**
   * Fingerprint of the sources and suites of this run. A mutant that was not detected is run again if the fingerprint
   * has changed, because a new test may detect it.
   */
  fingerprint: string
  /** Null if the mutant does not compile, or compiles to the same code. */
  isDetected: boolean | null
}

let preparedContracts: PreparedContracts | null = null

/**
 * Runs the mutants of one chunk of Solidity code with the suites of contracts/test. The suites are compiled once. They
 * deploy code from a folder, and each mutant replaces contracts in this folder. A mutant that does not compile, or that
 * compiles to the same code, is not counted. Results are appended one by one to a file. A run that was stopped
 * continues from this file.
 */
export async function runForgeMutants({ part, chunk, folder, fingerprint }: ChunkRun): Promise<MutantResult[]> {
  preparedContracts ??= await prepareContracts(folder, fingerprint)
  const path = join(folder, `${part.name}-${chunk}-of-${part.chunks}.jsonl`)
  const storedResults = new Map(readResults(path).map((result) => [result.id, result]))
  const results: MutantResult[] = []
  for (const file of globSync(part.sources, { cwd: repositoryRoot }).sort()) {
    const source = relative('contracts', file)
    const text = Buffer.from(preparedContracts.sources.get(source) ?? '')
    for (const mutant of listSolidityMutants(preparedContracts.trees.get(source), text)) {
      const id = idOf(file, text, mutant)
      if (!isInChunk(id, { chunk, chunks: part.chunks })) continue
      const earlierResult = storedResults.get(id)
      const isKept =
        earlierResult !== undefined && (earlierResult.isDetected !== false || earlierResult.fingerprint === fingerprint)
      const isDetected = isKept
        ? earlierResult.isDetected
        : await runMutant(preparedContracts, source, apply(text, mutant))
      if (!isKept) appendFileSync(path, `${JSON.stringify({ id, fingerprint, isDetected } satisfies StoredResult)}\n`)
      if (isDetected === null) continue
      const line = text.subarray(0, mutant.start).toString().split('\n').length
      results.push({ file, line, change: describe(text, mutant), isDetected })
    }
  }
  return results
}

/**
 * Runs the suites that call the changed contracts. @returns true if a suite detects the mutant; null if the mutant does
 * not compile, or compiles to the same code
 */
async function runMutant(
  { sources, libraries, contracts, withSource, reachOf }: PreparedContracts,
  source: string,
  mutatedText: string,
): Promise<boolean | null> {
  const names = withSource(source)
  const files = names.flatMap((name) => contracts.get(name)?.file ?? [])
  const compiledContracts = listCompiled(compile(new Map(sources).set(source, mutatedText), libraries, { files }))
  if (compiledContracts === null) return null
  const changedContracts = [...compiledContracts].filter(([name, { object }]) => contracts.get(name)?.object !== object)
  if (changedContracts.length === 0) return null
  const originals = [...contracts].filter(([name]) => compiledContracts.has(name))
  const suites = new Set<string>()
  for (const [name] of changedContracts) for (const suite of await reachOf(name)) suites.add(suite)
  writeCode(changedContracts)
  try {
    return await isNoticed([...suites])
  } finally {
    writeCode(originals)
  }
}

function apply(text: Buffer, { start, length, replacement }: SolidityMutant): string {
  return text.toString('utf8', 0, start) + replacement + text.toString('utf8', start + length)
}

/** Describes a mutant by the line of code that contains it. The changed operator alone would tell a reader little. */
function describe(text: Buffer, { start, length, replacement }: SolidityMutant): string {
  const lineStart = text.lastIndexOf('\n', start) + 1
  const end = text.indexOf('\n', start + length)
  const [before, originalText] = [text.toString('utf8', lineStart, start), text.toString('utf8', start, start + length)]
  return `${toLine(`${before}[${originalText} → ${replacement}]${text.toString('utf8', start + length, end)}`)}`
}

function idOf(file: string, text: Buffer, { start, length, replacement }: SolidityMutant): string {
  const around = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `${file} ${around} ${start} ${length} ${replacement}`
}

function readResults(path: string): StoredResult[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
