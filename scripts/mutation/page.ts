import { toTable } from '../figures/markdown-table.ts'
import { type MutationFigures, type PartFigures, scoreOf } from './figures.ts'
import { parts } from './parts.ts'

const HEAD = `# Mutation testing

Coverage counts lines that tests run; this counts changes of the code that tests notice. The code is changed in one small way
(a mutant): another operator or bound, a condition that is always true, a statement less, two arguments swapped. If no test
fails, no test proves that behaviour. TypeScript is mutated by Stryker and run by the unit tests that reach the mutant (payments,
writes and the relayer by tests on rows too); Solidity by \`scripts/mutation\` on solc's syntax tree, run by the forge suites
that reach the contract, without invariants and gas. Tests of a whole chain are not run: the scores are lower
bounds. The tests on rows run the relayer's loops on a node whose answers are written in the test; what a real
node, and several processes at once, do to them is proved by tests of a whole chain alone.

\`npm run test:deep -- mutation [part ...]\` measures again and replaces the figures of a part in \`mutation.json\`, from which
\`node scripts/figures.ts\` writes this page. Stopped, it continues; unchanged parts are not run again. Nothing of it runs in
\`npm test\`. What a module computes while it is loaded (tables, schemas) is not mutated, nor are the stand-ins of
\`contracts/src/local\`. A sample is chosen by a hash of each mutant, so it stays the same.
`

/** Renders the text of docs/internals/mutation.md. */
export function toMutationPage({ parts: figuresByPart, equivalent }: MutationFigures): string {
  const measuredParts = parts.flatMap(({ name, bar }) => {
    const figures = figuresByPart[name]
    return figures === undefined ? [] : [{ name, bar, figures }]
  })
  const unmeasuredNames = parts.flatMap(({ name }) => (figuresByPart[name] === undefined ? [name] : []))
  const note = unmeasuredNames.length === 0 ? '' : `\nNot measured yet: ${unmeasuredNames.join(', ')}.\n`
  const scores = measuredParts.map(({ name, bar, figures }) => [
    name,
    toSample(figures),
    String(figures.mutants),
    toPercent(figures.before),
    toPercent(figures),
    toBar(figures, bar),
  ])
  const folders = measuredParts.flatMap(({ name, figures }) =>
    Object.entries(figures.folders).map(([folder, counts]) => [
      folder,
      name,
      String(counts.mutants),
      toPercent(counts),
    ]),
  )
  const lists = measuredParts
    .filter(({ figures }) => figures.survivors.length > 0)
    .map(({ name, figures }) => `### ${name}\n\n${toList(figures.survivors.map((survivor) => `\`${survivor}\``))}\n`)
  const reasons = Object.entries(equivalent).map(([mutant, reason]) => `\`${mutant}\`: ${reason}`)
  return [
    HEAD,
    `## Scores\n\n${toTable(['part', 'mutants run', 'number', 'at first, %', 'now, %', 'bar'], scores)}\n${note}`,
    `## Scores by folder\n\n${toTable(['folder', 'part', 'mutants', 'noticed, %'], folders)}\n`,
    `## Equivalent mutants\n\nThey behave like the original for every input that can occur, and do not count.\n\n${toList(reasons)}\n`,
    '## Mutants that none of these tests notices\n',
    ...lists,
  ].join('\n')
}

function toSample({ sampled: { chunks, of } }: PartFigures): string {
  return chunks === of ? 'all' : `${chunks} of ${of} chunks`
}

function toPercent(counts: { mutants: number; detected: number }): string {
  return scoreOf(counts).toFixed(1)
}

function toBar(figures: PartFigures, bar: number | undefined): string {
  if (bar === undefined) return ''
  return scoreOf(figures) >= bar ? `${bar}` : `${bar}, **missed**`
}

function toList(lines: string[]): string {
  return lines.length === 0 ? 'None.' : lines.map((line) => `- ${line}`).join('\n')
}
