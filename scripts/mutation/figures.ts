import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { keyOf, type MutantResult } from './mutant-result.ts'
import type { Part } from './parts.ts'

interface Counts {
  commit: string
  /** Number of mutants that were run, without equivalent ones. */
  mutants: number
  detected: number
}

export interface PartFigures extends Counts {
  /** One in so many of the mutants was run, or all of them. */
  sampled: { chunks: number; of: number }
  folders: Record<string, Pick<Counts, 'mutants' | 'detected'>>
  /** The first kept run. */
  before: Counts
  survivors: string[]
}

export interface MutationFigures {
  parts: Record<string, PartFigures>
  /** Mutants that behave like the original for all inputs that can occur, each with the reason; see `keyOf`. */
  equivalent: Record<string, string>
}

const path = join(repositoryRoot, 'docs', 'internals', 'mutation.json')

export function readMutationFigures(): MutationFigures {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Writes the figures of a part that was run whole into docs/internals/mutation.json. */
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

/** Per cent. */
export function scoreOf({ mutants, detected }: Pick<Counts, 'mutants' | 'detected'>): number {
  return mutants === 0 ? 100 : (100 * detected) / mutants
}

function count(results: MutantResult[]) {
  return { mutants: results.length, detected: results.filter(({ isDetected }) => isDetected).length }
}
