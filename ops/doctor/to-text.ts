import { type Finding, type Result, results } from './check.ts'

const words: Record<Result, string> = { ok: 'ok', warning: 'warning', wrong: 'WRONG', unchecked: '-' }

/**
 * Formats the report for a terminal. Each finding is one line with its remedy below, and the last line contains the
 * counts.
 */
export function toText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, result, finding, remedy }) => [
    `${check.padEnd(width)}  ${words[result].padEnd(7)}  ${finding}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(width + 11)}-> ${remedy}`]),
  ])
  return [...lines, '', describeCounts(findings)].join('\n')
}

/** Formats the number of findings for each result. Example: `20 ok, 1 warning, 2 wrong, 3 not checked here`. */
function describeCounts(findings: readonly Finding[]): string {
  const names: Record<Result, string> = { ok: 'ok', warning: 'warnings', wrong: 'wrong', unchecked: 'not checked here' }
  return results
    .map((result) => `${findings.filter((finding) => finding.result === result).length} ${names[result]}`)
    .join(', ')
    .replace(/\b1 warnings/, '1 warning')
}
