import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { keyOf, type MutantResult } from './mutant-result.ts'
import type { Part } from './parts.ts'

interface Counts {
  commit: string
  /** Number of mutants that were run. Mutants that behave like the original code are not counted. */
  mutants: number
  detected: number
}

export interface PartFigures extends Counts {
  /** Size of the sample: `chunks` of the part's `of` chunks were run. */
  sampled: { chunks: number; of: number }
  folders: Record<string, Pick<Counts, 'mutants' | 'detected'>>
  /** The figures of the first recorded run. */
  before: Counts
  survivors: string[]
}

export interface MutationFigures {
  parts: Record<string, PartFigures>
  /**
   * Mutants that behave like the original code for all possible inputs, each with the reason. The keys are those of
   * `keyOf`.
   */
  equivalent: Record<string, string>
}

const path = join(repositoryRoot, 'docs', 'internals', 'mutation.json')

export function readMutationFigures(): MutationFigures {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Writes the figures of a completely run part into docs/internals/mutation.json. */
export function keepPart(part: Part, all: MutantResult[], commit: string) {
  const keptFigures = readMutationFigures()
  const results = all.filter((result) => result.isDetected || keptFigures.equivalent[keyOf(result)] === undefined)
  const survivors = results.filter(({ isDetected }) => !isDetected)
  const counts = { commit, ...count(results) }
  const folderOf = ({ file }: MutantResult) => file.slice(0, file.lastIndexOf('/'))
  const folders = [...new Set(results.map(folderOf))].sort()
  const figures: PartFigures = {
    ...counts,
    sampled: { chunks: part.sample, of: part.chunks },
    folders: Object.fromEntries(
      folders.map((folder) => [folder, count(results.filter((result) => folderOf(result) === folder))]),
    ),
    before: keptFigures.parts[part.name]?.before ?? { commit, ...count(all) },
    survivors: survivors.map(keyOf).sort(),
  }
  keptFigures.parts[part.name] = figures
  writeFileSync(path, `${JSON.stringify(keptFigures, null, 2)}\n`)
  return { figures, survivors }
}

/** Returns the share of mutants that tests detected, per cent. */
export function scoreOf({ mutants, detected }: Pick<Counts, 'mutants' | 'detected'>): number {
  return mutants === 0 ? 100 : (100 * detected) / mutants
}

function count(results: MutantResult[]) {
  return { mutants: results.length, detected: results.filter(({ isDetected }) => isDetected).length }
}
