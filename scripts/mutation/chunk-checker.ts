import { relative } from 'node:path'
import { isInChunk } from './in-chunk.ts'

interface Mutant {
  id: string
  fileName: string
  mutatorName: string
  replacement: string
  location: { start: { line: number; column: number } }
}

/** A plug-in "chunk" for Stryker. It makes Stryker run only the mutants of the chunk that MUTATION_CHUNK names. */
export const strykerPlugins = [
  {
    kind: 'Checker',
    name: 'chunk',
    factory: () => ({
      init: async () => {},
      check: async (mutants: Mutant[]) => Object.fromEntries(mutants.map((mutant) => [mutant.id, check(mutant)])),
      group: async (mutants: Mutant[]) => [mutants.map(({ id }) => id)],
    }),
  },
]

function check({ fileName, mutatorName, replacement, location }: Mutant) {
  const { line, column } = location.start
  const text = [relative(process.cwd(), fileName), line, column, mutatorName, replacement].join(' ')
  const isChosen = isInChunk(text, JSON.parse(process.env.MUTATION_CHUNK ?? '{"chunk":0,"chunks":1}'))
  return isChosen ? { status: 'passed' } : { status: 'compileError', reason: 'of another chunk' }
}
