import { type Figure, isMet } from './figure.ts'
import { toTable } from './markdown-table.ts'
import type { Benchmark, Benchmarks } from './open-figures.ts'

const HEAD = `# Figures

The last kept run of each benchmark: the median, the interval that holds it in 95 of 100 resamples, and the goal where there is
one. \`npm run bench -- <name>\` measures again and keeps its figures in \`figures.json\`, \`npm run soak\` says how its are kept;
\`node scripts/figures.ts\` writes this page from it. Compare ratios; absolute figures depend on the machine (\`reference loop\`: a fixed amount of work on one core of it).
`

/** Renders the text of docs/internals/benchmarks/README.md. */
export function toPage(benchmarks: Benchmarks): string {
  return [HEAD, ...Object.entries(benchmarks).map(([name, benchmark]) => toSection(name, benchmark))].join('\n')
}

function toSection(name: string, { date, commit, machine, figures }: Benchmark): string {
  const { cpu, cores, loadAverages, referenceLoopMs } = machine
  const loop = referenceLoopMs === undefined ? '' : `, reference loop ${round(referenceLoopMs)} ms`
  const place = `${cores} cores of ${cpu}, load ${round(loadAverages[0] ?? 0)}${loop}`
  const rows = figures.map((figure) => [figure.name, toValue(figure), toGoal(figure)])
  return `## ${name}\n\n${date.slice(0, 10)}, commit ${commit}; ${place}.\n\n${toTable(['figure', 'measured', 'goal'], rows)}\n`
}

function toValue({ median, low, high }: Figure): string {
  const interval = low === undefined || high === undefined ? '' : ` [${round(low)}, ${round(high)}]`
  return `${round(median)}${interval}`
}

function toGoal(figure: Figure): string {
  const { goal } = figure
  if (goal === undefined) return ''
  const text = 'most' in goal ? `at most ${goal.most}` : `at least ${goal.least}`
  return isMet(figure) === true ? text : `${text}, **missed**`
}

function round(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US')
}
